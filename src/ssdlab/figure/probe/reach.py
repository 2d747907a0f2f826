"""Reach: random reads inside growing ranges at both ends of the drive, with the range from which on mappings are fetched."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, linear_axis
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
from ssdlab.figure.probe.axes import doubling_axis
from ssdlab.message import message
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.reach import BYTES, End, range_points
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.words import value_of


def reach_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """The evidence for the reach of the mapping cache."""
    ends = {end: range_points(evidence, end) for end in End}
    series = [
        PlotSeries(
            say(message("figure-ranges-first") if end is End.FIRST else message("figure-ranges-last")),
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
        reach = say(message("figure-reach", size=value_of(answer)))
        marks = [PlaceMark(answer.value, reach, answer.interval.low, answer.interval.high)]

    def y(length_px: int, ticks: int) -> PlotAxis:
        highest = max(float(one.y.max()) for one in series)
        return linear_axis(say(message("figure-thousand-reads")), highest, length_px, ticks, round_up=True)

    heading = PlotHeading(
        name="probe-reach",
        title=say(message("figure-reach-title")),
        subtitle=(named_with_capacity(drive), conclusion(answer, message("figure-reach-of"))),
        caption=sentences(
            say(message("figure-reach-caption")), say(message("figure-shaded-interval")) if marks else ""
        ),
    )
    rows = tuple(
        (one.range_bytes, round(one.iops), round(other.iops))
        for one, other in zip(ends[End.FIRST], ends[End.LAST], strict=True)
    )
    columns = (
        column(message("figure-column-range"), "B"),
        column(message("figure-column-from-first"), "IOPS"),
        column(message("figure-column-to-last"), "IOPS"),
    )
    low, high = float(series[0].x.min()), float(series[0].x.max())
    x = partial(doubling_axis, say(message("figure-range-size")), low, high)
    plot = EvidencePlot(x=x, y=y, series=series, marks=marks)
    return evidence_figure(heading, plot, FigureTable(say(message("figure-table-reach")), columns, rows))
