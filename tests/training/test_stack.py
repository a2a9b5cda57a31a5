"""Batches of a training set equal graphs encoded afresh; models trained together equal models trained apart."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from liftq.encoders import Encoder, encoder, encoders, unite
from liftq.encoders.graphs.relations import DEAD_END, HELPFUL, TOO_LARGE
from liftq.engine.solver import Action
from liftq.models import Model, model, models
from liftq.models.networks.batch import batch_of
from liftq.models.networks.weights import views
from liftq.models.rgnn import RGNN
from liftq.objectives import objective
from liftq.pddl import parse_problem
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.lesson import Lesson, lessons, lessons_of
from liftq.training.encoded import Encoded
from liftq.training.encoded import encoded as encode
from liftq.training.loop import Schedule, batches_of_seeds, fit, shuffled_batches
from liftq.training.stack import Stack, StackedModel
from liftq.training.training_set import TrainingSet
from tests.training.prepared import leave_out_unseen, predictions, training_set_of

CPU = torch.device("cpu")
PAIRS = [(name, model(each)(8, 4)) for name in encoders() for each in models() if model(each).reads(encoder(name))]


@pytest.fixture(scope="module")
def lesson_sets() -> list[list[Lesson]]:
    small = (each for each in bundled_corpus("ferry").tasks() if each[1].size <= 6)
    return list(lessons(small))


def stack_of(
    training_set: TrainingSet, enc: Encoder, model: Model, names: list[str], seeds: list[int], rate: float
) -> Stack:
    members = [StackedModel(objective(name)(learning_rate=rate), seed) for name in names for seed in seeds]
    return Stack(model, enc.relations(bundled_corpus("ferry").domain), members, training_set, clip=0.1)


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize(("name", "model"), PAIRS)
def test_assembled_batches_equal_encoded_graphs(
    lesson_sets: list[list[Lesson]], name: str, model: Model, with_actions: bool
) -> None:
    enc = encoder(name)(with_actions=with_actions)
    training_set = training_set_of(lesson_sets, enc, CPU)
    stack = stack_of(training_set, enc, model, ["q_value" if with_actions else "state_value"], [1, 2], 1e-3)
    whole = unite([encode(each, enc)[0] for each in lesson_sets])
    relations = enc.relations(lesson_sets[0][0].choice.task.domain)
    all_values = stack.network.values(views(stack.layout, stack.adam.values), relations, batch_of(whole))
    chosen = np.array([5, 0, 17, 3, 3])
    larger = np.arange(5) + 20  # another batch that the shape must hold: some slots stay empty
    values = predictions(stack, torch.from_numpy(chosen), training_set.shape_for([chosen, larger]))
    first = whole.first_candidate if with_actions else np.arange(whole.num_choices + 1)
    expected = torch.cat([all_values[:, first[c] : first[c + 1]] for c in chosen], dim=1)
    torch.testing.assert_close(values[:, : expected.shape[1]], expected, atol=1e-5, rtol=1e-5)


def test_messages_of_padding_never_arrive(lesson_sets: list[list[Lesson]]) -> None:
    """Else they could grow without limit, as nothing that is learned depends on them."""
    training_set = training_set_of(lesson_sets, encoder("relational")(), CPU)
    chosen, larger = np.array([5, 0, 17, 3, 3]), np.arange(5) + 20
    shape = training_set.shape_for([chosen, larger])
    batches = (
        training_set.assemble(torch.from_numpy(chosen), shape)[0],
        batch_of(unite([encode(each, encoder("relational")())[0] for each in lesson_sets])),
    )
    for batch in batches:
        is_padding = batch.slot_node >= batch.shape.nodes
        assert is_padding.any() and (batch.slot_log_count[is_padding] == -torch.inf).all()
        assert batch.slot_log_count[~is_padding].isfinite().all()


@pytest.mark.parametrize("with_actions", [True, False])
def test_relations_that_no_lesson_has_are_left_out(lesson_sets: list[list[Lesson]], with_actions: bool) -> None:
    domain = lesson_sets[0][0].choice.task.domain
    enc = leave_out_unseen(lesson_sets, encoder("relational")(with_actions, goal_split=True), domain)
    names = {relation.name for relation in enc.relations(domain)}
    assert {name for name in names if "goal" in name or "forbidden" in name} == {"goal-true:at", "goal-false:at"}
    assert names >= {"type:car", "atom:on", "atom:empty-ferry"}
    assert ("action:sail" in names) == with_actions
    training_set = training_set_of(lesson_sets, enc, CPU)
    assert len(training_set.arities) == len(names)
    assert leave_out_unseen(lesson_sets, enc, domain) == enc


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize("name", encoders())
def test_unseen_relations_can_be_dropped_after_encoding(
    lesson_sets: list[list[Lesson]], name: str, with_actions: bool
) -> None:
    domain, every = lesson_sets[0][0].choice.task.domain, encoder(name)(with_actions, goal_split=True)
    enc = leave_out_unseen(lesson_sets, every, domain)
    whole, expected = (Encoded.united([encode(each, e) for each in lesson_sets]).graph for e in (every, enc))
    found = Encoded(whole, None).only(every.relations(domain), enc.relations(domain)).graph  # type: ignore[arg-type]
    assert len(found.relations) == len(expected.relations) < len(whole.relations)
    for own, other in zip(found.relations, expected.relations, strict=True):
        assert np.array_equal(own.nodes, other.nodes) and np.array_equal(own.first, other.first)


@pytest.mark.parametrize("with_actions", [True, False])
def test_a_share_of_lessons_is_without_relaxed_plans(lesson_sets: list[list[Lesson]], with_actions: bool) -> None:
    domain = lesson_sets[0][0].choice.task.domain
    plain = encoder("relational")(with_actions, relaxed_plans=True)
    enc = leave_out_unseen(lesson_sets, plain, domain, relaxed_dropout=0.3)
    names = [relation.name for relation in enc.relations(domain)]
    graph = unite([encode(each, enc, relaxed_dropout=0.3)[0] for each in lesson_sets])
    found = {name: np.diff(rows.first) > 0 for name, rows in zip(names, graph.relations, strict=True)}
    hidden, shown = found[TOO_LARGE], found["relaxed:board"] | found["relaxed:sail"] | found["relaxed:debark"]
    assert not (hidden & shown).any()
    assert 0.2 < hidden.mean() < 0.4
    assert (hidden | shown).mean() == 1 if with_actions else (hidden | shown).mean() > 0.8  # goal states have none


def test_relaxed_plans_that_no_lesson_shows_are_left_out(lesson_sets: list[list[Lesson]]) -> None:
    domain = lesson_sets[0][0].choice.task.domain
    plain = encoder("relational")(relaxed_plans=True)
    always, never = (leave_out_unseen(lesson_sets, plain, domain, dropout).without for dropout in (0, 1))
    assert {TOO_LARGE, DEAD_END} <= set(always) and HELPFUL not in always
    assert {HELPFUL, DEAD_END, "relaxed:board"} <= set(never) and TOO_LARGE not in never


def test_actions_that_no_lesson_could_take_are_not_left_out() -> None:
    """A car is on board at the right place: it can debark, and nothing can board."""
    ferry = bundled_corpus("ferry").domain
    problem = parse_problem(
        """(define (problem p) (:domain ferry) (:objects c - car a b - location)
        (:init (at-ferry a) (on c)) (:goal (at c a)))""",
        ferry,
    )
    taught = lessons_of(ferry, problem, (Action("debark", ("c", "a")),))
    enc = leave_out_unseen([taught], encoder("relational")(), ferry)
    assert {row.name for row in enc.rows(ferry)} >= {"action:board", "action:debark", "action:sail"}
    assert "atom:at" in enc.without and "goal:at" not in enc.without


def test_labels_follow_their_choices() -> None:
    enc = encoder("relational")()
    taught = [each for each in bundled_corpus("ferry").tasks() if each[1].size <= 6]
    lesson_sets = [lessons_of(*each, tie_states=100) for each in taught]
    training_set = training_set_of(lesson_sets, enc, CPU)
    flat = [(each, index) for each in lesson_sets for index in range(len(each))]
    tied = next(
        number for number, (each, index) in enumerate(flat) if each[index].is_rival.sum() < len(each[index].choice) - 1
    )
    chosen = np.array([4, tied, 9])
    _, targets = training_set.assemble(torch.from_numpy(chosen), training_set.shape_for([chosen]))
    start = 0
    for place, (lesson_set, index) in enumerate(flat[c] for c in chosen):
        lesson = lesson_set[index]
        end = start + len(lesson.choice)
        assert targets.h_star[place] == lesson.h_star
        assert targets.teacher[place] == start + lesson.teacher
        assert targets.bounds[start:end].tolist() == lesson.bounds.tolist()
        assert targets.is_rival[start:end].tolist() == lesson.is_rival.tolist()
        assert set(targets.choice_of_candidate[start:end].tolist()) == {place}
        start = end


def test_models_trained_together_equal_models_trained_apart(lesson_sets: list[list[Lesson]]) -> None:
    enc, model = encoder("relational")(), RGNN(8, 4)
    training_set = training_set_of(lesson_sets, enc, CPU)
    schedule = Schedule(epochs=2, batch_size=16, cosine=True)
    together = stack_of(training_set, enc, model, ["q_value", "q_heuristic"], [1, 2], 2e-3)
    epochs = list(fit(together, schedule))
    alone = stack_of(training_set, enc, model, ["q_heuristic"], [2], 2e-3)
    epochs_alone = list(fit(alone, schedule))
    torch.testing.assert_close(alone.adam.values[0], together.adam.values[3], atol=1e-5, rtol=1e-4)
    assert epochs_alone[-1].losses[0] == pytest.approx(epochs[-1].losses[3], rel=1e-4)


def test_a_step_is_the_step_of_pytorch(lesson_sets: list[list[Lesson]]) -> None:
    """Our Adam and clipping on flat rows against torch.optim.Adam and clip_grad_norm_."""
    enc, model = encoder("relational")(), RGNN(8, 4)
    training_set = training_set_of(lesson_sets, enc, CPU)
    stack = stack_of(training_set, enc, model, ["q_heuristic"], [7], 2e-3)
    chosen = torch.arange(12)[None]
    shapes = [training_set.shape_for(chosen.numpy())]
    weights = stack.adam.values.clone().requires_grad_()
    optimizer = torch.optim.Adam([weights], lr=2e-3)
    for _ in range(4):
        stack.step(chosen, shapes)
        optimizer.zero_grad()
        stack.losses(weights, chosen, shapes).sum().backward()
        torch.nn.utils.clip_grad_norm_([weights], 0.1)
        optimizer.step()
    torch.testing.assert_close(stack.adam.values, weights.detach(), atol=2e-5, rtol=1e-3)


def test_kept_weights_are_an_average_of_the_last_ones(lesson_sets: list[list[Lesson]]) -> None:
    enc, model = encoder("relational")(), RGNN(8, 4)
    training_set = training_set_of(lesson_sets, enc, CPU)
    members = [StackedModel(objective("q_heuristic")(), 1)]
    stack = Stack(
        model, enc.relations(lesson_sets[0][0].choice.task.domain), members, training_set, clip=0.1, average=4
    )
    expected, chosen = stack.adam.values.clone(), torch.arange(12)[None]
    for _ in range(3):
        stack.step(chosen, [training_set.shape_for(chosen.numpy())])
        expected += (stack.adam.values - expected) / 4
    kept = np.concatenate([weight.ravel() for weight in stack.member_weights(0).values()])
    np.testing.assert_allclose(kept, expected[0].numpy(), atol=1e-6)


def test_every_lesson_is_in_every_epoch() -> None:
    batches = shuffled_batches(count=10, size=4, epoch=3)
    assert batches.shape == (3, 4)
    assert set(batches.ravel()) == set(range(10))
    assert (batches != shuffled_batches(10, 4, 4)).any()
    assert shuffled_batches(3, 256, 0).shape == (1, 3)


def test_each_seed_has_an_order_of_its_own() -> None:
    schedule = Schedule(batch_size=4)
    first, second = np.moveaxis(batches_of_seeds(10, schedule, 0, [1, 2]), 1, 0)
    assert (first != second).any() and (first == batches_of_seeds(10, schedule, 0, [1])[:, 0]).all()


def test_a_short_epoch_draws_its_lessons_anew() -> None:
    epochs = [shuffled_batches(100, 4, epoch, most=10) for epoch in range(2)]
    assert [batches.shape for batches in epochs] == [(3, 4), (3, 4)]
    assert len(set(epochs[0].flatten())) == 10 and set(epochs[0].flatten()) != set(epochs[1].flatten())


def test_batches_in_strata_are_about_equally_large() -> None:
    rows = np.random.default_rng(1).permutation(400) ** 2
    batches = shuffled_batches(400, 10, 0, rows=rows)
    assert sorted(batches.ravel()) == list(range(400))
    plain, stratified = (np.ptp(rows[each].sum(axis=1)) for each in (shuffled_batches(400, 10, 0), batches))
    assert stratified < plain / 2
    assert (batches != shuffled_batches(400, 10, 1, rows=rows)).any()


def test_batches_of_large_states_are_small() -> None:
    schedule = Schedule(batch_size=16, lessons=640)
    fitted = [schedule.fitted(np.full(5, rows), 4000) for rows in (1, 400, 10**6)]
    assert [(each.batch_size, each.lessons) for each in fitted] == [(16, 640), (10, 400), (8, 320)]
