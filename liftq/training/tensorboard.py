"""Curves for TensorBoard, if it is installed; the log of a run has the same figures in any case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


class TensorBoard:
    def __init__(self, folder: Path, epochs_done: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter  # an optional package
        except ImportError:
            self._writer: Any = None
        else:
            self._writer = SummaryWriter(folder, purge_step=epochs_done + 1)

    def add(self, name: str, figures: Mapping[str, float], epoch: int) -> None:
        if self._writer:
            for member, figure in figures.items():
                self._writer.add_scalar(f"{name}/{member}", figure, epoch)
            self._writer.flush()
