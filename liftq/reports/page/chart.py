"""Line charts as SVG, small enough to be read on a phone and written without any library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from liftq.reports.page.axis import Axis, linear_axis, log_axis

# Okabe and Ito's colours, which colour-blind people can tell apart; dashes follow when colours run out.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = ("", "6 3", "2 3")

WIDTH, PLOT_HEIGHT = 480, 250
LEFT, RIGHT, TOP, BELOW = 70, 14, 12, 44  # margins of the plot
LEGEND_ROW = 19


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()  # x, low, high


@dataclass(frozen=True)
class Chart:
    x_label: str
    y_label: str
    series: Sequence[Series]
    y_range: tuple[float, float] | None = None  # None: as the points need
    log_y: bool = False
    log_x: bool = False

    def svg(self, title: str) -> str:
        xs = [x for each in self.series for x, _ in each.points]
        ys = [y for each in self.series for _, y in each.points] if self.y_range is None else list(self.y_range)
        x_axis = (log_axis if self.log_x else linear_axis)(xs, LEFT, WIDTH - RIGHT)
        y_axis = (log_axis if self.log_y else linear_axis)(ys, TOP + PLOT_HEIGHT, TOP)
        height = TOP + PLOT_HEIGHT + BELOW + LEGEND_ROW * len(self.series)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" font-size="13"'
            f' font-family="system-ui, sans-serif"><title>{escape(title)}</title>',
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            *_grid(x_axis, y_axis),
            *self._labels(),
            *(part for number, each in enumerate(self.series) for part in _band(each, number, x_axis, y_axis)),
            *(part for number, each in enumerate(self.series) for part in _line(each, number, x_axis, y_axis)),
            *(part for number, each in enumerate(self.series) for part in _legend(each, number)),
            "</svg>",
        ]
        return "\n".join(parts)

    def _labels(self) -> Iterable[str]:
        middle = (LEFT + WIDTH - RIGHT) / 2
        yield f'<text x="{middle:g}" y="{TOP + PLOT_HEIGHT + 36}" text-anchor="middle">{escape(self.x_label)}</text>'
        y = TOP + PLOT_HEIGHT / 2
        place = f'x="14" y="{y:g}" transform="rotate(-90 14 {y:g})"'
        yield f'<text {place} text-anchor="middle">{escape(self.y_label)}</text>'


def _grid(x_axis: Axis, y_axis: Axis) -> Iterable[str]:
    bottom = TOP + PLOT_HEIGHT
    for value, label in y_axis.ticks:
        y = y_axis.place(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#333">{label}</text>'
    for value, label in x_axis.ticks:
        x = x_axis.place(value)
        yield f'<path d="M{x:.1f} {bottom}v5" stroke="#333"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#333">{label}</text>'
    yield f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#333"/>'


def _band(series: Series, number: int, x_axis: Axis, y_axis: Axis) -> Iterable[str]:
    if series.band:
        lower = [(x_axis.place(x), y_axis.place(low)) for x, low, _ in series.band]
        upper = [(x_axis.place(x), y_axis.place(high)) for x, _, high in reversed(series.band)]
        yield f'<path d="{_path([*lower, *upper])}Z" fill="{_colour(number)}" fill-opacity="0.15"/>'


def _line(series: Series, number: int, x_axis: Axis, y_axis: Axis) -> Iterable[str]:
    places = [(x_axis.place(x), y_axis.place(y)) for x, y in series.points]
    yield f'<path d="{_path(places)}" fill="none" {_stroke(number)}/>'
    for (x, y), (size, value) in zip(places, series.points, strict=True):
        hint = f"{escape(series.name)}: {size:g}, {value:.4g}"
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{_colour(number)}"><title>{hint}</title></circle>'


def _legend(series: Series, number: int) -> Iterable[str]:
    y = TOP + PLOT_HEIGHT + BELOW + LEGEND_ROW * number + 8
    yield f'<path d="M{LEFT} {y}h28" {_stroke(number)}/>'
    yield f'<text x="{LEFT + 36}" y="{y + 4}">{escape(series.name)}</text>'


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _stroke(number: int) -> str:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return f'stroke="{_colour(number)}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
