"""Collisions: how much longer a pair of reads takes together than its pages alone, as a mixture of those that wait and those that do not."""

from collections.abc import Mapping

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.axis import Axis, linear_axis, log_axis
from ssdlab.figure.evidence import Heading, Plot, Series, Stroke, conclusion, drive_words, evidence_figure
from ssdlab.figure.model import Column, Figure, Scale, Table
from ssdlab.probe.answer import Answer
from ssdlab.probe.script import Evidence
from ssdlab.probe.units import COUNT, log_waits, pair_times

_BINS = 80
_HALF = 0.5
"""Below one pair on a logarithmic axis: where the outline stands on the ground."""


def collisions_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: Evidence) -> Figure:
    """The evidence for the number of units: pairs by their waiting."""
    ratio = np.exp(log_waits(*pair_times(evidence)))
    top = max(2.5, float(np.percentile(ratio, 99.5)) * 1.1)
    edges = np.linspace(min(0.9, float(ratio.min())), top, _BINS + 1)
    counts, _ = np.histogram(np.minimum(ratio, top), edges)
    answer = answers[COUNT]
    # An outline of steps: each bin from its left edge to its right one.
    outline = np.maximum(np.repeat(counts, 2), _HALF).astype(np.float64)
    series = [Series("pairs", 1, np.repeat(edges, 2)[1:-1], outline, Stroke.LINE)]

    def x(length_px: int, ticks: int) -> Axis:
        whole = linear_axis(
            "time of the pair together, over that of its slower page alone", top, length_px, ticks, round_up=False
        )
        shown = tuple(tick for tick in whole.ticks if tick >= edges[0])
        return Axis(whole.title, float(edges[0]), top, shown, length_px)

    def y(length_px: int, _ticks: int) -> Axis:
        whole = log_axis("pairs (log scale)", 1.0, float(counts.max()), length_px)
        return Axis(whole.title, _HALF, whole.high, whole.ticks, length_px, Scale.LOG)

    heading = Heading(
        name="probe-collisions",
        title="Units: pairs of reads at once",
        subtitle=(drive_words(drive), conclusion(answer, "Independent read units:")),
        caption=f"{len(ratio):,} pairs of random pages, each the median of its repeats. Two pages of one unit wait for each other: one"
        " pair in as many as there are units.",
    )
    rows = tuple(
        (round(float(low), 3), round(float(high), 3), int(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    )
    columns = (Column("ratio from", ""), Column("to", ""), Column("pairs", ""))
    return evidence_figure(
        heading, Plot(x=x, y=y, series=series), Table("Bins without a pair are left out", columns, rows)
    )
