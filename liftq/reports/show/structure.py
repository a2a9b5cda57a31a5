"""Finds static binary relations of a task that can be drawn as a graph."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from liftq.engine.task import Task
from liftq.reports.show.layout import Places, components, layout

MOST_NODES = 400

Edges = set[tuple[int, int]]


@dataclass(frozen=True)
class Structure:
    size: int  # of all nodes
    kinds: tuple[str, ...]  # of its parts: grid, chain or graph
    places: Places  # none if there are too many
    edges: tuple[tuple[int, int], ...]


def structure_of(task: Task) -> Structure | None:
    """None if there is nothing to draw."""
    alike, unlike = _relations(task)
    together = _drawn(set().union(*alike) or (unlike if _is_forest(unlike) else set()))
    if together is None or "graph" not in together.kinds:
        return together
    # One relation may be a grid even if all together are not, such as roads with an order of fields.
    singles = [single for edges in alike if (single := _drawn(edges)) and single.kinds == ("grid",)]
    return max(singles, key=lambda single: single.size, default=together)


def _neighbours(edges: Edges) -> dict[int, set[int]]:
    neighbours: dict[int, set[int]] = defaultdict(set)
    for left, right in edges:
        neighbours[left].add(right)
        neighbours[right].add(left)
    return neighbours


def _is_forest(edges: Edges) -> bool:
    neighbours = _neighbours(edges)
    return len(edges) == len(neighbours) - len(components(neighbours))


def _drawn(edges: Edges) -> Structure | None:
    neighbours = _neighbours(edges)
    if len(neighbours) < 2:
        return None
    if len(neighbours) > MOST_NODES:
        return Structure(len(neighbours), (), {}, ())
    kinds, places = layout(components(neighbours))
    return Structure(len(neighbours), kinds, places, tuple(sorted(edges)))


def _relations(task: Task) -> tuple[list[Edges], Edges]:
    """Relations between objects of one type, such as roads, one by one; and the pairs of all others, such as the city
    of a place. Pairs are unordered."""
    types = [object_.type for object_ in (*task.domain.constants, *task.problem.objects)]
    alike: list[Edges] = []
    unlike: Edges = set()
    for rows in task.static_rows():
        pairs = {(a, b) for a, b in rows.tolist() if a != b} if rows.shape[1] == 2 else set()
        if pairs and all(types[a] == types[b] for a, b in pairs):
            alike.append({(min(pair), max(pair)) for pair in _reduced(pairs)})
        else:
            unlike |= {(min(pair), max(pair)) for pair in pairs}
    return alike, unlike


def _reduced(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The transitive reduction of an order such as `above`; other relations stay as they are."""
    after: dict[int, set[int]] = defaultdict(set)
    for left, right in pairs:
        after[left].add(right)
    is_order = all((right, left) not in pairs and after[right] <= after[left] for left, right in pairs)
    if not is_order:
        return pairs
    return {(left, right) for left, right in pairs if not any(right in after[between] for between in after[left])}
