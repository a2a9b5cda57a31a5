"""A folder of small problems, as a user has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.files import write_atomically
from liftq.pddl.writer import write_problem
from liftq.problems.loading import load_domain


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[..., Path]:
    """With one problem of each of these sizes."""

    def made(name: str, *sizes: int) -> Path:
        source, folder = load_domain(name), tmp_path / name
        folder.mkdir()
        write_atomically(folder / "domain.pddl", source.pddl)
        for number, size in enumerate(sizes, start=1):
            problem = next(source.instances(size, seed=number)).problem
            write_atomically(folder / f"p{number:02}.pddl", write_problem(problem))
        return folder

    return made
