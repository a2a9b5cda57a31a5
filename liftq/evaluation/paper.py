"""The paper's figures, and the rule that decides whether a cell of its main table is reached.

A cell is reached if its SCov is at least 95 % of the paper's, even at the lower end of its 90 % interval; behind if it
is less, even at the upper end; and undecided otherwise. A size that was left out counts as unsolved for the lower end,
since evaluation might have ended there, and like its better neighbour for the upper end. If both neighbours are always
solved, or both never, it counts like them.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from liftq.evaluation.scaling.curve import Curve
from liftq.evaluation.scaling.reading import Reading

VALUES = {"state_value": "V", "q_value": "Q", "q_explicit": "Q explicit", "q_heuristic": "Q heuristic"}  # by objective
ENOUGH = 0.95  # of the paper's SCov
Score = dict[str, float]  # Scale and SCov of one cell of the paper's main table


class Verdict(StrEnum):
    REACHED = "reached"
    BEHIND = "behind"
    UNDECIDED = "undecided"


@cache
def paper() -> dict[str, Any]:
    """Its figures, table by table."""
    read: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return read


def scores(domain: str, network: str) -> dict[str, Score]:
    """The paper's cells of a network in a domain, by values."""
    found: dict[str, Score] = paper()["scaling"]["figures"].get(domain, {}).get(network, {})
    return found


def best_score(domain: str, network: str) -> Score | None:
    return max(scores(domain, network).values(), key=lambda score: score["scov"], default=None)


def theirs(reading: Reading) -> Score | None:
    """The paper's cell with the same domain, network and values; None if no study trained the policy."""
    if not reading.of_a_study or not reading.settings.get("card"):
        return None
    return scores(reading.domain, reading.settings["architecture"]).get(values_of(reading))


def values_of(reading: Reading) -> str:
    """V, Q, ... if a study trained the policy; otherwise empty."""
    return VALUES.get(str(reading.settings["card"].get("objective")), "") if reading.of_a_study else ""


def verdict(reading: Reading | None, theirs: Score) -> Verdict:
    if reading is None or not reading.is_finished:
        return Verdict.UNDECIDED
    enough = ENOUGH * theirs["scov"]
    low, high = bounds(reading.curve)
    if low < enough <= high:
        return Verdict.UNDECIDED
    return Verdict.REACHED if low >= enough else Verdict.BEHIND


def bounds(curve: Curve) -> tuple[float, float]:
    """The ends of the interval of SCov, widened by what is possible at sizes that were left out."""
    low, high = curve.scov - curve.scov_error, curve.scov + curve.scov_error
    for before, after in zip(curve.coverages, curve.coverages[1:], strict=False):
        shares = (before.share, after.share)
        between = [size for size in curve.left_out if before.size < size < after.size]
        if between and shares not in ((0.0, 0.0), (1.0, 1.0)):
            counted = float(np.interp(between, (before.size, after.size), shares).sum())  # in SCov
            low, high = low - counted, high - counted + len(between) * max(shares)
    return low, high
