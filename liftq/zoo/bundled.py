"""The bundled policies: a folder of policy files, one per domain."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from liftq.errors import InputError
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Form, Misfit
from liftq.pddl.structures import Domain, Problem
from liftq.policies.compatibility import fit, form_of, mismatch
from liftq.policies.policy_file import PolicyFile, read_description, read_policy_file

FOLDER = Path(__file__).parent
SUFFIX = ".safetensors"
NEARLY = 0.5  # share of common predicates and actions from which on a policy is worth mentioning


def bundled(folder: Path = FOLDER) -> dict[str, Path]:
    """Paths by name."""
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
    """None of the bundled policies fits a domain."""


def find_policy(domain: Domain, problem: Problem | None = None, folder: Path = FOLDER) -> tuple[str, PolicyFile]:
    """The name of the bundled policy that fits, and the policy. Structure decides, not the domain's name. If no policy
    fits the domain as it is, one may fit another form of the given problem."""
    known = bundled(folder)
    others: dict[str, PolicyFile] = {}
    for name in sorted(known, key=lambda name: name != domain.name):  # the policy mostly has the domain's name
        others[name] = described = read_description(known[name])
        if fit(described.domain, described.encoder.rows(described.domain), domain) is not None:
            return name, read_policy_file(known[name])
    forms, misfits = ({}, {}) if problem is None else _forms(others, Facts(domain, problem))
    for name in sorted(forms, key=lambda name: bool(forms[name].stricter)):
        return name, read_policy_file(known[name])
    raise NoPolicyFits(f"no bundled policy fits the domain {domain.name}\n  {_near_miss(domain, others, misfits)}")


def _forms(policies: Mapping[str, PolicyFile], facts: Facts) -> tuple[dict[str, Form], dict[str, str]]:
    """Forms of the problem by policy, and why other policies have none, if there is more to say than names."""
    forms, misfits = {}, {}
    for name, policy in policies.items():
        try:
            forms[name] = form_of(policy.domain, policy.encoder.rows(policy.domain), facts)
        except Misfit as misfit:
            misfits[name] = str(misfit)
    return forms, misfits


def _near_miss(domain: Domain, others: Mapping[str, PolicyFile], misfits: Mapping[str, str]) -> str:
    """Why the nearest policy does not fit, or, if none is near, which policies there are."""
    likeness = {name: _likeness(domain, other.domain) for name, other in others.items()}
    nearest = max(likeness, key=lambda name: likeness[name], default=None)
    if nearest is None or likeness[nearest] < NEARLY:
        return f"{_listed(sorted(others))}."
    reason = misfits.get(nearest) or f"the domain has {mismatch(others[nearest].domain, domain)}"
    return f"The nearest is {nearest}, but {reason}."


def _likeness(one: Domain, other: Domain) -> float:
    """The share of predicates and actions that both domains have."""
    names = [
        {("predicate", p.name, len(p.parameters)) for p in domain.predicates}
        | {("action", s.name, len(s.parameters)) for s in domain.schemas}
        for domain in (one, other)
    ]
    return len(names[0] & names[1]) / max(1, len(names[0] | names[1]))


def _listed(known: Iterable[str]) -> str:
    names = ", ".join(known)
    return f"There are {names}" if names else "None is bundled yet: train one, and name its file"
