"""Planning without a policy: greedy search against LAMA-first and pyperplan's greedy search with h_FF.

Every Nth problem of each folder, each solve in its own process, limited in CPU time (so that other work on the machine
changes little) and to 8 GiB. Every plan is validated. pyperplan gets the problems without costs, which it cannot read.
Each line of the file is one solve; the same command continues where an earlier one stopped.

    python benchmarks/search.py FILE.jsonl FOLDER... [--every 4] [--seconds 30] [--jobs 1] [--solvers NAME ...]
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from liftq.engine.plan_file import read_plan
from liftq.engine.validator import validate
from liftq.pddl import read_domain, read_problem
from liftq.pddl.structures import Domain, Problem
from liftq.pddl.writer import write_domain, write_problem
from liftq.teachers.fast_downward import find_driver

SOLVERS = ("liftq", "lama-first", "pyperplan")
WITH_POLICY = "liftq with its policy"  # the bundled one that fits, for folders of bundled domains
BYTES = 8 << 30


def command(solver: str, seconds: int) -> list[str]:
    if solver in ("liftq", WITH_POLICY):
        ours = [sys.executable, "-m", "liftq", "solve", "domain.pddl", "p.pddl", "--plan", "plan"]
        return ours if solver == WITH_POLICY else [*ours, "--policy", "none"]
    if solver == "pyperplan":
        return [sys.executable, "-m", "pyperplan", "-H", "hff", "-s", "gbf", "domain.pddl", "p.pddl"]
    limits = ["--overall-time-limit", f"{seconds}s", "--plan-file", "plan"]
    return [*(find_driver() or ["fast-downward"]), *limits, "--alias", "lama-first", "domain.pddl", "p.pddl"]


def without_costs(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    schemas = tuple(replace(schema, cost=None) for schema in domain.schemas)
    return replace(domain, functions=(), schemas=schemas), replace(problem, values=(), minimize_cost=False)


def solve(solver: str, domain_file: Path, problem_file: Path, seconds: int) -> dict[str, object]:
    domain = read_domain(domain_file)
    problem = read_problem(problem_file, domain)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(domain_file, folder / "domain.pddl")
        shutil.copy(problem_file, folder / "p.pddl")
        if solver == "pyperplan":
            plain_domain, plain_problem = without_costs(domain, problem)
            (folder / "domain.pddl").write_text(write_domain(plain_domain))
            (folder / "p.pddl").write_text(write_problem(plain_problem))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        limited = ["prlimit", f"--cpu={seconds}", f"--as={BYTES}", *command(solver, seconds)]
        subprocess.run(limited, cwd=folder, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        plans = [*folder.glob("plan*"), *folder.glob("*.soln")]
        length = None
        if plans:
            validation = validate(domain, problem, read_plan(plans[0], domain, problem))
            length = validation.length if validation.valid else None
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    solved = length is not None and used <= seconds
    return {"solver": solver, "solved": solved, "length": length, "cpu_seconds": round(used, 2)}


def problems(folder: Path, every: int) -> Iterator[tuple[str, Path, Path]]:
    files = [path for path in sorted(folder.glob("*.pddl")) if not path.name.startswith("domain")]
    for path in files[::every]:
        own = folder / f"domain_{path.name}"
        yield f"{folder.name}/{path.stem}", own if own.exists() else folder / "domain.pddl", path


def main() -> None:
    options = parse()
    lines = [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    known = {(line["problem"], line["solver"]) for line in lines}
    with ProcessPoolExecutor(options.jobs) as pool:  # CPU time is counted by process
        running = {
            pool.submit(solve, solver, domain, problem, options.seconds): name
            for folder in options.folders
            for name, domain, problem in problems(folder, options.every)
            for solver in options.solvers
            if (name, solver) not in known
        }
        for done in as_completed(running):
            lines.append({"problem": running[done], **done.result()})
            with options.file.open("a") as file:
                file.write(json.dumps(lines[-1]) + "\n")
    report(lines, options.solvers)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=30, help="of CPU time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--solvers", nargs="+", choices=(*SOLVERS, WITH_POLICY), default=SOLVERS)
    return parser.parse_args()


def report(lines: list[dict[str, object]], solvers: Sequence[str]) -> None:
    print("| folder | problems |", " | ".join(solvers), "|")
    print("| :-- |", " --: |" * (1 + len(solvers)))
    folders = sorted({str(line["problem"]).split("/")[0] for line in lines})
    for folder in [*folders, ""]:
        own = [line for line in lines if str(line["problem"]).startswith(folder)]
        counts = [sum(bool(line["solved"]) for line in own if line["solver"] == solver) for solver in solvers]
        print(f"| {folder or 'all'} | {len({line['problem'] for line in own})} |", " | ".join(map(str, counts)), "|")


if __name__ == "__main__":
    main()
