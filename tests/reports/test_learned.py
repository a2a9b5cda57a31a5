"""The page of a learning says plainly how the policy does beside LAMA."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.learning import in_words
from liftq.evaluation.result import Learned, Record, Results, SuiteAttempt, read_record
from liftq.reports.learned import section
from liftq.reports.page.document import Figure, Table, Text
from liftq.reports.page.figures import svg

POLICY = "out/policy.safetensors"
LEARNED = Learned(
    policy=POLICY, domain="depot", minutes=15, seconds=900.0,
    problems={"training": ["a", "b"], "validation": ["c"], "test": ["d", "e", "f"]},
    derived={"whole": 2, "walk": 5}, optimal=6, not_optimal=1, sizes=[4, 17], lessons=50, choice="layers 8",
    curve=[(100.0, 3.0), (200.0, 2.5)],
)  # fmt: skip


def tried(solver: str, *lengths: int | None) -> list[Record]:
    return [
        SuiteAttempt(
            solver,
            "depot",
            10 + place,
            Ending.TIME_LIMIT if length is None else Ending.SOLVED,
            1.0,
            f"depot/test/p{place}.pddl",
            60.0,
            2**33,
            length=length,
        )
        for place, length in enumerate(lengths)
    ]


def texts(*records: Record) -> str:
    found = section(Results((LEARNED, *records)))
    assert found is not None
    return "\n".join(block.text for block in found.blocks if isinstance(block, Text))


def test_no_section_without_a_learn_run() -> None:
    assert section(Results(tuple(tried("lama", 3)))) is None


def test_what_was_learned_from() -> None:
    text = texts()
    assert "2 problems to learn from, 1 to validate on, 3 held out for the test" in text
    assert "found 6 optimal plans; 1 plan by the policy and search need not be optimal: problems of 4 to 17" in text
    assert "problems of 4 to 17 objects, 50 states" in text
    assert "have not been tried" in text and "Chosen by validation: layers 8." in text
    assert "depot: 15 minutes, " in text
    hasty = "\n".join(in_words(replace(LEARNED, minutes=1.0, sizes=[7, 7], compared=False), ()))
    assert "depot: 1 minute, " in hasty and "problems of 7 objects" in hasty
    assert "Not compared with others, for lack of time: layers 8." in hasty


@pytest.mark.parametrize(
    ("ours", "lama", "says"),
    [
        ((5, None, 9), (5, 8, 9), "LAMA-first solves depot/test/p1.pddl, which"),
        ((5, 8, 9), (6, None, 8), "The policy with search solves everything that LAMA-first solves"),
        ((5, 8, 9), (6, None, 8), "solves depot/test/p1.pddl, which LAMA-first does not"),
        ((5, 8, 9), (6, None, 7), "longer than LAMA-first's where both solve: 14 and 13 steps"),
        ((5, 8, 9), (6, None, 9), "no longer than LAMA-first's where both solve: 14 and 15 steps"),
        ((5, None, 9), (), "LAMA-first was not run"),
        ((5, None, 9), (5, 8, 9), "policy and search 2 of 3, policy alone 1 of 3, LAMA-first 3 of 3"),
    ],
)
def test_the_verdict(ours: tuple[int | None, ...], lama: tuple[int | None, ...], says: str) -> None:
    text = texts(*tried(f"{POLICY}+search", *ours), *tried(POLICY, 5, None, None), *tried("lama", *lama))
    assert says in text
    missed = "LAMA-first solves depot" in text
    assert missed == ("everything that LAMA-first solves" not in text and "was not run" not in text)
    assert ("which LAMA-first does not" in text) == (None in lama)


@pytest.mark.parametrize("ours", [(5, None), (None, None)])
def test_solving_nothing_like_lama_is_no_success(ours: tuple[int | None, ...]) -> None:
    text = texts(*tried(f"{POLICY}+search", *ours), *tried("lama", None, None))
    assert "LAMA-first solves none of them" in text and "everything" not in text
    assert ("The policy with search solves depot/test/p0.pddl" in text) == (ours[0] is not None)


@pytest.mark.parametrize(("curve", "is_said"), [([(9.0, 0.0), (19.0, 0.0)], True), ([(9.0, 0.0), (19.0, 0.5)], False)])
def test_a_warning_says_that_the_policy_learned_nothing(curve: list[tuple[float, float]], is_said: bool) -> None:
    words = " ".join(in_words(replace(LEARNED, curve=curve), ()))
    assert ("solved no problem in validation" in words) == is_said


def test_problems_that_only_search_alone_solves_are_listed() -> None:
    alone = tried("greedy_search", 5, 7, None)
    said = "Search alone solves depot/test/p1.pddl, which the policy with search does not"
    assert said in texts(*tried(f"{POLICY}+search", 5, None, 9), *alone)
    assert "Search alone solves" not in texts(*tried(f"{POLICY}+search", 5, 8, 9), *alone)


@pytest.mark.parametrize(
    ("ours", "alone", "says"),
    [
        ((5, 8, None), (5, 8, None), "The policy adds nothing to search alone."),
        (
            (5, 8, 9),
            (5, 8, None),
            "The policy helps search.\nOnly with the policy does search solve depot/test/p2.pddl.",
        ),
        ((5, 7, None), (5, 8, None), "The policy helps search.\nWhere both solve, the plans have 12 steps"),
        ((5, 9, None), (5, 8, None), "The policy hinders search."),
        ((5, 7, None), (5, 8, 9), "The policy helps search in some respects and hinders it in others."),
    ],
)
def test_what_the_policy_adds_to_search_comes_first(
    ours: tuple[int | None, ...], alone: tuple[int | None, ...], says: str
) -> None:
    records = (*tried(f"{POLICY}+search", *ours), *tried("greedy_search", *alone), *tried("lama", 5, None, None))
    text = texts(*records)
    assert says in text and text.index(says) < text.index("everything that LAMA-first")


def test_the_verdict_comes_first_and_failures_can_be_seen() -> None:
    lines = list(in_words(LEARNED, tried(POLICY, 5, None, None)))  # type: ignore[arg-type]
    assert lines[0] == "The held-out problems have not been tried." and lines[1].startswith("depot: 15 minutes")
    assert lines[2] == (
        "The policy alone misses 2: 2 by time-limit. To see where: liftq show out/problems/depot/domain.pddl "
        "out/problems/depot/test/p1.pddl --policy out/policy.safetensors"
    )


ADVICE = {
    "few plans": ({}, {}, "only 7 plans"),
    "small problems": ({"optimal": 500}, {}, "more than the 17 objects"),
    "dead ends": ({"optimal": 500, "sizes": [4, 99]}, {"ending": Ending.DEAD_END}, "without a way out"),
    "time": (
        {"optimal": 500, "sizes": [4, 99], "curve": [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)]},
        {},
        "--minutes",
    ),
    "nothing": ({"optimal": 500, "sizes": [4, 99]}, {}, ""),
}


@pytest.mark.parametrize("case", ADVICE)
def test_advice_follows_from_the_problems_that_the_policy_misses(case: str) -> None:
    facts, miss, says = ADVICE[case]
    attempts = [replace(each, size=20, **miss) for each in tried(POLICY, None, None)]  # type: ignore[arg-type]
    said = [line for line in in_words(replace(LEARNED, **facts), attempts) if "What may help" in line]  # type: ignore[arg-type]
    assert [says in line for line in said].count(True) == (1 if says else 0)
    assert len(said) == {"few plans": 2, "nothing": 0}.get(case, 1)


def test_without_misses_there_is_no_advice() -> None:
    assert "What may help" not in " ".join(in_words(LEARNED, tried(POLICY, 5, 6)))  # type: ignore[arg-type]


def test_problems_without_a_plan_are_named() -> None:
    own, (first, second) = tried(f"{POLICY}+search", None, None), tried("lama", None, None)
    assert "There is no plan for" not in texts(*own, first, second)
    assert isinstance(first, SuiteAttempt)
    proven = texts(*own, replace(first, ending=Ending.UNSOLVABLE), second)
    assert "There is no plan for depot/test/p0.pddl: search has seen" in proven


def test_tables_and_curve() -> None:
    found = section(Results((LEARNED, *tried(f"{POLICY}+search", 5, None))))
    assert found is not None
    test, derived = (block for block in found.blocks if isinstance(block, Table))
    assert test.rows[0] == ("depot/test/p0.pddl", 10, "5", None, None, None) and test.rows[1][2] == "time-limit"
    assert ("started after random actions", 5) in derived.rows
    (figure,) = (block for block in found.blocks if isinstance(block, Figure))
    (rows,) = figure.chart.to_dict()["datasets"].values()
    assert [row["y"] for row in rows] == [3.0, 2.5, 3.0, 3.0]  # each checkpoint, then the best so far
    assert [row["x"] for row in rows] == [100 / 60, 200 / 60] * 2  # in minutes
    assert "<svg" in svg(figure)


def test_held_out_problems_are_listed_by_size() -> None:
    sizes = {"p0": 30, "p1": 10, "p2": 20}
    attempts = [
        SuiteAttempt("lama", "depot", size, Ending.SOLVED, 1.0, name, 60.0, 2**33, length=5)
        for name, size in sizes.items()
    ]
    found = section(Results((LEARNED, *attempts)))
    assert found is not None
    test, _ = (block for block in found.blocks if isinstance(block, Table))
    assert [row[:2] for row in test.rows] == [("p1", 10), ("p2", 20), ("p0", 30)]


def test_the_record_is_read_back() -> None:
    assert read_record(LEARNED.line().encode()) == LEARNED
