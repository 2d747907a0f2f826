"""Reach: random reads inside growing ranges at both ends of the drive, with the range from which on mappings are fetched."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.axis import Axis, linear_axis
from ssdlab.figure.evidence import Heading, Mark, Plot, Series, Stroke, conclusion, drive_words, evidence_figure
from ssdlab.figure.model import Column, Figure, Table
from ssdlab.figure.probe_axes import doubling_axis
from ssdlab.probe.answer import Answer
from ssdlab.probe.reach import BYTES, End, range_points
from ssdlab.probe.script import Evidence
from ssdlab.probe.words import value_words


def reach_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: Evidence) -> Figure:
    """The evidence for the reach of the mapping cache."""
    ends = {end: range_points(evidence, end) for end in End}
    series = [
        Series(
            "ranges from the first byte on" if end is End.FIRST else "ranges up to the last byte",
            slot,
            np.array([one.range_bytes for one in points], dtype=np.float64),
            np.array([one.iops / 1000 for one in points]),
            Stroke.LINE,
        )
        for slot, (end, points) in enumerate(ends.items(), start=1)
    ]
    answer = answers[BYTES]
    marks = []
    if isinstance(answer.value, int) and answer.interval is not None:
        marks = [Mark(answer.value, f"reach {value_words(answer)}", answer.interval.low, answer.interval.high)]

    def y(length_px: int, ticks: int) -> Axis:
        return linear_axis(
            "thousand reads a second", max(float(one.y.max()) for one in series), length_px, ticks, round_up=True
        )

    heading = Heading(
        name="probe-reach",
        title="Reach of the mapping cache: random reads by range",
        subtitle=(drive_words(drive), conclusion(answer, "Reach:")),
        caption="Random reads of 4 KiB, 256 in flight, after as many that are not counted."
        + (" Shaded: the 95 % interval." if marks else ""),
    )
    rows = tuple(
        (one.range_bytes, round(one.iops), round(other.iops))
        for one, other in zip(ends[End.FIRST], ends[End.LAST], strict=True)
    )
    columns = (Column("range", "B"), Column("from the first byte on", "IOPS"), Column("up to the last byte", "IOPS"))
    low, high = float(series[0].x.min()), float(series[0].x.max())
    plot = Plot(x=partial(doubling_axis, "size of the range", low, high), y=y, series=series, marks=marks)
    return evidence_figure(heading, plot, Table("A row is a range at each end", columns, rows))
