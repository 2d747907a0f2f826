"""What the figures of the suite `fill` are drawn from (METHODS C2)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.model import Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Series
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.subject import block_words, pattern_title, state_message
from ssdlab.job import DriveState, StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.point import CoordinateAxis


@dataclass(frozen=True, slots=True, eq=False)
class FillPass:
    """One finished pass over the drive."""

    step: Step
    number: int
    series: Series
    """A last window that is shorter than half of one is joined to the one before."""
    begin_ns: int
    """Since the first pass began."""

    @property
    def label(self) -> str:
        """The pass and the state it found the drive in: `pass 1, FOB`."""
        return say(self.title)

    @property
    def title(self) -> Message:
        """The same as a message."""
        if self.step.state is DriveState.UNKNOWN:
            return message("figure-pass", number=self.number)
        return message("figure-pass-in-state", number=self.number, state=state_message(self.step.state))

    @property
    def written_bytes(self) -> NDArray[np.float64]:
        """Bytes written by the middle of each window: where its mean speed belongs."""
        done = self.series.bytes_done
        return np.asarray((done + np.concatenate(([0.0], done[:-1]))) / 2, dtype=np.float64)

    @property
    def clock_ns(self) -> NDArray[np.float64]:
        """Middle of each window, since the first pass began."""
        return np.asarray(self.begin_ns + self.series.time_ns - self.series.duration_ns / 2, dtype=np.float64)

    @property
    def end_ns(self) -> int:
        """End of the last window, since the first pass began."""
        return self.begin_ns + int(self.series.time_ns[-1])


@dataclass(frozen=True, slots=True)
class PassGap:
    """A rest between two passes."""

    begin_ns: int
    """Since the first pass began, like its end."""
    end_ns: int


def fill_passes(bundle: Bundle) -> tuple[FillPass, ...]:
    """The finished passes, in order; none when none came to its end."""
    found: list[FillPass] = []
    origin_ns: int | None = None
    for place, step in enumerate(_planned_passes(bundle), start=1):
        if step.status is not StepStatus.FINISHED or step.started_ns is None:
            continue
        series = with_last_joined(bundle.series(step, Direction.WRITE))
        if len(series.time_ns):
            origin_ns = step.started_ns if origin_ns is None else origin_ns
            found.append(FillPass(step, pass_number(step) or place, series, step.started_ns - origin_ns))
    return tuple(found)


def with_last_joined(series: Series) -> Series:
    """The series with a sliver of a window at its end joined to the window before.

    In a few milliseconds a single I/O makes any speed: drawn as a window, a level drive would end with a spike. No byte is left out.
    """
    if len(series.time_ns) < 2 or series.duration_ns[-1] * 2 >= series.window_ns:
        return series
    kept = np.arange(len(series.time_ns)) != len(series.time_ns) - 2
    lasted, done = series.duration_ns[-2:], series.iops[-2:] * series.duration_ns[-2:]
    latency = series.latency_ns_mean[-2:]
    known = np.isfinite(latency) & (done > 0)
    return Series(
        window_ns=series.window_ns,
        time_ns=series.time_ns[kept],
        bandwidth_bytes_per_s=_ending(
            series.bandwidth_bytes_per_s, float(np.average(series.bandwidth_bytes_per_s[-2:], weights=lasted))
        ),
        iops=_ending(series.iops, float(np.average(series.iops[-2:], weights=lasted))),
        latency_ns_mean=_ending(
            series.latency_ns_mean, float(np.average(latency[known], weights=done[known])) if known.any() else np.nan
        ),
        latency_ns_max=_ending(series.latency_ns_max, float(np.fmax.reduce(series.latency_ns_max[-2:]))),
    )


def _ending(values: NDArray[np.float64], last: float) -> NDArray[np.float64]:
    """All but the last two, and one for both."""
    return np.append(values[:-2], last)


def pass_number(step: Step) -> int | None:
    """Of a pass of a sustained write, which may have kept only some of them; None of other steps."""
    found = step.point.value(CoordinateAxis.PASS)
    return found if isinstance(found, int) and step.point.step == SUSTAIN else None


def is_sustained(bundle: Bundle) -> bool:
    """Whether the run is a sustained write."""
    return bundle.run.suite.name == SUSTAIN


PASSES_NAMED_MAX = 6
"""More passes have no names and colours of their own."""


_WHOLE_FROM = 0.995
_FILL_SHARE_MIN = 0.25
"""A fill of less of the drive only prepares it, as the file of a desktop benchmark does."""


def fill_group(bundle: Bundle) -> str | None:
    """The first step of the suite that fills the drive; None where there is none."""
    return next((step.group for step in bundle.steps if _fills(bundle, step)), None)


def _planned_passes(bundle: Bundle) -> list[Step]:
    group = fill_group(bundle)
    return [step for step in bundle.steps if step.group == group and _fills(bundle, step)]


def _fills(bundle: Bundle, step: Step) -> bool:
    """Whether a step is a pass of a fill: one for a point of another step is none."""
    if step.kind is not StepKind.FILL or step.point.name != step.name or step.job is None:
        return False
    share = step.job.region.length_bytes / bundle.run.drive.capacity_bytes
    # What a sustained write writes is never only preparation.
    return share >= _FILL_SHARE_MIN or is_sustained(bundle)


def workload(bundle: Bundle, passes: tuple[FillPass, ...]) -> Message:
    """What was done, in the words of a reviewer: `Sequential 128 KiB writes at QD256 over the whole drive`."""
    job = passes[0].step.job
    if job is None:
        return message("figure-writes")
    pattern, block = pattern_title(job.pattern), block_words(job.block_bytes)
    depth, share = job.in_flight, job.region.length_bytes / bundle.run.drive.capacity_bytes
    if share > _WHOLE_FROM:
        return message("figure-fill", pattern=pattern, block=block, depth=depth)
    return message("figure-fill-part", pattern=pattern, block=block, depth=depth, share=number(share, ".0%"))


def rests_between(bundle: Bundle, passes: tuple[FillPass, ...]) -> tuple[PassGap, ...]:
    """The rests with a drawn pass on either side."""
    if not passes or passes[0].step.started_ns is None:
        return ()
    origin_ns = passes[0].step.started_ns
    return tuple(
        PassGap(step.started_ns - origin_ns, step.ended_ns - origin_ns)
        for step in bundle.steps
        if step.kind is StepKind.REST
        and step.status is StepStatus.FINISHED
        and step.started_ns is not None
        and step.ended_ns is not None
        and passes[0].step.index < step.index < passes[-1].step.index
    )


def window_text(passes: tuple[FillPass, ...]) -> str:
    """Length of a window: `100 ms`."""
    return f"{passes[0].series.window_ns / 1e6:g} ms"
