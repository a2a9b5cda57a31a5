"""Plan files: what is accepted, what is refused and where, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.engine.plan_file import parse_plan, read_plan, write_plan
from liftq.engine.solver import Action
from liftq.pddl import InputError, PDDLError, parse_domain, parse_problem

DOMAIN = parse_domain("""
(define (domain d) (:types car truck - vehicle place) (:constants home - place) (:predicates (p))
  (:action drive :parameters (?v - (either car truck) ?p - place) :effect ())
  (:action wash :parameters (?c - car) :effect ())
  (:action wait :effect ()))
""")
PROBLEM = parse_problem("(define (problem q) (:domain d) (:objects c - car t - truck) (:init) (:goal ()))", DOMAIN)
DRIVE, WAIT = Action("drive", ("c", "home")), Action("wait", ())


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("", ()),
        ("\n \n; cost = 0 (unit cost)\n", ()),
        ("(drive c home)\n(wait)\n; cost = 2 (unit cost)\n", (DRIVE, WAIT)),
        ("(drive c home)\r\n(wait)", (DRIVE, WAIT)),
        ("  ( DRIVE\tC  Home ) ; now\n(WAIT)\r", (DRIVE, WAIT)),
        ("0.000: (drive c home) [1.000]\n1: (wait)\n", (DRIVE, WAIT)),
    ],
)
def test_accepted(text: str, plan: tuple[Action, ...]) -> None:
    assert parse_plan(text, DOMAIN, PROBLEM) == plan


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("drive c home", "1:1", "`drive c home` is not an action"),
        ("(wait)\n  (drive c home", "2:3", "is not an action"),
        ("(wait) (wait)", "1:1", "is not an action"),
        ("()", "1:1", "is not an action"),
        ("(é)", "1:1", "unknown action `é`"),
        ("; x\n\n (drove c home)", "3:2", "Did you mean `drive`?"),
        ("(drive c)", "1:1", "`drive` takes 2 arguments, and 1 given"),
        ("(wash c c)", "1:1", "`wash` takes 1 argument, and 2 given"),
        ("(wait c)", "1:1", "Its parameters are none."),
        ("(drive d home)", "1:1", "unknown object `d`"),
        ("(drive c hom)", "1:1", "Did you mean `home`?"),
        ("(drive home home)", "1:1", "`home` is of type place, and does not fit ?v of drive"),
        ("(wash t)", "1:1", "?c - car"),
        ("x" * 1000, "1:1", "xxx...` is not an action"),
    ],
)
def test_refused(text: str, place: str, says: str) -> None:
    with pytest.raises(PDDLError) as caught:
        parse_plan(text, DOMAIN, PROBLEM, "my.plan")
    assert str(caught.value).startswith(f"my.plan:{place}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("cost", "unit_cost", "last"),
    [(2, True, "; cost = 2 (unit cost)"), (2.5, False, "; cost = 2.5 (general cost)")],
)
def test_written_plans_come_back(tmp_path: Path, cost: float, unit_cost: bool, last: str) -> None:
    file = tmp_path / "my.plan"
    file.write_text(write_plan((DRIVE, WAIT), cost, unit_cost=unit_cost))
    assert file.read_text() == f"(drive c home)\n(wait)\n{last}\n"
    assert read_plan(file, DOMAIN, PROBLEM) == (DRIVE, WAIT)


@pytest.mark.parametrize("content", [b"\xff\xff", bytes(range(256))])
def test_binary_files_are_rejected(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "my.plan"
    file.write_bytes(content)
    with pytest.raises(InputError):
        read_plan(file, DOMAIN, PROBLEM)
