"""Proposes which predicates, actions and arguments of two sets of rules correspond, by their structure.

Domains express kinds of objects and negative conditions in different ways, so these count only at the first attempt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from liftq.pddl.forms.rules import Rule
from liftq.pddl.isomorphism import Mapping, Matching
from liftq.pddl.structure_graph import StructureGraph, Vertex
from liftq.pddl.structures import Atom, Domain, Literal, Parameter, Predicate, Schema

OBJECT = ("object",)
ATTEMPTS = ((True, True), (False, True), (False, False))  # whether kinds of objects count, and whether deletes do


@dataclass(frozen=True)
class Correspondence:
    """Maps the names in some rules to those in others. Predicates that are not listed keep their names."""

    predicates: dict[str, str]
    orders: dict[str, tuple[int, ...]]  # by predicate: which of its arguments comes first in the other, and so on
    rules: dict[str, str]
    variables: dict[str, dict[str, str]]  # by rule

    def atom(self, rule: str, atom: Atom) -> Atom:
        places = self.orders.get(atom.predicate, range(len(atom.arguments)))
        arguments = tuple(self.variables[rule][atom.arguments[place]] for place in places)
        return Atom(self.predicates.get(atom.predicate, atom.predicate), arguments)


def correspondences(
    rules: Sequence[Rule], others: Sequence[Rule], seen: Collection[Vertex]
) -> Iterator[list[Correspondence]]:
    """Yields equally good ones together, at most two. Correspondences differ if they map `seen` symbols differently."""
    if (same := _by_name(rules, others)) is not None:
        yield [same]
    for kinds, deletes in ATTEMPTS:
        for ordered in (True, False):
            own, theirs = (StructureGraph.of(_skeleton(r, kinds, deletes), ordered=ordered) for r in (rules, others))
            mappings = list(islice(Matching(own, theirs, frozenset(seen)).mappings(), 2))
            if mappings:
                yield [_correspondence(mapping, rules, others) for mapping in mappings]


def _by_name(rules: Sequence[Rule], others: Sequence[Rule]) -> Correspondence | None:
    """By names and places, if both have the same actions."""
    own, theirs = ({rule.name: rule.variables for rule in each} for each in (rules, others))
    if {name: len(each) for name, each in own.items()} != {name: len(each) for name, each in theirs.items()}:
        return None
    variables = {name: dict(zip(own[name], theirs[name], strict=True)) for name in own}
    return Correspondence({}, {}, {name: name for name in own}, variables)


def _skeleton(rules: Sequence[Rule], kinds: bool, deletes: bool) -> Domain:
    schemas = [_schema(rule, kinds, deletes) for rule in rules]
    atoms = {atom for schema in schemas for atom in (*schema.adds, *schema.deletes)}
    atoms |= {
        precondition.atom
        for schema in schemas
        for precondition in schema.preconditions
        if isinstance(precondition, Literal)
    }
    arities = sorted({(atom.predicate, len(atom.arguments)) for atom in atoms})
    predicates = (Predicate(name, _parameters(map(str, range(arity)))) for name, arity in arities)
    return Domain("", (), (), tuple(predicates), (), tuple(schemas))


def _schema(rule: Rule, kinds: bool, deletes: bool) -> Schema:
    unary = [Atom(f"kind {kind[1]}", (variable,)) for variable, kind in rule.kinds] if kinds else []
    return Schema(
        rule.name,
        _parameters(rule.variables),
        tuple(Literal(atom) for atom in sorted((*rule.holds, *unary))),
        tuple(sorted(rule.adds)),
        tuple(sorted(rule.deletes)) if deletes else (),
    )


def _parameters(names: Iterable[str]) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, OBJECT) for name in names)


def _correspondence(mapping: Mapping, rules: Sequence[Rule], others: Sequence[Rule]) -> Correspondence:
    images: dict[str, dict[str, str]] = {"predicate": {}, "action": {}}
    places: dict[str, dict[int, int]] = {}
    for (kind, name, *place), (_, other, *other_place) in mapping.items():
        if kind in images:
            images[kind][name] = other
        elif kind == "position":
            places.setdefault(name, {})[other_place[0]] = place[0]
    orders = {name: tuple(own[i] for i in range(len(own))) for name, own in places.items()}
    their_variables = {rule.name: rule.variables for rule in others}
    variables = {}
    for rule in rules:
        theirs = their_variables[images["action"][rule.name]]
        images_of = (mapping["parameter", rule.name, place][2] for place in range(len(theirs)))
        variables[rule.name] = {name: theirs[place] for name, place in zip(rule.variables, images_of, strict=True)}
    return Correspondence(images["predicate"], orders, images["action"], variables)
