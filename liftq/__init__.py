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
- learning: bundled_corpus, Corpus, lessons, lessons_of, Lesson, LessonDataset
- training: train, Recipe, read_recipe; its events Begun, Epoch, Validated
- evaluation: evaluate, ScalingEvaluation, SuiteEvaluation

See help(liftq.Task) and so on. liftq.__version__ is what `liftq --version` prints.
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
    from liftq.teaching.lesson import Lesson, lessons, lessons_of
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

_NAMES_OF = {  # by module
    "liftq.engine.greedy_search": "search",
    "liftq.engine.heuristics": "Heuristics heuristics",
    "liftq.engine.repair": "repair",
    "liftq.engine.solver": "Action Ending Limits Trajectory",
    "liftq.engine.task": "Choice Task",
    "liftq.engine.validator": "validate",
    "liftq.engine.world": "World",
    "liftq.errors": "InputError",
    "liftq.evaluation.scaling.evaluation": "ScalingEvaluation",
    "liftq.evaluation.suite.evaluation": "SuiteEvaluation",
    "liftq.pddl": "parse_domain parse_problem parse_state read_domain read_problem read_state",
    "liftq.pddl.structures": "Atom Domain Problem",
    "liftq.pipeline": "evaluate train",
    "liftq.policies": "Policy",
    "liftq.policies.actor": "Actor",
    "liftq.policies.decision": "Decision",
    "liftq.policies.policy_file": "PolicyFile read_policy_file save_policy",
    "liftq.teachers": "teacher",
    "liftq.teaching.corpora": "bundled_corpus",
    "liftq.teaching.corpus": "Corpus",
    "liftq.teaching.lesson": "Lesson lessons lessons_of",
    "liftq.training.events": "Begun Epoch Validated",
    "liftq.training.lesson_dataset": "LessonDataset",
    "liftq.training.recipes.recipe": "Recipe read_recipe",
    "liftq.zoo": "load_policy",
}
_HOME_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Imports on first use: the command line starts faster than all of this loads."""
    if name == "__version__":
        return _version()
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def _version() -> str:
    from importlib import metadata  # slower to load than everything else here

    try:
        return metadata.version("liftq")
    except metadata.PackageNotFoundError:
        return "of a checkout that is not installed"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
