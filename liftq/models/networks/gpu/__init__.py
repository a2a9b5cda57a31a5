"""Triton kernels for what PyTorch does slowly on a GPU. Triton comes with PyTorch for GPUs on Linux; elsewhere, plain
PyTorch does the same."""

from __future__ import annotations

from importlib.util import find_spec

from torch import Tensor


def serves(tensor: Tensor) -> bool:
    """Whether there are kernels for the tensor's device."""
    return tensor.is_cuda and find_spec("triton") is not None
