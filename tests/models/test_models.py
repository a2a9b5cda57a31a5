"""Models against the paper's equations; compression and names of objects change nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from liftq.domains import domains
from liftq.encoders import Encoder, Relation, encoder, encoders, unite
from liftq.engine.task import State, Task
from liftq.models import Model, model, models
from liftq.models.networks import network_of
from liftq.models.networks.batch import batch_of
from liftq.models.networks.weights import initial, views
from liftq.models.rgcn import RGCN, Start
from liftq.models.rgnn import RGNN
from liftq.pddl import Atom, Literal, Object, Problem
from liftq.problems.loading import load_domain
from tests.engine.walks import random_walk
from tests.models import reference

PAIRS = [(name, model(each)) for name in encoders() for each in models() if model(each).reads(encoder(name))]
relaxed_or_not = pytest.mark.parametrize("relaxed_plans", [True, False], ids=["relaxed", "plain"])
SMALL_SIZES = {"sokoban": 37, "visitall": 16, "rovers": 14, "spanner": 12}


def small_task(name: str, size: int | None = None) -> Task:
    source = load_domain(name)
    return Task(source.domain, next(source.instances(size or SMALL_SIZES.get(name, 12), seed=3)).problem)


def value_of(
    task: Task,
    states: list[State],
    encoder: Encoder,
    model: Model,
    seeds: tuple[int, ...] = (1,),
    compress: bool = True,
) -> Tensor:
    relations = encoder.relations(task.domain)
    layout = model.layout(relations, encoder.with_actions)
    weights = views(layout, initial(layout, seeds).double())
    batch = batch_of(encoder.encode([task.choice(state, compress=compress) for state in states]))
    batch.slot_log_count, batch.multiplicity = batch.slot_log_count.double(), batch.multiplicity.double()
    return network_of(model).values(weights, relations, batch)


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize("options", [{}, {"goal_split": True}, {"relaxed_plans": True}], ids=str)
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", ["blocksworld", "ferry", "childsnack"])
def test_values_equal_the_reference(
    name: str, encoder_name: str, model_class: type[Model], options: dict[str, bool], with_actions: bool
) -> None:
    task = small_task(name, 9)
    states = [state for state, _ in random_walk(task, 4)]
    enc = encoder(encoder_name)(with_actions=with_actions, **options)
    model = model_class(width=4, layers=3)
    relations = enc.relations(task.domain)
    layout = model.layout(relations, with_actions)
    weights = {n: w[0].double().numpy() for n, w in views(layout, initial(layout, [1])).items()}
    graph = enc.encode([task.choice(state) for state in states])
    if isinstance(model, RGNN):
        h = reference.rgnn(weights, relations, graph, 4, 3, model.alpha)
    else:
        h = reference.rgcn(weights, relations, graph, 3)
    expected = reference.values(weights, h, graph, with_actions)
    assert value_of(task, states, enc, model)[0].numpy() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("with_actions", [True, False])
@relaxed_or_not
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", sorted(domains()))
def test_compressed_graphs_have_the_values_of_full_ones(
    name: str, encoder_name: str, model_class: type[Model], relaxed_plans: bool, with_actions: bool
) -> None:
    task = small_task(name)
    enc = encoder(encoder_name)(with_actions=with_actions, relaxed_plans=relaxed_plans)
    model = model_class(width=8, layers=6)
    for state, _ in random_walk(task, 3):
        small = value_of(task, [state], enc, model)[0]
        full = value_of(task, [state], enc, model, compress=False)[0]
        if with_actions:
            choice, whole = task.choice(state), task.choice(state, compress=False)
            assert len(small) == len(choice)
            assert len(full) == len(whole) == choice.sizes.sum()
            full = full[[whole.candidate_of(choice.action(c)) for c in range(len(choice))]]
        assert small.numpy() == pytest.approx(full.numpy(), abs=1e-5)


def renamed(problem: Problem, seed: int) -> tuple[Problem, dict[str, str]]:
    """The same problem with other names, its objects and atoms in another order."""
    rng = random.Random(seed)
    new_names = [f"z{number}" for number in range(len(problem.objects))]
    rng.shuffle(new_names)
    name = dict(zip((o.name for o in problem.objects), new_names, strict=True))

    def rename(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(name.get(o, o) for o in atom.arguments))

    objects = [Object(name[o.name], o.type) for o in problem.objects]
    init = [rename(atom) for atom in problem.init]
    goal = [Literal(rename(literal.atom), literal.positive) for literal in problem.goal]
    for part in (objects, init, goal):
        rng.shuffle(part)  # type: ignore[arg-type]
    return replace(problem, objects=tuple(objects), init=tuple(init), goal=tuple(goal)), name


@relaxed_or_not
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", ["blocksworld", "rovers", "childsnack"])
def test_names_and_order_of_objects_change_nothing(
    name: str, encoder_name: str, model_class: type[Model], relaxed_plans: bool
) -> None:
    task = small_task(name)
    other_problem, other_name = renamed(task.problem, 0)
    other = Task(task.domain, other_problem)
    enc, model = encoder(encoder_name)(relaxed_plans=relaxed_plans), model_class(width=8, layers=6)
    own = value_of(task, [task.initial_state], enc, model)[0]
    others = value_of(other, [other.initial_state], enc, model)[0]
    choice, other_choice = task.choice(task.initial_state), other.choice(other.initial_state)
    for candidate in range(len(choice)):
        action = choice.action(candidate)
        twin = action._replace(arguments=tuple(other_name.get(o, o) for o in action.arguments))
        assert own[candidate] == pytest.approx(float(others[other_choice.candidate_of(twin)]), abs=1e-9)


@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
def test_a_union_has_the_values_of_its_parts(encoder_name: str, model_class: type[Model]) -> None:
    tasks = [small_task("ferry", size) for size in (5, 9)]
    enc, model = encoder(encoder_name)(), model_class(width=8, layers=4)
    graphs = [enc.encode([task.choice(s) for s, _ in random_walk(task, 3)]) for task in tasks]
    relations = enc.relations(tasks[0].domain)
    layout = model.layout(relations, True)
    weights, network = views(layout, initial(layout, [5, 6])), network_of(model)
    together = network.values(weights, relations, batch_of(unite(graphs)))
    apart = torch.cat([network.values(weights, relations, batch_of(graph)) for graph in graphs], dim=1)
    np.testing.assert_allclose(together, apart, atol=1e-5)


def test_stacked_models_are_the_models_apart() -> None:
    task = small_task("ferry", 8)
    states = [task.initial_state]
    enc, model = encoder("relational")(), RGNN(width=8, layers=5)
    together = value_of(task, states, enc, model, seeds=(1, 2, 3))
    for row, seed in enumerate((1, 2, 3)):
        assert together[row].numpy() == pytest.approx(value_of(task, states, enc, model, (seed,))[0].numpy(), abs=1e-12)


def test_layers_of_an_rgcn_start_as_configured() -> None:
    """The same random numbers, as `default` draws them."""
    relations = [Relation("f", 1), *(Relation(f"r{number}", 2) for number in range(4))]

    def drawn(start: Start) -> dict[str, Tensor]:
        layout = RGCN(8, 3, start=start).layout(relations, with_actions=True)
        return views(layout, initial(layout, [1]))

    plain, near, by_labels = drawn("default"), drawn("identity"), drawn("labels")
    torch.testing.assert_close(near["self.weight"], torch.eye(8) + 0.1 * plain["self.weight"])
    torch.testing.assert_close(near["label.weight"], 0.1 * plain["label.weight"])
    torch.testing.assert_close(near["self.bias"], 0.1 * plain["self.bias"])
    torch.testing.assert_close(by_labels["label.weight"], plain["label.weight"] / 2)
    for name in ("lift.weight", "readout.inner.weight", "readout.outer.bias"):
        assert torch.equal(near[name], plain[name]) and torch.equal(by_labels[name], plain[name])
    assert RGCN().start == "identity"
