"""Where values lie on a chart, and which of them are labelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

TICKS = 6  # about so many


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    start: float  # on the page
    end: float
    ticks: tuple[tuple[float, str], ...]
    scale: Callable[[float], float] = float

    def place(self, value: float) -> float:
        low, high = self.scale(self.low), self.scale(self.high)
        return self.start + (self.end - self.start) * (self.scale(value) - low) / (high - low)


def linear_axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if low == high:
        low, high = low - 1, high + 1
    step = _step((high - low) / TICKS)
    ticks = [step * number for number in range(ceil(low / step), floor(high / step) + 1)]
    return Axis(low, high, start, end, tuple((tick, f"{tick:g}") for tick in ticks))


def log_axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Whole powers of ten at both ends. Values must be positive."""
    first, last = (floor(log10(min(values))), ceil(log10(max(values)))) if values else (0, 1)
    last = max(last, first + 1)
    powers = range(first, last + 1, 1 + (last - first) // 10)
    return Axis(10.0**first, 10.0**last, start, end, tuple((10.0**each, f"{10.0**each:g}") for each in powers), log10)


def _step(rough: float) -> float:
    """1, 2 or 5 times a power of ten."""
    power = float(10 ** floor(log10(rough)))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
