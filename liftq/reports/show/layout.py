"""Lays out a graph: as a line or a grid if it is one, otherwise with neighbours near each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

ROW = 16  # nodes of a chain before it turns
ROUNDS = 300  # of moving nodes
NEAREST = 1.1  # least distance between nodes of a free layout
APART = 2.0  # between components

Neighbours = Mapping[int, set[int]]  # by object
Places = dict[int, tuple[float, float]]  # of nodes, about one unit apart


def components(neighbours: Neighbours) -> list[Neighbours]:
    """Connected components, the largest first."""
    parts: list[Neighbours] = []
    seen: set[int] = set()
    for node in sorted(neighbours):
        if node not in seen:
            part = _distances(node, neighbours).keys()
            seen |= part
            parts.append({member: neighbours[member] for member in sorted(part)})
    return sorted(parts, key=len, reverse=True)


def layout(parts: Sequence[Neighbours]) -> tuple[tuple[str, ...], Places]:
    """The components' kinds and all places. Components stand side by side, in rows about as wide as the first."""
    kinds: list[str] = []
    places: Places = {}
    left = top = height = 0.0
    widest = 0.0
    for part in parts:
        kind, placed = _placed(part)
        size = [max(place[axis] for place in placed.values()) for axis in (0, 1)]
        if left > 0 and left + size[0] > max(widest, 8):
            left, top, height = 0.0, top + height + APART, 0.0
        places |= {node: (x + left, y + top) for node, (x, y) in placed.items()}
        left, height = left + size[0] + APART, max(height, size[1])
        widest = max(widest, left)
        kinds.append(kind)
    return tuple(kinds), places


def _placed(part: Neighbours) -> tuple[str, Places]:
    if places := _chain(part):
        return "chain", places
    if places := _grid(part):
        return "grid", places
    return "graph", _graph(part)


def _distances(start: int, neighbours: Neighbours) -> dict[int, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        for neighbour in sorted(neighbours[node] - found.keys()):
            found[neighbour] = found[node] + 1
            queue.append(neighbour)
    return found


def _chain(neighbours: Neighbours) -> Places | None:
    """Places along a path, which turns at the end of each row; None unless the graph is a path."""
    ends = sorted(node for node, others in neighbours.items() if len(others) == 1)
    if len(ends) != 2 or any(len(others) > 2 for others in neighbours.values()):
        return None
    steps = _distances(ends[0], neighbours)
    turns = {node: divmod(step, ROW) for node, step in steps.items()}
    return {node: (float(at if row % 2 == 0 else ROW - 1 - at), float(row)) for node, (row, at) in turns.items()}


def _grid(neighbours: Neighbours) -> Places | None:
    """Places nodes by their distances to two corners; None unless all edges then have length one."""
    if any(len(others) > 4 for others in neighbours.values()):
        return None
    fewest = min(len(others) for others in neighbours.values())
    corners = sorted(node for node, others in neighbours.items() if len(others) == fewest)[:8]
    for first, second in permutations(corners, 2):
        places = _between(_distances(first, neighbours), _distances(second, neighbours), second)
        if len(set(places.values())) == len(neighbours) and _is_grid(places, neighbours):
            return places
    return None


def _between(first: dict[int, int], second: dict[int, int], corner: int) -> Places:
    width = first.get(corner, 0)
    both = first.keys() & second.keys()
    return {node: ((first[node] - second[node] + width) / 2, (first[node] + second[node] - width) / 2) for node in both}


def _is_grid(places: Places, neighbours: Neighbours) -> bool:
    pairs = ((places[node], places[neighbour]) for node, others in neighbours.items() for neighbour in others)
    return all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and a[0].is_integer() for a, b in pairs)


def _graph(neighbours: Neighbours) -> Places:
    """Force-directed placement (Fruchterman & Reingold 1991) that starts with a circle, and is thus deterministic."""
    nodes = sorted(neighbours)
    number = {node: index for index, node in enumerate(nodes)}
    joined = np.zeros((len(nodes), len(nodes)), dtype=bool)
    for node, others in neighbours.items():
        joined[number[node], [number[neighbour] for neighbour in others]] = True
    angles = 2 * np.pi * np.arange(len(nodes)) / len(nodes)
    radius = np.sqrt(len(nodes))
    at = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for heat in np.linspace(radius / 3, 0.01, ROUNDS):
        at += _moves(at, joined, heat)
    apart = np.linalg.norm(at[:, None] - at[None, :], axis=2)[np.triu_indices(len(nodes), 1)]
    at = (at - at.min(axis=0)) * np.clip(NEAREST / apart.min(), 1, 2.5)
    return {node: (float(x), float(y)) for node, (x, y) in zip(nodes, at.round(3), strict=True)}


def _moves(at: NDArray[np.float64], joined: NDArray[np.bool_], heat: float) -> NDArray[np.float64]:
    apart = at[:, None] - at[None, :]
    distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)[:, :, None]
    force = (apart / distance**2 - np.where(joined[:, :, None], apart * distance, 0)).sum(axis=1)
    length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
    return np.asarray(force / length * np.minimum(length, heat))
