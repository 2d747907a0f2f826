"""Four corners: speed by size of request, and of two dates how much longer everything takes (the source paper's ageing)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, linear_axis, log_axis, log_title
from ssdlab.figure.kit.evidence import EvidencePlot, PlotHeading, PlotSeries, Stroke, evidence_figure
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.figure.probe.axes import doubling_axis
from ssdlab.figure.probe.corner_words import corner_words
from ssdlab.message import message, number
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.corners import CORNERS, SIZES_BYTES, Corner, aged, corner_times
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.store.reader import evidence_of, is_probed
from ssdlab.units import MIB, NS_PER_S, NS_PER_US

_SIZES = np.array(SIZES_BYTES, dtype=np.float64)
_STROKES = {
    Corner.RANDOM_READ: Stroke.LINE,
    Corner.SEQUENTIAL_READ: Stroke.DASHED,
    Corner.SEQUENTIAL_WRITE: Stroke.LINE,
    Corner.RANDOM_WRITE: Stroke.DASHED,
}
"""On drives to which order is all the same, one line lies over the other."""


def _size_axis() -> Callable[[int, int], PlotAxis]:
    return partial(doubling_axis, say(message("figure-request-size")), _SIZES[0], _SIZES[-1])


def corners_figure(drive: DriveIdentity, _: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """Speed by size, a line a corner, as the source paper shows it."""
    times = corner_times(evidence)
    series, rows = [], []
    for slot, corner in enumerate(Corner, start=1):
        medians = np.array([float(np.median(times[corner, size])) for size in SIZES_BYTES])
        speeds = _SIZES / MIB / (medians / NS_PER_S)
        series.append(PlotSeries(corner_words(corner), slot, _SIZES, speeds, _STROKES[corner]))
        rows += [
            (corner_words(corner), size, round(time_ns / NS_PER_US, 2), round(float(speed), 3))
            for size, time_ns, speed in zip(SIZES_BYTES, medians.tolist(), speeds, strict=True)
        ]
    low, high = (float(edge([edge(one.y) for one in series])) for edge in (np.min, np.max))
    heading = PlotHeading(
        name="probe-corners",
        title=say(message("figure-corners-title")),
        subtitle=(named_with_capacity(drive), say(message("figure-one-in-flight"))),
        caption=say(message("figure-corners-caption")),
    )
    speed = message("figure-speed")
    columns = (
        column(message("figure-column-corner")),
        column(message("figure-column-size"), "B"),
        column(message("figure-column-time"), "µs"),
        column(speed, "MiB/s"),
    )
    y_title = log_title(speed, "MiB/s")
    plot = EvidencePlot(
        x=_size_axis(), y=lambda length_px, _ticks: log_axis(y_title, low, high, length_px), series=series
    )
    return evidence_figure(heading, plot, FigureTable(say(message("figure-table-corners")), columns, tuple(rows)))


def ageing(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of each drive whose corners were measured at two dates and more: the last over the first."""
    by_drive: dict[tuple[str, str], list[tuple[Bundle, Step]]] = {}
    for bundle in bundles:
        steps = [step for step in bundle.finished() if step.name == CORNERS.name] if is_probed(bundle) else []
        key = (str(bundle.run.drive.model), str(bundle.run.drive.serial))
        by_drive.setdefault(key, []).extend((bundle, step) for step in steps)
    for runs in by_drive.values():
        if len(runs) > 1:
            ordered = sorted(runs, key=lambda one: one[0].run.started_at)
            yield _ageing(ordered[0], ordered[-1])


def _ageing(first: tuple[Bundle, Step], last: tuple[Bundle, Step]) -> Figure:
    found = aged(evidence_of(*first), evidence_of(*last))
    series = [
        PlotSeries(
            corner_words(corner),
            slot,
            _SIZES,
            np.array([one.ratio for one in found if one.corner is corner]),
            _STROKES[corner],
        )
        for slot, corner in enumerate(Corner, start=1)
    ]
    changed = [one for one in found if one.has_changed]
    slower = sum(one.ratio > 1 for one in changed)
    dates = [one.run.started_at[:16].replace("T", " ") for one, _ in (first, last)]
    heading = PlotHeading(
        name="ageing",
        title=say(message("figure-ageing-title")),
        subtitle=(
            say(
                message(
                    "figure-ageing-dates", drive=named_with_capacity(first[0].run.drive), first=dates[0], last=dates[1]
                )
            ),
            say(message("figure-ageing-counts", count=len(found), slower=slower, faster=len(changed) - slower)),
        ),
        caption=say(message("figure-ageing-caption")),
    )

    def y(length_px: int, ticks: int) -> PlotAxis:
        highest = max(1.2, *(float(one.y.max()) for one in series))
        return linear_axis(say(message("figure-ageing-ratio")), highest, length_px, ticks, round_up=True)

    rows = tuple(
        (
            corner_words(one.corner),
            one.size_bytes,
            round(one.earlier_ns / NS_PER_US, 2),
            round(one.later_ns / NS_PER_US, 2),
            round(one.ratio, 3),
            say(message("figure-range", low=number(one.interval.low, ".3f"), high=number(one.interval.high, ".3f"))),
            say(message("figure-yes") if one.has_changed else message("figure-no")),
        )
        for one in found
    )
    columns = (
        column(message("figure-column-corner")),
        column(message("figure-column-size"), "B"),
        column(message("figure-column-earlier"), "µs"),
        column(message("figure-column-later"), "µs"),
        column(message("figure-ratio")),
        column(message("figure-column-interval")),
        column(message("figure-column-surely")),
    )
    table = FigureTable(say(message("figure-table-ageing")), columns, rows)
    return evidence_figure(heading, EvidencePlot(x=_size_axis(), y=y, series=series), table)
