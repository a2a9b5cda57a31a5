"""A run on another machine: some minutes of it at a time, after which its folder comes back, so that no more is lost
with that machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from liftq.compute import StartCompute
from liftq.files import write_atomically
from liftq.training.background import Validated
from liftq.training.device import find_device
from liftq.training.loop import Epoch
from liftq.training.recipes.recipe import Recipe
from liftq.training.run import Begun, Run
from liftq.training.run_folder import RunFolder

SECONDS = 600.0
STAYS = {"lock"}  # of the files of a run
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
            part = compute.submit(train_for, recipe, part.files, device, seconds, gpu=device != "cpu").result()
            write_files(path, part.files)
            yield from part.events


def train_for(recipe: Recipe, files: Files, device: str, seconds: float) -> Part:
    """Continues the run with these files, here."""
    end = time.monotonic() + seconds
    with TemporaryDirectory(prefix="liftq-run-") as folder:
        write_files(Path(folder), files)
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
    found = [path for path in folder.rglob("*") if path.is_file() and path.name not in STAYS]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def write_files(folder: Path, files: Files) -> None:
    """New ones before old ones go, as a run itself does it."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / name, content)
    for name in files_of(folder).keys() - files.keys():
        (folder / name).unlink()


def _light(event: Event) -> Event:
    """Weights are in the files."""
    return replace(event, policy=replace(event.policy, weights={})) if isinstance(event, Validated) else event
