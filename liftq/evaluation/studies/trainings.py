"""The trainings of a study: several `liftq train` at a time on one device, stopped when the time is up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liftq.evaluation.studies.study import Cell, Study
from liftq.training.log import Log
from liftq.training.run_folder import RunFolder

# Of a process on a GPU, before its first step: lessons, graphs, capturing; and after its last: validation.
PREPARATION, VALIDATION = 30.0, 60.0
SAVING = 15.0  # before the time is up, those still running are told to save
LEAST = 10.0  # seconds of training that are worth a start


@dataclass(frozen=True)
class Training:
    """All objectives of one recipe in one domain that learn from the same graphs."""

    cells: tuple[Cell, ...]

    @property
    def folder(self) -> Path:
        return self.cells[0].run

    @property
    def log(self) -> Log:
        return Log(self.folder / "log.jsonl")

    @property
    def epochs(self) -> int:
        """That are to be trained."""
        return self.cells[0].study.recipe(self.cells[0].recipe, self.cells[0].domain).training.epochs

    @property
    def epochs_done(self) -> int:
        return max((line["epoch"] for line in self._epochs()), default=0)

    @property
    def seconds_done(self) -> float:
        return max((line["seconds"] for line in self._epochs()), default=0.0)

    @property
    def finished(self) -> bool:
        """Trained to the end, and nothing waits for validation."""
        waiting = any((self.folder / "waiting").glob("*.safetensors"))
        return self.epochs_done >= self.epochs and not waiting and all(cell.policy.exists() for cell in self.cells)

    def _epochs(self) -> list[dict[str, Any]]:
        return [line for line in self.log.lines() if "epoch" in line]

    def command(self, device: str, workers: int, seconds: float | None) -> list[str]:
        first = self.cells[0]
        recipe = first.study.recipe(first.recipe, first.domain)
        flags = {
            "recipe": first.study.recipe_file(first.recipe),
            "device": device,
            "out": self.folder,
            "workers": workers,
        }
        flags |= {
            name.replace("_", "-"): value for name, value in first.study.options(first.recipe, first.domain).items()
        }
        flags |= {"corpus": recipe.corpus} if recipe.corpus else {}
        flags |= {"seconds": round(self.seconds_done + seconds, 1)} if seconds else {}
        named = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
        objectives = [word for cell in self.cells for word in ("--objective", cell.name)]
        return [sys.executable, "-m", "liftq", "train", first.domain, *named, *objectives]


def trainings(study: Study) -> list[Training]:
    by_folder: dict[Path, list[Cell]] = {}
    for cell in study.cells():
        by_folder.setdefault(cell.run, []).append(cell)
    return [Training(tuple(cells)) for cells in by_folder.values()]


def run_all(
    asked: Sequence[Training], device: str, at_once: int, workers: int, minutes: float | None
) -> Generator[tuple[Training, str], None, None]:
    """Yields what has become of each. Time is shared out evenly; what is stopped continues with the next call."""
    waiting = [each for each in asked if not each.finished]
    deadline = time.monotonic() + 60 * minutes - SAVING if minutes else None
    running: dict[subprocess.Popen[bytes], Training] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                share = _share(deadline, at_once, len(waiting) + len(running))
                if share is not None and share < LEAST:
                    waiting.clear()
                    break
                training = waiting.pop(0)
                running[_start(training, training.command(device, workers, share))] = training
                yield training, "begun" if share is None else f"begun, {share:.0f} s of training"
            for process in [each for each in running if each.poll() is not None]:
                yield _ended(running.pop(process), process)
            if deadline and time.monotonic() > deadline:
                break
            time.sleep(0.2)
    finally:
        stop(list(running))
    for training in running.values():
        yield training, f"stopped after epoch {training.epochs_done}"


def stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """They save at once, but may be playing a problem that takes long; then they are killed."""
    for process in processes:
        process.send_signal(signal.SIGTERM)
    last = time.monotonic() + SAVING
    for process in processes:
        try:
            process.wait(max(0.1, last - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _share(deadline: float | None, at_once: int, left: int) -> float | None:
    """Seconds of training for the next one."""
    if deadline is None:
        return None
    wall = (deadline - time.monotonic()) * min(1.0, at_once / left)
    return max(wall / 2, wall - PREPARATION - VALIDATION)


def _start(training: Training, command: list[str]) -> subprocess.Popen[bytes]:
    RunFolder(training.folder).claim()
    # Each compiles in its own process: sixteen processes that start sixteen others each would wait for one another.
    environment = {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1", **os.environ}
    with (training.folder / "output.txt").open("ab") as output:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment
        )


def _ended(training: Training, process: subprocess.Popen[bytes]) -> tuple[Training, str]:
    if process.returncode == 0:
        return training, f"trained, {training.epochs_done} of {training.epochs} epochs"
    last = (training.folder / "output.txt").read_text(errors="replace").strip().splitlines()[-2:]
    return training, f"ended with code {process.returncode}: {' '.join(last)}"
