"""Solvers on the same problems: what is averaged over what, and which limits belong together."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.reports.page.document import Figure, Table, Text
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
        for block in found.blocks
        if isinstance(block, Table)
    }


def drawn(attempts: tuple[SuiteAttempt, ...], title: str) -> list[dict[str, Any]]:
    """The rows of a figure."""
    found = section(Results(attempts))
    assert found is not None
    (figure,) = (block for block in found.blocks if isinstance(block, Figure) and block.title.startswith(title))
    return [row for rows in figure.chart.to_dict()["datasets"].values() for row in rows]


def test_the_paper_is_mentioned_where_its_sets_were_tried() -> None:
    own = tuple(replace(each, problem=each.problem.replace("easy", "test").replace("hard", "test")) for each in MIXED)
    for attempts, is_theirs in ((MIXED, True), (own, False)):
        found = section(Results(attempts))
        assert found is not None and isinstance(found.blocks[0], Text)
        assert ("The paper's figures" in found.blocks[0].text) == is_theirs
        assert ("each split counts equally" in found.blocks[0].text) == is_theirs


def test_each_domain_counts_equally() -> None:
    ferry, rovers, middle = tables(MIXED)["Coverage and plan length, 60 s and 8 GiB"]
    assert (ferry["ours: Cov %"], rovers["ours: Cov %"], middle["ours: Cov %"]) == (50, 100, 75)
    assert (ferry["lama: Cov %"], middle["lama: Cov %"]) == (75, 87.5)
    assert (ferry["ours: Len"], ferry["lama: Len"], middle["ours: Len"]) == (20, 51, 13.5)


def test_lengths_and_times_compare_on_problems_that_all_solve() -> None:
    ferry, rovers, both = tables(MIXED)["Means over the problems that every solver solves, 60 s and 8 GiB"]
    assert (ferry["problems"], ferry["ours: length"], ferry["lama: length"]) == (1, 10, 12)
    assert (both["problems"], both["ours: length"], both["lama: length"]) == (2, 8.5, 9)
    assert (both["ours: seconds"], both["lama: seconds"], rovers["ours: seconds"]) == (1.5, 3.5, 2)


def test_problems_solved_by_split() -> None:
    ferry, rovers, both = rows = tables(MIXED)["Problems solved, 60 s and 8 GiB"]
    assert [row["domain"] for row in rows] == ["ferry", "rovers", "all domains"]
    assert (ferry["easy: ours"], ferry["easy: lama"], ferry["hard: ours"]) == ("2 of 2", "1 of 2", "0 of 1")
    assert (both["easy: ours"], both["easy: lama"], rovers["hard: ours"]) == ("3 of 3", "2 of 3", None)
    shared = tables(MIXED)["Means over the problems that every solver solves, 60 s and 8 GiB"]
    assert [row["domain"] for row in shared] == ["ferry", "rovers", "all domains"]


def test_problems_solved_by_time() -> None:
    rows = drawn(MIXED, "Problems solved by time")
    found = {name: [(row["x"], row["y"]) for row in rows if row["solver"] == name] for name in ("ours", "lama")}
    assert found == {"ours": [(1, 1), (2, 2), (5, 3)], "lama": [(3, 1), (4, 2), (30, 3)]}


def test_who_solves_most_is_told_first() -> None:
    found = section(Results((*MIXED, attempt("lama", "rovers/hard/p1.pddl", 5))))
    assert found is not None
    lama, ours = found.facts
    assert (lama.figure, ours.figure) == ("4 of 5", "3 of 4")
    assert lama.meaning == "problems solved by lama within 60 s and 8 GiB: 2 of 3 easy, 2 of 2 hard"


def test_duels() -> None:
    (duel,) = tables(MIXED)["Two by two on the problems that both tried, 60 s and 8 GiB"]
    assert (duel["A"], duel["B"], duel["both solve"], duel["neither"]) == ("ours", "lama", 2, 0)
    assert (duel["only A"], duel["only B"], duel["A shorter"], duel["B shorter"]) == (1, 1, 1, 1)
    assert (duel["A faster"], duel["B faster"]) == (2, 0)
    assert duel["length of A / B"] == pytest.approx(17 / 18)  # in all


def test_attempts_under_other_limits_stand_apart() -> None:
    longer = tuple(attempt("ours", each.problem, 99, limit=1800.0) for each in MIXED if each.solver == "ours")
    found = tables((*MIXED, *longer))
    assert (
        found["Coverage and plan length, 60 s and 8 GiB"] == tables(MIXED)["Coverage and plan length, 60 s and 8 GiB"]
    )
    assert found["Coverage and plan length, 1800 s and 8 GiB"][0]["ours: Cov %"] == 100


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
        ("ours", 5): 1, ("ours", 8): 5, ("lama", 5): 4, ("lama", 20): 30,
    }  # fmt: skip


def test_the_reference_lies_on_the_first_axis() -> None:
    rows = [row for row in drawn(MIXED, "Seconds, ours against lama") if "problem" in row]
    assert {(row["problem"], row["x"], row["y"]) for row in rows} == {
        ("ferry/easy/p1.pddl", 4, 1),
        ("ferry/easy/p2.pddl", 60, 5),
        ("ferry/hard/p1.pddl", 30, 60),
        ("rovers/easy/p1.pddl", 3, 2),
    }
