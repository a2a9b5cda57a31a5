"""Reads a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike

from liftq._core import read_facts
from liftq.errors import PDDLWarning
from liftq.pddl.atoms import Atoms
from liftq.pddl.conditions import read_condition
from liftq.pddl.formulas import NUMBER, TOTAL_COST, Scope, head_of, read_atom, read_number, read_predicate_atom
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.refusals import OBJECT_FLUENTS, SECTIONS, TIMED, refuse
from liftq.pddl.sections import Sections
from liftq.pddl.source import Group, Node, Piece, Source, Span, Word, read_text
from liftq.pddl.structures import Atom, Domain, Number, Object, Predicate, Problem
from liftq.pddl.suggestion import suggest
from liftq.pddl.typed_lists import read_objects

KEYWORDS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")
Values = tuple[tuple[Atom, Number], ...]
TOTAL_COST_SYMBOL = Predicate(TOTAL_COST, ())


class DomainMismatchWarning(PDDLWarning):
    """The problem names a different domain from the one it is read with."""


def read_problem(path: str | PathLike[str], domain: Domain) -> Problem:
    """Read a problem from a PDDL file. An InputError names line and column, and suggests a fix."""
    return parse_problem(read_text(path), domain, str(path))


def read_state(path: str | PathLike[str], domain: Domain, problem: Problem) -> Problem:
    """Read a state from a file, and return the problem that begins there. Errors as in `read_problem`."""
    return parse_state(read_text(path), domain, problem, str(path))


def parse_problem(text: str, domain: Domain, file: str = "<problem>") -> Problem:
    """Read a problem from PDDL text. An InputError names line and column, and suggests a fix."""
    source = Source(text, file, apart=":init")
    name, spans = source.definition("problem")
    sections = Sections(source, spans, KEYWORDS, SECTIONS, repeatable=(":requirements", ":length"))
    domain_name = _read_domain_name(source, sections.needed(":domain", f"(:domain {domain.name})"), domain)
    hierarchy = Hierarchy(domain.types)
    taken = {constant.name for constant in domain.constants}
    objects = read_objects(source, sections.body(":objects"), hierarchy.ancestors, taken)
    scope = _scope(source, domain, hierarchy, objects)
    init, values = _read_init(scope, sections.needed(":init", "(:init)"), (*domain.constants, *objects))
    goal_section = sections.needed(":goal", "(:goal (and ...))")
    goals = source.body(goal_section)
    if len(goals) != 1:
        raise source.error(goal_section.start, f"{len(goals)} goals", "Write one: `(:goal (and ...))`.")
    goal = read_condition(scope, goals[0])
    minimize_cost = _read_metric(source, sections)
    return Problem(name, domain_name, objects, init, values, goal, minimize_cost=minimize_cost)


def parse_state(text: str, domain: Domain, problem: Problem, file: str = "<state>") -> Problem:
    """The problem with another initial state: atoms, with `(:init ...)` around them or without. Atoms that no
    action can change may be left out."""
    source = Source(text, file)
    scope = _scope(source, domain, Hierarchy(domain.types), problem.objects)
    init, values = _read_init(scope, source.content(":init"), (*domain.constants, *problem.objects))
    known = domain.fluents | {atom.predicate for atom in init}
    static = (atom for atom in problem.init if atom.predicate not in known)
    return replace(problem, init=(*static, *init), values=tuple((dict(problem.values) | dict(values)).items()))


def _scope(source: Source, domain: Domain, hierarchy: Hierarchy, objects: tuple[Object, ...]) -> Scope:
    predicates = {predicate.name: predicate for predicate in domain.predicates}
    functions = {function.name: function for function in domain.functions} | {TOTAL_COST: TOTAL_COST_SYMBOL}
    terms = {object.name: (object.type,) for object in (*domain.constants, *objects)}
    return Scope(source, hierarchy, predicates, functions, terms, domain.derived)


def _read_domain_name(source: Source, section: Span, domain: Domain) -> str:
    body = source.body(section)
    if len(body) != 1 or not isinstance(body[0], Word):
        raise source.error(section.start, "`:domain` takes exactly one name", f"Write `(:domain {domain.name})`.")
    name, at = body[0]
    if name != domain.name:
        problem = f"the problem is for domain `{name}`, not `{domain.name}`"
        source.warn(at, problem, "Is it the right pair?", DomainMismatchWarning)
    return name


def _read_metric(source: Source, sections: Sections) -> bool:
    """Whether to minimize costs. The time of a sequential plan is its length, which is the default metric."""
    for section in sections.all(":metric"):
        match source.words[section.start + 2 : section.end]:
            case ["minimize", "(", "total-cost", ")"]:
                return True
            case ["minimize", "(", "total-time", ")"]:
                return False
            case _:
                fix = "Write `(:metric minimize (total-cost))` or remove it; ENHSP reads other metrics."
                raise source.error(section.start, "this metric is not supported", fix)
    return False


@dataclass(slots=True)
class _Init:
    atoms: dict[Atom, None] = field(default_factory=dict)  # as a set that keeps the order of the text
    values: dict[Atom, Number] = field(default_factory=dict)
    negated: list[tuple[Atom, int]] = field(default_factory=list)


def _read_init(scope: Scope, section: Span, objects: tuple[Object, ...]) -> tuple[Sequence[Atom], Values]:
    """Plain atoms are most of a large file, and the core reads them. The rest is read here."""
    plain: Sequence[Atom]
    if scope.source.apart is None:
        plain, at, end = (), section.start + 2, section.end
    else:
        plain, others = _read_plain(scope, objects)
        scope = replace(scope, source=scope.source.part(others))
        at, end = 0, len(scope.source.words)
    init = _Init()
    while at < end:
        at = _read_fact(scope, at, init)
    atoms = plain if not init.atoms else (*plain, *init.atoms)
    known = set(atoms) if init.negated else set()
    for atom, at in init.negated:
        if atom in known:
            raise scope.source.error(at, f"{atom} is both true and false in `:init`", "Remove one of the two.")
    return atoms, tuple(init.values.items())


def _read_plain(scope: Scope, objects: tuple[Object, ...]) -> tuple[Atoms, list[Piece]]:
    assert scope.source.apart
    predicates = [each for each in scope.predicates.values() if each.name not in scope.derived]
    names = tuple(object.name for object in objects)
    types = list(dict.fromkeys(parameter.types for predicate in predicates for parameter in predicate.parameters))
    fitting = [[n for n, each in enumerate(objects) if scope.hierarchy.fits(each.type, type)] for type in types]
    symbols = [
        (predicate.name, [types.index(parameter.types) for parameter in predicate.parameters])
        for predicate in predicates
    ]
    rows, order, others = read_facts(scope.source.text, scope.source.apart, names, fitting, symbols)
    return Atoms(tuple(predicate.name for predicate in predicates), names, tuple(rows), order), others


def _read_fact(scope: Scope, at: int, init: _Init) -> int:
    """Read a fact that is not a plain atom, or raise an error. Returns the number of the next token."""
    source = scope.source
    if source.words[at] != "(":
        raise source.error(at, f"expected an atom, not `{source.words[at]}`", "Write `(NAME ...)`.")
    group, after = source.group(at)
    match group.items:
        case [Word("="), Group() as term, value]:
            _read_value(scope, term, value, init)
        case [Word("not"), Group() as negated]:
            init.negated.append((_read_basic_atom(scope, negated), at))
        case [Word("at"), Word(time), Group()] if time[0].isdigit():
            raise refuse(source, at, TIMED)
        case [Word("and"), *_]:
            raise source.error(at, "`and` in `:init`", "List the atoms without it.")
        case [Word("="), *_]:
            raise source.error(at, "`=` between objects in `:init`", "Remove it: every name is an object of its own.")
        case _:
            init.atoms[_read_basic_atom(scope, group)] = None
    return after


def _read_basic_atom(scope: Scope, group: Group) -> Atom:
    atom = read_predicate_atom(scope, group)
    if atom.predicate in scope.derived:
        fix = "Remove it: its axioms say where it is true."
        raise scope.source.error(group.at, f"`:init` has an atom of the derived predicate `{atom.predicate}`", fix)
    return atom


def _read_value(scope: Scope, term: Group, value: Node, init: _Init) -> None:
    name = head_of(scope, term).text
    if name not in scope.functions:
        fix = f"No action can use it, so it is ignored. {suggest(name, scope.functions, 'functions')}"
        scope.source.warn(term.at, f"a value of the unknown function `{name}`", fix, PDDLWarning, ("function", name))
        return
    function = read_atom(scope, term, scope.functions, "function")
    if isinstance(value, Group) or (value.text in scope.terms and not NUMBER.fullmatch(value.text)):
        raise refuse(scope.source, value.at, OBJECT_FLUENTS)
    number = read_number(scope.source, value)
    if function.predicate == TOTAL_COST:
        return
    if init.values.setdefault(function, number) != number:
        earlier = init.values[function]
        raise scope.source.error(term.at, f"{function} is {earlier} above and {number} here", "Keep one of the two.")
