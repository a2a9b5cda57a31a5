"""Mutation testing: make a sample of generated mistakes, one by one, in a scratch copy, and see whether tests notice.

    python -m dev.mutants --sample 60 --seed 1 --only heuristics --only orbits

Prints a score and the mutants that survived. A survivor is a line whose behaviour no test of its room holds, or a
change that makes no difference. Those in C++ are made in one copy, whose core is compiled again for each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from dev.mutants.room import Mutant, read_rooms, sampled
from dev.mutants.scratch import Scratch

SECONDS = 600.0  # for the tests of one room; a mutant may make them run for ever, which also counts as caught
NOT_A_VERDICT = (4, 5)  # of pytest: wrong usage, no tests found


class Trial:
    """All mutants of a sample, tried in several copies at a time."""

    def __init__(self, mutants: list[Mutant], folder: Path) -> None:
        self.folder, self.count = folder, len(mutants)
        self.native, self.others = SimpleQueue[Mutant](), SimpleQueue[Mutant]()
        for mutant in mutants:
            (self.native if mutant.is_native else self.others).put(mutant)
        self.by_verdict: dict[str, list[Mutant]] = defaultdict(list)
        self.stopped = threading.Event()

    def run(self, jobs: int) -> None:
        with ThreadPoolExecutor(jobs) as pool:
            try:
                list(pool.map(self._work, range(jobs)))
            except KeyboardInterrupt:
                self.stopped.set()
                raise

    def _work(self, job: int) -> None:
        scratch = Scratch(self.folder / str(job))
        if job == 0 and not self.native.empty():
            scratch.build()
            self._try_all(scratch, self.native)
            scratch.build()  # what comes next needs a core without mistakes
        self._try_all(scratch, self.others)

    def _try_all(self, scratch: Scratch, queue: SimpleQueue[Mutant]) -> None:
        while not self.stopped.is_set():
            try:
                mutant = queue.get_nowait()
            except Empty:
                return
            start = time.monotonic()
            verdict, said = _verdict(scratch, mutant)
            self.by_verdict[verdict].append(mutant)
            done = sum(map(len, self.by_verdict.values()))
            words = f"[{done}/{self.count}] {verdict:8} {mutant} ({time.monotonic() - start:.0f} s): {said}"
            print(words, flush=True)


def _verdict(scratch: Scratch, mutant: Mutant) -> tuple[str, str]:
    scratch.apply(mutant.change)
    try:
        if mutant.is_native and not scratch.build():
            return "invalid", "does not compile"
        code, said = scratch.test(mutant.tests, SECONDS)
        if code in NOT_A_VERDICT:
            return "invalid", said
        return ("survived", " ".join(mutant.tests)) if code == 0 else ("caught", said)
    finally:
        scratch.restore(mutant.change)


def check_baseline(mutants: list[Mutant], folder: Path) -> None:
    """Tests that fail anyway would catch everything."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    code, said = Scratch(folder / "baseline").test(tests, len(tests) * SECONDS)
    if code != 0:
        sys.exit(f"the tests fail without any mutation: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description="Try a sample of generated mistakes.")
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="how many; default: 60")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another seed draws another sample")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ROOM", help="a room; can be given several times"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="copies in which mutants are tried")
    parser.add_argument("--list", action="store_true", help="print the sample and do nothing else")
    options = parser.parse_args()
    if unknown := set(options.only) - read_rooms().keys():
        sys.exit(f"there is no room {min(unknown)}\n  There are {', '.join(read_rooms())}.")
    mutants = sampled(read_rooms(options.only), options.sample, options.seed)
    if options.list:
        print(*mutants, sep="\n")
        return
    with tempfile.TemporaryDirectory(prefix="liftq-mutants-") as folder:
        print(f"{len(mutants)} mutants; first, the tests without any", flush=True)
        check_baseline(mutants, Path(folder))
        trial = Trial(mutants, Path(folder))
        trial.run(options.jobs)
    _print_score(trial.by_verdict)


def _print_score(by_verdict: dict[str, list[Mutant]]) -> None:
    caught, survived, invalid = (by_verdict[name] for name in ("caught", "survived", "invalid"))
    for room in sorted({each.room for each in (*caught, *survived)}):
        own, lost = (sum(each.room == room for each in group) for group in (caught, survived))
        print(f"{room}: caught {own} of {own + lost}")
    tried = len(caught) + len(survived)
    print(f"all: caught {len(caught)} of {tried}" + (f"; {len(invalid)} did not compile" if invalid else ""))
    if survived:
        print("survived:", *survived, sep="\n  ")


if __name__ == "__main__":
    main()
