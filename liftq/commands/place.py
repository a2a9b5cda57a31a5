"""Where a command runs its work: `--ray` and `--jobs`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from liftq.compute import StartCompute
from liftq.compute.local import Local

RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS|local",
        help="Work on a Ray cluster: its address, auto for this machine's cluster, or local for a new one of this "
        "machine alone.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Pieces of work at the same time. Default: 1; with --ray, one per core."),
]


def place(ray: str | None, jobs: int | None) -> tuple[int, StartCompute]:
    """How many pieces of work run at the same time, and where. On a cluster, 0 means one per core."""
    if ray is None:
        return jobs or 1, Local
    from liftq.compute.ray import Ray  # an optional package

    return jobs or 0, partial(Ray, ray)
