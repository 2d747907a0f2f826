"""Staircase: read time against request size, with the law of placement that fits best."""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.axis import PlotAxis, axis_title, latency_unit, linear_axis
from ssdlab.figure.kit.evidence import (
    EvidencePlot,
    PlotHeading,
    PlotSeries,
    Stroke,
    conclusion,
    evidence_figure,
)
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.figure.probe.axes import kib_axis
from ssdlab.message import Message, message
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.placement import CHANNELS, KIND, PAGE, UNIT, read_times, staircase_ns
from ssdlab.probe.probes.placement_law import ReadTimes
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.words import value_of
from ssdlab.units import KIB
from ssdlab.unknown import Unknown


def staircase_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: ProbeEvidence) -> Figure:
    """The evidence for placement: a reading of every size, and the fitted line where one was accepted."""
    times = read_times(evidence)
    readings, count = times.levels_ns(), _count_words(times)
    unit = latency_unit(float(np.median(readings)))
    accepted = not isinstance(answers[UNIT].value, Unknown)
    fitted = staircase_ns(times) if accepted else None
    sizes, law = times.size_bytes / KIB, message("figure-fitted-law")
    series = [PlotSeries(say(message("figure-middle-of", count=count)), 1, sizes, readings / unit.factor)]
    if fitted is not None:
        series.append(PlotSeries(say(law), 2, sizes, fitted / unit.factor, Stroke.LINE))
    more = listed(say(told) for told in _known(answers))
    heading = PlotHeading(
        name="probe-staircase",
        title=say(message("figure-staircase-title")),
        subtitle=(
            named_with_capacity(drive),
            conclusion(answers[UNIT], message("figure-unit-of")),
            *([more] if more else []),
        ),
        caption=sentences(
            say(message("figure-staircase-caption")), say(message("figure-staircase-law")) if accepted else ""
        ),
    )

    def y(length_px: int, ticks: int) -> PlotAxis:
        title = axis_title(message("figure-read-time"), unit.label)
        return linear_axis(title, float(readings.max()) / unit.factor, length_px, ticks, round_up=True)

    rows = tuple(
        (
            int(size),
            round(reading / unit.factor, 2),
            say(message("figure-none")) if fitted is None else round(float(fitted[at]) / unit.factor, 2),
        )
        for at, (size, reading) in enumerate(zip(times.size_bytes.tolist(), readings.tolist(), strict=True))
    )
    columns = (
        column(message("figure-column-read"), "B"),
        column(message("figure-column-middle"), unit.label),
        column(law, unit.label),
    )
    table = FigureTable(say(message("figure-table-staircase", count=count)), columns, rows)
    x_title = axis_title(message("figure-read-size"), "KiB")
    plot = EvidencePlot(x=partial(kib_axis, x_title, float(sizes.max())), y=y, series=series)
    return evidence_figure(heading, plot, table)


def _known(answers: Mapping[str, Answer]) -> Iterator[Message]:
    """What else is known of the placement."""
    for name in (PAGE, CHANNELS, KIND):
        if name in answers and not isinstance(answers[name].value, Unknown):
            value = value_of(answers[name])
            if name == PAGE:
                yield message("figure-placement-page", value=value)
            elif name == CHANNELS:
                yield message("figure-placement-channels", value=value)
            else:
                yield message("figure-placement-kind", value=value)


def _count_words(times: ReadTimes) -> Message:
    rounds = times.rounds()
    least, most = int(rounds.min()), int(rounds.max())
    if least == most:
        return message("figure-reads-count", count=str(most))
    return message("figure-reads-range", least=str(least), most=str(most))
