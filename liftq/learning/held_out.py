"""The test: held-out problems, solved by policy and search, by either alone, and by LAMA if it is here."""

from __future__ import annotations

from liftq.engine.solver import Limits
from liftq.evaluation.learning import LAMA, SEARCH_ALONE
from liftq.evaluation.solvers import SEARCH
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.learning.learner import Learner
from liftq.teachers.fast_downward import find_driver


def held_out_test(learner: Learner, limits: Limits) -> SuiteEvaluation:
    policy = str(learner.folder.policy)
    solvers = [policy + SEARCH, policy, SEARCH_ALONE, *([LAMA] if find_driver() else [])]
    problems = find_problems([learner.split.folder / "test"])
    return SuiteEvaluation(solvers, problems, limits, learner.jobs, compute=learner.compute)
