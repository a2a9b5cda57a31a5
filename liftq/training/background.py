"""Validation during training: policies with copies of the weights are played while the next epochs are computed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

from liftq.compute import StartCompute, first_done
from liftq.compute.local import Local
from liftq.policies.acting import FROM_PROBLEMS
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.policies.side_by_side import SideBySide
from liftq.training.events import Validated
from liftq.training.pooled import Pool
from liftq.training.validation import Score, ValidationSet


class BackgroundValidation:
    def __init__(
        self, validation: ValidationSet | Pool, workers: int, compute: StartCompute = Local, device: str = "cpu"
    ) -> None:
        self._compute, self._device = compute(workers), device
        self._validation = self._compute.share(validation)
        self._running: dict[Future[Score], PolicyFile] = {}

    @property
    def idle(self) -> bool:
        return not self._running

    def submit(self, policy: PolicyFile) -> None:
        self._running[self._compute.submit(play, self._validation, policy, self._device)] = policy

    def finished(self) -> Iterator[Validated]:
        """The results that are ready now."""
        for future in [each for each in self._running if each.done()]:
            policy = self._running.pop(future)
            yield Validated(policy, future.result(), len(self._running))

    def remaining(self) -> Iterator[Validated]:
        """All results, as they become ready."""
        while self._running:
            first_done(self._running)
            yield from self.finished()

    def close(self) -> None:
        self._compute.stop()


def play(validation: ValidationSet | Pool, policy: PolicyFile, device: str = "cpu") -> Score:
    alone = Greedy(policy, fallback="none")
    if isinstance(validation, Pool):  # against the clock it does not look for reasons to give up
        return validation.play(replace(alone.plain, acting=FROM_PROBLEMS, again=False))
    return validation.play(alone.judged if device == "cpu" else SideBySide(alone.judged, device))
