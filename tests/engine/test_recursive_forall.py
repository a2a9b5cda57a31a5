"""Axioms that depend on themselves within `forall`: what follows is right, and the rules stay few and short."""

from __future__ import annotations

from random import Random

import pytest

from liftq.engine.normal_form import NormalForm
from liftq.engine.task import Task
from liftq.engine.written_out import written_out
from liftq.pddl import Atom, parse_domain, parse_problem
from liftq.pddl.structures import Domain, Problem
from tests.engine.brute_force import BruteForce

BODIES = [
    "(forall (?y) (exists (?z) (and (e ?x ?y ?z) (p ?z))))",
    "(forall (?y ?z) (or (not (e ?x ?y ?z)) (p ?z)))",
    "(forall (?y) (exists (?z) (and (e ?x ?y ?z) (forall (?w) (or (not (e ?z ?w ?w)) (q ?w))))))",
    "(exists (?y) (forall (?z) (exists (?w) (and (e ?y ?z ?w) (p ?w) (q ?y)))))",
    "(and (exists (?y) (and (e ?x ?y ?y) (p ?y))) (exists (?z) (and (e ?z ?z ?x) (p ?z))))",
    "(forall (?y - thing) (or (p ?y) (exists (?x) (and (e ?x ?y ?x) (q ?x)))))",
    "(and (exists (?y) (q ?y)) (forall (?y - ghost) (p ?y)))",
    "(forall (?y) (or (= ?x ?y) (exists (?z) (and (not (dead ?z)) (e ?y ?x ?z) (p ?z)))))",
]


def domain_of(body: str) -> Domain:
    return parse_domain(f"""(define (domain d) (:requirements :adl :derived-predicates) (:types thing ghost)
      (:predicates (e ?x ?y ?z) (dead ?x) (p ?x) (q ?x))
      (:derived (p ?x) {body})
      (:derived (p ?x) (dead ?x))
      (:derived (q ?x) (and (p ?x) (not (dead ?x))))
      (:action kill :parameters (?x) :precondition (not (q ?x)) :effect (dead ?x))
      (:action join :parameters (?x ?y ?z) :precondition (q ?x) :effect (e ?x ?y ?z)))""")


def problem_of(domain: Domain, objects: int, facts: list[str]) -> Problem:
    names = " ".join(f"o{number}" for number in range(objects))
    text = f"(define (problem r) (:domain d) (:objects {names} - thing) (:init {' '.join(facts)}) (:goal (p o0)))"
    return parse_problem(text, domain)


def random_facts(objects: int, rng: Random) -> list[str]:
    names = [f"o{number}" for number in range(objects)]
    edges = [f"(e {x} {y} {z})" for x in names for y in names for z in names if rng.random() < 0.5]
    return edges + [f"(dead {x})" for x in names if rng.random() < 0.4]


@pytest.mark.parametrize("body", BODIES)
def test_what_follows_is_what_brute_force_finds(body: str) -> None:
    domain, rng = domain_of(body), Random(body)
    seen: set[frozenset[Atom]] = set()
    for _ in range(40):
        problem = problem_of(domain, 3, random_facts(3, rng))
        task, oracle = Task(domain, problem), BruteForce(domain, problem)
        state = frozenset(problem.init)
        derived = frozenset(task.derived_atoms(task.initial_state))
        assert derived == oracle.with_derived(state) - state
        assert {each for c in [task.choice(task.initial_state)] for i in range(len(c)) for each in c.members(i)} == (
            oracle.applicable_actions(state)
        )
        seen.add(derived)
    assert len(seen) > 5  # so that there was something to find


@pytest.mark.parametrize("body", BODIES)
def test_rules_and_rows_grow_polynomially(body: str) -> None:
    domain = domain_of(body)
    sizes = {objects: size_of(Task(domain, problem_of(domain, objects, everything(objects)))) for objects in (4, 8, 16)}
    rules, variables, _, _ = zip(*sizes.values(), strict=True)
    assert len(set(rules)) == len(set(variables)) == 1
    for objects, (_, _, conditions, rows) in sizes.items():
        assert conditions <= 20 + 4 * objects and rows <= 4 * objects + 3 * objects**2


def everything(objects: int) -> list[str]:
    return [f"(e o{x} o{y} o{z})" for x in range(objects) for y in range(objects) for z in range(objects)]


def size_of(task: Task) -> tuple[int, int, int, int]:
    """Rules, variables of the longest, conditions of all, and rows of what follows."""
    axioms = NormalForm(task.domain, written_out(task.domain, task.problem)).axioms
    rows = sum(len(block[0]) for block in task.engine.atoms([task.initial_state])[len(task.predicates) :])
    widest = max(len(axiom.parameters) for axiom in axioms)
    return len(axioms), widest, sum(len(axiom.condition) for axiom in axioms), rows


def test_quantifiers_side_by_side_share_no_rule() -> None:
    """Together, six of them would go through all sextuples of objects."""
    edges = ("?x ?y ?y", "?y ?x ?y", "?y ?y ?x", "?x ?x ?y", "?x ?y ?x", "?y ?x ?x")
    domain = domain_of(f"(and {' '.join(f'(exists (?y) (and (e {edge}) (p ?y)))' for edge in edges)})")
    assert size_of(Task(domain, problem_of(domain, 3, everything(3))))[1] == 2
