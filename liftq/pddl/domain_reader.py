"""Reads a domain."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from os import PathLike

from liftq.errors import PDDLWarning
from liftq.pddl.axioms import read_axioms
from liftq.pddl.conditions import read_condition
from liftq.pddl.effects import Effects, read_effects
from liftq.pddl.formulas import RESERVED, TOTAL_COST, Scope
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.refusals import OBJECT_FLUENTS, SECTIONS, Feature, refuse
from liftq.pddl.refusals import PARTS as UNSUPPORTED_PARTS
from liftq.pddl.sections import Sections
from liftq.pddl.source import Group, Node, Source, Word, read_text
from liftq.pddl.structures import Domain, Predicate, Schema, Type
from liftq.pddl.suggestion import suggest
from liftq.pddl.typed_lists import check_name, read_objects, read_parameters, read_typed_list

KEYWORDS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
UNSUPPORTED = {**SECTIONS, ":axiom": Feature("sections `:axiom`", "Write `(:derived (p ?x) ...)`.")}
PARTS = (":parameters", ":precondition", ":effect")


def read_domain(path: str | PathLike[str]) -> Domain:
    """Read a domain from a PDDL file. An InputError names line and column, and suggests a fix."""
    return parse_domain(read_text(path), str(path))


def parse_domain(text: str, file: str = "<domain>") -> Domain:
    """Read a domain from PDDL text. An InputError names line and column, and suggests a fix."""
    source = Source(text, file)
    name, spans = source.definition("domain")
    sections = Sections(source, spans, KEYWORDS, UNSUPPORTED, repeatable=(":requirements", ":action", ":derived"))
    types = _read_types(source, sections.body(":types"))
    hierarchy = _read_hierarchy(source, types, sections)
    known = hierarchy.ancestors
    constants = read_objects(source, sections.body(":constants"), known, taken=())
    predicates = _read_predicates(source, sections.body(":predicates"), known)
    functions = _read_functions(source, sections.body(":functions"), known)
    terms = {constant.name: (constant.type,) for constant in constants}
    scope = Scope(source, hierarchy, predicates, functions, terms)
    axioms = read_axioms(scope, sections.all(":derived"))
    scope = replace(scope, derived={axiom.predicate for axiom in axioms})
    schemas: dict[str, Schema] = {}
    for section in sections.all(":action"):
        schema = _read_schema(scope, source.body(section), section.keyword, schemas)
        schemas[schema.name] = schema
    return Domain(
        name, types, constants, tuple(predicates.values()), tuple(functions.values()), tuple(schemas.values()), axioms
    )


def _read_types(source: Source, nodes: Iterable[Node]) -> tuple[Type, ...]:
    """Parents that are not declared themselves are subtypes of `object`; declaring `object` again changes nothing."""
    types: dict[str, Type] = {}
    parents: dict[str, None] = {}
    for word, alternatives in read_typed_list(source, nodes):
        name = check_name(source, word, "a type").text
        above = tuple(parent.text for parent in alternatives if parent.text not in (ROOT, name))
        parents |= dict.fromkeys(above)
        if name == ROOT:
            continue
        if name in types and types[name].parents != above:
            problem = f"the type `{name}` is declared twice"
            source.warn(word.at, problem, "Its objects belong to the parents of both declarations.", PDDLWarning)
            above = tuple(dict.fromkeys((*types[name].parents, *above)))
        types[name] = Type(name, above)
    return (*types.values(), *(Type(parent, ()) for parent in parents if parent not in types))


def _read_hierarchy(source: Source, types: tuple[Type, ...], sections: Sections) -> Hierarchy:
    try:
        return Hierarchy(types)
    except ValueError as error:
        at = sections.all(":types")[0].start
        raise source.error(at, f"the type `{error}` descends from itself", "Remove one parent in the circle.") from None


def _read_predicates(source: Source, nodes: Iterable[Node], types: Collection[str]) -> dict[str, Predicate]:
    predicates: dict[str, Predicate] = {}
    for node in nodes:
        predicate, at = _read_declaration(source, node, types, "predicate")
        if predicate.name == "=":
            continue  # built in, yet some domains declare it
        if predicate.name in RESERVED:
            raise source.error(at, f"`{predicate.name}` is a word of PDDL itself", "Rename the predicate.")
        _declare(source, predicate, at, predicates, "predicate")
    return predicates


def _read_functions(source: Source, nodes: Iterable[Node], types: Collection[str]) -> dict[str, Predicate]:
    """Without `total-cost`, which is not a static function."""
    functions: dict[str, Predicate] = {}
    remaining = iter(nodes)
    for node in remaining:
        if isinstance(node, Word) and node.text == "-":
            type = next(remaining, None)
            if not isinstance(type, Word) or type.text != "number":
                raise refuse(source, node.at, OBJECT_FLUENTS)
            continue
        function, at = _read_declaration(source, node, types, "function")
        _declare(source, function, at, functions, "function")
    functions.pop(TOTAL_COST, None)
    return functions


def _declare(source: Source, symbol: Predicate, at: int, declared: dict[str, Predicate], noun: str) -> None:
    """A second declaration is a warning, or an error if the number of parameters differs."""
    earlier = declared.setdefault(symbol.name, symbol)
    if earlier is symbol:
        return
    problem = f"the {noun} `{symbol.name}` is declared twice"
    if len(earlier.parameters) != len(symbol.parameters):
        raise source.error(at, f"{problem}, with different parameters", "Remove one of the two.")
    source.warn(at, problem, "The first declaration counts.", PDDLWarning)


def _read_declaration(source: Source, node: Node, types: Collection[str], noun: str) -> tuple[Predicate, int]:
    if isinstance(node, Word):
        raise source.error(node.at, f"expected a {noun}, not `{node.text}`", f"Write `({node.text} ?x)`.")
    if not node.items or isinstance(node.items[0], Group):
        raise source.error(node.at, f"a {noun} without a name", "Write `(NAME ?x ?y)`.")
    name = node.items[0]
    if name.text != "-":  # arithmetic names are reserved words, and rejected as such
        check_name(source, name, f"a {noun}")
    return Predicate(name.text, read_parameters(source, node.items[1:], types, declared=True)), name.at


def _read_schema(scope: Scope, nodes: list[Node], keyword: Word, taken: Collection[str]) -> Schema:
    source = scope.source
    if not nodes or isinstance(nodes[0], Group) or nodes[0].text.startswith(":"):
        raise source.error(keyword.at, "an action without a name", "Write `(:action NAME :parameters ...)`.")
    name = check_name(source, nodes[0], "an action")
    if name.text in taken:
        raise source.error(name.at, f"the action `{name.text}` is declared twice", "Rename one of the two.")
    parts = _read_parts(source, nodes[1:])
    if ":effect" not in parts:
        raise source.error(name.at, f"the action `{name.text}` has no effect", "Add `:effect (and ...)`.")
    words = parts[":parameters"].items if ":parameters" in parts else ()
    inner, parameters = scope.within(read_parameters(source, words, scope.hierarchy.ancestors))
    preconditions = read_condition(inner, parts[":precondition"]) if ":precondition" in parts else ()
    effects = Effects()
    read_effects(inner, parts[":effect"], effects)
    changes = tuple(effects.adds), tuple(effects.deletes)
    return Schema(name.text, parameters, preconditions, *changes, effects.cost, effects.conditional_effects())


def _read_parts(source: Source, nodes: list[Node]) -> dict[str, Group]:
    parts: dict[str, Group] = {}
    remaining = iter(nodes)
    for key in remaining:
        if isinstance(key, Group):
            raise source.error(key.at, "a parenthesis where a keyword was expected", f"Known: {', '.join(PARTS)}.")
        if key.text in UNSUPPORTED_PARTS:
            raise refuse(source, key.at, UNSUPPORTED_PARTS[key.text])
        if key.text not in PARTS:
            raise source.error(key.at, f"unknown part `{key.text}` of an action", suggest(key.text, PARTS, "parts"))
        if key.text in parts:
            raise source.error(key.at, f"a second `{key.text}` in one action", "Merge the two.")
        value = next(remaining, None)
        if not isinstance(value, Group):
            raise source.error(key.at, f"nothing in parentheses after `{key.text}`", "Write `()` if it is empty.")
        parts[key.text] = value
    return parts
