"""Writes PDDL that reads back as the same value and that other planners accept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from liftq.pddl.hierarchy import ROOT
from liftq.pddl.structures import (
    And,
    Axiom,
    Domain,
    Exists,
    Forall,
    Formula,
    Literal,
    Object,
    Or,
    Parameter,
    Predicate,
    Problem,
    Schema,
    Type,
    either,
    typed_list,
)
from liftq.pddl.trees import parts

WIDTH = 100  # characters per line, where a list is long
REQUIREMENTS = {
    Or: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}


def write_domain(domain: Domain) -> str:
    typed = bool(domain.types)
    costs = bool(domain.functions) or any(schema.cost is not None for schema in domain.schemas)
    lines = [f"(define (domain {domain.name})", f"  (:requirements {' '.join(_domain_requirements(domain, costs))})"]
    if domain.types:
        lines += _section(":types", _types(domain.types))
    if domain.constants:
        lines += _section(":constants", _objects(domain.constants))
    lines += _section(":predicates", [_declaration(predicate, typed) for predicate in domain.predicates])
    if costs:
        functions = (Predicate("total-cost", ()), *domain.functions)
        lines += _section(":functions", [f"{_declaration(function, typed)} - number" for function in functions])
    lines += [_axiom(axiom) for axiom in domain.axioms]
    for schema in domain.schemas:
        lines += _schema(schema, typed)
    return "\n".join(lines) + ")\n"


def write_problem(problem: Problem) -> str:
    lines = [f"(define (problem {problem.name})", f"  (:domain {problem.domain_name})"]
    if needed := _requirements(problem.goal):
        lines.append(f"  (:requirements {' '.join(needed)})")
    lines += _section(":objects", _objects(problem.objects))
    values = [f"(= {term} {value!r})" for term, value in problem.values]
    start = ["(= (total-cost) 0)"] if problem.minimize_cost else []
    lines += _section(":init", [*map(str, problem.init), *start, *values])
    lines += _section(":goal (and", map(str, problem.goal), closing="))")
    if problem.minimize_cost:
        lines.append("  (:metric minimize (total-cost))")
    return "\n".join(lines) + ")\n"


def _domain_requirements(domain: Domain, costs: bool) -> list[str]:
    """Other planners insist on some of these."""
    effects = [effect for schema in domain.schemas for effect in schema.conditional_effects]
    conditions = [schema.preconditions for schema in domain.schemas]
    conditions += [effect.condition for effect in effects]
    conditions += [axiom.condition for axiom in domain.axioms]
    return [
        ":strips",
        *([":typing"] if domain.types else []),
        *_requirements(formula for condition in conditions for formula in condition),
        *([":conditional-effects"] if effects else []),
        *([":derived-predicates"] if domain.axioms else []),
        *([":action-costs"] if costs else []),
    ]


def _requirements(condition: Iterable[Formula]) -> list[str]:
    """The requirements of a condition, in a fixed order."""
    found = set(_needed(condition))
    return [keyword for keyword in (":negative-preconditions", ":equality", *REQUIREMENTS.values()) if keyword in found]


def _needed(condition: Iterable[Formula]) -> Iterator[str]:
    for formula in condition:
        if isinstance(formula, Literal):
            if not formula.positive:
                yield ":negative-preconditions"
            if formula.atom.predicate == "=":
                yield ":equality"
        elif isinstance(formula, And):
            yield from _needed(formula.parts)
        else:
            yield REQUIREMENTS[type(formula)]
            yield from _needed(parts(formula))


def _section(opening: str, items: Iterable[str], closing: str = ")") -> list[str]:
    lines = [f"  ({opening}", *(f"    {item}" for item in items)]
    return [*lines[:-1], lines[-1] + closing]


def _types(types: Iterable[Type]) -> list[str]:
    runs = groupby(types, key=lambda type: type.parents or (ROOT,))
    return [line for parents, run in runs for line in _run([type.name for type in run], f" - {either(parents)}")]


def _objects(objects: Sequence[Object]) -> list[str]:
    if all(object.type == ROOT for object in objects):
        return _run([object.name for object in objects], "")
    runs = groupby(objects, key=lambda object: object.type)
    return [line for type, run in runs for line in _run([object.name for object in run], f" - {type}")]


def _run(names: list[str], type: str) -> list[str]:
    lines = wrap(" ".join(names), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [*lines[:-1], lines[-1] + type] if lines else []


def _declaration(symbol: Predicate, typed: bool) -> str:
    return f"({' '.join((symbol.name, *_parameters(symbol.parameters, typed)))})"


def _parameters(parameters: Iterable[Parameter], typed: bool) -> list[str]:
    if not typed:
        return [parameter.name for parameter in parameters]
    runs = groupby(parameters, key=lambda parameter: parameter.types)
    return [f"{' '.join(parameter.name for parameter in run)} - {either(types)}" for types, run in runs]


def _axiom(axiom: Axiom) -> str:
    head = f"({' '.join(filter(None, (axiom.predicate, typed_list(axiom.parameters))))})"
    return f"  (:derived {head}\n    {_conjunction(list(map(str, axiom.condition)))})"


def _schema(schema: Schema, typed: bool) -> list[str]:
    changes = [*map(str, schema.adds), *(f"(not {atom})" for atom in schema.deletes)]
    cost = [] if schema.cost is None else [f"(increase (total-cost) {schema.cost})"]
    effects = [*changes, *map(str, schema.conditional_effects), *cost]
    return [
        f"  (:action {schema.name}",
        f"    :parameters ({' '.join(_parameters(schema.parameters, typed))})",
        f"    :precondition {_conjunction(list(map(str, schema.preconditions)))}",
        f"    :effect {_conjunction(effects)})",
    ]


def _conjunction(formulas: list[str]) -> str:
    lines = _fill(formulas)
    return f"({' '.join(('and', *lines))})" if len(lines) < 2 else "\n      ".join(["(and", *lines]) + ")"


def _fill(formulas: Iterable[str]) -> list[str]:
    """Fill lines without breaking a formula."""
    lines: list[str] = []
    for formula in formulas:
        if lines and len(lines[-1]) + len(formula) < WIDTH:
            lines[-1] += f" {formula}"
        else:
            lines.append(formula)
    return lines
