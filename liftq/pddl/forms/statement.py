"""Writes a problem in the names of another domain, given the correspondence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from liftq.pddl.forms.facts import Facts, Members
from liftq.pddl.forms.form import Form, Misfit, Order
from liftq.pddl.forms.kinds import types_of
from liftq.pddl.forms.rules import EQUALITY, Rule, with_terms
from liftq.pddl.forms.skeleton import Correspondence
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.structures import (
    And,
    Atom,
    Domain,
    Formula,
    Literal,
    Number,
    Object,
    Or,
    Parameter,
    Predicate,
    Problem,
    Schema,
)
from liftq.pddl.trees import literals


@dataclass
class Statement:
    facts: Facts  # of a problem
    other: Domain
    rules: tuple[Rule, ...]  # of the other domain
    correspondence: Correspondence
    members: Members  # of the other's kinds

    def form(self, stricter: str) -> Form:
        goal = tuple(said for formula in self.facts.problem.goal for said in self._goal(formula))
        moved = (self._atom(atom) for atom in self.facts.problem.init if atom.predicate in self._said)
        init = tuple(dict.fromkeys((*moved, *self._kinds())))
        objects = self._objects({name for atom in init for name in atom.arguments}.union(*map(_names, goal)))
        self._check_types(init)
        used = set(self._constants.values())
        constants = tuple(constant for constant in self.other.constants if constant.name in used)
        domain = replace(self.other, constants=constants)
        problem = Problem(self.facts.problem.name, domain.name, objects, init, (), goal)
        if self.facts.problem.minimize_cost:
            domain, problem = self._with_costs(domain, problem)
        predicates = {name: said for name, said in self._said.items() if name in self.facts.fluents}
        actions = {rule.name: self._action(rule) for rule in self.rules}
        return Form(domain, problem, stricter, self._names, predicates, actions)

    @cached_property
    def unsaid(self) -> list[str]:
        """Predicates of the other domain without a counterpart."""
        known = {name for name, _ in self._said.values()} | {name for sort, name in self.members if sort == "predicate"}
        return [predicate.name for predicate in self.other.predicates if predicate.name not in known]

    @cached_property
    def _constants(self) -> dict[str, str]:
        """The other domain's constants, by the objects that correspond to them."""
        constants: dict[str, str] = {}
        for name in sorted({name for rule in self.rules for name in rule.constants}):
            objects = self.members["constant", name]
            if len(objects) != 1 or objects <= constants.keys():
                raise Misfit(f"there is not exactly one object that could be its constant {name}")
            constants[min(objects)] = name
        return constants

    @cached_property
    def _names(self) -> dict[str, str]:
        """The objects' names in the other domain; some are names of its constants."""
        taken, own_names = set(self._constants.values()), {each.name for each in self.facts.objects}
        new = {}
        for each in self.facts.objects:
            name = each.name
            while name in taken or (name != each.name and name in own_names):
                name += "-"
            new[each.name] = self._constants.get(each.name, name)
        return new

    @cached_property
    def _types(self) -> dict[str, str | None]:
        return types_of(Hierarchy(self.other.types), self.members, [each.name for each in self.facts.objects])

    @cached_property
    def _said(self) -> dict[str, tuple[str, Order]]:
        """By predicate of the domain: its name in the other domain, and the order of its arguments there."""
        matched = self.correspondence.predicates
        arities = {predicate.name: len(predicate.parameters) for predicate in self.facts.domain.predicates}
        found = {}
        for each in self.other.predicates:
            name = matched.get(each.name, each.name)
            is_free = each.name in matched or name not in matched.values()
            if ("predicate", each.name) not in self.members and is_free and arities.get(name) == len(each.parameters):
                order = self.correspondence.orders.get(each.name, tuple(range(len(each.parameters))))
                found[name] = each.name, tuple(order.index(place) for place in range(len(order)))
        return found

    def _atom(self, atom: Atom) -> Atom:
        name, order = self._said[atom.predicate]
        return Atom(name, tuple(self._names[atom.arguments[place]] for place in order))

    def _kinds(self) -> Iterator[Atom]:
        for (sort, name), objects in self.members.items():
            if sort == "predicate":
                yield from (
                    Atom(name, (self._names[each.name],)) for each in self.facts.objects if each.name in objects
                )

    def _goal(self, formula: Formula) -> Iterator[Formula]:
        """Yields nothing if the formula is true in all states."""
        if isinstance(formula, And | Or):
            parts = [[*self._goal(part)] for part in formula.parts]
            if isinstance(formula, And):
                yield from (each for part in parts for each in part)
            elif all(parts):
                yield Or(tuple(part[0] if len(part) == 1 else And(tuple(part)) for part in parts))
            return
        if not isinstance(formula, Literal):
            raise Misfit("its goal has quantifiers")
        atom, positive = formula
        if atom.predicate in self.facts.fluents:
            if atom.predicate not in self._said:
                raise Misfit(f"it has no word for the goal {formula}")
            yield Literal(self._atom(atom), positive)
        elif self._is_true(atom) != positive:
            raise Misfit(f"its goal {formula} is never true")

    def _is_true(self, atom: Atom) -> bool:
        """Of a static atom."""
        if atom.predicate == EQUALITY:
            return atom.arguments[0] == atom.arguments[1]
        return atom.arguments in self.facts.rows[atom.predicate]

    def _objects(self, mentioned: set[str]) -> tuple[Object, ...]:
        """Without objects that have no type there and occur nowhere."""
        found = []
        mentioned = mentioned | {self._names[name] for name in self.facts.acting}
        for each in self.facts.objects:
            name, type = self._names[each.name], self._types[each.name]
            if type is None and name in mentioned:
                raise Misfit(f"{each.name} would be of no type")
            if each.name not in self._constants and (name in mentioned or type not in (None, ROOT)):
                found.append(Object(name, type or ROOT))
        return tuple(found)

    def _check_types(self, init: tuple[Atom, ...]) -> None:
        hierarchy = Hierarchy(self.other.types)
        types = {self._names[name]: type or ROOT for name, type in self._types.items()}
        rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for name, arguments in init:
            rows[name].append(arguments)
        for predicate in self.other.predicates:
            for parameter, column in zip(predicate.parameters, zip(*rows[predicate.name], strict=True), strict=False):
                odd = next((each for each in set(column) if not hierarchy.fits(types[each], parameter.types)), None)
                if odd is not None:
                    raise Misfit(f"{odd} does not fit the type of {parameter.name} in its {predicate.name}")

    def _action(self, rule: Rule) -> tuple[str, tuple[int | str, ...]]:
        terms: dict[str, int | str] = {name: place for place, name in enumerate(rule.parameters)}
        constants = rule.variables[len(rule.parameters) :]
        own_names = {other: own for own, other in self._constants.items()}
        terms |= {variable: own_names[name] for variable, name in zip(constants, rule.constants, strict=True)}
        variables = self.correspondence.variables[rule.name]
        image = {variables[name]: term for name, term in terms.items()}
        name = self.correspondence.rules[rule.name]
        own = next(each for each in self.facts.rules if each.name == name)
        return name, tuple(image[variable] for variable in own.parameters)

    def _with_costs(self, domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
        """With the costs of the original domain; otherwise, every action costs 1."""
        own = {schema.name: schema for schema in self.facts.domain.schemas}
        costs = {rule.name: self._cost(rule, own[self.correspondence.rules[rule.name]]) for rule in self.rules}
        functions = tuple(
            Predicate(f.name, tuple(Parameter(p.name, (ROOT,)) for p in f.parameters))
            for f in self.facts.domain.functions
        )
        known = {each.name for each in (*domain.constants, *problem.objects)}
        values = (
            (Atom(f, tuple(map(self._names.__getitem__, terms))), value)
            for (f, terms), value in self.facts.problem.values
        )
        return (
            replace(domain, functions=functions, schemas=tuple(replace(s, cost=costs[s.name]) for s in domain.schemas)),
            replace(problem, values=tuple(v for v in values if known.issuperset(v[0].arguments)), minimize_cost=True),
        )

    def _cost(self, rule: Rule, own: Schema) -> Number | Atom | None:
        if not isinstance(own.cost, Atom):
            return own.cost
        terms = dict(zip(rule.variables, (*rule.parameters, *rule.constants), strict=True))
        image = {theirs: terms[variable] for variable, theirs in self.correspondence.variables[rule.name].items()}
        image |= {argument: self._constants[argument] for argument in own.cost.arguments if argument in self._constants}
        if not image.keys() >= set(own.cost.arguments):
            raise Misfit(f"it has no word for the cost of {own.name}")
        return with_terms(own.cost, image)


def _names(formula: Formula) -> set[str]:
    return {name for literal in literals((formula,)) for name in literal.atom.arguments}
