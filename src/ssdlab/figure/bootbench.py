"""Every candidate of a search: reads a second and their latency against the number of readers, with the limits (METHODS E5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.bootbench import Bound, limits_of
from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis
from ssdlab.figure.curves import Curve, CurvePoint, Trust, curve_layers, curve_outline, speed_axis
from ssdlab.figure.depth_sweep import depth_axis
from ssdlab.figure.drives import Drive, Rank, drives_of, subtitle_of
from ssdlab.figure.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.layers import Layer
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.place import Align, Box, Placed, Spot, place
from ssdlab.figure.readings import IOPS, Reading, readings
from ssdlab.figure.style import NARROW, WIDE, Ink, Panel, Shape, panel_width_px, panels_spec
from ssdlab.figure.suite_steps import suite_steps
from ssdlab.job import StepKind
from ssdlab.method.schema import SearchStep
from ssdlab.units import NS_PER_US

TITLE = "Boot drive: readers served in time beside writes and trims"
_LATENCIES = {Bound.CLAT_P99: "99 % of reads", Bound.CLAT_P99_9: "99.9 % of reads", Bound.CLAT_MAX: "longest read"}
_COMPARED = (Bound.CLAT_P99, Bound.CLAT_MAX)
"""Of several drives: a plot each, and all of it in the table."""
_RATE = "reads a second"


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """One run of one candidate."""

    word: str
    jobs: int
    passed: bool
    values: Mapping[Bound, Reading]


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """One drive's."""

    drive: Drive
    tried: tuple[_Tried, ...]
    jobs: Reading | None
    """What was found, if anything."""
    iops: Reading | None
    state: str


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """One plot of a figure: rates, or latencies."""

    title: str
    curves: tuple[Curve, ...]
    bounds: tuple[Bound, ...]

    @property
    def is_of_rates(self) -> bool:
        return self.bounds == (Bound.IOPS,)


def bootbench(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: rates beside all latencies. Several: a plot a quantity, a line a drive."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, SearchStep):
            found = [one for drive in drives_of(bundles) if (one := _search(drive, step.name)).tried]
            if found:
                yield _figure(step, found, len(bundles))


def _search(drive: Drive, group: str) -> _Search:
    known = readings(drive.bundle)
    passed = {metric.step for metric in drive.bundle.metrics if metric.name.endswith(".pass") and metric.value is True}
    steps = [one for one in drive.bundle.finished() if one.group == group and one.kind is StepKind.MEASURE]
    return _Search(
        drive,
        tuple(
            _Tried(
                word=step.name.removeprefix(f"{group}."),
                jobs=step.job.jobs,
                passed=step.name in passed,
                values={bound: known[name] for bound in Bound if (name := f"{step.name}.{bound.value}") in known},
            )
            for step in steps
            if step.job is not None
        ),
        known.get(f"{group}.jobs"),
        known.get(f"{group}.iops"),
        steps[0].state.value if steps else "unknown",
    )


def _figure(step: SearchStep, searches: Sequence[_Search], drives: int) -> Figure:
    limits = limits_of(step)
    plots = _plots_alone(searches[0]) if drives == 1 else _plots_beside(searches)
    subtitle = subtitle_of(
        [one.drive.bundle for one in searches], [one.state for one in searches], *_answer(searches, drives)
    )
    return Figure(
        name=f"{step.name.replace('_', '-')}-search",
        title=TITLE,
        subtitle=subtitle,
        caption=f"Every run of every candidate; the line goes through the last one of each. Hollow: a limit was missed. "
        f"Dashed: limits. Passed is the largest number of readers that keep those of latency and the floors of writes and "
        f"trims, if it comes to {limits[Bound.IOPS]:,} reads a second.",
        spec=_spec(plots, limits, subtitle, WIDE),
        narrow_spec=_spec(plots, limits, subtitle, NARROW),
        table=_table(searches),
    )


def _answer(searches: Sequence[_Search], drives: int) -> tuple[str, ...]:
    """Of one drive in its subtitle; those of several are in the legend."""
    return () if drives > 1 else (_found_words(searches[0]),)


def _found_words(search: _Search) -> str:
    if search.jobs is None or search.iops is None:
        return "no number of readers found"
    return f"{search.jobs.value:.0f} readers: {search.iops.text}"


def _plots_alone(search: _Search) -> list[_Plot]:
    rates = _curve(_RATE, 1, Rank.COMPARED, search, Bound.IOPS)
    latencies = [
        _curve(label, slot, Rank.COMPARED, search, bound) for slot, (bound, label) in enumerate(_LATENCIES.items(), 2)
    ]
    return _kept([_Plot(_RATE, (rates,), (Bound.IOPS,)), _Plot("latency", tuple(latencies), tuple(_LATENCIES))])


def _plots_beside(searches: Sequence[_Search]) -> list[_Plot]:
    def plot(title: str, bound: Bound) -> _Plot:
        named = [(one, f"{one.drive.label}, {_found_words(one)}") for one in searches]
        curves = [_curve(label, one.drive.slot, one.drive.rank, one, bound) for one, label in named]
        return _Plot(title, tuple(curves), (bound,))

    return _kept([plot(_RATE, Bound.IOPS), *(plot(_LATENCIES[bound], bound) for bound in _COMPARED)])


def _kept(plots: Sequence[_Plot]) -> list[_Plot]:
    """Without those that would be empty: of brief runs no percentile is known."""
    return [plot for plot in plots if any(curve.points for curve in plot.curves)]


def _curve(label: str, slot: int, rank: Rank, search: _Search, bound: Bound) -> Curve:
    rate = bound is Bound.IOPS
    points = []
    for one in search.tried:
        reading = one.values.get(bound)
        if reading is None:
            continue
        value = reading.value if rate else reading.value / NS_PER_US
        text = reading.words if rate else latency_text(reading.value)
        words = f"{search.drive.label}, {one.jobs} readers ({one.word}), {_LATENCIES.get(bound, _RATE)}: {text}"
        trust = Trust.SETTLED if one.passed and not reading.failed_checks else Trust.DOUBTFUL
        points.append(CurvePoint(one.jobs, value, words, trust=trust))
    last = {point.x: point.y for point in points}
    return Curve(label, slot, rank, tuple(points), tuple(sorted(last.items())))


def _spec(
    plots: Sequence[_Plot], limits: Mapping[Bound, int], subtitle: tuple[str, ...], shape: Shape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(plots)), shape.height_px
    everywhere = [point for plot in plots for curve in plot.curves for point in curve.points]
    x = _jobs_axis([int(point.x) for point in everywhere], width_px)
    every = list({curve.label: curve for plot in plots for curve in plot.curves if curve.points}.values())
    legend = layers.legend_above([curve.label for curve in every], shape) if len(every) > 1 else None
    panels = []
    for number, plot in enumerate(plots):
        y = _rate_axis(plot, limits, shape) if plot.is_of_rates else _latency_axis(plots, limits, height_px)
        own = {curve.label: curve for curve in plot.curves}
        # All plots share the colours of the legend, so each names every line.
        curves = [own.get(curve.label, Curve(curve.label, curve.slot, curve.rank, ())) for curve in every]
        drawn = [
            *_limit_layers(plot, limits, x, y, shape, number),
            *curve_layers(curves, x, y, shape, legend, f"plot{number}"),
        ]
        panels.append(Panel(plot.title, width_px, height_px, drawn if plot.is_of_rates else _in_latencies(drawn, y)))
    description = f"Line charts: reads a second and their latency against the number of readers, {len(every)} lines"
    return panels_spec(shape, TITLE, subtitle, description, panels)


def _in_latencies(drawn: Sequence[Layer], y: Axis) -> list[Layer]:
    return [in_latency(one, y) if "y" in one["encoding"] else one for one in drawn]


def _jobs_axis(jobs: Sequence[int], length_px: int) -> Axis:
    """Doublings are labelled; what bisection tried lies between them."""
    doubling = [one for one in sorted(set(jobs)) if one & (one - 1) == 0]
    axis = depth_axis([min(jobs), *doubling, max(jobs)], length_px)
    ticks = tuple(float(one) for one in doubling) or (float(min(jobs)),)
    every = max(1, -(-len(ticks) * 30 // length_px))
    return Axis("readers, one read in flight each", axis.low, axis.high, ticks[::every], length_px, axis.scale)


def _rate_axis(plot: _Plot, limits: Mapping[Bound, int], shape: Shape) -> Axis:
    """Up to the limit at least, so that it is seen how far it is."""
    limit = float(limits[Bound.IOPS])
    first = plot.curves[0]
    with_limit = Curve(first.label, first.slot, first.rank, (CurvePoint(1, limit, ""),))
    return speed_axis(_RATE, IOPS, [*plot.curves, with_limit], shape, shape.height_px)


def _latency_axis(plots: Sequence[_Plot], limits: Mapping[Bound, int], height_px: int) -> Axis:
    """The same for all plots of latencies."""
    of_latency = [plot for plot in plots if not plot.is_of_rates]
    seen_ns = [point.y * NS_PER_US for plot in of_latency for curve in plot.curves for point in curve.points]
    bounds_ns = [limits[bound] for plot in of_latency for bound in plot.bounds]
    every_ns = [*seen_ns, *bounds_ns]
    return latency_axis("completion latency (log scale)", min(every_ns), max(every_ns), height_px, label_room_px=20)


def _limit_layers(plot: _Plot, limits: Mapping[Bound, int], x: Axis, y: Axis, shape: Shape, number: int) -> list[Layer]:
    """A dashed line across the plot for each limit, with its value where there is room."""
    rows, wanted = [], []
    for bound in plot.bounds:
        value = float(limits[bound]) if plot.is_of_rates else limits[bound] / NS_PER_US
        text = f"{limits[bound]:,} reads/s" if plot.is_of_rates else latency_text(limits[bound])
        named = f"{_LATENCIES[bound].partition(' of ')[0]}: " if len(plot.bounds) > 1 else "limit: "
        rows.append({"y": layers.short(value), "words": f"limit of {_LATENCIES.get(bound, _RATE)}: {text}"})
        wanted.append(_beside_line(f"{named}{text}", y.length_px - float(y.px(value)), x))
    curves = [curve_outline(curve, x, y) for curve in plot.curves if curve.points]
    labels = place(wanted, curves, [], Box(0, 0, x.length_px, y.length_px), shape.font_px)
    placed = {one.lines for one in labels}
    # A limit must be readable even where a curve runs through its value.
    labels = [*labels, *(one[0] for one in wanted if one[0].lines not in placed)]
    mark = {"type": "rule", "strokeWidth": 1.4, "strokeDash": [6, 4], "color": Ink.REST.value}
    encoding = {"y": y.encoding("y"), "description": {"field": "words"}}
    rule = {"name": f"{layers.KEY_PREFIX}limits{number}", "data": {"values": rows}, "mark": mark, "encoding": encoding}
    return [rule, *layers.text_layers(labels, x, y, shape, name=f"limits{number}")]


def _beside_line(words: str, line_px: float, x: Axis) -> tuple[Placed, ...]:
    """Over or under the line: at one of its ends, else anywhere along it."""
    ends = [(5.0, Align.LEFT), (x.length_px - 5.0, Align.RIGHT)]
    between = [(x.length_px * share / 10, Align.CENTRE) for share in range(2, 9)]
    return tuple(
        Placed((words,), Spot(at, line_px + aside, align)) for at, align in [*ends, *between] for aside in (-10, 11)
    )


def _table(searches: Sequence[_Search]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for search in searches:
        for one in search.tried:
            cells = [_cell(bound, one.values.get(bound)) for bound in Bound]
            rows.append((search.drive.label, one.word, one.jobs, *cells, "yes" if one.passed else "no"))
    titles = (
        *(Column(title, "") for title in ("drive", "run", "readers")),
        *(Column(label, "µs") for label in _LATENCIES.values()),
        *(Column(f"slowest {what}", "MiB/s") for what in ("writes", "trims")),
        Column(_RATE, "IOPS"),
        Column("within limits", ""),
    )
    return Table("every run, in the order of the search", titles, tuple(rows))


def _cell(bound: Bound, reading: Reading | None) -> Cell:
    if reading is None:
        return "too few reads above"
    if bound in _LATENCIES:
        return f"{reading.value / NS_PER_US:,.1f}"
    return f"{reading.value:,.0f}" if bound is Bound.IOPS else reading.text.partition(" ")[0]
