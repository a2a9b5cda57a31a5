"""Marks where a policy hesitated and where it was lost, by its values alone."""

from __future__ import annotations

from collections.abc import Iterator

from liftq.reports.show.replay import Replay, Step

CLOSE = 0.1  # values that differ by less count as equal
LOST = 10  # steps without a new lowest value

MEANINGS = {
    "even": f"several actions within {CLOSE:g} of the best value",
    "back": "a better valued action was passed over because it leads back to an earlier state",
    "lost": f"no new lowest value for {LOST} steps or more",
}


def marks_of(replay: Replay) -> Iterator[list[str]]:
    """By step."""
    lowest, since = float("inf"), 0
    for step in replay.steps:
        best = min((candidate.value for candidate in step.candidates), default=None)
        if best is None:
            yield []
            continue
        lowest, since = (best, 0) if best < lowest else (lowest, since + 1)
        found = {"even": _is_even(step), "back": _turned_away(step), "lost": since >= LOST}
        yield [name for name, holds in found.items() if holds]


def _is_even(step: Step) -> bool:
    first, second = (
        sorted(candidate.value for candidate in step.candidates)[:2] if len(step.candidates) > 1 else (0.0, 1.0)
    )
    return second - first < CLOSE


def _turned_away(step: Step) -> bool:
    taken = next(candidate.value for candidate in step.candidates if candidate.taken)
    return any(candidate.visited and candidate.value < taken for candidate in step.candidates)
