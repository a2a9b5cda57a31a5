"""What the problems of an evaluation have in common with those that the bundled policy learned from."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from liftq.evaluation.result import ScalingAttempt
from liftq.evaluation.scaling.reading import Reading
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpora import bundled_corpus

Floor = tuple[int, int, int]  # rows to paint, columns, robots: all that map and goal of floortile depend on
TILE, ROBOT = re.compile(r"tile_(\d+)_(\d+)"), re.compile(r"\brobot\d+")


@cache
def learned(domain: str) -> frozenset[str]:
    """Fingerprints of the whole corpus, even if the policy left some of it out."""
    return frozenset(entry.fingerprint for entry in bundled_corpus(domain).entries)


def played(reading: Reading) -> list[ScalingAttempt]:
    """That count in the curve."""
    sizes = {each.size for each in reading.curve.coverages}
    attempts = [each for each in reading.records if isinstance(each, ScalingAttempt) and each.size in sizes]
    return list({(each.size, each.number): each for each in attempts}.values())


def in_corpus(reading: Reading) -> str:
    attempts = played(reading)
    return f"{sum(each.fingerprint in learned(reading.domain) for each in attempts)} of {len(attempts)}"


def by_floor(reading: Reading) -> list[tuple[str, list[ScalingAttempt]]]:
    """Of floortile: problems with map and goal of a learned one, and others, at the sizes that have both."""
    floors = {floor_of(entry) for entry in bundled_corpus(reading.domain).entries}
    known = [(each, floor_of(each) in floors) for each in played(reading)]
    kinds = Counter(size for size, _ in {(each.size, met) for each, met in known})
    both = [(each, met) for each, met in known if kinds[each.size] == 2]
    return [
        (title, [each for each, met in both if met == wanted])
        for title, wanted in (("of a problem in the corpus", True), ("of none", False))
    ]


def floor_of(problem: Attempt | ScalingAttempt) -> Floor:
    """Problems that start in a visited state are kept as PDDL, others as what they were drawn with."""
    if problem.parameters:
        rows, columns, robots = (problem.parameters[name] for name in ("rows", "columns", "robots"))
        return rows, columns, robots
    text = getattr(problem, "pddl", None) or ""
    rows, columns = (max(map(int, each)) for each in zip(*TILE.findall(text), strict=True))
    return rows, columns, len(set(ROBOT.findall(text)))
