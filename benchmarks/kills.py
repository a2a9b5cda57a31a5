"""Kill -9 at random moments, then the same command again: nothing may be lost, nothing done twice, nobody left behind.

Each stage is run once without interruption. Then it is killed at moments spread over the time that this took, and each
time started again on what it left. Where it comes to its end, what it made is looked at, and it begins from nothing
again, until there were enough kills.

    python benchmarks/kills.py [KILLS PER STAGE] [STAGE ...]
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import kills_of_learning
import kills_of_training

from liftq.evaluation.result import Results, ScalingAttempt, SuiteAttempt
from liftq.teaching.corpus import Corpus

LIFTQ = (sys.executable, "-P", "-m", "liftq")
MARK = "LIFTQ_KILLS"  # environment variable that all processes of a run inherit
PATIENCE = 10.0  # seconds that processes have to notice that their caller is gone


@dataclass(frozen=True)
class Stage:
    arguments: tuple[str, ...]  # but for the output
    faults: Callable[[Path, Path], list[str]]  # of an output, beside that of the whole run
    phase: Callable[[Path], str] = lambda out: "working" if any(out.parent.glob(f"*{out.name}*")) else "starting"

    def start(self, out: Path, mark: str = "") -> subprocess.Popen[str]:
        environment = os.environ | {MARK: mark, "OMP_NUM_THREADS": "1"}
        command = [*LIFTQ, *self.arguments, "--out", str(out)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@dataclass
class Tally:
    kills: Counter[str] = field(default_factory=Counter)  # by phase
    ends: int = 0  # times that the stage came to its end
    faults: list[str] = field(default_factory=list)


def stages(scratch: Path) -> dict[str, Stage]:
    problems = str(scratch / "ferry")
    subprocess.run([*LIFTQ, "generate", "ferry", "--size", "12", "--count", "8", "--out", problems], check=True)
    scaling = ("evaluate", "scaling", "ferry", "--sizes", "3-24", "--jobs", "2")
    suite = ("evaluate", "suite", "ferry", "orbit_search", "--problems", problems, "--jobs", "2")
    training = kills_of_training
    return {
        "teach": Stage(("teach", "ferry", "--sizes", "3-12", "--per-size", "6"), same(corpus_keys)),
        "train": Stage(training.arguments(), lambda out, _: training.faults(out), training.phase),
        "learn": Stage(kills_of_learning.arguments(problems), kills_of_learning.faults, kills_of_learning.phase),
        "scaling": Stage(scaling, same(scaling_keys)),
        "suite": Stage(suite, same(suite_keys)),
    }


def same(keys: Callable[[Path], Iterable[Hashable]]) -> Callable[[Path, Path], list[str]]:
    """Compares entries by what tells one from another."""

    def faults(out: Path, whole: Path) -> list[str]:
        found, expected = Counter(keys(out)), Counter(keys(whole))
        return [f"lost: {each}" for each in expected - found] + [f"too much: {each}" for each in found - expected]

    return faults


def scaling_keys(out: Path) -> Iterable[Hashable]:
    return ((each.size, each.number, each.fingerprint, each.ending) for each in Results.read([out]).of(ScalingAttempt))


def suite_keys(out: Path) -> Iterable[Hashable]:
    return ((each.solver, each.problem, each.ending, each.length) for each in Results.read([out]).of(SuiteAttempt))


def corpus_keys(out: Path) -> Iterable[Hashable]:
    return ((each.fingerprint, each.teacher, each.ending, each.cost) for each in Corpus.read(out).attempts)


def finish(stage: Stage, out: Path) -> None:
    process = stage.start(out)
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(f"exit {process.returncode}:\n{output}")


def kill_after(stage: Stage, out: Path, seconds: float) -> list[str] | None:
    """What is wrong thereafter; None if the stage came to its end before."""
    mark = uuid.uuid4().hex
    process = stage.start(out, mark)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["processes left behind"] if left_behind(mark) else []
    if process.returncode:
        sys.exit(f"exit {process.returncode}:\n{output}")
    return None


def left_behind(mark: str) -> bool:
    """Whether a process of the run is still there after a while."""
    end = time.monotonic() + PATIENCE
    while any(marked(process, mark) for process in Path("/proc").glob("[0-9]*")):
        if time.monotonic() > end:
            return True
        time.sleep(0.05)
    return False


def marked(process: Path, mark: str) -> bool:
    try:
        return f"{MARK}={mark}".encode() in (process / "environ").read_bytes()
    except OSError:  # it has just ended
        return False


def kill_again_and_again(stage: Stage, folder: Path, kills: int, dice: random.Random) -> Tally:
    tally, whole = Tally(), folder / "whole"
    begun = time.monotonic()
    finish(stage, whole)
    seconds = time.monotonic() - begun
    while tally.kills.total() < kills:
        out = folder / f"killed-{tally.ends}"
        while tally.kills.total() < kills:
            faults = kill_after(stage, out, dice.uniform(0, seconds))
            if faults is None:
                break
            tally.faults += faults
            tally.kills[stage.phase(out)] += 1
        finish(stage, out)
        tally.faults += stage.faults(out, whole)
        tally.ends += 1
    return tally


def main() -> None:
    kills, chosen = int(sys.argv[1]) if sys.argv[1:] else 15, sys.argv[2:]
    faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, stage in stages(Path(scratch)).items():
            if not chosen or name in chosen:
                (folder := Path(scratch) / name).mkdir()
                tally = kill_again_and_again(stage, folder, kills, random.Random(name))
                print(
                    f"{name}: {tally.kills.total()} kills {dict(tally.kills)}, {tally.ends} runs to the end", flush=True
                )
                print("\n".join(tally.faults) or "nothing lost, nothing twice, nobody left behind", flush=True)
                faults += len(tally.faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
