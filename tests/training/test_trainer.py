"""What a recipe says is what is trained: losses, rates, clipping and averages worked out again from the lessons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from liftq.encoders.relational import Relational
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.teaching.corpora import bundled_corpus
from liftq.training.checkpoint import Checkpoint
from liftq.training.data import Data
from liftq.training.encoded import encoded as encode
from liftq.training.loop import Schedule, fit
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.stack import Stack
from liftq.training.trainer import Trainer
from liftq.zoo import load_policy
from tests.training.prepared import lessons_in, predictions

Tiny = Callable[..., Recipe]  # a tiny one, with these options changed

CPU = torch.device("cpu")


@pytest.fixture
def trainer(tmp_path: Path, tiny: Tiny) -> Callable[..., Trainer]:
    """Built as a run builds it. Ferry, since there a network that knows the teacher's actions alone gets lost."""

    def made(**options: Any) -> Trainer:
        recipe = tiny(domain="ferry", **{"batch_size": 10_000, **options})
        return Trainer(RunFolder(tmp_path), Data(recipe, bundled_corpus("ferry")), recipe.objectives, CPU)

    return made


def all_lessons(stack: Stack) -> tuple[torch.Tensor, Any]:
    everything = np.arange(stack.training_set.num_choices)
    return torch.from_numpy(everything), stack.training_set.shape_for([everything])


def losses(stack: Stack) -> np.ndarray:
    """[members]: over all lessons."""
    chosen, shape = all_lessons(stack)
    count = len(stack.seeds)
    return stack.losses(stack.adam.values, chosen.expand(count, -1), [shape] * count).detach().numpy()


def penalty(short: np.ndarray, sizes: np.ndarray, teacher: int, rivals: str) -> float:
    if rivals == "ground":
        return float((short * sizes).sum() - short[teacher])
    short, sizes = np.delete(short, teacher), np.delete(sizes, teacher)
    if len(short) == 0:
        return 0.0
    return {"sum": short.sum(), "mean": short.mean(), "weighted": (short * sizes).sum()}[rivals]


def loss_by_hand(name: str, stack: Stack, trainer: Trainer, weight: float, rivals: str) -> float:
    """|h* - Q(s, a*)| + weight * (what the others lack to their bound), averaged over all states of all plans."""
    predicted = predictions(stack, *all_lessons(stack))[0].numpy()
    losses, start = [], 0
    for lessons in lessons_in(trainer.data):
        for lesson in lessons:
            values = predicted[start : start + len(lesson.choice)]
            start += len(lesson.choice)
            least = {
                "q_value": np.full(len(values), -np.inf),
                "q_explicit": np.full(len(values), lesson.h_star + 1),
                "q_heuristic": np.maximum(lesson.h_star + 1, lesson.bounds),
                "q_margin": np.maximum(values[lesson.teacher] + 1, lesson.bounds),
            }[name]
            error = abs(lesson.h_star - values[lesson.teacher])
            short = np.maximum(0, least - values)
            losses.append(error + weight * penalty(short, lesson.choice.sizes, lesson.teacher, rivals))
    return float(np.mean(losses))


@pytest.mark.parametrize(
    ("name", "weight", "rivals"),
    [
        ("q_value", 1.0, "sum"),
        ("q_explicit", 1.0, "sum"),
        ("q_heuristic", 1.0, "sum"),
        ("q_heuristic", 0.25, "mean"),
        ("q_heuristic", 1.0, "weighted"),
        ("q_heuristic", 1.0, "ground"),
        ("q_margin", 2.0, "sum"),
    ],
)
def test_the_loss_of_a_run(trainer: Callable[..., Trainer], name: str, weight: float, rivals: str) -> None:
    options = {} if name == "q_value" else {"weight": weight, "rivals": rivals}
    built = trainer(objective=[name], **options)
    stack = built.stack()
    assert losses(stack).item() == pytest.approx(loss_by_hand(name, stack, built, weight, rivals), rel=1e-4)


def test_a_policy_is_learned_from(trainer: Callable[..., Trainer]) -> None:
    """Its values are the targets, and bounds are not looked for."""
    built = trainer(objective=["q_distil"], policy="ferry")
    _, targets = built.stack().training_set.assemble(*all_lessons(built.stack()))
    large = load_policy("ferry")
    valued = [large.values(lesson.choice) for lessons in lessons_in(built.data) for lesson in lessons]
    assert targets.taught.numpy() == pytest.approx(np.concatenate(valued))
    every = [lesson for lessons in lessons_in(built.data) for lesson in lessons]
    assert all((np.delete(lesson.bounds, lesson.teacher) == 1).all() for lesson in every)


def test_state_values_learn_that_goals_cost_nothing(trainer: Callable[..., Trainer]) -> None:
    built = trainer(objective=["state_value"])
    stack = built.stack()
    _, targets = stack.training_set.assemble(*all_lessons(stack))
    plans = [entry.plan for entry in built.data.learned]  # ferry's actions cost 1
    assert targets.h_star.tolist() == [left for plan in plans for left in range(len(plan), -1, -1)]


def test_the_last_lesson_of_state_values_is_the_goal_reached(trainer: Callable[..., Trainer]) -> None:
    lessons = lessons_in(trainer(objective=["state_value"]).data)[0]
    encoder = Relational(with_actions=False, goal_split=True)
    graph, _ = encode(lessons, encoder)
    relations = zip(encoder.relations(lessons[0].choice.task.domain), graph.relations, strict=True)
    open_goals = sum(np.diff(rows.first) for relation, rows in relations if relation.name.startswith("goal-false:"))
    assert open_goals[-1] == 0 and (open_goals[:-1] > 0).all()


def after_an_epoch(built: Trainer) -> tuple[Stack, torch.Tensor]:
    """And by how much each weight has moved."""
    stack = built.stack()
    before = stack.adam.values.clone()
    next(fit(stack, built.schedule()))
    return stack, stack.adam.values - before


@pytest.mark.parametrize(
    ("options", "rate"),
    [
        ({"objective": ["q_heuristic"]}, 2e-3),
        ({"objective": ["q_explicit"]}, 2e-3),
        ({"objective": ["q_margin"], "learning_rate": 5e-3}, 5e-3),
        ({"objective": ["q_value"]}, 2e-4),
        ({"objective": ["q_value"], "learning_rate": 1e-3}, 1e-3),
        ({"objective": ["state_value"]}, 2e-4),
    ],
)
def test_the_first_step_is_as_long_as_the_learning_rate(
    trainer: Callable[..., Trainer], options: dict[str, Any], rate: float
) -> None:
    """Adam divides its first gradient by the gradient's own size."""
    _, moved = after_an_epoch(trainer(**options))
    assert moved.abs().max().item() == pytest.approx(rate, rel=1e-2)


@pytest.mark.parametrize("clip", [0.1, 0.004])
def test_gradients_are_clipped_by_norm(trainer: Callable[..., Trainer], clip: float) -> None:
    """After a single step, Adam's first moment is a tenth of the gradient."""
    stack, _ = after_an_epoch(trainer(clip=clip, seeds=2))
    assert stack.adam.mean.norm(dim=1).tolist() == pytest.approx([clip / 10, clip / 10], rel=1e-3)


def test_short_gradients_are_left_as_they_are(trainer: Callable[..., Trainer]) -> None:
    (one, _), (other, _) = (after_an_epoch(trainer(clip=clip)) for clip in (1e5, 1e6))
    assert torch.equal(one.adam.mean, other.adam.mean)


def test_batches_have_the_given_size(trainer: Callable[..., Trainer]) -> None:
    lessons = sum(len(entry.plan) for entry in trainer().data.learned)
    for size in (10_000, 50):
        assert after_an_epoch(trainer(batch_size=size))[0].adam.steps.item() == -(-lessons // size)


@pytest.mark.parametrize(("cosine", "factors"), [(True, [1.0, 0.75, 0.25]), (False, [1.0, 1.0, 1.0])])
def test_rates_fall_along_a_cosine(
    trainer: Callable[..., Trainer], cosine: bool, factors: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    built = trainer(cosine=cosine, epochs=3)  # progress 0, 1/3, 2/3: (1 + cos(pi / 3)) / 2 = 0.75
    stack = built.stack()
    met = []
    monkeypatch.setattr(stack, "step", lambda chosen, shape: met.append(stack.rate_factor.item()))
    list(fit(stack, built.schedule()))
    assert met == pytest.approx(factors)


def test_rates_fall_within_an_epoch_too(trainer: Callable[..., Trainer], monkeypatch: pytest.MonkeyPatch) -> None:
    half = -(-trainer().stack().training_set.num_choices // 2)
    built = trainer(cosine=True, epochs=1, batch_size=half)  # progress 0 and 1/2
    stack, met = built.stack(), list[float]()
    monkeypatch.setattr(stack, "step", lambda chosen, shape: met.append(stack.rate_factor.item()))
    list(fit(stack, built.schedule()))
    assert met == pytest.approx([1, 0.5])


def test_kept_weights_are_averaged_as_configured(trainer: Callable[..., Trainer]) -> None:
    built = trainer(average=4)
    stack, moved = after_an_epoch(built)
    kept = np.concatenate([weight.ravel() for weight in built.policy(stack, 0, 1).weights.values()])
    before = (stack.adam.values - moved)[0]
    np.testing.assert_allclose(kept, (before + moved[0] / 4).numpy(), atol=1e-6)


def test_every_objective_is_trained_with_every_seed(trainer: Callable[..., Trainer]) -> None:
    stack = trainer(objective=["q_value", "q_margin"], seeds=2, first_seed=5).stack()
    assert [(type(member.objective).__name__, member.seed) for member in stack.members] == [
        ("QValue", 5), ("QValue", 6), ("QMargin", 5), ("QMargin", 6),
    ]  # fmt: skip
    assert torch.equal(stack.adam.values[0], stack.adam.values[2])  # the same seed, the same start
    assert not torch.equal(stack.adam.values[0], stack.adam.values[1])


def test_the_network_has_the_given_options(trainer: Callable[..., Trainer]) -> None:
    model = trainer(width=6, layers=3, alpha=7.0, normalize=True).stack().model
    assert (model.width, model.layers, model.alpha, model.normalize) == (6, 3, 7.0, True)  # type: ignore[attr-defined]
    assert type(trainer(encoder="object_atom").stack().model).__name__ == "RGCN"
    assert trainer(goal_split=True).encoder.goal_split


def test_the_card_records_the_origin(trainer: Callable[..., Trainer]) -> None:
    built = trainer(objective=["q_margin"])
    card = built.card(built.stack(), built.stack().members[0], epoch=7)
    assert (card["objective"], card["seed"], card["epoch"], card["learning_rate"]) == ("q_margin", 1, 7, 2e-3)
    assert (card["plans"], card["sizes"], card["held_out"]) == (len(built.data.learned), [3, 5], 0)
    assert card["lessons"] == sum(len(entry.plan) for entry in built.data.learned)


def test_training_begins_with_the_weights_of_a_policy(trainer: Callable[..., Trainer], tmp_path: Path) -> None:
    first = trainer()
    before = first.policy(first.stack(), 0, 1)
    save_policy(tmp_path / "before.safetensors", before)
    begun = trainer(first_seed=5, seeds=2, begin_with=str(tmp_path / "before.safetensors")).stack()
    for index in range(2):
        kept = begun.member_weights(index).items()
        assert all(np.array_equal(weight, before.weights[name]) for name, weight in kept)
    assert torch.equal(begun.adam.values, begun.adam.average)
    with pytest.warns(UserWarning, match="begins with random weights"):
        other = trainer(first_seed=5, goal_split=True, begin_with=str(tmp_path / "before.safetensors")).stack()
    assert torch.equal(other.adam.values, trainer(first_seed=5, goal_split=True).stack().adam.values)


def test_who_learns_from_a_policy_acts_like_it(trainer: Callable[..., Trainer], tmp_path: Path) -> None:
    plain = trainer()
    untaught, acting = plain.policy(plain.stack(), 0, 1), {"gap": 3.0}
    assert "acting" not in untaught.card
    save_policy(tmp_path / "large.safetensors", replace(untaught, card=untaught.card | {"acting": acting}))
    taught = trainer(objective=["q_distil"], policy=str(tmp_path / "large.safetensors"))
    assert taught.policy(taught.stack(), 0, 1).card["acting"] == acting


def test_begin_with_keeps_what_the_policy_knows(trainer: Callable[..., Trainer], tmp_path: Path) -> None:
    """Goals that hold already are in none of the lessons of one step, but in those of all."""
    path = tmp_path / "before.safetensors"
    taught = trainer(goal_split=True, largest_size=5)
    save_policy(path, before := taught.policy(taught.stack(), 0, 1))
    narrow = trainer(goal_split=True, largest_size=3)
    assert set(narrow.encoder.without) > set(before.encoder.without)
    begun = trainer(goal_split=True, largest_size=3, begin_with=str(path))
    assert begun.encoder == before.encoder
    assert begun.policy(begun.stack(), 0, 1).card["sizes"] == before.card["sizes"] == [3, 5]  # all that it has seen
    assert all(np.array_equal(weight, before.weights[name]) for name, weight in begun.stack().member_weights(0).items())
    save_policy(path, narrow.policy(narrow.stack(), 0, 1))
    wide = trainer(goal_split=True, largest_size=5, begin_with=str(path))
    assert wide.encoder == before.encoder  # what it does not know must be learned
    with pytest.warns(UserWarning, match="begins with random weights"):
        stack = wide.stack()
    policy = read_policy_file(path)
    save_policy(path, replace(policy, card=policy.card | {"sizes": [3, 99]}))
    again = trainer(goal_split=True, largest_size=5, begin_with=str(path))
    assert again.card(stack, stack.members[0], 1)["sizes"] == [3, 5]  # nothing comes from that policy


def test_a_policy_that_sees_other_relations_does_not_decide_which_are_learned(trainer: Callable[..., Trainer]) -> None:
    """Though it leaves out none of its own."""
    plain, begun = trainer(), trainer()
    policy = plain.policy(plain.stack(), 0, 1)
    vars(begun)["begun_with"] = replace(policy, encoder=replace(policy.encoder, goal_split=True, without=()))
    assert begun.encoder == plain.encoder


def test_a_policy_of_another_encoder_is_not_begun_with(trainer: Callable[..., Trainer]) -> None:
    """Even where the shapes of its weights are the same."""
    built = trainer()
    stack, policy = built.stack(), built.policy(built.stack(), 0, 1)
    stack.adam.values.zero_()
    with pytest.warns(UserWarning, match="begins with random weights"):
        built.begin_with(replace(policy, encoder=replace(policy.encoder, without=("atom:at",))), stack)
    assert not stack.adam.values.any()
    built.begin_with(policy, stack)
    assert stack.adam.values.any()


def test_the_schedule_is_the_recipes(trainer: Callable[..., Trainer]) -> None:
    options = {"epochs": 7, "batch_size": 20, "cosine": True, "epoch_lessons": 40, "seconds": 12.5}
    assert trainer(**options).schedule() == Schedule(7, 20, True, 40, 12.5)
    assert trainer().schedule().seconds is None


def test_a_run_that_ran_out_of_time_continues_with_more(trainer: Callable[..., Trainer]) -> None:
    saved = Checkpoint(epoch=3, seconds=10.0, members=[], tensors={}, finished=True)
    assert trainer(epochs=5, seconds=11).is_finished(saved)
    assert not trainer(epochs=5, seconds=100).is_finished(saved)
    assert not trainer(epochs=3).is_finished(replace(saved, finished=False))  # its last policies are not written down


def test_rates_on_cards_are_those_of_their_objectives(trainer: Callable[..., Trainer]) -> None:
    built = trainer(objective=["q_value", "q_margin"])
    stack = built.stack()
    assert [built.card(stack, member, 1)["learning_rate"] for member in stack.members] == [2e-4, 2e-3]
