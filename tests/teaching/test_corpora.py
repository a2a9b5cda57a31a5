"""The bundled corpora, and the page about them."""

from __future__ import annotations

import pytest

from dev.tables.corpora import BEGIN, END, PAGE, TEACHERS, ranges, table
from liftq.domains import domain, domains
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.teachers import teacher
from liftq.teaching.corpora import bundled, bundled_corpus

SAMPLE = 20  # plans of each corpus that are looked at


@pytest.mark.parametrize("name", bundled())
def test_plans_are_valid_for_the_problems_drawn_again(name: str) -> None:
    corpus = bundled_corpus(name)
    assert corpus.header.domain == name
    step = max(1, len(corpus.entries) // SAMPLE)
    for entry in corpus.entries[::step]:
        problem = corpus.problem(entry)
        validation = validate(corpus.domain, problem, entry.plan)
        assert validation.valid, f"{entry.parameters}: {validation}"
        assert validation.cost == entry.cost
        assert problem.size == entry.size


@pytest.mark.parametrize("name", bundled())
def test_no_problem_comes_twice_and_every_teacher_is_optimal(name: str) -> None:
    entries = bundled_corpus(name).entries
    assert len({entry.fingerprint for entry in entries}) == len(entries)
    assert all(teacher(each).optimal for each in {entry.teacher for entry in entries})


def test_an_unknown_corpus_is_refused() -> None:
    with pytest.raises(InputError, match=r"no bundled corpus of `nothing`"):
        bundled_corpus("nothing")


@pytest.mark.parametrize("name", domains())
def test_the_teacher_of_a_domain_is_optimal_and_among_those_compared(name: str) -> None:
    assert domain(name).teacher in TEACHERS.values()
    assert teacher(domain(name).teacher).optimal


def test_the_page_shows_all_data() -> None:
    shown = PAGE.read_text().partition(BEGIN)[2].partition(END)[0]
    assert shown.strip() == table(map(bundled_corpus, bundled())), "run make results"


def test_runs_of_numbers_are_shortened() -> None:
    assert ranges([8, 1, 2, 3, 5, 7]) == "1-3, 5, 7-8"
