"""Names of solvers for readers: labels that they choose, else short names, as paths say more than one wants to know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from liftq.errors import InputError, listed
from liftq.evaluation.result import Gap, Invocation, Record, Results

DOMAIN = "{domain}"  # in the name of a solver: one policy for each domain
SUFFIX = ".safetensors"


def labelled(results: Results, labels: Iterable[str]) -> Results:
    """With `ours` instead of a solver's name for the label `ours=NAME`. `{domain}` in a name stands for any domain."""
    label_of = dict(_parsed(label) for label in labels)
    unused = set(label_of)
    records = tuple(_labelled(record, label_of, unused) for record in results.records)
    if unused:
        raise InputError(f"no solver of these results is called {', '.join(sorted(unused))}\n  {_cure(results)}")
    return replace(results, records=records)


def _parsed(label: str) -> tuple[str, str]:
    text, _, name = label.partition("=")
    if not (text and name):
        raise InputError(f"`{label}` is not a label\n  Write it as LABEL=SOLVER, for instance ours={DOMAIN}.")
    return name, text


def _labelled(record: Record, label_of: dict[str, str], unused: set[str]) -> Record:
    facts = record.settings if isinstance(record, Invocation) else vars(record)
    field = "policy" if isinstance(record, Gap) else "solver"
    name, domain = str(facts.get(field)), str(facts.get("domain"))
    for pattern, label in label_of.items():
        if name in (pattern, pattern.replace(DOMAIN, domain)):
            unused.discard(pattern)
            if isinstance(record, Invocation):
                return replace(record, settings=facts | {field: label})
            return replace(record, **{field: label})
    return record


def _cure(results: Results) -> str:
    names = {getattr(record, "solver", None) or getattr(record, "policy", None) for record in results.records}
    return f"There are: {listed(sorted(name for name in names if name))}."


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
