"""Every candidate of a search: reads a second and their latency against the number of readers, with the limits (METHODS E5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.metrics.bootbench import QUANTITIES, Bound, limits_of
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS as RATE
from ssdlab.bundle.quantities import JOBS, PASS
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.kit.depth_sweep import depth_axis
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import IOPS, MetricReading, readings
from ssdlab.figure.kit.say import column, listed, say
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import DriveState, StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.search import SearchStep
from ssdlab.point import Point
from ssdlab.units import NS_PER_US, format_mib_per_s

TITLE = message("figure-boot-title")
_LATENCIES = {
    Bound.CLAT_P99: message("figure-boot-reads-within", percent="99"),
    Bound.CLAT_P99_9: message("figure-boot-reads-within", percent="99.9"),
    Bound.CLAT_MAX: message("figure-boot-longest-read"),
}
_LATENCIES_BRIEF = {
    Bound.CLAT_P99: message("figure-percent", percent="99"),
    Bound.CLAT_P99_9: message("figure-percent", percent="99.9"),
    Bound.CLAT_MAX: message("figure-boot-longest-read"),
}
_COMPARED = (Bound.CLAT_P99, Bound.CLAT_MAX)
"""Of several drives: a plot each, and all of it in the table."""
_RATE = message("figure-boot-reads-a-second")


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """One run of one candidate."""

    word: str
    jobs: int
    passed: bool
    values: Mapping[Bound, MetricReading]


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """One drive's."""

    drive: DrawnRun
    tried: tuple[_Tried, ...]
    jobs: MetricReading | None
    """What was found, if anything."""
    iops: MetricReading | None
    state: DriveState


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
            plots = _plots(found, len(bundles))
            # Of damaged conclusions nothing may be left to draw.
            if plots:
                yield _figure(step, found, plots, len(bundles))


def _search(drive: DrawnRun, group: str) -> _Search:
    known = readings(drive.bundle)
    passed = {
        metric.key.point for metric in drive.bundle.metrics if metric.key.quantity == PASS and metric.value is True
    }
    steps = [one for one in drive.bundle.finished() if one.group == group and one.kind is StepKind.MEASURE]
    return _Search(
        drive,
        tuple(
            _Tried(
                word=step.point.words,
                jobs=step.job.jobs,
                passed=step.point in passed,
                values={
                    bound: known[key]
                    for bound, (quantity, percent) in QUANTITIES.items()
                    if (key := MetricKey(step.point, quantity, percent)) in known
                },
            )
            for step in steps
            if step.job is not None
        ),
        known.get(MetricKey(Point(group), JOBS)),
        known.get(MetricKey(Point(group), RATE)),
        steps[0].state if steps else DriveState.UNKNOWN,
    )


def _plots(searches: Sequence[_Search], drives: int) -> list[_Plot]:
    if not searches:
        return []
    return _plots_alone(searches[0]) if drives == 1 else _plots_beside(searches)


def _figure(step: SearchStep, searches: Sequence[_Search], plots: Sequence[_Plot], drives: int) -> Figure:
    limits = limits_of(step)
    subtitle = subtitle_of(
        [one.drive.bundle for one in searches], [one.state for one in searches], *_answer(searches, drives)
    )
    return Figure(
        name=f"{step.name.replace('_', '-')}-search",
        title=say(TITLE),
        subtitle=subtitle,
        caption=say(message("figure-boot-caption", iops=number(limits[Bound.IOPS]))),
        spec=_spec(plots, limits, subtitle, WIDE),
        narrow_spec=_spec(plots, limits, subtitle, NARROW),
        table=_table(searches),
    )


def _answer(searches: Sequence[_Search], drives: int) -> tuple[str, ...]:
    """Of one drive in its subtitle; those of several are in the legend."""
    return () if drives > 1 else (_found_words(searches[0]),)


def _found_words(search: _Search) -> str:
    if search.jobs is None or search.iops is None:
        return say(message("figure-boot-none-found"))
    return say(message("figure-boot-found", readers=number(search.jobs.value, ".0f"), rate=search.iops.text))


def _plots_alone(search: _Search) -> list[_Plot]:
    rates = _curve(say(_RATE), 1, Rank.COMPARED, search, Bound.IOPS)
    latencies = [
        _curve(say(label), slot, Rank.COMPARED, search, bound)
        for slot, (bound, label) in enumerate(_LATENCIES.items(), 2)
    ]
    of_latency = say(message("figure-latency"))
    return _kept([_Plot(say(_RATE), (rates,), (Bound.IOPS,)), _Plot(of_latency, tuple(latencies), tuple(_LATENCIES))])


def _plots_beside(searches: Sequence[_Search]) -> list[_Plot]:
    def plot(title: Message, bound: Bound) -> _Plot:
        named = [(one, listed((one.drive.label, _found_words(one)))) for one in searches]
        curves = [_curve(label, one.drive.slot, one.drive.rank, one, bound) for one, label in named]
        return _Plot(say(title), tuple(curves), (bound,))

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
        told = message(
            "figure-boot-point",
            drive=search.drive.label,
            readers=one.jobs,
            run=one.word,
            what=_LATENCIES.get(bound, _RATE),
            value=text,
        )
        trust = Trust.SETTLED if one.passed and not reading.failed_checks else Trust.DOUBTFUL
        points.append(CurvePoint(one.jobs, value, say(told), trust=trust))
    last = {point.x: point.y for point in points}
    return Curve(label, slot, rank, tuple(points), tuple(sorted(last.items())))


def _spec(
    plots: Sequence[_Plot], limits: Mapping[Bound, int], subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(plots)), shape.height_px
    everywhere = [point for plot in plots for curve in plot.curves for point in curve.points]
    x = _jobs_axis([int(point.x) for point in everywhere], width_px)
    every = list({curve.label: curve for plot in plots for curve in plot.curves if curve.points}.values())
    legend = layers.legend_above([curve.label for curve in every], shape) if len(every) > 1 else None
    panels = []
    for place_of, plot in enumerate(plots):
        y = _rate_axis(plot, limits, shape) if plot.is_of_rates else _latency_axis(plots, limits, height_px)
        own = {curve.label: curve for curve in plot.curves}
        # All plots share the colours of the legend, so each names every line.
        curves = [own.get(curve.label, Curve(curve.label, curve.slot, curve.rank, ())) for curve in every]
        drawn = [
            *_limit_layers(plot, limits, x, y, shape, place_of),
            *curve_layers(curves, x, y, shape, legend, f"plot{place_of}"),
        ]
        panels.append(Panel(plot.title, width_px, height_px, drawn if plot.is_of_rates else _in_latencies(drawn, y)))
    description = say(message("figure-boot-described", lines=len(every)))
    return panels_spec(shape, say(TITLE), subtitle, description, panels)


def _in_latencies(drawn: Sequence[Layer], y: PlotAxis) -> list[Layer]:
    return [in_latency(one, y) if "y" in one["encoding"] else one for one in drawn]


def _jobs_axis(jobs: Sequence[int], length_px: int) -> PlotAxis:
    """Doublings are labelled; what bisection tried lies between them."""
    doubling = [one for one in sorted(set(jobs)) if one & (one - 1) == 0]
    axis = depth_axis([min(jobs), *doubling, max(jobs)], length_px)
    ticks = tuple(float(one) for one in doubling) or (float(min(jobs)),)
    every = max(1, -(-len(ticks) * 30 // length_px))
    return PlotAxis(say(message("figure-boot-readers")), axis.low, axis.high, ticks[::every], length_px, axis.scale)


def _rate_axis(plot: _Plot, limits: Mapping[Bound, int], shape: PlotShape) -> PlotAxis:
    """Up to the limit at least, so that it is seen how far it is."""
    limit = float(limits[Bound.IOPS])
    first = plot.curves[0]
    with_limit = Curve(first.label, first.slot, first.rank, (CurvePoint(1, limit, ""),))
    return speed_axis(_RATE, IOPS, [*plot.curves, with_limit], shape, shape.height_px)


def _latency_axis(plots: Sequence[_Plot], limits: Mapping[Bound, int], height_px: int) -> PlotAxis:
    """The same for all plots of latencies."""
    of_latency = [plot for plot in plots if not plot.is_of_rates]
    seen_ns = [point.y * NS_PER_US for plot in of_latency for curve in plot.curves for point in curve.points]
    bounds_ns = [limits[bound] for plot in of_latency for bound in plot.bounds]
    every_ns = [*seen_ns, *bounds_ns]
    title = log_title(message("figure-completion-latency"))
    return latency_axis(title, min(every_ns), max(every_ns), height_px, label_room_px=20)


def _limit_layers(
    plot: _Plot, limits: Mapping[Bound, int], x: PlotAxis, y: PlotAxis, shape: PlotShape, plot_number: int
) -> list[Layer]:
    """A dashed line across the plot for each limit."""
    lines = []
    for bound in plot.bounds:
        value = float(limits[bound]) if plot.is_of_rates else limits[bound] / NS_PER_US
        text = _limit_text(limits[bound], plot)
        name = _LATENCIES_BRIEF[bound] if len(plot.bounds) > 1 else message("figure-boot-limit")
        said = message("figure-boot-limit-of", what=_LATENCIES.get(bound, _RATE), value=text)
        lines.append(LimitLine(value, say(message("figure-boot-limit-label", name=name, value=text)), say(said)))
    return limit_layers(lines, plot.curves, x, y, shape, f"limits{plot_number}")


def _limit_text(limit: int, plot: _Plot) -> str:
    if plot.is_of_rates:
        return say(message("figure-boot-limit-rate", rate=number(limit)))
    return latency_text(limit)


def _table(searches: Sequence[_Search]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for search in searches:
        for one in search.tried:
            cells = [_cell(bound, one.values.get(bound)) for bound in Bound]
            passed = say(message("figure-yes") if one.passed else message("figure-no"))
            rows.append((search.drive.label, one.word, one.jobs, *cells, passed))
    titles = (
        column(message("figure-drive")),
        column(message("figure-boot-column-run")),
        column(message("figure-boot-column-readers")),
        *(column(label, "µs") for label in _LATENCIES.values()),
        column(message("figure-boot-column-slowest-writes"), "MiB/s"),
        column(message("figure-boot-column-slowest-trims"), "MiB/s"),
        column(_RATE, "IOPS"),
        column(message("figure-boot-column-within-limits")),
    )
    return FigureTable(say(message("figure-boot-table")), titles, tuple(rows))


def _cell(bound: Bound, reading: MetricReading | None) -> Cell:
    if reading is None:
        return say(message("figure-boot-too-few"))
    if bound in _LATENCIES:
        return f"{reading.value / NS_PER_US:,.1f}"
    if bound is Bound.IOPS:
        return f"{reading.value:,.0f}"
    return format_mib_per_s(reading.value, reading.low, reading.high)
