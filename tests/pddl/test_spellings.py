"""What people write and other planners accept: read as meant, with a warning where it may be a mistake."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from liftq.engine.task import Task
from liftq.errors import PDDLWarning
from liftq.pddl import Domain, Problem, parse_domain, parse_problem
from liftq.teachers.fast_downward import find_driver
from tests.engine.translator import translate
from tests.engine.walks import all_atoms, derived_atoms

DOMAIN = """(define (domain d) (:requirements :strips :typing)
  (:types block place - object)
  (:predicates (at ?b - block ?p - place) (link ?p ?q - place) (done))
  (:functions (total-cost) - number (far ?p ?q - place) - number)
  (:action move :parameters (?b - block ?p ?q - place) :precondition (and (at ?b ?p) (link ?p ?q))
    :effect (and (at ?b ?q) (not (at ?b ?p)) (increase (total-cost) (far ?p ?q)))))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b - block x y z - place)
  (:init (at a x) (at b y) (link x y) (link y z) (link z x)
    (= (far x y) 1) (= (far y z) 2) (= (far z x) 3) (= (total-cost) 0))
  (:goal (and (at a z) (at b x))) (:metric minimize (total-cost)))"""
WAIT = "(:action wait :parameters () :precondition {} :effect {})"

Texts = tuple[str, str]


def changed(old: str, new: str) -> Texts:
    assert (old in DOMAIN) != (old in PROBLEM)
    return DOMAIN.replace(old, new), PROBLEM.replace(old, new)


def with_action(precondition: str, effect: str) -> Texts:
    return changed("(:action", f"{WAIT.format(precondition, effect)} (:action")


def named(name: str) -> Texts:
    """A predicate of this name, in all places."""
    domain = DOMAIN.replace("(done)", f"({name} ?x ?y)").replace("(link ?p ?q))", f"(link ?p ?q) (not ({name} ?q ?p)))")
    return domain.replace("(at ?b ?q)", f"(at ?b ?q) ({name} ?p ?q)"), PROBLEM


SILENT: dict[str, Texts] = {
    "upper case": (DOMAIN.upper(), PROBLEM),
    "tabs": (DOMAIN.replace(" ", "\t"), PROBLEM.replace(" ", " \t")),
    "ends of lines": (DOMAIN.replace("\n", "\r\n"), PROBLEM.replace("\n", "\r")),
    "comments": (DOMAIN.replace("(", ";;(\n( ; )\n"), PROBLEM.replace(")", ");)\n")),
    "names of any kind": (
        DOMAIN.replace("domain d", "domain d-1.2/%!$&,:[]{}<>@#^|~'").replace("move", "m!ove/%$1"),
        PROBLEM.replace(":domain d", ":domain d-1.2/%!$&,:[]{}<>@#^|~'").replace("problem p", "problem p*+"),
    ),
    "numbers as names": (DOMAIN, PROBLEM.replace(" x", " 0").replace(" y", " 1").replace(" z", " 2")),
    "words of PDDL as names": (DOMAIN.replace("move", "when"), PROBLEM.replace(" x", " and").replace(" y", " object")),
    "a predicate like a type": changed("(done)", "(block ?x) (place ?x) (object)"),
    "a function like a predicate": (DOMAIN.replace("far", "link"), PROBLEM.replace("far", "link")),
    **{
        f"a predicate `{name}`": named(name)
        for name in ("assign", "decrease", "preference", "<", "+", "over", "either")
    },
    "no requirements": changed("(:requirements :strips :typing)", ""),
    "empty requirements": changed("(:requirements :strips :typing)", "(:requirements)"),
    "object as a type": changed("(:types block", "(:types object block"),
    "object below another type": changed("place - object", "place - object object - thing"),
    "a type below itself": changed("block place - object", "block - block place"),
    "a parent that is not declared": changed("block place - object", "block - thing place"),
    "precondition ()": with_action("()", "(done)"),
    "precondition (and)": with_action("(and)", "(and (done))"),
    "precondition (or)": with_action("(or)", "(done)"),
    "effect (and)": with_action("(done)", "(and)"),
    "empty parts": with_action("(and (and) (or (and)))", "(and (and) (done))"),
    "no parameters": changed("(:action", "(:action wait :effect (done)) (:action"),
    "not not": changed("(link ?p ?q))\n    :effect", "(not (not (link ?p ?q))))\n    :effect"),
    "deleted and added": changed("(not (at ?b ?p))", "(not (at ?b ?p)) (not (at ?b ?q))"),
    "a variable hidden by another": changed("(at ?b ?p) (", "(at ?b ?p) (exists (?p) (at ?b ?p)) ("),
    "no blank before variables": changed("?b - block ?p ?q - place) :pre", "?b - block?p?q - place) :pre"),
    "variables without types": changed("?b - block ?p ?q - place) :pre", "?b ?p ?q) :pre"),
    "a metric without costs": changed(" (increase (total-cost) (far ?p ?q))", ""),
    "costs without a metric": changed("(:metric minimize (total-cost))", ""),
    "functions without types": (DOMAIN.replace(" - number", ""), PROBLEM),
    "total-cost not declared": changed("(total-cost) - number", ""),
    "total-cost without a start": changed("(= (total-cost) 0)", ""),
    "total-cost from another start": changed("(= (total-cost) 0)", "(= (total-cost) 5)"),
    "a value twice": changed("(= (total-cost) 0)", "(= (far x y) 1)"),
    "an atom twice": changed("(at a x)", "(at a x) (at a x)"),
    "a negated atom": changed("(at a x)", "(at a x) (not (at b x))"),
    "a goal without `and`": changed("(and (at a z) (at b x))", "(at a z)"),
    "negative goals": changed("(at b x)", "(not (at b y)) (not (= a b))"),
    "a goal that no action changes": changed("(at b x)", "(link x y)"),
    "no objects": (
        DOMAIN.replace("(:pred", "(:constants a b - block x y z - place) (:pred"),
        PROBLEM.replace("(:objects a b - block x y z - place)", ""),
    ),
}
WARNED: dict[str, tuple[Texts, str]] = {
    "another type in :init": (
        changed("(at a x)", "(at a x) (at x a)"),
        "`x` is of type place, and `at` asks for block",
    ),
    "another type in the goal": (changed("(at b x)", "(not (at x b))"), "`x` is of type place, and `at` asks for"),
    "another type in a condition": (
        changed("(at ?b ?p) (", "(at ?b ?p) (not (at ?p ?b)) ("),
        "`?p` is of type place, and `at` asks for block here",
    ),
    "another type in an effect": (changed("(at ?b ?q)", "(at ?b ?q) (at ?q ?b)"), "`?q` is of type place"),
    "another type of a value": (changed("(= (total-cost) 0)", "(= (far a b) 0)"), "`a` is of type block, and `far`"),
    "a predicate twice": (changed("(done)", "(done) (link ?a ?b)"), "the predicate `link` is declared twice"),
    "a function twice": (changed("(far ?p ?q - place)", "(far ?p ?q) (far ?a ?b)"), "the function `far` is declared"),
    "a type twice": (changed("place - object", "place - object block - place"), "the type `block` is declared twice"),
    "a value of an unknown function": (
        changed("(= (total-cost) 0)", "(= (fuel a) 1) (= (fuel b) 1)"),
        "a value of the unknown function `fuel`",
    ),
}
ALL = SILENT | {name: texts for name, (texts, _) in WARNED.items()}


def read(texts: Texts) -> tuple[Domain, Problem]:
    domain = parse_domain(texts[0])
    return domain, parse_problem(texts[1], domain)


@pytest.mark.parametrize("name", SILENT)
def test_accepted_spellings(name: str) -> None:
    with warnings.catch_warnings(action="error"):
        Task(*read(SILENT[name]))


@pytest.mark.parametrize("name", WARNED)
def test_spellings_that_may_be_one(name: str) -> None:
    texts, says = WARNED[name]
    with pytest.warns(PDDLWarning) as caught:
        Task(*read(texts))
    assert says in str(caught[0].message)
    assert len(caught) == (2 if "another type" in name and "value" not in name else 1)  # for each argument, only once


@pytest.mark.skipif(find_driver() is None, reason="Fast Downward is not installed")
@pytest.mark.filterwarnings("ignore::liftq.errors.PDDLWarning")
@pytest.mark.parametrize("name", ALL)
def test_they_mean_what_fast_downward_takes_them_to_mean(tmp_path: Path, name: str) -> None:
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for file, text in zip(files, ALL[name], strict=True):
        file.write_text(text, newline="")
    task, sas = Task(*read(ALL[name])), translate(*files)
    mentioned = {atom for atom in sas.mentioned() if atom.predicate in task.predicate_number}
    state, values = task.initial_state, sas.initial_state
    for _ in range(5):
        assert sas.atoms(values) & mentioned == (all_atoms(task, state) | derived_atoms(task, state)) & mentioned
        assert task.is_goal(state) == sas.is_goal(values)
        operators = sas.applicable(values)
        assert set(task.choice(state, compress=False).actions()) == operators.keys()
        assert all(task.cost(action) == operators[action].cost for action in operators)
        action = max(operators)
        state, values = task.successor(state, action), sas.successor(values, operators[action])
