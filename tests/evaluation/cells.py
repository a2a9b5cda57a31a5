"""Results of a cell of the paper's main table, as a study leaves them."""

from __future__ import annotations

from collections.abc import Callable

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, Results, ScalingAttempt

POLICY = "runs/paper/rgnn/blocksworld/q/q_heuristic.safetensors"
TRAINING = {"recipe": "rgnn", "epochs": 31, "of": 100}
CARD = {"objective": "q_heuristic", "sizes": [2, 16], "epoch": 17}


def cell_results(solved_until: int, kept: Callable[[int], bool] = lambda _: True, **changed: object) -> Results:
    """Every problem is solved up to a size, and none beyond: SCov is the number of sizes up to there."""
    sizes = list(range(2, 101))
    settings = {"kind": "scaling", "solver": POLICY, "domain": "blocksworld", "seed": 0, "sizes": sizes}
    settings |= {"all_sizes": sizes, "architecture": "R-GNN", "card": CARD, "training": TRAINING} | changed
    attempts = (
        ScalingAttempt(
            POLICY, "blocksworld", size, Ending.SOLVED if size <= solved_until else Ending.STEP_LIMIT, 0.1, number, 0,
            number, {"blocks": size}, 100 + size, seen=size == 2,
        )
        for size in range(2, min(solved_until + 15, 101))
        if kept(size)
        for number in range(100)
    )  # fmt: skip
    return Results((Invocation("liftq", "2026", None, {}, {}, settings), *attempts))
