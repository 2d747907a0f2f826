"""Preconditioning to steady state: the series, and where each criterion called the drive steady (METHODS E1, E3, S)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import FOB_IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import STOPPED_BY_OPERATOR
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis, log_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, curve_layers, curve_outline, legend_beside
from ssdlab.figure.kit.decimate import extremes
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable, LongChart, LongSeries
from ssdlab.figure.kit.readings import IOPS
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.steady_series import (
    X_TITLE,
    SteadyRun,
    ending,
    ending_title,
    multiple_axis,
    multiple_text,
    speed_title,
    steady_runs,
    verdicts,
    writes_over_drive,
)
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.figure.kit.temperature import note_of
from ssdlab.figure.kit.words import LONG_LIMIT, TABLE_ROWS
from ssdlab.figure.kit.written_plot import LineMark, WrittenWords, warmth_of_run, written_spec
from ssdlab.message import Message, duration, message, number, semicolons
from ssdlab.point import Point
from ssdlab.units import NS_PER_S, format_bytes_decimal, format_duration

_COMPARED_COLUMNS = 300
_LOG_FROM = 12.0


def preconditioning(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each step that writes until the drive is steady; steps that show write saturation have one of their own."""
    for runs in steady_runs(bundles):
        if not any(shows_saturation(run) for run in runs):
            name = f"preconditioning-{runs[0].said.name.replace('_', '-')}"
            job = runs[0].job
            work = pattern_of_blocks_title(job.pattern, job.block_bytes)
            title = message("figure-preconditioning-title", work=work, depth=job.in_flight)
            yield alone(runs[0], name, title) if len(bundles) == 1 else compared(bundles, runs, name, title)


def shows_saturation(run: SteadyRun) -> bool:
    """Whether it began on a fresh drive with random writes."""
    fresh = MetricKey(Point(run.said.name), FOB_IOPS)
    return any(metric.key == fresh for metric in run.drive.bundle.metrics)


def alone(run: SteadyRun, name: str, title: Message) -> Figure:
    """Speed and latency of one drive, with a mark where each criterion fired."""
    words = WrittenWords(
        say(title),
        (*subtitle_of([run.drive.bundle], [run.step.state]), ending_title(run)),
        say(message("figure-preconditioning-described")),
    )
    marks = criteria_marks(run)
    return Figure(
        name=name,
        title=words.title,
        subtitle=words.subtitle,
        caption=sentences(writes_over_drive(run.job), band_note(run), verdicts(run), warmth_note(run)),
        spec=written_spec(run, words, marks, (), (), WIDE, warmth_of_run(run)),
        narrow_spec=written_spec(run, words, marks, (), (), NARROW, warmth_of_run(run)),
        table=series_table([run]),
        long_chart=long_chart(run),
    )


def criteria_marks(run: SteadyRun) -> list[LineMark]:
    """Where each criterion could first have ended it, the one that did first; at the end where none could."""
    made = []
    for fired in run.fired():
        ended = run.ended_by == fired.criterion.value
        end = [say(message("figure-ended-it"))] if ended else []
        name = f"{fired.criterion.value} {multiple_text(fired.multiple)}"
        bytes_written, took = format_bytes_decimal(fired.multiple * run.capacity_bytes), fired.after_s * NS_PER_S
        when = f"{bytes_written}, {format_duration(took)}"
        told = message(
            "figure-fired-described",
            criterion=fired.criterion.value,
            after=multiple_text(fired.multiple),
            bytes=bytes_written,
            took=duration(took),
        )
        said = say(message("figure-fired-and-ended", fired=told) if ended else told)
        made.append(LineMark(min(fired.multiple, run.written_end), (name, when, *end), (name, *end), said))
    if not run.is_steady:
        stopped = run.ended_by == STOPPED_BY_OPERATOR
        why = say(message("figure-stopped") if stopped else message("figure-state-not-steady"))
        made.append(LineMark(run.written_end, (why,), (why,), say(ending(run))))
    return sorted(made, key=lambda mark: len(mark.words), reverse=True)


def warmth_note(run: SteadyRun) -> str:
    """What the plot of the temperature shows; empty where there is none."""
    warmth = warmth_of_run(run)
    return note_of([] if warmth is None else [warmth])


def band_note(run: SteadyRun) -> str:
    """What line and band are."""
    return say(message("figure-band", window=f"{run.series.window_ns / 1e6:g} ms"))


def compared(bundles: Sequence[Bundle], runs: Sequence[SteadyRun], name: str, told: Message) -> Figure:
    """A line a drive, a symbol where it ended."""
    title, subtitle = say(told), subtitle_of(bundles, [run.step.state for run in runs])
    job = runs[0].job
    caption = message(
        "figure-compared-caption",
        work=pattern_of_blocks_title(job.pattern, job.block_bytes),
        depth=job.in_flight,
        endings=semicolons(
            *(message("figure-drive-ending", drive=run.drive.label, ending=ending(run)) for run in runs)
        ),
    )
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=say(caption),
        spec=_compared_spec(runs, title, subtitle, WIDE),
        narrow_spec=_compared_spec(runs, title, subtitle, NARROW),
        table=series_table(runs),
    )


def _compared_spec(
    runs: Sequence[SteadyRun], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    curves = [_curve(run, shape) for run in runs]
    x = multiple_axis(runs, shape.width_px, shape.x_ticks)
    # The symbol at the end of the longest line keeps clear of the frame.
    x = replace(x, high=x.high * 1.02)
    y = _compared_axis(runs, curves, shape)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    drawn = curve_layers(curves, x, y, shape, legend, "drives", legend.boxes if legend else ())
    described = say(message("figure-compared-described", drives=len(curves)))
    return figure_spec(shape, title, subtitle, described, drawn)


def _curve(run: SteadyRun, shape: PlotShape) -> Curve:
    columns = run.columns(min(_COMPARED_COLUMNS, shape.columns))
    end = float(columns.x[-1]), float(columns.mean[-1])
    point = CurvePoint(*end, words=f"{run.drive.label}: {say(ending(run))}")
    path = tuple(zip(columns.x.tolist(), columns.mean.tolist(), strict=True))
    return Curve(run.drive.label, run.drive.slot, run.drive.rank, (point,), path)


def _compared_axis(runs: Sequence[SteadyRun], curves: Sequence[Curve], shape: PlotShape) -> PlotAxis:
    values = [height for curve in curves for _, height in curve.path]
    title, unit = speed_title(runs[0]), runs[0].unit
    low, high = min(values), max(values)
    if low > 0 and high / low > _LOG_FROM:
        axis = log_axis(log_title(title, unit.label), low * 0.95, high * 1.05, shape.height_px)
    else:
        axis = linear_axis(axis_title(title, unit.label), high * 1.02, shape.height_px, shape.y_ticks, round_up=True)
    return replace(axis, label_expression=SHORT_NUMBERS) if unit is IOPS else axis


def series_table(runs: Sequence[SteadyRun]) -> FigureTable:
    """The speed of every run in a few rows."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        columns = run.columns(TABLE_ROWS)
        rows += [
            (run.drive.label, f"{at:.2f}", f"{mean:,.0f}", f"{low:,.0f}", f"{high:,.0f}")
            for at, mean, low, high in zip(columns.x, columns.mean, columns.low, columns.high, strict=True)
        ]
    label = runs[0].unit.label
    columns_of = (
        column(message("figure-drive")),
        column(message("figure-column-written-middle"), say(message("figure-unit-capacities"))),
        column(message("figure-column-mean"), label),
        column(message("figure-column-slowest-window"), label),
        column(message("figure-column-fastest-window"), label),
    )
    return FigureTable(say(message("figure-table-rows-a-drive", rows=TABLE_ROWS)), columns_of, tuple(rows))


def long_chart(run: SteadyRun) -> LongChart:
    """The speed to zoom in."""
    x, y = extremes(run.written, run.speed, LONG_LIMIT)
    whole = len(run.written) <= LONG_LIMIT
    every, slices = message("figure-every-window"), message("figure-slices", slices=number(LONG_LIMIT // 2))
    y_title, line = axis_title(speed_title(run), run.unit.label), LongSeries(say(message("figure-speed")), 1, x, y)
    return LongChart(say(X_TITLE), y_title, AxisScale.LINEAR, say(every if whole else slices), (line,))
