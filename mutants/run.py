"""Makes each deliberate mistake in a scratch copy and runs the tests that should notice: `python -m mutants.run`.

Exits with 1 unless every mistake is caught. Those in C++ are made in one copy, whose core is built again for each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from mutants.mutant import Mutant, read_mutants
from mutants.scratch import Scratch

NOT_A_VERDICT = (4, 5)  # of pytest: wrong usage, no tests found


def verdict(scratch: Scratch, mutant: Mutant) -> tuple[str, str]:
    scratch.apply(mutant)
    try:
        if mutant.is_native and not scratch.build():
            return "broken", "does not compile"
        code, said = scratch.test(mutant.tests.split())
        if code in NOT_A_VERDICT:
            return "broken", said
        return ("survived", mutant.tests) if code == 0 else ("caught", said)
    finally:
        scratch.restore(mutant)


def verdicts(scratch: Scratch, queues: list[SimpleQueue[Mutant]]) -> Iterator[tuple[Mutant, str, str, float]]:
    for queue in queues:
        while True:
            try:
                mutant = queue.get_nowait()
            except Empty:
                break
            start = time.monotonic()
            yield mutant, *verdict(scratch, mutant), time.monotonic() - start
        if queue is queues[0] and (scratch.build_folder / "build.ninja").exists():
            scratch.build()  # what comes next needs a core without mistakes


def try_all(mutants: list[Mutant], folder: Path, jobs: int) -> dict[str, list[str]]:
    native, others = SimpleQueue[Mutant](), SimpleQueue[Mutant]()
    for mutant in mutants:
        (native if mutant.is_native else others).put(mutant)
    names: dict[str, list[str]] = {"caught": [], "survived": [], "broken": []}

    def work(job: int) -> None:
        scratch = Scratch(folder / str(job))
        for mutant, result, said, seconds in verdicts(scratch, [native, others] if job == 0 else [others]):
            names[result].append(mutant.name)
            done = sum(map(len, names.values()))
            print(f"[{done}/{len(mutants)}] {result:8} {mutant.name} ({seconds:.0f} s): {said}", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return names


def check_baseline(mutants: list[Mutant], folder: Path) -> None:
    """Tests that fail anyway would catch everything."""
    tests = sorted({test for mutant in mutants for test in mutant.tests.split()})
    print(f"{len(mutants)} mistakes; first {len(tests)} tests without any", flush=True)
    code, said = Scratch(folder / "baseline").test(tests)
    if code:
        sys.exit(f"the tests fail without any mistake: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Deliberate mistakes against the tests that should notice.")
    parser.add_argument("--only", metavar="TEXT", default="", help="those whose name or file contains this")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="print their names")
    options = parser.parse_args()
    mutants = [mutant for mutant in read_mutants() if options.only in f"{mutant.name} {mutant.file}"]
    if options.list:
        print("\n".join(f"{mutant.name}  {mutant.file}" for mutant in mutants))
        return
    stale = [mutant.name for mutant in mutants if mutant.is_stale()]
    if stale or not mutants:
        sys.exit(f"stale: {', '.join(stale)}\n  Adapt the list to the code." if stale else "no such mistake")
    with tempfile.TemporaryDirectory(prefix="liftq-mutants-") as folder:
        check_baseline(mutants, Path(folder))
        names = try_all(mutants, Path(folder), options.jobs)
    print(f"caught {len(names['caught'])} of {len(mutants)}")
    for result in ("survived", "broken"):
        if names[result]:
            print(f"{result}: {', '.join(names[result])}")
    sys.exit(0 if len(names["caught"]) == len(mutants) else 1)


if __name__ == "__main__":
    main()
