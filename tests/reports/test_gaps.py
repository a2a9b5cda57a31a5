"""Errors and differences of the values, in the mean over the domains of one network and one kind of values."""

from __future__ import annotations

from liftq.evaluation.result import Gap, Invocation, Results
from liftq.reports.gaps import section
from liftq.reports.page.document import Table


def gap(policy: str, domain: str, states: int, error: float, difference: float) -> Gap:
    return Gap(policy, domain, f"{domain}.jsonl.zst", states, 5000, error, difference, 0.97, 0.17)


def test_means_are_of_one_network_and_each_domain_counts_equally() -> None:
    networks = {"a/q_value": "R-GNN", "b/q_value": "R-GNN", "c/q_value": "OE", "a/q_explicit": "R-GNN"}
    files = {f"{path}.safetensors": network for path, network in networks.items()}
    header = Invocation("liftq", "2026", None, {}, {}, {"kind": "gaps", "architectures": files})
    gaps = (
        gap("a/q_value.safetensors", "ferry", 9000, 0.2, 1.0),
        gap("b/q_value.safetensors", "rovers", 10, 0.4, 5.0),
        gap("c/q_value.safetensors", "ferry", 10, 9.0, 9.0),
        gap("a/q_explicit.safetensors", "ferry", 10, 7.0, 7.0),
    )
    found = section(Results((header, *gaps)))
    assert found is not None
    (table,) = (block for block in found.blocks if isinstance(block, Table) and block.title == "Means over domains")
    titles = [column.full_title for column in table.columns]
    rows = {row[:2]: dict(zip(titles, row, strict=True)) for row in table.rows}
    row = rows["R-GNN", "Q"]
    assert (row["domains"], round(float(row["Err"] or 0), 6), row["Diff"]) == (2, 0.3, 3.0)
    assert rows["OE", "Q"]["Err"] == 9.0 and rows["R-GNN", "Q explicit"]["Diff"] == 7.0
    assert rows["OAE", "Q"]["domains"] == 0
