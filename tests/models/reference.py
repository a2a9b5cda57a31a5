"""The paper's equations in plain NumPy, one atom at a time: slow, readable, and independent of liftq's models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from liftq.encoders import Graph, Relation

Vector = NDArray[np.float64]
Weights = Mapping[str, Vector]


def mish(x: Vector) -> Vector:
    return x * np.tanh(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0))


def mlp(w: Weights, name: str, x: Vector, which: int | None = None) -> Vector:
    w1, b1, w2, b2 = (w[f"{name}.{part}"] for part in ("inner.weight", "inner.bias", "outer.weight", "outer.bias"))
    if which is not None:
        w1, b1, w2, b2 = w1[which], b1[which], w2[which], b2[which]
    return w2 @ mish(w1 @ x + b1) + b2


def rgnn(w: Weights, relations: Sequence[Relation], graph: Graph, width: int, layers: int, alpha: float) -> Vector:
    """Algorithm 1, on a graph without compression (a count is the number of equal messages)."""
    place = {index: sum(r.arity == rel.arity for r in relations[:index]) for index, rel in enumerate(relations)}
    h = np.zeros((len(graph.multiplicity), width))
    for _ in range(layers):
        inbox: dict[int, list[Vector]] = defaultdict(list)
        for index, rows in enumerate(graph.relations):
            for nodes, counts in zip(rows.nodes.tolist(), rows.counts.tolist(), strict=True):
                out = mlp(w, f"message.{len(nodes)}", np.concatenate(h[nodes]), place[index])
                for position, node in enumerate(nodes):
                    inbox[node] += [out[position * width : (position + 1) * width]] * round(counts[position])
        new = h.copy()
        for node in range(len(h)):
            m = (
                np.log(np.sum(np.exp(alpha * np.array(inbox[node])), axis=0)) / alpha
                if inbox[node]
                else np.zeros(width)
            )
            new[node] = h[node] + mlp(w, "update", np.concatenate([h[node], m]))
        h = new
    return h


def rgcn(w: Weights, relations: Sequence[Relation], graph: Graph, layers: int) -> Vector:
    unary = [i for i, r in enumerate(relations) if r.arity == 1]
    binary = [i for i, r in enumerate(relations) if r.arity == 2]
    features = np.zeros((len(graph.multiplicity), max(1, len(unary))))
    for column, index in enumerate(unary):
        features[graph.relations[index].nodes[:, 0], column] = 1
    h = features @ w["lift.weight"].T + w["lift.bias"]
    for layer in range(layers):
        new = h @ w["self.weight"][layer].T + w["self.bias"][layer]
        for label, index in enumerate(binary):
            inbox = defaultdict(list)
            for source, target in graph.relations[index].nodes.tolist():
                inbox[target].append(w["label.weight"][layer, label] @ h[source])
            for target, messages in inbox.items():
                new[target] += np.max(messages, axis=0)
        h = mish(new)
    return h


def values(w: Weights, h: Vector, graph: Graph, with_actions: bool) -> list[float]:
    sums = [
        sum(graph.multiplicity[n] * h[n] for n in range(graph.first_node[c], graph.first_node[c + 1]))
        for c in range(graph.num_choices)
    ]
    if not with_actions:
        return [float(mlp(w, "readout", s)[0]) for s in sums]
    pairs = zip(graph.candidate_node, graph.choice_of_candidate, strict=True)
    return [float(mlp(w, "readout", np.concatenate([h[node], sums[choice]]))[0]) for node, choice in pairs]
