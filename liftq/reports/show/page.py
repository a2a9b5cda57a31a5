"""Renders a replay as one self-contained HTML page, with data, style and script."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

from liftq.pddl.structures import Atom, Literal
from liftq.pddl.trees import literals
from liftq.policies.card import Card
from liftq.reports.show.marks import MEANINGS, marks_of
from liftq.reports.show.replay import Replay, Step, atoms_of
from liftq.reports.show.structure import MOST_NODES, Structure, structure_of
from liftq.reports.show.towers import towers_of

FOLDER = Path(__file__).parent
MOST_ATOMS = 20_000  # of the initial state


def write_page(replay: Replay, title: str, subtitle: str, card: Card | None = None) -> str:
    """`card` belongs to the policy whose values are shown."""
    text = json.dumps(_data(replay, card), separators=(",", ":"), ensure_ascii=True)
    parts = {
        "TITLE": escape(title),
        "SUBTITLE": escape(subtitle),
        "MEANING": escape(card.meaning if card else ""),
        "STYLE": _text("style.css"),
        "SCRIPT": _text("page.js"),
        "DATA": text.replace("<", "\\u003c"),  # `</script>` would end the data
    }
    page = _text("page.html")
    for name, part in parts.items():
        page = page.replace(f"<!-- {name} -->", part)
    return page


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _data(replay: Replay, card: Card | None) -> dict[str, Any]:
    """Refers to atoms and objects by number, to keep the page small."""
    atoms = _Atoms(replay)
    notes = list(replay.notes)
    initial = sorted(atoms_of(replay.task, replay.states[0]))
    if len(initial) > MOST_ATOMS:
        notes.append(
            f"Of {len(initial)} atoms of the initial state, those that the plan or the goal is about are shown."
        )
        about = atoms.about(replay)
        initial = [atom for atom in initial if atom in about]
    structure = structure_of(replay.task)
    if structure and not structure.places:
        notes.append(f"There is no drawing: it would have {structure.size} nodes, and the limit is {MOST_NODES}.")
    schemas = replay.task.domain.schemas
    is_conjunction = all(isinstance(formula, Literal) for formula in replay.task.problem.goal)
    return {
        "objects": replay.task.objects,
        "initial": [atoms.number(atom) for atom in initial],
        "solved": replay.solved,
        "goalIs": "goals" if is_conjunction else "atoms of the goal",
        "goal": [[atoms.number(goal.atom), goal.positive] for goal in atoms.goal],
        "steps": [_step(step, atoms, marks) for step, marks in zip(replay.steps, marks_of(replay), strict=True)],
        "ending": sorted({atom.predicate for schema in schemas for atom in schema.deletes}),
        "moving": sorted(
            {predicate for schema in schemas for predicate in _predicates(schema.adds) & _predicates(schema.deletes)}
        ),
        "drawing": _drawing(structure) if structure and structure.places else None,
        **_towers(replay, structure),
        "onlyRanks": card is not None and card.only_ranks,
        "meaning": card.meaning if card else "",
        "atoms": atoms.rows,
        "notes": notes,
        "meanings": MEANINGS,
    }


def _predicates(atoms: Iterable[Atom]) -> set[str]:
    return {atom.predicate for atom in atoms}


class _Atoms:
    """Numbers atoms in the order of their first use."""

    def __init__(self, replay: Replay) -> None:
        self.task = replay.task
        changing = self.task.domain.fluents | self.task.domain.derived
        goals = (goal for goal in literals(self.task.problem.goal) if goal.atom.predicate in changing)
        self.goal = [goal for goal in goals if not any(term.startswith("?") for term in goal.atom.arguments)]
        self.rows: list[list[str | int]] = []
        self._numbers: dict[Atom, int] = {}

    def number(self, atom: Atom) -> int:
        if atom not in self._numbers:
            self._numbers[atom] = len(self.rows)
            self.rows.append([atom.predicate, *(self.task.object_number[name] for name in atom.arguments)])
        return self._numbers[atom]

    def about(self, replay: Replay) -> set[Atom]:
        changed = (atom for step in replay.steps for atom in (*step.adds, *step.deletes))
        return {*changed, *(goal.atom for goal in self.goal)}


def _step(step: Step, atoms: _Atoms, marks: list[str]) -> dict[str, Any]:
    return {
        "action": str(step.action),
        "adds": [atoms.number(atom) for atom in step.adds],
        "deletes": [atoms.number(atom) for atom in step.deletes],
        "withLast": step.with_last,
        "marks": marks,
        "count": step.count,
        "candidates": [
            (
                str(candidate.action),
                candidate.alike,
                _rounded(candidate.value),
                _rounded(candidate.bound),
                candidate.taken,
                candidate.visited,
            )
            for candidate in step.candidates
        ],
    }


def _rounded(value: float | None) -> float | str | None:
    """JSON has no infinity."""
    return value if value is None else round(value, 3) if isfinite(value) else "∞"


def _towers(replay: Replay, structure: Structure | None) -> dict[str, Any]:
    """The towers and the most room that they take, so that the drawing keeps its size."""
    found = None if structure else towers_of(replay)
    if found is None:
        return {"towers": None}
    numbers = [replay.task.object_number[name] for name in found.objects]
    return {"towers": found.predicate, "stacked": numbers, "tallest": found.tallest, "widest": found.widest}


def _drawing(structure: Structure) -> dict[str, Any]:
    places = [[node, *place] for node, place in structure.places.items()]
    return {"kinds": sorted(set(structure.kinds)), "nodes": places, "edges": structure.edges}
