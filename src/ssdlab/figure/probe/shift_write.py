"""Shift write: response time by the place of a write inside the inferred block, or inside the chunk where none was found."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, axis_title, linear_axis
from ssdlab.figure.kit.evidence import EvidencePlot, PlotHeading, PlotSeries, conclusion, evidence_figure
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.message import message
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.shift_write import OFFSET, SIZE, WHOLE, ArmTimes, arm_times, arms_for, medians_of
from ssdlab.probe.script import ProbeEvidence
from ssdlab.units import KIB, MIB


def shift_write_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """The evidence for the management block: shifts folded by its size, a point a shift."""
    arms = (*arms_for(drive.logical_block_bytes), WHOLE)
    times = [arm_times(arm, evidence) for arm in arms if arm.name in evidence.asked]
    size = answers[SIZE]
    folded = size.value if isinstance(size.value, int) else None
    begin = answers[OFFSET].value if OFFSET in answers else 0
    period = folded or max(one.arm.span_bytes for one in times)
    offset = begin if isinstance(begin, int) else 0
    unit, factor = ("KiB", KIB) if period < MIB or folded else ("MiB", MIB)
    series = [
        PlotSeries(
            _label(one),
            slot,
            (one.arm.shifts - offset) % period / factor,
            np.exp(medians_of(one)),
            point_px2=_POINTS_PX2[slot - 1],
        )
        for slot, one in enumerate(times, start=1)
        if one.arm.shift_bytes < period
    ]
    if folded:
        where = message("figure-begin-inside-block", size=f"{period / factor:g} {unit}")
    else:
        where = message("figure-begin-inside-chunk")
    heading = PlotHeading(
        name="probe-shift-write",
        title=say(message("figure-shift-title")),
        subtitle=(named_with_capacity(drive), conclusion(size, message("figure-management-block"))),
        caption=sentences(say(message("figure-shift-caption")), say(message("figure-shift-folded")) if folded else ""),
    )
    plot = EvidencePlot(
        x=partial(_place_axis, axis_title(where, unit), period / factor),
        y=partial(_relative_axis, series),
        series=series,
    )
    return evidence_figure(heading, plot, _table(times, period, offset))


def _label(one: ArmTimes) -> str:
    arm = one.arm
    step = f"{arm.shift_bytes // KIB} KiB" if arm.shift_bytes >= KIB else f"{arm.shift_bytes} B"
    return say(message("figure-shift-arm", size=f"{arm.write_bytes // KIB} KiB", step=step))


def _place_axis(title: str, length: float, length_px: int, ticks: int) -> PlotAxis:
    """Up to the period, ticks at its eighths or quarters: sizes are powers of two, or thrice that."""
    parts = 8 if ticks >= 8 else 4
    return PlotAxis(title, 0.0, length, tuple(length * at / parts for at in range(parts + 1)), length_px)


def _relative_axis(series: list[PlotSeries], length_px: int, ticks: int) -> PlotAxis:
    """Around what was measured, for a step may be small beside the time of a write."""
    low = min(0.9, *(float(one.y.min()) for one in series))
    high = max(1.1, *(float(one.y.max()) for one in series))
    whole = linear_axis(say(message("figure-relative-time")), high - low, length_px, ticks, round_up=True)
    step = whole.ticks[1]
    first, last = math.floor(low / step), math.ceil(high / step)
    shown = tuple(round(at * step, 9) for at in range(first, last + 1))
    return PlotAxis(whole.title, shown[0], shown[-1], shown, length_px)


def _table(times: list[ArmTimes], period: int, offset: int) -> FigureTable:
    """A row a place, thinned to the first 64 where shifts are many: the rest repeats them."""
    rows: list[tuple[str | float | int, ...]] = []
    for one in times:
        places = (one.arm.shifts - offset) % period
        values = np.exp(medians_of(one))
        kept = np.unique(places)
        kept = kept[:: max(1, len(kept) // _ROWS_MAX)]
        rows += [
            (_label(one), int(place), round(float(np.median(values[places == place])), 3)) for place in kept.tolist()
        ]
    columns = (
        column(message("figure-column-writes")),
        column(message("figure-column-begin"), "B"),
        column(message("figure-column-time"), say(message("figure-unit-relative"))),
    )
    return FigureTable(say(message("figure-table-shift")), columns, tuple(rows))


_ROWS_MAX = 32
_POINTS_PX2 = (110, 64, 30, 9, 4)
"""Smaller points over larger ones: shifts of several arms stand at one place."""
