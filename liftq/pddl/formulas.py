"""Reads atoms and numbers, and checks every name, arity and type."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from liftq.errors import PDDLWarning, plural
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.refusals import FORMULAS, NUMERIC, OBJECT_FLUENTS, refuse
from liftq.pddl.source import Group, Node, Source, Word
from liftq.pddl.structures import Atom, Number, Parameter, Predicate, either
from liftq.pddl.suggestion import suggest
from liftq.pddl.typed_lists import unused

TOTAL_COST = "total-cost"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")
LARGEST = 2**53  # a float holds every smaller integer exactly

RESERVED = {"and", "or", "not", "imply", "forall", "exists", "when", "=", "increase", "-"}


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a formula may use, and the source for errors."""

    source: Source
    hierarchy: Hierarchy
    predicates: Mapping[str, Predicate]
    functions: Mapping[str, Predicate]
    terms: Mapping[str, tuple[str, ...]]  # objects and variables, with their types
    derived: Collection[str] = ()  # predicates
    renamed: Mapping[str, str] = field(default_factory=dict)  # variables: names in the text to names in formulas

    def within(self, parameters: tuple[Parameter, ...]) -> tuple[Scope, tuple[Parameter, ...]]:
        """The scope inside a quantifier. A variable that would shadow another gets a new name."""
        around = {*self.terms, *self.renamed.values()}
        taken = around.union(parameter.name for parameter in parameters)
        renamed = dict(self.renamed)
        for name in (parameter.name for parameter in parameters if parameter.name in around):
            renamed[name] = unused(name, taken)
            taken.add(renamed[name])
        fresh = tuple(Parameter(renamed.get(p.name, p.name), p.types) for p in parameters)
        terms = {**self.terms, **{parameter.name: parameter.types for parameter in parameters}}
        return replace(self, terms=terms, renamed=renamed), fresh

    def terms_of(self, words: Iterable[Word]) -> tuple[str, ...]:
        return tuple(self.renamed.get(word.text, word.text) for word in words)


def read_atom(scope: Scope, group: Group, declared: Mapping[str, Predicate], noun: str) -> Atom:
    """`declared` holds the predicates or the functions, and `noun` says which."""
    head = head_of(scope, group)
    if head.text not in declared:
        fix = suggest(head.text, declared, f"{noun}s")
        if head.text == "=":
            fix = "`=` compares in preconditions and goals only."
        raise scope.source.error(head.at, f"unknown {noun} `{head.text}`", fix)
    symbol = declared[head.text]
    words = _arguments(scope, group)
    if len(words) != len(symbol.parameters):
        problem = f"`{head.text}` takes {plural(len(symbol.parameters), 'argument')}, and {len(words)} given"
        raise scope.source.error(group.at, problem, f"It is declared as {describe(symbol)}.")
    for word, parameter in zip(words, symbol.parameters, strict=True):
        _check_argument(scope, word, parameter.types, symbol)
    return Atom(symbol.name, scope.terms_of(words))


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
    parameters = (f" {p.name} - {either(p.types)}" for p in symbol.parameters)
    return f"`({symbol.name}{''.join(parameters)})`"


def group_of(scope: Scope, node: Node, what: str) -> Group:
    if isinstance(node, Word):
        raise scope.source.error(node.at, f"expected {what}, not `{node.text}`", f"Write `({node.text} ...)`.")
    return node


def head_of(scope: Scope, group: Group) -> Word:
    """The first word of a formula. Raises an error if liftq does not support it."""
    if not group.items or isinstance(group.items[0], Group):
        raise scope.source.error(group.at, "a formula that begins without a name", "Write `(NAME ...)`.")
    head = group.items[0]
    if head.text in FORMULAS and head.text not in scope.predicates:
        raise refuse(scope.source, group.at, FORMULAS[head.text])
    return head


def read_predicate_atom(scope: Scope, group: Group) -> Atom:
    return read_atom(scope, group, scope.predicates, "predicate")


def read_equality(scope: Scope, group: Group) -> Atom:
    if any(isinstance(item, Group) for item in group.items):
        raise refuse(scope.source, group.at, NUMERIC)
    words = _arguments(scope, group)
    if len(words) != 2:
        raise scope.source.error(group.at, f"`=` takes 2 arguments, and {len(words)} given", "Write `(= ?x ?y)`.")
    for word in words:
        _check_term(scope, word)
    return Atom("=", scope.terms_of(words))


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
        fix = suggest(word.text, variables, "variables") if variables else "Name an object instead."
        raise scope.source.error(word.at, f"undeclared variable `{word.text}`", fix)
    objects = [name for name in scope.terms if not name.startswith("?")]
    raise scope.source.error(word.at, f"unknown object `{word.text}`", suggest(word.text, objects, "objects"))


def _check_argument(scope: Scope, word: Word, asked: tuple[str, ...], symbol: Predicate) -> None:
    types = _check_term(scope, word)
    # A variable may be wider than the predicate: its atom is then false for the objects that do not fit.
    if scope.hierarchy.meet(types, asked) if word.text.startswith("?") else scope.hierarchy.fits(types[0], asked):
        return
    problem = f"`{word.text}` is of type {either(types)}, and `{symbol.name}` asks for {either(asked)} here"
    fix = f"It is read as it stands. `{symbol.name}` is declared as {describe(symbol)}."
    scope.source.warn(word.at, problem, fix, PDDLWarning, (symbol.name, *asked))
