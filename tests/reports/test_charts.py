"""Charts draw what they are given, on axes that fit."""

from __future__ import annotations

from typing import Any

import pytest

from liftq.reports.page.charts import GREY, against_chart, colours_of, line_chart

TITLES = ("objects", "steps")


def axis(values: list[float], log: str, name: str = "y") -> Any:
    rows = [{"x": number + 1, "y": value, "solver": "a"} for number, value in enumerate(values)]
    return line_chart(rows, TITLES, {}, log=log).to_dict()["layer"][0]["encoding"][name]


def test_logarithmic_axes_end_at_powers_of_ten() -> None:
    wide, narrow = axis([0.02, 30], "y"), axis([3], "y")
    assert wide["scale"]["domain"] == [0.01, 100] and wide["axis"]["values"] == pytest.approx([0.01, 0.1, 1, 10, 100])
    assert narrow["scale"]["domain"] == [1, 10] and narrow["axis"]["values"][:3] == [1, 2, 5]
    assert "type" not in axis([0, 5], "")["scale"]


def test_a_solver_keeps_its_colour() -> None:
    colours = colours_of(["b", "lama", "a", "b"])
    assert list(colours) == ["b", "a"]
    rows = [{"x": 1, "y": 1, "solver": name} for name in ("a", "lama")]
    scale = line_chart(rows, TITLES, colours).to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["a", "lama"], "range": [colours["a"], GREY]}


def test_the_diagonal_runs_through_the_whole_chart() -> None:
    rows = [{"x": 2, "y": 300, "domain": "a", "problem": "p"}]
    chart = against_chart(rows, TITLES).to_dict()
    line, points = chart["layer"]
    assert chart["datasets"][line["data"]["name"]] == [{"x": 1, "y": 1}, {"x": 1000, "y": 1000}]
    assert points["encoding"]["x"]["scale"] == points["encoding"]["y"]["scale"]
