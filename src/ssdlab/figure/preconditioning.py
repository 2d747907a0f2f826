"""Preconditioning to steady state: the series, and where each criterion called the drive steady (METHODS E1, E3, S)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import STOPPED_BY_OPERATOR
from ssdlab.figure.axis import SHORT_NUMBERS, Axis, linear_axis, log_axis
from ssdlab.figure.curves import Curve, CurvePoint, curve_layers, curve_outline, legend_beside
from ssdlab.figure.decimate import extremes
from ssdlab.figure.drives import subtitle_of
from ssdlab.figure.model import Cell, Column, Figure, LongChart, LongSeries, Scale, Table
from ssdlab.figure.readings import IOPS
from ssdlab.figure.steady_series import (
    X_TITLE,
    SteadyRun,
    ending,
    multiple_axis,
    multiple_text,
    never_held,
    speed_title,
    steady_runs,
    verdicts,
    workload,
)
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.temperature import note_of
from ssdlab.figure.words import LONG_LIMIT, TABLE_ROWS
from ssdlab.figure.written_plot import Mark, WrittenWords, warmth_of_run, written_spec
from ssdlab.units import NS_PER_S, format_bytes_decimal, format_duration

_COMPARED_COLUMNS = 300
_LOG_FROM = 12.0


def preconditioning(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each step that writes until the drive is steady; steps that show write saturation have one of their own."""
    for runs in steady_runs(bundles):
        if not any(shows_saturation(run) for run in runs):
            name = f"preconditioning-{runs[0].said.name.replace('_', '-')}"
            title = f"{workload(runs[0].job)} until steady"
            yield alone(runs[0], name, title) if len(bundles) == 1 else compared(bundles, runs, name, title)


def shows_saturation(run: SteadyRun) -> bool:
    """Whether it began on a fresh drive with random writes."""
    names = {metric.name for metric in run.drive.bundle.metrics}
    return f"{run.said.name}.fob_iops" in names


def alone(run: SteadyRun, name: str, title: str) -> Figure:
    """Speed and latency of one drive, with a mark where each criterion fired."""
    words = WrittenWords(
        title,
        (*subtitle_of([run.drive.bundle], [run.step.state.value]), f"{first_upper(ending(run))}{never_held(run)}"),
        "Line chart: speed and latency against what was written, with marks where criteria called it steady",
    )
    marks = criteria_marks(run)
    return Figure(
        name=name,
        title=words.title,
        subtitle=words.subtitle,
        caption=f"{workload(run.job)} over the whole drive. {band_note(run)} {verdicts(run)}{warmth_note(run)}",
        spec=written_spec(run, words, marks, (), (), WIDE),
        narrow_spec=written_spec(run, words, marks, (), (), NARROW),
        table=series_table([run]),
        long_chart=long_chart(run),
    )


def criteria_marks(run: SteadyRun) -> list[Mark]:
    """Where each criterion could first have ended it, the one that did first; at the end where none could."""
    made = []
    for one in run.fired():
        ended = run.ended_by == one.criterion.value
        name, end = f"{one.criterion.value} {multiple_text(one.multiple)}", ["ended it"] if ended else []
        fired = f"{format_bytes_decimal(one.multiple * run.capacity_bytes)}, {format_duration(one.after_s * NS_PER_S)}"
        said = f"{one.words} the capacity, {fired}{', which ended it' if ended else ''}"
        made.append(Mark(min(one.multiple, run.written_end), (name, fired, *end), (name, *end), said))
    if not run.is_steady:
        why = "stopped" if run.ended_by == STOPPED_BY_OPERATOR else "not steady"
        made.append(Mark(run.written_end, (why,), (why,), ending(run)))
    return sorted(made, key=lambda mark: len(mark.words), reverse=True)


def warmth_note(run: SteadyRun) -> str:
    """What the plot of the temperature shows; empty where there is none."""
    warmth = warmth_of_run(run)
    return note_of([] if warmth is None else [warmth])


def band_note(run: SteadyRun) -> str:
    """What line and band are."""
    return f"Line: mean; band: slowest to fastest {run.series.window_ns / 1e6:g} ms window."


def compared(bundles: Sequence[Bundle], runs: Sequence[SteadyRun], name: str, title: str) -> Figure:
    """A line a drive, a symbol where it ended."""
    subtitle = subtitle_of(bundles, [run.step.state.value for run in runs])
    said = "; ".join(f"{run.drive.label} {ending(run)}" for run in runs)
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=f"{workload(runs[0].job)} over the whole drive; each line ends, with a symbol, where the writing did. {said}.",
        spec=_compared_spec(runs, title, subtitle, WIDE),
        narrow_spec=_compared_spec(runs, title, subtitle, NARROW),
        table=series_table(runs),
    )


def _compared_spec(runs: Sequence[SteadyRun], title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    curves = [_curve(run, shape) for run in runs]
    x = multiple_axis(runs, shape.width_px, shape.x_ticks)
    # The symbol at the end of the longest line keeps clear of the frame.
    x = replace(x, high=x.high * 1.02)
    y = _compared_axis(runs, curves, shape)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    drawn = curve_layers(curves, x, y, shape, legend, "drives", legend.boxes if legend else ())
    return figure_spec(
        shape, title, subtitle, f"Line chart: speed against what was written, {len(curves)} drives", drawn
    )


def _curve(run: SteadyRun, shape: Shape) -> Curve:
    columns = run.columns(min(_COMPARED_COLUMNS, shape.columns))
    end = float(columns.x[-1]), float(columns.mean[-1])
    point = CurvePoint(*end, words=f"{run.drive.label}: {ending(run)}")
    path = tuple(zip(columns.x.tolist(), columns.mean.tolist(), strict=True))
    return Curve(run.drive.label, run.drive.slot, run.drive.rank, (point,), path)


def _compared_axis(runs: Sequence[SteadyRun], curves: Sequence[Curve], shape: Shape) -> Axis:
    values = [height for curve in curves for _, height in curve.path]
    title = speed_title(runs[0])
    low, high = min(values), max(values)
    if low > 0 and high / low > _LOG_FROM:
        axis = log_axis(f"{title[:-1]}, log scale)", low * 0.95, high * 1.05, shape.height_px)
    else:
        axis = linear_axis(title, max(high * 1.02, 1e-9), shape.height_px, shape.y_ticks, round_up=True)
    return replace(axis, label_expression=SHORT_NUMBERS) if runs[0].unit is IOPS else axis


def series_table(runs: Sequence[SteadyRun]) -> Table:
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
        Column("drive", ""),
        Column("written, middle", "x capacity"),
        Column("mean", label),
        Column("slowest window", label),
        Column("fastest window", label),
    )
    return Table(f"all windows, summed up in at most {TABLE_ROWS} rows a drive", columns_of, tuple(rows))


def long_chart(run: SteadyRun) -> LongChart:
    """The speed to zoom in."""
    x, y = extremes(run.written, run.speed, LONG_LIMIT)
    whole = len(run.written) <= LONG_LIMIT
    note = "every window" if whole else f"slowest and fastest of each of {LONG_LIMIT // 2:,} slices"
    return LongChart(X_TITLE, speed_title(run), Scale.LINEAR, note, (LongSeries("speed", 1, x, y),))


def first_upper(text: str) -> str:
    """The text as the beginning of a sentence."""
    return f"{text[0].upper()}{text[1:]}"
