"""A real Ray cluster of two nodes, of which one may be killed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

import pytest
import ray
from ray.cluster_utils import Cluster

from liftq.compute import StartCompute
from liftq.compute.ray import Ray

Result = TypeVar("Result")
Losing = Callable[[Iterable[Any], int], Iterator[Any]]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    os.environ.update(RAY_worker_niceness="0")  # or it would wait for everything else on this machine
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def start(cluster: Cluster) -> StartCompute:
    return partial(Ray, cluster.address)


@pytest.fixture
def losing_a_node(cluster: Cluster) -> Iterator[Losing]:
    """The same results, but after so many of them one of the two nodes is killed."""
    killed = []

    def losing(results: Iterable[Result], after: int) -> Iterator[Result]:
        for number, result in enumerate(results, start=1):
            if number == after:
                cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                killed.append(number)
            yield result

    yield losing
    assert killed, "there were too few results"
    assert len(cluster.list_all_nodes()) == 1
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
