"""How many cores training leaves to others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from liftq.training.device import leave_cores


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(("workers", "left"), [(1, 5), (4, 2), (6, 1), (60, 1)])
def test_threads_that_validate_have_cores_of_their_own(
    monkeypatch: pytest.MonkeyPatch, workers: int, left: int
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(6)))
    leave_cores(workers)
    assert torch.get_num_threads() == left


def test_the_environment_goes_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    torch.set_num_threads(2)
    leave_cores(1)
    assert torch.get_num_threads() == 2
