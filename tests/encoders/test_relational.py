"""The relational graph of a small task, every row stated by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liftq.encoders.relational import Relational
from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.pddl.structures import Atom, Literal, Or

OBJECTS = ["depot", "red", "blue", "big", "town"]  # the constant first
ACTIONS = ["drive-red", "drive-blue", "close"]
STATE = {  # what the graph says without goals and actions; an atom without arguments is said of every object
    "type:place": ["depot", "town"],
    "type:vehicle": ["big", "blue", "red"],
    "type:car": ["blue", "red"],
    "type:truck": ["big"],
    "atom:at": ["big town", "blue depot", "red depot"],
    "atom:road": ["depot town"],
    "atom:open": ["big", "blue", "depot", "red", "town"],
    "atom:broken": ["big"],
    "atom:meet": ["blue red town", "red blue town"],
}
GOALS = {
    "goal:at": ["blue town", "red town"],
    "goal:open": ["big", "blue", "depot", "red", "town"],
    "forbidden:at": ["big depot", "big town"],
}
SPLIT_GOALS = {
    "goal-false:at": ["blue town", "red town"],
    "goal-true:open": ["big", "blue", "depot", "red", "town"],
    "forbidden-false:at": ["big depot"],
    "forbidden-true:at": ["big town"],
}
CHOICE = {
    "action:drive": ["drive-blue blue depot town", "drive-red red depot town"],
    "action:close": ["close"],
}


def test_relations_come_from_the_domain_alone(yard: Task) -> None:
    predicates = [("at", 2), ("road", 2), ("open", 1), ("broken", 1), ("meet", 3)]
    types = [(f"type:{name}", 1) for name in ("place", "vehicle", "car", "truck")]
    actions = [("action:drive", 4), ("action:close", 1)]

    def of_kinds(*kinds: str) -> list[tuple[str, int]]:
        return [(f"{kind}:{name}", arity) for kind in kinds for name, arity in predicates]

    plain = of_kinds("atom", "goal", "forbidden")
    split = of_kinds("atom", "goal-true", "goal-false", "forbidden-true", "forbidden-false")
    assert sorted(Relational().relations(yard.domain)) == sorted(types + plain + actions)
    assert sorted(Relational(with_actions=False).relations(yard.domain)) == sorted(types + plain)
    assert sorted(Relational(goal_split=True).relations(yard.domain)) == sorted(types + split + actions)


def test_a_full_graph(yard: Task, read_graph: Any) -> None:
    encoder = Relational()
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, encoder.relations(yard.domain), [*OBJECTS, *ACTIONS])
    assert read.written() == STATE | GOALS | CHOICE
    assert all(count == 1 for name in read.relation for row in read.counts(name) for count in row)
    assert read.multiplicity() == [1, 1, 1, 1, 1, 0, 0, 0]  # actions do not count in the sum over objects
    assert read.candidates() == ACTIONS
    assert graph.num_choices == 1


def test_a_state_without_actions(yard: Task, read_graph: Any) -> None:
    encoder = Relational(with_actions=False)
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, encoder.relations(yard.domain), OBJECTS)
    assert read.written() == STATE | GOALS
    assert read.multiplicity() == [1, 1, 1, 1, 1]
    assert read.candidates() == []


def test_goals_split_by_whether_they_hold(yard: Task, read_graph: Any) -> None:
    encoder = Relational(goal_split=True)
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, encoder.relations(yard.domain), [*OBJECTS, *ACTIONS])
    assert read.written() == STATE | SPLIT_GOALS | CHOICE


def test_goals_within_others_are_goals_too(yard: Task, read_graph: Any) -> None:
    parts = Literal(Atom("at", ("red", "town"))), Literal(Atom("open", ()), positive=False)
    task = Task(yard.domain, replace(yard.problem, goal=(Or(parts),)))
    graph = Relational().encode([task.choice(task.initial_state, compress=False)])
    written = read_graph(graph, Relational().relations(yard.domain), [*OBJECTS, *ACTIONS]).written()
    assert written["goal:at"] == ["red town"] and written["forbidden:open"] == GOALS["goal:open"]


def test_twins_share_a_node(yard: Task, read_graph: Any) -> None:
    """A message of two atoms to one node counts twice; to the node of the two twins, once."""
    encoder = Relational()
    graph = encoder.encode([yard.choice(yard.initial_state)])
    read = read_graph(graph, encoder.relations(yard.domain), ["depot", "cars", "big", "town", "drive", "close"])
    assert read.multiplicity() == [1, 2, 1, 1, 0, 0]
    assert read.candidates() == ["drive", "close"]
    everyone = ["big x 1", "cars x 1", "depot x 1", "town x 1"]
    assert read.written(counted=True) == {
        "type:place": ["depot x 1", "town x 1"],
        "type:vehicle": ["big x 1", "cars x 1"],
        "type:car": ["cars x 1"],
        "type:truck": ["big x 1"],
        "atom:at": ["big town x 1 1", "cars depot x 1 2"],
        "atom:road": ["depot town x 1 1"],
        "atom:open": everyone,
        "atom:broken": ["big x 1"],
        "atom:meet": ["cars cars town x 1 1 2"],
        "goal:at": ["cars town x 1 2"],
        "goal:open": everyone,
        "forbidden:at": ["big depot x 1 1", "big town x 1 1"],
        "action:drive": ["drive cars depot town x 1 1 2 2"],
        "action:close": ["close x 1"],
    }


def test_each_state_is_a_choice_of_its_own(yard: Task, read_graph: Any) -> None:
    """After one car has left they are no twins; after closing nothing can be done."""
    left = yard.successor(yard.initial_state, Action("drive", ("red", "depot", "town")))
    closed = yard.successor(left, Action("close", ()))
    encoder = Relational(goal_split=True)
    graph = encoder.encode([yard.choice(state) for state in (yard.initial_state, left, closed)])
    relations = encoder.relations(yard.domain)
    assert graph.num_choices == 3
    second = read_graph(graph, relations, [*OBJECTS, "drive-blue", "close"], choice=1)
    goals = {"goal-true:at": ["red town"], "goal-false:at": ["blue town"]}
    assert second.written() == STATE | SPLIT_GOALS | goals | {
        "atom:at": ["big town", "blue depot", "red town"],
        "action:drive": ["drive-blue blue depot town"],
        "action:close": ["close"],
    }
    third = read_graph(graph, relations, OBJECTS, choice=2)
    everyone = SPLIT_GOALS["goal-true:open"]
    found = third.written()
    assert "atom:open" not in found and "goal-true:open" not in found
    assert found["goal-false:open"] == everyone
    assert third.candidates() == [] and third.multiplicity() == [1, 1, 1, 1, 1]


def test_relations_that_are_left_out(yard: Task, read_graph: Any) -> None:
    without = ("type:vehicle", "atom:road", "forbidden:at", "goal:broken")
    encoder = Relational(without=without)
    relations = encoder.relations(yard.domain)
    assert not {relation.name for relation in relations} & set(without)
    graph = encoder.encode([yard.choice(yard.initial_state, compress=False)])
    read = read_graph(graph, relations, [*OBJECTS, *ACTIONS])
    assert read.written() == {name: rows for name, rows in (STATE | GOALS | CHOICE).items() if name not in without}
