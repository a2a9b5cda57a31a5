"""Charts in Altair that look alike: lines over sizes, steps over time, one solver against another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Any

import altair as alt

from liftq.errors import printable

# Okabe and Ito's colours, which colour-blind people can tell apart, on light and on dark ground.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
LEGEND = 60  # characters that fit below a chart
GREY = "#888888"  # for LAMA and other references
VERDICTS = {"reached": COLOURS[0], "undecided": GREY, "behind": COLOURS[1]}
SHAPES = ["circle", "diamond", "triangle-left"]  # of the verdicts
MOST_DECADES = 15  # on a logarithmic axis

Chart = alt.Chart | alt.LayerChart | alt.FacetChart
Row = Mapping[str, Any]  # x, y, solver, perhaps low and high (a band); everything else goes into the tooltip


def colours_of(names: Iterable[str]) -> dict[str, str]:
    """Called once per section, so that a solver has the same colour in all figures."""
    others = [name for name in dict.fromkeys(names) if not is_lama(name)]
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(others)}


def is_lama(name: str) -> bool:
    return "lama" in name.lower()


def line_chart(
    rows: Sequence[Row],
    titles: tuple[str, str],
    colours: Mapping[str, str],
    y_range: tuple[float, float] | None = None,
    log: str = "",  # which axes are logarithmic: x, y, xy
    step: bool = False,
    mark: float | None = None,  # on the x-axis: the paper's figure
) -> Chart:
    """A line with points for each solver. A click on the legend highlights one."""
    chosen = alt.selection_point(fields=["solver"], bind="legend")
    x = alt.X("x:Q", **_axis(titles[0], "x" in log, [row["x"] for row in rows]))
    y = alt.Y("y:Q", **_axis(titles[1], "y" in log, [row["y"] for row in rows], y_range))
    chart = alt.Chart(alt.InlineData(values=list(rows))).encode(x=x, color=_colour(rows, colours))
    lines = chart.mark_line(interpolate="step-after" if step else "linear").encode(y=y, opacity=_fore(chosen, 1))
    points = chart.mark_point(filled=True, size=24).encode(y=y, opacity=_fore(chosen, 1), tooltip=_hint(rows, titles))
    layers: list[alt.Chart] = [lines, points.add_params(chosen)]
    if any("low" in row for row in rows):
        layers.insert(
            0, chart.mark_area().encode(y=alt.Y("low:Q").title(titles[1]), y2="high:Q", opacity=_fore(chosen, 0.15))
        )
    return alt.layer(*layers, *(_paper_mark(mark, y_range) if mark is not None and y_range else ()))


def against_chart(rows: Sequence[Row], titles: tuple[str, str]) -> Chart:
    """A point for each problem, coloured by domain; on the diagonal both solvers are equal."""
    values = [row[axis] for row in rows for axis in "xy"]
    x, y = alt.X("x:Q", **_axis(titles[0], True, values)), alt.Y("y:Q", **_axis(titles[1], True, values))
    ends = [{"x": end, "y": end} for end in _decades(values)]
    diagonal = alt.Chart(alt.InlineData(values=ends)).encode(x=x, y=y)
    points = alt.Chart(alt.InlineData(values=list(rows))).encode(x=x, y=y)
    domains = sorted({str(row["domain"]) for row in rows})
    coloured = alt.Color("domain:N").title(None).scale(alt.Scale(scheme="tableau10"))
    coloured = coloured.legend(columns=_legend_columns(domains))
    return alt.layer(
        diagonal.mark_line(color=GREY, strokeDash=[4, 4], strokeWidth=1),
        points.mark_point(size=30, filled=True, opacity=0.8).encode(color=coloured, tooltip=_hint(rows, titles)),
    )


def beside_chart(rows: Sequence[Row], title: str, most: float) -> Chart:
    """For each domain our figure (a point) and the paper's (a tick), joined by a line; the axis ends at `most`."""
    y = alt.Y("domain:N").title(None).axis(alt.Axis(domain=False, ticks=False, labelPadding=6))
    x = alt.X("ours:Q").title(title).scale(alt.Scale(domain=[0, most]))
    base = alt.Chart(alt.InlineData(values=list(rows))).encode(y=y)
    names = list(VERDICTS)
    colour = alt.Color("verdict:N").title(None).scale(alt.Scale(domain=names, range=[VERDICTS[name] for name in names]))
    shape = alt.Shape("verdict:N").title(None).scale(alt.Scale(domain=names, range=SHAPES))
    hint = [alt.Tooltip("domain:N"), *(alt.Tooltip(f"{whose}:Q", format=".1f") for whose in ("ours", "paper"))]
    return alt.layer(
        base.mark_rule(color=GREY, strokeWidth=1.5).encode(x=x, x2="paper:Q"),
        base.mark_tick(color="currentColor", thickness=2, height=11).encode(x=alt.X("paper:Q").title(title)),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour, shape=shape, tooltip=hint),
    )


def _axis(title: str, log: bool, values: Sequence[float], ends: tuple[float, float] | None = None) -> dict[str, Any]:
    if log:
        low, high = domain = _decades(values)
        factors = (1, 2, 5) if high / low <= 100 else (1,)
        ticks = [low * 10**power * factor for power in range(round(log10(high / low)) + 1) for factor in factors]
        scale, axis = alt.Scale(type="log", domain=domain), alt.Axis(values=ticks, title=title, format="~r")
        return {"scale": scale, "axis": axis}
    scale = alt.Scale(domain=list(ends)) if ends else alt.Scale(zero=False, nice=True)
    return {"scale": scale, "axis": alt.Axis(title=title)}


def _decades(values: Sequence[float]) -> list[float]:
    """Whole powers of ten around positive values."""
    high = ceil(log10(max(values)))
    low = max(floor(log10(min(values))), high - MOST_DECADES)
    return [10.0**low, 10.0 ** max(high, low + 1)]


def _colour(rows: Sequence[Row], colours: Mapping[str, str]) -> alt.Color:
    names = list(dict.fromkeys(str(row["solver"]) for row in rows))
    scale = alt.Scale(domain=names, range=[colours.get(name, GREY) for name in names])
    return alt.Color("solver:N").title(None).scale(scale).legend(columns=_legend_columns(names))


def _legend_columns(names: Sequence[str]) -> int:
    return max(1, min(len(names), LEGEND // (4 + max(map(len, names)))))


def _fore(chosen: alt.Parameter, opacity: float) -> Any:
    return alt.when(chosen).then(alt.value(opacity)).otherwise(alt.value(opacity / 8))


def _hint(rows: Sequence[Row], titles: tuple[str, str]) -> list[alt.Tooltip]:
    others = [
        name for name in dict.fromkeys(name for row in rows for name in row) if name not in ("x", "y", "low", "high")
    ]
    # Vega-Lite quotes titles without escaping backslashes.
    shown = (printable(title).replace("\\", r"\\") for title in titles)
    ends = (alt.Tooltip(f"{axis}:Q", title=title, format=",.4~r") for axis, title in zip("xy", shown, strict=True))
    return [*(alt.Tooltip(f"{name}:N") for name in others), *ends]


def _paper_mark(place: float, y_range: tuple[float, float]) -> tuple[alt.Chart, alt.Chart]:
    chart = alt.Chart(alt.InlineData(values=[{"x": place, "y": y_range[1], "words": f"paper: {place:g}"}])).encode(
        x="x:Q"
    )
    words = chart.mark_text(align="right", baseline="bottom", dy=-3, color=GREY).encode(y="y:Q", text="words:N")
    return chart.mark_rule(color=GREY, strokeDash=[5, 4], strokeWidth=1.5), words
