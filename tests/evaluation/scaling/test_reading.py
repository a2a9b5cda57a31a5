"""Curves from files: what belongs together, and what does not."""

from __future__ import annotations

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, Results, ScalingAttempt
from liftq.evaluation.scaling.reading import readings_of


def test_seeds_are_read_apart() -> None:
    """Fourteen problems of one size, solved with one seed and not with the other."""
    subject = {"kind": "scaling", "solver": "p", "domain": "ferry", "sizes": [5], "all_sizes": [5]}
    headers = [Invocation("", "", None, {}, {}, subject | {"seed": seed}) for seed in (0, 1)]
    attempts = [
        ScalingAttempt("p", "ferry", 5, (Ending.SOLVED, Ending.STEP_LIMIT)[seed], 0.1, number, seed, 0, {}, 105)
        for seed in (0, 1)
        for number in range(14)
    ]
    readings = readings_of(Results((*headers, *attempts)))
    assert [(each.seed, each.curve.scov, len(each.headers)) for each in readings] == [(0, 1.0, 1), (1, 0.0, 1)]
