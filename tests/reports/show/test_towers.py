"""Towers are found by what holds in the states of a plan, whatever the predicate is called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from liftq.reports.show import towers
from liftq.reports.show.replay import replay, replay_policy
from liftq.reports.show.towers import towers_of
from liftq.zoo import load_policy

Opened = Callable[[str, int], Task]
LINKS = parse_domain("""(define (domain links) (:predicates (over ?x ?y))
  (:action put :parameters (?x ?y) :effect (over ?x ?y)))""")


def linked(*pairs: str) -> Task:
    init = " ".join(f"(over {pair[0]} {pair[1]})" for pair in pairs)
    text = f"(define (problem p) (:domain links) (:objects a b c d) (:init {init}) (:goal (over a b)))"
    return Task(LINKS, parse_problem(text, LINKS))


def test_blocks_are_towers(task: Opened) -> None:
    opened = task("blocksworld", 6)
    made = replay_policy(opened, load_policy("blocksworld").alone.solve(opened))
    found = towers_of(made)
    assert found is not None and found.predicate == "on" and len(found.objects) <= 6
    assert 2 <= found.tallest <= 6 and 1 <= found.widest <= 6


def test_objects_on_two_others_or_in_a_circle_form_no_tower() -> None:
    assert towers_of(replay(linked("ab", "bc"), ())) == towers.Towers("over", ["a", "b", "c"], 3, 1)
    assert towers_of(replay(linked("ab", "cb"), ())) is None
    assert towers_of(replay(linked("ab", "ac"), ())) is None
    assert towers_of(replay(linked("ab", "ba"), ())) is None
    assert towers_of(replay(linked(), ())) is None


def test_every_state_must_have_towers() -> None:
    """The last one has not."""
    assert towers_of(replay(linked("ab"), (Action("put", ("c", "d")),))) is not None
    assert towers_of(replay(linked("ab"), (Action("put", ("c", "b")),))) is None


def test_many_objects_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(towers, "MOST_OBJECTS", 2)
    assert towers_of(replay(linked("ab", "bc"), ())) is None
