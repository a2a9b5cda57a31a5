"""What a piece of work costs besides the work itself, on this machine and on a Ray cluster of it alone; and the time of
one teaching with one and two jobs.

    python benchmarks/compute.py
"""

from __future__ import annotations

import pickle
import tempfile
import time
from functools import partial
from pathlib import Path

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.compute.ray import Ray
from liftq.datasets.journal import Journal
from liftq.datasets.teach import Quota, Teaching
from liftq.engine.solver import Limits
from liftq.policies.zoo import bundled
from liftq.sources.loading import load_domain
from liftq.teachers import Statement, teacher

PLACES: dict[str, StartCompute] = {"here": Local, "Ray": partial(Ray, "local")}
PIECES = 1000


def main() -> None:
    for name, start in PLACES.items():
        with start(2) as compute:
            compute.submit(pow, 1, 1).result()  # starting the cluster is not measured
        print(f"{name}: {1e3 * overhead(start):.2f} ms per empty piece")
        for jobs in (1, 2):
            print(f"{name}, {jobs} jobs: taught in {teaching_seconds(start, jobs):.1f} s")
    for name in ("ferry", "satellite", "rovers"):
        print(f"{name}: {statement_bytes(name) / 1e3:.1f} kB for a problem of 30 objects")
    sizes = [path.stat().st_size for path in bundled().values()]
    print(f"policies: {min(sizes) / 1e6:.1f} to {max(sizes) / 1e6:.1f} MB, once per machine")


def overhead(start: StartCompute) -> float:
    left = iter(range(PIECES))
    began = time.monotonic()
    with start(2) as compute:
        done = list(compute.run(lambda: next((Piece(n, pow, (n, 2)) for n in left), None)))
    assert len(done) == PIECES
    return (time.monotonic() - began) / PIECES


def teaching_seconds(start: StartCompute, jobs: int) -> float:
    source = load_domain("logistics")
    limits = Limits(60, 4 << 30)
    teaching = Teaching(source, teacher("orbit_search"), limits, Quota(30), 17, 19, jobs=jobs, compute=start)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "c.jsonl.zst", source) as journal:
        began = time.monotonic()
        for _ in teaching.teach(teaching.rows([]), journal):
            pass
        return time.monotonic() - began


def statement_bytes(name: str) -> int:
    source = load_domain(name)
    return len(pickle.dumps(Statement(source.domain, next(source.instances(30)).problem)))


if __name__ == "__main__":
    main()
