"""What `import liftq` offers: names, help, copies."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest

import liftq
from liftq.problems.loading import load_domain


@pytest.fixture
def task() -> liftq.Task:
    source = load_domain("ferry")
    return liftq.Task(source.domain, next(source.instances(8, seed=3)).problem)


def test_every_name_leads_somewhere() -> None:
    assert set(liftq._HOME_OF) == set(liftq.__all__) and sorted(liftq.__all__) == liftq.__all__
    for name in liftq.__all__:
        if name == "LessonDataset":
            pytest.importorskip("torch")
        assert getattr(liftq, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        liftq.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_help_names_everything() -> None:
    assert liftq.__doc__ and not [name for name in liftq.__all__ if name not in re.findall(r"\w+", liftq.__doc__)]
    assert set(liftq.__all__) <= set(dir(liftq))


def test_the_version_is_that_of_the_package() -> None:
    assert liftq.__version__ == metadata.version("liftq")


def test_only_the_dataset_needs_torch() -> None:
    names = [name for name in liftq.__all__ if name != "LessonDataset"]
    code = f"import liftq, sys; [getattr(liftq, name) for name in {names}]; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reprs_are_readable(task: liftq.Task) -> None:
    policy = liftq.load_policy("ferry")
    choice = task.choice(task.initial_state)
    name = task.problem.name
    assert repr(task.domain).startswith("<Domain ferry: predicates ") and "; actions " in repr(task.domain)
    assert repr(task.problem) == f"<Problem {name} of ferry: 8 objects, {len(task.problem.goal)} goals>"
    assert repr(task) == f"<Task {name} of ferry: 8 objects>"
    assert "not asked for yet" in repr(choice)
    assert len(choice) and f"{len(choice)} candidates" in repr(choice)
    trajectory = policy.solve(task)
    assert repr(trajectory).startswith(f"<Trajectory solved: {len(trajectory.plan)} steps, cost ")
    assert repr(trajectory).endswith(" s, policy ferry>")
    assert re.search(r" s, search \(\d+ states\)>$", repr(liftq.search(task)))
    assert "no plan within the limit on steps" in repr(policy.solve(task, liftq.Limits(steps=0)))
    assert repr(policy.policy_file).startswith("<PolicyFile for ferry: Q-values of RGNN(")


def test_tasks_and_policies_are_pickled(task: liftq.Task) -> None:
    policy = liftq.load_policy("ferry")
    plan = policy.solve(task).plan  # the network is made
    task_again, policy_again = pickle.loads(pickle.dumps((task, policy)))
    assert task_again.problem == task.problem and policy_again.solve(task_again).plan == plan
    pairs = [(each, each.choice(each.initial_state)) for each in (task, task_again)]
    assert np.array_equal(policy.values(pairs[0][1]), policy_again.values(pairs[1][1]))


def test_planning_without_a_policy(task: liftq.Task) -> None:
    found = liftq.search(task, liftq.Limits(seconds=60))
    best = liftq.teacher("orbit_search").solve(task, liftq.Limits())
    assert found.solved and best.solved and len(found.plan) >= len(best.plan)
    (bound,) = liftq.Heuristics(task).values("lm_cut", [task.initial_state])
    assert bound <= len(best.plan)
