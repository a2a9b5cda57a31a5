"""Reads and checks typed lists such as `a b - block ?x - (either car truck)`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import count
from typing import NamedTuple

from liftq.pddl.hierarchy import ROOT
from liftq.pddl.source import Group, Node, Source, Word
from liftq.pddl.structures import Object, Parameter
from liftq.pddl.suggestion import suggest


class TypedWord(NamedTuple):
    word: Word
    types: tuple[Word, ...]  # empty if the list gives none


def read_typed_list(source: Source, nodes: Iterable[Node]) -> Iterator[TypedWord]:
    waiting: list[Word] = []  # for the type that follows
    remaining = iter(nodes)
    for node in remaining:
        if isinstance(node, Group):
            raise source.error(node.at, "a parenthesis among names", "Only `- (either A B)` has one here.")
        if not node.text.startswith("-"):
            waiting.append(node)
            continue
        # `a b -place` is read like `a b - place`
        type_node = next(remaining, None) if node.text == "-" else Word(node.text[1:], node.at)
        if type_node is None:
            raise source.error(node.at, "no type after `-`", "Name a type, or leave out the `-`.")
        types = _read_type(source, type_node)
        yield from (TypedWord(word, types) for word in waiting)
        waiting = []
    yield from (TypedWord(word, ()) for word in waiting)


def _read_type(source: Source, node: Node) -> tuple[Word, ...]:
    if isinstance(node, Word):
        return (check_name(source, node, "a type"),)
    names = [item for item in node.items if isinstance(item, Word)]
    if len(names) < 2 or len(names) < len(node.items) or names[0].text != "either":
        raise source.error(node.at, "expected a type", "Write a type's name, or `(either A B)`.")
    alternatives = {name.text: check_name(source, name, "a type") for name in reversed(names[1:])}
    return tuple(reversed(alternatives.values()))


def read_parameters(
    source: Source, nodes: Iterable[Node], types: Collection[str], *, declared: bool = False
) -> tuple[Parameter, ...]:
    """Names of declared parameters (of predicates and functions) do not matter, so a repeated one is replaced."""
    parameters: dict[str, Parameter] = {}
    for word, alternatives in read_typed_list(source, nodes):
        if not word.text.startswith("?") or word.text == "?":
            raise source.error(word.at, f"expected a variable, not `{word.text}`", "Variables begin with `?`: `?x`.")
        if word.text in parameters and not declared:
            raise source.error(word.at, f"the parameter `{word.text}` stands here twice", "Rename one of the two.")
        name = unused(word.text, parameters)
        names = tuple(check_type(source, type, types) for type in alternatives)
        parameters[name] = Parameter(name, names or (ROOT,))
    return tuple(parameters.values())


def unused(name: str, taken: Collection[str]) -> str:
    """The name, or a similar one that is not taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def read_objects(
    source: Source, nodes: Iterable[Node], types: Collection[str], taken: Collection[str]
) -> tuple[Object, ...]:
    """`taken` holds the domain's constants, which a problem must not declare again."""
    objects: dict[str, Object] = {}
    for word, alternatives in read_typed_list(source, nodes):
        name = check_name(source, word, "an object").text
        if name in objects:
            raise source.error(word.at, f"the object `{name}` is declared twice", "Remove one of the two.")
        if name in taken:
            fix = "Remove it here: constants are objects of every problem."
            raise source.error(word.at, f"`{name}` is already a constant of the domain", fix)
        if len(alternatives) > 1:
            fix = "Declare a type below both, and give the object that type."
            raise source.error(word.at, f"the object `{name}` has an `either` type, which is not supported", fix)
        objects[name] = Object(name, check_type(source, alternatives[0], types) if alternatives else ROOT)
    return tuple(objects.values())


def check_type(source: Source, word: Word, types: Collection[str]) -> str:
    if word.text not in types:
        raise source.error(word.at, f"unknown type `{word.text}`", suggest(word.text, types, "types"))
    return word.text


def check_name(source: Source, word: Word, what: str) -> Word:
    if word.text.startswith(("-", "?", ":")):
        raise source.error(word.at, f"`{word.text}` does not name {what}", "Names begin with a letter.")
    return word
