"""The figures of series that somebody else recorded: the lab's own, without a bundle."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ssdlab.analysis.foreign.answer import FillAnswer, ReclaimAnswer, SteadyAnswer
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Step, StepStatus
from ssdlab.bundle.quantities import BYTES
from ssdlab.engine.result import Series
from ssdlab.figure.client.bandwidth_over_bytes import passes_figure
from ssdlab.figure.client.reclaim import Ladder, RestPoint, reclaim_figure
from ssdlab.figure.kit.axis import axis_title
from ssdlab.figure.kit.decimate import into_columns
from ssdlab.figure.kit.drives import DrawnDrive
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.passes import FillPass
from ssdlab.figure.kit.readings import MIB_PER_S, SpeedUnit, readings_of
from ssdlab.figure.kit.say import column, first_upper, say
from ssdlab.figure.kit.steady_series import X_TITLE, multiple_text, speed_title
from ssdlab.figure.kit.style import NARROW, WIDE
from ssdlab.figure.kit.words import TABLE_ROWS
from ssdlab.figure.kit.written_plot import LineMark, WrittenWords, written_spec
from ssdlab.job import DriveState, StepKind
from ssdlab.message import duration, message, number, size_decimal
from ssdlab.point import Coordinate, CoordinateAxis, Point
from ssdlab.units import MIB, NS_PER_S

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """A foreign series over multiples of the capacity."""

    series: Series
    capacity_bytes: int

    @property
    def written(self) -> "NDArray[np.float64]":
        done = self.series.bytes_done
        return np.asarray((done + np.concatenate(([0.0], done[:-1]))) / 2 / self.capacity_bytes, dtype=np.float64)

    @property
    def written_end(self) -> float:
        return float(self.series.bytes_done[-1]) / self.capacity_bytes

    @property
    def unit(self) -> SpeedUnit:
        return MIB_PER_S

    @property
    def speed(self) -> "NDArray[np.float64]":
        return self.series.bandwidth_bytes_per_s / MIB


def foreign_fill_figure(answer: FillAnswer, file: str) -> Figure:
    """Bandwidth over bytes written, as of a pass of the lab's own."""
    recorded = answer.recorded
    step = Step(
        index=1,
        name=recorded.point.name,
        group=recorded.point.step,
        point=recorded.point,
        kind=StepKind.FILL,
        state=recorded.state,
        job=None,
        rest_ns=0,
        status=StepStatus.FINISHED,
        started_ns=0,
        ended_ns=recorded.runtime_ns,
        reason=None,
    )
    is_fresh = recorded.state is DriveState.FOB
    purged = message("analyse-figure-purged") if is_fresh else message("analyse-figure-unpurged")
    about = (say(message("analyse-figure-recorded", file=file)), say(purged))
    caption = say(message("analyse-figure-windows", window=duration(recorded.series.window_ns)))
    passes = (FillPass(step, 1, recorded.series, 0),)
    # On a used drive the levels are none of a cache.
    levels = answer.metrics if is_fresh else ()
    return passes_figure(passes, levels, recorded.capacity_bytes, about, caption)


def foreign_steady_figure(answer: SteadyAnswer, file: str) -> Figure:
    """Bandwidth over multiples of the capacity, with a mark where each criterion was fulfilled."""
    run = _Written(answer.series, answer.capacity_bytes)
    marks = _marks(answer)
    multiple = message(
        "analyse-figure-multiple",
        multiple=number(run.written_end, ".2f"),
        capacity=size_decimal(answer.capacity_bytes),
    )
    about = [say(message("analyse-figure-recorded", file=file)), say(multiple)]
    if not marks:
        about.append(say(message("analyse-figure-nowhere")))
    words = WrittenWords(
        first_upper(say(speed_title(run))), tuple(about), say(message("figure-preconditioning-described"))
    )
    return Figure(
        name="steady",
        title=words.title,
        subtitle=words.subtitle,
        caption=say(message("analyse-figure-windows", window=duration(answer.series.window_ns))),
        spec=written_spec(run, words, marks, (), (), WIDE),
        narrow_spec=written_spec(run, words, marks, (), (), NARROW),
        table=_table(run),
    )


def _marks(answer: SteadyAnswer) -> list[LineMark]:
    marks = []
    for finding in answer.findings:
        fired = finding.after_minimum
        if fired is None:
            continue
        at = fired.at_bytes / answer.capacity_bytes
        name = f"{finding.criterion.value} {multiple_text(at)}"
        told = message(
            "figure-fired-described",
            criterion=finding.criterion.value,
            after=multiple_text(at),
            bytes=size_decimal(fired.at_bytes),
            took=duration(fired.at_ns),
        )
        marks.append(LineMark(at, (name,), (name,), say(told)))
    if answer.left is not None:
        at, gone = answer.left.at_bytes / answer.capacity_bytes, say(message("analyse-figure-left"))
        words = (f"{gone} {multiple_text(at)}",)
        marks.append(LineMark(at, words, words, say(message("analyse-figure-left-said"))))
    return marks


def _table(run: _Written) -> FigureTable:
    columns = into_columns(run.written, run.speed, run.written_end, TABLE_ROWS)
    rows = tuple(
        (f"{at:.2f}", f"{mean:,.0f}", f"{low:,.0f}", f"{high:,.0f}")
        for at, mean, low, high in zip(columns.x, columns.mean, columns.low, columns.high, strict=True)
    )
    label = run.unit.label
    return FigureTable(
        axis_title(X_TITLE, ""),
        (
            column(message("figure-column-written-middle"), say(message("figure-unit-capacities"))),
            column(message("figure-column-mean"), label),
            column(message("figure-column-slowest-window"), label),
            column(message("figure-column-fastest-window"), label),
        ),
        rows,
    )


def foreign_reclaim_figure(answer: ReclaimAnswer, file: str) -> Figure:
    """Bytes written after each rest."""
    known = readings_of(answer.metrics)
    rungs = tuple(
        RestPoint(
            rung.rest_ns / NS_PER_S,
            known[MetricKey(Point("reclaim", (Coordinate(CoordinateAxis.REST, rung.rest_ns),)), BYTES)],
        )
        for rung in answer.rungs
    )
    about = say(message("analyse-figure-recorded", file=file))
    write_ns = max(int(rung.series.time_ns[-1]) for rung in answer.rungs)
    return reclaim_figure("reclaim", [Ladder(DrawnDrive(about, 1), rungs, write_ns)], (about,), "")
