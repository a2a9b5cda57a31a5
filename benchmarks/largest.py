"""The largest problems that the bundled policies are meant for, solved by several versions of liftq in one run.

Each solve is one `liftq solve` in a process and thread of its own, its plan validated. A version is `NAME=FOLDER`: the
checkout it is imported from, its core built. Seconds are CPU time, memory is the most that the process held.

    python benchmarks/largest.py draw FOLDER
    python benchmarks/largest.py run FOLDER FILE.jsonl --version before=../old --version after=. [--jobs 1]
    python benchmarks/largest.py threads FOLDER FILE.jsonl --version after=. [--counts 1 2 8 16] [--seconds 15]
    python benchmarks/largest.py table FILE.jsonl
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Any

from large import check, inside

SIZES = {
    "blocksworld": 2000,
    "logistics": 1000,
    "satellite": 1000,
    "miconic": 3000,
    "rovers": 1000,
    "floortile": 2500,
    "visitall": 6400,
}
SEED = 34
WIDE = {"rovers": 1000, "blocksworld": 4000}  # for threads

Line = dict[str, Any]


def draw(folder: Path) -> None:
    for domain, size in (*SIZES.items(), *WIDE.items()):
        where = ["--size", str(size), "--count", "1", "--seed", str(SEED), "--out", str(folder / f"{domain}-{size}")]
        subprocess.run([sys.executable, "-m", "liftq", "generate", domain, *where], check=True)


def solve(folder: Path, version: str, domain: str, size: int, seconds: float, threads: int = 1) -> Line:
    name, _, root = version.partition("=")
    place = (folder / f"{domain}-{size}").resolve()
    files = [str(place / "domain.pddl"), str(place / "p01.pddl")]
    limits = ["--time-limit", str(seconds), "--memory-limit", "16G", "--threads", str(threads)]
    with tempfile.TemporaryFile("w+") as out:
        began = time.monotonic()
        command = [sys.executable, "-m", "liftq", "solve", *files, "--policy", domain, "--json", *limits]
        process = subprocess.Popen(command, **inside(str(Path(root).resolve())), stdout=out, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        took = time.monotonic() - began
        out.seek(0)
        said = json.loads(out.read() or "{}")
    figures = {key: said.get(key) for key in ("ending", "steps", "passes", "states_valued", "times_lost")}
    memory = used.ru_maxrss / 1024
    line = {"version": name, "domain": domain, "size": size, "limit": seconds, "threads": threads, **figures}
    return line | {"seconds": round(took, 2), "cpu": round(used.ru_utime + used.ru_stime, 2), "MiB": round(memory)}


def run(options: argparse.Namespace) -> None:
    for version in options.version:
        check(version)
    lock = Lock()
    if not options.file.exists():
        from liftq.compute import provenance

        origin = {"commit": provenance.commit(), "machine": provenance.machine(), "date": str(date.today())}
        append(options.file, {"command": " ".join(sys.argv[1:]), **origin})

    def work(job: tuple[str, str, int, int]) -> None:
        version, domain, size, threads = job
        line = solve(options.folder, version, domain, size, options.seconds, threads)
        with lock:
            append(options.file, line)

    sizes, counts = (WIDE, options.counts) if options.command == "threads" else (SIZES, [1])
    chosen = {domain: size for domain, size in sizes.items() if domain in (options.domains or sizes)}
    jobs = [(v, domain, size, count) for domain, size in chosen.items() for count in counts for v in options.version]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, jobs))


def append(path: Path, line: Line) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def table(lines: Sequence[Line]) -> str:
    """Versions side by side. An attempt that failed shows how many passes it made."""
    versions = list(dict.fromkeys(line["version"] for line in lines))
    head = ["domain", "objects", "threads", *(f"{v}: {what}" for v in versions for what in ("plan", "CPU s", "MiB"))]
    rows = [head, [":--"] + ["--:"] * (len(head) - 1)]
    for domain, size, threads in dict.fromkeys((line["domain"], line["size"], line["threads"]) for line in lines):
        row = [domain, f"{size:,}", str(threads)]
        for version in versions:
            wanted = (version, domain, size, threads)
            own = [each for each in lines if (each["version"], each["domain"], each["size"], each["threads"]) == wanted]
            row += _cells(own[-1]) if own else ["", "", ""]
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(line: Line) -> list[str]:
    plan = (
        f"{line['steps']:,} steps" if line["steps"] is not None else f"{line['ending']}, {line['states_valued']} passes"
    )
    return [plan, f"{line['cpu']:.1f}", f"{line['MiB']:,}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("draw").add_argument("folder", type=Path)
    for name, seconds in (("run", 60), ("threads", 15)):
        runs = commands.add_parser(name)
        runs.add_argument("folder", type=Path)
        runs.add_argument("file", type=Path)
        runs.add_argument("--version", action="append", required=True)
        runs.add_argument("--domains", nargs="+")
        runs.add_argument("--seconds", type=float, default=seconds)
        runs.add_argument("--jobs", type=int, default=1)
        runs.add_argument("--counts", type=int, nargs="+", default=[1, 2, 8, 16], help="of threads")
    commands.add_parser("table").add_argument("file", type=Path)
    options = parser.parse_args()
    if options.command == "draw":
        draw(options.folder)
    elif options.command == "table":
        print(table([json.loads(line) for line in options.file.read_text().splitlines()[1:]]))
    else:
        run(options)


if __name__ == "__main__":
    main()
