"""Runs on another machine, some minutes at a time. Then the folder is copied back, so that little is lost with the
machine."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from liftq.compute import StartCompute
from liftq.errors import InputError
from liftq.files import within, write_atomically
from liftq.training.device import find_device
from liftq.training.events import Begun, Epoch, Validated
from liftq.training.recipes.recipe import Recipe
from liftq.training.run import Run
from liftq.training.run_folder import RunFolder

SECONDS = 600.0
# The files of a run that travel. Whatever else lies in its folder is not ours.
TRAVELS = re.compile(
    r"recipe\.toml|corpus\.jsonl\.zst|log\.jsonl|(?:(?:waiting|finalists)/)?[-\w]+\.safetensors|tensorboard/[-./\w]+"
)
Files = dict[str, bytes]  # by path within the folder
Event = Begun | Epoch | Validated


@dataclass(frozen=True)
class Part:
    files: Files  # all of the run's
    events: list[Event]
    finished: bool


def train_elsewhere(
    recipe: Recipe, path: Path, device: str, start: StartCompute, seconds: float = SECONDS
) -> Iterator[Event]:
    folder = RunFolder(path)
    with folder.locked(), start(1) as compute:
        recipe = folder.begin(recipe).recipe
        part = Part(files_of(path), [], finished=False)
        while not part.finished:
            before = part.files
            part = compute.submit(train_for, recipe, before, device, seconds, gpu=device != "cpu").result()
            write_files(path, part.files, before)
            yield from part.events


def train_for(recipe: Recipe, files: Files, device: str, seconds: float) -> Part:
    """Continues the run with these files on this machine."""
    end = time.monotonic() + seconds
    with TemporaryDirectory(prefix="liftq-run-") as folder:
        RunFolder(Path(folder)).claim()
        write_files(Path(folder), files, {})
        events: list[Event] = []
        with closing(Run(Path(folder), recipe).train(find_device(device))) as run:  # which saves when it is closed
            for event in run:
                events.append(_light(event))
                if time.monotonic() > end and not isinstance(event, Begun):  # so that every part gets something done
                    break
            else:
                return Part(files_of(Path(folder)), events, finished=True)
        return Part(files_of(Path(folder)), events, finished=False)


def files_of(folder: Path) -> Files:
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in names.items() if TRAVELS.fullmatch(name)}


def write_files(folder: Path, files: Files, before: Files) -> None:
    """Writes new files before it removes old ones, as a run does. `before`: the run's files that were here; no others
    are replaced or removed."""
    if unknown := [name for name in files if not TRAVELS.fullmatch(name)]:
        raise InputError(f"{unknown[0]!r} is not a file of a run\n  Do not trust the machine that it comes from.")
    changed = {within(folder, name): content for name, content in files.items() if before.get(name) != content}
    appeared = [path for path in changed if path.exists() and path.relative_to(folder).as_posix() not in before]
    if appeared:
        raise InputError(f"{appeared[0]} was put there during training\n  Move it away, and give the same command.")
    for path, content in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
    for name in before.keys() - files.keys():
        within(folder, name).unlink(missing_ok=True)


def _light(event: Event) -> Event:
    """Weights are in the files."""
    return replace(event, policy=replace(event.policy, weights={})) if isinstance(event, Validated) else event
