"""A user's request for teaching, by names, and the teaching that it describes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from liftq.compute import StartCompute
from liftq.domains import Generator
from liftq.engine.solver import Limits
from liftq.problems import ProblemSource
from liftq.problems.generated import Generated
from liftq.problems.loading import load_domain
from liftq.teachers import Teacher, teacher
from liftq.teaching.played import NearOptimal
from liftq.teaching.teach import OneOf, Quota, Teaching
from liftq.teaching.visited import Visited
from liftq.zoo import load_policy


@dataclass(frozen=True)
class TeachRequest:
    domain: str  # a bundled one, a folder of PDDL, or a Python file
    domain_file: Path | None  # of a folder, if not the nearest domain.pddl
    sizes: tuple[int, int] | None  # both included; None: those that suit the domain
    teacher: str | None  # None: the fastest for a bundled domain, otherwise our own search
    played_by: str | None  # a policy in place of a teacher: its own plans
    visited_by: str | None  # start in states that this policy visits
    group: OneOf
    quota: Quota
    limits: Limits
    seed: int
    jobs: int
    compute: StartCompute

    @cached_property
    def source(self) -> ProblemSource:
        return load_domain(self.domain, self.domain_file)

    def _teacher(self, otherwise: str) -> Teacher:
        if self.played_by:
            return NearOptimal(load_policy(self.played_by), shortens=False)
        return teacher(self.teacher or otherwise)

    def teaching(self) -> Teaching:
        source = self.source
        known = source.generator if isinstance(source, Generated) else Generator
        if self.visited_by:
            source = Visited(source, load_policy(self.visited_by).plain.alone, self.group.size)
        return Teaching(
            source,
            self._teacher(known.teacher),
            self.limits,
            self.quota,
            *(self.sizes or known.taught_sizes),
            seed=self.seed,
            jobs=self.jobs,
            group=self.group,
            compute=self.compute,
            any_plans=self.played_by is not None,
        )
