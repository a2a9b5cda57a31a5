"""A run on another machine, in parts: the same policies as in one go here, whatever gets lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liftq.errors import InputError
from liftq.policies.policy_file import read_policy_file
from liftq.training.device import find_device
from liftq.training.elsewhere import files_of, train_elsewhere, write_files
from liftq.training.events import Epoch, Validated
from liftq.training.recipes.recipe import Recipe
from liftq.training.run import Run
from tests.here import Here

Tiny = Callable[..., Recipe]


class Counting(Here):
    """Notes what is asked for, and loses the third piece."""

    pieces = 0

    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        assert gpu
        Counting.pieces += 1
        if Counting.pieces == 3:
            super().submit(function, *arguments).result()  # done, but nobody hears of it
        return super().submit(function, *arguments)


def test_the_same_policy_in_parts(tmp_path: Path, tiny: Tiny) -> None:
    Counting.pieces = 0
    list(Run(tmp_path / "here", tiny()).train(find_device("cpu")))
    events = list(train_elsewhere(tiny(), tmp_path / "there", "auto", Counting, seconds=0))
    own, other = (read_policy_file(tmp_path / place / "q_heuristic.safetensors") for place in ("here", "there"))
    assert own.card["epoch"] == other.card["epoch"] and own.card["score"] == other.card["score"]
    assert all(np.array_equal(weight, other.weights[name]) for name, weight in own.weights.items())
    assert [event.number for event in events if isinstance(event, Epoch)] == [1, 2, 3]
    assert all(event.policy.weights == {} for event in events if isinstance(event, Validated))
    assert Counting.pieces > 3
    names = {name for name in files_of(tmp_path / "there") if "tensorboard" not in name}
    assert names <= files_of(tmp_path / "here").keys()


def test_files_of_others_neither_travel_nor_go(tmp_path: Path) -> None:
    for name in ("log.jsonl", "notes.txt", "finalists/q-1-2.safetensors", "finalists/q-1-3.safetensors"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    before = files_of(tmp_path)
    assert before.keys() == {"log.jsonl", "finalists/q-1-2.safetensors", "finalists/q-1-3.safetensors"}
    (tmp_path / "waiting").mkdir()
    (tmp_path / "waiting" / "mine.safetensors").write_text("precious")  # meanwhile
    after = before | {"q.safetensors": b"new"}
    del after["finalists/q-1-2.safetensors"]
    write_files(tmp_path, after, before)
    assert (tmp_path / "notes.txt").read_text() == "notes.txt"
    assert files_of(tmp_path) == after | {"waiting/mine.safetensors": b"precious"}
    with pytest.raises(InputError, match=r"mine\.safetensors was put there during training"):
        write_files(tmp_path, after | {"log.jsonl": b"longer", "waiting/mine.safetensors": b"other"}, after)
    assert (tmp_path / "log.jsonl").read_text() == "log.jsonl"


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "tensorboard/../../x", "tensorboard/link/x", "sub/x.toml", ""])
def test_a_name_from_elsewhere_stays_in_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "run"
    (folder / "tensorboard").mkdir(parents=True)
    (folder / "tensorboard" / "link").symlink_to(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError):
        write_files(folder, {"log.jsonl": b"", name: b"outside"}, {})
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_that_is_begun_is_not_begun_with_something_else(tmp_path: Path, tiny: Tiny) -> None:
    list(train_elsewhere(tiny(epochs=1), tmp_path, "cpu", Here))
    assert len(list(train_elsewhere(tiny(epochs=1), tmp_path, "cpu", Here))) == 1  # it only says what it began with
    with pytest.raises(InputError, match="begun with another recipe"):
        next(train_elsewhere(tiny(epochs=1, width=4), tmp_path, "cpu", Here))
