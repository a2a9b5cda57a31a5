"""Results of every kind, made up."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.ledger import Ledger
from liftq.evaluation.result import Exhausted, Gap, Record, ScalingAttempt, SuiteAttempt, Timing

collect_ignore_glob = [] if find_spec("altair") else ["test_*.py"]  # reports are an extra
POLICY = "runs/ferry/q_heuristic.safetensors"


def scaling() -> list[Record]:
    """All solved at sizes 3 to 5, half at 6, none at 7 and 8; and one more size past the stop."""
    records: list[Record] = [Exhausted(POLICY, "ferry", 3, 0)]
    for size, runs, solved in ((3, 4, 4), (4, 14, 14), (5, 14, 14), (6, 76, 38), (7, 14, 0), (8, 14, 0), (9, 14, 14)):
        for number in range(runs):
            ending = Ending.SOLVED if number < solved else Ending.STEP_LIMIT
            drawn = (number, 0, number, {"cars": 1}, 100 + size)
            late = (size, number) == (6, 75)  # one plan came after the step limit
            length = 10 + size if number < solved else 107 if late else None
            records.append(ScalingAttempt(POLICY, "ferry", size, ending, 0.01, *drawn, late=late, length=length))
    return records


def suite() -> list[Record]:
    records: list[Record] = []
    for domain in ("ferry", "spanner<&>"):
        for number, split in enumerate(("easy", "medium", "hard"), start=1):
            end = f"{domain}/{split}/p0{number}.pddl", 60.0, 8 << 30
            records.append(SuiteAttempt("lama", domain, 9, Ending.SOLVED, 0.5 * number, *end, length=20, cost=20))
            if split == "hard":
                records.append(SuiteAttempt(POLICY, domain, 9, Ending.SOLVER_ERROR, 1.0, *end, message="a | b\nc"))
            else:
                records.append(SuiteAttempt(POLICY, domain, 9, Ending.SOLVED, 0.1, *end, length=10 * number))
    return records


def timings() -> list[Record]:
    return [
        Timing("ferry", size, architecture, values, 100, 1000, seconds * size)
        for size in (10, 20)
        for architecture in ("R-GNN", "OE")
        for values, seconds in (("V", 0.4), ("Q", 0.1))
    ]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    settings = {"kind": "scaling", "solver": POLICY, "domain": "ferry", "seed": 0, "sizes": list(range(3, 101))}
    walks = {"kind": "efficiency", "seed": 0, "per_size": 3, "steps": 7}
    gap: list[Record] = [Gap(POLICY, "ferry", "ferry.jsonl.zst", 1000, 5000, 0.25, 4.5, 0.97, 0.17)]
    networks = {"kind": "gaps", "architectures": {POLICY: "R-GNN"}}
    for kind, records in ((settings, scaling()), ({}, suite()), (walks, timings()), (networks, gap)):
        with Ledger(path, kind) as ledger:
            for record in records:
                ledger.append(record)
    return path
