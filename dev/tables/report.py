"""`make report`: the results files as one HTML page in build/report."""

from __future__ import annotations

from dev.tables.pages import FOLDER
from liftq import pipeline

FOLDERS = ("paper/*", "scaling", "ipc23", "efficiency", "objectives")
# What solvers are called. "First" are the policies of an earlier training with all objectives.
LABELS = {
    "runs/{domain}-object/q_heuristic.safetensors": "OE",
    "runs/{domain}-object.safetensors": "OE",
    "runs/{domain}-object_atom/q_heuristic.safetensors": "OAE",
    "runs/{domain}/state_value.safetensors": "first, V",
    "runs/{domain}/q_value.safetensors": "first, Q",
    "runs/{domain}/q_heuristic.safetensors": "first, Q heuristic",
    "runs/{domain}/q_explicit.safetensors": "first, Q explicit",
    "runs/{domain}/q_margin.safetensors": "first, Q margin",
}

if __name__ == "__main__":
    files = [path for folder in FOLDERS for path in sorted(FOLDER.glob(f"{folder}/*.jsonl.zst"))]
    files = [path for path in files if path.parent.name != "corpora"]
    labels = [f"{label}={solver}" for solver, label in LABELS.items()]
    for path in pipeline.report(files, FOLDER.parent / "build" / "report", "liftq: results", labels=labels)[:2]:
        print(path)
