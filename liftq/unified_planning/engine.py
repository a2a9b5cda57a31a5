"""Solving, validating, repairing and replanning for Unified Planning. Problems are passed on as PDDL, so `liftq solve`
would solve them the same way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from unified_planning.engines import (
    Engine,
    FailedValidationReason,
    LogLevel,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus,
    ValidationResult,
    ValidationResultStatus,
    mixins,
)
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
from unified_planning.engines.replanner import Replanner
from unified_planning.exceptions import UPUsageError
from unified_planning.model import Problem, ProblemKind
from unified_planning.plans import Plan, PlanKind

from liftq.domains import shortest_length
from liftq.engine.delivery import cheaper_plans
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import Validation, validate
from liftq.engine.watch import Countdown
from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem
from liftq.policies.policy_file import read_policy_file
from liftq.unified_planning.translation import Translation
from liftq.zoo import solver
from liftq.zoo.bundled import policy_path

Oneshot, Anytime = mixins.OneshotPlannerMixin, mixins.AnytimePlannerMixin
Validator, Repairer = mixins.PlanValidatorMixin, mixins.PlanRepairerMixin
NAME = "liftq"
FEATURES = {
    "ACTION_BASED",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "EQUALITIES",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "PLAN_LENGTH",
    "ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST",
}
STATUS = {
    Ending.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    Ending.UNSOLVABLE: PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    Ending.TIME_LIMIT: PlanGenerationResultStatus.TIMEOUT,
    Ending.MEMORY_LIMIT: PlanGenerationResultStatus.MEMOUT,
    Ending.STEP_LIMIT: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    Ending.DEAD_END: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    Ending.NO_UNVISITED_SUCCESSOR: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
}  # all other endings are internal errors


class LiftqEngine(Engine, Oneshot, Anytime, Validator, Repairer):  # type: ignore[misc, valid-type]
    def __init__(
        self,
        policy: str | None = None,  # a file, a bundled one, or none; by default the bundled one that fits
        threads: int = 1,
        memory_bytes: int | None = None,  # by which the process may grow
        **_: Any,
    ) -> None:
        Engine.__init__(self)
        Oneshot.__init__(self)
        self.policy, self.threads, self.memory_bytes = policy, threads, memory_bytes
        if policy is not None and policy != solver.NO_POLICY:
            try:
                read_policy_file(policy_path(policy))
            except InputError as error:
                raise UPUsageError(str(error)) from error

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(FEATURES)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= LiftqEngine.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _solve(
        self,
        problem: Problem,
        heuristic: Callable[..., Any] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            warnings.warn("liftq has its own values, and ignores the heuristic", stacklevel=3)
        return self.solve_from(problem, None, timeout, output_stream)

    def _repair(self, problem: Problem, plan: Plan) -> PlanGenerationResult:
        return self.solve_from(problem, plan)

    def solve_from(
        self, problem: Problem, old: Plan | None, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> PlanGenerationResult:
        """Keeps what still works of an old plan, if there is one."""
        countdown = Countdown(Limits(timeout))
        try:
            translation = Translation(problem)
            trajectory, _ = self._solved(translation, countdown, old)
        except InputError as error:
            return _refusal(error)
        result = _result(trajectory, translation)
        if output_stream is not None:
            output_stream.write("".join(f"{message}\n" for message in result.log_messages))
        return result

    def _get_solutions(
        self, problem: Problem, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        """Yields cheaper and cheaper plans, and finally the last one again as the result."""
        countdown = Countdown(Limits(timeout))
        try:
            translation = Translation(problem)
            first, task = self._solved(translation, countdown)
        except InputError as error:
            yield _refusal(error)
            return
        best = first
        if task is not None and first.solved:
            yield replace(_result(first, translation), status=PlanGenerationResultStatus.INTERMEDIATE)
            limits = replace(countdown.left, memory_bytes=self.memory_bytes)
            bound = shortest_length(task.domain, task.problem) or 0
            for best in cheaper_plans(task, first, limits, bound):
                if not best.optimal:
                    yield replace(_result(best, translation), status=PlanGenerationResultStatus.INTERMEDIATE)
        yield _result(best, translation)

    def _solved(
        self, translation: Translation, countdown: Countdown, old: Plan | None = None
    ) -> tuple[Trajectory, Task | None]:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # no plan is lost for a file that stays
            files = translation.write(Path(folder))
            limits = replace(countdown.left, memory_bytes=self.memory_bytes)
            old_plan = None if old is None else translation.write_plan(old, Path(folder))
            return solver.solve(*files, self.policy, limits, threads=self.threads, old_plan=old_plan)

    def _validate(self, problem: Problem, plan: Plan) -> ValidationResult:
        translation = Translation(problem)
        domain = parse_domain(translation.domain_text)
        read = parse_problem(translation.problem_text, domain)
        validation = validate(domain, read, translation.from_up(plan))
        log = [LogMessage(LogLevel.INFO, str(validation))]
        if validation.valid:
            values = dict.fromkeys(problem.quality_metrics, validation.cost)
            return ValidationResult(ValidationResultStatus.VALID, NAME, log, values or None)
        return ValidationResult(ValidationResultStatus.INVALID, NAME, log, **_fault(validation, plan))


class LiftqReplanner(Replanner[LiftqEngine]):  # type: ignore[misc]
    """Repairs the last plan after each change of the problem, where UP's own replanner solves the problem anew."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._last: Plan | None = None

    def _resolve(self, timeout: float | None = None, output_stream: IO[str] | None = None) -> PlanGenerationResult:
        result = self.engine.solve_from(self._problem, self._last, timeout, output_stream)
        self._last = result.plan or self._last
        return result


def _refusal(error: InputError) -> PlanGenerationResult:
    log = [LogMessage(LogLevel.ERROR, str(error))]
    return PlanGenerationResult(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, None, NAME, {}, log)


def _result(trajectory: Trajectory, translation: Translation) -> PlanGenerationResult:
    plan = translation.to_up(trajectory.plan) if trajectory.solved else None
    metrics = {
        "engine_internal_time": str(trajectory.seconds),
        "policy": trajectory.policy or solver.NO_POLICY,
        "passes": str(trajectory.passes),
        "states_valued": str(trajectory.states_valued),
        "kept": str(trajectory.kept),
    }
    status = STATUS.get(trajectory.ending, PlanGenerationResultStatus.INTERNAL_ERROR)
    if trajectory.optimal:
        status = PlanGenerationResultStatus.SOLVED_OPTIMALLY
    log = [LogMessage(LogLevel.INFO, f"{trajectory.ending}: {trajectory.message}".rstrip(": "))]
    return PlanGenerationResult(status, plan, NAME, metrics, log)


def _fault(validation: Validation, plan: Plan) -> dict[str, Any]:
    if validation.step is None:
        return {"reason": FailedValidationReason.UNSATISFIED_GOALS}
    action = plan.actions[validation.step - 1]
    return {"reason": FailedValidationReason.INAPPLICABLE_ACTION, "inapplicable_action": action}
