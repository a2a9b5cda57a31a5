"""What a learning says of itself: which plans are known to be optimal, and what was held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from liftq.engine.solver import Action, Ending, Limits
from liftq.learning.folder import Settings
from liftq.learning.learner import Learner
from liftq.learning.play import attempt_of
from liftq.learning.summary import Summary
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.problems.loading import load_domain
from liftq.teaching.attempt import BY_POLICY
from liftq.teaching.journal import Journal
from tests.policies.untrained import policy_of

pytest.importorskip("torch")

GRIPPER = load_domain("gripper")
STEP = Action("move", ("rooma", "roomb"))


def test_plans_that_need_not_be_optimal_are_counted_apart(folder_of: Callable[..., Path], tmp_path: Path) -> None:
    settings = Settings(str(folder_of("gripper", 3, 4, 5, 6)), 2.0, 0)
    with Learner.opened(settings, tmp_path / "out", False, 1) as learner:
        with Journal(learner.folder.corpus, learner.split.parts["training"]) as journal:
            for size, teacher, ending in (
                (4, "orbit_search", Ending.SOLVED),
                (5, "orbit_search", Ending.SOLVED),
                (7, BY_POLICY, Ending.SOLVED),
                (9, "orbit_search", Ending.TIME_LIMIT),
            ):
                problem = replace(next(GRIPPER.instances(size)).problem, name=f"goals--{size}")
                journal.append(attempt_of(problem, teacher, Limits(), ending, 0.0, (STEP,) * size))
        record = Summary(learner).record()
        assert (record.optimal, record.not_optimal, record.lessons, record.sizes) == (2, 1, 16, [4, 7])
        assert record.derived == {"goals": 3} and record.minutes == 2.0
        assert not record.compared
        (learner.folder.path / "choice.json").write_text('{"candidate": 0, "run": ""}')
        assert Summary(learner).record().compared
        save_policy(learner.folder.policy, policy_of(GRIPPER.domain))
        Summary(learner).write_card()
        entry = read_policy_file(learner.folder.policy).card["learned"]
        assert (entry["optimal"], entry["not_optimal"]) == (2, 1)
        assert (entry["files"], entry["goals"]) == ("gripper", ["at"])
        assert entry["held_out"] == learner.split.fingerprints()
