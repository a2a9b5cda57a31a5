"""Four protocols that measure solvers. They share one contract: each adds to a results file what is missing there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from liftq.errors import InputError
from liftq.evaluation.result import Invocation, Record, Results

SomeRecord = TypeVar("SomeRecord", bound=Record, covariant=True)


class Evaluation(Protocol[SomeRecord]):
    def settings(self) -> dict[str, Any]:
        """For the header of its records; `kind` names the protocol."""

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        """Why results with these settings, by the same protocol, must not be mixed with those of this evaluation; None
        if they may."""

    def evaluate(self, known: Results) -> Iterator[SomeRecord]:
        """Yields the records that are not known yet."""


def refuse_mixture(evaluation: Evaluation[Record], known: Results, path: Path) -> None:
    kind = evaluation.settings()["kind"]
    for header in known.of(Invocation):
        if header.settings.get("kind") == kind and (reason := evaluation.conflict(header.settings)):
            raise InputError(f"{path}: {reason}\n  Choose another --out.")
