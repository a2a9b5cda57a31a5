"""Whether a cell of the paper's main table is reached: both ends of the interval, with sizes left out at worst."""

from __future__ import annotations

import pytest

from liftq.evaluation.paper import bounds, paper, theirs, values_of, verdict
from liftq.evaluation.scaling.curve import curve
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.problems.coverage import Coverage
from tests.evaluation.cells import cell_results


def reading_of(solved_until: int, **changed: object) -> Reading:
    (reading,) = readings_of(cell_results(solved_until, **changed))
    return reading


@pytest.mark.parametrize(("solved_until", "said"), [(70, "reached"), (48, "reached"), (46, "behind"), (20, "behind")])
def test_enough_is_95_percent_of_the_papers_figure(solved_until: int, said: str) -> None:
    """Whose SCov is 48.2, so that 45.79 is enough; 100 plays of each size leave an error of 0.1."""
    reading = reading_of(solved_until)
    cell = theirs(reading)
    assert cell and cell["scov"] == 48.2 and values_of(reading) == "Q heuristic"
    assert verdict(reading, cell) == said


def test_the_lower_end_of_the_interval_counts() -> None:
    reading = reading_of(48)
    low, high = bounds(reading.curve)
    assert low < 47 < high
    for enough, said in ((low, "reached"), ((low + high) / 2, "undecided"), (high + 0.001, "behind")):
        assert verdict(reading, {"scov": enough / 0.95}) == said


def test_a_size_left_out_counts_as_unsolved_and_like_its_better_neighbour() -> None:
    every = {2: 1.0, 3: 1.0, 5: 1.0, 6: 0.5, 8: 0.0, 9: 0.0}
    coverages = {size: Coverage(size, round(100 * share), 100, 5.0, 0, True) for size, share in every.items()}
    made = curve(sorted(every), coverages, range(2, 10))
    assert made.left_out == (4, 7) and made.scov == 3.5 + 1 + 0.25
    assert bounds(made) == pytest.approx((4.5, 5.0))  # 4 is between sizes that are always solved


def test_coarse_grids_decide_nothing_that_the_sizes_between_could_change() -> None:
    coarse = reading_of(45, sizes=[*range(2, 100, 8), 100], kept=lambda size: size % 8 == 2)
    assert coarse.curve.left_out and verdict(coarse, {"scov": 44.0}) == "undecided"
    assert verdict(coarse, {"scov": 40.0}) == "reached" and verdict(coarse, {"scov": 52.0}) == "behind"


def test_unfinished_cells_are_undecided() -> None:
    unfinished = reading_of(70, kept=lambda size: size < 60)
    assert unfinished.curve.scov > 48.2 and verdict(unfinished, {"scov": 48.2}) == "undecided"
    assert verdict(None, {"scov": 48.2}) == "undecided"


def test_only_policies_of_studies_have_a_cell() -> None:
    assert theirs(reading_of(20, training=None)) is None
    figures = paper()["scaling"]["figures"]["blocksworld"]
    assert theirs(reading_of(20, architecture="OE")) == figures["OE"]["Q heuristic"] != figures["R-GNN"]["Q heuristic"]
