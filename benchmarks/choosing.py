"""How much SCov is lost by choosing a checkpoint with few plays: rules of validation, simulated.

The checkpoints of a training are those that results/paper/validations.csv has of it. What a checkpoint can do is taken
to be the recorded coverage by size of the cell's policy, stretched along the sizes until it adds up to the score that
the checkpoint had. Rules then see it by drawing. A loss is the SCov of the best checkpoint less that of the chosen one.

    python benchmarks/choosing.py [ROUNDS]
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from liftq.evaluation.result import Results
from liftq.evaluation.scaling.reading import readings_of
from liftq.problems.coverage import Coverage, until_failure, until_hopeless

STUDY = Path("results/paper")
Shares = NDArray[np.float64]  # by size
Stop = Callable[[Iterator[Coverage]], Iterator[Coverage]]


@dataclass(frozen=True)
class Rule:
    name: str
    per_size: int
    stride: int
    stop: Stop
    finalists: int = 0
    final_per_size: int = 0
    together: bool = False  # the plays of validation and finals decide, not those of the finals alone

    def chosen(self, rng: np.random.Generator, checkpoints: Sequence[Shares]) -> int:
        scores = [self.score(rng, each, self.per_size) for each in checkpoints]
        best = np.argsort(scores)[::-1][: max(1, self.finalists)].tolist()
        if not self.finalists:
            return int(best[0])
        final = {index: self.score(rng, checkpoints[index], self.final_per_size) for index in best}
        weight = self.per_size if self.together else 0
        return int(max(best, key=lambda index: weight * scores[index] + self.final_per_size * final[index]))

    def score(self, rng: np.random.Generator, shares: Shares, per_size: int) -> float:
        sizes = range(0, len(shares), self.stride)
        drawn = (Coverage(size, int(rng.binomial(per_size, shares[size])), per_size) for size in sizes)
        played = list(self.stop(drawn))
        last = np.arange(played[-1].size + 1)
        return float(np.interp(last, [each.size for each in played], [each.share for each in played]).sum())


def two_failures(coverages: Iterator[Coverage]) -> Iterator[Coverage]:
    return until_failure(coverages, lambda each: each.failed)


RULES = (
    Rule("two sizes below 30 %, 1 of each", 1, 1, two_failures),
    Rule("two sizes below 30 %, 2 of each", 2, 1, two_failures),
    Rule("the same, and 4 finalists with 4 of each", 2, 1, two_failures, 4, 4),
    Rule("pooled, 4 of every fourth", 4, 4, until_hopeless),
    Rule("pooled, 8 of every fourth", 8, 4, until_hopeless),
    Rule("the same, and 4 finalists with 16 of each", 8, 4, until_hopeless, 4, 16),
    Rule("the same, and 12 finalists with 8 of each", 8, 4, until_hopeless, 12, 8),
    Rule("the same, and 12 finalists with 16 of each", 8, 4, until_hopeless, 12, 16),
    Rule("the same, and 12 finalists with 8 of each, all plays together", 8, 4, until_hopeless, 12, 8, True),
)


def trainings() -> Iterator[list[Shares]]:
    """The checkpoints of each cell."""
    scores = defaultdict(list)
    with (STUDY / "validations.csv").open() as file:
        for line in csv.DictReader(file):
            scores[line["recipe"], line["domain"], line["objective"]].append(float(line["score"]))
    for path in sorted(STUDY.glob("[ro]*/*.jsonl.zst")):
        for reading in readings_of(Results.read([path])):
            cell = path.parent.name, reading.domain, Path(reading.solver).stem
            if scores[cell] and reading.curve.scov > 0:
                yield [stretched(reading.all_sizes, reading.curve.coverages, score) for score in scores[cell]]


def stretched(all_sizes: Sequence[int], coverages: Sequence[Coverage], scov: float) -> Shares:
    places = np.arange(len(all_sizes), dtype=np.float64)
    known = [all_sizes.index(each.size) for each in coverages]
    shares = np.interp(places, known, [each.share for each in coverages], right=coverages[-1].share)
    factors = np.geomspace(0.02, 50, 200)
    curves = [np.interp(places / factor, places, shares, right=0.0) for factor in factors]
    return min(curves, key=lambda curve: abs(curve.sum() - scov))


def main(rounds: int = 5) -> None:
    cells = list(trainings())
    print(f"{len(cells)} cells, {rounds} rounds\n\n| rule | mean loss | largest tenth | plays of a checkpoint |")
    print("| :-- | --: | --: | --: |")
    for rule in RULES:
        rng, losses, plays = np.random.default_rng(1), [], []
        for checkpoints in cells:
            totals = [each.sum() for each in checkpoints]
            for _ in range(rounds):
                losses.append(max(totals) - totals[rule.chosen(rng, checkpoints)])
            plays.append(mean_plays(rng, rule, checkpoints))
        tenth = np.quantile(losses, 0.9)
        print(f"| {rule.name} | {np.mean(losses):.2f} | {tenth:.1f} | {np.mean(plays):.0f} |", flush=True)


def mean_plays(rng: np.random.Generator, rule: Rule, checkpoints: Sequence[Shares]) -> float:
    some = checkpoints[:: max(1, len(checkpoints) // 10)]
    sizes = [range(0, len(each), rule.stride) for each in some]
    drawn = [
        [Coverage(size, int(rng.binomial(rule.per_size, each[size])), rule.per_size) for size in of]
        for each, of in zip(some, sizes, strict=True)
    ]
    return float(np.mean([rule.per_size * len(list(rule.stop(iter(each)))) for each in drawn]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
