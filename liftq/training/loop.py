"""The training loop: epochs over shuffled lessons. It yields after each; the caller prints, validates and saves."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from liftq.training.stack import Stack

ORDER_SEED = 0  # of the shuffles: all members of all runs see the lessons in the same order


@dataclass(frozen=True)
class Schedule:
    epochs: int = 100
    batch_size: int = 256
    cosine: bool = False  # let the learning rate fall to 0 along a cosine, instead of keeping it
    seconds: float | None = None  # stop before the epoch that would end later; a cosine ends then, too


@dataclass(frozen=True)
class Epoch:
    number: int  # from 1
    losses: NDArray[np.float64]  # [members]: mean over the epoch
    seconds: float  # since the start of the loop


class Diverged(Exception):
    """The loss is no longer a number."""


def fit(stack: Stack, schedule: Schedule, done: int = 0) -> Iterator[Epoch]:
    """Continues after `done` epochs."""
    batches = [shuffled_batches(stack.material.num_choices, schedule.batch_size, e) for e in range(schedule.epochs)]
    step = stack.fast_step(stack.material.shape_for([batch for epoch in batches for batch in epoch]))
    start = time.perf_counter()
    for number in range(done, schedule.epochs):
        for place, batch in enumerate(batches[number]):
            if schedule.cosine:
                progress = (number + place / len(batches[number])) / schedule.epochs
                if schedule.seconds:
                    progress = min(1.0, max(progress, (time.perf_counter() - start) / schedule.seconds))
                stack.rate_factor.fill_((1 + math.cos(math.pi * progress)) / 2)
            step(torch.from_numpy(batch).to(stack.material.device))
        losses = stack.weights.loss.double().cpu().numpy() / len(batches[number])
        stack.weights.loss.zero_()
        if not np.isfinite(losses).all():
            names = [f"{m.objective} seed {m.seed}" for m, x in zip(stack.members, losses, strict=True) if x != x]
            raise Diverged(f"the loss of {', '.join(names)} is no longer a number in epoch {number + 1}")
        seconds = time.perf_counter() - start
        yield Epoch(number + 1, losses, seconds)
        if schedule.seconds and seconds * (number + 2 - done) / (number + 1 - done) > schedule.seconds:
            return


def shuffled_batches(count: int, size: int, epoch: int) -> NDArray[np.int64]:
    """[batches, size]: every lesson at least once; the last batch is filled up with the first ones."""
    order = np.random.default_rng((ORDER_SEED, epoch)).permutation(count)
    size = min(size, count)
    filled = np.concatenate([order, order[: -count % size]])
    return filled.reshape(-1, size)
