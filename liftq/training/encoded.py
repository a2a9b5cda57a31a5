"""Plans as graphs with what is known of their candidates: replayed and encoded once, each plan in a worker process.

Needs no PyTorch, which would take each of these processes longer to load than most plans take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.compute.provenance import usable_cores
from liftq.encoders import Encoder, Graph, Relation, unite
from liftq.engine.task import Choice
from liftq.policies import Policy
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.kept_bounds import Bounds, key_of
from liftq.teaching.lesson import Lessons, lessons_of


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
    policy: Policy | None = None  # whose values are learned

    def encode_each(
        self, attempts: Sequence[Attempt], known: Mapping[str, Bounds], compute: StartCompute = Local
    ) -> list[Encoded]:
        """`known`: bounds from an earlier training, by key of the attempt."""
        parts: dict[int, Encoded] = {}
        left = iter(enumerate(attempts))
        with compute(min(usable_cores(), len(attempts))) as place:
            shared = place.share(replace(self, corpus=replace(self.corpus, attempts=())))

            def take() -> Piece[int, Encoded] | None:
                number, attempt = next(left, (0, None))
                return Piece(number, encode, (shared, attempt, known.get(key_of(attempt)))) if attempt else None

            for number, part in place.run(take):
                parts[number] = part
        return [parts[number] for number in range(len(attempts))]


def encode(encoding: Encoding, attempt: Attempt, known: Bounds | None) -> Encoded:
    corpus, needed = encoding.corpus, encoding.with_bounds
    task = corpus.domain, corpus.problem(attempt), attempt.plan
    if not (needed and known):
        lessons = lessons_of(*task, encoding.tie_states, needed)
        return encoded(lessons, encoding.encoder, encoding.policy, encoding.relaxed_dropout)
    lessons = lessons_of(*task, bounds=False)
    if len(lessons.bounds) != len(known[0]):
        return encode(encoding, attempt, None)
    lessons = replace(lessons, bounds=known[0].astype(np.float64), is_tie=known[1])
    return encoded(lessons, encoding.encoder, encoding.policy, encoding.relaxed_dropout)


def encoded(lessons: Lessons, encoder: Encoder, policy: Policy | None = None, relaxed_dropout: float = 0.0) -> Encoded:
    graph = _graph(lessons, encoder, relaxed_dropout)
    h_star = lessons.h_star.astype(np.float32)
    if encoder.with_actions:
        bounds, sizes = lessons.bounds.astype(np.float32), lessons.sizes.astype(np.float32)
        taught = np.concatenate([policy.values(each.choice) for each in lessons]) if policy else np.zeros_like(bounds)
        targets = Targets(h_star, lessons.teacher.astype(np.int64), bounds, sizes, lessons.is_tie, taught)
        return Encoded(graph, targets)
    nothing = np.zeros(0, dtype=np.float32)
    values, teacher = np.append(h_star, np.float32(0)), np.zeros(len(h_star) + 1, dtype=np.int64)
    return Encoded(graph, Targets(values, teacher, nothing, nothing, nothing.astype(np.bool_), nothing))


def _graph(lessons: Lessons, encoder: Encoder, relaxed_dropout: float) -> Graph:
    """Which lessons are without relaxed plans depends on the task and the state alone."""
    choices = _choices(lessons, encoder)
    hashes = (lessons.task.state_hash(choice.state) for choice in choices)
    return encoder.encode(choices, {i for i, hashed in enumerate(hashes) if hashed < relaxed_dropout * 2**64})


def _choices(lessons: Lessons, encoder: Encoder) -> Sequence[Choice]:
    """For state-values, the goal state at the end of the plan is one more lesson."""
    choices = [lesson.choice for lesson in lessons]
    if encoder.with_actions:
        return choices
    goal = choices[-1].successor(int(lessons.teacher[-1]))
    return [*choices, lessons.task.choice(goal)]
