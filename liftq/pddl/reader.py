"""Reads PDDL files."""

from __future__ import annotations

from os import PathLike

from liftq.pddl.domain_reader import parse_domain
from liftq.pddl.problem_reader import DomainMismatchWarning, parse_problem, parse_state
from liftq.pddl.source import read_text
from liftq.pddl.structures import Domain, Problem

__all__ = [
    "DomainMismatchWarning",
    "parse_domain",
    "parse_problem",
    "parse_state",
    "read_domain",
    "read_problem",
    "read_state",
]


def read_domain(path: str | PathLike[str]) -> Domain:
    """Read a domain from a PDDL file. An InputError names line and column, and suggests a fix."""
    return parse_domain(read_text(path), str(path))


def read_problem(path: str | PathLike[str], domain: Domain) -> Problem:
    """Read a problem from a PDDL file. An InputError names line and column, and suggests a fix."""
    return parse_problem(read_text(path), domain, str(path))


def read_state(path: str | PathLike[str], domain: Domain, problem: Problem) -> Problem:
    """The problem from the state in a file on. An InputError names line and column, and suggests a fix."""
    return parse_state(read_text(path), domain, problem, str(path))
