"""Selects the problems of a set: of one size, with given parameters, or like a set of IPC 2023."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat

from liftq.errors import InputError
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.generated import Generated
from liftq.problems.ipc23 import Ipc23, schedule

Numbered = tuple[int, Instance | None]  # None: there are no more problems


@dataclass(frozen=True)
class Selection:
    numbers: Collection[int]
    problems: Iterable[Numbered]  # drawn as they are asked for


def of_size(source: ProblemSource, size: int, count: int, seed: int, purpose: Purpose) -> Selection:
    return _numbered(source.instances(size, seed, purpose), count)


def with_parameters(
    source: ProblemSource, parameters: Mapping[str, int], count: int, seed: int, purpose: Purpose
) -> Selection:
    generated = _generated(source, "--set")
    drawn = generated.generator.with_parameters(parameters)
    return _numbered(generated.instances_with(drawn, seed, purpose), count)


def like_ipc23(source: ProblemSource, split: Ipc23, seed: int, purpose: Purpose) -> Selection:
    generated = _generated(source, "--like")
    rows = schedule(generated.generator, split)

    def problems() -> Iterator[Numbered]:
        known: set[str] = set()
        for number, parameters in rows:
            instance = next(generated.instances_with(parameters, seed, purpose, known), None)
            known |= {instance.fingerprint} if instance else set()
            yield number, instance  # the competition's sets have gaps for the same reason

    return Selection([number for number, _ in rows], problems())


def _numbered(instances: Iterator[Instance], count: int) -> Selection:
    numbers = range(1, count + 1)
    return Selection(numbers, zip(numbers, chain(instances, repeat(None)), strict=False))


def _generated(source: ProblemSource, option: str) -> Generated:
    if not isinstance(source, Generated):
        raise InputError(f"{option} needs a generator, and {source.name} is a folder\n  Use --size.")
    return source
