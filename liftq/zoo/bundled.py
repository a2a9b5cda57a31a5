"""The bundled policies: a folder of policy files, one or more per domain."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from liftq.errors import InputError
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Form, Misfit
from liftq.pddl.renaming import Renaming
from liftq.pddl.structures import Atom, Domain, Literal, Problem
from liftq.pddl.trees import literals
from liftq.policies.compatibility import fit, form_of, mismatch, unseen_goals
from liftq.policies.policy_file import PolicyFile, read_description, read_policy_file

FOLDER = Path(__file__).parent
SUFFIX = ".safetensors"
CARD, BEATS = (
    "bundled",
    "beats",
)  # of a card: how the policy was tested for the bundle; by it, another one it beat there
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
    """The name of the bundled policy that fits best, and the policy. Structure decides, then the goals that each has
    learned from, then which was bundled because it solved more than the other, and names only where these are alike. If
    no policy fits the domain as it is, one may fit another form of the given problem."""
    known = bundled(folder)
    described = {name: read_description(path) for name, path in known.items()}
    renamings, reasons = _renamings(described, domain)
    if renamings:
        beaten = _beaten(described, renamings)

        def order(name: str) -> tuple[tuple[int, int], bool]:
            return _strangeness(described[name], problem, renamings[name]), name in beaten

        return _read(known, min(renamings, key=order))
    forms, misfits = ({}, {}) if problem is None else _forms(described, Facts(domain, problem))
    beaten = _beaten(described, forms)
    for name in sorted(forms, key=lambda name: (bool(forms[name].stricter), name in beaten, name != domain.name)):
        return _read(known, name)
    if reasons:
        raise reasons[0]
    raise NoPolicyFits(f"no bundled policy fits the domain {domain.name}\n  {_near_miss(domain, described, misfits)}")


def _beaten(policies: Mapping[str, PolicyFile], names: Iterable[str]) -> set[str]:
    """Policies that others of these beat when they were tested for the bundle."""
    return {policies[name].card.get(CARD, {}).get(BEATS, "") for name in names}


def _read(known: Mapping[str, Path], name: str) -> tuple[str, PolicyFile]:
    return name, read_policy_file(known[name])


def _renamings(policies: Mapping[str, PolicyFile], domain: Domain) -> tuple[dict[str, Renaming], list[InputError]]:
    """By policy that fits the domain as it is, those of the same name first; and why others fit in no single way."""
    found, reasons = {}, []
    for name in sorted(policies, key=lambda name: name != domain.name):
        policy = policies[name]
        try:
            renaming = fit(policy.domain, policy.encoder.rows(policy.domain), domain)
        except InputError as error:
            reasons.append(error)
            continue
        if renaming is not None:
            found[name] = renaming
    return found, reasons


def _strangeness(policy: PolicyFile, problem: Problem | None, renaming: Renaming) -> tuple[int, int]:
    """How many predicates of the goal a policy has never seen in goals, and how many that it has seen are not there."""
    if problem is None:
        return 0, 0
    names = {each.name for each in policy.domain.predicates}
    seen = names - set(unseen_goals(policy.encoder.without, (Literal(Atom(name, ())) for name in names)))
    asked = {renaming.predicate(literal.atom.predicate) for literal in literals(problem.goal)}
    return len(asked - seen), len(seen - asked)


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
