"""Which domains a policy fits: structure decides, names of domains and variables do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.domains import domain as bundled_domain
from liftq.domains import domains
from liftq.pddl import Domain, InputError, parse_domain, parse_problem
from liftq.policies.compatibility import mismatch, unseen_goals
from liftq.policies.policy_file import save_policy
from liftq.zoo.bundled import NoPolicyFits, bundled, find_policy, policy_path
from tests.engine.beyond_strips import ALL as BEYOND_STRIPS
from tests.engine.tasks import DELIVERY
from tests.policies.untrained import LAMPS as TEXT
from tests.policies.untrained import policy_of

LAMPS = parse_domain(TEXT)


def changed(old: str, new: str) -> Domain:
    assert old in TEXT
    return parse_domain(TEXT.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("domain lamps", "domain lights"),
        ("?l - lamp ?p - place)\n    :precondition (and (at ?l ?p) (not (on ?l))) :effect (and (on ?l)",
         "?x - lamp ?y - place)\n    :precondition (and (not (on ?x)) (at ?x ?y)) :effect (and (on ?x)"),
        ("(on ?l - lamp) (dark)", "(dark) (on ?lamp - lamp)"),
        ("(at ?l - lamp ?p - place)", "(at ?l - object ?p - object)"),
        ("lamp place - object  bulb - lamp", "place - object  lamp - object  bulb - lamp"),
    ],
)  # fmt: skip
def test_what_fits(old: str, new: str) -> None:
    assert mismatch(LAMPS, changed(old, new)) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(not (= ?a ?b))", "(not (= ?b ?a))"),
        ("(at ?x ?p) (not (in ?x ?t))", "(at ?x ?p) (not (in ?x ?t)) (not (at ?x ?p))"),  # what is also added is true
    ],
)
def test_what_means_the_same_fits(old: str, new: str) -> None:
    assert old in DELIVERY
    assert mismatch(parse_domain(DELIVERY), parse_domain(DELIVERY.replace(old, new))) is None


@pytest.mark.parametrize(
    ("name", "old", "new", "fits"),
    [
        ("lift", "(and (boarded ?p) (destin ?p ?f)) (and", "(and (destin ?p ?f) (boarded ?p)) (and", True),
        (
            "lift",
            "(forall (?p - person) (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))",
            "(forall (?q - person) (when (and (not (served ?q)) (origin ?q ?f)) (boarded ?q)))",
            True,
        ),
        ("lift", "(or (above ?f ?g) (above ?g ?f))", "(or (above ?g ?f) (above ?f ?g))", True),
        ("lift", "(or (above ?f ?g) (above ?g ?f))", "(or (above ?f ?g) (above ?f ?g))", False),
        ("lift", "(not (served ?p))) (boarded ?p)", "(served ?p)) (boarded ?p)", False),
        ("grid", "(forall (?y - device) (not (unsafe ?y)))", "(forall (?z - device) (not (unsafe ?z)))", True),
        ("grid", "(forall (?y - device) (not (unsafe ?y)))", "(exists (?y - device) (not (unsafe ?y)))", False),
        ("grid", "(forall (?y - device) (not (unsafe ?y)))", "(forall (?y) (not (unsafe ?y)))", False),
        ("grid", "(and (live ?y) (closed ?y) (wire ?y ?x))", "(and (closed ?y) (wire ?y ?x) (live ?y))", True),
        ("grid", "(and (live ?y) (closed ?y) (wire ?y ?x))", "(and (live ?y) (closed ?x) (wire ?y ?x))", False),
    ],
)
def test_quantifiers_and_conditional_effects(name: str, old: str, new: str, fits: bool) -> None:
    text = BEYOND_STRIPS[name][0]
    assert text.count(old) == 1
    assert (mismatch(parse_domain(text), parse_domain(text.replace(old, new))) is None) == fits


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(dark))\n", "(dark) (warm))\n", "other predicates: it adds warm/0"),
        ("(on ?l - lamp) (dark)", "(on ?l - lamp ?p - place) (dark)", "other predicates"),
        ("bulb - lamp", "tube - lamp", "other types: it lacks bulb"),
        ("hall - place", "cellar - place", "other constants"),
        (":action switch", ":action turn-on", "other actions: it lacks switch/2; it adds turn-on/2"),
        ("(not (on ?l))) :effect", "(on ?l)) :effect", "the action switch"),
        ("(and (on ?l) (not (dark)))", "(and (on ?l) (dark))", "the action switch"),
        ("switch :parameters (?l - lamp", "switch :parameters (?l - bulb", "the action switch"),
    ],
)
def test_what_does_not(old: str, new: str, reason: str) -> None:
    if "on ?l - lamp ?p" in new:
        new_domain = parse_domain(TEXT.replace(old, new).replace("(on ?l)", "(on ?l ?p)"))
    else:
        new_domain = changed(old, new)
    assert reason in (mismatch(LAMPS, new_domain) or "")


def test_bundled_domains_fit_themselves_only() -> None:
    all_domains = {name: bundled_domain(name).domain() for name in domains()}
    for name, own in all_domains.items():
        assert [other for other in all_domains if mismatch(own, all_domains[other]) is None] == [name]


def test_find_policy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="None is bundled"):
        find_policy(LAMPS, folder=tmp_path)
    save_policy(tmp_path / "ferry.safetensors", policy_of(bundled_domain("ferry").domain()))
    with pytest.raises(NoPolicyFits, match=r"no bundled policy fits the domain lamps\n  There are ferry.$"):
        find_policy(LAMPS, folder=tmp_path)
    save_policy(tmp_path / "lights.safetensors", policy_of(LAMPS))
    name, policy_file = find_policy(changed("domain lamps", "domain ferry"), folder=tmp_path)
    assert (name, policy_file.domain) == ("lights", LAMPS)
    assert list(bundled(tmp_path)) == ["ferry", "lights"]
    with (tmp_path / "ferry.safetensors").open("r+b") as damaged:  # which is not looked at beyond its description
        damaged.seek(-4, 2)
        damaged.write(b"oops")
    assert find_policy(LAMPS, folder=tmp_path)[0] == "lights"


def test_near_misses_are_explained_in_two_lines(tmp_path: Path) -> None:
    for name in ("ferry", "rovers"):
        save_policy(tmp_path / f"{name}.safetensors", policy_of(bundled_domain(name).domain()))
    save_policy(tmp_path / "lights.safetensors", policy_of(LAMPS))
    with pytest.raises(NoPolicyFits) as error:
        find_policy(changed("(on ?l - lamp) (dark)", "(on ?l - lamp) (dark) (broken ?l - lamp)"), folder=tmp_path)
    assert str(error.value).splitlines() == [
        "no bundled policy fits the domain lamps",
        "  The nearest is lights, but the domain has other predicates: it adds broken/1.",
    ]


def test_policies_by_name_and_path(tmp_path: Path) -> None:
    save_policy(tmp_path / "ferry.safetensors", policy_of(bundled_domain("ferry").domain()))
    assert policy_path("ferry", tmp_path) == tmp_path / "ferry.safetensors"
    assert policy_path(tmp_path / "x.safetensors", tmp_path) == tmp_path / "x.safetensors"
    with pytest.raises(InputError, match="no bundled policy `fery`"):
        policy_path("fery", tmp_path)


@pytest.mark.parametrize(
    ("without", "unseen"),
    [
        ((), []),
        (("goal:on", "forbidden:dark"), ["on", "not dark"]),
        (("goal:dark", "forbidden:on"), []),  # nobody asks for these
        (("goal-false:on", "forbidden-true:dark"), ["on", "not dark"]),  # what is still to be done
        (("goal-true:on", "forbidden-false:dark"), []),
    ],
)
def test_goals_that_a_policy_has_never_seen(without: tuple[str, ...], unseen: list[str]) -> None:
    text = """(define (problem p) (:domain lamps) (:objects b - bulb) (:init (at b hall) (dark))
      (:goal (and (on b) (not (dark)))))"""
    assert unseen_goals(without, parse_problem(text, LAMPS).goal) == unseen
