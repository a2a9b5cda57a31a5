"""Kernels for GPUs against plain torch; without a GPU they are interpreted, where triton is installed."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from liftq.encoders import Relation
from liftq.models.networks.batch import SINKS, Batch, Shape, group_relations
from liftq.models.networks.rgcn import sent_to_all, sum_of_maxima
from liftq.models.networks.rgnn import TorchRGNN
from liftq.models.networks.weights import initial, views
from liftq.models.rgnn import RGNN

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # read when kernels are defined
if importlib.util.find_spec("triton") is None:
    pytest.skip("triton is not installed", allow_module_level=True)

from liftq.models.networks.gpu import arrivals, messages  # after the environment is set

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
MODELS, NODES = 2, 12
WIDTHS = pytest.mark.parametrize("width", [8, 33])  # not only powers of two


def some_batch(arities: list[int], rows: list[int]) -> Batch:
    """Half of the nodes get nothing; every relation ends in padding, the shorter ones of a group in a lot of it."""
    shape = Shape(group_relations(arities, rows), NODES, 0, 1)
    nodes, log_counts = [], []
    for group in shape.groups:
        for relation in group.relations:
            node = torch.randint(NODES // 2, (group.rows, group.arity))
            node[rows[relation] // 3 :] = NODES + torch.arange(group.rows)[rows[relation] // 3 :, None] % SINKS
            nodes.append(node.flatten())
            count = torch.randint(1, 4, (node.numel(),)).float().log()
            log_counts.append(torch.where(nodes[-1] < NODES, count, -torch.inf))
    none = torch.zeros(0, dtype=torch.long)
    slots = torch.cat(nodes).to(DEVICE), torch.cat(log_counts).to(DEVICE)
    return Batch(shape, *slots, torch.ones(NODES + SINKS), torch.zeros(NODES + SINKS, dtype=torch.long), none, none)


def on_cpu(
    model: RGNN, weights: dict[str, Tensor], relations: list[Relation], batch: Batch, embeddings: Tensor
) -> Tensor:
    there = replace(batch, slot_node=batch.slot_node.cpu(), slot_log_count=batch.slot_log_count.cpu())
    weights = {name: weight.cpu() for name, weight in weights.items()}
    return TorchRGNN(model).arriving(weights, relations, there)(embeddings.cpu()).to(DEVICE)


def numbers(*shape: int) -> Tensor:
    """Small whole ones, so that several are often the largest."""
    return torch.randint(1, 5, shape, device=DEVICE).float().requires_grad_()


def gradient(result: Tensor, of: Tensor) -> Tensor:
    torch.manual_seed(1)
    weight = torch.randn(result.shape, device=DEVICE)
    weight[:, NODES:] = 0  # nobody reads padding
    return torch.autograd.grad(result, of, weight, retain_graph=True)[0]


@WIDTHS
def test_the_sum_of_maxima(width: int) -> None:
    torch.manual_seed(0)
    every = torch.arange(NODES + SINKS)
    edges = [torch.stack([every, every], dim=1), *(torch.randint(NODES, (30, 2)) for _ in range(2))]
    edges[1][:10, 1] = NODES  # padding
    of_some = numbers(MODELS, 3, width)  # which several nodes share, so that several messages are largest
    embeddings = of_some.index_select(1, torch.arange(len(every), device=DEVICE) % 3)
    kinds = numbers(MODELS, len(edges), width, width)
    expected = sum_of_maxima(edges)(embeddings.cpu(), kinds.cpu())
    found = arrivals.SumOfMaxima.along([pairs.to(DEVICE) for pairs in edges])(sent_to_all(embeddings, kinds))
    assert torch.equal(found[:, :NODES].cpu(), expected[:, :NODES])
    for of in (of_some, kinds):
        torch.testing.assert_close(gradient(found, of), gradient(expected.to(DEVICE), of), rtol=1e-4, atol=1e-3)


@WIDTHS
@pytest.mark.parametrize("scale", [1.0, 1e4], ids=["small", "large"])
def test_the_smooth_maximum(width: int, scale: float) -> None:
    torch.manual_seed(0)
    batch = some_batch([1], [60])
    sent, alpha = scale * numbers(MODELS, 60, width), 12.0
    sorted_slots = arrivals.Arrivals.at(batch.slot_node, NODES + SINKS, SINKS)
    found = arrivals.SmoothMaximum.apply(sent, sorted_slots, batch.slot_log_count, alpha)  # type: ignore[no-untyped-call]
    network = TorchRGNN(RGNN(width, 1, alpha=alpha))
    expected = network.smooth_maximum(sent, batch.slot_node, batch.slot_log_count, NODES + SINKS)
    torch.testing.assert_close(found[:, :NODES], expected[:, :NODES])
    pair = [torch.where(batch.slot_node[:, None] < NODES, gradient(each, sent), 0.0) for each in (found, expected)]
    torch.testing.assert_close(*pair)


@pytest.mark.parametrize(("width", "hidden"), [(33, 0), (8, 10)], ids=["wide hidden layers", "narrow hidden layers"])
def test_messages_of_relations_of_all_lengths_and_arities(width: int, hidden: int) -> None:
    """Both with more rows than a job has, and with jobs that are padding alone."""
    torch.manual_seed(0)
    arities, rows = [2, 1, 3, 2, 1], [messages.TILE + 9, messages.CHUNK + 7, 8, 3 * messages.TILE, 0]
    relations, batch = [Relation(f"r{i}", arity) for i, arity in enumerate(arities)], some_batch(arities, rows)
    model = RGNN(width, 1, hidden=hidden)
    layout = model.layout(relations, with_actions=True)
    flat = (3 * initial(layout, range(MODELS))).to(DEVICE).requires_grad_()
    embeddings = torch.randn(MODELS, NODES + SINKS, width, device=DEVICE, requires_grad=True)
    found = messages.arriving(model, views(layout, flat), relations, batch)(embeddings)
    expected = on_cpu(model, views(layout, flat), relations, batch, embeddings)
    torch.testing.assert_close(found[:, :NODES], expected[:, :NODES])
    for of in (flat, embeddings):
        torch.testing.assert_close(gradient(found, of), gradient(expected, of), rtol=1e-4, atol=1e-4)
    of_first_layer = messages.arriving(model, views(layout, flat), relations, batch)(embeddings.detach())
    torch.testing.assert_close(gradient(of_first_layer, flat), gradient(expected, flat), rtol=1e-4, atol=1e-4)
