"""The best few stay, and the best of them is the run's policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.policies.policy_file import PolicyFile, read_policy_file
from liftq.training import finalists as finalists_module
from liftq.training.finalists import Finalists, Waiting

PolicyWith = Callable[..., PolicyFile]
SCORES = {1: 5.0, 2: 9.0, 3: 2.0, 4: 7.0, 5: 8.0, 6: 1.0}  # by epoch


def test_the_best_few_stay(tmp_path: Path, policy_with: PolicyWith, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finalists_module, "PLACES", 4)
    finalists = Finalists(tmp_path, "q_value")
    for epoch, score in SCORES.items():
        finalists.enter(policy_with(objective="q_value", seed=3, epoch=epoch, score=score, plan_length=4.0))
    assert [path.stem for path in finalists.paths()] == [f"q_value-3-{epoch}" for epoch in (2, 5, 4, 1)]
    assert read_policy_file(tmp_path / "q_value.safetensors").card["epoch"] == 2


def test_among_equals_the_shortest_plans_and_the_longest_training_go_first(
    tmp_path: Path, policy_with: PolicyWith
) -> None:
    finalists = Finalists(tmp_path, "q_value")
    for epoch, length in {1: 4.0, 2: 3.0, 3: 4.0}.items():
        finalists.enter(policy_with(objective="q_value", seed=1, epoch=epoch, score=5.0, plan_length=length))
    assert [path.stem for path in finalists.paths()] == ["q_value-1-2", "q_value-1-3", "q_value-1-1"]


def test_entering_again_changes_nothing(tmp_path: Path, policy_with: PolicyWith) -> None:
    """As after a kill between two steps."""
    finalists = Finalists(tmp_path, "q_value")
    for epoch in (1, 2, 3, 4, 1, 4):
        finalists.enter(policy_with(objective="q_value", seed=1, epoch=epoch, score=SCORES[epoch], plan_length=1.0))
    assert [path.stem for path in finalists.paths()] == [f"q_value-1-{epoch}" for epoch in (2, 4, 1, 3)]


def test_objectives_do_not_compete(tmp_path: Path, policy_with: PolicyWith) -> None:
    for name, score in {"q_value": 1.0, "q_margin": 9.0}.items():
        policy = policy_with(objective=name, seed=1, epoch=1, score=score, plan_length=1.0)
        Finalists(tmp_path, name).enter(policy)
    assert read_policy_file(tmp_path / "q_value.safetensors").card["score"] == 1.0


def final(epoch: int, score: float, far: str, length: float) -> dict[str, object]:
    card = {
        "objective": "q_value",
        "seed": 1,
        "epoch": epoch,
        "final_score": 0.0,
        "pooled_score": score,
        "final_far": far,
    }
    return card | {"final_plan_length": length}


def test_the_best_in_the_finals_wins(tmp_path: Path, policy_with: PolicyWith) -> None:
    finalists = Finalists(tmp_path, "q_value")
    for epoch, score in {1: 9.0, 2: 8.0, 3: 7.0, 4: 6.0}.items():
        finalists.enter(policy_with(objective="q_value", seed=1, epoch=epoch, score=score, plan_length=1.0))
    cards = [final(1, 5.0, "4 of 4", 1.0), final(2, 6.0, "1 of 4", 1.0)]
    cards += [final(3, 6.0, "2 of 4", 9.0), final(4, 6.0, "2 of 4", 8.0)]
    finalists.crown({f"q_value-1-{card['epoch']}": card for card in cards})
    assert read_policy_file(tmp_path / "q_value.safetensors").card == cards[3]


def test_policies_wait_until_they_are_removed(tmp_path: Path, policy_with: PolicyWith) -> None:
    waiting = Waiting(tmp_path / "waiting")
    first, second = policy_with(objective="a", seed=1, epoch=1), policy_with(objective="b", seed=1, epoch=1)
    waiting.add(first)
    waiting.add(second)
    assert [policy.card for policy in waiting.policies(["a"])] == [first.card]
    waiting.remove(first.card)
    assert [policy.card for policy in waiting.policies(["a", "b"])] == [second.card]
