"""Cells of the paper's main table: which are reached, and what is known of their training."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.evaluation.paper import paper
from liftq.evaluation.result import Invocation, Record, Results
from liftq.reports import scaling
from liftq.reports.cells import section
from liftq.reports.page.document import Figure, Section, Table, flat
from tests.evaluation.cells import CARD, TRAINING, cell_results


def test_the_table() -> None:
    found = section(cell_results(52))
    assert found is not None and found.facts[0].figure == "1 of 120"
    words = "cells of the paper's main table reached, 0 behind, 119 undecided, by its own recipes"
    assert found.facts[0].meaning == words
    _, table = tables(found)
    titles = [column.full_title for column in table.columns]
    row = dict(zip(titles, table.rows[0], strict=True))
    assert (row["domain"], row["recipe"], row["values"], row["Scale"]) == ("blocksworld", "rgnn", "Q heuristic", 54)
    assert (row["SCov"], row["paper: Scale"], row["paper: SCov"], row["verdict"]) == (51.0, 55, 48.2, "reached")
    assert (row["epochs"], row["chosen epoch"], row["largest size seen"], row["sizes seen"]) == ("31 of 100", 17, 16, 1)


def tables(section: Section) -> list[Table]:
    return [block for block in flat(section.blocks) if isinstance(block, Table)]


def several(**solved_until: int) -> Results:
    """By what was learned: V, Q and so on, of the same network in the same domain."""
    records: list[Record] = []
    for objective, size in solved_until.items():
        solver = f"runs/paper/rgnn/blocksworld/{objective}.safetensors"
        header, *attempts = cell_results(size, solver=solver, card=CARD | {"objective": objective}).records
        records += [header, *(replace(each, solver=solver) for each in attempts)]
    return Results(tuple(records))


def test_what_was_learned_stands_side_by_side() -> None:
    found = section(several(q_value=20, q_heuristic=52))
    assert found is not None
    table, _ = tables(found)
    (row,) = (dict(zip([column.full_title for column in table.columns], each, strict=True)) for each in table.rows)
    assert (row["network"], row["domain"]) == ("R-GNN", "blocksworld")
    assert [row[f"V: {title}"] for title in ("ours", "paper", "verdict")] == [None, 44.5, "undecided"]
    assert [row[f"Q: {title}"] for title in ("ours", "paper", "verdict")] == [19.0, 1.6, "reached"]
    assert [row[f"Q heuristic: {title}"] for title in ("ours", "paper", "verdict")] == [51.0, 48.2, "reached"]


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
        assert fact.meaning.endswith(f"than {name}; in the paper {theirs}")


def test_one_cell_is_not_a_headline() -> None:
    """As one solver in one domain it would be; a study has many."""
    studied, alone = scaling.section(cell_results(52)), scaling.section(cell_results(52, training=None))
    assert studied is not None and alone is not None
    assert (studied.facts, len(alone.facts)) == ((), 1)


@pytest.mark.parametrize(
    ("other", "names"),
    [({}, {"Q", "Q heuristic"}), ({"recipe": "goal_split"}, {"Q, rgnn", "Q heuristic, goal_split"})],
)
def test_figures_of_a_study_compare_kinds_of_values(other: dict[str, str], names: set[str]) -> None:
    records = several(q_value=20, q_heuristic=52).records
    changed = [
        replace(each, settings=each.settings | {"training": TRAINING | other})
        if isinstance(each, Invocation) and each.settings["card"]["objective"] == "q_heuristic"
        else each
        for each in records
    ]
    found = scaling.section(Results(tuple(changed)))
    assert found is not None
    figures = [block.title for block in flat(found.blocks) if isinstance(block, Figure)]
    assert [title for title in figures if title.startswith("Coverage by size: blocksworld, R-GNN")] == figures[:1]
    assert {row[1] for row in tables(found)[0].rows} == names


def test_a_figure_shows_each_cell_beside_the_papers() -> None:
    found = section(several(q_value=20, q_heuristic=52))
    assert found is not None
    figures = {block.label: block.chart.to_dict() for block in found.blocks if isinstance(block, Figure)}
    assert list(figures) == ["R-GNN, Q", "R-GNN, Q heuristic"]
    (rows,) = figures["R-GNN, Q"]["datasets"].values()
    assert rows == [{"domain": "blocksworld", "ours": 19.0, "paper": 1.6, "verdict": "reached"}]
    ends = [figure["layer"][0]["encoding"]["x"]["scale"]["domain"] for figure in figures.values()]
    assert ends == [[0, 51.0], [0, 51.0]]  # so that they can be compared


def test_other_policies_are_not_in_the_table() -> None:
    assert section(cell_results(52, training=None)) is None
    assert section(cell_results(52, card=CARD | {"objective": "q_margin"})) is None


def test_a_cell_is_that_of_the_same_network() -> None:
    """Of blocksworld and Q heuristic, the paper's OE has other figures than its R-GNN."""
    found = section(cell_results(52, architecture="OE"))
    assert found is not None
    _, table = tables(found)
    row = dict(zip([column.full_title for column in table.columns], table.rows[0], strict=True))
    figures = paper()["scaling"]["figures"]["blocksworld"]
    assert row["paper: SCov"] == figures["OE"]["Q heuristic"]["scov"] != figures["R-GNN"]["Q heuristic"]["scov"]
