"""Lessons as a PyTorch dataset, for custom training loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

import torch
from torch import Tensor
from torch.utils.data import Dataset

from liftq.encoders import Encoder, Graph, unite
from liftq.models.networks.batch import Batch, batch_of
from liftq.objectives import Targets
from liftq.teaching.lesson import Lesson
from liftq.training.encoded import targets_of


class LessonDataset(Dataset[tuple[Graph, Lesson]]):
    """One item per lesson: the graph of its choice, and the lesson. `collate` makes batches of them.

        dataset = LessonDataset(lessons(corpus.tasks()), encoder)
        loader = DataLoader(dataset, batch_size=64, shuffle=True, collate_fn=LessonDataset.collate)

    Tasks must not be used by several threads or processes at a time, so leave `num_workers` at 0.
    """

    def __init__(self, lessons: Iterable[Sequence[Lesson]], encoder: Encoder) -> None:
        self.encoder = encoder
        self.lessons = [lesson for each in lessons for lesson in each]

    def __len__(self) -> int:
        return len(self.lessons)

    def __getitem__(self, index: int) -> tuple[Graph, Lesson]:
        lesson = self.lessons[index]
        return self.encoder.encode([lesson.choice]), lesson

    @staticmethod
    def collate(items: Sequence[tuple[Graph, Lesson]]) -> tuple[Batch, Targets[Tensor]]:
        """What networks value (`Network.values`), and what objectives compare that with (`Objective.loss`)."""
        targets = targets_of([lesson for _, lesson in items])
        tensors = Targets(*(torch.from_numpy(getattr(targets, each.name)) for each in fields(Targets)))
        return batch_of(unite([graph for graph, _ in items])), replace(tensors, is_rival=tensors.is_rival.float())
