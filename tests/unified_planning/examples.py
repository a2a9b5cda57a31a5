"""UP's example problems, and problems of bundled domains."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import unified_planning.shortcuts as up
from unified_planning.engines import ValidationResultStatus
from unified_planning.model import Problem
from unified_planning.plans import Plan
from unified_planning.test.examples import get_example_problems

from liftq.pddl import write_domain, write_problem
from liftq.problems.loading import load_domain
from liftq.unified_planning.engine import LiftqEngine

up.get_environment().credits_stream = None
EXAMPLES = {name: e for name, e in get_example_problems().items() if type(e.problem) is Problem}
SUPPORTED = [name for name, example in EXAMPLES.items() if LiftqEngine.supports(example.problem.kind)]


def files(name: str, size: int, folder: Path, number: int = 0) -> tuple[Path, Path]:
    """A generated problem, as PDDL."""
    source = load_domain(name)
    instance = next(islice(source.instances(size), number, None))
    texts = write_domain(source.domain), write_problem(instance.problem)
    paths = folder / "domain.pddl", folder / "problem.pddl"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def is_valid(problem: Problem, plan: Plan) -> bool:
    """By UP's own validator."""
    with up.PlanValidator(name="sequential_plan_validator") as validator:
        return bool(validator.validate(problem, plan).status == ValidationResultStatus.VALID)
