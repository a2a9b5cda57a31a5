"""How fast a run trained, from its log: milliseconds per model and step, and how much of the time the device worked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pace:
    values: str  # q or v
    epochs: int
    steps: int
    model_steps: int
    step_seconds: float
    seconds: float  # of training, with saving and what else happened between steps
    preparing: float  # seconds before the first step of each start: lessons, graphs, capturing

    @property
    def milliseconds(self) -> float:
        """Per model and step."""
        return 1000 * self.step_seconds / self.model_steps

    @property
    def working(self) -> float:
        """Share of the wall time, preparation included, that went into steps."""
        return self.step_seconds / (self.seconds + self.preparing)

    def __str__(self) -> str:
        speed = f"{self.milliseconds:.2f} ms per model and step"
        length = f"{self.epochs} epochs of {self.steps // self.epochs} steps"
        return f"{length}, {speed}, {self.working:.0%} of the time in steps"


def paces(lines: Iterable[dict[str, Any]]) -> list[Pace]:
    """Of the Q-values and of the state-values. Runs that are older than this measurement have none."""
    kept = list(lines)
    found = []
    for values in ("q", "v"):
        epochs = [line for line in kept if line.get("values") == values and line.get("step_seconds")]
        if not epochs:
            continue
        preparations = [line["prepared"] for line in kept if line.get("prepared", {}).get("values") == values]
        found.append(
            Pace(
                values,
                len(epochs),
                sum(line["steps"] for line in epochs),
                sum(line["steps"] * line["models"] for line in epochs),
                sum(line["step_seconds"] for line in epochs),
                epochs[-1]["seconds"],
                sum(each["seconds"] for each in preparations),
            )
        )
    return found
