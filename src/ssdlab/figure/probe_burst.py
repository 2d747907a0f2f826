"""Burst: bytes a drive took since the burst began, with the line of its drain, whose intercept is the write buffer."""

from collections.abc import Mapping

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.axis import Axis, clock_unit, linear_axis
from ssdlab.figure.evidence import Heading, Mark, Plot, Series, Stroke, conclusion, drive_words, evidence_figure
from ssdlab.figure.model import Column, Figure, Table
from ssdlab.probe.answer import Answer
from ssdlab.probe.script import Evidence
from ssdlab.probe.words import value_words
from ssdlab.probe.write_buffer import DRAIN, SIZE, WRITE_BYTES, bursts_of
from ssdlab.units import MIB, NS_PER_S

_POINTS = 400
_ROWS = 32
_SHOWN_BUFFERS = 3
"""Of a burst is drawn what takes so many times the buffer; its end says no more of it."""


def burst_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: Evidence) -> Figure:
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
    series = [Series(f"taken, median of {len(bursts)} bursts", 1, completed[at], taken_mib[at])]
    last = float(completed[end - 1])
    if isinstance(size, int) and isinstance(drain, float):
        line = np.array([0.0, last])
        drained = size / MIB + drain / MIB * line * unit.factor / NS_PER_S
        series.append(Series("drain, from its intercept on", 2, line, drained, Stroke.DASHED))
    full = min(end, size // WRITE_BYTES) if isinstance(size, int) else None
    marks = [] if full is None else [Mark(float(completed[full - 1]), f"{value_words(answers[SIZE])} taken")]
    highest = max(float(one.y.max()) for one in series)

    def x(length_px: int, ticks: int) -> Axis:
        return linear_axis(f"since the burst began ({unit.label})", last, length_px, ticks, round_up=False)

    def y(length_px: int, ticks: int) -> Axis:
        return linear_axis("bytes taken (MiB)", highest, length_px, ticks, round_up=True)

    heading = Heading(
        name="probe-burst",
        title="Write buffer: bytes taken after a silence",
        subtitle=(drive_words(drive), conclusion(answers[SIZE], "Write buffer:")),
        caption="Random writes of 16 KiB, eight in flight."
        + (" Where the line of the drain meets the beginning of the burst is the buffer." if known else ""),
    )
    rows = tuple(
        (round(float(completed[row]), 3), round(float(taken_mib[row]), 2))
        for row in at[:: max(1, len(at) // _ROWS)].tolist()
    )
    columns = (Column("since the burst began", unit.label), Column("taken", "MiB"))
    return evidence_figure(
        heading, Plot(x=x, y=y, series=series, marks=marks), Table("Median of all bursts", columns, rows)
    )
