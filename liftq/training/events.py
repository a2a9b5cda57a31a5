"""The events of training. Nothing here needs PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liftq.errors import InputError
from liftq.policies.policy_file import PolicyFile
from liftq.training.validation import Score


@dataclass(frozen=True)
class Begun:
    """The data that a run learns from."""

    corpus: str  # empty: the bundled one
    plans: int
    held_out: int  # problems with plans that are validated on instead


@dataclass(frozen=True)
class Epoch:
    number: int  # from 1
    losses: NDArray[np.float64]  # [members]: mean over the epoch
    seconds: float  # that training has taken so far, also before it was interrupted
    last: bool = False
    values: str = "q"  # what the models of the stack learn: q or v
    steps: int = 0  # of this epoch
    step_seconds: float = 0.0  # that they took; the device waits for the rest of the time


@dataclass(frozen=True)
class Validated:
    policy: PolicyFile
    score: Score
    left: int  # policies that are still to be played
    final: bool = False


class Failed(InputError):
    """One training cannot continue; others can."""


class Diverged(Failed):
    """The loss is no longer a number."""


class OutOfMemory(Failed):
    """A step does not fit into the memory of the device."""
