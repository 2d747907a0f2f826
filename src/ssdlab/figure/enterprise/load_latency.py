"""Response latency against the rate that a drive is offered, with the limits (METHODS W)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import CLAT, IOPS_WITHIN, LATE, OFFERED_IOPS, RESPONSE, UNSUBMITTED
from ssdlab.bundle.quantities import IOPS as RATE
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, linear_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, IntervalEnd, Trust, curve_layers
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text, limit_text
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import column, listed, say
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import mix_title
from ssdlab.figure.kit.suite_steps import measured_points, suite_steps
from ssdlab.job import DriveState, Spacing
from ssdlab.message import message, number
from ssdlab.method.kinds.load_latency import LoadLatencyStep, mix_point
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import NS_PER_US

TITLE = message("figure-load-title")
_ARRIVALS = {
    Spacing.POISSON: message("figure-load-poisson"),
    Spacing.CONSTANT: message("figure-load-constant"),
    Spacing.BURSTS: message("figure-load-bursts"),
}
_PERCENTS = ("50", "99", "99.9", "99.99")
"""Of one drive, a line each."""
_LIMITED = "99.9"
"""Of several drives, a line each."""
_SHOWN_LIMITS = 3.0
"""Beyond so many times the largest limit a latency says only that the drive was overloaded."""
_BAR_RATIO = 1.8
"""A bar ends at so many times its value: a longer one would run through the other lines."""
_LATE_PERCENT = "99"
"""Of how late the host submitted."""
_STEPS = {WIDE: 8, NARROW: 4}


@dataclass(frozen=True, slots=True, eq=False)
class _Offered:
    """One rate."""

    iops: float
    reached: MetricReading | None
    response: Mapping[str, MetricReading]
    service: Mapping[str, MetricReading]
    late: MetricReading | None
    """How late the host submitted."""
    unsubmitted: MetricReading | None


@dataclass(frozen=True, slots=True, eq=False)
class _Mix:
    """What one drive showed at one share of reads."""

    drive: DrawnRun
    point: Point
    read_percent: int
    offered: tuple[_Offered, ...]
    within: Mapping[int, MetricReading]
    """Rates that keep a limit, by the limit."""
    state: DriveState


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """One plot of the figure."""

    title: str
    curves: tuple[Curve, ...]


def load_latency(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A plot a share of reads. One drive: a line a percentile. Several: a line a drive."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, LoadLatencyStep):
            mixes = [
                _of_drives(step, mix_point(step, named), named.read_percent, drives)
                for named in step.named_read_percent
            ]
            known = [mix for mix in mixes if any(one.offered for one in mix)]
            highest_ns = max(step.limits.response_p99_9_ns) * _SHOWN_LIMITS
            plots = [_plot(mix, highest_ns, len(bundles)) for mix in known]
            drawn = [plot for plot in plots if any(curve.points for curve in plot.curves)]
            if drawn:
                yield _figure(step, [one for mix in known for one in mix], drawn, bundles)


def _of_drives(step: LoadLatencyStep, point: Point, read_percent: int, drives: Sequence[DrawnRun]) -> list[_Mix]:
    return [_mix(step, point, read_percent, drive) for drive in drives]


def _mix(step: LoadLatencyStep, point: Point, read_percent: int, drive: DrawnRun) -> _Mix:
    known = readings(drive.bundle)
    points = [
        one
        for one in measured_points(drive.bundle, step.name)
        if point.holds(one) and one.value(CoordinateAxis.OFFERED) is not None
    ]
    offered = [
        _Offered(
            rate.value,
            known.get(MetricKey(one, RATE)),
            {percent: known[key] for percent in _PERCENTS if (key := MetricKey(one, RESPONSE, percent)) in known},
            {percent: known[key] for percent in _PERCENTS if (key := MetricKey(one, CLAT, percent)) in known},
            known.get(MetricKey(one, LATE, _LATE_PERCENT)),
            known.get(MetricKey(one, UNSUBMITTED)),
        )
        for one in points
        if (rate := known.get(MetricKey(one, OFFERED_IOPS))) is not None
    ]
    within = {
        limit_ns: known[key]
        for limit_ns in step.limits.response_p99_9_ns
        if (key := MetricKey(point.at(CoordinateAxis.LIMIT, limit_ns), IOPS_WITHIN, _LIMITED)) in known
    }
    states = [one.state for one in drive.bundle.finished() if one.point in points]
    ordered = tuple(sorted(offered, key=lambda one: one.iops))
    return _Mix(drive, point, read_percent, ordered, within, states[0] if states else DriveState.UNKNOWN)


def _plot(mixes: Sequence[_Mix], highest_ns: float, drives: int) -> _Plot:
    first = mixes[0]
    if drives == 1:
        curves = [
            _curve(say(message("figure-percent", percent=percent)), slot, Rank.COMPARED, first, percent, highest_ns)
            for slot, percent in enumerate(_PERCENTS, 1)
        ]
    else:
        curves = [_curve(one.drive.label, one.drive.slot, one.drive.rank, one, _LIMITED, highest_ns) for one in mixes]
    return _Plot(say(mix_title(first.read_percent)), tuple(curves))


def _curve(label: str, slot: int, rank: Rank, mix: _Mix, percent: str, highest_ns: float) -> Curve:
    points = [
        _curve_point(mix, one, percent, found)
        for one in mix.offered
        if (found := one.response.get(percent)) is not None and found.value <= highest_ns
    ]
    return Curve(label, slot, rank, tuple(points))


def _curve_point(mix: _Mix, offered: _Offered, percent: str, found: MetricReading) -> CurvePoint:
    """Overloaded, an interval spans the whole plot: of such a bar a stump is drawn, and its ends are said."""
    interval = _drawn_interval(found)
    words = message(
        "figure-load-point",
        drive=mix.drive.label,
        rate=number(offered.iops),
        percent=percent,
        value=found.words_of(_with_interval(found)),
    )
    return CurvePoint(
        x=offered.iops,
        y=found.value / NS_PER_US,
        words=say(words),
        low=None if interval is None else interval.low_ns / NS_PER_US,
        high=None if interval is None else interval.high_ns / NS_PER_US,
        goes_on=frozenset() if interval is None else interval.goes_on,
        trust=Trust.DOUBTFUL if found.failed_checks else Trust.SETTLED,
    )


@dataclass(frozen=True, slots=True)
class _DrawnInterval:
    """What is drawn of an interval."""

    low_ns: float
    high_ns: float
    goes_on: frozenset[IntervalEnd]


def _drawn_interval(found: MetricReading) -> _DrawnInterval | None:
    if found.low is None or found.high is None:
        return None
    least, most = found.value / _BAR_RATIO, found.value * _BAR_RATIO
    beyond = {IntervalEnd.LOW: found.low < least, IntervalEnd.HIGH: found.high > most}
    goes_on = frozenset(end for end, is_beyond in beyond.items() if is_beyond)
    return _DrawnInterval(max(found.low, least), min(found.high, most), goes_on)


def _with_interval(found: MetricReading) -> str:
    value = latency_text(found.value)
    if found.low is None or found.high is None:
        return value
    low, high = latency_text(found.low), latency_text(found.high)
    return say(message("figure-load-interval", value=value, low=low, high=high))


def _figure(step: LoadLatencyStep, mixes: Sequence[_Mix], plots: Sequence[_Plot], bundles: Sequence[Bundle]) -> Figure:
    found = (_found_words(step, mixes),) if len(bundles) == 1 else ()
    subtitle = subtitle_of(bundles, [one.state for one in mixes], *found)
    return Figure(
        name=step.name.replace("_", "-"),
        title=say(TITLE),
        subtitle=subtitle,
        caption=say(message("figure-load-caption", arrivals=_ARRIVALS[step.arrivals])),
        spec=_spec(step, plots, subtitle, WIDE),
        narrow_spec=_spec(step, plots, subtitle, NARROW),
        table=_table(mixes),
    )


def _found_words(step: LoadLatencyStep, mixes: Sequence[_Mix]) -> str:
    """The middle one of the limits, of each mix."""
    limits_ns = sorted(step.limits.response_p99_9_ns)
    limit_ns = limits_ns[len(limits_ns) // 2]
    rates = [
        say(message("figure-load-rate", mix=mix_title(one.read_percent), rate=one.within[limit_ns].text))
        for one in mixes
        if limit_ns in one.within
    ]
    limit = limit_text(limit_ns)
    if not rates:
        return say(message("figure-load-none-within", limit=limit))
    return say(message("figure-load-within", limit=limit, rates=listed(tuple(rates))))


def _spec(
    step: LoadLatencyStep, plots: Sequence[_Plot], subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(plots)), shape.height_px
    y = _latency_axis(step, plots, height_px)
    every = list({curve.label: curve for plot in plots for curve in plot.curves if curve.points}.values())
    legend = layers.legend_above([curve.label for curve in every], shape) if len(every) > 1 else None
    panels = []
    for place_of, plot in enumerate(plots):
        x = _rate_axis(plot, width_px, max(2, _STEPS[shape] // len(plots)))
        own = {curve.label: curve for curve in plot.curves}
        # All plots share the colours of the legend, so each names every line.
        curves = [own.get(curve.label, replace(curve, points=())) for curve in every]
        drawn = [
            *limit_layers(_limits(step), curves, x, y, shape, f"limits{place_of}"),
            *curve_layers(curves, x, y, shape, legend, f"plot{place_of}"),
        ]
        in_time = [in_latency(one, y) if "y" in one["encoding"] else one for one in drawn]
        panels.append(Panel(plot.title, width_px, height_px, in_time))
    described = say(message("figure-load-described", lines=len(every)))
    return panels_spec(shape, say(TITLE), subtitle, described, panels)


def _limits(step: LoadLatencyStep) -> list[LimitLine]:
    texts = [(limit_ns, limit_text(limit_ns)) for limit_ns in sorted(step.limits.response_p99_9_ns)]
    return [
        LimitLine(limit_ns / NS_PER_US, text, say(message("figure-load-limit", percent=_LIMITED, value=text)))
        for limit_ns, text in texts
    ]


def _rate_axis(plot: _Plot, length_px: int, steps: int) -> PlotAxis:
    most = max(point.x for curve in plot.curves for point in curve.points)
    axis = linear_axis(say(message("figure-load-offered")), most * 1.03, length_px, steps, round_up=True)
    return replace(axis, label_expression=SHORT_NUMBERS)


def _latency_axis(step: LoadLatencyStep, plots: Sequence[_Plot], height_px: int) -> PlotAxis:
    """The same for all plots, with every limit."""
    seen_ns = [point.y * NS_PER_US for plot in plots for curve in plot.curves for point in curve.points]
    every_ns = [*seen_ns, *step.limits.response_p99_9_ns]
    title = log_title(message("figure-response-latency"))
    return latency_axis(title, min(every_ns), max(every_ns), height_px, label_room_px=20)


def _table(mixes: Sequence[_Mix]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            one.drive.label,
            say(mix_title(one.read_percent)),
            f"{offered.iops:,.0f}",
            "" if offered.reached is None else f"{offered.reached.value:,.0f}",
            *(_cell(offered.response.get(percent)) for percent in _PERCENTS),
            _cell(offered.service.get(_LIMITED)),
            _cell(offered.late),
            say(message("figure-load-unknown")) if offered.unsubmitted is None else f"{offered.unsubmitted.value:,.0f}",
        )
        for one in mixes
        for offered in one.offered
    ]
    titles = (
        column(message("figure-drive")),
        column(message("figure-load-column-mix")),
        column(message("figure-load-offered")),
        column(message("figure-load-column-reached"), "IOPS"),
        *(column(message("figure-load-column-response", percent=percent), "µs") for percent in _PERCENTS),
        column(message("figure-load-column-service", percent=_LIMITED), "µs"),
        column(message("metric-label-late", percent=_LATE_PERCENT), "µs"),
        column(message("metric-label-unsubmitted")),
    )
    return FigureTable(say(message("figure-load-table")), titles, tuple(rows))


def _cell(found: MetricReading | None) -> Cell:
    return say(message("figure-load-unknown")) if found is None else f"{found.value / NS_PER_US:,.1f}"
