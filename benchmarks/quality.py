"""How good plans of the bundled policies are, with and without `--improve`: the score of IPC 2023's learning track.

Problems are those of results/README.md: easy as a whole, every seventh of medium and hard. Each is one `liftq solve
--improve SECONDS` in a process and thread of its own; its figures say the cost before and after. A problem scores the
lowest known cost, divided by the plan's: of the organisers, of LAMA (results/ipc23), and of these plans. *Optimal* are
plans as cheap as the shortest ones, where the domain knows their length, or a proof. The same command continues where
an earlier one stopped.

    python benchmarks/quality.py run ../shared/ipc23 FILE.jsonl [--improve 10] [--jobs 1] [--every 1] [--domains ...]
    python benchmarks/quality.py table ../shared/ipc23 FILE.jsonl
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Any

from liftq.compute import provenance
from liftq.domains import shortest_length
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.pddl import read_domain, read_problem
from liftq.problems.fingerprint import fingerprint
from liftq.reports.solvers.suites import reference_costs

DOMAINS = ("blocksworld", "childsnack", "ferry", "floortile", "miconic", "rovers", "satellite", "spanner", "transport")
STRIDES = {"easy": 1, "medium": 7, "hard": 7}
LAMA = Path(__file__).parent.parent / "results/ipc23/lama.jsonl.zst"
LIMITS = ("--time-limit", "90", "--memory-limit", "8G")

Line = dict[str, Any]


def problems(folder: Path, domains: Sequence[str], every: int) -> Iterator[str]:
    """The hardest first, so that all cores have work to the end."""
    for split in reversed(STRIDES):
        for domain in domains:
            paths = sorted((folder / domain / split).glob("p*.pddl"))
            for path in [path for path in paths if int(path.stem[1:]) % STRIDES[split] == 0][::every]:
                yield f"{domain}/{split}/{path.name}"


def solve(folder: Path, problem: str, improve: float) -> Line:
    domain = folder / problem.split("/")[0] / "domain.pddl"
    command = [sys.executable, "-m", "liftq", "solve", str(domain), str(folder / problem), *LIMITS]
    started = time.monotonic()
    done = subprocess.run([*command, "--improve", str(improve), "--json"], capture_output=True, text=True)
    took = round(time.monotonic() - started, 2)
    if not done.stdout:
        return {"problem": problem, "before": None, "after": None, "seconds": took, "error": done.stderr[-200:]}
    said = json.loads(done.stdout)
    figures = {"before": said["cost_before_improvement"], "after": said["cost"], "proven": said["optimal"]}
    return {"problem": problem, **figures, "seconds": took}


def run(options: argparse.Namespace) -> None:
    if not options.file.exists():
        command = f"benchmarks/quality.py run, --improve {options.improve:g}, {options.jobs} at a time"
        origin = {"commit": provenance.commit(), "machine": provenance.machine(), "date": str(date.today())}
        append(options.file, {"command": command, **origin})
    known, lock = {line["problem"] for line in read(options.file)}, Lock()
    began = time.monotonic()

    def work(problem: str) -> None:
        if problem in known or time.monotonic() - began > options.stop_after:
            return
        line = solve(options.folder, problem, options.improve)
        with lock:
            append(options.file, line)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, problems(options.folder, options.domains, options.every)))


def append(path: Path, line: Line) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def read(path: Path) -> list[Line]:
    """Without the first line, which says where the others come from."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def table(folder: Path, lines: Sequence[Line]) -> str:
    known = {each.problem: each.length for each in Results.read([LAMA]).of(SuiteAttempt) if each.solved}
    rows = [
        "| domain | plans | score | improved | at the optimum | improved | known to be |",
        "| :-- " + "| --: " * 6 + "|",
    ]
    every = []
    for domain in dict.fromkeys(
        line["problem"].split("/")[0] for line in sorted(lines, key=lambda line: line["problem"])
    ):
        own = [line for line in lines if line["problem"].startswith(f"{domain}/") and line["after"] is not None]
        judged = [_judged(folder, line, known.get(line["problem"])) for line in own]
        every += judged
        rows.append(_row(domain, judged))
    return "\n".join([*rows, _row("all", every)])


def _judged(folder: Path, line: Line, of_lama: int | None) -> Line:
    """With its lowest known cost, and the shortest possible one where that is known."""
    domain = read_domain(folder / line["problem"].split("/")[0] / "domain.pddl")
    problem = read_problem(folder / line["problem"], domain)
    optimum = shortest_length(domain, problem)
    costs = (line["after"], of_lama, reference_costs().get(fingerprint(problem)), optimum)
    return {**line, "best": min(cost for cost in costs if cost is not None), "optimum": optimum}


def _row(name: str, lines: Sequence[Line]) -> str:
    scores = [sum(line["best"] / max(1, line[when]) for line in lines) for when in ("before", "after")]
    with_optimum = [line for line in lines if line["optimum"] is not None]
    reached = [sum(line[when] == line["optimum"] for line in with_optimum) for when in ("before", "after")]
    proven = sum(line["proven"] for line in lines)
    shares = [f"{count} of {len(with_optimum)}" if with_optimum else "" for count in reached]
    cells = (name, str(len(lines)), *(f"{score:.1f}" for score in scores), *shares, str(proven))
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--improve", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="a sample: only every so many of the problems")
    parser.add_argument("--domains", nargs="+", default=DOMAINS)
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="begin no problem later than that")
    options = parser.parse_args()
    if options.command == "run":
        run(options)
    else:
        print(table(options.folder, read(options.file)))


if __name__ == "__main__":
    main()
