"""Fingerprints of problems, and whether a problem is solved at the start."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from liftq.engine.truth import Truth, Universe
from liftq.pddl.structures import Domain, Formula, Problem


def canonical_form(problem: Problem) -> str:
    """A text that depends neither on the order of atoms nor on the problem's name."""
    parts = (
        [problem.domain_name],
        sorted(f"{object_.name} - {object_.type}" for object_ in problem.objects),
        sorted(set(map(str, problem.init))),
        sorted(f"{term} = {value}" for term, value in problem.values),
        sorted(set(map(str, problem.goal))),
        ["minimize-cost"] if problem.minimize_cost else [],
    )
    return "\n\n".join("\n".join(part) for part in parts)


def fingerprint(problem: Problem) -> str:
    """32 hexadecimal digits that identify a problem, the same in every process and on every machine."""
    return hashlib.blake2b(canonical_form(problem).encode(), digest_size=16).hexdigest()


def solved_at_start(domain: Domain, problem: Problem) -> bool:
    return _is_solved(domain, problem) if domain.axioms else not open_goals(domain, problem)


def open_goals(domain: Domain, problem: Problem) -> list[Formula]:
    """The goals that do not hold at the start."""
    if domain.axioms:
        return [goal for goal in problem.goal if not _is_solved(domain, replace(problem, goal=(goal,)))]
    truth = Truth(Universe(domain, problem), problem.init)
    return [goal for goal in problem.goal if not truth.holds(goal, {})]


def _is_solved(domain: Domain, problem: Problem) -> bool:
    """Uses the engine, which is ten to a hundred times faster than `Truth` if there are axioms."""
    from liftq.engine.task import Task  # imports numpy, which commands such as `generate` do without

    task = Task(domain, problem)
    return task.is_goal(task.initial_state)
