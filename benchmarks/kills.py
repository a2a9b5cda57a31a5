"""Kills `liftq train` with SIGKILL at random moments, repeats the command until it ends, and looks what is in the run.

Nothing may be lost and nothing done twice: each epoch is in the log once, each model of the last epoch is validated,
each policy is validated once, and each finalist has played one final.

    python benchmarks/kills.py [KILLS [SEED]]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

OBJECTIVES = ("q_heuristic", "state_value")
SEEDS, EPOCHS = 2, 12
OPTIONS = {
    "--seeds": SEEDS, "--epochs": EPOCHS, "--largest-size": 6, "--width": 8, "--layers": 6, "--batch-size": 16,
    "--validation-per-size": 2, "--final-per-size": 2, "--far-seconds": 0,
}  # fmt: skip


def command(folder: Path) -> list[str]:
    flags = [str(part) for option in OPTIONS.items() for part in option]
    named = [part for name in OBJECTIVES for part in ("--objective", name)]
    return [sys.executable, "-m", "liftq", "train", "gripper", *flags, *named, "--out", str(folder)]


def run(folder: Path, seconds: float | None) -> int | None:
    """The exit code, or None if it was killed."""
    with subprocess.Popen(command(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return None
    if process.returncode:
        sys.exit(f"exit {process.returncode}:\n{output}")
    return process.returncode


def phase(folder: Path) -> str:
    """How far the run has come."""
    lines = read_log(folder)
    if any("final" in line for line in lines):
        return "finals"
    trained = {line["values"]: line["epoch"] for line in lines if "values" in line}
    if not trained:
        return "preparation"
    values = "v" if "v" in trained else "q"
    return f"{values} validation" if trained[values] == EPOCHS else f"{values} training"


def read_log(folder: Path) -> list[dict[str, Any]]:
    path = folder / "log.jsonl"
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] if path.exists() else []


def name(card: dict[str, Any]) -> str:
    return f"{card['objective']}-{card['seed']}-{card['epoch']}"


def faults(folder: Path) -> list[str]:
    lines, found = read_log(folder), []
    for values in ("q", "v"):
        epochs = [line["epoch"] for line in lines if line.get("values") == values]
        if epochs != list(range(1, EPOCHS + 1)):
            found.append(f"epochs of {values}: {epochs}")
    played = {kind: Counter(name(line[kind]) for line in lines if kind in line) for kind in ("validation", "final")}
    found += [f"{each} twice: {kind}" for kind, names in played.items() for each, n in names.items() if n > 1]
    last = {f"{each}-{seed}-{EPOCHS}" for each in OBJECTIVES for seed in range(1, SEEDS + 1)}
    found += [f"{each} was not validated" for each in last - set(played["validation"])]
    if {path.stem for path in (folder / "finalists").iterdir()} != set(played["final"]):
        found.append("finals are not those of the finalists")
    found += [f"left over: {path}" for path in [*(folder / "waiting").iterdir(), *folder.rglob(".liftq-*")]]
    return found


def main(kills: int, seed: int) -> None:
    dice = random.Random(seed)
    phases: Counter[str] = Counter()
    runs, found = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        start = time.monotonic()
        run(Path(scratch) / "whole", None)
        whole = time.monotonic() - start
        while sum(phases.values()) < kills:
            folder = Path(scratch) / str(runs)
            while run(folder, dice.uniform(0, whole)) is None:
                phases[phase(folder)] += 1
            found += faults(folder)
            runs += 1
    print(f"{runs} runs of {whole:.0f} s, {sum(phases.values())} kills: {dict(phases)}")
    print("\n".join(found) or "nothing lost, nothing twice")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
