"""The object graph of a small task by hand: whoever shares an atom is joined, in both directions."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from liftq.encoders.object import Object
from liftq.engine.task import Task

FEATURES = {
    "type:place": {"depot", "town"},
    "type:vehicle": {"red", "blue", "big"},
    "type:car": {"red", "blue"},
    "type:truck": {"big"},
    "atom:open": {"depot", "red", "blue", "big", "town"},
    "atom:broken": {"big"},
    "goal:open": {"depot", "red", "blue", "big", "town"},
    "action:close": {"close"},
}
JOINED = {  # by relation: the sets of nodes of its atoms
    "atom:at": ["red depot", "blue depot", "big town"],
    "atom:road": ["depot town"],
    "atom:meet": ["red blue town"],
    "goal:at": ["red town", "blue town"],
    "forbidden:at": ["big town", "big depot"],
    "action:drive": ["drive-red red depot town", "drive-blue blue depot town"],
}
EDGES = {name: {" ".join(p) for row in rows for p in permutations(row.split(), 2)} for name, rows in JOINED.items()}


def test_a_full_graph(yard: Task, read_graph: Any) -> None:
    encoder = Object()
    relations = encoder.relations(yard.domain)
    nodes = ["depot", "red", "blue", "big", "town", "drive-red", "drive-blue", "close"]
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, relations, nodes)
    assert {name: set(rows) for name, rows in read.written().items()} == FEATURES | EDGES
    assert len(EDGES["atom:meet"]) == 6 and len(EDGES["action:drive"]) == 22
    assert read.multiplicity() == [1, 1, 1, 1, 1, 0, 0, 0]
    assert read.candidates() == ["drive-red", "drive-blue", "close"]
    assert {r.name: r.arity for r in relations if r.name.startswith("action:")} == {
        "action:drive": 2,
        "action:close": 1,
    }


def test_twins_share_a_node(yard: Task, read_graph: Any) -> None:
    """Twins that share an atom are joined through it: their node, with itself."""
    encoder = Object(goal_split=True)
    nodes = ["depot", "cars", "big", "town", "drive", "close"]
    read = read_graph(encoder.encode([yard.choice(yard.initial_state)]), encoder.relations(yard.domain), nodes)
    found = {name: set(rows) for name, rows in read.written().items()}
    assert found["atom:meet"] == {"cars cars", "cars town", "town cars"}
    assert found["atom:at"] == {"cars depot", "depot cars", "big town", "town big"}
    assert found["goal-false:at"] == {"cars town", "town cars"}
    assert found["forbidden-true:at"] == {"big town", "town big"}
    assert found["forbidden-false:at"] == {"big depot", "depot big"}
    assert found["action:drive"] == {" ".join(p) for p in permutations(["drive", "cars", "depot", "town"], 2)}
    assert read.multiplicity() == [1, 2, 1, 1, 0, 0]


def test_a_state_without_actions(yard: Task, read_graph: Any) -> None:
    encoder = Object(with_actions=False)
    nodes = ["depot", "red", "blue", "big", "town"]
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, encoder.relations(yard.domain), nodes)
    expected = {name: rows for name, rows in (FEATURES | EDGES).items() if not name.startswith("action:")}
    assert {name: set(rows) for name, rows in read.written().items()} == expected
