"""Kernels for GPUs against plain torch; without a GPU they are interpreted, where triton is installed."""

from __future__ import annotations

import importlib.util
import os

import pytest
import torch
from torch import Tensor

from liftq.models.rgnn import RGNN
from liftq.networks.batch import SINKS
from liftq.networks.rgcn import sum_of_maxima
from liftq.networks.rgnn import Slots, TorchRGNN, gather

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # read when kernels are defined
if importlib.util.find_spec("triton") is None:
    pytest.skip("triton is not installed", allow_module_level=True)

from liftq.networks import arrivals  # after the environment is set

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
MODELS, NODES, SLOTS = 2, 12, 60
WIDTHS = pytest.mark.parametrize("width", [8, 6])  # not only powers of two


def plain(slots: Slots) -> Slots:
    return slots._replace(order=None, first=None)


def some_slots() -> Slots:
    """Half of the nodes get nothing, some slots are padding."""
    node = torch.randint(NODES // 2, (SLOTS,), device=DEVICE)
    node[::7] = NODES + torch.arange(SLOTS, device=DEVICE)[::7] % SINKS
    log_count = torch.where(node < NODES, torch.randint(1, 4, (SLOTS,), device=DEVICE).float().log(), -torch.inf)
    sorted_slots = arrivals.Arrivals.at(node, NODES + SINKS, SINKS)
    return Slots(list(node.split([20, 40])), node, log_count, sorted_slots.order, sorted_slots.first)


def numbers(*shape: int) -> Tensor:
    """Small whole ones, so that several are often the largest."""
    return torch.randint(1, 5, shape, device=DEVICE).float().requires_grad_()


def gradient(result: Tensor, of: Tensor) -> Tensor:
    torch.manual_seed(1)
    weight = torch.randn(result.shape, device=DEVICE)
    weight[:, NODES:] = 0  # nobody reads padding
    return torch.autograd.grad(result, of, weight)[0]


@WIDTHS
def test_the_sum_of_maxima(width: int) -> None:
    torch.manual_seed(0)
    every = torch.arange(NODES + SINKS)
    edges = [torch.stack([every, every], dim=1), *(torch.randint(NODES, (30, 2)) for _ in range(2))]
    edges[1][:10, 1] = NODES  # padding
    sent = numbers(MODELS, len(every), len(edges), width)
    expected = sum_of_maxima(edges)(sent.cpu())
    found = arrivals.SumOfMaxima.along([pairs.to(DEVICE) for pairs in edges])(sent)
    assert torch.equal(found[:, :NODES].cpu(), expected[:, :NODES])
    torch.testing.assert_close(gradient(found, sent), gradient(expected.to(DEVICE), sent))


@WIDTHS
@pytest.mark.parametrize("scale", [1.0, 1e4], ids=["small", "large"])
def test_the_smooth_maximum(width: int, scale: float) -> None:
    torch.manual_seed(0)
    network, slots, messages = TorchRGNN(RGNN(width, 1)), some_slots(), numbers(MODELS, SLOTS, width)
    expected = network.smooth_maximum(scale * messages, plain(slots), NODES + SINKS)
    found = network.smooth_maximum(scale * messages, slots, NODES + SINKS)
    torch.testing.assert_close(found[:, :NODES], expected[:, :NODES])
    torch.testing.assert_close(gradient(found, messages), gradient(expected, messages))


@WIDTHS
def test_gathering(width: int) -> None:
    torch.manual_seed(0)
    slots, rows = some_slots(), numbers(MODELS, NODES + SINKS, width)
    expected, found = torch.cat(list(gather(rows, plain(slots))), 1), torch.cat(list(gather(rows, slots)), 1)
    assert torch.equal(found, expected)
    torch.manual_seed(1)
    weight = torch.randn(found.shape, device=DEVICE) * (slots.node < NODES)[:, None]
    pair = [torch.autograd.grad(each, rows, weight)[0] for each in (found, expected)]
    torch.testing.assert_close(*pair)
