"""A problem of Unified Planning as PDDL, and plans for it in both directions."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from unified_planning.exceptions import UPException
from unified_planning.io import PDDLWriter
from unified_planning.model import Problem
from unified_planning.plans import ActionInstance, SequentialPlan

from liftq.engine.solver import Action, Plan
from liftq.errors import InputError


class Translation:
    def __init__(self, problem: Problem) -> None:
        """An InputError if PDDL cannot say it."""
        self.problem = problem
        self.writer = PDDLWriter(problem)
        try:
            self.domain_text, self.problem_text = self.writer.get_domain(), self.writer.get_problem()
        except (UPException, NotImplementedError, AssertionError) as error:
            raise InputError(f"the problem cannot be written as PDDL: {error or type(error).__name__}") from error

    def write(self, folder: Path) -> tuple[Path, Path]:
        """The files of domain and problem."""
        files = folder / "domain.pddl", folder / "problem.pddl"
        for file, text in zip(files, (self.domain_text, self.problem_text), strict=True):
            file.write_text(text, "utf-8")
        return files

    def write_plan(self, plan: SequentialPlan, folder: Path) -> Path:
        """The file of a plan, without actions that the problem does not have."""
        file = folder / "old.plan"
        lines = []
        for action in plan.actions:
            with suppress(UPException):
                lines.append(f"{Action(self._name(action.action), self._arguments(action))}\n")
        file.write_text("".join(lines), "utf-8")
        return file

    def to_up(self, plan: Plan) -> SequentialPlan:
        """PDDL knows fewer names than UP, so the writer may have changed some."""
        item, expressions = self.writer.get_item_named, self.problem.environment.expression_manager
        instances = [
            ActionInstance(item(each.schema), tuple(expressions.ObjectExp(item(name)) for name in each.arguments))
            for each in plan
        ]
        return SequentialPlan(instances, self.problem.environment)

    def from_up(self, plan: SequentialPlan) -> Plan:
        return tuple(Action(self._name(each.action), self._arguments(each)) for each in plan.actions)

    def _arguments(self, instance: ActionInstance) -> tuple[str, ...]:
        return tuple(self._name(value.object()) for value in instance.actual_parameters)

    def _name(self, item: object) -> str:
        return str(self.writer.get_pddl_name(item))
