"""The type hierarchy, as the transitive closure of the declarations."""

from __future__ import annotations

from collections.abc import Iterable

from liftq.pddl.structures import Type

ROOT = "object"


class Hierarchy:
    def __init__(self, types: Iterable[Type]) -> None:
        """Raise ValueError with the name of a type that is its own ancestor."""
        self.ancestors: dict[str, frozenset[str]] = {ROOT: frozenset((ROOT,))}  # a type is its own ancestor
        waiting = list(types)
        while waiting:
            later = [type for type in waiting if not self._place(type)]
            if len(later) == len(waiting):
                raise ValueError(later[0].name)
            waiting = later

    def _place(self, type: Type) -> bool:
        if any(parent not in self.ancestors for parent in type.parents):
            return False
        inherited = (self.ancestors[parent] for parent in type.parents)
        self.ancestors[type.name] = frozenset((type.name, ROOT)).union(*inherited)
        return True

    def fits(self, type: str, alternatives: Iterable[str]) -> bool:
        """Whether an object of this type is of one of the alternatives."""
        return not self.ancestors[type].isdisjoint(alternatives)

    def meet(self, some: Iterable[str], others: Iterable[str]) -> bool:
        """Whether an object can have a type of both lists."""
        return any(not a.isdisjoint(some) and not a.isdisjoint(others) for a in self.ancestors.values())
