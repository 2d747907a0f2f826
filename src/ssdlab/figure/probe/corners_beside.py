"""Response times by size of request, of several drives or of one drive at two dates (the source paper's figures 2, 3, 13 and 14)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.commands import Verb
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, curve_layers
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.say import column, first_upper, say
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import block_words, named_with_capacity
from ssdlab.figure.probe.axes import doubling_axis
from ssdlab.figure.probe.corner_words import corner_words
from ssdlab.message import Message, message
from ssdlab.probe.probes.corners import CORNERS, SIZES_BYTES, Corner, corner_times
from ssdlab.probe.probes.statistics import Floats, median_interval
from ssdlab.probe.store.reader import evidence_of, is_probed
from ssdlab.units import NS_PER_US

_TIME = message("figure-response-time")
_PLOTS = {
    Verb.READ: (Corner.RANDOM_READ, Corner.SEQUENTIAL_READ),
    Verb.WRITE: (Corner.RANDOM_WRITE, Corner.SEQUENTIAL_WRITE),
}
_TITLES = {Verb.READ: message("figure-times-of-reads"), Verb.WRITE: message("figure-times-of-writes")}


@dataclass(frozen=True, slots=True, eq=False)
class _Time:
    """The median of one size in ns, with its 95 % interval."""

    median_ns: float
    low_ns: float
    high_ns: float


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A drive, or a drive at a date."""

    label: str
    slot: int
    rank: Rank
    times: Mapping[tuple[Corner, int], _Time]


@dataclass(frozen=True, slots=True)
class _Words:
    name: str
    subtitle: tuple[str, ...]
    caption: str


def corners_beside(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of several drives whose corners were measured, each by its last run: one figure of reads, one of writes."""
    last = {_key(drive.bundle): drive for drive in sorted(drives_of(bundles), key=_begun) if _step(drive.bundle)}
    drives = sorted(last.values(), key=lambda one: one.slot)
    if len(drives) > 1:
        lines = [_line(one.bundle, one.label, one.slot, one.rank) for one in drives]
        subtitle = (*subtitle_of([one.bundle for one in drives], ()), say(message("figure-one-in-flight")))
        caption = message("figure-corners-beside-caption", drive=lines[0].label)
        yield from _figures(lines, _Words("corners", subtitle, say(caption)))


def ageing_times(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of each drive whose corners were measured at two dates and more: the first and the last, absolute."""
    by_drive: dict[tuple[str, str], list[DrawnRun]] = {}
    for drive in sorted(drives_of(bundles), key=_begun):
        if _step(drive.bundle):
            by_drive.setdefault(_key(drive.bundle), []).append(drive)
    for runs in by_drive.values():
        if len(runs) > 1:
            ends = (runs[0].bundle, runs[-1].bundle)
            lines = [_line(one, _day(one), slot, Rank.COMPARED) for slot, one in enumerate(ends, start=1)]
            subtitle = (named_with_capacity(ends[0].run.drive), say(message("figure-one-in-flight")))
            yield from _figures(lines, _Words("ageing", subtitle, say(message("figure-ageing-times-caption"))))


def _key(bundle: Bundle) -> tuple[str, str]:
    return str(bundle.run.drive.model), str(bundle.run.drive.serial)


def _begun(drive: DrawnRun) -> str:
    return drive.bundle.run.started_at


def _day(bundle: Bundle) -> str:
    return bundle.run.started_at[:16].replace("T", " ")


def _step(bundle: Bundle) -> Step | None:
    if not is_probed(bundle):
        return None
    return next((step for step in bundle.finished() if step.name == CORNERS.name), None)


def _line(bundle: Bundle, label: str, slot: int, rank: Rank) -> _Line:
    step = _step(bundle)
    times = {} if step is None else corner_times(evidence_of(bundle, step))
    return _Line(label, slot, rank, {key: _time(values) for key, values in times.items()})


def _time(values_ns: Floats) -> _Time:
    interval = median_interval(values_ns)
    return _Time(float(np.median(values_ns)), interval.low, interval.high)


def _figures(lines: Sequence[_Line], words: _Words) -> Iterator[Figure]:
    for verb, corners in _PLOTS.items():
        title = say(_TITLES[verb])
        yield Figure(
            name=f"{words.name}-{verb.name.lower()}-times",
            title=title,
            subtitle=words.subtitle,
            caption=words.caption,
            spec=_spec(lines, corners, title, words, WIDE),
            narrow_spec=_spec(lines, corners, title, words, NARROW),
            table=_table(lines, corners),
        )


def _spec(
    lines: Sequence[_Line], corners: Sequence[Corner], title: str, words: _Words, shape: PlotShape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(corners)), shape.height_px * 9 // 10
    times = [one.times[corner, size] for one in lines for corner in corners for size in SIZES_BYTES]
    size_title = say(message("figure-request-size"))
    x = doubling_axis(size_title, SIZES_BYTES[0] * 0.85, SIZES_BYTES[-1] * 1.18, width_px, shape.x_ticks)
    y = latency_axis(
        log_title(_TIME),
        min(one.low_ns for one in times),
        max(one.high_ns for one in times),
        height_px,
        label_room_px=20,
    )
    legend = layers.legend_above([one.label for one in lines], shape)
    panels = [_panel(lines, corner, x, y, shape, legend) for corner in corners]
    described = say(message("figure-times-described", lines=len(lines)))
    return panels_spec(shape, title, words.subtitle, described, panels)


def _panel(
    lines: Sequence[_Line], corner: Corner, x: PlotAxis, y: PlotAxis, shape: PlotShape, legend: layers.Legend
) -> Panel:
    name = corner.value.replace(" ", "-")
    drawn = curve_layers([_curve(one, corner) for one in lines], x, y, shape, legend, name)
    words = first_upper(corner_words(corner))
    return Panel(words, x.length_px, y.length_px, [in_latency(one, y) for one in drawn])


def _curve(line: _Line, corner: Corner) -> Curve:
    points = []
    for size in SIZES_BYTES:
        time = line.times[corner, size]
        told = f"{line.label}, {block_words(size)}: {latency_text(time.median_ns)}"
        points.append(
            CurvePoint(size, time.median_ns / NS_PER_US, told, time.low_ns / NS_PER_US, time.high_ns / NS_PER_US)
        )
    return Curve(line.label, line.slot, line.rank, tuple(points))


def _table(lines: Sequence[_Line], corners: Sequence[Corner]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for corner in corners:
            for size in SIZES_BYTES:
                time, first = line.times[corner, size], lines[0].times[corner, size]
                shown = [f"{one / NS_PER_US:.2f}" for one in (time.median_ns, time.low_ns, time.high_ns)]
                rows.append((line.label, corner_words(corner), size, *shown, f"{time.median_ns / first.median_ns:.3f}"))
    over: Message = message("figure-column-over-first", first=lines[0].label)
    columns = (
        column(message("figure-column-line")),
        column(message("figure-column-corner")),
        column(message("figure-column-size"), "B"),
        column(message("figure-column-time"), "µs"),
        column(message("figure-column-interval-from"), "µs"),
        column(message("figure-column-to"), "µs"),
        column(over),
    )
    return FigureTable(say(message("figure-table-corners")), columns, tuple(rows))
