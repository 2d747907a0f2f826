"""Latency by percentile: how slow the slowest I/Os are (METHODS E.fig, tail latency).

Pure: distributions in, a figure out, whether they come from a bundle or from anyone's log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.analysis.statistics.percentile import PERCENTS, SAMPLES_ABOVE_MIN
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.latency_axis import latency_axis, latency_encoding, latency_text
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.place import Align, Box, Outline, Placed, Spot, Wanted, outline, place
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, SYMBOLS, WIDE, Ink, PlotShape, figure_spec, series_dash, series_ink
from ssdlab.figure.kit.words import with_iops
from ssdlab.message import Message, message
from ssdlab.units import NS_PER_US
from ssdlab.unknown import Unknown

NINES_MAX = 6
"""Up to 99.9999 %."""

CURVES_MAX = len(SYMBOLS)

AXIS_LOW_NS, AXIS_HIGH_NS = 1_000, 10_000_000
_LOWEST_NS = 1.0
"""Where a latency of 0 is drawn, for which a logarithmic axis has no place."""
Y_TITLE = message("figure-percentile-of-ios")
_LABELS = (
    "datum.value == 0 ? '0' : datum.value == 1 ? '90' : datum.value == 2 ? '99' : "
    "'99.' + slice('999999', 0, datum.value - 2)"
)
_ROUNDING = 1e-9
_WIDTHS = {Rank.COMPARED: 2, Rank.UNDER_TEST: 3.2}


@dataclass(frozen=True, slots=True, eq=False)
class TailCurve:
    """The latency distribution of one line: a point for each latency or percentile that is known.

    Attributes:
        label: Name of the drive or of the file; the IOPS are added to it.
        iops: What the legend says beside it.
        nines: float64, ascending: how high the point stands, `-log10(share of I/Os above it)`, below 90 % the share in 0.9.
        latency_ns: float64, ascending: at most that long took this share of the I/Os.
        rank: The line of the drive under test is thicker and lies on top.
    """

    label: str
    iops: float | Unknown
    nines: NDArray[np.float64]
    latency_ns: NDArray[np.float64]
    rank: Rank = Rank.COMPARED


@dataclass(frozen=True, slots=True)
class TailMark:
    """A percentile that a datasheet states, drawn to be held against the curve."""

    percent: float
    latency_ns: float
    words: str
    """Stand beside it."""


@dataclass(frozen=True, slots=True)
class TailWords:
    """What a figure of tails says in words.

    Attributes:
        name: Names its files.
        latency: What was measured: `completion latency`.
        marks: What datasheets state.
    """

    name: str
    title: str
    subtitle: tuple[str, ...]
    caption: str
    latency: Message
    marks: tuple[TailMark, ...] = ()


def height_in_nines(below: NDArray[np.float64], above: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place of a percentile on an axis with equal steps for 0, 90, 99, 99.9 %, linear within 0..90 %.

    Args:
        below: Share of the I/Os at or below it.
        above: Share above it, given apart because 1 - 0.999999 loses digits.
    """
    with np.errstate(divide="ignore"):
        return np.where(below <= 0.9, below / 0.9, -np.log10(above))


def curve_of_bins(
    label: str, iops: float | Unknown, bin_index: NDArray[np.int64], count: NDArray[np.int64]
) -> TailCurve:
    """The curve of a histogram in fio's bins; ends where fewer than ten I/Os lie above, or the bins have no upper end."""
    order = np.argsort(bin_index)
    bins, counts = bin_index[order], count[order]
    total = int(counts.sum())
    counted = np.cumsum(counts)
    rank_max = total - SAMPLES_ABOVE_MIN
    kept = (counted - counts < rank_max) & (bins < _core.BIN_COUNT - 1)
    middle = np.array([_core.bin_mid(int(one)) for one in bins[kept]], dtype=np.float64)
    ranks = np.minimum(counted[kept], rank_max)
    nines = height_in_nines(ranks / max(total, 1), (total - ranks) / max(total, 1))
    return _from_zero(TailCurve(label, iops, nines, middle))


def curve_of_percentiles(
    label: str,
    iops: float | Unknown,
    percent: NDArray[np.float64],
    latency_ns: NDArray[np.float64],
    rank: Rank = Rank.COMPARED,
) -> TailCurve:
    """The curve through known percentiles, ascending; those that are no number are left out."""
    known = np.isfinite(latency_ns)
    share = percent[known] / 100
    above = np.round(100 - percent[known], 6) / 100
    return _from_zero(TailCurve(label, iops, height_in_nines(share, above), latency_ns[known], rank))


def percent_grid() -> tuple[float, ...]:
    """The percentiles a curve needs to look smooth, ascending, in fio's six decimals: 0..90 and 100 a nine above."""
    linear = np.arange(0, 90, 0.25)
    nines = np.arange(1, NINES_MAX + 0.005, 0.01)
    return tuple(np.unique(np.round(np.concatenate([linear, 100 - 10 ** (2 - nines)]), 6)).tolist())


def tail_figure(curves: Sequence[TailCurve], words: TailWords) -> Figure:
    """The figure.

    Raises:
        ValueError: There are no curves with any point, or more than a reader can tell apart.
    """
    drawn = [one for one in curves if len(one.nines)]
    if not 0 < len(drawn) <= CURVES_MAX:
        raise ValueError(
            f"{len(drawn)} curves with ten I/Os above a percentile: a figure of tails has 1 to {CURVES_MAX}"
        )
    return Figure(
        name=words.name,
        title=words.title,
        subtitle=words.subtitle,
        caption=words.caption,
        spec=_spec(drawn, words, WIDE),
        narrow_spec=_spec(drawn, words, NARROW),
        table=_table(drawn),
        curves=_every_point(drawn, words),
    )


def latency_at(curve: TailCurve, percent: str) -> float | None:
    """The latency in ns at a percentile of `PERCENTS`; None where the curve ends before."""
    return _at(curve, _height(percent))


def _from_zero(curve: TailCurve) -> TailCurve:
    """Begin at the fastest I/O, at 0 %."""
    if not len(curve.nines):
        return curve
    nines = np.concatenate([[0.0], curve.nines])
    return replace(curve, nines=nines, latency_ns=np.concatenate([curve.latency_ns[:1], curve.latency_ns]))


def _height(percent: str) -> float:
    share = float(percent) / 100
    return share / 0.9 if share < 0.9 else float(percent.count("9"))


def _at(curve: TailCurve, nines: float) -> float | None:
    # Heights are logarithms of shares, so one that should be a whole nine is one to the last digits only.
    reached = int(np.searchsorted(curve.nines, nines - _ROUNDING))
    return float(curve.latency_ns[reached]) if reached < len(curve.nines) else None


def _legend_label(curve: TailCurve) -> str:
    return curve.label if isinstance(curve.iops, Unknown) else with_iops(curve.label, curve.iops)


def _axes(curves: Sequence[TailCurve], words: TailWords, shape: PlotShape) -> tuple[PlotAxis, PlotAxis]:
    stated_ns = [one.latency_ns for one in words.marks]
    slowest = max(*(float(one.latency_ns[one.nines <= NINES_MAX + _ROUNDING].max()) for one in curves), *stated_ns, 0)
    fastest = min(*(float(one.latency_ns[0]) for one in curves), *stated_ns, AXIS_LOW_NS)
    x = latency_axis(
        log_title(words.latency),
        max(_LOWEST_NS, fastest),
        max(slowest, AXIS_HIGH_NS),
        shape.width_px,
    )
    highest = max(*(float(one.nines.max()) for one in curves), *(_mark_height(one) for one in words.marks), 0)
    top = int(np.clip(np.ceil(highest - _ROUNDING), 2, NINES_MAX))
    return x, PlotAxis(say(Y_TITLE), 0.0, float(top), tuple(float(nine) for nine in range(top + 1)), shape.height_px)


def _spec(curves: Sequence[TailCurve], words: TailWords, shape: PlotShape) -> dict[str, object]:
    x, y = _axes(curves, words, shape)
    on_screen = [_outline(one, x, y) for one in curves]
    legend = layers.legend_for([_legend_label(one) for one in curves], on_screen, [], shape)
    scales = _scales(curves, legend)
    return figure_spec(
        shape,
        words.title,
        words.subtitle,
        say(message("figure-tail-described", latency=words.latency, count=len(curves))),
        [
            _lines(curves, x, y, scales),
            *_points(curves, words, x, y, scales),
            *_mark_layers(words.marks, on_screen, x, y, shape, legend),
        ],
    )


def _mark_height(mark: TailMark) -> float:
    above = round(100 - mark.percent, 6) / 100
    return float(height_in_nines(np.array([mark.percent / 100]), np.array([above]))[0])


def _mark_layers(
    marks: Sequence[TailMark],
    curves: Sequence[Outline],
    x: PlotAxis,
    y: PlotAxis,
    shape: PlotShape,
    legend: layers.Legend,
) -> list[layers.Layer]:
    """A cross at each stated percentile with its words beside it."""
    shown = [one for one in marks if _mark_height(one) <= y.high]
    if not shown:
        return []
    rows = [{"x": one.latency_ns / NS_PER_US, "y": _mark_height(one), "words": one.words} for one in shown]
    mark = {"type": "point", "shape": "cross", "filled": True, "size": 130, "opacity": 1, "color": Ink.TEXT.value}
    encoding = {"x": latency_encoding(x, "x"), "y": _percent_encoding(y), "description": {"field": "words"}}
    cross = {"name": f"{layers.KEY_PREFIX}stated", "data": {"values": rows}, "mark": mark, "encoding": encoding}
    wanted = [_beside_mark(one, x, y) for one in shown]
    texts = place(wanted, curves, legend.boxes, Box(0, 0, x.length_px, y.length_px), shape.font_px)
    labels = layers.text_layers(texts, x, y, shape, name="stated")
    placed = [{**one, "encoding": {**one["encoding"], "x": encoding["x"], "y": encoding["y"]}} for one in labels]
    return [cross, *placed]


def _beside_mark(mark: TailMark, x: PlotAxis, y: PlotAxis) -> Wanted:
    at, height = float(x.px(mark.latency_ns / NS_PER_US)), y.length_px - float(y.px(_mark_height(mark)))
    return tuple(
        Placed((mark.words,), Spot(at + sign * 12, height + down, align))
        for down in (0, 14, -14, 28, -28, 42, -42)
        for sign, align in ((1, Align.LEFT), (-1, Align.RIGHT))
    )


def _outline(curve: TailCurve, x: PlotAxis, y: PlotAxis) -> Outline:
    x_px, y_px = x.px(curve.latency_ns / NS_PER_US), y.length_px - y.px(curve.nines)
    # A step: at its latency the curve spans from where it was to where it gets.
    return outline(x_px, y_px, np.concatenate([y_px[:1], y_px[:-1]]), x.length_px)


def _scales(curves: Sequence[TailCurve], legend: layers.Legend) -> dict[str, Any]:
    labels = [_legend_label(one) for one in curves]
    inks = [series_ink(number).value for number in range(1, len(curves) + 1)]
    # On paper of its own, so that no grid line runs through a name.
    look = {**legend.encoding, "symbolSize": 110, "fillColor": Ink.PAPER.value, "padding": 5}
    shared = {"field": "label", "type": "nominal", "legend": look}
    return {
        "color": {**shared, "scale": {"domain": labels, "range": inks}},
        "shape": {**shared, "scale": {"domain": labels, "range": list(SYMBOLS[: len(curves)])}},
    }


def _lines(curves: Sequence[TailCurve], x: PlotAxis, y: PlotAxis, scales: dict[str, Any]) -> layers.Layer:
    rows = [
        {
            "x": float(f"{max(_LOWEST_NS, at) / NS_PER_US:.6g}"),
            "y": round(float(height), 4),
            "label": _legend_label(curve),
        }
        for curve in sorted(curves, key=lambda one: one.rank is Rank.UNDER_TEST)
        for at, height in _corners(curve)
    ]
    # Between two latencies that occurred nothing happened: a slope there would show I/Os that never were.
    mark = {"type": "line", "interpolate": "step-after", "strokeJoin": "round", "aria": False}
    domain = scales["color"]["scale"]["domain"]
    dashes = {"domain": domain, "range": [series_dash(number) for number in range(1, len(curves) + 1)]}
    widths = {"domain": domain, "range": [_WIDTHS[one.rank] for one in curves]}
    encoding = {
        "x": latency_encoding(x, "x"),
        "y": _percent_encoding(y),
        "color": scales["color"],
        "strokeDash": {"field": "label", "type": "nominal", "scale": dashes, "legend": None},
        "strokeWidth": {"field": "label", "type": "nominal", "scale": widths, "legend": None},
    }
    return {"name": "tails", "data": {"values": rows}, "mark": {**mark, "clip": True}, "encoding": encoding}


def _corners(curve: TailCurve) -> list[tuple[float, float]]:
    """The points that change the line: of one latency the highest and lowest are enough."""
    inside = curve.nines <= NINES_MAX + _ROUNDING
    latency, nines = curve.latency_ns[inside], curve.nines[inside]
    first = np.diff(latency, prepend=-1) != 0
    last = np.diff(latency, append=-1) != 0
    return [(float(at), float(height)) for at, height in zip(latency[first | last], nines[first | last], strict=True)]


def _points(
    curves: Sequence[TailCurve], words: TailWords, x: PlotAxis, y: PlotAxis, scales: dict[str, Any]
) -> list[layers.Layer]:
    """A symbol at each nine, said in words."""
    rows = []
    for curve in curves:
        for percent in PERCENTS[1:]:
            found = latency_at(curve, percent)
            if found is not None:
                at = message(
                    "figure-tail-point",
                    line=curve.label,
                    latency=words.latency,
                    percent=percent,
                    value=latency_text(found),
                )
                label = _legend_label(curve)
                rows.append(
                    {"x": max(_LOWEST_NS, found) / NS_PER_US, "y": _height(percent), "label": label, "words": say(at)}
                )
    if not rows:
        return []
    mark = {"type": "point", "filled": True, "size": 70, "opacity": 1, "stroke": Ink.PAPER.value, "strokeWidth": 1}
    encoding = {
        "x": latency_encoding(x, "x"),
        "y": _percent_encoding(y),
        **scales,
        "description": {"field": "words"},
    }
    name = f"{layers.KEY_PREFIX}percentiles"
    return [{"name": name, "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _percent_encoding(y: PlotAxis) -> dict[str, Any]:
    encoding = y.encoding("y")
    axis = {key: value for key, value in encoding["axis"].items() if key != "format"}
    return {**encoding, "axis": {**axis, "labelExpr": _LABELS}}


def _every_point(curves: Sequence[TailCurve], words: TailWords) -> FigureTable:
    rows: list[tuple[Cell, ...]] = [
        (curve.label, f"{_percent(nines):.9g}", f"{latency_ns / NS_PER_US:.3f}")
        for curve in curves
        for nines, latency_ns in zip(curve.nines.tolist(), curve.latency_ns.tolist(), strict=True)
    ]
    columns = (
        column(message("figure-column-line")),
        column(message("figure-percentile-of-ios"), "%"),
        column(words.latency, "µs"),
    )
    return FigureTable(say(message("figure-table-percentiles")), columns, tuple(rows))


def _percent(nines: float) -> float:
    """The percentage at a height, as `height_in_nines` has it."""
    return 90 * nines if nines < 1 else 100 - 10 ** (2 - nines)


def _table(curves: Sequence[TailCurve]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for curve in curves:
        found = [latency_at(curve, percent) for percent in PERCENTS]
        iops = say(message("figure-unknown")) if isinstance(curve.iops, Unknown) else f"{curve.iops:,.0f}"
        cells = [say(message("figure-too-few-above")) if one is None else f"{one / NS_PER_US:,.2f}" for one in found]
        rows.append((curve.label, iops, *cells))
    columns = (
        column(message("figure-column-line")),
        Column("IOPS", "1/s"),
        *(Column(f"{one} %", "µs") for one in PERCENTS),
    )
    return FigureTable(say(message("figure-table-percentiles")), columns, tuple(rows))
