"""The test: held-out problems, solved by the policy alone, by policy and search, and by LAMA if it is here."""

from __future__ import annotations

from liftq.engine.solver import Limits
from liftq.evaluation.solvers import SEARCH
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.learning.learner import Learner
from liftq.teachers.fast_downward import find_driver

LAMA = "lama"


def held_out_test(learner: Learner, limits: Limits) -> SuiteEvaluation:
    policy = str(learner.folder.policy)
    solvers = [policy + SEARCH, policy, *([LAMA] if find_driver() else [])]
    problems = find_problems([learner.split.folder / "test"])
    return SuiteEvaluation(solvers, problems, limits, learner.jobs, compute=learner.compute)
