"""Checks that a policy does what its card says: on fresh problems, it must not solve far fewer than claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from liftq.domains import domain, domains
from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.evaluation.result import ScalingAttempt
from liftq.evaluation.scaling.protocol import Scaling
from liftq.evaluation.solvers import own_domain
from liftq.policies.card import Card
from liftq.policies.compatibility import mismatch
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile, read_policy_file
from liftq.problems.generated import Generated
from liftq.zoo.bundled import bundled, policy_path

IMPROBABLE = 0.001  # a policy fails if so few solved problems are less likely than this
SIZES = 6  # to play by default


@dataclass(frozen=True)
class Verification:
    name: str
    policy_file: PolicyFile
    source: Generated | None  # None: no bundled domain fits the policy, so there is nothing to play

    @property
    def card(self) -> Card:
        return Card(self.policy_file.card)

    def sizes(self, least: int | None = None, most: int | None = None) -> list[int]:
        """All in the range; without one, a few spread over those on the card, or the smallest if it has none."""
        if self.source is None:
            return []
        scaling = Scaling(self.source, self.name)
        if least is None:
            claimed = self.card.coverage
            return _spread([each for each in claimed if self.source.sizes(each, each)]) or scaling.sizes()[:SIZES]
        return scaling.sizes(least, most or least)

    def play(self, sizes: Sequence[int], per_size: int, seed: int = 0) -> Iterator[ScalingAttempt]:
        """The policy alone, without search. Every plan goes through the validator."""
        assert self.source is not None
        scaling, policy = Scaling(self.source, self.name, seed), Greedy(self.policy_file, fallback="none").judged
        for size in sizes:
            for number, instance in enumerate(islice(scaling.instances(size), per_size)):
                yield scaling.attempt(policy, instance, number)

    def outcome(self, attempts: Sequence[ScalingAttempt]) -> Outcome:
        card = self.card
        claimed = [card.coverage_at(attempt.size) for attempt in attempts] if card.coverage else None
        invalid = sum(attempt.ending is Ending.INVALID_PLAN for attempt in attempts)
        return Outcome(len(attempts), sum(attempt.solved for attempt in attempts), invalid, claimed, card.per_size)


@dataclass(frozen=True)
class Outcome:
    played: int
    solved: int
    invalid: int  # plans that the validator refused; they do not count as solved
    claimed: Sequence[float] | None  # by problem, its coverage on the card; None if the card has none
    per_size: int  # problems behind each rate on the card

    @property
    def expected(self) -> float | None:
        return None if self.claimed is None else sum(self.claimed)

    @property
    def probability(self) -> float:
        """Of so few solved problems or fewer, if the card is right.

        A rate from few problems is uncertain, so k of n solved are taken for a chance of (k + 1) / (n + 2).
        """
        return probability_of_at_most(
            self.solved, [(rate * self.per_size + 1) / (self.per_size + 2) for rate in self.claimed or ()]
        )

    @property
    def improbable(self) -> bool:
        return self.probability < IMPROBABLE

    @property
    def passed(self) -> bool:
        return not self.improbable and not self.invalid


def verification(name: str) -> Verification:
    """An InputError if the file is damaged, or a bundled policy that does not fit the domain of its name."""
    path = policy_path(name)
    policy_file = read_policy_file(path)
    found = _domain_of(path, policy_file)
    return Verification(name, policy_file, Generated(domain(found)) if found else None)


def verifications(names: Iterable[str] | None) -> list[Verification]:
    """Of these policies, or of all bundled ones. All that are bad are named at once."""
    found, errors = [], []
    for name in names or bundled():
        try:
            found.append(verification(name))
        except InputError as error:
            errors.append(str(error))
    if errors:
        raise InputError("\n".join(errors))
    return found


def probability_of_at_most(solved: int, chances: Iterable[float]) -> float:
    """Of independent problems, each with its own chance to be solved: exact (the Poisson binomial distribution)."""
    probability = np.ones(1)  # by number of solved problems
    for chance in chances:
        probability = np.convolve(probability, (1 - chance, chance))
    return float(probability[: solved + 1].sum())


def _domain_of(path: Path, policy_file: PolicyFile) -> str | None:
    if path not in bundled().values() or path.stem not in domains():
        return own_domain(policy_file)
    if reason := mismatch(policy_file.domain, domain(path.stem).domain()):
        raise InputError(f"{path}: does not fit the bundled domain {path.stem}: {reason}\n  Get the policy again.")
    return path.stem


def _spread(sizes: Sequence[int]) -> list[int]:
    """Evenly by size, with both ends: cards have many small sizes and few large ones."""
    targets = np.linspace(sizes[0], sizes[-1], SIZES) if sizes else ()
    return sorted({min(sizes, key=lambda size: abs(size - target)) for target in targets})
