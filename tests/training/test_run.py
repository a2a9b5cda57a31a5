"""A run learns, can be killed and resumed, and keeps its best policies."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from liftq.cli import app
from liftq.coverage import Coverage
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.objectives.q_heuristic import QHeuristic
from liftq.policies.policy_file import read_policy_file
from liftq.recipe import Recipe, read_recipe
from liftq.sources.loading import load_domain
from liftq.training.loop import Epoch
from liftq.training.run import Run
from liftq.training.validation import Course, Score

CPU = torch.device("cpu")
TINY = Recipe(
    "gripper", seeds=1, epochs=3, largest_size=5, width=8, layers=6, batch_size=32, learning_rate=2e-3,
    validation_per_size=1, final_per_size=0, far_seconds=0.0,
)  # fmt: skip


def losses(events: list[object]) -> list[float]:
    return [float(event.losses[0]) for event in events if isinstance(event, Epoch)]


def test_a_resumed_run_continues_as_if_never_stopped(tmp_path: Path) -> None:
    whole = losses(list(Run(tmp_path / "whole", TINY).train(CPU)))
    first = losses(list(Run(tmp_path / "parts", replace(TINY, epochs=2)).train(CPU)))
    rest = losses(list(Run(tmp_path / "parts", TINY).train(CPU)))
    assert len(first) == 2
    assert len(rest) == 1
    assert first + rest == pytest.approx(whole, rel=1e-4)


def test_a_small_corpus_is_learned_well_enough_to_solve_larger_problems(tmp_path: Path) -> None:
    recipe = replace(TINY, width=16, epochs=40, validation_per_size=2, final_per_size=2, cosine=True)
    events = list(Run(tmp_path, recipe).train(CPU))
    course = losses(events)
    assert course[-1] < course[0] / 3
    best = read_policy_file(tmp_path / "q_heuristic.safetensors")
    assert best.card["final_score"] >= 8  # coverages of sizes 1.. add up; it has seen sizes up to 5
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert {kind for line in lines for kind in line} >= {"epoch", "losses", "validation", "final"}
    assert len(list((tmp_path / "finalists").iterdir())) <= 4


def test_state_values_are_trained_beside_q_values(tmp_path: Path) -> None:
    list(Run(tmp_path, replace(TINY, epochs=1, objectives=("q_value", "state_value"))).train(CPU))
    assert not read_policy_file(tmp_path / "state_value.safetensors").with_actions
    assert read_policy_file(tmp_path / "q_value.safetensors").with_actions


def test_recipes_survive_a_round_trip(tmp_path: Path) -> None:
    recipe = Recipe("ferry", objectives=("q_value", "q_margin"), goal_split=True, seconds=5.0)
    (tmp_path / "recipe.toml").write_text(recipe.dump())
    assert read_recipe(tmp_path / "recipe.toml") == recipe


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("domain = 'ferry'\nsede = 3", "no `sede`"),
        ("domain = 'ferry'\nseeds = 'three'", "should be a int"),
        ("domain = 'ferry'\naverage = 0", "1 or more"),
        ("seeds = 3", "no `domain`"),
        ("domain = ", "cannot be read"),
    ],
)
def test_bad_recipes_are_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(InputError, match=says):
        read_recipe(tmp_path / "recipe.toml")


def test_the_score_interpolates_sizes_left_out() -> None:
    score = Score((Coverage(2, 4, 4, 0), Coverage(6, 2, 4, 0)), sizes=(2, 3, 4, 5, 6))
    assert score.total == pytest.approx(1 + 0.875 + 0.75 + 0.625 + 0.5)


@dataclass
class Upto:
    """Solves problems up to a size."""

    largest: int
    asked: list[int] = field(default_factory=list)

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        size = task.problem.size
        self.asked.append(size)
        return Trajectory(Ending.SOLVED if size <= self.largest else Ending.STEP_LIMIT)


def test_far_problems_are_for_those_who_solve_all_others() -> None:
    course = Course(load_domain("gripper"), dense_until=4, per_size=1, far_seconds=1.0)
    weak, strong = Upto(40), Upto(300)
    assert course.play(weak).far == () and max(weak.asked) < 100
    assert course.play(strong).far == (True, True, False, False)
    assert strong.asked[-4:] == [200, 200, 400, 400]


def test_a_folder_of_problems_trains_like_a_bundled_domain(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    drawn = CliRunner().invoke(app, ["generate", "gripper", "--size", "2", "--count", "3", "--out", str(folder)])
    assert drawn.exit_code == 0, drawn.output
    corpus = tmp_path / "mine.jsonl.zst"
    taught = CliRunner().invoke(app, ["teach", str(folder), "--teacher", "seq-opt-lmcut", "--out", str(corpus)])
    assert taught.exit_code == 0, taught.output
    recipe = replace(TINY, domain=str(folder), corpus=str(corpus), largest_size=0, epochs=2)
    list(Run(tmp_path / "run", recipe).train(CPU))
    assert read_policy_file(tmp_path / "run" / "q_heuristic.safetensors").card["coverage"]


def test_a_loss_that_is_no_number_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QHeuristic, "loss", lambda self, values, labels: values.sum(dim=1, keepdim=True) * torch.nan)
    with pytest.raises(InputError, match="no longer a number in epoch 1"):
        list(Run(tmp_path, TINY).train(CPU))
