"""A domain in which one walks along directed edges, and nothing else."""

from __future__ import annotations

from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

CORRIDOR = parse_domain("""(define (domain corridor) (:requirements :strips)
  (:predicates (at ?x) (next ?x ?y) (lit ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))""")


def corridor(edges: str, goal: str) -> Task:
    """From a, along directed edges such as `ab bc`."""
    places = " ".join("abcdef")
    init = " ".join(f"(next {source} {target})" for source, target in edges.split())
    text = f"(define (problem p) (:domain corridor) (:objects {places}) (:init (at a) {init}) (:goal (at {goal})))"
    return Task(CORRIDOR, parse_problem(text, CORRIDOR))
