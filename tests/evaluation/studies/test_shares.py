"""Limited time: shared out evenly, and an end even for events that take long."""

from __future__ import annotations

import time
from collections.abc import Generator

import pytest

from liftq.engine.solver import Limits
from liftq.engine.watch import Countdown, until
from liftq.evaluation.studies.study import Training, with_shares


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [5000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_what_one_does_not_use_goes_to_the_others(clock: list[float]) -> None:
    countdown, seconds = Countdown(Limits(60)), []
    for _, share in with_shares([Training(())] * 3, countdown):
        seconds.append(share)
        clock[0] += 10
    assert seconds == [20, 25, 40]


def test_without_a_limit_there_are_no_shares() -> None:
    assert [seconds for _, seconds in with_shares([Training(())] * 2, Countdown(Limits()))] == [None, None]
    assert list(until(lambda: None, iterate([], 2))) == [0, 1]


def iterate(closed: list[bool], count: int = 10**6) -> Generator[int, None, None]:
    try:
        yield from range(count)
    finally:
        closed.append(True)


def test_events_end_with_the_time_and_are_closed(clock: list[float]) -> None:
    closed: list[bool] = []
    countdown = Countdown(Limits(60))
    for number in until(lambda: countdown.left.seconds, iterate(closed)):
        clock[0] += 20
        assert number < 3
    assert closed == [True]


def test_an_event_that_does_not_come_is_not_waited_for() -> None:
    def stuck() -> Generator[int, None, None]:
        while True:
            time.sleep(0.01)
        yield 1

    assert list(until(lambda: 0.2, stuck())) == []
