"""`liftq learn` on folders of competition problems, side by side, each on two cores of its own (on one, if there is no
other).

    python benchmarks/learn.py FOLDER ... --minutes 15 --out runs/learn [--stop-after 570] [--collect learned.tar.gz]
    python benchmarks/learn.py --lama --out runs/learn

Killed or stopped, the same command goes on. Where there is no Fast Downward, the second form adds LAMA-first later and
elsewhere, on the same held-out files. Both end with a table, and all results in one file, OUT/results.jsonl.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.teachers.fast_downward import find_driver

CORES = 2  # for each folder
SAVING = 60  # seconds that a process may take to end
LIFTQ = (sys.executable, "-P", "-m", "liftq")


def stop(processes: list[subprocess.Popen[bytes]]) -> None:
    """They save at once on SIGTERM, but may be playing a long problem; then they are killed."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + SAVING
    for process in processes:
        try:
            process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    options = parse()
    if options.lama:
        add_lama(options.out)
    else:
        learn_all(options)
    folders = sorted(path.parent for path in options.out.glob("*/results.jsonl"))
    (options.out / "results.jsonl").write_bytes(b"".join((each / "results.jsonl").read_bytes() for each in folders))
    print("\n".join(table(folders)))
    if options.collect:
        collect(options.out, options.collect)
    if not options.lama and len(folders) < len(options.folders):
        sys.exit("not all are done: see OUT/*/log; the same command goes on")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--test-seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stop-after", type=float, help="seconds; what is not done by then is done by the next call")
    parser.add_argument("--collect", type=Path, help="pack what matters of the results into this .tar.gz")
    parser.add_argument("--no-own-plans", action="store_true", help="as for liftq learn")
    parser.add_argument("--lama", action="store_true", help="only add LAMA-first")
    options = parser.parse_args()
    if bool(options.folders) == options.lama:
        parser.error("give folders to learn from, or --lama")
    return options


def learn_all(options: argparse.Namespace) -> None:
    """As many at a time as there are pairs of cores."""
    start, cores = time.monotonic(), sorted(os.sched_getaffinity(0))
    free = [set(cores[place : place + CORES]) for place in range(0, len(cores) - CORES + 1, CORES)] or [set(cores)]
    waiting, running = list(options.folders), {}
    while waiting or running:
        while waiting and free:
            pair, folder = free.pop(), waiting.pop(0)
            running[start_learning(folder, pair, options)] = pair
        time.sleep(0.5)
        for process in [each for each in running if each.poll() is not None]:
            free.append(running.pop(process))
        if options.stop_after and time.monotonic() - start > options.stop_after:
            stop(list(running))
            print("stopped: the same command goes on")
            return


def start_learning(folder: Path, cores: set[int], options: argparse.Namespace) -> subprocess.Popen[bytes]:
    out = options.out / label(folder)
    out.mkdir(parents=True, exist_ok=True)
    flags = {"--minutes": options.minutes, "--test-seconds": options.test_seconds, "--seed": options.seed}
    flags |= {"--out": out, "--jobs": len(cores), "--device": "cpu"}
    command = [*LIFTQ, "learn", str(folder), *(str(part) for flag in flags.items() for part in flag)]
    command += ["--no-own-plans"] * options.no_own_plans
    with (out / "log").open("ab") as log:
        pinned = lambda: os.sched_setaffinity(0, cores)  # noqa: E731
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, preexec_fn=pinned)


def label(folder: Path) -> str:
    """The files to train on of IPC 2023 are all called `training`."""
    path = folder.resolve()
    return path.parent.name if path.name == "training" else path.name


def add_lama(out: Path) -> None:
    if not find_driver():
        sys.exit("there is no Fast Downward here")
    for results in sorted(out.glob("*/results.jsonl")):
        test = str(results.parent / "problems" / "test")
        limit = str(Results.read([results]).of(SuiteAttempt)[0].time_limit)
        command = [*LIFTQ, "evaluate", "suite", "lama", "--problems", test, "--time-limit", limit]
        subprocess.run([*command, "--out", str(results)], check=True, stdout=subprocess.DEVNULL)
        report = [*LIFTQ, "report", str(results), "--out", str(results.parent / "report")]
        subprocess.run(report, check=True, stdout=subprocess.DEVNULL)


def table(folders: list[Path]) -> Iterator[str]:
    """Coverage, and steps of the plans for problems that both solve."""
    solvers = ("policy and search", "policy alone", "search alone", "LAMA-first")
    heads = ("domain", "held out", *solvers, "steps", "LAMA's steps")
    yield f"| {' | '.join(heads)} |"
    yield f"|{' :-- |' + ' --: |' * (len(heads) - 1)}"
    for folder in folders:
        results = Results.read([folder / "results.jsonl"])
        for learned in results.of(Learned):
            yield f"| {folder.name} | {' | '.join(map(str, figures(learned, results.of(SuiteAttempt))))} |"


def figures(learned: Learned, attempts: list[SuiteAttempt]) -> Iterator[object]:
    solvers = (f"{learned.policy}+search", learned.policy, "greedy_search", "lama")
    solved = [{a.problem: a.length or 0 for a in attempts if a.solver == solver and a.solved} for solver in solvers]
    tried = [sum(each.solver == solver for each in attempts) for solver in solvers]
    yield len(learned.problems["test"])
    yield from (len(own) if count else "-" for own, count in zip(solved, tried, strict=True))
    both = solved[0].keys() & solved[3].keys()
    yield sum(solved[0][name] for name in both)
    yield sum(solved[3][name] for name in both)


def collect(out: Path, archive: Path) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w:gz") as packed:
        for path in sorted({*out.glob("*"), *out.glob("*/*"), *out.glob("*/runs/*/log.jsonl")}):
            if (path.is_file() and not path.name.startswith("corpus.")) or path.name in ("problems", "report"):
                packed.add(path, path.relative_to(out))


if __name__ == "__main__":
    main()
