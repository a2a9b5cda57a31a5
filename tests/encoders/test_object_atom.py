"""The object-atom graph of a small task by hand: atoms are nodes too, joined to each argument by its position."""

from __future__ import annotations

from typing import Any

import pytest

from liftq.encoders import Encoder
from liftq.encoders.object_atom import ObjectAtom
from liftq.engine.task import Choice, Task

OBJECTS = ["depot", "red", "blue", "big", "town"]
ACTIONS = ["drive-red", "drive-blue", "close"]
ATOMS = {
    "type:place": ["depot", "town"],
    "type:vehicle": ["red", "blue", "big"],
    "type:car": ["red", "blue"],
    "type:truck": ["big"],
    "atom:at": ["red depot", "blue depot", "big town"],
    "atom:road": ["depot town"],
    "atom:open": OBJECTS,
    "atom:broken": ["big"],
    "atom:meet": ["red blue town", "blue red town"],
    "goal:at": ["red town", "blue town"],
    "goal:open": OBJECTS,
    "forbidden:at": ["big town", "big depot"],
    "action:drive": ["drive-red red depot town", "drive-blue blue depot town"],
    "action:close": ["close"],
}
TWIN_ATOMS = ATOMS | {
    "type:vehicle": ["cars", "big"],
    "type:car": ["cars"],
    "atom:at": ["cars depot", "big town"],
    "atom:open": ["depot", "cars", "big", "town"],
    "atom:meet": ["cars cars town"],
    "goal:at": ["cars town"],
    "goal:open": ["depot", "cars", "big", "town"],
    "action:drive": ["drive cars depot town"],
}


def written(encoder: Encoder, choice: Choice, nodes: list[str], read_graph: Any) -> Any:
    """The graph with its atoms named by their arguments, as the edges tell them."""
    graph, relations = encoder.encode([choice]), encoder.relations(choice.task.domain)
    atoms = [f"atom-{number}" for number in range(len(graph.multiplicity) - len(nodes))]
    plain = read_graph(graph, relations, nodes + atoms)
    positions = [relation.name for relation in relations if relation.name.startswith("position:")]
    arguments: dict[str, list[str]] = {atom: [] for atom in atoms}
    for position in positions:
        for source, target in plain.rows(position):
            if source in nodes:
                arguments[target].append(source)
    features = [relation.name for relation in relations if relation.arity == 1]
    predicate = {atom: feature for feature in features for (atom,) in plain.rows(feature) if atom in atoms}
    names = [f"{predicate[atom]}({' '.join(arguments[atom])})" for atom in atoms]
    return read_graph(graph, relations, nodes + names)


def expected_graph(atoms: dict[str, list[str]]) -> dict[str, set[str]]:
    """From atoms: an atom is marked with its predicate and, where that is unary, its argument is marked too."""
    features: dict[str, set[str]] = {}
    edges: dict[str, set[str]] = {}
    for relation, rows in atoms.items():
        for row in rows:
            atom, arguments = f"{relation}({row})", row.split()
            features.setdefault(relation, set()).add(atom)
            if len(arguments) == 1:
                features[relation].add(row)
            for position, argument in enumerate(arguments):
                edges.setdefault(f"position:{position}", set()).update({f"{argument} {atom}", f"{atom} {argument}"})
    return features | edges


def test_what_is_expected_of_one_atom() -> None:
    assert expected_graph({"atom:at": ["red depot"], "type:car": ["red"]}) == {
        "atom:at": {"atom:at(red depot)"},
        "type:car": {"type:car(red)", "red"},
        "position:0": {
            "red atom:at(red depot)",
            "atom:at(red depot) red",
            "red type:car(red)",
            "type:car(red) red",
        },
        "position:1": {"depot atom:at(red depot)", "atom:at(red depot) depot"},
    }


@pytest.mark.parametrize("with_actions", [True, False])
def test_a_full_graph(yard: Task, with_actions: bool, read_graph: Any) -> None:
    encoder = ObjectAtom(with_actions=with_actions)
    nodes = OBJECTS + ACTIONS if with_actions else OBJECTS
    read = written(encoder, yard.choice(yard.initial_state, compress=False), nodes, read_graph)
    atoms = {name: rows for name, rows in ATOMS.items() if with_actions or not name.startswith("action:")}
    assert {name: set(rows) for name, rows in read.written().items()} == expected_graph(atoms)
    num_atoms = sum(map(len, atoms.values()))
    assert read.multiplicity() == [1] * 5 + [0] * (len(nodes) - 5) + [0] * num_atoms  # neither actions nor atoms count
    assert read.candidates() == (ACTIONS if with_actions else [])


def test_twins_share_a_node_and_their_atoms_too(yard: Task, read_graph: Any) -> None:
    nodes = ["depot", "cars", "big", "town", "drive", "close"]
    read = written(ObjectAtom(), yard.choice(yard.initial_state), nodes, read_graph)
    assert {name: set(rows) for name, rows in read.written().items()} == expected_graph(TWIN_ATOMS)
    assert read.multiplicity() == [1, 2, 1, 1, 0, 0] + [0] * sum(map(len, TWIN_ATOMS.values()))


def test_split_goals_and_positions(yard: Task, read_graph: Any) -> None:
    encoder = ObjectAtom(goal_split=True)
    relations = {relation.name: relation.arity for relation in encoder.relations(yard.domain)}
    assert [name for name, arity in relations.items() if arity == 2] == [f"position:{n}" for n in range(4)]
    read = written(encoder, yard.choice(yard.initial_state, compress=False), OBJECTS + ACTIONS, read_graph).written()
    assert read["goal-false:at"] == ["goal-false:at(blue town)", "goal-false:at(red town)"]
    assert read["forbidden-true:at"] == ["forbidden-true:at(big town)"]
    assert read["forbidden-false:at"] == ["forbidden-false:at(big depot)"]
