"""Replanning for Unified Planning: after each change of the problem, the last plan is repaired."""

from __future__ import annotations

from typing import IO, Any

from unified_planning.engines import PlanGenerationResult
from unified_planning.engines.replanner import Replanner
from unified_planning.plans import Plan

from liftq.unified_planning.engine import LiftqEngine


class LiftqReplanner(Replanner[LiftqEngine]):  # type: ignore[misc]
    """Takes the place of UP's own, which solves the problem anew each time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._last: Plan | None = None

    def _resolve(self, timeout: float | None = None, output_stream: IO[str] | None = None) -> PlanGenerationResult:
        result = self.engine.solve_from(self._problem, self._last, timeout, output_stream)
        self._last = result.plan or self._last
        return result
