"""Which trainings follow each other: trials that are halved, then the chosen one from its best weights."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.learning.budget import Clock, Stage
from liftq.learning.choose import ON_CPU, ON_GPU, UNPROVEN_STATES
from liftq.learning.folder import LearningFolder
from liftq.learning.play import attempt_of
from liftq.learning.runs import GRACE, TRAINED, Runs
from liftq.learning.split import make_split
from liftq.policies.policy_file import PolicyFile, save_policy
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.journal import Journal
from tests.policies.untrained import policy_of

GRIPPER = load_domain("gripper")
CHOOSE, TRAIN = Stage("choose", 1, 1000.0), Stage("train", 1, 2000.0)


@pytest.fixture
def runs(folder_of: Callable[..., Path], tmp_path: Path) -> Runs:
    folder = LearningFolder(tmp_path / "out")
    split = make_split(load_domain(folder_of("gripper", 3, 4, 5, 6)), folder.problems, seed=0)
    with Journal(folder.corpus, split.parts["training"]) as journal:
        for problem in split.parts["training"].problems:
            plan = teacher("orbit_search").solve(Task(GRIPPER.domain, problem), Limits(seconds=60)).plan
            journal.append(attempt_of(problem, "orbit_search", Limits(), Ending.SOLVED, 0.0, plan))
    return Runs(folder, split, Clock(folder.clock), ON_CPU, seed=6, relaxed_plans=True, jobs=3, pool_seconds=2.0)


def policy(score: float) -> PolicyFile:
    made = policy_of(GRIPPER.domain)
    made.card.update(score=score)
    return made


def follow(runs: Runs, scores: dict[str, float], most: int = 100) -> list[str]:
    """Names of the trials that come up; those with a score leave a policy."""
    names = []
    for run in runs.trials(CHOOSE):
        names.append(run.folder.name)
        run.folder.mkdir(parents=True)
        if run.folder.name in scores:
            save_policy(run.folder / "q.safetensors", policy(scores[run.folder.name]))
        if len(names) == most:
            break
    return names


def test_the_better_half_continues_from_its_weights(runs: Runs) -> None:
    scores = {
        "trial-1-0": 1.0,
        "trial-1-1": 3.0,
        "trial-1-2": 2.0,
        "trial-1-3": 0.5,
        "trial-2-1": 4.0,
        "trial-2-2": 5.0,
    }
    assert follow(runs, scores) == [f"trial-1-{number}" for number in range(4)] + ["trial-2-1", "trial-2-2"]
    assert runs.candidate() == ON_CPU[2]
    chosen = runs.training(TRAIN)
    assert chosen.recipe.training.begin_with.endswith("trial-2-2/q.safetensors")
    assert chosen.recipe.model.layers == ON_CPU[2].layers and chosen.patience == TRAIN.end + GRACE
    assert chosen.recipe.encoder.relaxed_plans


def test_a_trial_continues_from_the_best_of_its_candidate(runs: Runs) -> None:
    save_policy(runs.folder.policy, policy(9.0))  # of another candidate
    begun = {}
    for run in runs.trials(CHOOSE):
        begun[run.folder.name] = Path(run.recipe.training.begin_with).parent.name
        run.folder.mkdir(parents=True)
        save_policy(run.folder / "q.safetensors", policy(1.0))
    assert (begun["trial-2-0"], begun["trial-2-1"]) == ("trial-1-0", "trial-1-1")


def test_a_trial_without_validation_keeps_earlier_results(runs: Runs) -> None:
    scores = {"trial-1-1": 3.0, "trial-1-3": 2.0}
    assert follow(runs, scores)[4:] == ["trial-2-1", "trial-2-3"]
    assert runs.candidate() == ON_CPU[1]
    assert runs.training(TRAIN).recipe.training.begin_with.endswith("trial-1-1/q.safetensors")


def test_trials_that_are_done_are_not_repeated(runs: Runs) -> None:
    assert follow(runs, {}, most=3) == ["trial-1-0", "trial-1-1", "trial-1-2"]
    (runs.folder.run("trial-1-2")).rmdir()  # killed before it was begun
    assert follow(runs, {}) == ["trial-1-2", "trial-1-3", "trial-2-0", "trial-2-1"]
    assert json.loads((runs.folder.path / "choice.json").read_text())["candidate"] == 0


def test_time_is_shared_evenly_among_rungs(runs: Runs) -> None:
    ends = []
    for run in runs.trials(CHOOSE):
        ends.append(run.end - runs.clock.spent)
        assert run.patience == CHOOSE.end
    assert ends[0] == pytest.approx(1000 / 8, abs=5) and ends[4] == pytest.approx(1000 / 2, abs=5)


def test_a_run_continues_with_its_first_recipe(runs: Runs) -> None:
    first = runs.training(TRAIN)
    first.folder.mkdir(parents=True)
    (first.folder / "recipe.toml").write_text(first.recipe.dump())
    save_policy(runs.folder.policy, policy(1.0))
    again = runs.training(TRAIN)
    assert again.recipe == first.recipe and again.patience == 0.0


def test_what_a_run_is_given(runs: Runs) -> None:
    run = runs.training(TRAIN)
    assert run.recipe.domain == str(runs.split.folder / "validation") and run.recipe.corpus == str(runs.folder.corpus)
    assert run.recipe.training.first_seed == 1 + runs.seed and run.recipe.training.begin_with == ""
    assert run.recipe.training.seconds == pytest.approx(TRAINED * TRAIN.end, abs=5)  # the rest prepares and validates
    assert run.recipe.model.layers == ON_CPU[0].layers
    assert replace(runs, candidates=ON_GPU[1:]).training(TRAIN).recipe.model.layers == ON_GPU[1].layers
    training, validation = run.recipe.training, run.recipe.validation
    assert (training.processes, training.unproven_states, validation.pool_seconds) == (3, UNPROVEN_STATES, 2.0)
    assert 0 < training.preparation < training.seconds


def test_later_rounds_begin_with_the_best_so_far(runs: Runs) -> None:
    follow(runs, {"trial-1-0": 1.0})
    save_policy(runs.folder.policy, policy(2.0))
    first, second = (runs.training(Stage("train", number, 2000.0)).recipe.training.begin_with for number in (1, 2))
    assert first == str(runs.folder.run("trial-1-0") / "q.safetensors") and second == str(runs.folder.policy)
