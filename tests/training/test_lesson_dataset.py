"""Lessons as a data loader hands them out are those of the plans, and networks value them as the policy does."""

from __future__ import annotations

import numpy as np
import torch
from torch.utils.data import DataLoader

from liftq.engine.solver import Limits
from liftq.models.networks import network_of
from liftq.objectives.q_heuristic import QHeuristic
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.lesson import Lesson, lessons_of
from liftq.training.lesson_dataset import LessonDataset
from tests.policies.untrained import policy_of, small_task


def taught(seed: int) -> list[Lesson]:
    task = small_task("ferry", seed)
    plan = teacher("orbit_search").solve(task, Limits(seconds=60)).plan
    return lessons_of(task.domain, task.problem, plan, tie_states=100)


def test_batches() -> None:
    every = [taught(seed) for seed in (1, 2)]
    policy_file = policy_of(load_domain("ferry").domain)
    dataset = LessonDataset(every, policy_file.encoder)
    assert any(lesson.is_rival.sum() < len(lesson.choice) - 1 for lesson in dataset.lessons)
    assert len(dataset) == sum(map(len, every))
    network, relations = network_of(policy_file.model), policy_file.encoder.relations(policy_file.domain)
    weights = {name: torch.from_numpy(weight)[None] for name, weight in policy_file.weights.items()}
    met = 0
    for batch, targets in DataLoader(dataset, batch_size=7, collate_fn=LessonDataset.collate):
        lessons = dataset.lessons[met : met + len(targets.h_star)]
        met += len(lessons)
        values = network.values(weights, relations, batch)
        natively = [Greedy(policy_file).values(lesson.choice) for lesson in lessons]
        assert np.allclose(values[0].numpy(), np.concatenate(natively), atol=1e-4)
        assert targets.h_star.tolist() == [lesson.h_star for lesson in lessons]
        own = [lesson.bounds[lesson.teacher] for lesson in lessons]
        assert targets.bounds[targets.teacher].tolist() == own == targets.h_star.tolist()
        assert targets.is_rival.sum() == sum(lesson.is_rival.sum() for lesson in lessons)
        assert not targets.is_rival[targets.teacher].any()
        assert targets.size.sum() == sum(lesson.choice.sizes.sum() for lesson in lessons)
        assert QHeuristic().loss(values, targets).shape == (1, len(lessons))
    assert met == len(dataset)
