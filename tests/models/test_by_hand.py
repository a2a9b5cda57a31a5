"""Both models on a graph of five nodes, worked out number by number: nothing here comes from an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, log1p, sqrt, tanh

import numpy as np
import pytest
import torch

from liftq.encoders import Graph, Relation, Rows
from liftq.models import Model
from liftq.models.networks import network_of
from liftq.models.networks.batch import batch_of
from liftq.models.networks.weights import initial, views
from liftq.models.rgcn import RGCN
from liftq.models.rgnn import RGNN

# Nodes: a; b, which stands for two twins; c, of which no atom is; and the actions x and y, which go to b and to a.
RELATIONS = (Relation("type:t", 1), Relation("atom:r", 2), Relation("action:go", 2))
A, B, C, X, Y = range(5)
MULTIPLICITY = (1, 2, 1, 0, 0)


def rows(nodes: Sequence[Sequence[int]], counts: Sequence[Sequence[float]]) -> Rows:
    return Rows(np.array(nodes, dtype=np.int64), np.array(counts, dtype=np.float32), np.array([0, len(nodes)]))


GRAPH = Graph(
    (
        rows([[A], [B]], [[1], [1]]),
        rows([[A, B]], [[2, 1]]),  # for a, two atoms: one with each twin
        rows([[X, B], [Y, A]], [[1, 1], [1, 1]]),
    ),
    np.array(MULTIPLICITY, dtype=np.float32),
    np.array([0, 5]),
    np.array([X, Y], dtype=np.int64),
    np.array([0, 2]),
)


def mish(x: float) -> float:
    return x * tanh(log1p(exp(x)))


def smooth_maximum(*messages: float) -> float:
    return log(sum(exp(12 * message) for message in messages)) / 12


def values(model: Model, weights: Mapping[str, object], with_actions: bool) -> list[float]:
    expected = {weight.name: weight.shape for weight in model.layout(RELATIONS, with_actions).weights}
    tensors = {name: torch.tensor(weight, dtype=torch.float64)[None] for name, weight in weights.items()}
    assert {name: tuple(tensor.shape[1:]) for name, tensor in tensors.items()} == expected
    batch = batch_of(GRAPH)
    batch.slot_log_count, batch.multiplicity = batch.slot_log_count.double(), batch.multiplicity.double()
    found: list[float] = network_of(model).values(tensors, RELATIONS, batch)[0].tolist()
    return found


Q_READOUT = {
    "readout.inner.weight": [[1.0, 0.5], [-2.0, 0.25]],
    "readout.inner.bias": [0.1, 0.2],
    "readout.outer.weight": [[3.0, -1.0]],
    "readout.outer.bias": [0.7],
}
V_READOUT = {
    "readout.inner.weight": [[0.5]],
    "readout.inner.bias": [0.1],
    "readout.outer.weight": [[3.0]],
    "readout.outer.bias": [0.7],
}


def q_value(action: float, state: float) -> float:
    return 3 * mish(action + 0.5 * state + 0.1) - mish(-2 * action + 0.25 * state + 0.2) + 0.7


def v_value(state: float) -> float:
    return 3 * mish(0.5 * state + 0.1) + 0.7


# Embeddings have width 1, so a message of an atom with two positions is one number for each.
RGNN_WEIGHTS = {
    "message.1.inner.weight": [[[0.5]]],
    "message.1.inner.bias": [[0.3]],
    "message.1.outer.weight": [[[2.0]]],
    "message.1.outer.bias": [[-0.1]],
    "message.2.inner.weight": [[[0.4, -0.3], [0.2, 0.6]], [[-0.5, 0.1], [0.7, -0.2]]],  # of r, and of go
    "message.2.inner.bias": [[0.1, -0.2], [0.3, 0.4]],
    "message.2.outer.weight": [[[1.0, 0.5], [-0.4, 0.8]], [[0.6, -0.7], [0.9, 0.2]]],
    "message.2.outer.bias": [[0.05, 0.15], [-0.25, 0.35]],
    "update.inner.weight": [[0.3, 0.8], [-0.6, 0.2]],
    "update.inner.bias": [0.1, -0.3],
    "update.outer.weight": [[0.9, -0.5]],
    "update.outer.bias": [0.2],
}


def rgnn_by_hand(layers: int) -> list[float]:
    def t(one: float) -> float:
        return 2 * mish(0.5 * one + 0.3) - 0.1

    def r(one: float, two: float) -> tuple[float, float]:
        first, second = mish(0.4 * one - 0.3 * two + 0.1), mish(0.2 * one + 0.6 * two - 0.2)
        return first + 0.5 * second + 0.05, -0.4 * first + 0.8 * second + 0.15

    def go(one: float, two: float) -> tuple[float, float]:
        first, second = mish(-0.5 * one + 0.1 * two + 0.3), mish(0.7 * one - 0.2 * two + 0.4)
        return 0.6 * first - 0.7 * second - 0.25, 0.9 * first + 0.2 * second + 0.35

    def updated(own: float, got: float) -> float:
        return own + 0.9 * mish(0.3 * own + 0.8 * got + 0.1) - 0.5 * mish(-0.6 * own + 0.2 * got - 0.3) + 0.2

    a = b = c = x = y = 0.0
    for _ in range(layers):
        r_to_a, r_to_b = r(a, b)
        go_to_x, go_to_b = go(x, b)
        go_to_y, go_to_a = go(y, a)
        a, b, c, x, y = (
            updated(a, smooth_maximum(t(a), r_to_a, r_to_a, go_to_a)),
            updated(b, smooth_maximum(t(b), r_to_b, go_to_b)),
            updated(c, 0),
            updated(x, go_to_x),
            updated(y, go_to_y),
        )
    return [a, b, c, x, y]


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_rgnn(layers: int) -> None:
    a, b, c, x, y = rgnn_by_hand(layers)
    state = a + 2 * b + c  # actions do not count
    model = RGNN(width=1, layers=layers)
    assert values(model, RGNN_WEIGHTS | Q_READOUT, True) == pytest.approx([q_value(x, state), q_value(y, state)])
    assert values(model, RGNN_WEIGHTS | V_READOUT, False) == pytest.approx([v_value(state)])


def test_the_smooth_maximum_can_be_blunter() -> None:
    sharp, blunt = (values(RGNN(1, 2, alpha), RGNN_WEIGHTS | Q_READOUT, True) for alpha in (12.0, 3.0))
    assert sharp == pytest.approx(values(RGNN(1, 2), RGNN_WEIGHTS | Q_READOUT, True))
    assert blunt != pytest.approx(sharp, abs=0.01)


# Two layers with weights of their own; the labels are r and go, each read from source to target.
RGCN_WEIGHTS = {
    "lift.weight": [[0.8]],
    "lift.bias": [0.3],
    "self.weight": [[[0.5]], [[-0.4]]],
    "self.bias": [[0.1], [0.2]],
    "label.weight": [[[[0.7]], [[-1.5]]], [[[-0.6]], [[0.9]]]],
}


def test_rgcn() -> None:
    a, b, c, x, y = 0.8 + 0.3, 0.8 + 0.3, 0.3, 0.3, 0.3
    for own, bias, r, go in ((0.5, 0.1, 0.7, -1.5), (-0.4, 0.2, -0.6, 0.9)):
        a, b, c, x, y = (
            mish(own * a + bias + go * y),
            mish(own * b + bias + r * a + go * x),
            mish(own * c + bias),
            mish(own * x + bias),
            mish(own * y + bias),
        )
    state = a + 2 * b + c
    model = RGCN(width=1, layers=2)
    assert values(model, RGCN_WEIGHTS | Q_READOUT, True) == pytest.approx([q_value(x, state), q_value(y, state)])
    assert values(model, RGCN_WEIGHTS | V_READOUT, False) == pytest.approx([v_value(state)])


def test_rgcn_takes_the_largest_of_a_label() -> None:
    """Three edges with one label lead to c, from nodes with and without the type; below 0 counts, too."""
    into_c = Rows(np.array([[A, C], [X, C], [B, C]]), np.ones((3, 2), dtype=np.float32), np.array([0, 3]))
    graph = Graph((GRAPH.relations[0], into_c), GRAPH.multiplicity, GRAPH.first_node, *2 * (np.array([0, 0]),))
    weights = RGCN_WEIGHTS | V_READOUT | {"label.weight": [[[[-0.7]]]], "self.weight": [[[0.5]]], "self.bias": [[0.1]]}
    tensors = {name: torch.tensor(weight, dtype=torch.float32)[None] for name, weight in weights.items()}
    found = network_of(RGCN(width=1, layers=1)).embed(tensors, RELATIONS[:2], batch_of(graph))[0, :5, 0]
    typed, other = mish(0.5 * 1.1 + 0.1), mish(0.5 * 0.3 + 0.1)
    assert found.tolist() == pytest.approx([typed, typed, mish(0.5 * 0.3 + 0.1 - 0.7 * 0.3), other, other])


def test_layer_norm_on_the_update() -> None:
    """One node, width 2, weights of 0: the change is (0.5, -1) before it is normalized."""
    graph = Graph((rows([[0]], [[1]]),), np.ones(1, dtype=np.float32), np.array([0, 1]), *2 * (np.array([0, 0]),))
    weights = {f"message.1.{part}.weight": torch.zeros(1, 1, 2, 2) for part in ("inner", "outer")}
    weights |= {f"message.1.{part}.bias": torch.zeros(1, 1, 2) for part in ("inner", "outer")}
    weights |= {
        "update.inner.weight": torch.zeros(1, 4, 4),
        "update.inner.bias": torch.zeros(1, 4),
        "update.outer.weight": torch.zeros(1, 2, 4),
        "update.outer.bias": torch.tensor([[0.5, -1.0]]),
    }
    batch = batch_of(graph)

    def embedding(normalize: bool) -> list[float]:
        network = network_of(RGNN(2, 1, normalize=normalize))
        found: list[float] = network.embed(weights, RELATIONS[:1], batch)[0, 0].tolist()
        return found

    assert embedding(False) == pytest.approx([0.5, -1])
    by = sqrt(0.75**2 + 1e-5)
    assert embedding(True) == pytest.approx([0.75 / by, -0.75 / by])


def test_the_papers_set_up() -> None:
    assert RGNN() == RGNN(width=32, layers=30, alpha=12.0, normalize=False)
    assert RGCN() == RGCN(width=32, layers=30)


@pytest.mark.parametrize("with_actions", [True, False])
def test_shapes_of_the_weights(with_actions: bool) -> None:
    shapes = {weight.name: weight.shape for weight in RGNN().layout(RELATIONS, with_actions).weights}
    assert shapes["message.2.inner.weight"] == shapes["message.2.outer.weight"] == (2, 64, 64)
    assert (shapes["update.inner.weight"], shapes["update.outer.weight"]) == ((64, 64), (32, 64))
    wide = 64 if with_actions else 32
    assert (shapes["readout.inner.weight"], shapes["readout.outer.weight"]) == ((wide, wide), (1, wide))


def test_weights_start_as_in_pytorch() -> None:
    layout = RGNN().layout(RELATIONS, True)
    one, same, other = initial(layout, [1, 1, 2])
    assert torch.equal(one, same) and not torch.equal(one, other)
    weights = views(layout, one[None])
    for name, inputs in (("message.1.inner", 32), ("message.2.outer", 64), ("update.outer", 64)):
        for part in ("weight", "bias"):
            largest = weights[f"{name}.{part}"].abs().max()
            assert 0.7 / sqrt(inputs) < largest <= 1 / sqrt(inputs)
    assert abs(weights["message.2.inner.weight"].mean()) < 0.01
