"""Problems larger than those given: two of them side by side, as one.

Types of which all given problems have the same objects, such as the hands of a barman, are shared, and so are scales,
such as floors, as far as both problems have them. Everything else is there twice, with roads from one to the other
where there are roads. What is true as often in each given problem, such as the place of the only robot, is taken from
the first. Whether there is a plan for the whole is for a search to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from liftq.domains import Dice
from liftq.learning.bridges import bridges
from liftq.learning.curriculum import COMPOSED, MARK
from liftq.learning.scales import common_scales
from liftq.pddl.structures import Atom, Domain, Literal, Problem

# A predicate of fluents; or also a place among its arguments, and the shared object that stands there.
Slot = tuple[str] | tuple[str, int, str]


@dataclass(frozen=True)
class Composer:
    domain: Domain
    problems: Sequence[Problem]  # that were given

    def composed_of(self, parts: Sequence[Problem]) -> Problem | None:
        """Any number of them, if they can be composed."""
        whole: Problem | None = parts[0]
        for part in parts[1:]:
            whole = whole and self.composed(whole, part)
        return whole and replace(whole, name=f"{COMPOSED}{MARK}{'+'.join(part.name for part in parts)}")

    def composed(self, first: Problem, second: Problem) -> Problem | None:
        """None if the goals are more than literals, or the second problem has none of its own."""
        if not all(isinstance(goal, Literal) for goal in (*first.goal, *second.goal)):
            return None
        names = self._new_names(first, second)
        objects = (each._replace(name=names[each.name]) for each in second.objects if each.name in names)
        init = (_renamed(atom, names) for atom in second.init if not self._is_shared(atom))
        values = ((_renamed(term, names), value) for term, value in second.values if self._own(term))
        goals = [
            goal._replace(atom=_renamed(goal.atom, names))
            for goal in second.goal
            if isinstance(goal, Literal) and not self._is_shared(goal.atom)
        ]
        if not goals:
            return None
        dice = Dice("bridges", first.name, second.name, len(first.objects))
        roads, lengths = bridges(self.domain, first, second, self.shared, names, dice)
        return replace(
            first,
            objects=(*first.objects, *objects),
            init=tuple(dict.fromkeys((*first.init, *init, *roads))),
            values=tuple(dict((*first.values, *values, *lengths)).items()),
            goal=tuple(dict.fromkeys((*first.goal, *goals))),
        )

    @cached_property
    def shared(self) -> frozenset[str]:
        """Names of objects that are there once; those of one type in all problems, and the domain's constants."""
        by_type = [_names_by_type(problem) for problem in self.problems]
        types = set.intersection(*map(set, by_type))
        same = (by_type[0][type] for type in types if all(each[type] == by_type[0][type] for each in by_type))
        return frozenset().union({each.name for each in self.domain.constants}, *same)

    @cached_property
    def _counted(self) -> frozenset[Slot]:
        """Those with as many atoms in every problem; of predicates, those with a single one."""
        counts = [Counter(self._slots(problem.init)) for problem in self.problems]
        constant = {slot for slot, count in counts[0].items() if all(each[slot] == count for each in counts)}
        return frozenset(slot for slot in constant if len(slot) > 1 or counts[0][slot] == 1)

    def _slots(self, atoms: Iterable[Atom]) -> Iterable[Slot]:
        for atom in atoms:
            if atom.predicate in self.domain.fluents:
                yield (atom.predicate,)
                for place, name in enumerate(atom.arguments):
                    if name in self.shared:
                        yield atom.predicate, place, name

    def _own(self, atom: Atom) -> bool:
        """Whether it is about objects that the second problem has for itself."""
        return any(name not in self.shared for name in atom.arguments)

    def _is_shared(self, atom: Atom) -> bool:
        return not self._own(atom) or any(slot in self._counted for slot in self._slots([atom]))

    def _new_names(self, first: Problem, second: Problem) -> dict[str, str]:
        there = {each.name for each in first.objects}
        scales = common_scales(self.domain, first, second, self.shared)
        names = {name: name for name in scales - there}
        taken = there | scales | self.shared
        for name in (each.name for each in second.objects if each.name not in self.shared | scales):
            number = 1
            while (new := f"{name}-{number}") in taken:
                number += 1
            names[name] = new
            taken.add(new)
        return names


def _names_by_type(problem: Problem) -> dict[str, frozenset[str]]:
    types = {each.type for each in problem.objects}
    return {type: frozenset(each.name for each in problem.objects if each.type == type) for type in types}


def _renamed(atom: Atom, names: Mapping[str, str]) -> Atom:
    return atom._replace(arguments=tuple(names.get(name, name) for name in atom.arguments))
