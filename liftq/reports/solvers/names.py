"""Names of solvers for readers: labels that the user chooses, otherwise short names instead of paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath

from liftq.errors import InputError, listed
from liftq.evaluation.paper import VALUES
from liftq.evaluation.result import Gap, Invocation, Record, Results
from liftq.evaluation.solvers import SEARCH
from liftq.evaluation.suite.evaluation import DOMAIN
from liftq.zoo.bundled import SUFFIX, bundled

PLAIN = {  # readable forms of our names
    "lama": "LAMA-first",
    "greedy_search": "search without a policy",
    "novelty_search": "novelty search alone",
    "orbit_search": "optimal search",
    **VALUES,
    "q_margin": "Q margin",
    "q_distil": "Q distilled",
    "bundled": "bundled policy",
}


def labelled(results: Results, labels: Iterable[str]) -> Results:
    """Replaces the solver NAME by `ours` for each label `ours=NAME`. `{domain}` in a name stands for any domain."""
    label_of = dict(_parsed(label) for label in labels)
    unused = set(label_of)
    records = tuple(_labelled(record, label_of, unused) for record in results.records)
    if unused:
        raise InputError(f"no solver of these results is called {', '.join(sorted(unused))}\n  {_fix(results)}")
    return replace(results, records=records)


def with_bundled_alike(results: Results) -> Results:
    """Calls a bundled policy `bundled` in the domain of the same name."""
    domains = set(bundled())
    names = {name: name.replace(DOMAIN, "bundled") for name in (DOMAIN, DOMAIN + SEARCH)}
    records = (_labelled(record, names, set()) if _domain(record) in domains else record for record in results.records)
    return replace(results, records=tuple(records))


def _domain(record: Record) -> str:
    return str(_facts(record).get("domain"))


def _facts(record: Record) -> Mapping[str, object]:
    return record.settings if isinstance(record, Invocation) else vars(record)


def _parsed(label: str) -> tuple[str, str]:
    text, _, name = label.partition("=")
    if not (text and name):
        raise InputError(f"`{label}` is not a label\n  Write it as LABEL=SOLVER, for instance ours={DOMAIN}.")
    return name, text


def _labelled(record: Record, label_of: Mapping[str, str], unused: set[str]) -> Record:
    field = "policy" if isinstance(record, Gap) else "solver"
    name, domain = str(_facts(record).get(field)), _domain(record)
    for pattern, label in label_of.items():
        if name in (pattern, pattern.replace(DOMAIN, domain)):
            unused.discard(pattern)
            if isinstance(record, Invocation):
                return replace(record, settings=record.settings | {field: label})
            return replace(record, **{field: label})
    return record


def _fix(results: Results) -> str:
    names = {getattr(record, "solver", None) or getattr(record, "policy", None) for record in results.records}
    return f"There are: {listed(sorted(name for name in names if name))}."


def short_names(names: Iterable[str]) -> dict[str, str]:
    """The last parts of paths and modules that are enough to be unique."""
    distinct = list(dict.fromkeys(names))
    parts = {name: _parts(name) for name in distinct}
    for count in range(1, max((len(part) for part in parts.values()), default=0) + 1):
        shortened = {name: _joined(each[-count:], name.endswith(SEARCH)) for name, each in parts.items()}
        if len(set(shortened.values())) == len(distinct):
            return shortened
    return {name: name for name in distinct}


def _parts(name: str) -> tuple[str, ...]:
    if "(" in name:  # a search string
        return (name,)
    stem = name.removesuffix(SEARCH)
    return PurePath(stem.removesuffix(SUFFIX)).parts if stem.endswith(SUFFIX) else tuple(stem.split(":"))


def _joined(parts: tuple[str, ...], searches: bool) -> str:
    *folders, last = parts or ("",)
    return "/".join((*folders, PLAIN.get(last, last))) + " with search" * searches
