"""The log of a run: a line of JSON for each epoch, validation and final, and how fast training was."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from liftq.errors import InputError
from liftq.files import write_atomically

Card = dict[str, Any]


def policy_name(card: Card) -> str:
    """Of a model as it was after an epoch."""
    return f"{card['objective']}-{card['seed']}-{card['epoch']}"


@dataclass(frozen=True)
class Log:
    path: Path

    def append(self, line: dict[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(line).encode() + b"\n")

    def lines(self) -> list[dict[str, Any]]:
        """Without a last line that a kill truncated."""
        whole = self.path.read_bytes().split(b"\n")[:-1] if self.path.exists() else []
        try:
            lines = [json.loads(line) for line in whole]
            for line in lines:
                _check(line)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            cure = "Restore it; or delete it, and validation and finals are played again."
            raise InputError(f"{self.path}: not the log of a run: {error}\n  {cure}") from error
        return lines

    def cards(self, kind: Literal["validation", "final"]) -> dict[str, Card]:
        """By name of the policy."""
        return {policy_name(line[kind]): line[kind] for line in self.lines() if kind in line}

    def paces(self) -> list[Pace]:
        """For Q-values and for state-values, if they were trained."""
        lines, found = self.lines(), []
        for values in ("q", "v"):
            epochs = [line for line in lines if line.get("values") == values and line.get("step_seconds")]
            if epochs:
                preparations = [line["prepared"] for line in lines if line.get("prepared", {}).get("values") == values]
                pace = Pace(
                    values,
                    len(epochs),
                    sum(line["steps"] for line in epochs),
                    sum(line["steps"] * line["models"] for line in epochs),
                    sum(line["step_seconds"] for line in epochs),
                    epochs[-1]["seconds"],
                    sum(preparation["seconds"] for preparation in preparations),
                )
                found.append(pace)
        return found

    def forget_epochs(self, values: str, after: int) -> None:
        """Drops the epochs after the last checkpoint, which are trained again, and a truncated last line."""
        lines = self.lines()
        kept = [line for line in lines if line.get("values") != values or line["epoch"] <= after]
        write_atomically(self.path, "".join(json.dumps(line) + "\n" for line in kept))


@dataclass(frozen=True)
class Pace:
    values: str  # q or v
    epochs: int
    steps: int
    model_steps: int
    step_seconds: float
    seconds: float  # of training, including time between steps, such as saving
    preparing: float  # seconds before the first step of each start: lessons, graphs, capturing

    @property
    def milliseconds(self) -> float:
        """Per model and step."""
        return 1000 * self.step_seconds / self.model_steps

    @property
    def working(self) -> float:
        """The share of the wall time, preparation included, that was spent in steps."""
        return self.step_seconds / (self.seconds + self.preparing)

    def __str__(self) -> str:
        speed = f"{self.milliseconds:.2f} ms per model and step"
        length = f"{self.epochs} epochs of {self.steps // self.epochs} steps"
        return f"{length}, {speed}, {self.working:.0%} of the time in steps"


def _check(line: Any) -> None:
    if not isinstance(line, dict):
        raise TypeError(f"{line!r} is not a record")
    for kind in ("validation", "final"):
        if kind in line:
            policy_name(line[kind])
    if "values" in line and type(line["epoch"]) is not int:
        raise TypeError("an epoch without number")
