"""Several processes that evaluate sizes at the same time, with the results that one would give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from liftq.engine.solver import Ending, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.curve import Stop, coverages_of, curve, next_size
from liftq.evaluation.scaling.protocol import Scaling, ScalingRecord

Message = dict[str, Any] | None  # None: the process is gone


class Member:
    """One process, restarted by `Crew` if a solver takes it down."""

    def __init__(self, settings: str, inbox: SimpleQueue[tuple[Member, Message]]) -> None:
        self.size: int | None = None  # what it works on
        self.ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liftq.evaluation.scaling.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={"OMP_NUM_THREADS": "1", **os.environ},
        )
        threading.Thread(target=self._listen, args=(inbox,), daemon=True).start()
        self._tell(settings)

    def order(self, size: int, solved: Sequence[bool]) -> None:
        self.size = size
        self._tell(json.dumps({"size": size, "solved": list(solved)}))

    def last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        return "\n".join([f"the process ended with code {self._process.wait()}", *lines[-3:]])

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it is gone, and the inbox will say so
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self, inbox: SimpleQueue[tuple[Member, Message]]) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            inbox.put((self, json.loads(line)))
        inbox.put((self, None))


@dataclass(frozen=True)
class Crew:
    scaling: Scaling
    domain: str  # as `load_domain` knows it
    jobs: int = 1
    known: Sequence[str] = ()  # as in `scaling`

    def evaluate(self, sizes: Sequence[int], before: Iterable[ScalingRecord] = ()) -> Iterator[ScalingRecord]:
        """Yields what is new. Sizes ahead of the smallest unsettled one are evaluated while there is nothing else to
        do; `curve` leaves out those past the stop."""
        shift = _Shift(self, sizes, list(before))
        try:
            yield from shift.work()
        finally:
            for member in shift.members:
                member.end()

    def settings(self) -> str:
        scaling = self.scaling
        names = {"solver": scaling.solver_name, "domain": self.domain, "known": list(self.known)}
        return json.dumps(names | {"seed": scaling.seed, "steps_beyond": scaling.steps_beyond})


class _Shift:
    def __init__(self, crew: Crew, sizes: Sequence[int], records: list[ScalingRecord]) -> None:
        self.crew, self.sizes, self.records = crew, sizes, records
        self.members: list[Member] = []
        self.inbox: SimpleQueue[tuple[Member, Message]] = SimpleQueue()

    def work(self) -> Iterator[ScalingRecord]:
        while len(self.members) < self.crew.jobs and self._hire():
            pass
        while any(member.size is not None for member in self.members):
            member, message = self.inbox.get()
            record = self._record(member, message)
            if record is not None:
                self.records.append(record)
                yield record
            if message is None:
                self.members.remove(member)
                member.end()
                self._hire()
            elif "finished" in message:
                member.size = None
                if curve(self.sizes, coverages_of(self.records)).stop is not Stop.UNFINISHED:
                    return  # whatever still runs lies past the stop
                self._put_to_work(member)

    def _hire(self) -> bool:
        if self._next_size() is None:
            return False
        member = Member(self.crew.settings(), self.inbox)
        self.members.append(member)
        self._put_to_work(member)
        return True

    def _put_to_work(self, member: Member) -> None:
        size = self._next_size()
        if size is not None:
            member.order(size, self._outcomes(size))

    def _next_size(self) -> int | None:
        return next_size(self.sizes, coverages_of(self.records), self._running())

    def _running(self) -> set[int]:
        return {member.size for member in self.members if member.size is not None}

    def _outcomes(self, size: int) -> list[bool]:
        attempts = [each for each in self.records if isinstance(each, ScalingAttempt) and each.size == size]
        by_number = {each.number: each.solved for each in attempts}
        outcomes: list[bool] = []
        while len(outcomes) in by_number:
            outcomes.append(by_number[len(outcomes)])
        return outcomes

    def _record(self, member: Member, message: Message) -> ScalingRecord | None:
        if message is None:
            return self._crash(member)
        if "error" in message:
            raise InputError(message["error"])
        member.ready = True
        if "record" not in message:
            return None
        values = message["record"]
        kind = Exhausted if values["kind"] == Exhausted.kind else ScalingAttempt
        return kind.of_fields(values)

    def _crash(self, member: Member) -> ScalingRecord:
        """An attempt like any other: the one that the process was at."""
        if not member.ready:
            raise InputError(f"{self.crew.scaling.solver_name} cannot be loaded: {member.last_words()}")
        assert member.size is not None
        number = len(self._outcomes(member.size))
        instance = next(self.crew.scaling.instances(member.size, start=number))
        trajectory = Trajectory(Ending.SOLVER_ERROR, message=member.last_words())
        return self.crew.scaling.record(trajectory, instance, number)
