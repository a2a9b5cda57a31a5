"""Solvers on the same problems: what is averaged over what, and which limits belong together."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.reports import overview
from liftq.reports.page.document import Figure, Table, flat
from liftq.reports.suite import section


def attempt(
    solver: str, problem: str, length: int | None, seconds: float = 1.0, limit: float = 60.0, size: int = 9
) -> SuiteAttempt:
    ending = Ending.TIME_LIMIT if length is None else Ending.SOLVED
    domain = problem.partition("/")[0]
    return SuiteAttempt(solver, domain, size, ending, seconds, problem, limit, 8 << 30, length=length)


MIXED = (
    attempt("ours", "ferry/easy/p1.pddl", 10, 1.0, size=5),
    attempt("ours", "ferry/easy/p2.pddl", 30, 5.0, size=8),
    attempt("ours", "ferry/hard/p1.pddl", None, 60.0, size=20),
    attempt("ours", "rovers/easy/p1.pddl", 7, 2.0, size=6),
    attempt("lama", "ferry/easy/p1.pddl", 12, 4.0, size=5),
    attempt("lama", "ferry/easy/p2.pddl", None, 60.0, size=8),
    attempt("lama", "ferry/hard/p1.pddl", 90, 30.0, size=20),
    attempt("lama", "rovers/easy/p1.pddl", 6, 3.0, size=6),
)


def tables(attempts: tuple[SuiteAttempt, ...]) -> dict[str, list[dict[str, Any]]]:
    """By the beginning of their titles, as rows by column."""
    found = section(Results(attempts))
    assert found is not None
    return {
        block.title: [
            dict(zip((column.full_title for column in block.columns), row, strict=True)) for row in block.rows
        ]
        for block in flat(found.blocks)
        if isinstance(block, Table)
    }


def drawn(attempts: tuple[SuiteAttempt, ...], title: str) -> list[dict[str, Any]]:
    """The rows of a figure."""
    every = [each for make in (section, overview.section) if (each := make(Results(attempts)))]
    figures = [block for each in every for block in flat(each.blocks) if isinstance(block, Figure)]
    figure = next(figure for figure in figures if figure.title.startswith(title))
    return [row for rows in figure.chart.to_dict()["datasets"].values() for row in rows]


def whole(solver: str, domain: str, hard: int = 30) -> list[SuiteAttempt]:
    """All easy and medium problems solved, and no hard one."""
    numbers = {"easy": 30, "medium": 30, "hard": hard}
    names = [f"{domain}/{split}/p{number:02}.pddl" for split, most in numbers.items() for number in range(1, most + 1)]
    return [attempt(solver, name, None if "hard" in name else 20) for name in names]


@pytest.mark.parametrize(("hard", "is_theirs"), [(30, True), (29, True), (4, False)])
def test_the_paper_stands_beside_whole_splits_alone(hard: int, is_theirs: bool) -> None:
    found = tables(tuple(whole("lama", "ferry", hard)))
    assert ("Beside the paper's, 60 s and 8 GiB" in found) == is_theirs
    if is_theirs:
        (row,) = found["Beside the paper's, 60 s and 8 GiB"]
        assert row["paper, LAMA-first: Cov %"] == 67.8
        assert row["LAMA-first: Cov %"] == pytest.approx(200 / 3)  # splits count equally


def test_lengths_and_times_compare_on_problems_that_all_solve() -> None:
    ferry, rovers, both = tables(MIXED)["Means over the problems that every solver solves, 60 s and 8 GiB"]
    assert (ferry["problems"], ferry["ours: length"], ferry["LAMA-first: length"]) == (1, 10, 12)
    assert (both["problems"], both["ours: length"], both["LAMA-first: length"]) == (2, 8.5, 9)
    assert (both["ours: seconds"], both["LAMA-first: seconds"], rovers["ours: seconds"]) == (1.5, 3.5, 2)


def test_problems_solved_by_split() -> None:
    ferry, rovers, both = rows = tables(MIXED)["Problems solved, 60 s and 8 GiB"]
    assert [row["domain"] for row in rows] == ["ferry", "rovers", "all domains"]
    assert (ferry["easy: ours"], ferry["easy: LAMA-first"], ferry["hard: ours"]) == ("2 of 2", "1 of 2", "0 of 1")
    assert (both["easy: ours"], both["easy: LAMA-first"], rovers["hard: ours"]) == ("3 of 3", "2 of 3", None)
    assert (ferry["all: ours"], both["all: LAMA-first"]) == ("2 of 3", "3 of 4")


def test_problems_count_only_where_all_were_tried() -> None:
    """LAMA in one of three domains, and there on some problems: nothing of the others is put beside that."""
    tried = (
        attempt("ours", "ferry/p1.pddl", 10),
        attempt("ours", "ferry/p2.pddl", None),
        attempt("ours", "rovers/p1.pddl", 10),
        attempt("ours", "miconic/p1.pddl", None),
        attempt("lama", "ferry/p1.pddl", 20),
        attempt("lama", "miconic/p1.pddl", 20),
    )
    rows = {row["domain"]: row for row in tables(tried)["Problems solved, 60 s and 8 GiB"]}
    assert (rows["ferry"]["solved: ours"], rows["ferry"]["solved: LAMA-first"]) == ("1 of 1", "1 of 1")
    assert (rows["rovers"]["solved: ours"], rows["rovers"]["solved: LAMA-first"]) == ("1 of 1", None)
    common = rows["2 domains common to all"]
    assert (common["solved: ours"], common["solved: LAMA-first"]) == ("1 of 2", "2 of 2")
    left_out = tables(tried)["Not compared, 60 s and 8 GiB"]
    assert [tuple(row.values()) for row in left_out] == [
        ("ferry", "LAMA-first", "1 of 2", "not tried"),
        ("rovers", "LAMA-first", "1 of 1", "not tried"),
    ]
    found = section(Results(tried))
    assert found is not None and [fact.figure for fact in found.facts] == ["2 of 2", "1 of 2"]


def test_who_does_not_fit_is_named_and_not_counted_as_a_failure() -> None:
    misfit = attempt("ferry", "rovers/p1.pddl", None)
    refused = replace(misfit, ending=Ending.INVALID_INPUT, message="the policy does not fit:\n  no such predicate")
    tried = (
        attempt("ferry", "ferry/p1.pddl", 10),
        refused,
        *(attempt("lama", f"{each}/p1.pddl", 9) for each in ("ferry", "rovers")),
    )
    ferry, rovers = tables(tried)["Problems solved, 60 s and 8 GiB"]
    assert (ferry["solved: ferry"], rovers["solved: ferry"], rovers["solved: LAMA-first"]) == ("1 of 1", None, "1 of 1")
    (row,) = tables(tried)["Not compared, 60 s and 8 GiB"]
    assert tuple(row.values()) == ("rovers", "ferry", "1 of 1", "refused: the policy does not fit: no such predicate")


def test_the_score_knows_the_organisers_plans() -> None:
    known = replace(attempt("ours", "blocksworld/easy/p01.pddl", 20), fingerprint="15b37e6d242be7cc93a606d6db87cc17")
    unknown = attempt("ours", "ferry/easy/p1.pddl", 20), attempt("lama", "ferry/easy/p1.pddl", 15)
    first, second = tables((known, *unknown))["Problems solved, 60 s and 8 GiB"]
    assert (first["score: ours"], second["score: ours"], second["score: LAMA-first"]) == (10 / 20, 15 / 20, 1)


def test_problems_solved_by_time() -> None:
    rows = drawn(MIXED, "Problems solved by time")
    found = {name: [(row["x"], row["y"]) for row in rows if row["solver"] == name] for name in ("ours", "LAMA-first")}
    assert found == {"ours": [(1, 1), (2, 2), (5, 3)], "LAMA-first": [(3, 1), (4, 2), (30, 3)]}


def test_who_solves_most_is_told_first() -> None:
    more = (attempt("lama", "rovers/hard/p1.pddl", 5), attempt("ours", "rovers/hard/p1.pddl", None))
    side = tuple(replace(each, solver="side") for each in (*MIXED, *more) if each.solver == "ours")
    found = section(Results((*MIXED, *more, *side)))
    assert found is not None
    lama, ours = found.facts
    assert (lama.figure, ours.figure) == ("4 of 5", "3 of 5")
    assert lama.meaning == "problems solved by LAMA-first within 60 s and 8 GiB: 2 of 3 easy, 2 of 2 hard"


def test_attempts_under_other_limits_stand_apart() -> None:
    longer = tuple(attempt("ours", each.problem, 99, limit=1800.0) for each in MIXED if each.solver == "ours")
    found = tables((*MIXED, *longer))
    assert found["Problems solved, 60 s and 8 GiB"] == tables(MIXED)["Problems solved, 60 s and 8 GiB"]
    assert found["Problems solved, 1800 s and 8 GiB"][0]["all: ours"] == "3 of 3"


def test_unsolved_problems_are_listed() -> None:
    rows = tables(MIXED)["Not solved, 60 s and 8 GiB"]
    assert [(row["problem"], row["solver"], row["ending"]) for row in rows] == [
        ("ferry/easy/p2.pddl", "LAMA-first", "time-limit"),
        ("ferry/hard/p1.pddl", "ours", "time-limit"),
    ]


def test_the_latest_attempt_counts() -> None:
    again = attempt("ours", "ferry/hard/p1.pddl", 80)
    assert tables((*MIXED, again))["Problems solved, 60 s and 8 GiB"][0]["hard: ours"] == "1 of 1"


def test_the_order_of_lines_does_not_matter() -> None:
    shuffled = list(MIXED)
    random.Random(1).shuffle(shuffled)
    by_order = [
        json.dumps(tables(tuple(each)), sort_keys=True) for each in (MIXED, sorted(shuffled, key=_solver_first))
    ]
    assert by_order[0] == by_order[1]


def _solver_first(attempt: SuiteAttempt) -> bool:
    """Solvers are shown in the order in which they come up."""
    return attempt.solver != "ours"


def test_times_by_size_are_of_that_size() -> None:
    rows = drawn(MIXED, "Mean seconds of solved problems by size: ferry")
    assert {(row["solver"], row["x"]): row["y"] for row in rows} == {
        ("ours", 5): 1, ("ours", 8): 5, ("LAMA-first", 5): 4, ("LAMA-first", 20): 30,
    }  # fmt: skip


def test_the_reference_lies_on_the_first_axis() -> None:
    rows = [row for row in drawn(MIXED, "Seconds, ours against LAMA-first") if "problem" in row]
    assert {(row["problem"], row["x"], row["y"]) for row in rows} == {
        ("ferry/easy/p1.pddl", 4, 1),
        ("ferry/easy/p2.pddl", 60, 5),
        ("ferry/hard/p1.pddl", 30, 60),
        ("rovers/easy/p1.pddl", 3, 2),
    }
