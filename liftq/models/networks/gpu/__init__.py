"""What torch does slowly on a GPU, as kernels of our own. They need triton, which comes with torch for GPUs on Linux;
elsewhere plain torch does the same."""

from __future__ import annotations

from importlib.util import find_spec

from torch import Tensor


def serves(tensor: Tensor) -> bool:
    """Whether there are kernels for where it is."""
    return tensor.is_cuda and find_spec("triton") is not None
