"""The same domain and problem put differently, so that plans stay what they are, up to further arguments of actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Condition, Domain, Literal, Object, Parameter, Predicate, Problem, Schema, Type

Text = tuple[Domain, Problem]
ROOT = ("object",)


def untyped(domain: Domain, problem: Problem) -> Text:
    """Types are predicates, and every object is of all that it fits."""
    hierarchy = Hierarchy(domain.types)
    names = {each.name: f"is-{each.name}" for each in domain.types}

    def free(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        return tuple(Parameter(each.name, ROOT) for each in parameters)

    def schema(each: Schema) -> Schema:
        kinds = (Literal(Atom(names[p.types[0]], (p.name,))) for p in each.parameters if p.types != ROOT)
        return replace(each, parameters=free(each.parameters), preconditions=(*kinds, *each.preconditions))

    every = (*domain.constants, *problem.objects)
    kinds = [Atom(names[type], (o.name,)) for o in every for type in names if hierarchy.fits(o.type, (type,))]
    return (
        replace(
            domain,
            types=(),
            constants=tuple(Object(each.name, "object") for each in domain.constants),
            predicates=(
                *(replace(each, parameters=free(each.parameters)) for each in domain.predicates),
                *(Predicate(name, (Parameter("?x", ROOT),)) for name in names.values()),
            ),
            schemas=tuple(map(schema, domain.schemas)),
        ),
        replace(
            problem,
            objects=tuple(Object(each.name, "object") for each in problem.objects),
            init=(*problem.init, *kinds),
        ),
    )


def with_what_nobody_needs(domain: Domain, problem: Problem) -> Text:
    """A type without objects, predicates that no action asks for, and an object that is nothing in particular."""
    some = problem.objects[0].name
    predicates = (Predicate("near", (Parameter("?x", ROOT), Parameter("?y", ROOT))), Predicate("old", ()))
    return (
        replace(domain, types=(*domain.types, Type("ghost", ())), predicates=(*domain.predicates, *predicates)),
        replace(problem, init=(Atom("near", (some, some)), *problem.init, Atom("old", ()))),
    )


def with_what_always_holds(domain: Domain, problem: Problem) -> Text:
    """All actions need their first argument to be available, and leave it so."""
    mark = Predicate("available", (Parameter("?x", ROOT),))

    def schema(each: Schema) -> Schema:
        if not each.parameters:
            return each
        atom = Atom(mark.name, (each.parameters[0].name,))
        return replace(
            each,
            preconditions=(*each.preconditions, Literal(atom)),
            adds=(*each.adds, atom),
            deletes=(atom, *each.deletes),
        )

    every = (*domain.constants, *problem.objects)
    return (
        replace(domain, predicates=(*domain.predicates, mark), schemas=tuple(map(schema, domain.schemas))),
        replace(problem, init=(*problem.init, *(Atom(mark.name, (each.name,)) for each in every))),
    )


def without_constants(domain: Domain, problem: Problem) -> Text:
    """Actions that mention one take it as an argument instead, and a predicate says which one it is."""
    names = {each.name: f"is-{each.name}" for each in domain.constants}

    def schema(each: Schema) -> Schema:
        literals = [literal for literal in each.preconditions if isinstance(literal, Literal)]
        atoms = (*(literal.atom for literal in literals), *each.adds, *each.deletes)
        used = [name for name in names if any(name in atom.arguments for atom in atoms)]
        new = {name: f"?{name}" for name in used}

        def freed(atom: Atom) -> Atom:
            return Atom(atom.predicate, tuple(new.get(term, term) for term in atom.arguments))

        return replace(
            each,
            parameters=(*each.parameters, *(Parameter(new[name], ROOT) for name in used)),
            preconditions=(
                *(Literal(Atom(names[name], (new[name],))) for name in used),
                *(Literal(freed(literal.atom), literal.positive) for literal in literals),
            ),
            adds=tuple(map(freed, each.adds)),
            deletes=tuple(map(freed, each.deletes)),
        )

    marks = tuple(Predicate(name, (Parameter("?x", ROOT),)) for name in names.values())
    return (
        replace(
            domain,
            constants=(),
            predicates=(*domain.predicates, *marks),
            schemas=tuple(map(schema, domain.schemas)),
        ),
        replace(
            problem,
            objects=(*domain.constants, *problem.objects),
            init=(*problem.init, *(Atom(mark, (name,)) for name, mark in names.items())),
        ),
    )


def with_arguments_rotated(domain: Domain, problem: Problem) -> Text:
    """What comes first comes last, in predicates and actions."""

    def rotated(atom: Atom) -> Atom:
        return atom if atom.predicate == "=" else Atom(atom.predicate, (*atom.arguments[1:], *atom.arguments[:1]))

    def symbol(each: Predicate) -> Predicate:
        return replace(each, parameters=(*each.parameters[1:], *each.parameters[:1]))

    def literals(condition: Condition) -> Condition:
        return tuple(Literal(rotated(each.atom), each.positive) for each in condition if isinstance(each, Literal))

    def schema(each: Schema) -> Schema:
        return replace(
            each,
            parameters=(*each.parameters[1:], *each.parameters[:1]),
            preconditions=literals(each.preconditions),
            adds=tuple(map(rotated, each.adds)),
            deletes=tuple(map(rotated, each.deletes)),
        )

    predicates, schemas = tuple(map(symbol, domain.predicates)), tuple(map(schema, domain.schemas))
    return (
        replace(domain, predicates=predicates, schemas=schemas),
        replace(problem, init=tuple(map(rotated, problem.init)), goal=literals(problem.goal)),
    )


DISGUISES: dict[str, Callable[[Domain, Problem], Text]] = {
    each.__name__: each
    for each in (
        untyped,
        with_what_nobody_needs,
        with_what_always_holds,
        without_constants,
        with_arguments_rotated,
    )
}
