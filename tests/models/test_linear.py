"""The gradient of weights in parts."""

from __future__ import annotations

import pytest
import torch

from liftq.models.networks.linear import MANY_ROWS, PARTS, padded_rows, product


@pytest.mark.parametrize("rows", [5, MANY_ROWS + 1, MANY_ROWS, 2 * MANY_ROWS + PARTS])
def test_a_product_and_its_gradients(rows: int) -> None:
    torch.manual_seed(0)
    inputs = torch.randn(3, 2, rows, 4, dtype=torch.double, requires_grad=True)
    weight = torch.randn(3, 2, 5, 4, dtype=torch.double, requires_grad=True)
    expected = torch.einsum("abri,aboi->abro", inputs, weight)
    found = product(inputs, weight)
    torch.testing.assert_close(found, expected)
    gradient = torch.randn_like(found)
    pair = [torch.autograd.grad(each, (inputs, weight), gradient) for each in (found, expected)]
    torch.testing.assert_close(*pair)


@pytest.mark.parametrize("rows", [MANY_ROWS, MANY_ROWS + 1, 10_007])
def test_many_rows_can_be_split_after_little_padding(rows: int) -> None:
    padded = padded_rows(rows)
    assert padded % (4 * PARTS) == 0
    assert rows <= padded < 1.13 * rows


def test_few_rows_are_not_padded() -> None:
    assert padded_rows(MANY_ROWS - 1) == MANY_ROWS - 1
