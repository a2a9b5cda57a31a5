"""Evaluates formulas and axioms on a set of atoms, for the validator. Shares no code with the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from liftq.pddl.axioms import dependencies
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Atom, Condition, Domain, Exists, Formula, Literal, Or, Parameter, Problem
from liftq.pddl.trees import variables

Binding = Mapping[str, str]


class Truth:
    def __init__(self, universe: Universe, atoms: Iterable[Atom]) -> None:
        self.universe = universe
        self.atoms: set[Atom] = set()
        self._rows: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._is_derived = False  # whether the rows include derived atoms
        self.change((), atoms)

    def change(self, deletes: Iterable[Atom], adds: Iterable[Atom]) -> None:
        for atom in deletes:
            self.atoms.discard(atom)
            self._rows[atom.predicate].discard(atom.arguments)
        for atom in adds:
            self.atoms.add(atom)
            self._rows[atom.predicate].add(atom.arguments)
        self._is_derived = False

    def rows(self, predicate: str) -> set[tuple[str, ...]]:
        if not self._is_derived and predicate in self.universe.axioms:
            self._is_derived = True
            for derived in self.universe.axioms:
                self._rows[derived].clear()
            for level in self.universe.levels:
                while self._add_derived(level):
                    pass
        return self._rows[predicate]

    def _add_derived(self, predicates: Iterable[str]) -> bool:
        """One round of evaluation. Returns whether there were new atoms."""
        derived = {
            Atom(axiom.predicate, tuple(binding[parameter.name] for parameter in axiom.parameters))
            for predicate in predicates
            for axiom in self.universe.axioms[predicate]
            for binding in self.bindings(axiom.parameters, axiom.condition, {})
        }
        new = [atom for atom in derived if atom.arguments not in self._rows[atom.predicate]]
        for atom in new:
            self._rows[atom.predicate].add(atom.arguments)
        return bool(new)

    def holds(self, formula: Formula, binding: Binding) -> bool:
        if isinstance(formula, Literal):
            arguments = tuple(binding.get(term, term) for term in formula.atom.arguments)
            if formula.atom.predicate == "=":
                return (arguments[0] == arguments[1]) == formula.positive
            return (arguments in self.rows(formula.atom.predicate)) == formula.positive
        if isinstance(formula, And):
            return all(self.holds(part, binding) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self.holds(part, binding) for part in formula.parts)
        if isinstance(formula, Exists):
            return any(True for _ in self.bindings(formula.parameters, (formula.part,), binding))
        names = [parameter.name for parameter in formula.parameters]
        rows = product(*map(self.universe.admitted, formula.parameters))
        return all(self.holds(formula.part, {**binding, **dict(zip(names, row, strict=True))}) for row in rows)

    def bindings(self, parameters: Sequence[Parameter], condition: Condition, binding: Binding) -> Iterator[Binding]:
        """All bindings of the parameters that fulfil the condition, as extensions of the given binding. They may bind
        more variables than these, and repeat."""
        outer = {name: value for name, value in binding.items() if name not in {p.name for p in parameters}}
        return self._extend({p.name: p for p in parameters}, _flat(condition), outer)

    def _extend(self, open: dict[str, Parameter], condition: Sequence[Formula], binding: Binding) -> Iterator[Binding]:
        """Checks formulas without open variables, then binds parameters: by the atoms of a literal, by literals within
        a disjunction or quantifier, or else one parameter by its type."""
        waiting: list[Formula] = []
        for formula in condition:
            if not open.keys().isdisjoint(variables(formula)):
                waiting.append(formula)
            elif not self.holds(formula, binding):
                return
        if not open:
            yield binding
            return
        if not any(isinstance(formula, Literal) and _binds(formula) for formula in waiting):
            bound = {*open, *binding}  # names that a quantifier must not hide
            openers = (each for each in waiting if _binds(each) and bound.isdisjoint(_quantified(each)))
            if (opener := next(openers, None)) is not None:
                rest = [formula for formula in waiting if formula is not opener]
                for more_open, part in _opened(opener):
                    yield from self._extend({**open, **more_open}, [*rest, *_flat([part])], binding)
                return
        for more in self._next_bindings(open, waiting, binding):
            left = {name: parameter for name, parameter in open.items() if name not in more}
            yield from self._extend(left, waiting, {**binding, **more})

    def _next_bindings(
        self, open: dict[str, Parameter], condition: Sequence[Formula], binding: Binding
    ) -> Iterator[Binding]:
        positive = [formula.atom for formula in condition if isinstance(formula, Literal) and _binds(formula)]
        if not positive:
            name, parameter = next(iter(open.items()))
            yield from ({name: value} for value in self.universe.admitted(parameter))
            return
        atom = min(positive, key=lambda atom: sum(term in open for term in atom.arguments))
        for row in self.rows(atom.predicate):
            more: dict[str, str] = {}
            for term, value in zip(atom.arguments, row, strict=True):
                if term in open and term not in more:
                    if not self.universe.fits(value, open[term]):
                        break
                    more[term] = value
                elif more.get(term, binding.get(term, term)) != value:
                    break
            else:
                yield more


def _flat(condition: Iterable[Formula]) -> list[Formula]:
    return [
        part for formula in condition for part in (_flat(formula.parts) if isinstance(formula, And) else (formula,))
    ]


def _binds(formula: Formula) -> bool:
    """Whether atoms restrict its variables, so that not all objects have to be tried."""
    match formula:
        case Literal(atom, positive):
            return positive and atom.predicate != "="
        case And(parts):
            return any(map(_binds, parts))
        case Or(parts):
            return all(map(_binds, parts))
        case Exists(_, part):
            return _binds(part)
    return False


def _quantified(formula: Formula) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in formula.parameters} if isinstance(formula, Exists) else {}


def _opened(formula: Formula) -> Iterator[tuple[dict[str, Parameter], Formula]]:
    """The alternatives, each with its new variables."""
    if isinstance(formula, Exists):
        yield _quantified(formula), formula.part
    if isinstance(formula, Or):
        yield from (({}, part) for part in formula.parts)


class Universe:
    """The objects of a problem, and the axioms of its domain in order of evaluation."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.type_of = {object.name: object.type for object in (*domain.constants, *problem.objects)}
        self._admitted: dict[tuple[str, ...], list[str]] = {}
        self.axioms = {p: [axiom for axiom in domain.axioms if axiom.predicate == p] for p in domain.derived}
        self.levels = self._levels(domain)

    def _levels(self, domain: Domain) -> list[list[str]]:
        level = dict.fromkeys(sorted(self.axioms), 0)
        edges = dependencies(domain.axioms)
        changed = bool(level)
        while changed:
            changed = False
            for predicate in level:
                needed = max((level[p] + negative for p, negative in edges[predicate] if p in level), default=0)
                if needed > level[predicate]:
                    level[predicate], changed = needed, True
            assert max(level.values(), default=0) <= len(level), "the reader refuses axioms that are not stratified"
        return [[p for p in level if level[p] == number] for number in sorted(set(level.values()))]

    def fits(self, name: str, parameter: Parameter) -> bool:
        return self.hierarchy.fits(self.type_of[name], parameter.types)

    def admitted(self, parameter: Parameter) -> list[str]:
        if parameter.types not in self._admitted:
            self._admitted[parameter.types] = [name for name in self.type_of if self.fits(name, parameter)]
        return self._admitted[parameter.types]
