"""How soon several drives answer at which rate (SNIA PTS, DIRTH and CBW): a line a drive through the demands that no other one beats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.infer.steady import SNIA_ROUNDS
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS as RATE
from ssdlab.bundle.quantities import LAT_MEAN
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.demand import demand_words, work_of
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, limit_text
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import IOPS, MetricReading, readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.message import message
from ssdlab.method.kinds.demand import Demand, DemandStep, demands_of
from ssdlab.point import Point
from ssdlab.units import NS_PER_US


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one demand of one drive came to in the last five rounds."""

    drive: DrawnRun
    demand: Demand
    iops: MetricReading
    response: MetricReading


def demand_compared(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """For each step one figure."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, DemandStep):
            answers = [one for drive in drives for one in unbeaten(_answers(step, drive))]
            if answers:
                yield _figure(step, drives, answers)


def _answers(step: DemandStep, drive: DrawnRun) -> list[_Answer]:
    known = readings(drive.bundle)
    points = {one: one.point(Point(step.name)) for one in demands_of(step)}
    return [
        _Answer(drive, one, iops, response)
        for one, point in points.items()
        if (iops := known.get(MetricKey(point, RATE))) is not None
        and (response := known.get(MetricKey(point, LAT_MEAN))) is not None
    ]


def unbeaten(answers: Sequence[_Answer]) -> list[_Answer]:
    """Those that have a higher rate than every other that is answered as soon; from the soonest on."""
    kept: list[_Answer] = []
    for one in sorted(answers, key=lambda answer: (answer.response.value, -answer.iops.value)):
        if not kept or one.iops.value > kept[-1].iops.value:
            kept.append(one)
    return kept


def _figure(step: DemandStep, drives: Sequence[DrawnRun], answers: Sequence[_Answer]) -> Figure:
    title = say(message("figure-demand-title", work=work_of(step)))
    subtitle = subtitle_of([drive.bundle for drive in drives], [one.iops.state for one in answers])
    return Figure(
        name=f"demand-intensity-{step.name}",
        title=title,
        subtitle=subtitle,
        caption=say(message("figure-demand-beside-caption", rounds=SNIA_ROUNDS)),
        spec=_spec(step, drives, answers, title, subtitle, WIDE),
        narrow_spec=_spec(step, drives, answers, title, subtitle, NARROW),
        table=_table(answers),
    )


def _spec(
    step: DemandStep,
    drives: Sequence[DrawnRun],
    answers: Sequence[_Answer],
    title: str,
    subtitle: tuple[str, ...],
    shape: PlotShape,
) -> dict[str, object]:
    curves = [curve for drive in drives if (curve := _curve(drive, answers)).points]
    x, y = _axes(step, answers, shape)
    text = limit_text(step.response_ns)
    limits = [LimitLine(step.response_ns / NS_PER_US, text, say(message("figure-demand-limit", value=text)))]
    legend = layers.legend_above([curve.label for curve in curves], shape) if len(curves) > 1 else None
    drawn = [
        *limit_layers(limits, curves, x, y, shape, "limit"),
        *curve_layers(curves, x, y, shape, legend, "demands"),
    ]
    in_time = [in_latency(one, y) if "y" in one["encoding"] else one for one in drawn]
    described = say(message("figure-demand-beside-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, in_time)


def _axes(step: DemandStep, answers: Sequence[_Answer], shape: PlotShape) -> tuple[PlotAxis, PlotAxis]:
    rate = axis_title(message("figure-rate"), IOPS.label)
    most = max(one.iops.value for one in answers)
    x = linear_axis(rate, most * 1.03, shape.width_px, shape.x_ticks, round_up=True)
    every_ns = [step.response_ns, *(one.response.value for one in answers)]
    y = latency_axis(log_title(message("figure-mean-latency")), min(every_ns), max(every_ns), shape.height_px, 20)
    return replace(x, label_expression=SHORT_NUMBERS), y


def _curve(drive: DrawnRun, answers: Sequence[_Answer]) -> Curve:
    points = [
        CurvePoint(
            x=one.iops.value,
            y=one.response.value / NS_PER_US,
            words=_words(one),
            trust=Trust.DOUBTFUL if one.iops.failed_checks else Trust.SETTLED,
        )
        for one in answers
        if one.drive is drive
    ]
    return Curve(drive.label, drive.slot, drive.rank, tuple(points))


def _words(one: _Answer) -> str:
    told = demand_words(one.demand, one.iops, one.response)
    return say(message("figure-demand-beside-point", drive=one.drive.label, told=told))


def _table(answers: Sequence[_Answer]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            one.drive.label,
            str(one.demand.jobs),
            str(one.demand.queue_depth),
            one.iops.marked(f"{one.iops.value:,.0f}"),
            f"{one.response.value / NS_PER_US:,.0f}",
        )
        for one in answers
    ]
    columns = (
        column(message("figure-drive")),
        column(message("figure-demand-column-jobs")),
        column(message("figure-demand-beside-depth")),
        column(message("figure-rate"), "IOPS"),
        column(message("figure-mean-latency"), "µs"),
    )
    return FigureTable(say(message("figure-demand-table")), columns, tuple(rows))
