"""Uniform compositions: ways to write a number as an ordered sum of positive parts."""

from __future__ import annotations

from itertools import pairwise
from math import comb

from liftq.domains.sampling.dice import Dice


def compositions(total: int, parts: int) -> int:
    """The number of compositions."""
    return comb(total - 1, parts - 1) if total >= parts else 0


def sample_composition(total: int, parts: int, dice: Dice) -> list[int]:
    """Stars and bars: a composition is a choice of parts-1 of the total-1 places to cut."""
    cuts = dice.subset(range(1, total), parts - 1)
    return [right - left for left, right in pairwise((0, *cuts, total))]
