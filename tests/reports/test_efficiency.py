"""Times for a decision: which of several measurements counts, and what the headline is."""

from __future__ import annotations

from liftq.evaluation.result import Results, Timing
from liftq.reports.efficiency import section
from liftq.reports.page.document import Figure, Table, flat


def timing(size: int, values: str, seconds: float, architecture: str = "R-GNN") -> Timing:
    return Timing("ferry", size, architecture, values, 100, 1000, seconds)


def test_sizes_count_equally_and_the_last_measurement_of_each_counts() -> None:
    found = section(
        Results(
            (
                timing(10, "V", 99.0),
                timing(10, "V", 0.2),
                timing(20, "V", 1.0),
                timing(10, "Q", 0.1),
                timing(20, "Q", 0.2),
                timing(10, "V", 9.0, "OE"),
                timing(10, "Q", 1.0, "OE"),
                timing(10, "V", 2.0, "OAE"),
                timing(10, "Q", 1.0, "OAE"),
            )
        )
    )
    assert found is not None
    (table,) = (block for block in found.blocks if isinstance(block, Table))
    titles = [column.full_title for column in table.columns]
    rows = {row[1]: dict(zip(titles, row, strict=True)) for row in table.rows}
    assert (rows["R-GNN"]["V ms per state"], rows["R-GNN"]["Q ms per state"], rows["R-GNN"]["V / Q"]) == (6, 1.5, 4)
    assert (rows["OE"]["V / Q"], rows["OAE"]["V / Q"]) == (9, 2)
    assert found.facts[0].figure == "4.0 times"  # the median of three
    (figure,) = (block for block in flat(found.blocks) if isinstance(block, Figure))
    (points,) = figure.chart.to_dict()["datasets"].values()
    drawn = [(each["solver"], each["x"], each["y"]) for each in points]
    assert len(drawn) == 8 and ("R-GNN V", 10, 2.0) in drawn and ("R-GNN V", 20, 10.0) in drawn
