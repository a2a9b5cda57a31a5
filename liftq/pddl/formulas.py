"""Conditions, effects and costs: trees in, literals out, with every name, arity and type checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.refusals import FORMULAS, NUMERIC, OBJECT_FLUENTS, Feature, refuse
from liftq.pddl.source import Group, Node, Source, Word
from liftq.pddl.structures import Atom, Literal, Number, Predicate
from liftq.pddl.suggestion import suggest
from liftq.wording import plural

TOTAL_COST = "total-cost"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")
LARGEST = 2**53  # a float holds every smaller integer exactly

DISJUNCTION = Feature("disjunctions", "Write one action for each alternative.")
QUANTIFIERS = Feature("quantifiers", "Write the condition or effect out for each object, or split the action.")
UNSUPPORTED = {  # by the first word of a formula
    "when": Feature("conditional effects", "Split the action: one for each case of the condition."),
    "forall": QUANTIFIERS,
    "exists": QUANTIFIERS,
    "or": DISJUNCTION,
    "imply": DISJUNCTION,
    **FORMULAS,
}
RESERVED = {"and", "not", "=", "increase", *UNSUPPORTED}


@dataclass(frozen=True, slots=True)
class Scope:
    """What a formula may name, and the source that its errors point into."""

    source: Source
    hierarchy: Hierarchy
    predicates: Mapping[str, Predicate]
    functions: Mapping[str, Predicate]
    terms: Mapping[str, tuple[str, ...]]  # objects and, inside a schema, variables; with their types


@dataclass(slots=True)
class Effect:
    adds: list[Atom]
    deletes: list[Atom]
    cost: Number | Atom | None = None


def read_condition(scope: Scope, node: Node) -> Iterator[Literal]:
    """Conjunctions are flattened; `()` and `(and)` hold always."""
    group = _group(scope, node, "a condition")
    if not group.items:
        return
    head = _head(scope, group)
    if head.text == "and":
        for item in group.items[1:]:
            yield from read_condition(scope, item)
    elif head.text == "not":
        yield Literal(_condition_atom(scope, _negated(scope, group)), False)
    else:
        yield Literal(_condition_atom(scope, group))


def read_effect(scope: Scope, node: Node, effect: Effect) -> None:
    """Add what the node says to `effect`."""
    group = _group(scope, node, "an effect")
    if not group.items:
        return
    head = _head(scope, group)
    if head.text == "and":
        for item in group.items[1:]:
            read_effect(scope, item, effect)
    elif head.text == "not":
        effect.deletes.append(read_atom(scope, _negated(scope, group), scope.predicates, "predicate"))
    elif head.text == "increase":
        if effect.cost is not None:
            raise scope.source.error(group.at, "the cost is increased twice", "Keep one `increase`.")
        effect.cost = _read_cost(scope, group)
    else:
        effect.adds.append(read_atom(scope, group, scope.predicates, "predicate"))


def read_atom(scope: Scope, group: Group, declared: Mapping[str, Predicate], noun: str) -> Atom:
    """`declared` holds the predicates or the functions, and `noun` says which."""
    head = _head(scope, group)
    if head.text not in declared:
        raise scope.source.error(head.at, f"unknown {noun} `{head.text}`", _cure_of_head(head.text, declared, noun))
    symbol = declared[head.text]
    words = _arguments(scope, group)
    if len(words) != len(symbol.parameters):
        problem = f"`{head.text}` takes {plural(len(symbol.parameters), 'argument')}, and {len(words)} given"
        raise scope.source.error(group.at, problem, f"It is declared as {describe(symbol)}.")
    for word, parameter in zip(words, symbol.parameters, strict=True):
        _check_argument(scope, word, parameter.types, symbol)
    return Atom(symbol.name, tuple(word.text for word in words))


def read_number(source: Source, word: Word) -> Number:
    if not NUMBER.fullmatch(word.text):
        raise source.error(word.at, f"expected a number, not `{word.text}`", "Write one such as `3` or `2.5`.")
    value = float(word.text)
    if value < 0:
        raise source.error(word.at, f"the negative cost {word.text}", "Costs are zero or more.")
    if value > LARGEST:
        raise source.error(word.at, "a number above 2^53", "Scale the costs down, so that they stay exact.")
    return int(value) if value.is_integer() else value


def describe(symbol: Predicate) -> str:
    parameters = (f" {p.name} - {_either(p.types)}" for p in symbol.parameters)
    return f"`({symbol.name}{''.join(parameters)})`"


def _group(scope: Scope, node: Node, what: str) -> Group:
    if isinstance(node, Word):
        raise scope.source.error(node.at, f"expected {what}, not `{node.text}`", f"Write `({node.text} ...)`.")
    return node


def _head(scope: Scope, group: Group) -> Word:
    """The first word of a formula, if liftq supports what it begins."""
    if not group.items or isinstance(group.items[0], Group):
        raise scope.source.error(group.at, "a formula that begins without a name", "Write `(NAME ...)`.")
    head = group.items[0]
    if head.text in UNSUPPORTED and head.text not in scope.predicates:
        raise refuse(scope.source, group.at, UNSUPPORTED[head.text])
    return head


def _negated(scope: Scope, group: Group) -> Group:
    if len(group.items) != 2:
        raise scope.source.error(group.at, "`not` takes exactly one atom", "Write `(not (p ?x))`.")
    atom = _group(scope, group.items[1], "an atom")
    if _head(scope, atom).text in ("and", "not"):
        cure = "Negate single atoms; write one action for each alternative."
        raise scope.source.error(atom.at, "a negated formula that is not an atom is not supported", cure)
    return atom


def _condition_atom(scope: Scope, group: Group) -> Atom:
    if _head(scope, group).text != "=":
        return read_atom(scope, group, scope.predicates, "predicate")
    if any(isinstance(item, Group) for item in group.items):
        raise refuse(scope.source, group.at, NUMERIC)
    words = _arguments(scope, group)
    if len(words) != 2:
        raise scope.source.error(group.at, f"`=` takes 2 arguments, and {len(words)} given", "Write `(= ?x ?y)`.")
    for word in words:
        _check_term(scope, word)
    return Atom("=", tuple(word.text for word in words))


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


def _arguments(scope: Scope, group: Group) -> list[Word]:
    words = []
    for item in group.items[1:]:
        if isinstance(item, Group):
            raise refuse(scope.source, item.at, OBJECT_FLUENTS)
        words.append(item)
    return words


def _check_term(scope: Scope, word: Word) -> tuple[str, ...]:
    types = scope.terms.get(word.text)
    if types is not None:
        return types
    if word.text.startswith("?"):
        variables = [name for name in scope.terms if name.startswith("?")]
        cure = suggest(word.text, variables, "variables") if variables else "Name an object instead."
        raise scope.source.error(word.at, f"undeclared variable `{word.text}`", cure)
    objects = [name for name in scope.terms if not name.startswith("?")]
    raise scope.source.error(word.at, f"unknown object `{word.text}`", suggest(word.text, objects, "objects"))


def _check_argument(scope: Scope, word: Word, asked: tuple[str, ...], symbol: Predicate) -> None:
    types = _check_term(scope, word)
    # A variable may be wider than the predicate: its atom is then false for the objects that do not fit.
    if scope.hierarchy.meet(types, asked) if word.text.startswith("?") else scope.hierarchy.fits(types[0], asked):
        return
    problem = f"`{word.text}` is of type {_either(types)}, and `{symbol.name}` asks for {_either(asked)} here"
    raise scope.source.error(word.at, problem, f"`{symbol.name}` is declared as {describe(symbol)}.")


def _cure_of_head(name: str, declared: Collection[str], noun: str) -> str:
    if name == "=":
        return "`=` compares in preconditions and goals only."
    return suggest(name, declared, f"{noun}s")


def _either(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"
