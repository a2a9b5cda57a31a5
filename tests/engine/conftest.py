"""Tasks that the engine is compared with other planners on."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from liftq.engine.task import Task
from liftq.errors import PDDLWarning
from liftq.pddl import read_domain, read_problem


@pytest.fixture(scope="session")
def classical_tasks(classical: Path) -> list[Task]:
    """The first problem of each domain of the planning competitions."""
    tasks = []
    with warnings.catch_warnings(action="ignore", category=PDDLWarning):
        for folder in sorted(folder for folder in classical.iterdir() if folder.is_dir()):
            file = min(file for file in folder.glob("*.pddl") if not file.name.startswith("domain"))
            own = folder / f"domain_{file.name}"
            domain = read_domain(own if own.exists() else folder / "domain.pddl")
            tasks.append(Task(domain, read_problem(file, domain)))
    assert tasks
    return tasks
