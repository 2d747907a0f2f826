"""What a rest brings back of the SLC cache: bytes written in one minute after rests of growing length (METHODS C8)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BYTES
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, linear_axis
from ssdlab.figure.kit.drives import DrawnDrive, DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.place import Align, Placed, Spot, text_width_px
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, figure_spec, fitted, panels_spec, series_ink
from ssdlab.figure.kit.suite_steps import measured_points, suite_steps
from ssdlab.figure.kit.words import missing_note
from ssdlab.job import StepKind
from ssdlab.message import message, number
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.point import Point
from ssdlab.units import GIB, MIB, NS_PER_S

TITLE = message("figure-reclaim-title")
_GAP = 1.0
"""Between the bars of two drives, in bars."""


@dataclass(frozen=True, slots=True)
class RestPoint:
    """The write after one rest."""

    rest_s: float
    written: MetricReading


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """All rests of one drive, the shortest first."""

    drive: DrawnDrive
    rungs: tuple[RestPoint, ...]
    write_ns: int
    """How long each write lasts, as the profile scaled it."""


def reclaim(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each step of that kind."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, ReclaimStep):
            drives = drives_of(bundles)
            ladders = [ladder for drive in drives if (ladder := _ladder(drive, step)).rungs]
            if ladders:
                shown = {ladder.drive.slot for ladder in ladders}
                yield _of_step(ladders, step, [one for one in drives if one.slot in shown], drives)


def _ladder(drive: DrawnRun, step: ReclaimStep) -> Ladder:
    known = readings(drive.bundle)
    found: dict[Point, float] = {}
    for one in drive.bundle.finished():
        if one.group == step.name and one.kind is StepKind.REST and one.name == f"{one.point.name}.rest":
            found[one.point] = one.rest_ns / NS_PER_S
    keys = {MetricKey(point, BYTES): rest_s for point, rest_s in found.items()}
    rungs = [RestPoint(rest_s, known[key]) for key, rest_s in keys.items() if key in known]
    jobs = measured_points(drive.bundle, step.name).values()
    write_ns = next((job.duration_ns for job in jobs if job.duration_ns is not None), step.write_ns)
    return Ladder(drive, tuple(sorted(rungs, key=lambda one: one.rest_s)), write_ns)


def _of_step(
    ladders: Sequence[Ladder], step: ReclaimStep, shown: Sequence[DrawnRun], drives: Sequence[DrawnRun]
) -> Figure:
    """The figure of a step of a suite; drives without any rest are named below."""
    states = [rung.written.state for one in ladders for rung in one.rungs]
    share = 100 * step.fill.numerator / step.fill.denominator
    caption = message(
        "figure-reclaim-caption", share=number(share, "g"), seconds=number(ladders[0].write_ns / NS_PER_S, ".3g")
    )
    missing = missing_note([drive.label for drive in drives if drive not in shown])
    name = f"reclaim-{step.name.replace('_', '-')}" if step.name != "reclaim" else "reclaim"
    return reclaim_figure(
        name, ladders, subtitle_of([one.bundle for one in shown], states), sentences(say(caption), missing)
    )


def reclaim_figure(name: str, ladders: Sequence[Ladder], subtitle: tuple[str, ...], caption: str) -> Figure:
    """A group of bars a drive; on a narrow screen a plot a drive."""
    return Figure(
        name=name,
        title=say(TITLE),
        subtitle=subtitle,
        caption=caption,
        spec=_wide_spec(ladders, subtitle),
        narrow_spec=_narrow_spec(ladders, subtitle),
        table=_table(ladders),
    )


def _wide_spec(ladders: Sequence[Ladder], subtitle: tuple[str, ...]) -> dict[str, object]:
    shape = WIDE
    y = _written_axis(ladders, shape, shape.height_px, _name_room(ladders, shape))
    x, placed = _groups(ladders, shape.width_px)
    names = [] if len(ladders) == 1 else _name_layers(ladders, placed, x, y, shape)
    return figure_spec(
        shape,
        say(TITLE),
        subtitle,
        _description(ladders),
        [*_bar_layers(ladders, placed, x, y, _unit(ladders), shape, "written"), *names],
    )


def _narrow_spec(ladders: Sequence[Ladder], subtitle: tuple[str, ...]) -> dict[str, object]:
    shape = NARROW
    height_px = shape.height_px if len(ladders) == 1 else 130
    y = _written_axis(ladders, replace(shape, y_ticks=shape.y_ticks * height_px // shape.height_px), height_px, 1.0)
    if len(ladders) == 1:
        x, placed = _groups(ladders, shape.width_px)
        drawn = _bar_layers(ladders, placed, x, y, _unit(ladders), shape, "written")
        return figure_spec(shape, say(TITLE), subtitle, _description(ladders), drawn)
    panels = []
    for place, ladder in enumerate(ladders, start=1):
        x, placed = _groups([ladder], shape.width_px)
        drawn = _bar_layers([ladder], placed, x, y, _unit(ladders), shape, f"written{place}")
        panels.append(Panel(ladder.drive.label, shape.width_px, height_px, drawn))
    return panels_spec(shape, say(TITLE), subtitle, _description(ladders), panels)


def _description(ladders: Sequence[Ladder]) -> str:
    return say(message("figure-reclaim-described", drives=len(ladders)))


def _unit(ladders: Sequence[Ladder]) -> AxisUnit:
    most = max(rung.written.value for one in ladders for rung in one.rungs)
    return AxisUnit("GiB", GIB) if most >= 4 * GIB else AxisUnit("MiB", MIB)


def _written_axis(ladders: Sequence[Ladder], shape: PlotShape, height_px: int, room: float) -> PlotAxis:
    unit = _unit(ladders)
    most = max(rung.written.value for one in ladders for rung in one.rungs) / unit.factor
    written = message("figure-written-in-seconds", seconds=number(ladders[0].write_ns / NS_PER_S, ".3g"))
    title = axis_title(written, unit.label)
    return linear_axis(title, most * room, height_px, max(2, shape.y_ticks), round_up=True)


def _name_room(ladders: Sequence[Ladder], shape: PlotShape) -> float:
    """How much higher than the highest bar the axis must be for what stands above the bars."""
    if len(ladders) == 1:
        return 1.08
    lines = max(len(_name_lines(one, ladders, shape)) for one in ladders)
    return 1 / (1 - (lines * (shape.font_px + 3) + 14) / shape.height_px)


Positions = dict[tuple[int, float], float]
"""Middle of each bar on the axis, by slot of the drive and rest in seconds."""


def _groups(ladders: Sequence[Ladder], width_px: int) -> tuple[PlotAxis, Positions]:
    """Bars side by side, a gap between drives; the ticks say the rests."""
    at = _GAP / 2
    placed: Positions = {}
    for ladder in ladders:
        for rung in ladder.rungs:
            placed[ladder.drive.slot, rung.rest_s] = at + 0.5
            at += 1
        at += _GAP
    return PlotAxis(
        axis_title(message("figure-rest-before"), "s"), 0.0, at - _GAP / 2, tuple(placed.values()), width_px
    ), placed


def _rest_encoding(x: PlotAxis, placed: Positions, field: str, shape: PlotShape) -> dict[str, Any]:
    encoding = x.encoding(field)
    words = [f"{rest_s:.3g}" if rest_s >= 1 else f"{rest_s:.2g}" for _, rest_s in placed]
    widest = max(text_width_px(word, shape.font_px) for word in words)
    bar_px = x.length_px / x.high
    font_px = shape.font_px if widest + 2 <= bar_px else max(9, int(shape.font_px * bar_px / (widest + 2)))
    axis = {key: value for key, value in encoding["axis"].items() if key != "format"}
    table = json.dumps({f"{at:g}": word for at, word in zip(placed.values(), words, strict=True)})
    look = {"labelExpr": f"{table}[format(datum.value, '~r')]", "labelFontSize": font_px, "labelOverlap": False}
    return {**encoding, "axis": {**axis, **look, "grid": False, "ticks": False}}


def _bar_layers(
    ladders: Sequence[Ladder], placed: Positions, x: PlotAxis, y: PlotAxis, unit: AxisUnit, shape: PlotShape, name: str
) -> list[Layer]:
    rows, texts = [], []
    for ladder in ladders:
        for rung in ladder.rungs:
            at = placed[ladder.drive.slot, rung.rest_s]
            value = rung.written.value / unit.factor
            rows.append(
                {
                    "x": at - 0.42,
                    "x2": at + 0.42,
                    "y": layers.short(value),
                    "zero": 0,
                    "ink": series_ink(ladder.drive.slot).value,
                    "opacity": 1.0 if len(ladders) == 1 else ladder.drive.rank.opacity,
                    "words": _described(ladder, rung),
                }
            )
            over = y.length_px - float(y.px(value)) - 10
            texts.append(Placed((_short(value),), Spot(float(x.px(at)), over, Align.CENTRE)))
    encoding = {
        "x": _rest_encoding(x, placed, "x", shape),
        "x2": {"field": "x2"},
        "y": y.encoding("y"),
        "y2": {"field": "zero"},
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "fillOpacity": {"field": "opacity", "type": "quantitative", "scale": None},
        "description": {"field": "words"},
    }
    drawn = [{"name": f"{KEY_PREFIX}{name}", "data": {"values": rows}, "mark": {"type": "rect"}, "encoding": encoding}]
    if max(text_width_px(one.lines[0], shape.font_px) for one in texts) + 3 < x.length_px / x.high:
        drawn += layers.text_layers(texts, x, y, shape, name=f"{name}-values")
    return drawn


def _described(ladder: Ladder, rung: RestPoint) -> str:
    rest = number(rung.rest_s, ".3g")
    return say(message("figure-after-rest", drive=ladder.drive.label, rest=rest, value=rung.written.words))


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _name_lines(ladder: Ladder, ladders: Sequence[Ladder], shape: PlotShape) -> list[str]:
    bars = sum(len(one.rungs) + _GAP for one in ladders)
    width_px = shape.width_px / bars * (len(ladder.rungs) + _GAP / 2)
    return fitted(ladder.drive.label, width_px, shape.font_px)


def _name_layers(
    ladders: Sequence[Ladder], placed: Positions, x: PlotAxis, y: PlotAxis, shape: PlotShape
) -> list[Layer]:
    texts = []
    for ladder in ladders:
        lines = _name_lines(ladder, ladders, shape)
        middle = sum(placed[ladder.drive.slot, rung.rest_s] for rung in ladder.rungs) / len(ladder.rungs)
        height = 8 + len(lines) * (shape.font_px + 3) / 2
        texts.append(Placed(tuple(lines), Spot(float(x.px(middle)), height, Align.CENTRE)))
    return layers.text_layers(texts, x, y, shape, name="names")


def _table(ladders: Sequence[Ladder]) -> FigureTable:
    rests = sorted({rung.rest_s for one in ladders for rung in one.rungs})
    unit = _unit(ladders)
    rows: list[tuple[Cell, ...]] = []
    for ladder in ladders:
        found = {rung.rest_s: f"{rung.written.value / unit.factor:,.1f}" for rung in ladder.rungs}
        missing = say(message("figure-not-measured"))
        rows.append((ladder.drive.label, *(found.get(rest_s, missing) for rest_s in rests)))
    columns = (
        column(message("figure-drive")),
        *(column(message("figure-column-after", rest=number(rest_s, ".3g")), unit.label) for rest_s in rests),
    )
    return FigureTable(say(message("figure-table-reclaim")), columns, tuple(rows))
