"""Learn policies for classical planning on small problems, and solve large ones with them.

    import liftq
    domain = liftq.read_domain("domain.pddl")
    task = liftq.Task(domain, liftq.read_problem("problem.pddl", domain))
    policy = liftq.load_policy("blocksworld")
    trajectory = policy.solve(task, liftq.Limits(seconds=60))
    print(trajectory.ending, *trajectory.plan)
    print(trajectory.searched)  # whether search helped; policy.alone does without

- problems: read_domain, read_problem, read_state, parse_domain, parse_problem, parse_state, Domain, Problem, Atom,
  InputError
- acting: Task, Choice, Action, Limits, Trajectory, Ending, validate
- policies: load_policy, Policy, PolicyFile, read_policy_file, save_policy
- acting in a changing world: World, Actor, Decision, repair
- search: search, teacher, heuristics, Heuristics
- learning: bundled_corpus, Corpus, lessons, lessons_of, Lesson, Lessons, LessonDataset
- training: train, Recipe, read_recipe; its events Begun, Epoch, Validated
- evaluation: evaluate, ScalingEvaluation, SuiteEvaluation

help(liftq.Task) and so on tell more. liftq.__version__ is what `liftq --version` prints.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liftq.engine.greedy_search import search
    from liftq.engine.heuristics import Heuristics, heuristics
    from liftq.engine.repair import repair
    from liftq.engine.solver import Action, Ending, Limits, Trajectory
    from liftq.engine.task import Choice, Task
    from liftq.engine.validator import validate
    from liftq.engine.world import World
    from liftq.errors import InputError
    from liftq.evaluation.scaling.evaluation import ScalingEvaluation
    from liftq.evaluation.suite.evaluation import SuiteEvaluation
    from liftq.pddl import parse_domain, parse_problem, parse_state, read_domain, read_problem, read_state
    from liftq.pddl.structures import Atom, Domain, Problem
    from liftq.pipeline import evaluate, train
    from liftq.policies import Policy
    from liftq.policies.actor import Actor
    from liftq.policies.decision import Decision
    from liftq.policies.policy_file import PolicyFile, read_policy_file, save_policy
    from liftq.teachers import teacher
    from liftq.teaching.corpora import bundled_corpus
    from liftq.teaching.corpus import Corpus
    from liftq.teaching.lesson import Lesson, Lessons, lessons, lessons_of
    from liftq.training.events import Begun, Epoch, Validated
    from liftq.training.lesson_dataset import LessonDataset
    from liftq.training.recipes.recipe import Recipe, read_recipe
    from liftq.zoo import load_policy

    __version__: str

__all__ = [
    "Action",
    "Actor",
    "Atom",
    "Begun",
    "Choice",
    "Corpus",
    "Decision",
    "Domain",
    "Ending",
    "Epoch",
    "Heuristics",
    "InputError",
    "Lesson",
    "LessonDataset",
    "Lessons",
    "Limits",
    "Policy",
    "PolicyFile",
    "Problem",
    "Recipe",
    "ScalingEvaluation",
    "SuiteEvaluation",
    "Task",
    "Trajectory",
    "Validated",
    "World",
    "bundled_corpus",
    "evaluate",
    "heuristics",
    "lessons",
    "lessons_of",
    "load_policy",
    "parse_domain",
    "parse_problem",
    "parse_state",
    "read_domain",
    "read_policy_file",
    "read_problem",
    "read_recipe",
    "read_state",
    "repair",
    "save_policy",
    "search",
    "teacher",
    "train",
    "validate",
]

_HOMES = {
    "Action": "liftq.engine.solver",
    "Actor": "liftq.policies.actor",
    "Atom": "liftq.pddl.structures",
    "Begun": "liftq.training.events",
    "Choice": "liftq.engine.task",
    "Corpus": "liftq.teaching.corpus",
    "Decision": "liftq.policies.decision",
    "Domain": "liftq.pddl.structures",
    "Ending": "liftq.engine.solver",
    "Epoch": "liftq.training.events",
    "Heuristics": "liftq.engine.heuristics",
    "InputError": "liftq.errors",
    "Lesson": "liftq.teaching.lesson",
    "LessonDataset": "liftq.training.lesson_dataset",
    "Lessons": "liftq.teaching.lesson",
    "Limits": "liftq.engine.solver",
    "Policy": "liftq.policies",
    "PolicyFile": "liftq.policies.policy_file",
    "Problem": "liftq.pddl.structures",
    "Recipe": "liftq.training.recipes.recipe",
    "ScalingEvaluation": "liftq.evaluation.scaling.evaluation",
    "SuiteEvaluation": "liftq.evaluation.suite.evaluation",
    "Task": "liftq.engine.task",
    "Trajectory": "liftq.engine.solver",
    "Validated": "liftq.training.events",
    "World": "liftq.engine.world",
    "bundled_corpus": "liftq.teaching.corpora",
    "evaluate": "liftq.pipeline",
    "heuristics": "liftq.engine.heuristics",
    "lessons": "liftq.teaching.lesson",
    "lessons_of": "liftq.teaching.lesson",
    "load_policy": "liftq.zoo",
    "parse_domain": "liftq.pddl",
    "parse_problem": "liftq.pddl",
    "parse_state": "liftq.pddl",
    "read_domain": "liftq.pddl",
    "read_policy_file": "liftq.policies.policy_file",
    "read_problem": "liftq.pddl",
    "read_recipe": "liftq.training.recipes.recipe",
    "read_state": "liftq.pddl",
    "repair": "liftq.engine.repair",
    "save_policy": "liftq.policies.policy_file",
    "search": "liftq.engine.greedy_search",
    "teacher": "liftq.teachers",
    "train": "liftq.pipeline",
    "validate": "liftq.engine.validator",
}


def __getattr__(name: str) -> object:
    """Imports on first use: the command line starts faster than all of this loads."""
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def _version() -> str:
    from importlib import metadata  # which takes longer to load than all else here

    try:
        return metadata.version("liftq")
    except metadata.PackageNotFoundError:
        return "of a checkout that is not installed"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
