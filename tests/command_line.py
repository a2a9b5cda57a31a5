"""What a command has done."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Called(NamedTuple):
    code: int
    output: str
    errors: str


Liftq = Callable[..., Called]
