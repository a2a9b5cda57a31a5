"""Renamings between domains of the same structure, against trying all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from math import factorial, prod
from random import Random

import pytest

from liftq.pddl import Domain, parse_domain
from liftq.pddl.renaming import Renaming, renamings
from liftq.policies.compatibility import mismatch
from tests.examples import assume, examples
from tests.pddl.random_values import random_domain
from tests.pddl.renamed import Words

KINDS = {"type": "types", "predicate": "predicates", "action": "schemas", "object": "constants"}
WORD = {"predicate": "symbol"}  # what `Words` calls a kind, if not by its name


def names(domain: Domain, kind: str) -> list[str]:
    return [each.name for each in getattr(domain, KINDS[kind])]


def symbols(domain: Domain) -> list[tuple[str, str]]:
    return [(kind, name) for kind in ("type", "predicate", "action") for name in names(domain, kind)]


def all_renamings(domain: Domain, other: Domain) -> set[frozenset[tuple[str, str, str]]]:
    """By trying every assignment of the other's names; without those of constants."""
    assignments = [
        [list(zip(names(domain, kind), each, strict=True)) for each in permutations(names(other, kind))]
        for kind in KINDS
    ]
    found = set()
    for choice in product(*assignments):
        given = dict(zip(KINDS, choice, strict=True))
        words = Words(Random(0), names={(WORD.get(k, k), a): b for k, pairs in given.items() for a, b in pairs})
        if mismatch(other, words.domain(domain)) is None:
            del given["object"]
            found.add(frozenset((kind, a, b) for kind, pairs in given.items() for a, b in pairs))
    return found


def small(domain: Domain) -> bool:
    return prod(factorial(len(names(domain, kind))) for kind in KINDS) <= 300


@examples(60)
def test_one_renaming_two_or_none_as_there_are(rng: Random) -> None:
    domain = random_domain(rng, rich=False)
    assume(small(domain))
    domain = replace(domain, functions=(), schemas=tuple(replace(s, cost=None) for s in domain.schemas))
    other = Words(rng).domain(domain)
    expected = all_renamings(domain, other)
    found = renamings(domain, other, symbols(other))
    assert len(found) == min(2, len(expected))
    listed = [frozenset((kind, a, b) for (kind, a), b in each.names.items() if a != "object") for each in found]
    assert len(set(listed)) == len(found) and set(listed) <= expected


@examples(60)
def test_orders_of_parameters(rng: Random) -> None:
    domain = random_domain(rng, rich=False)
    other = Words(rng, reorder=True, names=same_constants(domain)).domain(domain)
    assert mismatch(other, renamed_by(renamings(domain, other, ())[0], domain)) is None


def same_constants(domain: Domain) -> dict[tuple[str, str], str]:
    return {("object", constant.name): constant.name for constant in domain.constants}


def renamed_by(renaming: Renaming, domain: Domain) -> Domain:
    names = same_constants(domain) | {(WORD.get(kind, kind), old): new for (kind, old), new in renaming.names.items()}
    orders = {(WORD.get(kind, kind), old): list(order) for (kind, old), order in renaming.orders.items()}
    return Words(Random(0), names=names, orders=orders).domain(domain)


LAMPS = """(define (domain lamps) (:predicates (on ?l) (off ?l) (next ?l ?m))
  (:action switch-on :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l))))
  (:action switch-off :parameters (?l) :precondition (on ?l) :effect (and (off ?l) (not (on ?l)))))"""


OTHER_NAMES = {"(on": "(lit", "(off": "(dark", "switch-on": "light", "switch-off": "darken"}


def changed(words: dict[str, str]) -> Domain:
    text = LAMPS
    for old, new in words.items():
        assert old in text
        text = text.replace(old, new)
    return parse_domain(text)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ({}, 1),  # though on and off could be exchanged
        ({"next": "beside"}, 1),
        ({"(on": "(lit", "(off": "(dark"}, 1),  # by the names of the actions
        (OTHER_NAMES, 2),
        ({"(next ?l ?m)": "(next ?l)"}, 0),
        ({"(next ?l ?m)": ""}, 0),
        ({"(and (on ?l) (not (off ?l)))": "(on ?l)"}, 0),
    ],
)
def test_names_decide_where_the_structure_leaves_a_choice(words: dict[str, str], count: int) -> None:
    lamps = parse_domain(LAMPS)
    assert len(renamings(changed(words), lamps, symbols(lamps))) == count


def test_renamings_may_differ_on_symbols_that_the_policy_ignores() -> None:
    lamps = parse_domain(LAMPS)
    other = Words(Random(1)).domain(lamps)
    assert len(renamings(other, lamps, [("predicate", "on")])) == 2
    assert len(renamings(other, lamps, [("predicate", "next")])) == 1


def test_contradictions_in_words() -> None:
    lamps = parse_domain(LAMPS)
    one, other = renamings(changed(OTHER_NAMES), lamps, symbols(lamps))
    readings = {"on = lit, off = dark, switch-on = light, switch-off = darken"}
    readings |= {"on = dark, off = lit, switch-on = darken, switch-off = light"}
    assert {one.unlike(other), other.unlike(one)} == readings
