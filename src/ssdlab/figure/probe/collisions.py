"""Collisions: how much longer a pair of reads takes together than its pages alone, as a mixture of those that wait and those that do not."""

from collections.abc import Mapping

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, linear_axis, log_axis, log_title
from ssdlab.figure.kit.evidence import (
    EvidencePlot,
    PlotHeading,
    PlotSeries,
    Stroke,
    conclusion,
    evidence_figure,
)
from ssdlab.figure.kit.model import AxisScale, Figure, FigureTable
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.message import message, number
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.units import COUNT, log_waits, pair_times
from ssdlab.probe.script import ProbeEvidence

_BINS = 80
_HALF = 0.5
"""Below one pair on a logarithmic axis: where the outline stands on the ground."""


def collisions_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """The evidence for the number of units: pairs by their waiting."""
    ratio = np.exp(log_waits(pair_times(evidence)))
    top = max(2.5, float(np.percentile(ratio, 99.5)) * 1.1)
    edges = np.linspace(min(0.9, float(ratio.min())), top, _BINS + 1)
    counts, _ = np.histogram(np.minimum(ratio, top), edges)
    answer = answers[COUNT]
    # An outline of steps: each bin from its left edge to its right one.
    outline = np.maximum(np.repeat(counts, 2), _HALF).astype(np.float64)
    series = [PlotSeries(say(message("figure-pairs")), 1, np.repeat(edges, 2)[1:-1], outline, Stroke.LINE)]

    def x(length_px: int, ticks: int) -> PlotAxis:
        whole = linear_axis(say(message("figure-pair-time")), top, length_px, ticks, round_up=False)
        shown = tuple(tick for tick in whole.ticks if tick >= edges[0])
        return PlotAxis(whole.title, float(edges[0]), top, shown, length_px)

    def y(length_px: int, _ticks: int) -> PlotAxis:
        whole = log_axis(log_title(message("figure-pairs")), 1.0, float(counts.max()), length_px)
        return PlotAxis(whole.title, _HALF, whole.high, whole.ticks, length_px, AxisScale.LOG)

    heading = PlotHeading(
        name="probe-collisions",
        title=say(message("figure-collisions-title")),
        subtitle=(named_with_capacity(drive), conclusion(answer, message("figure-read-units"))),
        caption=say(message("figure-collisions-caption", pairs=number(len(ratio)))),
    )
    rows = tuple(
        (round(float(low), 3), round(float(high), 3), int(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    )
    columns = (
        column(message("figure-column-ratio-from")),
        column(message("figure-column-to")),
        column(message("figure-pairs")),
    )
    table = FigureTable(say(message("figure-table-collisions")), columns, rows)
    return evidence_figure(heading, EvidencePlot(x=x, y=y, series=series), table)
