"""What a piece of work costs besides the work itself, on this machine and on a Ray cluster of it alone; and the time of
one teaching and of one suite with one and two jobs, whose results must be the same everywhere.

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
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.evaluation.result import Results
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.pddl import write_problem
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Quota, Teaching
from liftq.zoo.bundled import bundled

PLACES: dict[str, StartCompute] = {"here": Local, "Ray": partial(Ray, "local")}
PIECES = 1000
OUTCOMES: list[tuple[tuple[str, str, int], ...]] = []  # of all suites


def main() -> None:
    for name, start in PLACES.items():
        with start(2) as compute:
            compute.submit(pow, 1, 1).result()  # starting the cluster is not measured
        print(f"{name}: {1e3 * overhead(start):.2f} ms per empty piece")
        for jobs in (1, 2):
            print(f"{name}, {jobs} jobs: taught in {teaching_seconds(start, jobs):.1f} s", flush=True)
            print(f"{name}, {jobs} jobs: suite in {suite_seconds(start, jobs):.1f} s", flush=True)
    assert len(set(OUTCOMES)) == 1
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


def suite_seconds(start: StartCompute, jobs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        generate("logistics", 16, 12, Path(folder))
        suite = SuiteEvaluation(
            ["orbit_search"], find_problems([Path(folder)]), Limits(60, 4 << 30), jobs, compute=start
        )
        began = time.monotonic()
        records = list(suite.evaluate(Results(())))
    OUTCOMES.append(tuple(sorted((Path(each.problem).name, str(each.ending), each.length or 0) for each in records)))
    return time.monotonic() - began


def generate(name: str, size: int, count: int, folder: Path) -> None:
    source = load_domain(name)
    (folder / "domain.pddl").write_text(source.pddl)
    for number, instance in zip(range(count), source.instances(size), strict=False):
        (folder / f"p{number:02}.pddl").write_text(write_problem(instance.problem))


def statement_bytes(name: str) -> int:
    source = load_domain(name)
    return len(pickle.dumps(Task(source.domain, next(source.instances(30)).problem)))


if __name__ == "__main__":
    main()
