"""Reads effects of actions: added and deleted atoms, their conditions, and costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from liftq.pddl.conditions import read_condition, read_quantifier
from liftq.pddl.formulas import TOTAL_COST, Scope, group_of, head_of, read_atom, read_number, read_predicate_atom
from liftq.pddl.refusals import CONDITIONAL_COSTS, NUMERIC, refuse
from liftq.pddl.source import Group, Node, Word
from liftq.pddl.structures import Atom, Condition, ConditionalEffect, Number, Parameter

Atoms = dict[Atom, None]  # a set that keeps the order of the text


@dataclass(slots=True)
class Effects:
    adds: Atoms = field(default_factory=dict)
    deletes: Atoms = field(default_factory=dict)
    cost: Number | Atom | None = None
    conditional: dict[tuple[tuple[Parameter, ...], Condition], tuple[Atoms, Atoms]] = field(default_factory=dict)

    def conditional_effects(self) -> tuple[ConditionalEffect, ...]:
        effects = self.conditional.items()
        return tuple(ConditionalEffect(*where, tuple(adds), tuple(deletes)) for where, (adds, deletes) in effects)


def read_effects(
    scope: Scope, node: Node, effects: Effects, parameters: tuple[Parameter, ...] = (), condition: Condition = ()
) -> None:
    """Add the node to `effects`. Parameters and condition come from the `forall` and `when` around it."""
    group = group_of(scope, node, "an effect")
    if not group.items:
        return
    match head_of(scope, group).text:
        case "and":
            for item in group.items[1:]:
                read_effects(scope, item, effects, parameters, condition)
        case "forall":
            inner, variables, body = read_quantifier(scope, group)
            read_effects(inner, body, effects, (*parameters, *variables), condition)
        case "when":
            if len(group.items) != 3:
                fix = "Write `(when (p ?x) (q ?x))`."
                raise scope.source.error(group.at, "`when` takes a condition and an effect", fix)
            more = read_condition(scope, group.items[1])
            read_effects(scope, group.items[2], effects, parameters, tuple(dict.fromkeys((*condition, *more))))
        case "increase":
            if parameters or condition:
                raise refuse(scope.source, group.at, CONDITIONAL_COSTS)
            if effects.cost is not None:
                raise scope.source.error(group.at, "the cost is increased twice", "Keep one `increase`.")
            effects.cost = _read_cost(scope, group)
        case _:
            _read_change(scope, group, effects, parameters, condition)


def _read_change(
    scope: Scope, group: Group, effects: Effects, parameters: tuple[Parameter, ...], condition: Condition
) -> None:
    deleted = _deleted(scope, group)
    atom_group = deleted or group
    atom = read_predicate_atom(scope, atom_group)
    if atom.predicate in scope.derived:
        fix = "Change what its axioms depend on instead."
        raise scope.source.error(atom_group.at, f"an effect on the derived predicate `{atom.predicate}`", fix)
    where = (parameters, condition)
    plain = not parameters and not condition
    adds, deletes = (effects.adds, effects.deletes) if plain else effects.conditional.setdefault(where, ({}, {}))
    (deletes if deleted else adds)[atom] = None


def _deleted(scope: Scope, group: Group) -> Group | None:
    """The atom after `not`."""
    if head_of(scope, group).text != "not":
        return None
    if len(group.items) != 2:
        raise scope.source.error(group.at, "`not` takes exactly one atom", "Write `(not (p ?x))`.")
    return group_of(scope, group.items[1], "an atom")


def _read_cost(scope: Scope, group: Group) -> Number | Atom:
    target = group.items[1] if len(group.items) == 3 else None
    if target is None or _words(target) != [TOTAL_COST]:
        raise refuse(scope.source, group.at, NUMERIC)
    amount = group.items[2]
    if isinstance(amount, Word):
        return read_number(scope.source, amount)
    return read_atom(scope, amount, scope.functions, "function")


def _words(node: Node) -> list[str]:
    return [item.text if isinstance(item, Word) else "()" for item in node.items] if isinstance(node, Group) else []
