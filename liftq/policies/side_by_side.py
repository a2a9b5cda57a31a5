"""Plays of one policy on many tasks side by side: one state of each in a batch, which a device values."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.encoders import Graph, Rows
from liftq.engine.native import trajectory_of
from liftq.engine.solver import Trajectory
from liftq.engine.task import Task
from liftq.parts.code import load_installed
from liftq.policies.greedy import Greedy
from liftq.policies.view import View

TOGETHER = "liftq.models.networks.together:Together"  # needs PyTorch, which acting does not
SLOTS = 512  # plays at a time: from here on, a GPU takes longer for more states
MOST_NODES = 200_000  # of a batch

Key = TypeVar("Key")


class _Play(NamedTuple):
    key: Any
    task: Task
    view: View
    started: float


@dataclass(frozen=True)
class SideBySide:
    """Plays as `Greedy.solve` does, up to rounding. Only the number of steps can be limited."""

    policy: Greedy
    device: str
    slots: int = SLOTS
    values: Callable[[Graph], NDArray[np.float32]] = field(init=False)

    def __post_init__(self) -> None:
        file = self.policy.policy_file
        together = load_installed(TOGETHER)(file.model, self.relations, file.weights, self.device)
        object.__setattr__(self, "values", together)

    @cached_property
    def relations(self) -> Any:
        file = self.policy.policy_file
        return file.encoder.relations(file.domain)

    def play(self, take: Callable[[], tuple[Key, Task, int | None] | None]) -> Iterator[tuple[Key, Trajectory]]:
        """Takes tasks, each with a key and a limit on steps, whenever there is room, and yields trajectories as they
        come, until no task is left."""
        arity = [relation.arity for relation in self.relations]
        running: dict[int, _Play] = {}
        with closing(_core.Plays(arity, self.policy.policy_file.with_actions)) as plays:
            while True:
                while len(running) < self.slots and (taken := take()):
                    key, task, steps = taken
                    view = self.policy.runtime.view(task)
                    builder = self.policy.runtime.builder(view)
                    number = plays.start(view.task.engine, builder, self.policy.native_acting(view), steps)
                    running[number] = _Play(key, task, view, time.monotonic())
                if not running:
                    return
                if (graph := plays.take(MOST_NODES)) is not None:
                    plays.give(self.values(_as_arrays(graph, arity)))
                while (ended := plays.ended()) is not None:
                    number, solution = ended
                    play = running.pop(number)
                    yield play.key, self._trajectory(play, solution)

    def _trajectory(self, play: _Play, solution: _core.Solution) -> Trajectory:
        trajectory = play.view.in_own_words(trajectory_of(play.view.task, solution), play.task)
        name = self.policy.name or self.policy.policy_file.domain.name
        return replace(trajectory, policy=name, seconds=time.monotonic() - play.started)


def _as_arrays(graph: Any, arity: list[int]) -> Graph:
    """Without copies: valid until the next graph is taken."""
    rows = tuple(
        Rows(graph.nodes(number).reshape(-1, size), graph.counts(number).reshape(-1, size), graph.first(number))
        for number, size in enumerate(arity)
    )
    return Graph(rows, graph.multiplicity, graph.first_node, graph.candidate_node, graph.first_candidate)
