"""Domains of the planning competitions, with all that people write, are read and written back the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.pddl import parse_domain, parse_problem, read_domain, read_problem, write_domain, write_problem


@pytest.mark.filterwarnings("ignore::liftq.errors.PDDLWarning")
def test_all_problems_are_read(classical: Path) -> None:
    files = [file for file in sorted(classical.glob("*/*.pddl")) if not file.name.startswith("domain")]
    assert files
    for file in files:
        own = file.with_name(f"domain_{file.name}")
        domain = read_domain(own if own.exists() else file.with_name("domain.pddl"))
        problem = read_problem(file, domain)
        assert parse_domain(write_domain(domain)) == domain
        assert parse_problem(write_problem(problem), domain) == problem
