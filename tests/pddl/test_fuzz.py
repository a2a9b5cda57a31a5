"""Whatever the text, the reader gives a value that is written and read back unchanged, or an InputError."""

from __future__ import annotations

import random
import re
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from liftq.pddl import Domain, InputError, parse_domain, parse_problem, read_domain, write_domain, write_problem

DOMAIN = """
(define (domain delivery) ; with most constructs
  (:requirements :strips :typing)
  (:types car truck - vehicle vehicle place - object)
  (:constants home - place)
  (:predicates (at ?v - vehicle ?p - place) (near ?a ?b - place) (known ?x - (either car place)) (rain))
  (:functions (total-cost) - number (far ?a ?b - place) - number)
  (:action move :parameters (?v - vehicle ?a ?b - place)
    :precondition (and (at ?v ?a) (near ?a ?b) (not (rain)) (not (= ?a ?b)))
    :effect (and (at ?v ?b) (not (at ?v ?a)) (increase (total-cost) (far ?a ?b))))
  (:action wait :parameters () :effect (and (not (rain)) (increase (total-cost) 1.5))))
"""
PROBLEM = """
(define (problem short) (:domain delivery)
  (:objects c1 c2 - car t - truck)
  (:init (at c1 home) (known c1) (not (known c2)) (rain) (= (total-cost) 0) (= (far home home) 2.5))
  (:goal (and (at c1 home) (not (rain)) (not (= c1 c2))))
  (:metric minimize (total-cost)))
"""
TOKEN = re.compile(r"[()]|[^\s()]+|\s+")
GARBAGE = [
    "(", ")", "()", "((", "))", "-", "?", "?x", ":", "and", "not", "=", "when", "either", "object", "-1", "1e999", ";",
    "\0", "é", "\t", "(:init)", "(:types", "total-cost", "(not (rain))", "(= (far home home) 1)", "'", '"', "\\", "%s",
]  # fmt: skip
CASES = 8000


def mutate(text: str, random: random.Random) -> str:
    tokens = TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        here, there = random.randrange(len(tokens)), random.randrange(len(tokens))
        match random.randrange(7):
            case 0:
                tokens[here] = " "
            case 1:
                tokens[here] *= 2
            case 2:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case 3:
                tokens[here] = tokens[there]
            case 4:
                tokens.insert(here, f" {random.choice(GARBAGE)} ")
            case 5:
                tokens[here] = tokens[here].upper()[: random.randrange(4)]
            case 6 if random.random() < 0.2:
                return "".join(tokens)[: random.randrange(len(text))]
    return "".join(tokens)


def outcome(text: str, domain: Domain) -> tuple[object, list[str]]:
    """The problem or the error, and the warnings before it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            problem = parse_problem(text, domain)
            result: object = (replace(problem, init=()), sorted(problem.init))
        except InputError as error:
            result = str(error)
    return result, [str(each.message) for each in caught]


def test_the_core_reads_atoms_like_the_reader_that_knows_all_of_pddl(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no section is read apart, the core reads nothing."""
    chance = random.Random(2024)
    domain = parse_domain(DOMAIN)
    more = "(at c2 HOME) (at\nt home)(rain)(near home  home) ( known t ) (at t home) (known c1)"
    texts = [mutate(PROBLEM.replace("(rain)", more, 1), chance) for _ in range(CASES // 2)]
    apart = [outcome(text, domain) for text in texts]
    assert sum(not isinstance(result, str) for result, _ in apart) > CASES / 20
    monkeypatch.setattr("liftq.pddl.source.find_section", lambda text, keyword: None)
    for text, read in zip(texts, apart, strict=True):
        assert outcome(text, domain) == read


@pytest.mark.filterwarnings("ignore::liftq.errors.PDDLWarning")
def test_mutated_texts() -> None:
    chance = random.Random(2023)
    domain = parse_domain(DOMAIN)
    read = refused = 0
    for _ in range(CASES):
        try:
            if chance.random() < 0.5:
                value = parse_domain(mutate(DOMAIN, chance))
                assert parse_domain(write_domain(value)) == value
            else:
                problem = parse_problem(mutate(PROBLEM, chance), domain)
                assert parse_problem(write_problem(problem), domain) == problem
            read += 1
        except InputError:
            refused += 1
    assert read > CASES / 20 and refused > CASES / 20  # the mutations are neither all fatal nor all harmless


def test_random_characters() -> None:
    chance = random.Random(2024)
    domain = parse_domain(DOMAIN)
    alphabet = "()" * 6 + "?:-=;ab1 \n\t\r\0é\u2028\U0001f600"
    for _ in range(3000):
        text = "".join(chance.choices(alphabet, k=chance.randrange(80)))
        with suppress(InputError):
            parse_domain(text)
        with suppress(InputError):
            parse_domain(f"(define (domain d) {text}")
        with suppress(InputError):
            parse_problem(f"(define (problem p) (:domain delivery) (:init) (:goal {text}", domain)


def test_random_bytes(tmp_path: Path) -> None:
    chance = random.Random(2025)
    file = tmp_path / "random.pddl"
    for _ in range(500):
        file.write_bytes(chance.randbytes(chance.randrange(200)))
        with pytest.raises(InputError):
            read_domain(file)
