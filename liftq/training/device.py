"""Where training runs."""

from __future__ import annotations

import os
import re

import torch

from liftq.compute.provenance import usable_cores
from liftq.errors import InputError


def find_device(name: str) -> torch.device:
    """`cpu`, `cuda`, `cuda:1`, ..., or `auto`: a GPU if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch(r"cpu|cuda(:\d{1,3})?", name):
        raise InputError(f"there is no device {name!r}\n  Choose cpu, cuda, cuda:1 or auto.")
    device = torch.device(name)
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        found = f"{torch.cuda.device_count()} GPUs" if torch.cuda.is_available() else "no GPU"
        raise InputError(f"PyTorch finds {found}, not {name}\n  Use --device cpu, or install PyTorch with CUDA.")
    return device


def leave_cores(workers: int) -> None:
    """Leaves cores to validation on a CPU. PyTorch's threads wait for each other at every operation, so one that shares
    its core slows down all. OMP_NUM_THREADS has priority."""
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(max(1, usable_cores() - workers))
