"""How rate and response time depend on how much is asked of a drive (SNIA PTS, DIRTH and CBW)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.infer.snia import snia_window
from ssdlab.analysis.infer.steady import SNIA_ROUNDS
from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, merged
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS as RATE
from ssdlab.bundle.quantities import LAT_MEAN
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import LatencyKind
from ssdlab.figure.enterprise.snia_window import ToldWindow, window_caption, window_table
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text, limit_text
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import IOPS, MetricReading, readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import mix_title, pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.figure.kit.tail import TailWords, curve_of_bins, tail_figure
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.demand import (
    Demand,
    DemandStep,
    Operating,
    demands_of,
    most_of,
    operating_point,
    saturation_point,
)
from ssdlab.method.mix_file import title_of_mix
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import NS_PER_US
from ssdlab.unknown import Unknown

_TICKS = 10


@dataclass(frozen=True, slots=True)
class _Known:
    """What a demand came to in the last five rounds."""

    iops: MetricReading
    response: MetricReading


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """What one step of a run showed."""

    bundle: Bundle
    step: DemandStep
    jobs: Mapping[Operating, Job]
    """Of the operating points that are done."""
    known: Mapping[Demand, _Known]
    saturation: tuple[MetricReading, ...]
    """Of the rounds of writes."""
    rounds: tuple[MetricReading, ...]
    """Of what is tracked, in the rounds that are whole."""

    @property
    def states(self) -> list[DriveState]:
        """Of the last five rounds."""
        return [one.iops.state for one in self.known.values()]

    @property
    def work(self) -> Message:
        """Of its job."""
        return work_of(self.step)


def work_of(step: DemandStep) -> Message:
    """`Random 8 KiB 65/35 mix`, or the title of the mix."""
    job = step.job
    if job.mix is not None or job.pattern is None or job.block_bytes is None:
        return title_of_mix(job.mix or "")
    patterned = pattern_of_blocks_title(job.pattern, job.block_bytes)
    return message("figure-demand-work", work=patterned, mix=mix_title(job.read_percent or 0))


def demand(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, for each step: intensity, variation, response times of the operating points, and how it converged."""
    bundle = bundles[0]
    for step in suite_steps(bundle):
        if isinstance(step, DemandStep):
            shown = _shown(bundle, step)
            if shown.known:
                yield _intensity(shown)
                yield _variation(shown)
            yield from _response_times(shown)
            if shown.saturation:
                yield _convergence(shown)


def _shown(bundle: Bundle, step: DemandStep) -> _Shown:
    known = readings(bundle)
    found: dict[Demand, _Known] = {}
    for one in demands_of(step):
        point = one.point(Point(step.name))
        iops, response = known.get(MetricKey(point, RATE)), known.get(MetricKey(point, LAT_MEAN))
        if iops is not None and response is not None:
            found[one] = _Known(iops, response)
    points = {operating_point(step.name, one): one for one in Operating}
    jobs = {
        points[one.point]: one.job
        for one in bundle.finished()
        if one.kind is StepKind.MEASURE and one.point in points and one.job is not None
    }
    own = [one.point for one in bundle.finished() if one.group == step.name and one.kind is StepKind.MEASURE]
    saturated, most = saturation_point(step.name), most_of(step)
    tracked = [one for one in own if _of_round(one, most)]
    return _Shown(
        bundle,
        step,
        jobs,
        found,
        _rates(known, [one for one in own if saturated.holds(one)]),
        _rates(known, tracked),
    )


def _of_round(point: Point, most: Demand) -> bool:
    asked = (point.value(CoordinateAxis.JOBS), point.value(CoordinateAxis.QUEUE_DEPTH))
    return point.value(CoordinateAxis.ROUND) is not None and asked == (most.jobs, most.queue_depth)


def _rates(known: Mapping[MetricKey, MetricReading], points: Sequence[Point]) -> tuple[MetricReading, ...]:
    found = [known.get(MetricKey(point, RATE)) for point in points]
    return tuple(one for one in found if one is not None)


# Rate against response time


def _intensity(shown: _Shown) -> Figure:
    title = say(message("figure-demand-title", work=shown.work))
    subtitle = subtitle_of([shown.bundle], shown.states)
    limit = limit_text(shown.step.response_ns)
    return Figure(
        name=f"demand-intensity-{shown.step.name}",
        title=title,
        subtitle=subtitle,
        caption=say(message("figure-demand-caption", rounds=SNIA_ROUNDS, limit=limit)),
        spec=_intensity_spec(shown, title, subtitle, WIDE),
        narrow_spec=_intensity_spec(shown, title, subtitle, NARROW),
        table=_table(shown),
    )


def _intensity_spec(shown: _Shown, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    curves = [_curve_of_jobs(shown, slot, jobs) for slot, jobs in enumerate(shown.step.jobs, start=1)]
    most = max(one.iops.value for one in shown.known.values())
    x = linear_axis(
        axis_title(message("figure-rate"), IOPS.label), most * 1.03, shape.width_px, shape.x_ticks, round_up=True
    )
    x = replace(x, label_expression=SHORT_NUMBERS)
    limit_ns = shown.step.response_ns
    every_ns = [limit_ns, *(one.response.value for one in shown.known.values())]
    y = latency_axis(log_title(message("figure-mean-latency")), min(every_ns), max(every_ns), shape.height_px, 20)
    text = limit_text(limit_ns)
    limits = [LimitLine(limit_ns / NS_PER_US, text, say(message("figure-demand-limit", value=text)))]
    legend = layers.legend_above([curve.label for curve in curves], shape)
    drawn = [
        *limit_layers(limits, curves, x, y, shape, "limit"),
        *curve_layers(curves, x, y, shape, legend, "demands"),
    ]
    in_time = [in_latency(one, y) if "y" in one["encoding"] else one for one in drawn]
    return figure_spec(shape, title, subtitle, say(message("figure-demand-described", lines=len(curves))), in_time)


def _curve_of_jobs(shown: _Shown, slot: int, jobs: int) -> Curve:
    remarks = {Demand(job.jobs, job.queue_depth): one.value.upper() for one, job in shown.jobs.items()}
    points = [
        CurvePoint(
            x=known.iops.value,
            y=known.response.value / NS_PER_US,
            words=demand_words(one, known.iops, known.response),
            trust=Trust.DOUBTFUL if known.iops.failed_checks else Trust.SETTLED,
            remark=remarks.get(one, ""),
        )
        for one, known in sorted(shown.known.items(), key=lambda pair: pair[0].queue_depth)
        if one.jobs == jobs
    ]
    path = tuple((one.x, one.y) for one in points)
    return Curve(say(message("figure-demand-jobs", jobs=jobs)), slot, Rank.COMPARED, tuple(points), path)


def demand_words(one: Demand, iops: MetricReading, response: MetricReading) -> str:
    """`8 jobs at QD4: 12,345 IOPS, 2.5 ms`."""
    return say(
        message(
            "figure-demand-point",
            jobs=one.jobs,
            depth=str(one.queue_depth),
            rate=iops.words,
            latency=latency_text(response.value),
        )
    )


def _table(shown: _Shown) -> FigureTable:
    """A row a number of jobs, a column a queue depth: the rate and the mean response time."""
    missing = say(message("figure-not-measured"))
    rows: list[tuple[Cell, ...]] = []
    for jobs in shown.step.jobs:
        found = [shown.known.get(Demand(jobs, depth)) for depth in shown.step.queue_depths]
        texts = [
            missing
            if one is None
            else one.iops.marked(f"{one.iops.value:,.0f} / {one.response.value / NS_PER_US:,.0f}")
            for one in found
        ]
        rows.append((str(jobs), *texts))
    columns = (
        column(message("figure-demand-column-jobs")),
        *(column(message("figure-demand-column-depth", depth=str(depth))) for depth in shown.step.queue_depths),
    )
    return FigureTable(say(message("figure-demand-table")), columns, tuple(rows))


# Rate against the number of jobs


def _variation(shown: _Shown) -> Figure:
    title = say(message("figure-demand-variation-title", work=shown.work))
    subtitle = subtitle_of([shown.bundle], shown.states)
    return Figure(
        name=f"demand-variation-{shown.step.name}",
        title=title,
        subtitle=subtitle,
        caption=say(message("figure-demand-variation-caption", rounds=SNIA_ROUNDS)),
        spec=_variation_spec(shown, title, subtitle, WIDE),
        narrow_spec=_variation_spec(shown, title, subtitle, NARROW),
        table=_table(shown),
    )


def _variation_spec(shown: _Shown, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    curves = [_curve_of_depth(shown, slot, depth) for slot, depth in enumerate(shown.step.queue_depths, start=1)]
    jobs = sorted(shown.step.jobs)
    title_of_x, ends = say(message("figure-demand-column-jobs")), (jobs[0] * 0.85, jobs[-1] * 1.18)
    ticks = tuple(float(one) for one in jobs)
    x = PlotAxis(title_of_x, *ends, ticks, shape.width_px, AxisScale.LOG)
    y = speed_axis(message("figure-rate"), IOPS, curves, shape, shape.height_px)
    legend = layers.legend_above([one.label for one in curves], shape)
    described = say(message("figure-demand-variation-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, curve_layers(curves, x, y, shape, legend, "variation"))


def _curve_of_depth(shown: _Shown, slot: int, depth: int) -> Curve:
    points = [
        CurvePoint(
            x=one.jobs,
            y=known.iops.value,
            words=demand_words(one, known.iops, known.response),
            low=known.iops.low,
            high=known.iops.high,
            trust=Trust.DOUBTFUL if known.iops.failed_checks else Trust.SETTLED,
        )
        for one, known in shown.known.items()
        if one.queue_depth == depth
    ]
    return Curve(f"QD{depth}", slot, Rank.COMPARED, tuple(points))


# Response times


def _response_times(shown: _Shown) -> Iterator[Figure]:
    """One figure; none where so few I/Os were done that no percentile is known."""
    curves, states, told = [], [], []
    known = readings(shown.bundle)
    for one in shown.bundle.finished():
        operating = next((op for op in Operating if operating_point(shown.step.name, op) == one.point), None)
        if operating is None or one.kind is not StepKind.MEASURE or one.job is None:
            continue
        kinds = [found[LatencyKind.CLAT] for found in shown.bundle.histograms(one).values()]
        if not any(found.total for found in kinds):
            continue
        found = merged(kinds)
        rate = known.get(MetricKey(one.point, RATE))
        iops = Unknown(message("unknown-not-measured")) if rate is None else rate.value
        label = say(_operating_words(operating, one.job))
        curve = curve_of_bins(label, iops, found.bin_index, found.count)
        if len(curve.nines):
            curves.append(curve)
            states.append(DriveState.STEADY if DriveState.STEADY in shown.states else DriveState.NOT_STEADY)
            told.append(found.total)
    if curves:
        words = TailWords(
            name=f"demand-response-{shown.step.name}",
            title=say(message("figure-demand-response-title", work=shown.work)),
            subtitle=subtitle_of([shown.bundle], states),
            caption=say(message("figure-demand-response-caption", ios=number(sum(told)), count=SAMPLES_ABOVE_MIN)),
            latency=message("figure-completion-latency"),
        )
        yield tail_figure(curves, words)


def _operating_words(operating: Operating, job: Job) -> Message:
    """`MAX: 8 jobs at QD4`."""
    name = operating.value.upper()
    return message("figure-demand-operating", name=name, jobs=job.jobs, depth=str(job.queue_depth))


# How it converged


def _convergence(shown: _Shown) -> Figure:
    title = say(message("figure-demand-rounds-title", work=shown.work))
    subtitle = subtitle_of([shown.bundle], shown.states)
    rounds = len(shown.rounds) or len(shown.saturation)
    state = DriveState.STEADY if DriveState.STEADY in shown.states else DriveState.NOT_STEADY
    return Figure(
        name=f"demand-rounds-{shown.step.name}",
        title=title,
        subtitle=subtitle,
        caption=window_caption(rounds, state),
        spec=_convergence_spec(shown, title, subtitle, WIDE),
        narrow_spec=_convergence_spec(shown, title, subtitle, NARROW),
        table=_windows_table(shown),
    )


def _lines(shown: _Shown) -> list[tuple[str, tuple[MetricReading, ...]]]:
    most = most_of(shown.step)
    tracked = message("figure-demand-tracked", jobs=most.jobs, depth=str(most.queue_depth))
    lines = [(say(message("figure-demand-saturation")), shown.saturation), (say(tracked), shown.rounds)]
    return [line for line in lines if line[1]]


def _convergence_spec(shown: _Shown, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    curves = [_curve_of_rounds(slot, *line) for slot, line in enumerate(_lines(shown), start=1)]
    rounds = max(len(line) for _, line in _lines(shown))
    ticks = tuple(float(one) for one in range(1, rounds + 1, -(-rounds // _TICKS)))
    x = PlotAxis(say(message("figure-round")), 0.8, rounds + 0.2, ticks, shape.width_px)
    y = speed_axis(message("figure-rate"), IOPS, curves, shape, shape.height_px)
    legend = layers.legend_above([one.label for one in curves], shape)
    described = say(message("figure-rounds-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, curve_layers(curves, x, y, shape, legend, "rounds"))


def _curve_of_rounds(slot: int, label: str, values: Sequence[MetricReading]) -> Curve:
    points = [
        CurvePoint(
            x=place,
            y=one.value,
            words=say(message("figure-round-point", cell=label, round=place, value=one.words)),
            trust=Trust.DOUBTFUL if one.failed_checks else Trust.SETTLED,
        )
        for place, one in enumerate(values, start=1)
    ]
    return Curve(label, slot, Rank.COMPARED, tuple(points))


def _windows_table(shown: _Shown) -> FigureTable:
    windows = [(label, len(line), snia_window([one.value for one in line])) for label, line in _lines(shown)]
    return window_table([ToldWindow(label, last, one) for label, last, one in windows if one is not None], IOPS)
