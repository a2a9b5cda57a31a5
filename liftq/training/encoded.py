"""Plans as graphs with what is known of their candidates: replayed and encoded once, each plan in a worker process.

Needs no PyTorch, which would take each of these processes longer to load than most plans take.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.compute.provenance import usable_cores
from liftq.encoders import Encoder, Graph, Relation, unite
from liftq.engine.task import Choice, Task
from liftq.policies import Policy
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.kept_bounds import Bounds, key_of
from liftq.teaching.lesson import Lesson, Lessons, lessons_of


@dataclass(frozen=True)
class Targets:
    """What lessons say about the choices of a graph."""

    h_star: NDArray[np.float32]  # [choices]
    teacher: NDArray[np.int64]  # [choices]: candidate, counted within the choice
    bounds: NDArray[np.float32]  # [candidates]
    size: NDArray[np.float32]  # [candidates]: applicable actions that each stands for
    is_tie: NDArray[np.bool_]  # [candidates]: as good as the teacher's
    taught: NDArray[np.float32]  # [candidates]: value by a policy

    @staticmethod
    def united(parts: Sequence[Targets]) -> Targets:
        return Targets(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Targets)))


class Encoded(NamedTuple):
    graph: Graph
    targets: Targets

    @staticmethod
    def united(parts: Sequence[Encoded]) -> Encoded:
        return Encoded(unite([part.graph for part in parts]), Targets.united([part.targets for part in parts]))

    @property
    def bounds(self) -> Bounds:
        return self.targets.bounds, self.targets.is_tie

    def seen(self, relations: Sequence[Relation]) -> set[str]:
        """Names of the relations that occur. Actions always do: there are states in which one cannot be taken."""
        pairs = zip(relations, self.graph.relations, strict=True)
        return {relation.name for relation, rows in pairs if relation.is_action or len(rows.nodes)}

    def only(self, relations: Sequence[Relation], wanted: Sequence[Relation]) -> Encoded:
        """Without the others, which have no rows."""
        names = {relation.name for relation in wanted}
        pairs = zip(relations, self.graph.relations, strict=True)
        kept = tuple(rows for relation, rows in pairs if relation.name in names)
        return Encoded(replace(self.graph, relations=kept), self.targets)


@dataclass(frozen=True)
class Encoding:
    """How plans of a corpus are encoded."""

    corpus: Corpus
    encoder: Encoder  # with all relations of the domain
    with_bounds: bool = False
    tie_states: int = 0
    relaxed_dropout: float = 0.0
    unproven_states: int = 0  # of a plan that need not be optimal, and then without bounds; 0: all, with bounds
    policy: Policy | None = None  # whose values are learned

    @property
    def bare(self) -> Encoding:
        """Without the plans, which are many."""
        return replace(self, corpus=replace(self.corpus, attempts=()))

    def samples(self, attempt: Attempt) -> bool:
        """Whether only some states of the plan are encoded."""
        return self.unproven_states > 0 and not attempt.is_proven

    def encode_each(
        self,
        attempts: Iterable[Attempt],
        known: Mapping[str, Bounds],
        workers: int = 0,
        compute: StartCompute = Local,
    ) -> Generator[tuple[Attempt, Encoded], None, None]:
        """As they are ready. `known`: bounds from an earlier training, by key of the attempt."""
        left = iter(attempts)
        with compute(workers or usable_cores()) as place:
            shared = place.share(self.bare)

            def take() -> Piece[Attempt, Encoded] | None:
                attempt = next(left, None)
                return Piece(attempt, encode, (shared, attempt, known.get(key_of(attempt)))) if attempt else None

            yield from place.run(take)


def encode(encoding: Encoding, attempt: Attempt, known: Bounds | None) -> Encoded:
    corpus, needed = encoding.corpus, encoding.with_bounds
    task = corpus.domain, corpus.problem(attempt), attempt.plan
    how = encoding.encoder, encoding.policy, encoding.relaxed_dropout
    if encoding.samples(attempt):
        return encoded(lessons_of(*task, bounds=False), *how, encoding.unproven_states)
    if not (needed and known):
        return encoded(lessons_of(*task, encoding.tie_states, needed), *how)
    lessons = lessons_of(*task, bounds=False)
    if len(lessons.bounds) != len(known[0]):
        return encode(encoding, attempt, None)
    return encoded(replace(lessons, bounds=known[0].astype(np.float64), is_tie=known[1]), *how)


def encoded(
    lessons: Lessons,
    encoder: Encoder,
    policy: Policy | None = None,
    relaxed_dropout: float = 0.0,
    most: int = 0,
) -> Encoded:
    """`most`: lessons, spread evenly over the plan, with its first and its last; 0: all."""
    chosen = [lessons[place] for place in spread(len(lessons), most)]
    graph = _graph(lessons.task, chosen, encoder, relaxed_dropout)
    h_star = np.array([each.h_star for each in chosen], dtype=np.float32)
    if encoder.with_actions:
        teacher = np.array([each.teacher for each in chosen], dtype=np.int64)
        bounds = np.concatenate([each.bounds for each in chosen]).astype(np.float32)
        sizes = np.concatenate([each.choice.sizes for each in chosen]).astype(np.float32)
        is_tie = np.concatenate([each.is_tie for each in chosen])
        taught = np.concatenate([policy.values(each.choice) for each in chosen]) if policy else np.zeros_like(bounds)
        return Encoded(graph, Targets(h_star, teacher, bounds, sizes, is_tie, taught))
    nothing = np.zeros(0, dtype=np.float32)
    values, teacher = np.append(h_star, np.float32(0)), np.zeros(len(h_star) + 1, dtype=np.int64)
    return Encoded(graph, Targets(values, teacher, nothing, nothing, nothing.astype(np.bool_), nothing))


def spread(count: int, most: int) -> list[int]:
    """Places of so many items of a row, at about equal distances."""
    if not most or count <= most:
        return list(range(count))
    return np.linspace(0, count - 1, most).round().astype(int).tolist()  # type: ignore[no-any-return]


def _graph(task: Task, lessons: Sequence[Lesson], encoder: Encoder, relaxed_dropout: float) -> Graph:
    """Which lessons are without relaxed plans depends on the task and the state alone."""
    choices = _choices(task, lessons, encoder)
    hashes = (task.state_hash(choice.state) for choice in choices)
    return encoder.encode(choices, {i for i, hashed in enumerate(hashes) if hashed < relaxed_dropout * 2**64})


def _choices(task: Task, lessons: Sequence[Lesson], encoder: Encoder) -> Sequence[Choice]:
    """For state-values, the goal state at the end of the plan is one more lesson."""
    choices = [lesson.choice for lesson in lessons]
    if encoder.with_actions:
        return choices
    return [*choices, task.choice(choices[-1].successor(lessons[-1].teacher))]
