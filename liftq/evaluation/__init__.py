"""How well solvers do, by four protocols that share one contract: each adds to a results file what that lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from liftq.errors import InputError
from liftq.evaluation.result import Invocation, Record, Results

SomeRecord = TypeVar("SomeRecord", bound=Record, covariant=True)


class Evaluation(Protocol[SomeRecord]):
    def settings(self) -> dict[str, Any]:
        """For the header of what it adds; `kind` names the protocol."""

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        """Why results that were made with these settings, by the same protocol, must not be taken together with those
        of this evaluation; None if they may."""

    def evaluate(self, known: Results) -> Iterator[SomeRecord]:
        """What is not known yet, one record after the other."""


def refuse_mixture(evaluation: Evaluation[Record], known: Results, path: Path) -> None:
    kind = evaluation.settings()["kind"]
    for header in known.of(Invocation):
        if header.settings.get("kind") == kind and (reason := evaluation.conflict(header.settings)):
            raise InputError(f"{path}: {reason}\n  Choose another --out.")
