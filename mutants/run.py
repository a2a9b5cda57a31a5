"""Makes each deliberate mistake in a scratch copy and runs the tests that should notice: `python -m mutants.run`.

Exits with 1 unless every mistake is caught. Those in C++ are made in one copy, whose core is built again for each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from liftq.engine.process import interrupt_all
from mutants.mutant import Mutant, read_mutants
from mutants.scratch import Scratch

SECONDS = 300  # for the tests of one mistake, which may make them run for ever: that is noticed, too
NOT_A_VERDICT = (4, 5)  # of pytest: wrong usage, no tests found


def verdict(scratch: Scratch, mutant: Mutant) -> tuple[str, str]:
    scratch.apply(mutant)
    try:
        if mutant.is_native and not scratch.build():
            return "broken", "does not compile"
        code, said = scratch.test(mutant.tests.split(), SECONDS)
        if code in NOT_A_VERDICT:
            return "broken", said
        return ("survived", mutant.tests) if code == 0 else ("caught", said)
    finally:
        scratch.restore(mutant)


class Trial:
    """All mistakes, tried in several copies at a time."""

    def __init__(self, mutants: list[Mutant], folder: Path) -> None:
        self.folder, self.count = folder, len(mutants)
        self.native, self.others = SimpleQueue[Mutant](), SimpleQueue[Mutant]()
        for mutant in mutants:
            (self.native if mutant.is_native else self.others).put(mutant)
        self.names: dict[str, list[str]] = {"caught": [], "survived": [], "broken": []}
        self.stopped = threading.Event()

    def run(self, jobs: int) -> dict[str, list[str]]:
        with ThreadPoolExecutor(jobs) as pool:
            try:
                list(pool.map(self.work, range(jobs)))
            except KeyboardInterrupt:
                self.stopped.set()
                interrupt_all()
                raise
        return self.names

    def work(self, job: int) -> None:
        scratch = Scratch(self.folder / str(job))
        if job == 0 and not self.native.empty():
            self.try_all(scratch, self.native)
            scratch.build()  # what comes next needs a core without mistakes
        self.try_all(scratch, self.others)

    def try_all(self, scratch: Scratch, queue: SimpleQueue[Mutant]) -> None:
        for mutant in _taken(queue):
            start = time.monotonic()
            result, said = verdict(scratch, mutant)
            if self.stopped.is_set():
                return
            self.names[result].append(mutant.name)
            place = f"[{sum(map(len, self.names.values()))}/{self.count}]"
            print(f"{place} {result:8} {mutant.name} ({time.monotonic() - start:.0f} s): {said}", flush=True)


def _taken(queue: SimpleQueue[Mutant]) -> Iterator[Mutant]:
    while True:
        try:
            yield queue.get_nowait()
        except Empty:
            return


def check_baseline(mutants: list[Mutant], folder: Path) -> None:
    """Tests that fail anyway would catch everything."""
    tests = sorted({test for mutant in mutants for test in mutant.tests.split()})
    print(f"{len(mutants)} mistakes; first {len(tests)} tests and folders of tests without any", flush=True)
    code, said = Scratch(folder / "baseline").test(tests)
    if code != 0:
        sys.exit(f"the tests fail without any mistake: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Deliberate mistakes against the tests that should notice.")
    parser.add_argument("--only", metavar="TEXT", nargs="+", default=[""], help="those with this in name or file")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="print their names")
    options = parser.parse_args()
    mutants = [each for each in read_mutants() if any(text in f"{each.name} {each.file}" for text in options.only)]
    if options.list:
        print("\n".join(f"{mutant.name}  {mutant.file}" for mutant in mutants))
        return
    stale = [mutant.name for mutant in mutants if mutant.is_stale()]
    if stale or not mutants:
        sys.exit(f"stale: {', '.join(stale)}\n  Adapt the list to the code." if stale else "no such mistake")
    with tempfile.TemporaryDirectory(prefix="liftq-mutants-") as folder:
        check_baseline(mutants, Path(folder))
        names = Trial(mutants, Path(folder)).run(options.jobs)
    print(f"caught {len(names['caught'])} of {len(mutants)}")
    for result in ("survived", "broken"):
        if names[result]:
            print(f"{result}: {', '.join(names[result])}")
    sys.exit(0 if len(names["caught"]) == len(mutants) else 1)


if __name__ == "__main__":
    main()
