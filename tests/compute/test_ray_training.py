"""Runs on a Ray cluster whose GPUs are only said to be there: one run per GPU, and none is lost with its machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ray.cluster_utils import Cluster

from liftq.compute import StartCompute
from liftq.compute.ray import Ray
from liftq.files import write_atomically
from liftq.policies.policy_file import read_policy_file
from liftq.training.device import find_device
from liftq.training.elsewhere import train_elsewhere
from liftq.training.recipes.options import recipe_with
from liftq.training.run import Run

TINY = {
    "domain": "gripper", "seeds": 1, "epochs": 2, "largest_size": 5, "width": 8, "layers": 6, "batch_size": 32,
    "per_size": 1, "final_per_size": 0, "far_seconds": 0,
}  # fmt: skip


@pytest.fixture
def add_gpus(cluster: Cluster) -> Iterator[Callable[[int], Any]]:
    """A node with so many."""
    added = []

    def add(gpus: int) -> Any:
        added.append(cluster.add_node(num_cpus=4, num_gpus=gpus))
        cluster.wait_for_nodes()
        return added[-1]

    yield add
    for node in added:
        if node in cluster.worker_nodes:
            cluster.remove_node(node)


def on_a_gpu(seconds: float) -> tuple[list[int], float, float]:
    began = time.time()
    time.sleep(seconds)
    return [int(os.environ["CUDA_VISIBLE_DEVICES"])], began, time.time()


def test_one_piece_per_gpu(add_gpus: Callable[[int], Any], start: StartCompute) -> None:
    add_gpus(2)
    with start(4) as compute:
        times = [future.result() for future in [compute.submit(on_a_gpu, 0.5, gpu=True) for _ in range(4)]]
    assert {tuple(used) for used, _, _ in times} == {(0,), (1,)}
    for used, began, ended in times:
        others = [each for each in times if each[0] == used and each[1] != began]
        assert all(ended <= other[1] or other[2] <= began for other in others)


class Killing(Ray):
    """Kills the machine that has begun the second piece."""

    def __init__(self, kill: Callable[[], None], note: Path, address: str, jobs: int) -> None:
        super().__init__(address, jobs)
        self.kill, self.note, self.pieces = kill, note, 0

    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        self.pieces += 1
        if self.pieces != 2:
            return super().submit(function, *arguments, gpu=gpu)
        future = super().submit(hang_at_first, self.note, function, *arguments, gpu=gpu)
        while not self.note.exists():
            time.sleep(0.05)
        self.kill()
        return future


def hang_at_first(note: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    if not note.exists():
        write_atomically(note, "begun")
        time.sleep(3600)
    return function(*arguments)


def test_training_survives_the_loss_of_its_machine(
    cluster: Cluster, add_gpus: Callable[[int], Any], tmp_path: Path
) -> None:
    node = add_gpus(1)

    def kill() -> None:
        cluster.remove_node(node, allow_graceful=False)
        add_gpus(1)

    list(Run(tmp_path / "here", recipe_with(TINY)).train(find_device("cpu")))
    start = partial(Killing, kill, tmp_path / "note", cluster.address)
    list(train_elsewhere(recipe_with(TINY), tmp_path / "there", "auto", start, seconds=0))
    own, other = (read_policy_file(tmp_path / place / "q_heuristic.safetensors") for place in ("here", "there"))
    assert own.card["epoch"] == other.card["epoch"] and own.card["score"] == other.card["score"]
    assert all(np.array_equal(weight, other.weights[name]) for name, weight in own.weights.items())
    assert node not in cluster.worker_nodes
