"""Speed over block size (METHODS E, sweep variant): bandwidth beside IOPS, which tell one story twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH
from ssdlab.bundle.quantities import IOPS as RATE
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.model import AxisScale, Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.readings import IOPS, MIB_PER_S, MetricReading, SpeedUnit, readings
from ssdlab.figure.kit.say import column, first_upper, say
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import block_words, mix_slug, mix_title, pattern_title
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points
from ssdlab.job import Job, Pattern
from ssdlab.message import Message, message

_LABELS = (
    "datum.value < 1024 ? datum.value + ' B' : "
    "datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'"
)
_TICKS_MAX = 6
_QUANTITIES = {"bandwidth": (BANDWIDTH, MIB_PER_S), "iops": (RATE, IOPS)}


@dataclass(frozen=True, slots=True)
class _Work:
    """What was done, whatever the block size."""

    pattern: Pattern
    read_percent: int
    depth: int

    @property
    def words(self) -> str:
        """`read at QD256`."""
        return say(message("figure-mix-at-depth", mix=mix_title(self.read_percent), depth=self.depth))

    @property
    def slug(self) -> str:
        """Part of the name of a figure: `read-qd256`."""
        return f"{mix_slug(self.read_percent)}-qd{self.depth}"

    @property
    def title(self) -> Message:
        """Of a figure of it alone."""
        done = message(
            "figure-done-at-depth",
            work=pattern_title(self.pattern),
            mix=mix_title(self.read_percent),
            depth=self.depth,
        )
        return message("figure-by-block-size", done=done)


@dataclass(frozen=True, slots=True, eq=False)
class _Sweep:
    """One line: a drive, or a workload of the only drive; readings by block size and quantity."""

    label: str
    slot: int
    rank: Rank
    drive: DrawnRun
    work: _Work
    points: Mapping[int, Mapping[str, MetricReading]]


def block_size_sweep(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure a step, lines are workloads. Several: a figure a workload, lines are drives."""
    drives = drives_of(bundles)
    for step in measure_steps(bundles[0]):
        if len(step.sweep.block_bytes or ()) < 2:
            continue
        by_drive = [_sweeps(drive, step.name) for drive in drives]
        slug = step.name.replace("_", "-")
        if len(bundles) == 1:
            lines = [
                _Sweep(work.words, slot, Rank.COMPARED, drives[0], work, points)
                for slot, (work, points) in enumerate(by_drive[0].items(), start=1)
            ]
            if lines:
                every = message("figure-pattern-io", pattern=pattern_title(lines[0].work.pattern))
                yield _figure(bundles, lines, f"block-size-{slug}", message("figure-by-block-size", done=every))
            continue
        for work in by_drive[0]:
            lines = [
                _Sweep(drive.label, drive.slot, drive.rank, drive, work, found[work])
                for drive, found in zip(drives, by_drive, strict=True)
                if work in found
            ]
            yield _figure(bundles, lines, f"block-size-{slug}-{work.slug}", work.title)


def _sweeps(drive: DrawnRun, group: str) -> dict[_Work, dict[int, dict[str, MetricReading]]]:
    known = readings(drive.bundle)
    found: dict[_Work, dict[int, dict[str, MetricReading]]] = {}
    for point, job in measured_points(drive.bundle, group).items():
        values = {
            word: known[key]
            for word, (quantity, _) in _QUANTITIES.items()
            if (key := MetricKey(point, quantity)) in known
        }
        if len(values) == len(_QUANTITIES):
            found.setdefault(_work(job), {})[job.block_bytes] = values
    return found


def _work(job: Job) -> _Work:
    return _Work(job.pattern, job.read_percent, job.in_flight)


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Sweep], name: str, told: Message) -> Figure:
    states = [one.state for line in lines for values in line.points.values() for one in values.values()]
    subtitle = subtitle_of(bundles, states)
    sizes = sorted({size for line in lines for size in line.points})
    title = say(told)
    caption = message(
        "figure-block-size-caption",
        count=len(sizes),
        smallest=block_words(sizes[0]),
        largest=block_words(sizes[-1]),
    )
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=say(caption),
        spec=_spec(lines, title, subtitle, WIDE),
        narrow_spec=_spec(lines, title, subtitle, NARROW),
        table=_table(lines, sizes),
    )


def _spec(lines: Sequence[_Sweep], title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(_QUANTITIES)), shape.height_px * 9 // 10
    x = _size_axis(sorted({size for line in lines for size in line.points}), width_px)
    legend = layers.legend_above([one.label for one in lines], shape)
    panels = []
    for quantity, (_, unit) in _QUANTITIES.items():
        curves = [_curve(line, quantity, unit) for line in lines]
        what = message("figure-bandwidth") if unit is MIB_PER_S else message("figure-rate")
        y = speed_axis(what, unit, curves, shape, height_px)
        drawn = curve_layers(curves, x, y, shape, legend, quantity)
        panels.append(Panel(first_upper(say(what)) if unit is MIB_PER_S else "IOPS", width_px, height_px, drawn))
    described = say(message("figure-block-size-described", lines=len(lines)))
    return panels_spec(shape, title, subtitle, described, panels)


def _curve(line: _Sweep, quantity: str, unit: SpeedUnit) -> Curve:
    made = []
    for size, values in sorted(line.points.items()):
        value = values[quantity]
        made.append(
            CurvePoint(
                x=size,
                y=value.value / unit.factor,
                words=f"{line.label}, {block_words(size)}: {value.words}",
                low=None if value.low is None else value.low / unit.factor,
                high=None if value.high is None else value.high / unit.factor,
                trust=Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED,
            )
        )
    return Curve(line.label, line.slot, line.rank, tuple(made))


def _size_axis(sizes: Sequence[int], length_px: int) -> PlotAxis:
    """Equal steps for each doubling, not all of them labelled."""
    ticks = sizes[:: -(-len(sizes) // _TICKS_MAX)]
    low, high = sizes[0] * 0.85, sizes[-1] * 1.18
    title = say(message("figure-block-size"))
    return PlotAxis(title, low, high, tuple(float(one) for one in ticks), length_px, AxisScale.LOG, _LABELS)


def _table(lines: Sequence[_Sweep], sizes: Sequence[int]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for quantity, (_, unit) in _QUANTITIES.items():
            found = [line.points.get(size) for size in sizes]
            missing = say(message("figure-not-measured"))
            texts = [missing if one is None else f"{one[quantity].value / unit.factor:,.0f}" for one in found]
            rows.append((line.label, unit.label, *texts))
    columns = (
        column(message("figure-column-line")),
        column(message("figure-column-unit")),
        *(Column(block_words(size), "") for size in sizes),
    )
    return FigureTable(say(message("figure-table-points")), columns, tuple(rows))
