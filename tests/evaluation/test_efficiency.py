"""Time to choose an action: which networks are measured, and on which states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from liftq.domains import domain
from liftq.encoders.object import Object
from liftq.encoders.object_atom import ObjectAtom
from liftq.encoders.relational import Relational
from liftq.engine.task import Choice, Task
from liftq.evaluation.efficiency import NETWORKS, EfficiencyEvaluation, random_policy
from liftq.evaluation.result import Results, Timing
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_domain, parse_problem
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.problems.generated import Generated

Called = Callable[..., tuple[int, str, str]]
FERRY = domain("ferry")
SOURCE = Generated(FERRY)


def test_efficiency_command(tmp_path: Path, liftq: Called) -> None:
    out = tmp_path / "r"
    command = ("evaluate", "efficiency", "ferry", "--sizes", "4-8", "--stride", "4", "--per-size", "2", "--steps", "3")
    assert liftq(*command, "--out", str(out)).code == 0
    timings = Results.read([out]).of(Timing)
    assert [each.size for each in timings] == [4] * NETWORKS + [8] * NETWORKS
    assert len({(each.architecture, each.values) for each in timings}) == NETWORKS
    assert all(each.states == 6 and each.candidates > 6 and each.seconds > 0 for each in timings)
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-3]))
    assert liftq(*command, "--out", str(out)).output.count("\n") == 3 + 1
    assert len(Results.read([out]).of(Timing)) == 2 * NETWORKS
    assert "was run with other steps" in liftq(*command[:-1], "9", "--out", str(out)).errors


def test_walks_are_walks_and_the_same_again() -> None:
    plan = EfficiencyEvaluation((), per_size=1, steps=10)
    (task,) = plan.tasks(SOURCE, 6)
    walk = [choice.state for choice in plan.walk(task)]
    assert walk == [choice.state for choice in plan.walk(task)] and len(walk) == 10
    for before, after in pairwise(walk):
        choice = task.choice(before)
        assert after in {choice.successor(candidate) for candidate in range(len(choice))}


@pytest.mark.parametrize("encoder", ["relational", "object", "object_atom"])
def test_random_networks_have_values(encoder: str) -> None:
    drawn = random_policy(FERRY.domain(), encoder, True, 0)
    assert all(abs(weight).max() <= 1 for weight in drawn.weights.values())
    plan = EfficiencyEvaluation(())
    assert np.isfinite(Greedy(drawn).values(next(plan.walk(next(plan.tasks(SOURCE, 6)))))).all()


class Recorder:
    """Stands for a policy, and counts what it is asked for."""

    made: ClassVar[list[Recorder]] = []

    def __init__(self, policy_file: PolicyFile) -> None:
        self.policy_file, self.asked = policy_file, []
        self.made.append(self)

    def values(self, choice: Choice) -> None:
        self.asked.append(choice.state)


def test_state_values_and_q_values_are_not_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.evaluation.efficiency.Greedy", Recorder)
    monkeypatch.setattr(Recorder, "made", [])
    plan = EfficiencyEvaluation((), per_size=2, steps=3)
    timings = list(plan.measure(SOURCE, 6))
    measured = {
        (timing.architecture, timing.values): (type(each.policy_file.encoder), each.policy_file.with_actions)
        for timing, each in zip(timings, Recorder.made, strict=True)
    }
    assert (
        measured.items()
        >= {
            ("R-GNN", "V"): (Relational, False),
            ("R-GNN", "Q"): (Relational, True),
            ("OE", "V"): (Object, False),
            ("OE", "Q"): (Object, True),
            ("OAE", "V"): (ObjectAtom, False),
            ("OAE", "Q"): (ObjectAtom, True),
        }.items()
    )
    walked = [choice.state for task in plan.tasks(SOURCE, 6) for choice in plan.walk(task)]
    assert all(each.asked == [walked[0], *walked] for each in Recorder.made)  # the first one is not counted
    assert {(each.states, each.candidates) for each in timings} == {(6, timings[0].candidates)}


def test_results_of_other_domains_or_sizes_do_not_stop_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.evaluation.efficiency.Greedy", Recorder)
    asked = EfficiencyEvaluation(("ferry",), 5, 5, per_size=1, steps=1)
    known = [*asked.evaluate(Results(()))]
    assert list(asked.evaluate(Results(tuple(known)))) == []
    for other in ({"domain": "gripper"}, {"size": 6}):
        assert len(list(asked.evaluate(Results(tuple(replace(each, **other) for each in known))))) == NETWORKS


def test_the_networks_are_those_of_the_paper() -> None:
    drawn = random_policy(FERRY.domain(), "relational", True, 0)
    assert drawn.model == RGNN(width=32, layers=30, alpha=12.0, normalize=False)


BARN = """(define (domain barn) (:predicates (fed ?x) (shut))
  (:action feed :parameters (?x) :precondition () :effect (fed ?x))
  (:action shut :parameters () :precondition () :effect (shut)))"""


def test_walks_take_every_action_with_the_same_chance() -> None:
    """Nine hens that are twins: of ten actions, one shuts the barn, though it is one of two candidates."""
    barn = parse_domain(BARN)
    hens = " ".join(f"hen{number}" for number in range(9))
    text = f"(define (problem p) (:domain barn) (:objects {hens}) (:init) (:goal (shut)))"
    shut = 0
    for seed in range(200):
        task = Task(barn, parse_problem(text, barn))
        first, second = EfficiencyEvaluation((), steps=2, seed=seed).walk(task)
        assert first.sizes.tolist() == [9, 1]
        shut += task.is_goal(second.state)
    assert 8 <= shut <= 36  # 20 of 200 on average, within 4 standard deviations
