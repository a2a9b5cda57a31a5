"""A task as Fast Downward's translator states it: variables, operators with conditional effects, and axioms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from liftq.engine.solver import Action
from liftq.pddl import Atom

Facts = list[tuple[int, int]]  # variables and values
Values = tuple[int, ...]
ANY = -1


class Effect(NamedTuple):
    condition: Facts
    variable: int
    before: int  # a value that the operator needs, or ANY
    after: int


class Operator(NamedTuple):
    action: Action
    prevail: Facts
    effects: list[Effect]
    cost: int


class SAS:
    def __init__(self, text: str) -> None:
        lines = iter(text.splitlines())
        self.layers: list[int] = []
        self.names: list[list[str]] = []  # of values, by variable
        for _ in range(3 + 1):  # version, and the beginning of the metric
            next(lines)
        self.has_costs = int(next(lines)) == 1
        next(lines)
        for _ in range(int(next(lines))):
            _, _, layer, count = next(lines), next(lines), int(next(lines)), int(next(lines))
            self.layers.append(layer)
            self.names.append([next(lines) for _ in range(count)])
            next(lines)
        for _ in range(int(next(lines))):  # groups of mutually exclusive facts
            while next(lines) != "end_mutex_group":
                pass
        next(lines)
        self.defaults = tuple(int(next(lines)) for _ in self.layers)
        next(lines), next(lines)
        self.goal = facts(lines)
        next(lines)
        self.operators = [self._operator(lines) for _ in range(int(next(lines)))]
        self.rules = [self._rule(lines) for _ in range(int(next(lines)))]

    def _operator(self, lines: Iterator[str]) -> Operator:
        next(lines)
        name, *arguments = next(lines).split()
        prevail = facts(lines)
        effects = [effect(next(lines)) for _ in range(int(next(lines)))]
        cost = int(next(lines)) if self.has_costs else 1
        if not self.has_costs:
            next(lines)
        next(lines)
        return Operator(Action(name, tuple(arguments)), prevail, effects, cost)

    def _rule(self, lines: Iterator[str]) -> Effect:
        next(lines)
        condition = facts(lines)
        variable, before, after = map(int, next(lines).split())
        next(lines)
        return Effect(condition, variable, before, after)

    @property
    def initial_state(self) -> Values:
        return self.derived(list(self.defaults))

    def derived(self, values: list[int]) -> Values:
        for variable, layer in enumerate(self.layers):
            if layer != ANY:
                values[variable] = self.defaults[variable]
        for layer in sorted({layer for layer in self.layers if layer != ANY}):
            rules = [rule for rule in self.rules if self.layers[rule.variable] == layer]
            changed = True
            while changed:
                changed = False
                for rule in rules:
                    if values[rule.variable] != rule.after and holds(rule.condition, values):
                        values[rule.variable], changed = rule.after, True
        return tuple(values)

    def applicable(self, values: Values) -> dict[Action, Operator]:
        """Where variables of quantifiers make several operators of an action, they all do the same."""
        return {op.action: op for op in self.operators if holds(op.prevail, values) and self._may_start(op, values)}

    def _may_start(self, operator: Operator, values: Values) -> bool:
        return all(effect.before in (ANY, values[effect.variable]) for effect in operator.effects)

    def successor(self, values: Values, operator: Operator) -> Values:
        after = list(values)
        for effect in operator.effects:
            if holds(effect.condition, values):
                after[effect.variable] = effect.after
        return self.derived(after)

    def is_goal(self, values: Values) -> bool:
        return holds(self.goal, values)

    def atoms(self, values: Values) -> set[Atom]:
        chosen = [names[value] for names, value in zip(self.names, values, strict=True)]
        return {atom_of(name) for name in chosen if name.startswith("Atom ")}

    def mentioned(self) -> set[Atom]:
        return {atom_of(name) for names in self.names for name in names if name.startswith(("Atom ", "NegatedAtom "))}


def facts(lines: Iterator[str]) -> Facts:
    return [(int(v), int(d)) for v, d in (next(lines).split() for _ in range(int(next(lines))))]


def effect(line: str) -> Effect:
    count, *numbers = map(int, line.split())
    *conditions, variable, before, after = numbers
    return Effect(list(zip(conditions[::2], conditions[1::2], strict=True))[:count], variable, before, after)


def holds(condition: Facts, values: Values | list[int]) -> bool:
    return all(values[variable] == value for variable, value in condition)


def atom_of(name: str) -> Atom:
    match = re.fullmatch(r"(?:Negated)?Atom ([^(]+)\(([^)]*)\)", name)
    assert match
    return Atom(match[1], tuple(match[2].split(", ")) if match[2] else ())
