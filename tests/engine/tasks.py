"""Two tasks, as PDDL, with all that PDDL allows here: a delivery of parcels, and errands."""

from __future__ import annotations

DELIVERY = """
(define (domain delivery)
  (:requirements :typing :negative-preconditions :equality :action-costs)
  (:types place thing - object truck parcel - thing)
  (:constants depot - place)
  (:predicates (road ?a ?b - place) (at ?x - thing ?p - place) (in ?x - parcel ?t - truck) (closed ?p - place) (idle))
  (:functions (total-cost) - number (distance ?a ?b - place) - number)
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b) (not (= ?a ?b)) (not (closed ?b)))
    :effect (and (at ?t ?b) (not (at ?t ?a)) (not (idle)) (increase (total-cost) (distance ?a ?b))))
  (:action load :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (at ?x ?p))
    :effect (and (in ?x ?t) (not (at ?x ?p)) (increase (total-cost) 2)))
  (:action unload :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (in ?x ?t) (at ?t ?p))
    :effect (and (at ?x ?p) (not (in ?x ?t))))
  (:action rest :parameters (?t - truck) :precondition (at ?t depot) :effect (idle))
  (:action swap :parameters (?t ?u - truck ?p - (either place truck))
    :precondition (and (at ?t ?p) (at ?u depot) (not (= ?t ?u)) (= ?p ?p)) :effect (and (at ?u ?p) (at ?t depot)
      (not (at ?t ?p)) (not (at ?u depot)))))
"""
PARCELS = """
(define (problem parcels) (:domain delivery)
  (:objects t1 t2 t3 - truck x1 x2 x3 x4 - parcel a b c - place)
  (:init (road depot a) (road a depot) (road a b) (road b a) (road depot b) (road b depot) (road a a) (road a c)
    (at t1 depot) (at t2 depot) (at t3 a) (at x1 depot) (at x2 depot) (at x3 depot) (at x4 a) (closed c)
    (= (distance depot a) 3) (= (distance a depot) 3) (= (distance a b) 1.5) (= (distance b a) 1) (= (distance a a) 9)
    (= (distance depot b) 7) (= (distance b depot) 7) (= (distance a c) 1) (= (total-cost) 0))
  (:goal (and (at x1 b) (at x2 b) (not (at x4 a)) (idle)))
  (:metric minimize (total-cost)))
"""

# Free actions, fractions, wanted absences, an atom both deleted and added, a constant, a trap without a way back.
ERRANDS = """
(define (domain errands)
  (:requirements :typing :negative-preconditions :equality :action-costs)
  (:types place - object)
  (:constants home - place)
  (:predicates (way ?a ?b - place) (at ?p - place) (done ?p - place) (dirty ?p - place) (tired) (awake) (lost))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action walk :parameters (?a ?b - place)
    :precondition (and (at ?a) (way ?a ?b) (not (tired)) (not (lost)) (not (= ?b home)))
    :effect (and (not (at ?a)) (at ?b) (dirty ?b) (increase (total-cost) (length ?a ?b))))
  (:action return :parameters (?a - place) :precondition (and (at ?a) (not (at home)))
    :effect (and (at home) (not (at ?a)) (increase (total-cost) 0.25)))
  (:action work :parameters (?p - place) :precondition (and (at ?p) (awake))
    :effect (and (not (awake)) (awake) (tired) (done ?p) (increase (total-cost) 2)))
  (:action sleep :parameters () :precondition (and (at home) (tired)) :effect (not (tired)))
  (:action clean :parameters (?p - place) :precondition (dirty ?p) :effect (not (dirty ?p)))
  (:action stray :parameters (?p - place) :precondition (and (at ?p) (not (= ?p home)))
    :effect (and (lost) (not (awake)))))
"""
WEEK = """
(define (problem week) (:domain errands) (:objects shop bank - place)
  (:init (at home) (awake) (way home shop) (way shop bank) (way home bank) (dirty home)
    (= (length home shop) 1) (= (length shop bank) 0.5) (= (length home bank) 3) (= (total-cost) 0))
  (:goal (and (done shop) (done bank) (not (dirty shop)) (not (tired)) (at home)))
  (:metric minimize (total-cost)))
"""
