"""Problems like those of IPC 2023, drawn anew: nothing was tuned on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liftq.pddl.structures import Problem
from liftq.problems import Purpose
from liftq.problems.ipc23 import Ipc23
from liftq.problems.loading import load_domain
from liftq.problems.problem_set import like_ipc23


def problems(domain: str, split: Ipc23, files: Sequence[int], seed: int) -> Iterator[tuple[int, Problem]]:
    """By number of the file that each is like."""
    for number, instance in like_ipc23(load_domain(domain), split, seed, Purpose.EVALUATION).problems:
        if number in files and instance is not None:
            yield number, instance.problem
        if number >= max(files, default=0):
            return
