"""Finds problem files and their domains: problems lie beside a `domain.pddl` or in folders below it, as in the sets of
planning competitions, or each has its own domain, such as `domain_p01.pddl`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from liftq.errors import InputError, listed

DOMAIN = "domain.pddl"
DOMAIN_NAME = re.compile(r"domain.*\.pddl|.*[-_]domain\.pddl", re.IGNORECASE)
FIX = f"Put {DOMAIN} beside the problems or into a folder above, or name the domain with --domain FILE."


def find_domain(problem: Path) -> Path:
    """The problem's own domain, or else the nearest `domain.pddl`."""
    number = re.sub(r"\D+", "", problem.stem)
    stem, name = problem.stem, problem.name
    own = (f"domain_{name}", f"domain-{name}", f"{stem}-{DOMAIN}", f"{stem}_{DOMAIN}", f"domain{number}.pddl")
    domain = next((problem.with_name(name) for name in own if problem.with_name(name).is_file()), None)
    return domain or nearest_domain(problem.parent)


def nearest_domain(folder: Path) -> Path:
    """Searches the folder and those above it. A folder behind a symbolic link has two parents."""
    for lowest in (folder.absolute(), folder.resolve()):
        for parent in (lowest, *lowest.parents):
            if (parent / DOMAIN).is_file():
                return parent / DOMAIN
    others = sorted(file.name for file in folder.glob("*.pddl") if DOMAIN_NAME.fullmatch(file.name))
    raise InputError(f"{folder}: there is no {DOMAIN}{f', but {listed(others)}' if others else ''}\n  {FIX}")


def problems_in(folder: Path) -> list[Path]:
    """Sorted by name, without files whose names say that they are domains."""
    return sorted(file for file in folder.glob("*.pddl") if not DOMAIN_NAME.fullmatch(file.name))


def folders_below(folder: Path) -> Iterator[Path]:
    """This folder and all below it, sorted by name. Follows symbolic links, but yields each folder once."""
    met: set[str] = set()
    for here, folders, _ in os.walk(folder, followlinks=True):
        if (real := os.path.realpath(here)) in met:
            folders.clear()
            continue
        met.add(real)
        folders.sort()
        yield Path(here)
