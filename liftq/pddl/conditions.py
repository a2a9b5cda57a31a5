"""Reads conditions. Negations are pushed down to atoms, and implications become disjunctions."""

from __future__ import annotations

from liftq.pddl.formulas import Scope, group_of, head_of, read_equality, read_predicate_atom
from liftq.pddl.source import Group, Node, Word
from liftq.pddl.structures import And, Condition, Exists, Forall, Formula, Literal, Or, Parameter
from liftq.pddl.typed_lists import read_parameters

QUANTIFIERS = ("forall", "exists")


def read_condition(scope: Scope, node: Node) -> Condition:
    """`()` and `(and)` always hold."""
    formula = _read_formula(scope, node, True)
    return tuple(dict.fromkeys(formula.parts if isinstance(formula, And) else (formula,)))


def _read_formula(scope: Scope, node: Node, positive: bool) -> Formula:
    """The formula, or its negation."""
    group = group_of(scope, node, "a condition")
    if not group.items:
        return _join([], positive)
    head, *parts = head_of(scope, group), *group.items[1:]
    if head.text in ("and", "or"):
        return _join([_read_formula(scope, part, positive) for part in parts], (head.text == "and") == positive)
    if head.text == "not":
        if len(parts) != 1:
            raise scope.source.error(group.at, "`not` takes exactly one formula", "Write `(not (p ?x))`.")
        return _read_formula(scope, parts[0], not positive)
    if head.text == "imply":
        if len(parts) != 2:
            raise scope.source.error(group.at, "`imply` takes exactly two formulas", "Write `(imply (p ?x) (q ?x))`.")
        sides = [_read_formula(scope, parts[0], not positive), _read_formula(scope, parts[1], positive)]
        return _join(sides, not positive)
    if head.text in QUANTIFIERS:
        inner, parameters, body = read_quantifier(scope, group)
        part = _read_formula(inner, body, positive)
        return Forall(parameters, part) if (head.text == "forall") == positive else Exists(parameters, part)
    atom = read_equality(scope, group) if head.text == "=" else read_predicate_atom(scope, group)
    return Literal(atom, positive)


def read_quantifier(scope: Scope, group: Group) -> tuple[Scope, tuple[Parameter, ...], Node]:
    """The scope of the body, the parameters and the body of `(forall (?x - t) BODY)`."""
    match group.items[1:]:
        case [Group(items), body]:
            variables = items
        case [Word() as variable, body]:
            variables = [variable]
        case _:
            problem = f"`{group.items[0].text}` takes variables in parentheses and one formula"  # type: ignore[union-attr]
            raise scope.source.error(group.at, problem, "Write `(forall (?x - t) (p ?x))`.")
    inner, parameters = scope.within(read_parameters(scope.source, variables, scope.hierarchy.ancestors))
    return inner, parameters, body


def _join(parts: list[Formula], conjunction: bool) -> Formula:
    kind = And if conjunction else Or
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    return flat[0] if len(flat) == 1 else kind(tuple(flat))
