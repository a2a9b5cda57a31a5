"""Cells of the paper's main table: which are ahead, equal or behind, and what is told of their training."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, Record, Results, ScalingAttempt
from liftq.evaluation.scaling.reading import readings_of
from liftq.reports import paper, scaling
from liftq.reports.cells import AHEAD, BEHIND, EQUAL, compared, section, verdict
from liftq.reports.page.document import Figure, Table

POLICY = "runs/paper/rgnn/blocksworld/q/q_heuristic.safetensors"
TRAINING = {"recipe": "rgnn", "epochs": 31, "of": 100}
CARD = {"objective": "q_heuristic", "sizes": [2, 16], "epoch": 17}


def made(solved_until: int, **changed: object) -> Results:
    """Every problem is solved up to a size, and none beyond: SCov is the number of sizes up to there."""
    sizes = list(range(2, 101))
    settings = {"kind": "scaling", "solver": POLICY, "domain": "blocksworld", "seed": 0, "sizes": sizes}
    settings |= {"all_sizes": sizes, "architecture": "R-GNN", "card": CARD, "training": TRAINING} | changed
    attempts = (
        ScalingAttempt(
            POLICY, "blocksworld", size, Ending.SOLVED if size <= solved_until else Ending.STEP_LIMIT, 0.1, number, 0,
            number, {"blocks": size}, 100 + size, seen=size == 2,
        )
        for size in range(2, solved_until + 15)
        for number in range(100)
    )  # fmt: skip
    return Results((Invocation("liftq", "2026", None, {}, {}, settings), *attempts))


@pytest.mark.parametrize(("solved_until", "said"), [(52, AHEAD), (49, EQUAL), (48, BEHIND)])
def test_ours_beside_the_papers(solved_until: int, said: str) -> None:
    """Whose SCov is 48.2, with Scale 55: within 0.1 times the root of 54 sizes, which is 0.73."""
    (reading,) = readings_of(made(solved_until))
    assert verdict(reading) == said


def test_the_table() -> None:
    found = section(made(52))
    assert found is not None and found.facts[0].figure == "1 of 120" and "1 ahead" in found.facts[0].meaning
    _, table = (block for block in found.blocks if isinstance(block, Table))
    titles = [column.full_title for column in table.columns]
    row = dict(zip(titles, table.rows[0], strict=True))
    assert (row["domain"], row["recipe"], row["values"], row["Scale"]) == ("blocksworld", "rgnn", "Q heuristic", 54)
    assert (row["SCov"], row["paper: Scale"], row["paper: SCov"], row["ours is"]) == (51.0, 55, 48.2, AHEAD)
    assert (row["epochs"], row["chosen epoch"], row["largest size seen"], row["sizes seen"]) == ("31 of 100", 17, 16, 1)


def several(**solved_until: int) -> Results:
    """By what was learned: V, Q and so on, of the same network in the same domain."""
    records: list[Record] = []
    for objective, size in solved_until.items():
        solver = f"runs/paper/rgnn/blocksworld/{objective}.safetensors"
        header, *attempts = made(size, solver=solver, card=CARD | {"objective": objective}).records
        records += [header, *(replace(each, solver=solver) for each in attempts)]
    return Results(tuple(records))


def test_what_was_learned_stands_side_by_side() -> None:
    found = section(several(q_value=20, q_heuristic=52))
    assert found is not None
    table, _ = (block for block in found.blocks if isinstance(block, Table))
    (row,) = (dict(zip([column.full_title for column in table.columns], each, strict=True)) for each in table.rows)
    assert (row["network"], row["domain"]) == ("R-GNN", "blocksworld")
    assert [row[f"V: {title}"] for title in ("ours", "paper", "ours is")] == [None, 44.5, None]
    assert [row[f"Q: {title}"] for title in ("ours", "paper", "ours is")] == [19.0, 1.6, AHEAD]
    assert [row[f"Q heuristic: {title}"] for title in ("ours", "paper", "ours is")] == [51.0, 48.2, AHEAD]


@pytest.mark.parametrize(
    ("solved_until", "said"),
    [
        ({"q_value": 20, "q_explicit": 10, "q_heuristic": 52}, {"plain ones": ("1 of 1", 1)}),
        ({"q_value": 52, "q_explicit": 10, "q_heuristic": 20}, {"plain ones": ("0 of 1", 1)}),
        ({"state_value": 52, "q_explicit": 52, "q_heuristic": 52}, {"state-values": ("0 of 1", 1)}),
        ({"q_value": 20, "q_heuristic": 52}, {}),
    ],
)
def test_whether_the_papers_claims_hold(solved_until: dict[str, int], said: dict[str, tuple[str, int]]) -> None:
    found = section(several(**solved_until))
    assert found is not None
    _, *claims = found.facts
    assert [each.figure for each in claims] == [figure for figure, _ in said.values()]
    for fact, (name, (_, theirs)) in zip(claims, said.items(), strict=True):
        assert f"than {name} (SCov); in the paper {theirs} of these" in fact.meaning


def test_one_cell_is_no_headline_of_its_own() -> None:
    """As one solver in one domain it would be; a study has many."""
    studied, alone = scaling.section(made(52)), scaling.section(made(52, training=None))
    assert studied is not None and alone is not None
    assert (studied.facts, len(alone.facts)) == ((), 1)


@pytest.mark.parametrize(
    ("other", "names"),
    [({}, {"Q", "Q heuristic"}), ({"recipe": "goal_split"}, {"Q, rgnn", "Q heuristic, goal_split"})],
)
def test_figures_of_a_study_compare_what_was_learned(other: dict[str, str], names: set[str]) -> None:
    records = several(q_value=20, q_heuristic=52).records
    changed = [
        replace(each, settings=each.settings | {"training": TRAINING | other})
        if isinstance(each, Invocation) and each.settings["card"]["objective"] == "q_heuristic"
        else each
        for each in records
    ]
    found = scaling.section(Results(tuple(changed)))
    assert found is not None
    figures = [block.title for block in found.blocks if isinstance(block, Figure)]
    table = next(block for block in found.blocks if isinstance(block, Table))
    assert figures == ["Coverage by size: blocksworld, R-GNN"]
    assert {row[1] for row in table.rows} == names


def test_nothing_is_judged_by_sizes_left_out() -> None:
    """Every 8th size: all is solved at 42, nothing at 50, and 46.5 is about the paper's 48.2."""
    results = made(45, sizes=[*range(2, 100, 8), 100])
    (reading,) = readings_of(Results(tuple(each for each in results.records if _is_kept(each))))
    assert reading.curve.gap_error == 3.5 and verdict(reading) == EQUAL


def _is_kept(record: Record) -> bool:
    return not isinstance(record, ScalingAttempt) or record.size % 8 == 2


def test_unfinished_evaluations_are_not_judged() -> None:
    results = made(52)
    some = Results(tuple(each for each in results.records if getattr(each, "size", 0) < 30))
    assert [verdict(each) for each in readings_of(some)] == [None]


def test_other_policies_are_not_in_the_table() -> None:
    assert section(made(52, training=None)) is None
    assert section(made(52, card=CARD | {"objective": "q_margin"})) is None


def test_the_papers_error_is_that_of_its_own_sizes() -> None:
    """With Scale 4, 0.1 times the root of 3 sizes; not of those that ours goes on to."""
    theirs = {"scale": 4}
    (reading,) = readings_of(made(49))
    error = reading.curve.scov_error
    assert reading.curve.scov == 48 and error > 0
    assert compared(reading, theirs | {"scov": 48 - (error**2 + 0.01 * 3) ** 0.5 + 0.01}) == EQUAL
    assert compared(reading, theirs | {"scov": 48 - (error**2 + 0.01 * 3) ** 0.5 - 0.01}) == AHEAD


def test_a_cell_is_that_of_the_same_network() -> None:
    """Of blocksworld and Q heuristic, the paper's OE has other figures than its R-GNN."""
    found = section(made(52, architecture="OE"))
    assert found is not None
    _, table = (block for block in found.blocks if isinstance(block, Table))
    row = dict(zip([column.full_title for column in table.columns], table.rows[0], strict=True))
    figures = paper()["scaling"]["figures"]["blocksworld"]
    assert row["paper: SCov"] == figures["OE"]["Q heuristic"]["scov"] != figures["R-GNN"]["Q heuristic"]["scov"]
