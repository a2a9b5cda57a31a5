"""Encodes plans as graphs with targets for their candidates, each plan once, in worker processes.

Needs no PyTorch: loading it would take each process longer than most plans take.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.compute.provenance import usable_cores
from liftq.encoders import Encoder, Graph, Relation, unite
from liftq.engine.task import Choice
from liftq.objectives import Targets
from liftq.policies import Policy
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.kept_bounds import Bounds, key_of
from liftq.teaching.lesson import Lesson, lessons_of


class Encoded(NamedTuple):
    graph: Graph
    targets: Targets[Any]  # arrays

    @staticmethod
    def united(parts: Sequence[Encoded]) -> Encoded:
        return Encoded(unite([part.graph for part in parts]), united([part.targets for part in parts]))

    @property
    def bounds(self) -> Bounds:
        return self.targets.bounds, self.targets.is_rival

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
    unproven_states: int = 0  # of a plan that need not be optimal, without bounds; 0: all, with bounds
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
        """Yields plans as they become ready. `known`: bounds from an earlier training, by key of the attempt."""
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
    graph, targets = encoded(lessons_of(*task, bounds=False), *how)
    bounds, is_rival = known
    if len(bounds) != len(targets.bounds):
        return encode(encoding, attempt, None)
    return Encoded(graph, replace(targets, bounds=bounds, is_rival=is_rival))


def encoded(
    lessons: Sequence[Lesson],
    encoder: Encoder,
    policy: Policy | None = None,
    relaxed_dropout: float = 0.0,
    most: int = 0,
) -> Encoded:
    """`most`: lessons, spread evenly over the plan, with its first and its last; 0: all."""
    chosen = [lessons[place] for place in spread(len(lessons), most)]
    choices = [lesson.choice for lesson in chosen]
    if encoder.with_actions:
        return Encoded(_graph(choices, encoder, relaxed_dropout), targets_of(chosen, policy))
    # For state-values, the goal state at the end of the plan is one more lesson.
    goal = Choice(choices[-1].task, choices[-1].successor(chosen[-1].teacher))
    h_star = np.array([*(lesson.h_star for lesson in chosen), 0], dtype=np.float32)
    none = np.zeros(0, dtype=np.float32)
    targets = Targets(h_star, np.zeros(len(h_star), np.int64), none.astype(int), none, none.astype(bool), none, none)
    return Encoded(_graph([*choices, goal], encoder, relaxed_dropout), targets)


def targets_of(lessons: Sequence[Lesson], policy: Policy | None = None) -> Targets[Any]:
    counts = [len(lesson.choice) for lesson in lessons]
    first = np.cumsum([0, *counts[:-1]])
    return Targets(
        h_star=_floats([[lesson.h_star] for lesson in lessons]),
        teacher=first + [lesson.teacher for lesson in lessons],
        choice_of_candidate=np.repeat(np.arange(len(lessons)), counts),
        bounds=_floats([lesson.bounds for lesson in lessons]),
        is_rival=np.concatenate([lesson.is_rival for lesson in lessons]),
        size=_floats([lesson.choice.sizes for lesson in lessons]),
        taught=_floats([policy.values(each.choice) if policy else np.zeros(len(each.choice)) for each in lessons]),
    )


def united(parts: Sequence[Targets[Any]]) -> Targets[Any]:
    choices = np.cumsum([0, *(len(part.h_star) for part in parts)])
    candidates = np.cumsum([0, *(len(part.bounds) for part in parts)])
    moved = [
        replace(part, teacher=part.teacher + candidate, choice_of_candidate=part.choice_of_candidate + choice)
        for part, candidate, choice in zip(parts, candidates, choices, strict=False)
    ]
    return Targets(*(np.concatenate([getattr(part, each.name) for part in moved]) for each in fields(Targets)))


def _floats(parts: Sequence[Any]) -> NDArray[np.float32]:
    return np.concatenate(parts).astype(np.float32)


def spread(count: int, most: int) -> list[int]:
    """Indices of `most` out of `count` items, about evenly spaced; all if `most` is 0."""
    if not most or count <= most:
        return list(range(count))
    return np.linspace(0, count - 1, most).round().astype(int).tolist()  # type: ignore[no-any-return]


def _graph(choices: Sequence[Choice], encoder: Encoder, relaxed_dropout: float) -> Graph:
    """Which choices are without relaxed plans depends on the task and the state alone."""
    hashes = (choice.task.state_hash(choice.state) for choice in choices)
    return encoder.encode(choices, {i for i, hashed in enumerate(hashes) if hashed < relaxed_dropout * 2**64})
