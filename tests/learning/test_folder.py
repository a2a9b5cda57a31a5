"""The folder of a learning: which policy of a run is the best, and what a kill leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.files import temporary_beside
from liftq.learning.folder import LearningFolder, Settings
from liftq.policies.policy_file import save_policy
from liftq.problems.loading import load_domain
from tests.policies.untrained import policy_of

GRIPPER = load_domain("gripper").domain
SETTINGS = Settings("gripper", 1.0, 0)


def save(path: Path, **card: float) -> None:
    policy = policy_of(GRIPPER)
    policy.card.update(card)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_policy(path, policy)


def test_the_best_policy_of_a_run(tmp_path: Path) -> None:
    folder, run = LearningFolder(tmp_path), tmp_path / "runs" / "train-1"
    assert folder.best_path(run) is None
    save(run / "q_a.safetensors", score=3.0, plan_length=12.0)
    save(run / "q_b.safetensors", score=5.0, plan_length=30.0)
    save(run / "q_c.safetensors", score=5.0, plan_length=20.0)
    save(run / "q_d.safetensors", score=4.0, plan_length=1.0)
    save(run / "checkpoint-q.safetensors", score=9.0)  # of which nobody knows how good it is
    assert folder.best_path(run) == run / "q_c.safetensors"  # shorter plans count where as much is solved


def test_half_written_files_are_removed(tmp_path: Path) -> None:
    file, folder = (temporary_beside(tmp_path / "runs" / "train-1" / name) for name in ("log.jsonl", "folder"))
    folder.mkdir(parents=True)
    (folder / "p01.pddl").touch()
    file.touch()
    LearningFolder(tmp_path).begin(SETTINGS)
    assert not file.exists() and not folder.exists()


def test_problems_in_a_folder_that_has_not_begun_are_not_ours(tmp_path: Path) -> None:
    """Such as those of a user, after a first attempt without any."""
    folder = LearningFolder(tmp_path)
    folder.locked().close()
    folder.problems.mkdir()
    (folder.problems / "p01.pddl").write_text("precious")
    with pytest.raises(InputError, match=r"problems has files that `liftq learn` did not write: p01\.pddl"):
        folder.begin(SETTINGS)
    assert (folder.problems / "p01.pddl").read_text() == "precious"


def test_the_same_settings_are_needed_to_go_on(tmp_path: Path) -> None:
    folder = LearningFolder(tmp_path)
    folder.keep(SETTINGS)
    folder.begin(SETTINGS)
    with pytest.raises(InputError, match="own_plans: True there, False now"):
        folder.begin(Settings("gripper", 1.0, 0, own_plans=False))
    (tmp_path / "settings.json").write_text("{}")
    with pytest.raises(InputError, match="not the settings of a learning"):
        folder.begin(SETTINGS)


def test_a_path_may_be_written_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = LearningFolder(tmp_path)
    folder.keep(Settings("problems", 1.0, 0, domain="other.pddl"))
    for source in ("problems/", "./problems", str(tmp_path / "problems")):
        folder.begin(Settings(source, 1.0, 0, domain="./other.pddl"))
    with pytest.raises(InputError, match="source: 'problems' there, 'problem/' now"):
        folder.begin(Settings("problem/", 1.0, 0, domain="other.pddl"))
