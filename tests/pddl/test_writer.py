"""What is written reads back as the same value, and Fast Downward reads it too."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from liftq.pddl import (
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
    write_domain,
    write_problem,
)
from tests.examples import examples
from tests.pddl.random_values import pair

DOMAIN = """\
(define (domain delivery)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types
    car truck - vehicle
    vehicle place - object
    amphibian - (either car place))
  (:constants
    home - place)
  (:predicates
    (at ?v - vehicle ?p - place)
    (near ?a ?b - place)
    (known ?x - (either car place) ?y - object)
    (rain))
  (:functions
    (total-cost) - number
    (far ?a ?b - place) - number)
  (:action move
    :parameters (?v - vehicle ?a ?b - place)
    :precondition (and (at ?v ?a) (near ?a ?b) (not (rain)) (not (= ?a ?b)))
    :effect (and (at ?v ?b) (not (at ?v ?a)) (increase (total-cost) (far ?a ?b))))
  (:action wait
    :parameters ()
    :precondition (and)
    :effect (and (not (rain)))))
"""
PROBLEM = """\
(define (problem short)
  (:domain delivery)
  (:requirements :negative-preconditions)
  (:objects
    c1 c2 - car
    t - truck)
  (:init
    (at c1 home)
    (rain)
    (= (total-cost) 0)
    (= (far home home) 2.5))
  (:goal (and
    (at c1 home)
    (not (rain))))
  (:metric minimize (total-cost)))
"""


def test_the_layout() -> None:
    domain = parse_domain(DOMAIN)
    assert write_domain(domain) == DOMAIN
    assert write_problem(parse_problem(PROBLEM, domain)) == PROBLEM


def test_long_lists_are_wrapped() -> None:
    names = " ".join(f"a-rather-long-name-{number}" for number in range(100))
    domain = parse_domain(f"(define (domain d) (:types t) (:constants {names} - t))")
    written = write_domain(domain)
    assert max(map(len, written.splitlines())) < 110
    assert parse_domain(written) == domain


def test_either_types_come_back_wherever_there_are_variables() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl :derived-predicates) (:types a b c)
      (:predicates (p ?x - (either a b c)) (r ?x - (either a b)))
      (:derived (r ?x - (either a b)) (p ?x))
      (:action go :parameters () :precondition (forall (?x - (either a b)) (r ?x))
        :effect (forall (?y - (either a c)) (when (exists (?x - (either b c)) (not (= ?x ?y))) (p ?y)))))""")
    written = write_domain(domain)
    assert written.count("(either a b)") == 3 and written.count("(either b c)") == written.count("(either a c)") == 1
    assert parse_domain(written) == domain


@examples(200)
def test_random_values_come_back(rng: Random) -> None:
    domain, problem = pair(rng)
    assert parse_domain(write_domain(domain)) == domain
    assert parse_problem(write_problem(problem), domain) == problem


def test_the_competition_comes_back(ipc23: Path) -> None:
    for path in sorted(ipc23.glob("*/domain.pddl")):
        domain = read_domain(path)
        assert parse_domain(write_domain(domain)) == domain
        for split in ("training", "easy", "medium"):
            for file in sorted((path.parent / split).glob("p*[05].pddl")):
                problem = read_problem(file, domain)
                assert parse_problem(write_problem(problem), domain) == problem


def translator() -> Path:
    """The folder that holds Fast Downward's translator."""
    spec = find_spec("up_fast_downward")  # importing it would pull in the unified planning library
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("up-fast-downward is not installed")
    folder = Path(spec.submodule_search_locations[0], "downward", "builds", "release", "bin")
    if not (folder / "fast_downward" / "translate").is_dir():
        pytest.skip(f"no translator in {folder}")
    return folder


def translate(folder: Path, domain: str, problem: str) -> subprocess.CompletedProcess[str]:
    (folder / "domain.pddl").write_text(domain)
    (folder / "problem.pddl").write_text(problem)
    command = [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"]
    environment = {"PYTHONPATH": str(translator())}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


def test_fast_downward_reads_every_domain_of_the_competition(ipc23: Path, tmp_path: Path) -> None:
    for path in sorted(ipc23.glob("*/domain.pddl")):
        domain = read_domain(path)
        problem = read_problem(path.parent / "training" / "p01.pddl", domain)
        result = translate(tmp_path, write_domain(domain), write_problem(problem))
        assert result.returncode == 0, result.stdout + result.stderr


def test_fast_downward_reads_every_construct_but_either_types(tmp_path: Path) -> None:
    text = DOMAIN.replace("\n    amphibian - (either car place)", "")
    domain = parse_domain(text)
    problem = parse_problem(PROBLEM.replace("2.5", "2"), domain)
    result = translate(tmp_path, write_domain(domain), write_problem(problem))
    assert result.returncode == 0, result.stdout + result.stderr
