"""Small tasks for teachers, and scripts that stand in for a planner."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

FERRY = """(define (domain ferry) (:requirements :strips :typing) (:types car location)
  (:predicates (at-ferry ?l - location) (at ?c - car ?l - location) (empty-ferry) (on ?c - car))
  (:action sail :parameters (?a ?b - location)
    :precondition (at-ferry ?a) :effect (and (at-ferry ?b) (not (at-ferry ?a))))
  (:action board :parameters (?c - car ?l - location)
    :precondition (and (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))
  (:action debark :parameters (?c - car ?l - location)
    :precondition (and (on ?c) (at-ferry ?l)) :effect (and (at ?c ?l) (empty-ferry) (not (on ?c)))))"""
TWO_CARS = """(define (problem two) (:domain ferry) (:objects a b - car x y - location)
  (:init (at a x) (at b y) (at-ferry x) (empty-ferry)) (:goal (and (at a y) (at b x))))"""
SUNK = """(define (problem sunk) (:domain ferry) (:objects a - car x y - location)
  (:init (at a x) (at-ferry x)) (:goal (at a y)))"""
TOLL = """(define (domain toll) (:requirements :strips :action-costs) (:predicates (at ?x) (road ?x ?y) (far ?x ?y))
  (:functions (total-cost) - number)
  (:action walk :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 1)))
  (:action fly :parameters (?x ?y) :precondition (and (at ?x) (far ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 9))))"""
JOURNEY = """(define (problem journey) (:domain toll) (:objects a b c)
  (:init (at a) (road a b) (road b c) (far a c) (= (total-cost) 0)) (:goal (at c)) {metric})"""


def task(domain: str, problem: str) -> Task:
    read = parse_domain(domain, "domain")
    return Task(read, parse_problem(problem, read, "problem"))


@pytest.fixture
def two_cars() -> Task:
    return task(FERRY, TWO_CARS)


@pytest.fixture
def sunk() -> Task:
    return task(FERRY, SUNK)


@pytest.fixture(params=[True, False], ids=["metric", "no-metric"])
def journey(request: pytest.FixtureRequest) -> Task:
    return task(TOLL, JOURNEY.format(metric="(:metric minimize (total-cost))" if request.param else ""))


@pytest.fixture
def planner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a Python script the planner and gives the folder that its private folders are made in."""

    def install(script: str) -> Path:
        path = tmp_path / "planner.py"
        path.write_text(script)
        folder = tmp_path / "private"
        folder.mkdir()
        monkeypatch.setenv("LIFTQ_FAST_DOWNWARD", str(path))
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        return folder

    return install
