"""Small tasks with axioms, conditional effects, quantifiers and disjunctions, in the style of competitions."""

from __future__ import annotations

from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

LIFT = (
    """(define (domain lift) (:types person floor)
  (:predicates (origin ?p - person ?f - floor) (destin ?p - person ?f - floor) (above ?f ?g - floor)
    (boarded ?p - person) (served ?p - person) (at ?f - floor))
  (:action stop :parameters (?f - floor) :precondition (at ?f) :effect (and
    (forall (?p - person) (when (and (boarded ?p) (destin ?p ?f)) (and (not (boarded ?p)) (served ?p))))
    (forall (?p - person) (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
  (:action go :parameters (?f ?g - floor) :precondition (and (at ?f) (or (above ?f ?g) (above ?g ?f)))
    :effect (and (at ?g) (not (at ?f)))))""",
    """(define (problem three) (:domain lift) (:objects a b c - person f0 f1 f2 - floor)
  (:init (at f0) (above f0 f1) (above f1 f2) (above f0 f2) (origin a f1) (destin a f0) (origin b f1) (destin b f2)
    (origin c f2) (destin c f2))
  (:goal (forall (?p - person) (served ?p))))""",
)
GRID = (
    """(define (domain grid) (:types device line)
  (:constants source - device)
  (:predicates (wire ?x ?y - device) (feeds ?x - device ?l - line) (faulty ?l - line) (closed ?x - device)
    (live ?x - device) (fed ?l - line) (unsafe ?x - device) (calm))
  (:derived (live ?x - device) (or (= ?x source) (exists (?y - device) (and (live ?y) (closed ?y) (wire ?y ?x)))))
  (:derived (fed ?l - line) (exists (?x - device) (and (live ?x) (closed ?x) (feeds ?x ?l))))
  (:derived (unsafe ?x - device) (and (live ?x) (exists (?l - line) (and (feeds ?x ?l) (faulty ?l) (fed ?l)))))
  (:derived (calm) (not (exists (?x - device) (unsafe ?x))))
  (:action close :parameters (?x - device) :precondition (and (not (closed ?x)) (calm)) :effect (closed ?x))
  (:action open :parameters (?x - device) :precondition (and (closed ?x) (forall (?y - device) (not (unsafe ?y))))
    :effect (not (closed ?x)))
  (:action wait :parameters () :precondition (exists (?x - device) (unsafe ?x))
    :effect (forall (?x - device) (when (unsafe ?x) (not (closed ?x))))))""",
    """(define (problem four) (:domain grid) (:objects d1 d2 d3 - device l1 l2 l3 - line)
  (:init (wire source d1) (wire d1 d2) (wire d2 d1) (wire d2 d3) (wire source d3) (wire d3 d2)
    (feeds d1 l1) (feeds d2 l2) (feeds d3 l3) (faulty l3) (closed source) (closed d3) (closed d2))
  (:goal (and (fed l1) (fed l2) (forall (?x - device) (not (unsafe ?x))))))""",
)
STACKS = (
    """(define (domain stacks) (:types order product count)
  (:predicates (includes ?o - order ?p - product) (started ?o - order) (shipped ?o - order) (made ?p - product)
    (free ?s - count) (next ?s ?t - count))
  (:functions (total-cost) - number)
  (:action make :parameters (?p - product)
    :precondition (and (not (made ?p)) (forall (?o - order) (imply (includes ?o ?p) (started ?o)))) :effect (made ?p))
  (:action start :parameters (?o - order ?s ?t - count)
    :precondition (and (not (started ?o)) (not (shipped ?o)) (free ?s) (next ?t ?s))
    :effect (and (started ?o) (not (free ?s)) (free ?t)))
  (:action ship :parameters (?o - order ?s ?t - count) :precondition (and (started ?o) (free ?s) (next ?s ?t)
      (forall (?p - product) (imply (includes ?o ?p) (made ?p))))
    :effect (and (not (started ?o)) (shipped ?o) (not (free ?s)) (free ?t)))
  (:action enlarge :parameters (?s ?t - count) :precondition (and (free ?s) (next ?s ?t))
    :effect (and (not (free ?s)) (free ?t) (increase (total-cost) 1))))""",
    """(define (problem two) (:domain stacks) (:objects o1 o2 - order p1 p2 p3 - product n0 n1 n2 - count)
  (:init (next n0 n1) (next n1 n2) (free n0) (includes o1 p1) (includes o1 p2) (includes o2 p2) (includes o2 p3))
  (:goal (and (shipped o1) (shipped o2))) (:metric minimize (total-cost)))""",
)
BRIEFCASE = (
    """(define (domain briefcase) (:types place item)
  (:predicates (at ?i - item ?p - place) (is-at ?p - place) (in ?i - item))
  (:action move :parameters (?p ?q - place) :precondition (and (is-at ?p) (not (= ?p ?q)))
    :effect (and (is-at ?q) (not (is-at ?p)) (forall (?i - item) (when (in ?i) (and (at ?i ?q) (not (at ?i ?p)))))))
  (:action put :parameters (?i - item ?p - place) :precondition (and (not (in ?i)) (at ?i ?p) (is-at ?p))
    :effect (in ?i))
  (:action take :parameters (?i - item) :precondition (in ?i) :effect (not (in ?i))))""",
    """(define (problem home) (:domain briefcase) (:objects a b c - place i j k - item)
  (:init (is-at a) (at i a) (at j a) (at k b))
  (:goal (and (at i b) (or (at j c) (and (at j b) (not (in j))))
    (exists (?p - place) (and (at k ?p) (not (= ?p b)))))))""",
)
TOGGLE = (
    """(define (domain toggle) (:predicates (on ?x) (linked ?x ?y) (done) (lit ?x))
  (:action press :parameters (?x) :precondition (not (done)) :effect (and
    (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x))
    (forall (?y) (when (and (linked ?x ?y) (or (on ?y) (lit ?y))) (and (not (on ?y)) (not (lit ?y)))))
    (forall (?y) (when (and (linked ?x ?y) (not (on ?y))) (and (on ?y) (lit ?y))))))
  (:action finish :parameters () :precondition (and (not (exists (?x) (and (linked ?x ?x) (on ?x)))) (forall (?x) (or
      (on ?x) (exists (?y) (and (linked ?x ?y) (on ?y)))))) :effect (done)))""",
    """(define (problem lamps) (:domain toggle) (:objects a b c d)
  (:init (linked a b) (linked b c) (linked c d) (linked d a) (linked d d) (on d))
  (:goal (and (done) (not (lit d)))))""",
)
ROOMS = (
    """(define (domain rooms) (:types room key)
  (:predicates (door ?a ?b - room) (locked ?a ?b - room) (opens ?k - key ?a ?b - room) (lies ?k - key ?r - room)
    (has ?k - key) (here ?r - room) (reachable ?r - room) (trapped))
  (:derived (reachable ?r - room) (here ?r))
  (:derived (reachable ?r - room) (exists (?q - room) (and (reachable ?q) (door ?q ?r) (not (locked ?q ?r)))))
  (:derived (trapped) (forall (?r - room) (or (here ?r) (not (reachable ?r)))))
  (:action grab :parameters (?k - key ?r - room) :precondition (and (lies ?k ?r) (reachable ?r))
    :effect (and (has ?k) (not (lies ?k ?r)) (here ?r) (forall (?q - room) (when (not (= ?q ?r)) (not (here ?q))))))
  (:action unlock :parameters (?a ?b - room)
    :precondition (and (reachable ?a) (locked ?a ?b) (exists (?k - key) (and (has ?k) (opens ?k ?a ?b))))
    :effect (not (locked ?a ?b)))
  (:action lock :parameters (?a ?b - room) :precondition (and (door ?a ?b) (not (trapped))) :effect (locked ?a ?b)))""",
    """(define (problem four) (:domain rooms) (:objects r1 r2 r3 r4 - room k1 k2 - key)
  (:init (door r1 r2) (door r2 r1) (door r2 r3) (door r3 r4) (locked r2 r3) (locked r3 r4) (opens k1 r2 r3)
    (opens k2 r3 r4) (lies k1 r2) (lies k2 r3) (here r1))
  (:goal (and (reachable r4) (not (reachable r1)) (not (lies k1 r2)))))""",
)
ALL = {"lift": LIFT, "grid": GRID, "stacks": STACKS, "briefcase": BRIEFCASE, "toggle": TOGGLE, "rooms": ROOMS}


def task_of(name: str) -> Task:
    domain = parse_domain(ALL[name][0])
    return Task(domain, parse_problem(ALL[name][1], domain))
