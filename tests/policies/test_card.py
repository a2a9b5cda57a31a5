"""Cards: the final figures go before those of the validation, and nothing is claimed beyond what was measured."""

from __future__ import annotations

import pytest

from liftq.policies.card import Card


def test_final_figures_go_first() -> None:
    entries = {"score": 9.0, "coverage": [[3, 0.5]]}
    assert Card({}).score is None and Card({}).coverage == {}
    assert Card(entries).score == (9.0, "validation") and Card(entries).coverage == {3: 0.5}
    final = Card(entries | {"final_score": 8.0, "final_coverage": [[5, 0.25], [4, 1.0]]})
    assert final.score == (8.0, "final") and list(final.coverage.items()) == [(4, 1.0), (5, 0.25)]


def test_coverage_between_sizes() -> None:
    card = Card({"coverage": [[4, 1.0], [8, 0.5]]})
    assert [card.coverage_at(size) for size in (1, 4, 6, 8, 9)] == [1.0, 1.0, 0.75, 0.5, 0.0]


def test_problems_behind_a_rate() -> None:
    recipe = {"validation_per_size": 4, "final_per_size": 16}
    assert Card({"recipe": recipe}).per_size == 4
    assert Card({"recipe": recipe, "final_coverage": []}).per_size == 16
    tables = {"validation": {"per_size": 5, "final_per_size": 15}}
    assert Card({"recipe": tables}).per_size == 5
    assert Card({"recipe": tables, "final_coverage": []}).per_size == 15
    assert [Card({"recipe": odd}).per_size for odd in (None, "paper", {}, {"validation_per_size": "4"})] == [1] * 4


@pytest.mark.parametrize("odd", [1.0, None, "high", [3, 4], [[3]], [[3, "all"]], {"3": 1.0}])
def test_coverage_of_another_shape_claims_nothing(odd: object) -> None:
    assert Card({"coverage": odd}).coverage == {}
