"""What drives do under loads of several kinds of I/O: a bar a mix, beside each other the queue depths."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, CLAT
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.grouped_bars import BarLine, BarPlot, GroupedBar, grouped_spec
from ssdlab.figure.kit.latency_axis import latency_text
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.figure.kit.suite_steps import measured_points, suite_steps
from ssdlab.message import Message, message
from ssdlab.method.kinds.mixes import MixesStep, depth_point
from ssdlab.method.mix_file import title_of_mix
from ssdlab.units import MB, NS_PER_MS, format_mb_per_s

_PLOTS_MAX = 3
"""Beside each other in a figure; of more depths the lowest, the middle one and the deepest are drawn."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What the bars of a figure are."""

    name: str
    title: Message
    unit: str
    unit_value: float
    """Of the metric in one of the unit."""
    axis: Message
    caption: Message
    percent: str | None

    def key(self, step: MixesStep, mix: str, depth: int) -> MetricKey:
        """The metric of a bar."""
        point = depth_point(step, mix, depth)
        return MetricKey(point, BANDWIDTH) if self.percent is None else MetricKey(point, CLAT, self.percent)

    def text(self, found: MetricReading) -> str:
        """At the end of a bar."""
        if self.percent is None:
            return found.marked(format_mb_per_s(found.value, found.low, found.high))
        return found.marked(latency_text(found.value))

    def words(self, found: MetricReading) -> str:
        """The value with its unit, and the checks it failed."""
        if self.percent is None:
            return found.words_of(f"{format_mb_per_s(found.value, found.low, found.high)} MB/s")
        return found.words_of(latency_text(found.value))


_BANDWIDTH = _Told(
    "mixes-bandwidth",
    message("figure-mixes-bandwidth-title"),
    "MB/s",
    MB,
    message("figure-mixes-bandwidth"),
    message("figure-mixes-bandwidth-caption"),
    None,
)
_LATENCY = _Told(
    "mixes-latency",
    message("figure-mixes-latency-title"),
    "ms",
    NS_PER_MS,
    message("figure-mixes-latency"),
    message("figure-mixes-latency-caption"),
    "99",
)


def mixes(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Bandwidth and latency, a plot a queue depth. One drive: a bar a mix. Several: a group a mix, a bar a drive."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, MixesStep):
            for told in (_BANDWIDTH, _LATENCY):
                yield from _figure(step, drives, told)


def _figure(step: MixesStep, drives: Sequence[DrawnRun], told: _Told) -> Iterator[Figure]:
    found = {drive.slot: _known(step, drive, told) for drive in drives}
    measured = [mix for mix in step.mixes if any(mix == one for values in found.values() for one, _ in values)]
    if not measured:
        return
    lines = _lines(measured, drives, found, told)
    at = {depth for values in found.values() for _, depth in values}
    depths = _drawn_depths(at)
    highest = max(one.value for values in found.values() for one in values.values()) / told.unit_value
    plots = [BarPlot(f"q{depth}", f"QD{depth}", say(_axis(told)), highest) for depth in depths]
    bundles = [drive.bundle for drive in drives]
    states = [value.state for values in found.values() for value in values.values()]
    title, subtitle = say(told.title), subtitle_of(bundles, states)
    described = say(message("figure-mixes-described", mixes=len(measured), drives=len(drives)))

    def drawn(shape: PlotShape) -> dict[str, object]:
        return grouped_spec(lines, plots, shape, title, subtitle, described)

    unseen = [f"QD{depth}" for depth in step.queue_depth if depth in at and depth not in depths]
    yield Figure(
        name=told.name if step.name == "mixes" else f"{told.name}-{step.name.replace('_', '-')}",
        title=title,
        subtitle=subtitle,
        caption=sentences(
            say(told.caption), say(message("figure-mixes-in-table", depths=listed(unseen))) if unseen else ""
        ),
        spec=drawn(WIDE),
        narrow_spec=drawn(NARROW),
        table=_table(measured, step.queue_depth, drives, found, told),
    )


_Found = Mapping[tuple[str, int], MetricReading]
"""By mix and depth."""


def _known(step: MixesStep, drive: DrawnRun, told: _Told) -> _Found:
    known, points = readings(drive.bundle), measured_points(drive.bundle, step.name)
    keys = {(mix, depth): told.key(step, mix, depth) for mix in step.mixes for depth in step.queue_depth}
    return {place: known[key] for place, key in keys.items() if key in known and key.point in points}


def _drawn_depths(depths: Iterable[int]) -> tuple[int, ...]:
    ordered = sorted(depths)
    if len(ordered) <= _PLOTS_MAX:
        return tuple(ordered)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1]


def _axis(told: _Told) -> Message:
    return message("figure-axis", what=told.axis, unit=told.unit)


def _lines(
    measured: Sequence[str], drives: Sequence[DrawnRun], found: Mapping[int, _Found], told: _Told
) -> list[BarLine]:
    if len(drives) == 1:
        return [_line(say(title_of_mix(mix)), mix, drives[0], found[drives[0].slot], told) for mix in measured]
    lines = []
    for mix in measured:
        lines.append(BarLine(name=say(title_of_mix(mix)), bold=True, bars={}))
        lines += [
            _line(drive.label, mix, drive, found[drive.slot], told)
            for drive in drives
            if any(one == mix for one, _ in found[drive.slot])
        ]
    return lines


def _line(name: str, mix: str, drive: DrawnRun, found: _Found, told: _Told) -> BarLine:
    return BarLine(
        name=name,
        bold=False,
        slot=drive.slot,
        opacity=drive.rank.opacity,
        bars={
            f"q{depth}": GroupedBar(
                value.value / told.unit_value,
                told.text(value),
                say(
                    message(
                        "figure-mixes-bar",
                        drive=drive.label,
                        mix=title_of_mix(mix),
                        depth=str(depth),
                        value=told.words(value),
                    )
                ),
            )
            for (one, depth), value in found.items()
            if one == mix
        },
    )


def _table(
    measured: Sequence[str],
    depths: Sequence[int],
    drives: Sequence[DrawnRun],
    found: Mapping[int, _Found],
    told: _Told,
) -> FigureTable:
    missing = say(message("figure-not-measured"))
    rows: list[tuple[Cell, ...]] = []
    for mix in measured:
        for drive in drives:
            cells = [found[drive.slot].get((mix, depth)) for depth in depths]
            values = (missing if one is None else _cell(one, told) for one in cells)
            rows.append((say(title_of_mix(mix)), drive.label, *values))
    columns = (
        column(message("figure-mixes-column")),
        column(message("figure-drive")),
        *(Column(f"QD{depth}", told.unit) for depth in depths),
    )
    return FigureTable(say(message("figure-mixes-table")), columns, tuple(rows))


def _cell(found: MetricReading, told: _Told) -> Cell:
    if told.percent is None:
        return told.text(found)
    return found.marked(f"{found.value / told.unit_value:,.3f}")
