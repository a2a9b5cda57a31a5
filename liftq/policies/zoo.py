"""The bundled policies: a folder of policy files, one per domain."""

from __future__ import annotations

import os
from pathlib import Path

from liftq.errors import InputError
from liftq.pddl.structures import Domain
from liftq.policies.compatibility import fit, mismatch
from liftq.policies.policy_file import PolicyFile, read_policy_file

FOLDER = Path(__file__).parent.parent / "zoo"
SUFFIX = ".safetensors"


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


def find_policy(domain: Domain, folder: Path = FOLDER) -> tuple[str, PolicyFile]:
    """The bundled policy that fits, with its name. What fits is decided by structure, not by the domain's name."""
    known = bundled(folder)
    reasons = []
    for name in sorted(known, key=lambda name: name != domain.name):  # most often it has the domain's name
        policy_file = read_policy_file(known[name])
        if fit(policy_file.domain, policy_file.encoder.rows(policy_file.domain), domain) is not None:
            return name, policy_file
        reasons.append(f"\n  {name}: {mismatch(policy_file.domain, domain)}")
    raise InputError(f"no bundled policy fits the domain {domain.name}\n  {_listed(known)}.{''.join(reasons)}")


def _listed(known: dict[str, Path]) -> str:
    return f"There are {', '.join(known)}" if known else "None is bundled yet: train one, and name its file"
