"""Metrics of a sustained write (METHODS U, M): how steady each pass was, and what of it came back."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.naming import Naming
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.totals import Totals
from ssdlab.engine.result import Direction, Series
from ssdlab.job import DriveState, StepKind
from ssdlab.method.sustain import NAME, Work
from ssdlab.units import NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

WRITING = f"{NAME}.pass"
READING = f"{NAME}.verify"
"""Names of steps, before their number."""
NOT_ALL_READ = "of all readings, the last of which was stopped before its end"
SHARES = (50, 80, 95)
"""Per cent of the median that the share of time below is given for."""
FLAT_WITHIN = 0.05
FLAT_FOR = 0.99
"""A pass is flat if 99 % of its seconds are within 5 % of their median, and its line of best fit moves by no more than 5 % of
the mean from one end to the other."""
_SECONDS_MIN = 5


@dataclass(frozen=True, slots=True, eq=False)
class Seconds:
    """Mean bandwidth of each second of a pass, in bytes a second; the rest of a second at the end is left out.

    Attributes:
        bandwidth: float64.
    """

    bandwidth: NDArray[np.float64]

    @property
    def median(self) -> float:
        """Of all seconds."""
        return float(np.median(self.bandwidth))

    def share_below(self, bytes_per_s: float) -> float:
        """Share of the seconds that were slower."""
        return float(np.mean(self.bandwidth < bytes_per_s))

    @property
    def excursion(self) -> float:
        """How far the line of best fit moves from end to end, as a share of the mean."""
        count = len(self.bandwidth)
        slope = np.polyfit(np.arange(count), self.bandwidth, 1)[0]
        return abs(float(slope)) * (count - 1) / float(self.bandwidth.mean())

    @property
    def within(self) -> float:
        """Share of the seconds near the median."""
        return float(np.mean(np.abs(self.bandwidth - self.median) <= FLAT_WITHIN * self.median))

    @property
    def is_flat(self) -> bool:
        """Steady and without a trend."""
        return self.within >= FLAT_FOR and self.excursion <= FLAT_WITHIN

    def percent_of_time_at(self, bytes_per_s: float) -> float:
        """Per cent of the seconds that were as fast."""
        return 100 * (1 - self.share_below(bytes_per_s))


def seconds_of(series: Series) -> Seconds | Unknown:
    """The seconds of a pass; Unknown where there are too few to say anything."""
    end_ns = int(series.time_ns[-1]) if len(series.time_ns) else 0
    count = end_ns // NS_PER_S
    if count < _SECONDS_MIN:
        return Unknown(f"the pass took less than {_SECONDS_MIN} s")
    edges = np.arange(count + 1) * NS_PER_S
    done = np.interp(edges, np.concatenate(([0], series.time_ns)), np.concatenate(([0.0], series.bytes_done)))
    return Seconds(np.diff(done))


def settings_of(text: str) -> dict[str, Any]:
    """What was asked, from the settings a bundle keeps."""
    said: dict[str, Any] = tomllib.loads(text)["sustain"]
    return said


def sustain_metrics(
    text: str, plan: Sequence[Step], finished: Sequence[Evidence], thinned: Sequence[Totals] = ()
) -> Iterator[Metric]:
    """Metrics beyond those of a fill, which every pass of writing is too.

    Args:
        text: Settings of the run, as the bundle keeps them.
        plan: All steps of the run that are kept one by one.
        finished: Those that did I/O.
        thinned: All others.
    """
    settings = settings_of(text)
    need = settings.get("need_bytes_per_s")
    for one in finished:
        if one.step.kind is StepKind.FILL and Direction.WRITE in one.series:
            yield from _pass_metrics(one, need if isinstance(need, int) else None)
        elif Direction.READ in one.series:
            part = one.result.directions[Direction.READ]
            naming = Naming(one.step.name, one.step.state)
            speed = part.io_bytes * NS_PER_S / max(part.runtime_ns, 1)
            yield naming.metric("bandwidth_mean", speed, "B/s", note="all bytes over all time")
            if settings["work"] == Work.READ_AGAIN.value:
                yield _retained(naming, speed, tomllib.loads(text).get("day_of_writing"))
    yield from _verify_metrics(plan, thinned, _what_was_read(finished, thinned))


def _pass_metrics(one: Evidence, need: int | None) -> Iterator[Metric]:
    naming = Naming(one.step.name, one.step.state)
    seconds = seconds_of(one.series[Direction.WRITE])
    if isinstance(seconds, Unknown):
        for what, unit in (("bandwidth_min", "B/s"), ("flat", "")):
            yield naming.metric(what, seconds, unit)
        return
    yield naming.metric("bandwidth_min", float(seconds.bandwidth.min()), "B/s", note="slowest second")
    yield naming.metric("bandwidth_median", seconds.median, "B/s", note="of the seconds")
    for percent in SHARES:
        share = 100 * seconds.share_below(percent / 100 * seconds.median)
        yield naming.metric(f"time_below_{percent}", share, "%", note=f"of the time under {percent} % of the median")
    yield _flat(naming, seconds)
    if need is not None:
        share = seconds.percent_of_time_at(need)
        yield naming.metric("need_met", share, "%", note=f"of the time at least {format_bytes_decimal(need)}/s")


def _retained(naming: Naming, speed: float, once: dict[str, Any] | None) -> Metric:
    """Speed against that of the reading on the day of writing: cells that lost charge take longer to be read."""
    if once is None:
        unknown = Unknown("this lab has no run that wrote this tag and read it with chunks of the same size")
        return naming.metric("speed_retained", unknown, "%")
    share = 100 * speed / once["bandwidth_bytes_per_s"]
    return naming.metric("speed_retained", share, "%", note=f"of the day of writing ({once['date'][:10]})")


def _flat(naming: Naming, seconds: Seconds) -> Metric:
    note = (
        f"{100 * seconds.within:.1f} % of the seconds within {100 * FLAT_WITHIN:.0f} % of the median, "
        f"{100 * FLAT_FOR:.0f} % needed; best fit moves by {100 * seconds.excursion:.1f} %, {100 * FLAT_WITHIN:.0f} % allowed"
    )
    return Metric(
        name=f"{naming.prefix}.flat", value=seconds.is_flat, unit="", state=naming.state, step=naming.prefix, note=note
    )


def _what_was_read(finished: Sequence[Evidence], thinned: Sequence[Totals]) -> str:
    whole = any(one.result.stopped is not None for one in finished if one.step.name.startswith(READING))
    others = any(one.cut_short for one in thinned if one.name == READING)
    return NOT_ALL_READ if whole or others else "of all readings"


def _verify_metrics(plan: Sequence[Step], thinned: Sequence[Totals], which: str) -> Iterator[Metric]:
    """Bad bytes of each reading, from the note its step left, and of all together."""
    readings = [step for step in plan if step.name.startswith(READING) and step.status is StepStatus.FINISHED]
    others = [one.bad_bytes for one in thinned if one.name == READING]
    if not readings and not others:
        return
    counts = [_bad_bytes(step) for step in readings]
    for step, count in zip(readings, counts, strict=True):
        yield Naming(step.name, step.state).metric("bad_bytes", count, "B")
    counts += others
    unknown = next((count for count in counts if isinstance(count, Unknown)), None)
    total = unknown if unknown is not None else float(sum(count for count in counts if not isinstance(count, Unknown)))
    yield Naming(READING, readings[-1].state if readings else DriveState.UNKNOWN).metric(
        "bad_bytes", total, "B", note=which
    )


def _bad_bytes(step: Step) -> int | Unknown:
    first, _, rest = step.note.rpartition("; ")[2].partition(" ")
    if rest == "bytes are not what was written" and first.isdigit():
        return int(first)
    return Unknown(step.note or "its outcome was not recorded")
