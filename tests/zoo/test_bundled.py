"""Which of the bundled policies fits, and what all of them say about themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liftq.domains import domains
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Problem
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.zoo.bundled import bundled, find_policy
from tests.policies.untrained import LAMPS, policy_of

MOST_BYTES = 16e6  # of all policies: the rest of the wheel takes up to 9 MB
HOME = parse_domain(LAMPS)


def asking(goal: str) -> Problem:
    text = f"(define (problem p) (:domain lamps) (:objects b - bulb) (:init (at b hall) (dark)) (:goal {goal}))"
    return parse_problem(text, HOME)


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    """Policies that have seen goals about lamps that are on, about places, and about both."""
    for name, unseen in {"on": ("at", "dark"), "at": ("on", "dark"), "both": ("dark",)}.items():
        policy = policy_of(HOME, without=tuple(f"goal:{predicate}" for predicate in unseen))
        save_policy(tmp_path / f"{name}.safetensors", policy)
    return tmp_path


@pytest.mark.parametrize(
    ("goal", "name"), [("(on b)", "on"), ("(at b hall)", "at"), ("(and (on b) (at b hall))", "both"), ("(dark)", "at")]
)
def test_of_several_policies_the_one_that_knows_such_goals_is_found(zoo: Path, goal: str, name: str) -> None:
    assert find_policy(HOME, asking(goal), zoo)[0] == name


def test_of_policies_that_know_the_same_goals_the_one_that_beat_the_other_is_found(zoo: Path) -> None:
    policy = read_policy_file(zoo / "on.safetensors")
    save_policy(zoo / "successor.safetensors", replace(policy, card=policy.card | {"bundled": {"beats": "on"}}))
    assert find_policy(HOME, asking("(on b)"), zoo)[0] == "successor"
    assert find_policy(HOME, asking("(at b hall)"), zoo)[0] == "at"
    for name in ("at", "both"):
        (zoo / f"{name}.safetensors").unlink()
    other_form = parse_domain(LAMPS.replace("(:predicates", "(:predicates (never ?l - lamp)"))
    assert find_policy(other_form, asking("(on b)"), zoo)[0] == "successor"


def test_one_policy_that_fits_in_two_ways_does_not_hide_another(zoo: Path) -> None:
    twice = LAMPS.replace("(on ?l - lamp)", "(on ?l - lamp) (off ?l - lamp)")
    twice = twice.replace("(not (on ?l)))", "(not (on ?l)) (not (off ?l)))").replace(
        "(and (on ?l)", "(and (on ?l) (off ?l)"
    )
    other = parse_domain(twice.replace("(on ", "(lit ").replace("(off ", "(bright "))
    save_policy(zoo / "a.safetensors", policy_of(parse_domain(twice)))
    save_policy(zoo / "b.safetensors", policy_of(other))
    assert find_policy(other, folder=zoo)[0] == "b"


@pytest.mark.parametrize("name", bundled())
def test_bundled_policies_are_intact_and_found(name: str) -> None:
    policy = read_policy_file(bundled()[name])
    name_found, found = find_policy(policy.domain)
    assert found.domain == policy.domain or found.card["bundled"]["beats"] == name != name_found
    assert name in domains() or policy.card["bundled"]["held_out"]["problems"] > 0


def test_the_wheel_stays_small() -> None:
    assert sum(path.stat().st_size for path in bundled().values()) < MOST_BYTES
