"""The regularizers on examples worked out by hand."""

from __future__ import annotations

import pytest
import torch

from liftq.errors import InputError
from liftq.objectives import Targets, objective, objectives

# Two choices. The first has h* = 5 and candidates valued 3 (the plan's), 5, 7, the last bounded by 9 from below.
# The second has h* = 2 and candidates valued 1, 3 (the plan's); then comes one of padding, valued -100.
VALUES = torch.tensor([[3.0, 5.0, 7.0, 1.0, 3.0, -100.0]])
TARGETS = Targets(
    h_star=torch.tensor([5.0, 2.0]),
    teacher=torch.tensor([0, 4]),
    bounds=torch.tensor([5.0, 4.0, 9.0, 2.0, 2.0, 1120.0]),
    choice_of_candidate=torch.tensor([0, 0, 0, 1, 1, 2]),
    is_rival=torch.tensor([0.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
    size=torch.tensor([1.0, 3.0, 1.0, 2.0, 1.0, 7.0]),
    taught=torch.tensor([4.0, 4.5, 30.0, 2.0, 2.0, 55.0]),  # the third is far worse than the best
)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("q_value", 2, 1),
        ("q_explicit", 2 + (6 - 5) + 0, 1 + (3 - 1)),
        ("q_heuristic", 2 + (6 - 5) + (9 - 7), 1 + (3 - 1)),
        ("q_margin", 2 + 0 + (9 - 7), 1 + (4 - 1)),  # the bounds follow the predictions, 3 and 3: 4 and 4
    ],
)
def test_q_losses(name: str, first: float, second: float) -> None:
    assert objective(name)().loss(VALUES, TARGETS).tolist() == [[first, second]]


def test_the_values_of_a_policy() -> None:
    """Of the first choice, the second value is high enough, and the third is to be a span above that taken: 4 + 10."""
    distil = objective("q_distil")(policy="any")  # type: ignore[call-arg]
    assert distil.loss(VALUES, TARGETS).tolist() == [[1 + 0 + (14 - 7), 1 + (2 - 1)]]
    narrow = objective("q_distil")(policy="any", span=5.0, weight=0.5)  # type: ignore[call-arg]
    assert narrow.loss(VALUES, TARGETS).tolist() == [[1 + 0.5 * (9 - 7), 1 + 0.5 * (2 - 1)]]


def test_values_need_a_policy() -> None:
    with pytest.raises(InputError, match="no policy to learn from"):
        _ = objective("q_distil")().teacher_policy


def test_the_weight_scales_the_regularizer_alone() -> None:
    half = objective("q_explicit")(weight=0.5)  # type: ignore[call-arg]
    assert half.loss(VALUES, TARGETS).tolist() == [[2 + 0.5, 1 + 1]]


@pytest.mark.parametrize(
    ("rivals", "first", "second"), [("mean", 2 + 3 / 2, 1 + 2), ("weighted", 2 + 3 + 2, 1 + 2 * 2)]
)
def test_penalties_can_be_averaged_or_weighted(rivals: str, first: float, second: float) -> None:
    chosen = objective("q_heuristic")(rivals=rivals)  # type: ignore[call-arg]
    assert chosen.loss(VALUES, TARGETS).tolist() == [[first, second]]


def test_state_values() -> None:
    assert objective("state_value")().loss(torch.tensor([[4.0, 2.5]]), TARGETS).tolist() == [[1, 0.5]]


def test_stacked_models_have_their_own_losses() -> None:
    both = objective("q_heuristic")().loss(torch.cat([VALUES, VALUES + 1]), TARGETS)
    assert both[0].tolist() == [5, 3]
    assert both[1].tolist() == objective("q_heuristic")().loss(VALUES + 1, TARGETS)[0].tolist()


def test_a_margin_moves_the_prediction_that_it_follows() -> None:
    """Of the second choice: the rival's value rises, and the teacher's falls by its own error and by the penalty."""
    values = VALUES.clone().requires_grad_()
    objective("q_margin")().loss(values, TARGETS).sum().backward()
    assert values.grad is not None
    assert values.grad.tolist() == [[-1, 0, -1, -1, 2, 0]]


@pytest.mark.parametrize("name", [name for name in objectives() if name != "state_value"])
def test_padding_has_no_gradient(name: str) -> None:
    values = VALUES.clone().requires_grad_()
    objective(name)().loss(values, TARGETS).sum().backward()
    assert values.grad is not None
    assert values.grad[0, -1] == 0
    assert torch.isfinite(values.grad).all()


def test_unknown_objectives_are_refused() -> None:
    with pytest.raises(InputError, match="q_heuristic"):
        objective("q_magic")


@pytest.mark.parametrize(
    ("name", "rate"),
    [("state_value", 2e-4), ("q_value", 2e-4), ("q_explicit", 2e-3), ("q_heuristic", 2e-3), ("q_margin", 2e-3)],
)
def test_learning_rates_of_the_paper(name: str, rate: float) -> None:
    assert objective(name).learning_rate == rate
    assert objective(name).with_actions == (name != "state_value")
    assert objective(name).needs_bounds == (name in ("q_heuristic", "q_margin"))  # which take long to find
