"""The training loop: epochs over shuffled lessons. It yields after each; the caller prints, validates and saves."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray

from liftq.training.events import Diverged, Epoch
from liftq.training.stack import Stack

FEWEST_LESSONS = 8  # of a batch, however large they are


@dataclass(frozen=True)
class Schedule:
    epochs: int = 100
    batch_size: int = 256
    cosine: bool = False  # let the learning rate fall to 0 along a cosine, instead of keeping it
    lessons: int = 0  # per epoch, drawn anew for each; 0: all
    seconds: float | None = None  # stop before an epoch that would end later than this; a cosine ends then, too
    rows: NDArray[np.int64] | None = field(default=None, compare=False)  # of each lesson's graph, see `fitted`

    def fitted(self, rows: NDArray[np.int64], most: int) -> Schedule:
        """Keeps the number of batches, and makes them about equally large, since a GPU pads all to the largest. `most`:
        rows of a batch on average."""
        size = max(min(FEWEST_LESSONS, self.batch_size), min(self.batch_size, int(most / rows.mean())))
        return replace(self, batch_size=size, lessons=self.lessons * size // self.batch_size, rows=rows)

    def progress(self, epochs: float, seconds: float) -> float:
        """From 0 to 1: by epochs or, where that is further, by time."""
        by_time = seconds / self.seconds if self.seconds else 0.0
        return min(1.0, max(epochs / self.epochs, by_time))

    def is_last(self, epoch: int, seconds: float) -> bool:
        would_be_late = self.seconds is not None and seconds * (epoch + 1) / epoch > self.seconds
        return epoch >= self.epochs or would_be_late


def fit(stack: Stack, schedule: Schedule, done: int = 0, seconds_before: float = 0.0) -> Iterator[Epoch]:
    """Continues after `done` epochs, which took `seconds_before`."""
    count, values = stack.training_set.num_choices, "q" if stack.with_actions else "v"
    step = stack.fast_step(all_batches(count, schedule, stack.seeds))
    start = time.perf_counter() - seconds_before
    for number in range(done, schedule.epochs):
        begun = time.perf_counter()
        drawn = batches_of_seeds(count, schedule, number, stack.seeds)
        batches = torch.from_numpy(drawn).to(stack.training_set.device)
        for place, batch in enumerate(batches):
            if schedule.cosine:
                progress = schedule.progress(number + place / len(batches), time.perf_counter() - start)
                stack.rate_factor.fill_((1 + math.cos(math.pi * progress)) / 2)
            step(batch)
        losses = stack.loss.double().cpu().numpy() / len(batches)
        stack.loss.zero_()
        if not np.isfinite(losses).all():
            raise _diverged(stack, losses, number + 1)
        ended = time.perf_counter()  # reading the losses has waited for the device
        last = schedule.is_last(number + 1, ended - start)
        yield Epoch(number + 1, losses, ended - start, last, values, len(batches), ended - begun)
        if last:
            return


def _diverged(stack: Stack, losses: NDArray[np.float64], epoch: int) -> Diverged:
    pairs = zip(stack.members, losses, strict=True)
    names = [f"{member.objective} seed {member.seed}" for member, loss in pairs if not np.isfinite(loss)]
    return Diverged(f"the loss of {', '.join(names)} is no longer a number in epoch {epoch}")


def all_batches(count: int, schedule: Schedule, seeds: Sequence[int]) -> Iterator[NDArray[np.int64]]:
    for epoch in range(schedule.epochs):
        drawn = batches_of_seeds(count, schedule, epoch, seeds)
        yield from drawn.reshape(-1, drawn.shape[2])


def batches_of_seeds(count: int, schedule: Schedule, epoch: int, seeds: Sequence[int]) -> NDArray[np.int64]:
    """[batches, seeds, size], in a different order for each seed."""
    options = schedule.batch_size, epoch, schedule.lessons
    return np.stack([shuffled_batches(count, *options, seed, schedule.rows) for seed in seeds], axis=1)


def shuffled_batches(
    count: int, size: int, epoch: int, most: int = 0, seed: int = 0, rows: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """[batches, size]: every lesson at least once, or `most` of them. The last batch is filled up from the first.
    With `rows`, lessons are sorted into `size` strata by the size of their graphs, and each batch has one of each."""
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(count)[: most or count]
    size = min(size, len(order))
    filled = np.concatenate([order, order[: -len(order) % size]])
    if rows is None:
        return filled.reshape(-1, size)
    strata = filled[np.argsort(rows[filled], kind="stable")].reshape(size, -1)
    return np.ascontiguousarray(random.permuted(strata, axis=1).T)
