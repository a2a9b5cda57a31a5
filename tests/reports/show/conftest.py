"""Small problems of bundled domains, as files and as tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.engine.task import Task
from liftq.pddl.writer import write_problem
from liftq.problems.loading import load_domain


@pytest.fixture
def task() -> Callable[[str, int], Task]:
    def opened(name: str, size: int) -> Task:
        source = load_domain(name)
        return Task(source.domain, next(source.instances(size, seed=3)).problem)

    return opened


@pytest.fixture
def files(task: Callable[[str, int], Task], tmp_path: Path) -> Callable[[str, int], tuple[Path, Path]]:
    """A domain and a problem of this size."""

    def written(name: str, size: int) -> tuple[Path, Path]:
        domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
        domain.write_text(load_domain(name).pddl)
        problem.write_text(write_problem(task(name, size).problem))
        return domain, problem

    return written
