"""Large problems solved by several versions of liftq, each solve by `liftq solve` in a process and thread of its own.

Problems are like every third of IPC 2023's medium and hard ones, with a seed that nothing was tuned on. A version is
`NAME=FOLDER OPTION...`: the checkout it is imported from, its core built, and options of `liftq solve` beside the
limits (`{domain}` stands for the domain's name). Every line of the file is one solve, written as it ends, its plan
validated; the same command continues where an earlier one stopped.

    python benchmarks/large.py draw FOLDER
    python benchmarks/large.py run FOLDER FILE.jsonl --version before=../old --version after=. --jobs 12
    python benchmarks/large.py table FILE.jsonl before after
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean, geometric_mean
from threading import Lock
from typing import Any

DOMAINS = ("rovers", "floortile", "satellite", "transport", "miconic", "ferry", "blocksworld", "childsnack", "spanner")
SPLITS = ("hard", "medium")
FILES = range(3, 31, 3)
SEED = 31416  # calibration and other benchmarks have others
MARGIN = 2.0  # seconds in which a process may end by itself after its time limit

Line = dict[str, Any]


def draw(folder: Path) -> None:
    from liftq.pddl.writer import write_domain, write_problem
    from liftq.problems import Purpose
    from liftq.problems.ipc23 import Ipc23
    from liftq.problems.loading import load_domain
    from liftq.problems.problem_set import like_ipc23

    for name in DOMAINS:
        source = load_domain(name)
        for split in SPLITS:
            place = folder / name / split
            place.mkdir(parents=True, exist_ok=True)
            (folder / name / "domain.pddl").write_text(write_domain(source.domain))
            for number, instance in like_ipc23(source, Ipc23(f"ipc23-{split}"), SEED, Purpose.EVALUATION).problems:
                if number in FILES and instance is not None:
                    (place / f"p{number:02}.pddl").write_text(write_problem(instance.problem))


def jobs(folder: Path, versions: Sequence[str], domains: Iterable[str], splits: Iterable[str]) -> list[Line]:
    """All versions take turns problem by problem, so that the machine is equally busy for each; the slowest domains
    come first, so that all cores have work to the end."""
    return [
        {"version": version.partition("=")[0], "domain": domain, "split": split, "problem": path.stem}
        for split in splits
        for domain in domains
        for path in sorted((folder / domain / split).glob("p*.pddl"), reverse=True)
        for version in versions
    ]


def solve(folder: Path, version: str, job: Line, seconds: float) -> Line:
    root, *options = version.partition("=")[2].split()
    root, place = str(Path(root).resolve()), folder.resolve() / job["domain"]
    files = [place / "domain.pddl", place / job["split"] / f"{job['problem']}.pddl"]
    chosen = [option.format(domain=job["domain"]) for option in options]
    limits = ["--time-limit", str(seconds), "--memory-limit", "8G"]
    command = [sys.executable, "-m", "liftq", "solve", *map(str, files), "--json", *limits, *chosen]
    started = time.monotonic()
    try:
        done = subprocess.run(command, **inside(root), capture_output=True, text=True, timeout=seconds + MARGIN)
        said = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        said = {"ending": "killed", "steps": None}
    except json.JSONDecodeError:
        said = {"ending": f"exit code {done.returncode}: {done.stderr.strip()[-200:]}", "steps": None}
    took = time.monotonic() - started
    passes = said.get("passes", said.get("decisions"))  # an older name
    solved = said["steps"] is not None and took <= seconds
    kept = {name: said.get(name) for name in ("ending", "steps", "searched", "times_lost")}
    return {**job, "solved": solved, **kept, "passes": passes, "seconds": round(took, 2)}


def inside(root: str) -> dict[str, Any]:
    """How a process has to start to import this checkout."""
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"cwd": root, "env": os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}}


def check(version: str) -> None:
    root = Path(version.partition("=")[2].split()[0]).resolve()
    asked = [sys.executable, "-c", "import liftq; print(liftq.__file__)"]
    found = subprocess.run(asked, **inside(str(root)), capture_output=True, text=True, check=True).stdout.strip()
    if not Path(found).resolve().is_relative_to(root):
        raise SystemExit(f"{version}: {found} is imported\n  Use a Python in which liftq is not installed.")


def run(options: argparse.Namespace) -> None:
    for version in options.version:
        check(version)
    began, lock, out = time.monotonic(), Lock(), options.file
    known = {identity(line) for line in read(out)} if out.exists() else set()
    by_name = {version.partition("=")[0]: version for version in options.version}
    waiting = jobs(options.folder, options.version, options.domains, options.splits)

    def work(job: Line) -> None:
        if identity(job) in known or time.monotonic() - began > options.stop_after - options.seconds - MARGIN:
            return
        line = solve(options.folder, by_name[job["version"]], job, options.seconds)
        with lock, out.open("a") as file:
            file.write(json.dumps(line) + "\n")

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, waiting))


def identity(line: Line) -> tuple[str, ...]:
    return line["version"], line["domain"], line["split"], line["problem"]


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def table(lines: Sequence[Line], versions: Sequence[str]) -> str:
    """Passes, steps and seconds are means over what a version solved; ratios are of the last version by the first where
    both solve."""
    head = [
        "domain",
        "like",
        *(f"{version}: {what}" for version in versions for what in ("solved", "passes", "steps", "s")),
    ]
    rows = [[*head, "passes", "seconds", "length"]]
    for split in SPLITS:
        for domain in sorted({line["domain"] for line in lines}):
            own = [line for line in lines if (line["domain"], line["split"]) == (domain, split)]
            each = [[line for line in own if line["version"] == version] for version in versions]
            rows.append([domain, split, *(cell for some in each for cell in cells(some)), *ratios(each[0], each[-1])])
        solved = [share([line for line in lines if (line["version"], line["split"]) == (v, split)]) for v in versions]
        rows.append(["all", split, *(cell for each in solved for cell in (each, "", "", "")), "", "", ""])
    return "\n".join(
        f"| {' | '.join(row)} |" for row in [rows[0], [":--"] * 2 + ["--:"] * (len(rows[0]) - 2), *rows[1:]]
    )


def cells(lines: Sequence[Line]) -> list[str]:
    solved = [line for line in lines if line["solved"]]
    means = [
        f"{fmean(line[name] for line in solved):,.0f}" if solved else "-" for name in ("passes", "steps", "seconds")
    ]
    return [f"{len(solved)} of {len(lines)}", *means]


def share(lines: Sequence[Line]) -> str:
    return f"{100 * fmean(line['solved'] for line in lines):.1f} %" if lines else "-"


def ratios(first: Sequence[Line], last: Sequence[Line]) -> list[str]:
    """Geometric means over the problems that both solve."""
    plans = {line["problem"]: line for line in first if line["solved"]}
    both = [(plans[line["problem"]], line) for line in last if line["solved"] and line["problem"] in plans]
    return [
        f"{geometric_mean(new[name] / old[name] for old, new in both):.2f}" if both else "-"
        for name in ("passes", "seconds", "steps")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("draw").add_argument("folder", type=Path)
    runs = commands.add_parser("run")
    runs.add_argument("folder", type=Path)
    runs.add_argument("file", type=Path)
    runs.add_argument("--version", action="append", required=True)
    runs.add_argument("--domains", nargs="+", default=DOMAINS)
    runs.add_argument("--splits", nargs="+", default=SPLITS)
    runs.add_argument("--seconds", type=float, default=60)
    runs.add_argument("--jobs", type=int, default=1)
    runs.add_argument("--stop-after", type=float, default=float("inf"), help="no solve outlasts so many seconds")
    tables = commands.add_parser("table")
    tables.add_argument("file", type=Path)
    tables.add_argument("versions", nargs="+")
    options = parser.parse_args()
    if options.command == "draw":
        draw(options.folder)
    elif options.command == "run":
        run(options)
    else:
        print(table(read(options.file), options.versions))


if __name__ == "__main__":
    main()
