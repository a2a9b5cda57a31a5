"""What a training run holds that was killed and repeated: nothing may be lost and nothing done twice.

Each epoch is in the log once, each model of the last epoch is validated, each policy is validated once, and each
finalist has played one final. `kills.py` does the killing.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

OBJECTIVES = ("q_heuristic", "state_value")
SEEDS, EPOCHS = 2, 12
OPTIONS = {
    "--seeds": SEEDS, "--epochs": EPOCHS, "--largest-size": 6, "--width": 8, "--layers": 6, "--batch-size": 16,
    "--per-size": 2, "--final-per-size": 2, "--far-seconds": 0,
}  # fmt: skip


def arguments() -> tuple[str, ...]:
    flags = [str(part) for option in OPTIONS.items() for part in option]
    return "train", "gripper", *flags, *(part for name in OBJECTIVES for part in ("--objective", name))


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
