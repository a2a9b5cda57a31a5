"""Problems in the words of another domain: the same states, and the same actions in each of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liftq.domains import domain as bundled_domain
from liftq.domains import domains
from liftq.pddl import Atom, parse_domain, parse_problem, read_domain, read_problem
from liftq.pddl.forms.expression import expressed
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Form, Misfit
from liftq.pddl.trees import literals
from tests.pddl.forms.bisimulation import check, form_of, symbols
from tests.pddl.forms.disguises import DISGUISES, untyped
from tests.policies.untrained import small_task

every_domain = pytest.mark.parametrize("name", domains())


@every_domain
@pytest.mark.parametrize("disguise", DISGUISES)
def test_disguised_problems_are_recognized(name: str, disguise: str) -> None:
    task = small_task(name)
    domain, problem = DISGUISES[disguise](task.domain, task.problem)
    form = form_of(domain, problem, task.domain)
    assert not form.stricter
    check(domain, problem, form)
    assert {*form.domain.constants, *form.problem.objects} == {*task.domain.constants, *task.problem.objects}
    assert set(form.problem.goal) == set(task.problem.goal)
    assert set(form.problem.init) == set(task.problem.init)


@every_domain
@pytest.mark.parametrize("disguise", DISGUISES)
def test_plain_problems_are_put_in_disguise(name: str, disguise: str) -> None:
    task = small_task(name)
    domain, problem = DISGUISES[disguise](task.domain, task.problem)
    used = {each.atom.predicate for s in domain.schemas for each in literals(s.preconditions)} | domain.fluents
    seen = [symbol for symbol in symbols(domain) if symbol[0] != "predicate" or symbol[1] in used]
    form = expressed(Facts(task.domain, task.problem), domain, seen)
    assert not form.stricter
    check(task.domain, task.problem, form)
    missing = set(problem.init) - set(form.problem.init)  # nothing else says whether what never acts is available
    assert set(form.problem.init) <= set(problem.init)
    assert {atom.predicate for atom in missing} & used <= {"available"}
    unused = {each.name for each in domain.predicates} - used
    if unused - {each.name for each in task.domain.predicates}:
        with pytest.raises(Misfit, match="has no counterpart"):
            form_of(task.domain, task.problem, domain)


AUTOSCALE = [
    "blocksworld",
    "childsnack",
    "floortile",
    "gripper",
    "logistics",
    "rovers",
    "satellite",
    "transport",
    "visitall",
]


@pytest.mark.parametrize("name", AUTOSCALE)
def test_forms_of_autoscale(name: str, autoscale: Path) -> None:
    domain = read_domain(autoscale / "optimal" / name / "domain.pddl")
    for number in ("p01", "p05"):
        problem = read_problem(autoscale / "optimal" / name / f"{number}.pddl", domain)
        form = form_of(domain, problem, bundled_domain(name).domain())
        assert not form.stricter
        check(domain, problem, form)


def test_a_form_that_deletes_more(autoscale: Path) -> None:
    """Who is on board may board again in Autoscale's miconic."""
    domain = read_domain(autoscale / "optimal" / "miconic" / "domain.pddl")
    problem = read_problem(autoscale / "optimal" / "miconic" / "p01.pddl", domain)
    form = form_of(domain, problem, bundled_domain("miconic").domain())
    assert form.stricter == "board deletes (origin ?p ?f)"


TRUCK = """(define (domain truck) (:requirements :strips :typing :negative-preconditions)
  (:types vehicle place)
  (:predicates (at ?v - vehicle ?p - place) (road ?p ?q - place) (seen ?p - place) (ready ?v - vehicle))
  (:action drive :parameters (?v - vehicle ?p ?q - place)
    :precondition (and (at ?v ?p) (road ?p ?q))
    :effect (and (at ?v ?q) (seen ?q) (not (at ?v ?p)))))"""
PROBLEM = """(define (problem p) (:domain truck) (:objects a b - vehicle  x y z - place)
  (:init (at a x) (at b y) (road x y) (road y z) (road z z) (ready a) (seen x)) (:goal (and (seen z))))"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def form_between(own: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...], problem: str = PROBLEM) -> Form:
    domain = parse_domain(changed(TRUCK, *own))
    return form_of(domain, parse_problem(problem, domain), parse_domain(changed(TRUCK, *other)))


NOT_THERE = ("(road ?p ?q))\n", "(road ?p ?q) (not (at ?v ?q)))\n")
DIFFERENT = ("(road ?p ?q))\n", "(road ?p ?q) (not (= ?p ?q)))\n")
UNSEEN = ("(road ?p ?q))\n", "(road ?p ?q) (not (seen ?q)))\n")
READY = ("(road ?p ?q))\n", "(road ?p ?q) (ready ?v))\n")
KEPT = (" (not (at ?v ?p))", "")
NOT_READY = ("(road ?p ?q))\n", "(road ?p ?q) (not (ready ?v)))\n")
NO_LONGER_READY = ("(not (at ?v ?p))", "(not (at ?v ?p)) (not (ready ?v))")
LEAVES_A_WAY = ("(at ?v ?q) (seen ?q) (not (at ?v ?p))", "(at ?v ?p) (seen ?q) (not (at ?v ?q))")
STAYS_NOWHERE = ("(at ?v ?q) (seen ?q) (not (at ?v ?p))", "(seen ?q) (not (at ?v ?q))")  # if ?p is ?q
TWICE = ("(at b y)", "(at b y) (at b x)")


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ((NOT_THERE,), (DIFFERENT,)),
        ((DIFFERENT,), (NOT_THERE,)),
        ((READY,), (READY,)),
        ((UNSEEN,), (UNSEEN,)),
        ((NOT_READY,), (NOT_READY, NO_LONGER_READY)),
        ((NOT_READY, NO_LONGER_READY), (NOT_READY,)),
    ],
)
def test_conditions_that_others_imply(own: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...]) -> None:
    assert not form_between(own, other).stricter


@pytest.mark.parametrize(
    ("own", "other", "problem", "reason"),
    [
        ((READY,), (), PROBLEM, "its action drive admits other objects as ?v"),
        ((), (UNSEEN,), PROBLEM, "its action drive forbids (seen ?q)"),
        ((UNSEEN,), (), PROBLEM, "its action drive forbids no (seen ?q)"),
        ((), (DIFFERENT,), PROBLEM, "its action drive needs ?p and ?q to differ"),  # to drive from z to z is to see z
        ((), (KEPT,), PROBLEM, "its action drive deletes no (at ?v ?p)"),
        ((UNSEEN, KEPT), (UNSEEN,), PROBLEM.replace("(seen z)", "(not (at a x))"), "drive deletes (at ?v ?p)"),
        ((NOT_THERE,), (DIFFERENT,), changed(PROBLEM, TWICE), "its action drive"),  # a truck in two places
        ((), (), PROBLEM.replace("(seen z)", "(ready b)"), "its goal (ready b) is never true"),
        ((LEAVES_A_WAY,), (STAYS_NOWHERE,), PROBLEM, "its action drive adds no (at ?v ?p)"),
        ((), (("(road ?p ?q))", "(road ?q ?p))"),), PROBLEM, None),  # the same by another name
    ],
)
def test_what_really_differs(
    own: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...], problem: str, reason: str | None
) -> None:
    if reason is None:
        assert not form_between(own, other, problem).stricter
        return
    with pytest.raises(Misfit) as misfit:
        form_between(own, other, problem)
    assert reason in str(misfit.value)


def test_an_object_of_two_types_has_no_form() -> None:
    typed = parse_domain(TRUCK)
    domain, problem = untyped(typed, parse_problem(PROBLEM, typed))
    assert form_of(domain, problem, typed).problem.objects[0] == ("a", "vehicle")
    with pytest.raises(Misfit, match="a would be of no type"):
        form_of(domain, replace(problem, init=(*problem.init, Atom("is-place", ("a",)))), typed)


def test_atoms_that_always_hold() -> None:
    domain = parse_domain(TRUCK)
    facts = Facts(domain, parse_problem(PROBLEM, domain))

    def always(**admitted: str) -> bool:
        return facts.always(
            Atom("road", ("?p", "?q")), {f"?{name}": set(objects) for name, objects in admitted.items()}
        )

    assert always(p="xy", q="") and always(p="yz", q="z") and always(p="x", q="y")
    assert not always(p="x", q="z") and not always(p="xyz", q="yz")
    assert not facts.always(Atom("at", ("?v", "?p")), {"?v": {"a"}, "?p": {"x"}})  # which changes
