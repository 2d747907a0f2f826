"""Speed over block size (METHODS E, sweep variant): bandwidth beside IOPS, which tell one story twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis
from ssdlab.figure.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.drives import Drive, Rank, drives_of, subtitle_of
from ssdlab.figure.model import Cell, Column, Figure, Scale, Table
from ssdlab.figure.readings import IOPS, MIB_PER_S, Reading, SpeedUnit, readings
from ssdlab.figure.style import NARROW, WIDE, Panel, Shape, panel_width_px, panels_spec
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, measured_points
from ssdlab.job import Job, Pattern

_LABELS = (
    "datum.value < 1024 ? datum.value + ' B' : "
    "datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'"
)
_TICKS_MAX = 6
_QUANTITIES = {"bandwidth": MIB_PER_S, "iops": IOPS}


@dataclass(frozen=True, slots=True)
class _Work:
    """What was done, whatever the block size."""

    pattern: Pattern
    read_percent: int
    depth: int

    @property
    def words(self) -> str:
        """`read at QD256`."""
        pure = {100: "read", 0: "write"}
        mix = pure.get(self.read_percent, f"{self.read_percent}/{100 - self.read_percent} mix")
        return f"{mix} at QD{self.depth}"


@dataclass(frozen=True, slots=True, eq=False)
class _Sweep:
    """One line: a drive, or a workload of the only drive; readings by block size and quantity."""

    label: str
    slot: int
    rank: Rank
    drive: Drive
    work: _Work
    points: Mapping[int, Mapping[str, Reading]]


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
                yield _figure(bundles, lines, f"block-size-{slug}", f"{_pattern(lines)} I/O by block size")
            continue
        for work in by_drive[0]:
            lines = [
                _Sweep(drive.label, drive.slot, drive.rank, drive, work, found[work])
                for drive, found in zip(drives, by_drive, strict=True)
                if work in found
            ]
            name = work.words.replace(" at ", "-").replace(" ", "-").replace("/", "-").lower()
            yield _figure(bundles, lines, f"block-size-{slug}-{name}", f"{_pattern(lines)} {work.words} by block size")


def _sweeps(drive: Drive, group: str) -> dict[_Work, dict[int, dict[str, Reading]]]:
    known = readings(drive.bundle)
    found: dict[_Work, dict[int, dict[str, Reading]]] = {}
    for name, job in measured_points(drive.bundle, group).items():
        values = {quantity: known[f"{name}.{quantity}"] for quantity in _QUANTITIES if f"{name}.{quantity}" in known}
        if len(values) == len(_QUANTITIES):
            found.setdefault(_work(job), {})[job.block_bytes] = values
    return found


def _work(job: Job) -> _Work:
    return _Work(job.pattern, job.read_percent, job.queue_depth * job.jobs)


def _pattern(lines: Sequence[_Sweep]) -> str:
    return lines[0].work.pattern.value.capitalize()


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Sweep], name: str, title: str) -> Figure:
    states = [one.state for line in lines for values in line.points.values() for one in values.values()]
    subtitle = subtitle_of(bundles, states)
    sizes = sorted({size for line in lines for size in line.points})
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=f"{len(sizes)} block sizes from {block_words(sizes[0])} to {block_words(sizes[-1])} on the whole drive. "
        "Bandwidth is IOPS times block size: where the one is flat, the other has the drive's limit.",
        spec=_spec(lines, title, subtitle, WIDE),
        narrow_spec=_spec(lines, title, subtitle, NARROW),
        table=_table(lines, sizes),
    )


def _spec(lines: Sequence[_Sweep], title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(_QUANTITIES)), shape.height_px * 9 // 10
    x = _size_axis(sorted({size for line in lines for size in line.points}), width_px)
    legend = layers.legend_above([one.label for one in lines], shape)
    panels = []
    for quantity, unit in _QUANTITIES.items():
        curves = [_curve(line, quantity, unit) for line in lines]
        y = speed_axis(quantity if unit is MIB_PER_S else "rate", unit, curves, shape, height_px)
        drawn = curve_layers(curves, x, y, shape, legend, quantity)
        panels.append(Panel("Bandwidth" if unit is MIB_PER_S else "IOPS", width_px, height_px, drawn))
    described = f"Line charts: bandwidth and IOPS against block size, {len(lines)} lines"
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


def _size_axis(sizes: Sequence[int], length_px: int) -> Axis:
    """Equal steps for each doubling, not all of them labelled."""
    ticks = sizes[:: -(-len(sizes) // _TICKS_MAX)]
    low, high = sizes[0] * 0.85, sizes[-1] * 1.18
    return Axis("block size", low, high, tuple(float(one) for one in ticks), length_px, Scale.LOG, _LABELS)


def _table(lines: Sequence[_Sweep], sizes: Sequence[int]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for quantity, unit in _QUANTITIES.items():
            found = [line.points.get(size) for size in sizes]
            texts = ["not measured" if one is None else f"{one[quantity].value / unit.factor:,.0f}" for one in found]
            rows.append((line.label, unit.label, *texts))
    columns = (Column("line", ""), Column("unit", ""), *(Column(block_words(size), "") for size in sizes))
    return Table("the value of each point", columns, tuple(rows))
