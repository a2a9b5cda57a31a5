"""Fast Downward (Helmert, JAIR 2006) as a subprocess: any of its aliases or search strings, every exit with a name."""

from __future__ import annotations

import importlib.util
import math
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from liftq.engine.plan_file import parse_plan
from liftq.engine.process import Finished, run
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.errors import InputError
from liftq.pddl.structures import Forall, Formula, Literal
from liftq.pddl.trees import parts
from liftq.pddl.writer import write_domain, write_problem
from liftq.teachers import Teacher

OVERRIDE = "LIFTQ_FAST_DOWNWARD"  # environment variable: a `fast-downward.py`, its folder, or any such executable
MISSING = (
    f"Fast Downward is not installed\n  Run `pip install 'liftq[teach]'`, or set {OVERRIDE} to its fast-downward.py."
)
A_WEEK = 604_800  # seconds; portfolios require a limit

# An optimal portfolio says 1 to 3 if an earlier part ran out of something before a later one finished its proof.
PLAN_FOUND = (0, 1, 2, 3)
ENDINGS = {
    10: Ending.UNSOLVABLE,
    11: Ending.UNSOLVABLE,
    12: Ending.SOLVER_ERROR,  # an incomplete search gave up
    13: Ending.SOLVER_ERROR,  # no plan within a bound, which we never set
    20: Ending.MEMORY_LIMIT,
    21: Ending.TIME_LIMIT,
    22: Ending.MEMORY_LIMIT,
    23: Ending.TIME_LIMIT,
    24: Ending.MEMORY_LIMIT,
    31: Ending.INVALID_INPUT,  # of the translator: the PDDL
    33: Ending.SOLVER_MISSING,  # of the search: its configuration
    34: Ending.INVALID_INPUT,  # PDDL that this configuration does not support
    36: Ending.SOLVER_MISSING,  # of the driver: an unknown alias
    37: Ending.INVALID_INPUT,
}
CHATTER = re.compile(r"INFO|Driver aborting|Remove intermediate|Peak memory|\w+ exit code|\s*[\[(]|\s*INPUT_FILE")

DEFAULT = "seq-opt-merge-and-shrink"
WITH_AXIOMS = "astar(blind())"  # its admissible heuristics know no axioms, or are no lower bounds with them

ADMISSIBLE = (
    "blind|cegar|cpdbs|hm|hmax|ipdb|landmark_cost_partitioning|lmcut|max|merge_and_shrink|operatorcounting|pdb|zopdbs"
    "|all_states_potential|diverse_potentials|initial_state_potential|sample_based_potentials"
)
OPTIMAL = re.compile(rf"seq-opt-[\w-]+|astar\((eval=)?({ADMISSIBLE})\(.*\)", re.DOTALL)
# Within a maximum, or as options: other evaluators, and anything that changes costs or prunes the search.
SPOILER = re.compile(r"\b(ff|add|cg|cea|const|goalcount|landmark_sum|g|pref|sum|weight)\(|bound=|cost_type|transform")


@dataclass(frozen=True, slots=True)
class FastDownward(Teacher):
    own_process: ClassVar[bool] = True
    configuration: str = DEFAULT  # an alias, or a search string such as astar(lmcut())

    @property
    def name(self) -> str:
        return self.configuration

    @property
    def optimal(self) -> bool:
        """True only for configurations known to be optimal; others may be, too."""
        return OPTIMAL.fullmatch(self.configuration) is not None and not SPOILER.search(self.configuration)

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        driver = find_driver()
        if driver is None:
            return Trajectory(Ending.SOLVER_MISSING, message=MISSING)
        with TemporaryDirectory(prefix="liftq-", ignore_cleanup_errors=True) as private:
            folder = Path(private)
            (folder / "domain.pddl").write_text(write_domain(task.domain))
            (folder / "problem.pddl").write_text(write_problem(task.problem))
            finished = run([*driver, *self._arguments(task, limits)], folder, limits)
            plans = sorted(folder.glob("plan*"), key=lambda path: int(path.suffix[1:] or 0))  # plan, or plan.1 plan.2
            text = plans[-1].read_text() if plans else None
        # An anytime configuration leaves each plan as it finds it and then runs into its limit. An optimal one writes
        # its plan after the proof, so there a plan beside a failure is no proof and does not count.
        if text is None or (finished.code not in PLAN_FOUND and self.optimal):
            return replace(explain(finished), seconds=finished.seconds)
        return replace(read(task, text), seconds=finished.seconds)

    def _arguments(self, task: Task, limits: Limits) -> list[str]:
        configuration = WITH_AXIOMS if self.configuration == DEFAULT and has_axioms(task) else self.configuration
        seconds = A_WEEK if limits.seconds is None else max(1, math.ceil(limits.seconds))
        options = ["--plan-file", "plan", "--search-time-limit", f"{seconds}s"]
        if "(" in configuration:
            return [*options, "domain.pddl", "problem.pddl", "--search", configuration]
        return [*options, "--alias", configuration, "domain.pddl", "problem.pddl"]


def has_axioms(task: Task) -> bool:
    """Its own, or those that Fast Downward makes of universal conditions and of goals that are no literals."""
    conditions = [schema.preconditions for schema in task.domain.schemas]
    conditions += [effect.condition for schema in task.domain.schemas for effect in schema.conditional_effects]
    if task.domain.axioms or not all(isinstance(goal, Literal) for goal in task.problem.goal):
        return True
    return any(map(is_universal, (formula for condition in conditions for formula in condition)))


def is_universal(formula: Formula) -> bool:
    return isinstance(formula, Forall) or any(map(is_universal, parts(formula)))


def find_driver() -> list[str] | None:
    """The start of the command line; None if there is no Fast Downward."""
    override = os.environ.get(OVERRIDE)
    spec = None if override else importlib.util.find_spec("up_fast_downward")  # importing it would pull in a framework
    if override:
        path = Path(override)
    elif spec and spec.origin:
        path = Path(spec.origin).parent / "downward"
    else:
        return None
    if path.is_dir():
        path /= "fast-downward.py"
    path = path.resolve()
    if not path.is_file():
        return None
    return [sys.executable, str(path)] if path.suffix == ".py" else [str(path)]


def read(task: Task, text: str) -> Trajectory:
    try:
        plan = parse_plan(text, task.domain, task.problem)
    except InputError as error:
        return Trajectory(Ending.INVALID_PLAN, message=str(error))
    return checked(Trajectory(Ending.SOLVED, plan), task)


def explain(finished: Finished) -> Trajectory:
    """The ending of a run without a plan that counts."""
    if finished.code is None:
        return Trajectory(Ending.TIME_LIMIT)
    ending = ENDINGS.get(finished.code, Ending.SOLVER_ERROR)
    if ending is Ending.SOLVER_ERROR and finished.ran_out_of_memory:
        ending = Ending.MEMORY_LIMIT  # a part of the planner that does not catch it, such as the driver
    if ending in (Ending.SOLVER_ERROR, Ending.INVALID_INPUT, Ending.SOLVER_MISSING):
        return Trajectory(ending, message=f"exit code {finished.code}, no plan{finished.last_words(CHATTER)}")
    return Trajectory(ending)
