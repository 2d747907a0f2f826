"""Staircase: read time against request size, with the law of placement that fits best."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.axis import Axis, latency_unit, linear_axis
from ssdlab.figure.evidence import Heading, Plot, Series, Stroke, conclusion, drive_words, evidence_figure
from ssdlab.figure.model import Column, Figure, Table
from ssdlab.figure.probe_axes import kib_axis
from ssdlab.probe.answer import Answer
from ssdlab.probe.placement import CHANNELS, KIND, PAGE, UNIT, read_times, staircase_ns
from ssdlab.probe.placement_law import ReadTimes
from ssdlab.probe.script import Evidence
from ssdlab.probe.words import value_words
from ssdlab.units import KIB
from ssdlab.unknown import Unknown


def staircase_figure(drive: DriveIdentity, answers: Mapping[str, Answer], evidence: Evidence) -> Figure:
    """The evidence for placement: a reading of every size, and the fitted line where one was accepted."""
    times = read_times(evidence)
    readings, count = times.levels_ns(), _count_words(times)
    unit = latency_unit(float(np.median(readings)))
    accepted = not isinstance(answers[UNIT].value, Unknown)
    fitted = staircase_ns(times) if accepted else None
    sizes = times.size_bytes / KIB
    series = [Series(f"middle of {count}", 1, sizes, readings / unit.factor)]
    if fitted is not None:
        series.append(Series("fitted law", 2, sizes, fitted / unit.factor, Stroke.LINE))
    more = [
        f"{word} {value_words(answers[name])}"
        for name, word in ((PAGE, "page"), (CHANNELS, "channels"), (KIND, "placement"))
        if name in answers and not isinstance(answers[name].value, Unknown)
    ]
    heading = Heading(
        name="probe-staircase",
        title="Placement: read time by size",
        subtitle=(drive_words(drive), conclusion(answers[UNIT], "Unit:"), *([", ".join(more)] if more else [])),
        caption="Single reads at fresh places that are whole MiB."
        + (" The line is that of the paper's equations (1) and (2), whole and partial stripes." if accepted else ""),
    )

    def y(length_px: int, ticks: int) -> Axis:
        return linear_axis(
            f"read time ({unit.label})", float(readings.max()) / unit.factor, length_px, ticks, round_up=True
        )

    rows = tuple(
        (
            int(size),
            round(reading / unit.factor, 2),
            "none" if fitted is None else round(float(fitted[at]) / unit.factor, 2),
        )
        for at, (size, reading) in enumerate(zip(times.size_bytes.tolist(), readings.tolist(), strict=True))
    )
    columns = (Column("read", "B"), Column("middle", unit.label), Column("fitted law", unit.label))
    table = Table(f"A row stands for {count}", columns, rows)
    plot = Plot(x=partial(kib_axis, "size of the read (KiB)", float(sizes.max())), y=y, series=series)
    return evidence_figure(heading, plot, table)


def _count_words(times: ReadTimes) -> str:
    rounds = times.rounds()
    least, most = int(rounds.min()), int(rounds.max())
    return f"{most} reads" if least == most else f"{least} to {most} reads"
