"""`liftq show`: from files to a page."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liftq.__main__ import main
from liftq.errors import InputError
from liftq.reports.show import page as module
from liftq.reports.show import structure
from liftq.reports.show.request import page_of
from liftq.zoo import load_policy

Files = Callable[[str, int], tuple[Path, Path]]


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found


def call(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["liftq", "show", *map(str, arguments)])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


def test_a_policy_and_a_plan(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    domain, problem = files("visitall", 9)
    assert call(monkeypatch, domain, problem, "--out", tmp_path / "walk.html") == 0
    walk = data_of((tmp_path / "walk.html").read_text())
    plan = tmp_path / "plan"
    plan.write_text("".join(f"{step['action']}\n" for step in walk["steps"]))
    shown = data_of(page_of(domain, problem, plan))
    assert shown["steps"] == walk["steps"] and shown["drawing"]["kinds"] == ["grid"] and not shown["notes"]
    for step in shown["steps"]:  # with the policy's values, and bounds on what each candidate costs
        assert step["candidates"]
        assert all(isinstance(each, float) for candidate in step["candidates"] for each in candidate[2:4])


def test_a_plan_without_a_policy(tmp_path: Path) -> None:
    texts = {
        "domain": "(define (domain d) (:predicates (on ?x)) (:action switch :parameters (?x) :effect (on ?x)))",
        "problem": "(define (problem p) (:domain d) (:objects a) (:init) (:goal (on a)))",
        "plan": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    domain, problem = tmp_path / "domain", tmp_path / "problem"
    page = data_of(page_of(domain, problem, tmp_path / "plan"))
    assert page["steps"] == [] and "no bundled policy fits" in page["notes"][-1]
    with pytest.raises(InputError, match="no bundled policy fits"):
        page_of(domain, problem)


def test_a_walk_that_takes_too_long(files: Files, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert call(monkeypatch, *files("ferry", 60), "--time-limit", "0", "--out", tmp_path / "x.html") == 2
    assert not (tmp_path / "x.html").exists()


def test_large_states_are_cut(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    domain, problem = files("ferry", 12)
    whole = data_of(page_of(domain, problem))
    monkeypatch.setattr(module, "MOST_ATOMS", 3)
    cut = data_of(page_of(domain, problem))
    assert len(cut["initial"]) <= len(whole["initial"]) and f"Of {len(whole['initial'])} atoms" in cut["notes"][0]
    gone = {atom for step in cut["steps"] for atom in step["deletes"]}
    added = {atom for step in cut["steps"] for atom in step["adds"]}
    assert gone - added <= set(cut["initial"])


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d", tmp_path / "p"
    domain.write_text("(define (domain d<!--x) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))")
    problem.write_text("(define (problem p) (:domain d<!--x) (:objects </script><b>) (:init) (:goal (p </script><b>)))")
    (tmp_path / "plan").write_text("(a </script><b>)")
    page = page_of(domain, problem, tmp_path / "plan")
    assert "</script><b>" not in page and "d<!--x" not in page
    assert data_of(page)["objects"] == ["</script><b>"]


def test_the_policy_can_be_named(files: Files) -> None:
    domain, problem = files("ferry", 6)
    assert page_of(domain, problem, policy="ferry") == page_of(domain, problem)
    assert load_policy("ferry")


def test_a_drawing_that_is_left_out_is_named(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "MOST_NODES", 5)
    shown = data_of(page_of(*files("visitall", 9)))
    assert shown["drawing"] is None
    assert any("no drawing: it would have 9 nodes" in note for note in shown["notes"])


def test_derived_atoms_are_shown_and_counted(tmp_path: Path) -> None:
    texts = {
        "domain": """(define (domain d) (:predicates (on ?x) (bright))
          (:derived (bright) (forall (?x) (on ?x)))
          (:action switch :parameters (?x) :effect (on ?x)))""",
        "problem": "(define (problem p) (:domain d) (:objects a b) (:init) (:goal (bright)))",
        "plan": "(switch a)\n(switch b)\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    shown = data_of(page_of(tmp_path / "domain", tmp_path / "problem", tmp_path / "plan"))
    bright = shown["atoms"].index(["bright"])
    assert shown["goal"] == [[bright, True]] and shown["goalIs"] == "goals" and shown["solved"]
    assert [bright in step["adds"] for step in shown["steps"]] == [False, True]
    (tmp_path / "plan").write_text("(switch a)\n")
    assert not data_of(page_of(tmp_path / "domain", tmp_path / "problem", tmp_path / "plan"))["solved"]
