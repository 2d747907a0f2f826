"""Rounds of measurements until steady (SNIA PTS): how they converged, and what each cell came to in the last five."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.infer.rounds import Round, window_of
from ssdlab.analysis.infer.steady import SNIA_ROUNDS
from ssdlab.analysis.metrics.rounds import TRACKED
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.snia_window import ToldWindow, window_caption, window_table
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.model import AxisScale, Column, Figure, FigureTable
from ssdlab.figure.kit.model import Cell as TableCell
from ssdlab.figure.kit.readings import IOPS, MIB_PER_S, MetricReading, SpeedUnit, readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import block_words, mix_title, pattern_title
from ssdlab.figure.kit.suite_steps import measured_points, suite_steps
from ssdlab.job import DriveState
from ssdlab.message import Message, message
from ssdlab.method.kinds.rounds import Cell, RoundsStep, TrackedQuantity, cells_of, tracked_cells
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import NS_PER_US

_MICROSECONDS = SpeedUnit("µs", NS_PER_US)
_UNITS = {TrackedQuantity.IOPS: IOPS, TrackedQuantity.BANDWIDTH: MIB_PER_S, TrackedQuantity.LATENCY: _MICROSECONDS}
_NAMES: Mapping[TrackedQuantity, Message] = {
    TrackedQuantity.IOPS: message("figure-rate"),
    TrackedQuantity.BANDWIDTH: message("figure-bandwidth"),
    TrackedQuantity.LATENCY: message("figure-mean-latency"),
}
_SIZE_LABELS = (
    "datum.value < 1024 ? datum.value + ' B' : "
    "datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'"
)
_TICKS_MAX = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """What one step of a run showed."""

    bundle: Bundle
    step: RoundsStep
    cells: tuple[Cell, ...]
    tracked: tuple[Cell, ...]
    rounds: tuple[Mapping[Cell, MetricReading], ...]
    """Those that are whole."""
    means: Mapping[Cell, MetricReading]
    """Over the last five."""

    @property
    def unit(self) -> SpeedUnit:
        """Of what is tracked."""
        return _UNITS[self.step.tracked]

    @property
    def values(self) -> tuple[Round, ...]:
        """Without the text."""
        return tuple({cell: one.value for cell, one in cells.items()} for cells in self.rounds)

    @property
    def states(self) -> list[DriveState]:
        """Of the last five rounds."""
        return [one.state for one in self.means.values()]


def rounds(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Two figures a step: the rounds until steady, and the cells of the window. Steps of one block size each have one matrix together."""
    for bundle in bundles:
        steps = (_shown(bundle, step) for step in suite_steps(bundle) if isinstance(step, RoundsStep))
        of_one_size: list[_Rounds] = []
        for shown in (one for one in steps if one.rounds):
            yield _convergence(shown)
            if _is_of_one_size(shown):
                of_one_size.append(shown)
            else:
                yield _matrix(shown, shown.step.name)
        if _are_alike(of_one_size):
            yield _matrix(_together(of_one_size), "sizes")


def _is_of_one_size(shown: _Rounds) -> bool:
    return len({cell.block_bytes for cell in shown.cells}) == 1


def _are_alike(shown: Sequence[_Rounds]) -> bool:
    """Whether several differ in the block size alone, as the throughput test has them."""
    sizes = {one.cells[0].block_bytes for one in shown}
    loads = ((one.step.tracked, one.step.job.pattern, one.step.job.jobs, one.step.job.queue_depth) for one in shown)
    cells = ([cell.read_percent for cell in one.cells] for one in shown)
    return len(sizes) == len(shown) > 1 and len(set(loads)) == 1 and len({tuple(one) for one in cells}) == 1


def _together(shown: Sequence[_Rounds]) -> _Rounds:
    means = {cell: value for one in shown for cell, value in one.means.items()}
    return replace(shown[0], cells=tuple(cell for one in shown for cell in one.cells), means=means)


def _shown(bundle: Bundle, step: RoundsStep) -> _Rounds:
    known, quantity = readings(bundle), TRACKED[step.tracked]
    block_bytes = bundle.run.drive.logical_block_bytes
    cells = cells_of(step, block_bytes)
    found: dict[int, dict[Cell, MetricReading]] = {}
    for point, job in measured_points(bundle, step.name).items():
        place, value = point.value(CoordinateAxis.ROUND), known.get(MetricKey(point, quantity))
        if isinstance(place, int) and value is not None:
            found.setdefault(place, {})[Cell(job.read_percent, job.block_bytes)] = value
    whole = tuple(one for _, one in sorted(found.items()) if len(one) == len(cells))
    keys = {cell: MetricKey(cell.point(Point(step.name)), quantity) for cell in cells}
    means = {cell: known[key] for cell, key in keys.items() if key in known}
    return _Rounds(bundle, step, cells, tracked_cells(step, block_bytes), whole, means)


def cell_words(cell: Cell) -> str:
    """`4 KiB write`."""
    return say(message("figure-cell", block=block_words(cell.block_bytes), mix=mix_title(cell.read_percent)))


# How they converged


def _convergence(shown: _Rounds) -> Figure:
    title = say(message("figure-rounds-title", pattern=pattern_title(shown.step.job.pattern)))
    subtitle = subtitle_of([shown.bundle], shown.states)
    state = DriveState.STEADY if DriveState.STEADY in shown.states else DriveState.NOT_STEADY
    return Figure(
        name=f"rounds-{shown.step.name.replace('_', '-')}",
        title=title,
        subtitle=subtitle,
        caption=window_caption(len(shown.rounds), state),
        spec=_convergence_spec(shown, title, subtitle, WIDE),
        narrow_spec=_convergence_spec(shown, title, subtitle, NARROW),
        table=_windows_table(shown),
    )


def _drawn_cells(shown: _Rounds) -> list[Cell]:
    """As the method draws them: those of the first tracked cell's share of reads, and whatever else is tracked; of one block size all."""
    if _is_of_one_size(shown):
        return list(shown.cells)
    own = [cell for cell in shown.cells if cell.read_percent == shown.tracked[0].read_percent]
    return [*own, *(cell for cell in shown.tracked if cell not in own)]


def _convergence_spec(shown: _Rounds, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    curves = [_curve_of_rounds(shown, slot, cell) for slot, cell in enumerate(_drawn_cells(shown), start=1)]
    ticks = tuple(float(one) for one in range(1, len(shown.rounds) + 1, -(-len(shown.rounds) // 10)))
    x = PlotAxis(say(message("figure-round")), 0.8, len(shown.rounds) + 0.2, ticks, shape.width_px)
    y = speed_axis(_NAMES[shown.step.tracked], shown.unit, curves, shape, shape.height_px)
    legend = layers.legend_above([one.label for one in curves], shape)
    described = say(message("figure-rounds-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, curve_layers(curves, x, y, shape, legend, "rounds"))


def _curve_of_rounds(shown: _Rounds, slot: int, cell: Cell) -> Curve:
    label = cell_words(cell)
    points = [
        CurvePoint(
            x=place,
            y=cells[cell].value / shown.unit.factor,
            words=say(message("figure-round-point", cell=label, round=place, value=cells[cell].words)),
            trust=Trust.DOUBTFUL if cells[cell].failed_checks else Trust.SETTLED,
        )
        for place, cells in enumerate(shown.rounds, start=1)
    ]
    return Curve(label, slot, Rank.COMPARED, tuple(points))


def _windows_table(shown: _Rounds) -> FigureTable:
    """What the method asks to be printed of each tracked cell."""
    windows = ((cell, window_of(cell, shown.values)) for cell in shown.tracked)
    last = len(shown.rounds)
    told = [ToldWindow(cell_words(cell), last, window) for cell, window in windows if window is not None]
    return window_table(told, shown.unit)


# What each cell came to


def _matrix(shown: _Rounds, name: str) -> Figure:
    title = say(message("figure-cells-title", pattern=pattern_title(shown.step.job.pattern)))
    subtitle = subtitle_of([shown.bundle], shown.states)
    job = shown.step.job
    caption = message("figure-cells-caption", rounds=SNIA_ROUNDS, jobs=job.jobs, depth=job.queue_depth)
    return Figure(
        name=f"cells-{name.replace('_', '-')}",
        title=title,
        subtitle=subtitle,
        caption=say(caption),
        spec=_matrix_spec(shown, title, subtitle, WIDE),
        narrow_spec=_matrix_spec(shown, title, subtitle, NARROW),
        table=_matrix_table(shown),
    )


def _matrix_spec(shown: _Rounds, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    sizes = sorted({cell.block_bytes for cell in shown.means})
    shares = list(dict.fromkeys(cell.read_percent for cell in shown.cells))
    curves = [_curve_of_share(shown, slot, share) for slot, share in enumerate(shares, start=1)]
    ticks = tuple(float(one) for one in sizes[:: -(-len(sizes) // _TICKS_MAX)])
    x = PlotAxis(
        say(message("figure-block-size")),
        sizes[0] * 0.85,
        sizes[-1] * 1.18,
        ticks,
        shape.width_px,
        AxisScale.LOG,
        _SIZE_LABELS,
    )
    y = speed_axis(_NAMES[shown.step.tracked], shown.unit, curves, shape, shape.height_px)
    legend = layers.legend_above([one.label for one in curves], shape)
    described = say(message("figure-cells-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, curve_layers(curves, x, y, shape, legend, "cells"))


def _curve_of_share(shown: _Rounds, slot: int, read_percent: int) -> Curve:
    factor = shown.unit.factor
    points = [
        CurvePoint(
            x=cell.block_bytes,
            y=value.value / factor,
            words=f"{cell_words(cell)}: {value.words}",
            low=None if value.low is None or value.low <= 0 else value.low / factor,
            high=None if value.high is None or value.low is None or value.low <= 0 else value.high / factor,
            trust=Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED,
        )
        for cell, value in sorted(shown.means.items(), key=lambda one: one[0].block_bytes)
        if cell.read_percent == read_percent
    ]
    return Curve(say(mix_title(read_percent)), slot, Rank.COMPARED, tuple(points))


def _matrix_table(shown: _Rounds) -> FigureTable:
    """A row for each block size, a column for each share of reads, in the order of measuring."""
    sizes = list(dict.fromkeys(cell.block_bytes for cell in shown.cells))
    shares = list(dict.fromkeys(cell.read_percent for cell in shown.cells))
    missing = say(message("figure-not-measured"))
    rows: list[tuple[TableCell, ...]] = []
    for size in sizes:
        found = [shown.means.get(Cell(share, size)) for share in shares]
        texts = [missing if one is None else one.marked(f"{one.value / shown.unit.factor:,.1f}") for one in found]
        rows.append((block_words(size), *texts))
    columns = (
        column(message("figure-block-size")),
        *(Column(f"{share}/{100 - share}", shown.unit.label) for share in shares),
    )
    return FigureTable(say(message("figure-table-cells")), columns, tuple(rows))
