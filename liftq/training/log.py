"""The log of a run: a line of JSON for each epoch, validation and final, written when it ends."""

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
        """All but one that was cut off by a kill."""
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

    def forget_epochs(self, values: str, after: int) -> None:
        """Drops the epochs after the last checkpoint, which are trained again; and mends a line that was cut off."""
        lines = self.lines()
        kept = [line for line in lines if line.get("values") != values or line["epoch"] <= after]
        write_atomically(self.path, "".join(json.dumps(line) + "\n" for line in kept))


def _check(line: Any) -> None:
    if not isinstance(line, dict):
        raise TypeError(f"{line!r} is not a record")
    for kind in ("validation", "final"):
        if kind in line:
            policy_name(line[kind])
    if "values" in line and type(line["epoch"]) is not int:
        raise TypeError("an epoch without number")
