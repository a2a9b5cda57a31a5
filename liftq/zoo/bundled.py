"""The bundled policies: a folder of policy files, one per domain."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from liftq.errors import InputError
from liftq.pddl.structures import Domain
from liftq.policies.compatibility import fit, mismatch
from liftq.policies.policy_file import PolicyFile, read_description, read_policy_file

FOLDER = Path(__file__).parent
SUFFIX = ".safetensors"
NEARLY = 0.5  # the share of predicates and actions in common that makes a policy worth mentioning


def bundled(folder: Path = FOLDER) -> dict[str, Path]:
    """By name."""
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def policy_path(name: str | os.PathLike[str], folder: Path = FOLDER) -> Path:
    """The path of a bundled policy, by its name, or of any policy file."""
    known = bundled(folder)
    if str(name) in known:
        return known[str(name)]
    path = Path(name)
    if path.exists() or path.suffix or len(path.parts) > 1:
        return path
    raise InputError(f"there is no bundled policy `{name}`\n  {_listed(known)}, or give the path of a policy file.")


class NoPolicyFits(InputError):
    """None of the bundled ones."""


def find_policy(domain: Domain, folder: Path = FOLDER) -> tuple[str, PolicyFile]:
    """The bundled policy that fits, with its name. What fits is decided by structure, not by the domain's name."""
    known = bundled(folder)
    others: dict[str, Domain] = {}
    for name in sorted(known, key=lambda name: name != domain.name):  # most often it has the domain's name
        described = read_description(known[name])
        if fit(described.domain, described.encoder.rows(described.domain), domain) is not None:
            return name, read_policy_file(known[name])
        others[name] = described.domain
    raise NoPolicyFits(f"no bundled policy fits the domain {domain.name}\n  {_near_miss(domain, others)}")


def _near_miss(domain: Domain, others: dict[str, Domain]) -> str:
    """What the one policy lacks that nearly fits, or which policies there are."""
    likeness = {name: _likeness(domain, other) for name, other in others.items()}
    nearest = max(likeness, key=lambda name: likeness[name], default=None)
    if nearest is None or likeness[nearest] < NEARLY:
        return f"{_listed(sorted(others))}."
    return f"The nearest is {nearest}, but the domain has {mismatch(others[nearest], domain)}."


def _likeness(one: Domain, other: Domain) -> float:
    """The share of predicates and actions that both domains have."""
    names = [
        {("predicate", p.name, len(p.parameters)) for p in each.predicates}
        | {("action", s.name, len(s.parameters)) for s in each.schemas}
        for each in (one, other)
    ]
    return len(names[0] & names[1]) / max(1, len(names[0] | names[1]))


def _listed(known: Iterable[str]) -> str:
    names = ", ".join(known)
    return f"There are {names}" if names else "None is bundled yet: train one, and name its file"
