"""Lessons for training loops of one's own, as PyTorch's data loaders take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from liftq.encoders import Encoder, Graph, unite
from liftq.models.networks.batch import Batch, batch_of
from liftq.objectives import TargetBatch
from liftq.teaching.lesson import Lesson, Lessons


class LessonDataset(Dataset[tuple[Graph, Lesson]]):
    """One item per lesson: the graph of its choice, and the lesson. `collate` makes batches of them.

        dataset = LessonDataset(lessons(corpus.tasks()), encoder)
        loader = DataLoader(dataset, batch_size=64, shuffle=True, collate_fn=LessonDataset.collate)

    Tasks must not be used by several threads or processes at a time, so leave `num_workers` at 0.
    """

    def __init__(self, lessons: Iterable[Lessons], encoder: Encoder) -> None:
        self.encoder = encoder
        self.lessons = [lesson for each in lessons for lesson in each]

    def __len__(self) -> int:
        return len(self.lessons)

    def __getitem__(self, index: int) -> tuple[Graph, Lesson]:
        lesson = self.lessons[index]
        return self.encoder.encode([lesson.choice]), lesson

    @staticmethod
    def collate(items: Sequence[tuple[Graph, Lesson]]) -> tuple[Batch, TargetBatch]:
        """What networks value (`Network.values`), and what objectives compare that with (`Objective.loss`)."""
        lessons = [lesson for _, lesson in items]
        counts = [len(lesson.bounds) for lesson in lessons]
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        teacher = torch.from_numpy(first + [lesson.teacher for lesson in lessons])
        targets = TargetBatch(
            h_star=_floats([lesson.h_star for lesson in lessons]),
            teacher=teacher,
            bounds=_floats(np.concatenate([lesson.bounds for lesson in lessons])),
            choice_of_candidate=torch.from_numpy(np.repeat(np.arange(len(lessons)), counts)),
            is_rival=_floats(~np.concatenate([lesson.is_tie for lesson in lessons])).index_fill(0, teacher, 0),
            size=_floats(np.concatenate([lesson.choice.sizes for lesson in lessons])),
            taught=torch.zeros(sum(counts)),
        )
        return batch_of(unite([graph for graph, _ in items])), targets


def _floats(values: Sequence[float] | np.ndarray) -> Tensor:
    return torch.from_numpy(np.asarray(values, dtype=np.float32))
