"""Tasks that lead a search astray, or do not."""

from __future__ import annotations

from itertools import pairwise

from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

ROOMS = """(define (domain rooms) (:predicates (at ?x) (next ?x ?y) (has ?k) (lies ?k ?x) (door ?x ?y ?k) (seen ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action look :parameters (?x) :precondition (at ?x) :effect (seen ?x))
  (:action take :parameters (?k ?x) :precondition (and (at ?x) (lies ?k ?x)) :effect (and (has ?k) (not (lies ?k ?x))))
  (:action pass :parameters (?x ?y ?k) :precondition (and (at ?x) (door ?x ?y ?k) (has ?k))
    :effect (and (at ?y) (not (at ?x)))))"""


def corridor(length: int, goal: str, more: str = "", others: str = "") -> Task:
    """Rooms r0 to r<length> in a row, with a key k0 in the first of them; other objects are declared before these."""
    names = [f"r{number}" for number in range(length + 1)]
    edges = " ".join(f"(next {a} {b}) (next {b} {a})" for a, b in pairwise(names))
    text = f"""(define (problem p) (:domain rooms) (:objects {others} {" ".join(names)} k0 vault)
      (:init (at r0) (lies k0 r0) {edges} {more}) (:goal (and {goal})))"""
    domain = parse_domain(ROOMS)
    return Task(domain, parse_problem(text, domain))


CELLAR = parse_domain("""(define (domain cellar)
  (:predicates (at ?x) (next ?x ?y) (sees ?x ?c) (light ?c) (flips ?c ?d)
    (lamp ?x) (inside) (on ?x) (off ?x) (both ?x))
  (:action go :parameters (?x ?y ?c) :precondition (and (at ?x) (next ?x ?y) (sees ?y ?c) (light ?c))
    :effect (and (at ?y) (not (at ?x))))
  (:action flip :parameters (?c ?d) :precondition (and (light ?c) (flips ?c ?d))
    :effect (and (light ?d) (not (light ?c))))
  (:action fall :parameters (?x) :precondition (at ?x) :effect (and (inside) (not (at ?x))))
  (:action light :parameters (?x) :precondition (and (inside) (off ?x)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (and (inside) (on ?x)) :effect (and (off ?x) (not (on ?x))))
  (:action pair :parameters (?x) :precondition (and (on ?x) (off ?x)) :effect (both ?x))
  (:action leave :parameters (?x)
    :precondition (and (inside) (next ?x ?x) (forall (?y) (imply (lamp ?y) (both ?y)))) :effect (at ?x)))""")


def cellar(lights: str, most_rooms: int = 60) -> Task:
    """If a lamp could be on and off, the cellar would be a short cut; it has 2^18 states, and the way round 60 rooms.
    Each room can only be entered by its light, of those given in turn."""
    names, lamps = [f"x{number}" for number in range(most_rooms)], [f"l{number}" for number in range(18)]
    facts = [f"(next {a} {b})" for a, b in pairwise(names + lamps)] + [f"(lamp {each}) (off {each})" for each in lamps]
    facts += [f"(sees {name} {lights[number % len(lights)]})" for number, name in enumerate(names)]
    text = f"""(define (problem p) (:domain cellar) (:objects {" ".join(names + lamps)} r g)
      (:init (at x0) (next {names[-1]} {names[-1]}) (light r) (flips r g) (flips g r) {" ".join(facts)})
      (:goal (at {names[-1]})))"""
    return Task(CELLAR, parse_problem(text, CELLAR))
