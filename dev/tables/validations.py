"""Validation scores of the paper's trainings by epoch. Runs are too large to keep; `python -m dev.tables.validations
runs/paper` copies the scores from their logs to results/paper/validations.csv."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from liftq.training.log import Log

FILE = Path(__file__).parents[2] / "results" / "paper" / "validations.csv"


class Score(NamedTuple):
    recipe: str
    domain: str
    objective: str
    seed: int
    epoch: int
    score: float  # sum of coverages
    final: float | None = None  # the same in the finals


def scores_of(runs: Path) -> Iterable[Score]:
    for path in sorted(runs.glob("*/*/*/log.jsonl")):
        recipe, domain = path.parts[-4:-2]
        log = Log(path)
        finals = log.cards("final")
        for name, card in log.cards("validation").items():
            final = round(finals[name]["final_score"], 2) if name in finals else None
            yield Score(recipe, domain, card["objective"], card["seed"], card["epoch"], round(card["score"], 2), final)


def kept_scores() -> list[Score]:
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    return [
        Score(recipe, domain, objective, int(seed), int(epoch), float(score), float(final) if final else None)
        for recipe, domain, objective, seed, epoch, score, final in rows
    ]


def by_part(scores: Iterable[Score], parts: int) -> list[float]:
    """The mean over seeds of the best score so far, at each of so many equal parts of the epochs validated."""
    own = list(scores)
    last = max(each.epoch for each in own)
    seeds = [[each for each in own if each.seed == seed] for seed in sorted({each.seed for each in own})]
    ends = [last * (part + 1) / parts for part in range(parts)]
    return [fmean(max((s.score for s in seed if s.epoch <= end), default=0.0) for seed in seeds) for end in ends]


def keep(runs: Path) -> None:
    """Those of runs that are not there stay."""
    known = kept_scores() if FILE.exists() else []
    new = list(scores_of(runs))
    renewed = {each[:2] for each in new}
    rows = sorted([*new, *(each for each in known if each[:2] not in renewed)], key=lambda each: each[:5])
    with FILE.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows([Score._fields, *rows])


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
