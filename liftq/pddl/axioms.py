"""Reads axioms for derived predicates, and finds which predicates depend on which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from liftq.errors import plural
from liftq.pddl.conditions import read_condition
from liftq.pddl.formulas import Scope, describe, head_of
from liftq.pddl.source import Group, Span
from liftq.pddl.structures import Axiom
from liftq.pddl.suggestion import suggest
from liftq.pddl.trees import literals
from liftq.pddl.typed_lists import read_parameters


class Dependency(NamedTuple):
    predicate: str
    is_negative: bool  # then it must be evaluated first


def read_axioms(scope: Scope, sections: list[Span]) -> tuple[Axiom, ...]:
    axioms = tuple(_read_axiom(scope, section) for section in sections)
    edges = dependencies(axioms)
    for axiom, section in zip(axioms, sections, strict=True):
        if circular := find_circle(axiom.predicate, edges):
            problem = f"the derived predicate `{axiom.predicate}` depends on the negation of itself, by `{circular}`"
            fix = "Break the circle of axioms: only without negations may it depend on itself."
            raise scope.source.error(section.start, problem, fix)
    return axioms


def _read_axiom(scope: Scope, section: Span) -> Axiom:
    match scope.source.body(section):
        case [Group() as head, Group() as condition]:
            pass
        case _:
            fix = "Write `(:derived (p ?x - t) (exists (?y) (q ?x ?y)))`."
            raise scope.source.error(section.start, "`:derived` takes an atom and a condition", fix)
    name = head_of(scope, head)
    if name.text not in scope.predicates:
        fix = suggest(name.text, scope.predicates, "predicates")
        raise scope.source.error(name.at, f"unknown predicate `{name.text}`", fix)
    symbol = scope.predicates[name.text]
    inner, parameters = scope.within(read_parameters(scope.source, head.items[1:], scope.hierarchy.ancestors))
    if len(parameters) != len(symbol.parameters):
        problem = f"`{name.text}` takes {plural(len(symbol.parameters), 'argument')}, and {len(parameters)} given"
        raise scope.source.error(head.at, problem, f"It is declared as {describe(symbol)}.")
    return Axiom(name.text, parameters, read_condition(inner, condition))


def dependencies(axioms: Iterable[Axiom]) -> dict[str, set[Dependency]]:
    """The predicates that each derived predicate depends on."""
    edges: dict[str, set[Dependency]] = {}
    for axiom in axioms:
        edges.setdefault(axiom.predicate, set()).update(
            Dependency(literal.atom.predicate, not literal.positive) for literal in literals(axiom.condition)
        )
    return edges


def find_circle(predicate: str, edges: Mapping[str, set[Dependency]]) -> str | None:
    """A predicate that this one negates and that depends on this one, if any."""
    for needed, is_negative in sorted(edges[predicate]):
        if is_negative and (needed == predicate or predicate in reachable(needed, edges)):
            return needed
    return None


def reachable(predicate: str, edges: Mapping[str, set[Dependency]]) -> set[str]:
    """All predicates that it depends on, directly or not."""
    reached: set[str] = set()
    waiting = [predicate]
    while waiting:
        new = {dependency.predicate for dependency in edges.get(waiting.pop(), ())} - reached
        reached |= new
        waiting += new
    return reached
