"""Atoms of an initial state as arrays of numbers, turned into tuples on first use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

from liftq.pddl.structures import Atom

if TYPE_CHECKING:  # the command line starts without NumPy
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Atoms(Sequence[Atom]):
    """Equal to a tuple of the same atoms."""

    predicates: tuple[str, ...]
    objects: tuple[str, ...]
    rows: tuple[NDArray[np.int32], ...]  # by predicate: [atoms, arity]
    order: NDArray[np.int32]  # by atom: its predicate

    @cached_property
    def as_tuple(self) -> tuple[Atom, ...]:
        objects = self.objects
        atoms = [
            iter([tuple.__new__(Atom, (name, tuple([objects[o] for o in row]))) for row in rows.tolist()])
            for name, rows in zip(self.predicates, self.rows, strict=True)
        ]
        return tuple([next(atoms[predicate]) for predicate in self.order.tolist()])

    def __len__(self) -> int:
        return len(self.order)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.as_tuple)

    @overload
    def __getitem__(self, index: int) -> Atom: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Atom, ...]: ...
    def __getitem__(self, index: int | slice) -> Atom | tuple[Atom, ...]:
        return self.as_tuple[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Atoms | tuple) and self.as_tuple == tuple(other))

    def __hash__(self) -> int:
        return hash(self.as_tuple)

    def __repr__(self) -> str:
        return repr(self.as_tuple)

    def __reduce__(self) -> tuple[type[Atoms], tuple[object, ...]]:
        return Atoms, (self.predicates, self.objects, self.rows, self.order)  # without the tuple
