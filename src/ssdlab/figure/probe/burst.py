"""Burst: bytes a drive took since the burst began, with the line of its drain, whose intercept is the write buffer."""

from collections.abc import Mapping

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, axis_title, clock_unit, linear_axis
from ssdlab.figure.kit.evidence import (
    EvidencePlot,
    PlaceMark,
    PlotHeading,
    PlotSeries,
    Stroke,
    conclusion,
    evidence_figure,
)
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.message import message
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.write_buffer import DRAIN, SIZE, WRITE_BYTES, bursts_of
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.words import value_of
from ssdlab.units import MIB, NS_PER_S

_POINTS = 400
_ROWS = 32
_SHOWN_BUFFERS = 3
"""Of a burst is drawn what takes so many times the buffer; its end says no more of it."""


def burst_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """The evidence for the write buffer: the median of all bursts."""
    bursts = bursts_of(evidence)
    completed_ns = np.asarray(np.median([one.completed_ns for one in bursts], axis=0), dtype=np.float64)
    taken_mib = np.arange(1, len(completed_ns) + 1, dtype=np.float64) * (WRITE_BYTES / MIB)
    size, drain = answers[SIZE].value, answers[DRAIN].value if DRAIN in answers else None
    known = isinstance(size, int) and isinstance(drain, float)
    end = len(completed_ns)
    if isinstance(size, int):
        end = min(end, max(64, _SHOWN_BUFFERS * size // WRITE_BYTES))
    at = np.unique(np.linspace(0, end - 1, _POINTS).astype(np.int64))
    unit = clock_unit(float(completed_ns[end - 1]))
    completed = completed_ns / unit.factor
    series = [PlotSeries(say(message("figure-burst-taken", count=len(bursts))), 1, completed[at], taken_mib[at])]
    last = float(completed[end - 1])
    if isinstance(size, int) and isinstance(drain, float):
        line = np.array([0.0, last])
        drained = size / MIB + drain / MIB * line * unit.factor / NS_PER_S
        series.append(PlotSeries(say(message("figure-burst-drain")), 2, line, drained, Stroke.DASHED))
    full = min(end, size // WRITE_BYTES) if isinstance(size, int) else None
    size_taken = say(message("figure-burst-size-taken", size=value_of(answers[SIZE])))
    marks = [] if full is None else [PlaceMark(float(completed[full - 1]), size_taken)]
    since_begin = message("figure-since-burst")
    highest = max(float(one.y.max()) for one in series)

    def x(length_px: int, ticks: int) -> PlotAxis:
        return linear_axis(axis_title(since_begin, unit.label), last, length_px, ticks, round_up=False)

    def y(length_px: int, ticks: int) -> PlotAxis:
        return linear_axis(axis_title(message("figure-bytes-taken"), "MiB"), highest, length_px, ticks, round_up=True)

    heading = PlotHeading(
        name="probe-burst",
        title=say(message("figure-burst-title")),
        subtitle=(named_with_capacity(drive), conclusion(answers[SIZE], message("figure-write-buffer"))),
        caption=sentences(
            say(message("figure-burst-caption")), say(message("figure-burst-intercept")) if known else ""
        ),
    )
    rows = tuple(
        (round(float(completed[row]), 3), round(float(taken_mib[row]), 2))
        for row in at[:: max(1, len(at) // _ROWS)].tolist()
    )
    columns = (column(since_begin, unit.label), column(message("figure-column-taken"), "MiB"))
    table = FigureTable(say(message("figure-table-bursts")), columns, rows)
    return evidence_figure(heading, EvidencePlot(x=x, y=y, series=series, marks=marks), table)
