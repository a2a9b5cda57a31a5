"""Compiles PDDL structures to numbers for the C++ engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.goal_form import GoalForm, goal_form
from liftq.engine.normal_form import Literals, NormalEffect, NormalForm
from liftq.engine.written_out import written_out
from liftq.errors import InputError
from liftq.pddl.atoms import Atoms
from liftq.pddl.axioms import dependencies, reachable
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Axiom, Domain, Number, Parameter, Problem, Schema
from liftq.pddl.trees import literals

MOST_ARGUMENTS = 31  # the core keeps sets of positions as bits
MOST_PARAMETERS, MOST_CONDITIONS = 1000, 10_000  # the core joins recursively

LiftedAtoms = list[tuple[int, list[int]]]  # a predicate, and parameters or constants
ConditionParts = tuple[list[int], LiftedAtoms, LiftedAtoms, list[tuple[int, int, bool]]]


def compile_task(domain: Domain, problem: Problem) -> _core.Engine:
    return _Compiler(domain, problem).engine()


class _Compiler:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        self.objects = (
            *domain.constants,
            *problem.objects,
        )  # constants first: the engine recognizes them by their numbers
        self.object_number = {o.name: number for number, o in enumerate(self.objects)}
        type_number = {name: number for number, name in enumerate(dict.fromkeys(o.type for o in self.objects))}
        self.builder = _core.TaskBuilder([type_number[o.type] for o in self.objects], len(domain.constants))
        self.hierarchy = Hierarchy(domain.types)
        self.types: dict[tuple[str, ...], int] = {}  # of parameters
        self.functions: dict[str, int] = {}

    def engine(self) -> _core.Engine:
        form = NormalForm(self.domain, written_out(self.domain, self.problem))
        preconditions = [form.preconditions(schema) for schema in self.domain.schemas]
        effects = [list(form.effects(*pair)) for pair in zip(self.domain.schemas, preconditions, strict=True)]
        goal = goal_form(self.domain, self.problem)
        goal_literals = (*goal.literals, *form.conjunction(goal.formulas, {}))
        self._add_predicates(form)
        self._check_sizes(preconditions, effects, form.axioms)
        self._add_initial_atoms()
        self._add_functions()
        self._add_goal(goal, goal_literals)
        for schema, needed, schema_effects in zip(self.domain.schemas, preconditions, effects, strict=True):
            self._add_schema(schema, needed, schema_effects)
        conditions = [
            goal_literals,
            *preconditions,
            *(effect.condition for schema_effects in effects for effect in schema_effects),
        ]
        self._add_rules(form, {literal.atom.predicate for condition in conditions for literal in condition})
        return self.builder.finish()

    def _add_predicates(self, form: NormalForm) -> None:
        known = {predicate.name: len(predicate.parameters) for predicate in self.domain.predicates}
        self.arity = known | form.auxiliary
        self.predicate_number = {name: number for number, name in enumerate(self.arity)}
        ruled = {axiom.predicate for axiom in form.axioms}
        for name, count in self.arity.items():
            if count > MOST_ARGUMENTS:
                self._refuse(f"`{name}` has {count} arguments", MOST_ARGUMENTS)
            self.builder.add_predicate(count, name not in form.changing and name not in ruled)

    def _check_sizes(
        self, preconditions: Iterable[Literals], effects: Iterable[Iterable[NormalEffect]], axioms: Iterable[Axiom]
    ) -> None:
        for function in self.domain.functions:
            if len(function.parameters) > MOST_ARGUMENTS:
                self._refuse(f"`{function.name}` has {len(function.parameters)} arguments", MOST_ARGUMENTS)
        for schema, needed, schema_effects in zip(self.domain.schemas, preconditions, effects, strict=True):
            self._check_size(schema.name, len(schema.parameters), len(needed), "preconditions")
            for effect in schema_effects:
                parameters = len(schema.parameters) + len(effect.parameters)
                self._check_size(schema.name, parameters, len(effect.condition), "conditions of an effect")
        for axiom in axioms:
            self._check_size(axiom.predicate, len(axiom.parameters), len(axiom.condition), "conditions in an axiom")

    def _check_size(self, name: str, parameters: int, conditions: int, what: str) -> None:
        if parameters > MOST_PARAMETERS:
            self._refuse(f"`{name}` has {parameters} parameters", MOST_PARAMETERS)
        if conditions > MOST_CONDITIONS:
            self._refuse(f"`{name}` has {conditions} {what}", MOST_CONDITIONS)

    def _refuse(self, problem: str, most: int) -> NoReturn:
        raise InputError(f"domain {self.domain.name}: {problem}\n  liftq can do with {most} at most.")

    def _add_initial_atoms(self) -> None:
        init = self.problem.init
        if isinstance(init, Atoms) and init.objects == tuple(self.object_number):
            known: Mapping[str, NDArray[np.int32]] = dict(zip(init.predicates, init.rows, strict=True))
        else:
            rows: dict[str, list[list[int]]] = defaultdict(list)
            for name, arguments in init:
                rows[name].append([self.object_number[o] for o in arguments])
            known = {each.name: _table(rows[each.name], len(each.parameters)) for each in self.domain.predicates}
        for number, predicate in enumerate(self.domain.predicates):
            if predicate.name in known:
                self.builder.add_initial_atoms(number, known[predicate.name])

    def _add_functions(self) -> None:
        by_function: dict[str, list[tuple[Atom, Number]]] = defaultdict(list)
        for atom, value in self.problem.values:
            by_function[atom.predicate].append((atom, value))
        for function in self.domain.functions:
            entries = by_function[function.name]
            rows = [[self.object_number[o] for o in atom.arguments] for atom, _ in entries]
            values = np.array([value for _, value in entries], dtype=np.float64)
            table = _table(rows, len(function.parameters))
            self.functions[function.name] = self.builder.add_function(table, values)

    def _add_goal(self, goal: GoalForm, literals: Literals) -> None:
        for atom, positive in literals:
            if atom.predicate != "=":
                self.builder.add_goal(*self._ground(atom), positive)
            elif (atom.arguments[0] == atom.arguments[1]) != positive:
                self.builder.reject_goal()
        for atom, positive in goal.mentioned():
            self.builder.add_mentioned(*self._ground(atom), positive)
        shapes: dict[str, int] = {}
        for shape, objects in goal.shapes():
            self.builder.add_goal_form(shapes.setdefault(shape, len(shapes)), [self.object_number[o] for o in objects])

    def _ground(self, atom: Atom) -> tuple[int, list[int]]:
        return self.predicate_number[atom.predicate], [self.object_number[o] for o in atom.arguments]

    def _add_schema(self, schema: Schema, preconditions: Literals, effects: list[NormalEffect]) -> None:
        numbers = _numbers(schema.parameters)
        cost: Number = 1
        function, function_terms = -1, []
        if self.problem.minimize_cost:
            if isinstance(schema.cost, Atom):
                function = self.functions[schema.cost.predicate]
                function_terms = self._terms(schema.cost.arguments, numbers)
            else:
                cost = schema.cost or 0
        changes = self._lifted(schema.adds, numbers), self._lifted(schema.deletes, numbers)
        self.builder.add_schema(
            *self._condition(schema.parameters, preconditions), *changes, cost, function, function_terms
        )
        for effect in effects:
            parameters = (*schema.parameters, *effect.parameters)
            numbers = _numbers(parameters)
            changes = self._lifted(effect.adds, numbers), self._lifted(effect.deletes, numbers)
            self.builder.add_conditional_effect(*self._condition(parameters, effect.condition), *changes)

    def _add_rules(self, form: NormalForm, used: set[str]) -> None:
        """Rules of the domain's predicates, and of auxiliary ones that are used."""
        edges = dependencies(form.axioms)
        used = used | self.domain.derived
        needed = used.union(*(reachable(predicate, edges) for predicate in used))
        strata = form.strata()
        for axiom in form.axioms:
            if axiom.predicate not in needed:
                continue
            numbers = _numbers(axiom.parameters)
            variables = [p.name for p in axiom.parameters[: self.arity[axiom.predicate]]]
            (head,) = self._lifted([Atom(axiom.predicate, tuple(variables))], numbers)
            condition = self._condition(axiom.parameters, tuple(literals(axiom.condition)))
            self.builder.add_rule(strata[axiom.predicate], axiom.predicate not in form.changing, *condition, head)

    def _condition(self, parameters: Sequence[Parameter], literals: Literals) -> ConditionParts:
        numbers = _numbers(parameters)
        conditions = [literal for literal in literals if literal.atom.predicate != "="]
        pairs = [(self._terms(c.atom.arguments, numbers), c.positive) for c in literals if c.atom.predicate == "="]
        return (
            [self._type(parameter) for parameter in parameters],
            self._lifted((c.atom for c in conditions if c.positive), numbers),
            self._lifted((c.atom for c in conditions if not c.positive), numbers),
            [(left, right, positive) for (left, right), positive in pairs],
        )

    def _lifted(self, atoms: Iterable[Atom], numbers: Mapping[str, int]) -> LiftedAtoms:
        return [(self.predicate_number[atom.predicate], self._terms(atom.arguments, numbers)) for atom in atoms]

    def _terms(self, arguments: Sequence[str], numbers: Mapping[str, int]) -> list[int]:
        return [numbers[a] if a.startswith("?") else ~self.object_number[a] for a in arguments]

    def _type(self, parameter: Parameter) -> int:
        """The number of the set of objects that fit a parameter. Equal type lists share one."""
        if parameter.types not in self.types:
            fitting = {name for name in self.hierarchy.ancestors if self.hierarchy.fits(name, parameter.types)}
            admitted = [number for number, o in enumerate(self.objects) if o.type in fitting]
            self.types[parameter.types] = self.builder.add_type(admitted)
        return self.types[parameter.types]


def _numbers(parameters: Iterable[Parameter]) -> dict[str, int]:
    return {parameter.name: number for number, parameter in enumerate(parameters)}


def _table(rows: list[list[int]], arity: int) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32).reshape(len(rows), arity)
