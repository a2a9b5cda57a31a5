"""Figures for the page and for papers. Their ink is the colour of the surrounding text, since pages can be dark."""

from __future__ import annotations

from typing import Any

import vl_convert

from liftq.reports.page.document import Figure, prepared

WIDTH, HEIGHT = 380, 240  # of the plot in a file; on a page it takes the available width
SMALL = 130  # height of one of many small figures on a page
INK = "currentColor"
FAINT = "#8884"
AXIS = {"labelColor": INK, "titleColor": INK, "tickColor": FAINT, "domainColor": FAINT, "gridColor": FAINT}
LEGEND = {"orient": "bottom", "labelColor": INK, "titleColor": INK, "labelLimit": 320, "columnPadding": 24}
LEGEND |= {"symbolOpacity": 1}
STYLE = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": AXIS | {"gridOpacity": 0.6, "titleFontWeight": "normal"},
    "legend": LEGEND,
    "text": {"color": INK},
}


def in_page(figure: Figure) -> dict[str, Any]:
    """Small figures have no titles of axes and no legends: a text and a key above explain them."""
    chart = _specification(figure)
    if not figure.label:
        return chart | {"height": HEIGHT}
    chart["config"] |= {"axis": chart["config"]["axis"] | {"tickCount": 4}}
    for layer in chart.get("layer", [chart]):
        _make_bare(layer.get("encoding", {}))
    return chart | {"height": SMALL}


def _make_bare(encoding: dict[str, Any]) -> None:
    for name, channel in encoding.items():
        if name in ("x", "y"):
            channel |= {"axis": (channel.get("axis") or {}) | {"title": None}, "title": None}
        elif name in ("color", "shape"):
            channel["legend"] = None


def svg(figure: Figure) -> str:
    on_paper = {"width": WIDTH, "height": HEIGHT, "background": "white"}
    return str(vl_convert.vegalite_to_svg(_specification(figure) | on_paper))


def pdf(drawn: str) -> bytes:
    return bytes(vl_convert.svg_to_pdf(drawn))


def _specification(figure: Figure) -> dict[str, Any]:
    """The chart's own configuration has priority over ours."""
    chart: dict[str, Any] = prepared(figure.chart.to_dict())
    config = chart.get("config", {})
    chart["config"] = STYLE | {name: value for name, value in config.items() if name != "view"}
    chart["description"] = figure.title
    return chart
