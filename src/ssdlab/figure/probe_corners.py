"""Four corners: speed by size of request, and of two dates how much longer everything takes (the source paper's ageing)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.axis import Axis, linear_axis, log_axis
from ssdlab.figure.evidence import Heading, Plot, Series, Stroke, drive_words, evidence_figure
from ssdlab.figure.model import Column, Figure, Table
from ssdlab.figure.probe_axes import doubling_axis
from ssdlab.probe.answer import Answer
from ssdlab.probe.corners import CORNERS, SIZES_BYTES, Corner, aged, corner_times
from ssdlab.probe.kept import evidence_of, is_probed
from ssdlab.probe.script import Evidence
from ssdlab.units import MIB, NS_PER_S, NS_PER_US

_SIZES = np.array(SIZES_BYTES, dtype=np.float64)
_STROKES = {
    Corner.RANDOM_READ: Stroke.LINE,
    Corner.SEQUENTIAL_READ: Stroke.DASHED,
    Corner.SEQUENTIAL_WRITE: Stroke.LINE,
    Corner.RANDOM_WRITE: Stroke.DASHED,
}
"""On drives to which order is all the same, one line lies over the other."""
_X = partial(doubling_axis, "size of the request", _SIZES[0], _SIZES[-1])


def corners_figure(drive: DriveIdentity, _: Mapping[str, Answer], evidence: Evidence) -> Figure:
    """Speed by size, a line a corner, as the source paper shows it."""
    times = corner_times(evidence)
    series, rows = [], []
    for slot, corner in enumerate(Corner, start=1):
        medians = np.array([float(np.median(times[corner, size])) for size in SIZES_BYTES])
        speeds = _SIZES / MIB / (medians / NS_PER_S)
        series.append(Series(corner.value, slot, _SIZES, speeds, _STROKES[corner]))
        rows += [
            (corner.value, size, round(time_ns / NS_PER_US, 2), round(float(speed), 3))
            for size, time_ns, speed in zip(SIZES_BYTES, medians.tolist(), speeds, strict=True)
        ]
    low, high = (float(edge([edge(one.y) for one in series])) for edge in (np.min, np.max))
    heading = Heading(
        name="probe-corners",
        title="Four corners: speed by size of request",
        subtitle=(drive_words(drive), "one request in flight"),
        caption="Median response time of each size. Two runs of the same drive, months apart, say how it has aged.",
    )
    columns = (Column("corner", ""), Column("size", "B"), Column("time", "µs"), Column("speed", "MiB/s"))
    plot = Plot(
        x=_X, y=lambda length_px, _ticks: log_axis("speed (MiB/s, log scale)", low, high, length_px), series=series
    )
    return evidence_figure(heading, plot, Table("Medians", columns, tuple(rows)))


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
        Series(
            corner.value,
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
    heading = Heading(
        name="ageing",
        title="Ageing: how much longer requests take",
        subtitle=(
            f"{drive_words(first[0].run.drive)} · {dates[0]} and {dates[1]}",
            f"of {len(found)} sizes and corners {slower} surely take 5 % longer and more, {len(changed) - slower} shorter",
        ),
        caption="Median response time of the later run over that of the earlier one; 1 is no change.",
    )

    def y(length_px: int, ticks: int) -> Axis:
        highest = max(1.2, *(float(one.y.max()) for one in series))
        return linear_axis("later time / earlier time", highest, length_px, ticks, round_up=True)

    rows = tuple(
        (
            one.corner.value,
            one.size_bytes,
            round(one.earlier_ns / NS_PER_US, 2),
            round(one.later_ns / NS_PER_US, 2),
            round(one.ratio, 3),
            f"{one.interval.low:.3f} to {one.interval.high:.3f}",
            "yes" if one.has_changed else "no",
        )
        for one in found
    )
    columns = (
        Column("corner", ""),
        Column("size", "B"),
        Column("earlier", "us"),
        Column("later", "us"),
        Column("ratio", ""),
        Column("95 % interval", ""),
        Column("surely 5 %", ""),
    )
    return evidence_figure(heading, Plot(x=_X, y=y, series=series), Table("Medians of both runs", columns, rows))
