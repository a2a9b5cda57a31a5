"""CPU seconds of one thread to read a problem and to open its task, beside pymimir's parser:
`reader.py [PROBLEM_OR_FOLDER] [--alone]`.

A folder has one folder per domain, each with `domain.pddl` and its problems in splits; the largest problem of each
domain is read. Without an argument the IPC 2023 learning track is looked for beside the repository.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from pymimir.advanced.formalism import Parser, ParserOptions

from liftq.engine.task import Task
from liftq.pddl import read_domain, read_problem

DEFAULT = Path(__file__).parents[2] / "shared" / "ipc23"
REPEATS = 5  # the fastest counts


def fastest_seconds(read: Callable[[], object]) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = process_time()
        read()
        seconds.append(process_time() - start)
    return min(seconds)


def mimir_seconds(domain: Path, problem: Path) -> float | None:
    """None where mimir refuses the files, as it does types that `:requirements` leaves out."""
    try:
        parser = Parser(domain, ParserOptions())
        return fastest_seconds(lambda: parser.parse_problem(problem, ParserOptions()))
    except RuntimeError:
        return None


def largest_problems(folder: Path) -> list[Path]:
    domains = sorted(folder.glob("*/domain.pddl"))
    return [max(domain.parent.glob("*/*.pddl"), key=lambda file: file.stat().st_size) for domain in domains]


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    is_alone = "--alone" in sys.argv  # without pymimir, which may take minutes
    problems = largest_problems(target) if target.is_dir() else [target]
    print(f"{'problem':32} {'MB':>6} {'liftq s':>8} {'task s':>8} {'mimir s':>8} {'times as fast':>13}")
    for problem in problems:
        nearest = next(folder for folder in problem.parents if (folder / "domain.pddl").exists())
        domain = read_domain(nearest / "domain.pddl")
        ours = fastest_seconds(lambda domain=domain, problem=problem: read_problem(problem, domain))
        read = read_problem(problem, domain)
        task = fastest_seconds(lambda domain=domain, read=read: Task(domain, read).engine)
        theirs = None if is_alone else mimir_seconds(nearest / "domain.pddl", problem)
        compared = f"{theirs:8.3f} {theirs / ours:13.1f}" if theirs else f"{'' if is_alone else 'refused':>8}"
        name = f"{nearest.name}/{problem.relative_to(nearest)}"
        print(f"{name:32} {problem.stat().st_size / 1e6:6.2f} {ours:8.3f} {task:8.3f} {compared}")


if __name__ == "__main__":
    main()
