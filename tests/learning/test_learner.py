"""A whole learning in seconds: what it leaves, that it goes on after a kill, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from liftq import pipeline
from liftq.datasets.corpus import Corpus
from liftq.engine.solver import Limits
from liftq.errors import InputError
from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.learning.budget import Stage
from liftq.learning.folder import Settings
from liftq.learning.split import PARTS, Split
from liftq.policies.policy_file import read_policy_file
from liftq.sources.fingerprint import fingerprint

pytest.importorskip("torch")

FolderOf = Callable[..., Path]
MINUTES = 0.1
SIZES = (3, 4, 4, 5, 5, 6, 6, 7)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds of stages even in seconds."""
    monkeypatch.setattr("liftq.learning.budget.ROUNDS", ((1.0, 2),))


@pytest.mark.usefixtures("short")
def test_a_whole_learning(folder_of: FolderOf, tmp_path: Path) -> None:
    settings = Settings(str(folder_of("gripper", *SIZES)), MINUTES, 0)
    out = tmp_path / "out"
    events = list(pipeline.learn(settings, out, "cpu", 1, Limits(30.0, 2**33)))
    stages = [event.kind for event in events if isinstance(event, Stage)]
    assert stages == ["search", "teach", "choose", "train", "play", "teach", "train"]
    check_end(out)
    assert (out / "report" / "report.html").read_text().count("Held-out problems solved") == 1
    again = list(pipeline.learn(settings, out, "cpu", 1, Limits(30.0, 2**33)))
    assert again == []


def check_end(out: Path) -> None:
    """What a learning must have left, killed or not."""
    split = Split(out / "problems" / "gripper")
    by_part = [{fingerprint(each) for each in split.parts[part].problems} for part in PARTS]
    assert sum(map(len, by_part)) == len(set.union(*by_part))
    corpus = Corpus.read(out / "corpus.jsonl.zst")
    assert corpus.entries and not split.held_out & {each.fingerprint for each in corpus.attempts}
    results = Results.read([out / "results.jsonl"])
    (learned,) = results.of(Learned)
    assert learned.optimal + learned.not_optimal == len(corpus.entries) == sum(learned.derived.values())
    attempts = results.of(SuiteAttempt)
    tried = {each.solver for each in attempts}
    assert {str(out / "policy.safetensors"), f"{out / 'policy.safetensors'}+search"} <= tried
    assert len(attempts) == len(tried) * len(split.parts["test"].files)
    card = read_policy_file(out / "policy.safetensors").card["learned"]
    assert card["held_out"] == sorted(split.held_out) and card["sizes"] == learned.sizes
    assert json.loads((out / "clock.json").read_text())["stages"] >= 2


def test_after_a_kill_it_goes_on(folder_of: FolderOf, tmp_path: Path) -> None:
    out = tmp_path / "out"
    settings = ["--minutes", str(MINUTES), "--jobs", "1", "--device", "cpu", "--test-seconds", "30"]
    command = [sys.executable, "-m", "liftq", "learn", str(folder_of("gripper", *SIZES)), "--out", str(out), *settings]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    for file in ("corpus.jsonl.zst.journal", "runs/train-1/log.jsonl"):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        for _ in range(600):
            if (out / file).exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    check_end(out)


def test_other_settings_are_refused(folder_of: FolderOf, tmp_path: Path) -> None:
    source = str(folder_of("gripper", *SIZES))
    events = pipeline.learn(Settings(source, 1.0, 0), tmp_path / "out", "cpu", 1)
    assert isinstance(next(events), Stage)
    with pytest.raises(InputError, match="is in use"):
        next(pipeline.learn(Settings(source, 1.0, 0), tmp_path / "out", "cpu", 1))
    events.close()
    with pytest.raises(
        InputError, match=r"begun with other settings\n  minutes: 1.0 there, 2.0 now\n  seed: 0 there, 5"
    ):
        next(pipeline.learn(Settings(source, 2.0, 5), tmp_path / "out", "cpu", 1))


def test_a_teacher_that_solves_nothing(folder_of: FolderOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.learning.learner.TEACHER", "tests.learning.hopeless:Hopeless")
    settings = Settings(str(folder_of("gripper", *SIZES)), MINUTES, 0)
    with pytest.raises(InputError, match=r"the teacher has solved none of \d+ problems .*\n  Add smaller problems"):
        list(pipeline.learn(settings, tmp_path / "out", "cpu", 1))
