"""Kernels for GPUs are used where they can be, and nowhere else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from liftq.models.networks import gpu


@pytest.mark.parametrize(
    ("is_cuda", "triton", "serves"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_kernels_need_a_gpu_and_triton(
    monkeypatch: pytest.MonkeyPatch, is_cuda: bool, triton: bool, serves: bool
) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda name: object() if triton else None)
    tensor: Any = SimpleNamespace(is_cuda=is_cuda)
    assert gpu.serves(tensor) == serves


def test_none_on_a_cpu() -> None:
    assert not gpu.serves(torch.zeros(1))
