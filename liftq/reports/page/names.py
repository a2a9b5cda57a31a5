"""Short names for solvers: a path says more than a reader wants to know."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

SUFFIX = ".safetensors"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """The last parts of paths and of modules, as many as it takes to tell them apart."""
    distinct = list(dict.fromkeys(names))
    parts = {name: _parts(name) for name in distinct}
    for count in range(1, max((len(each) for each in parts.values()), default=0) + 1):
        shortened = {name: "/".join(each[-count:]) for name, each in parts.items()}
        if len(set(shortened.values())) == len(distinct):
            return shortened
    return {name: name for name in distinct}


def _parts(name: str) -> tuple[str, ...]:
    if "(" in name:  # a search string
        return (name,)
    return PurePath(name.replace(SUFFIX, "")).parts if SUFFIX in name else tuple(name.split(":"))
