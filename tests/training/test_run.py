"""A run learns, goes on from wherever it was stopped, and keeps its best policies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

from liftq.errors import InputError
from liftq.objectives.q_heuristic import QHeuristic
from liftq.policies.policy_file import read_policy_file
from liftq.training.background import BackgroundValidation
from liftq.training.checkpoint import read_checkpoint
from liftq.training.events import Epoch, Validated
from liftq.training.recipes.recipe import Recipe
from liftq.training.run import Run

Tiny = Callable[..., Recipe]  # a tiny one, with these options changed

CPU = torch.device("cpu")


def losses(events: list[Any]) -> list[float]:
    return [float(event.losses[0]) for event in events if isinstance(event, Epoch)]


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def until(event: type, events: Iterator[Any]) -> Iterator[Any]:
    for each in events:
        yield each
        if isinstance(each, event):
            return


def test_a_resumed_run_continues_as_if_never_stopped(tmp_path: Path, tiny: Tiny) -> None:
    whole = losses(list(Run(tmp_path / "whole", tiny()).train(CPU)))
    with closing(Run(tmp_path / "stopped", tiny()).train(CPU)) as training:
        first_events = list(until(Epoch, training))
    rest = losses(list(Run(tmp_path / "stopped", tiny()).train(CPU)))
    assert len(losses(first_events)) == 1
    assert losses(first_events) + rest == pytest.approx(whole, rel=1e-4)


def test_a_stopped_run_is_saved(tmp_path: Path, tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.training.checkpoint.SAVING_SHARE", 1e-9)  # after the first, no time for another
    with closing(Run(tmp_path, tiny(epochs=9)).train(CPU)) as training:
        epochs = (event.number for event in training if isinstance(event, Epoch))
        assert list(islice(epochs, 3)) == [1, 2, 3]
    saved = read_checkpoint(tmp_path / "checkpoint-q.safetensors")
    assert saved is not None and saved.epoch == 3


def test_a_run_that_is_stopped_after_every_event_still_ends_and_does_nothing_twice(tmp_path: Path, tiny: Tiny) -> None:
    recipe = tiny(seeds=2, objective=["q_heuristic", "state_value"], final_per_size=1)
    for _ in range(100):
        with closing(Run(tmp_path, recipe).train(CPU)) as training:
            if len(list(islice(training, 2))) < 2:  # the first only says that it begins
                break
    lines = log_of(tmp_path)
    for values in ("q", "v"):
        assert [line["epoch"] for line in lines if line.get("values") == values] == [1, 2, 3]
    for kind in ("validation", "final"):
        cards = [line[kind] for line in lines if kind in line]
        played = Counter((card["objective"], card["seed"], card["epoch"]) for card in cards)
        assert set(played.values()) == {1}
        expected = {(name, seed, 3) for name in recipe.objective_names for seed in (1, 2)}
        assert kind == "final" or expected <= set(played)
    finalists = {path.stem for path in (tmp_path / "finalists").iterdir()}
    finals = {f"{c['objective']}-{c['seed']}-{c['epoch']}" for c in (x["final"] for x in lines if "final" in x)}
    assert finals == finalists
    assert not list((tmp_path / "waiting").iterdir())


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path, tiny: Tiny) -> None:
    recipe = tiny(final_per_size=1)
    list(Run(tmp_path, recipe).train(CPU))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    (begun,) = Run(tmp_path, recipe).train(CPU)
    assert begun.plans
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_policy_stopped_in_validation_is_validated_later(tmp_path: Path, tiny: Tiny) -> None:
    with closing(Run(tmp_path, tiny()).train(CPU)) as training:
        for event in training:
            if isinstance(event, Epoch) and event.last:
                break
    assert (tmp_path / "waiting" / "q_heuristic-1-3.safetensors").exists()
    events = list(Run(tmp_path, tiny()).train(CPU))
    assert not losses(events)
    assert "q_heuristic-1-3" in {
        f"q_heuristic-1-{event.policy.card['epoch']}" for event in events if isinstance(event, Validated)
    }


def test_epochs_trained_again_are_not_validated_again(tmp_path: Path, tiny: Tiny) -> None:
    list(Run(tmp_path, tiny()).train(CPU))
    (tmp_path / "checkpoint-q.safetensors").unlink()
    assert len(losses(list(Run(tmp_path, tiny()).train(CPU)))) == 3
    epochs = [line["validation"]["epoch"] for line in log_of(tmp_path) if "validation" in line]
    assert epochs.count(3) == 1


def test_a_time_limit_counts_over_all_parts_of_a_run(tmp_path: Path, tiny: Tiny) -> None:
    recipe = tiny(seconds=1e-6, epochs=50)
    assert len(losses(list(Run(tmp_path, recipe).train(CPU)))) == 1
    assert not losses(list(Run(tmp_path, recipe).train(CPU)))


def test_a_run_that_came_to_its_time_limit_continues_under_a_larger_one(tmp_path: Path, tiny: Tiny) -> None:
    def epochs(seconds: float) -> list[int]:
        events = list(Run(tmp_path, tiny(epochs=9, seconds=seconds)).train(CPU))
        return [event.number for event in events if isinstance(event, Epoch)]

    assert (epochs(1e-6), epochs(1e-6), epochs(1000), epochs(0)) == ([1], [], [*range(2, 10)], [])


def test_the_time_limit_of_a_cosine_cannot_change(tmp_path: Path, tiny: Tiny) -> None:
    list(Run(tmp_path, tiny(seconds=1e-6, cosine=True)).train(CPU))
    with pytest.raises(InputError, match=r"training\.seconds"):
        list(Run(tmp_path, tiny(seconds=1000, cosine=True)).train(CPU))


def test_a_small_corpus_is_learned_well_enough_to_solve_larger_problems(tmp_path: Path, tiny: Tiny) -> None:
    recipe = tiny(width=16, epochs=40, per_size=2, final_per_size=2, cosine=True)
    course = losses(list(Run(tmp_path, recipe).train(CPU)))
    assert course[-1] < course[0] / 3
    best = read_policy_file(tmp_path / "q_heuristic.safetensors")
    assert best.card["final_score"] >= 8  # coverages of sizes 1.. add up; it has seen sizes up to 5
    finals = [line["final"] for line in log_of(tmp_path) if "final" in line]
    assert best.card["pooled_score"] == max(card["pooled_score"] for card in finals)
    assert all(card["pooled_score"] == (card["score"] + card["final_score"]) / 2 for card in finals)  # 2 plays each
    assert len(list((tmp_path / "finalists").iterdir())) <= 12


def test_policies_are_validated_during_training_and_in_finals(tmp_path: Path, tiny: Tiny) -> None:
    list(Run(tmp_path, tiny(seeds=2, objective=["q_heuristic", "q_value"], final_per_size=1)).train(CPU))
    validated = [line["validation"] for line in log_of(tmp_path) if "validation" in line]
    assert {card["epoch"] for card in validated} >= {1, 3}  # after the first epoch nobody is being played yet
    finals = [line["final"] for line in log_of(tmp_path) if "final" in line]
    assert len({(card["objective"], card["seed"]) for card in finals}) == 4
    for final in finals:
        own = [each for each in validated if all(each[key] == final[key] for key in ("objective", "seed"))]
        scores = sorted((each["epoch"], round(each["score"], 2)) for each in own)
        assert [tuple(point) for point in final["validation_curve"]] == scores and len(scores) > 1


def test_the_last_models_are_validated_even_while_others_are_being_played(
    tmp_path: Path, tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackgroundValidation, "idle", False)
    list(Run(tmp_path, tiny()).train(CPU))
    assert [line["validation"]["epoch"] for line in log_of(tmp_path) if "validation" in line] == [3]


def test_state_values_are_trained_beside_q_values(tmp_path: Path, tiny: Tiny) -> None:
    list(Run(tmp_path, tiny(epochs=1, objective=["q_value", "state_value"])).train(CPU))
    assert not read_policy_file(tmp_path / "state_value.safetensors").with_actions
    assert read_policy_file(tmp_path / "q_value.safetensors").with_actions


def test_a_loss_of_nan_stops_the_run(tmp_path: Path, tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QHeuristic, "loss", lambda self, values, targets: values.sum(dim=1, keepdim=True) * torch.nan)
    with pytest.raises(InputError, match="no longer a number in epoch 1"):
        list(Run(tmp_path, tiny()).train(CPU))
