"""The step `replay`: what a trace recorded, done again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab import os_errors
from ssdlab.job import Job, Pattern, Replay, ReplayPace, Resume, StepKind
from ssdlab.message import Message, message, size, verbatim
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.used_state import UsedStateStep
from ssdlab.method.tables import DRIVE_REGION, Depth, StepName
from ssdlab.method.values import Duration
from ssdlab.trace.damage import TraceFileError
from ssdlab.trace.load import TraceLoad, trace_load

_SECTOR_BYTES = 512
_DRIVE_BYTES_MIN = 16 << 20
"""A smaller drive holds not one of the extents by which a trace is folded onto it (`replay::EXTENT_BYTES`)."""


@final
class ReplayStep(SuiteStep):
    """A trace, done again I/O by I/O. What a trace reads must have been written: a fill comes before it, and says in which state the drive is."""

    kind: Literal["replay"]
    name: StepName = "replay"
    trace: Annotated[str, Field(min_length=1)]
    """Path of a file `.ssdtrace`."""
    pace: Annotated[ReplayPace, Field(strict=False)] = ReplayPace.TIMED
    """How its I/Os follow each other: `timed`, `idle` (pauses cut), `as_fast` or `dependent`."""
    pause_ns_max: Duration | None = Field(alias="longest_pause", default=None)
    """Of `idle`: longer pauses between two arrivals are cut to this."""
    queue_depth: Depth = Field(alias="qd", default=64)
    """I/Os in flight at most; those that find no room are late, and their latency tells it."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        if ground.drive.capacity_bytes < _DRIVE_BYTES_MIN:
            yield message("suite-replay-small-drive")
        try:
            load = _load(self.trace)
        except TraceFileError as error:
            yield error.message
            return
        except OSError as error:
            yield message("suite-unreadable", path=self.trace, why=os_errors.reason_of(error))
            return
        if not load.ios:
            yield message("suite-replay-empty", path=self.trace)
        yield from _unplaced(self.trace, load, ground.drive.logical_block_bytes)
        if load.discards and ground.drive.cannot_trim is not None:
            yield message("suite-replay-discards", path=self.trace, why=ground.drive.cannot_trim)
        if self.pace is not ReplayPace.AS_FAST and load.arrivals_ns is None:
            yield message("suite-replay-no-times", path=self.trace)
        if self.pace is ReplayPace.DEPENDENT and not load.has_latencies:
            yield message("suite-replay-no-latencies", path=self.trace)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """A single measurement."""
        job = _job(self, _load(self.trace), ground)
        resume = Resume.FROM_PURGE if job.writes else Resume.REDO
        yield replace(self.draft(self.name, StepKind.MEASURE, job), resume=resume)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    @property
    def opens_loads(self) -> bool:
        """Replays of fio drift, and none of them waits for what an I/O waited for."""
        return True

    @property
    def files_read(self) -> tuple[str, ...]:
        """The trace."""
        return (self.trace,)

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """A pause without the pace that has one, and what nobody wrote before."""
        if (self.pace is ReplayPace.IDLE) != (self.pause_ns_max is not None):
            yield ("longest_pause",), message("suite-replay-pause")
        if not any(isinstance(step, FillStep | UsedStateStep) for step in before):
            yield ("kind",), message("suite-replay-unwritten")


def trace_title(step: ReplayStep) -> Message:
    """For readers: the name of its file; its directory is nobody's business."""
    return verbatim(Path(step.trace).name)


def _unplaced(path: str, load: TraceLoad, sector_bytes: int) -> Iterator[Message]:
    """Why some of its I/Os are none of the drive's: it would fail the first of them, when it has long been erased."""
    if load.aligned_bytes is None or not load.aligned_bytes % sector_bytes:
        return
    step = size(load.aligned_bytes)
    if load.aligned_bytes < _SECTOR_BYTES:
        yield message("suite-replay-no-sectors", path=path, step=step, sector=size(_SECTOR_BYTES))
    else:
        yield message("suite-replay-other-sectors", path=path, step=step, sector=size(sector_bytes))


@lru_cache
def _load(path: str) -> TraceLoad:
    return trace_load(Path(path))


def _job(step: ReplayStep, load: TraceLoad, ground: StepContext) -> Job:
    read_percent = 100 if load.read_ios == load.ios else min(99, round(100 * load.read_ios / load.ios))
    mean_bytes = load.bytes // max(1, load.moving_ios) // _SECTOR_BYTES * _SECTOR_BYTES
    region = ground.region(DRIVE_REGION)
    return Job(
        name=step.name,
        pattern=Pattern.RANDOM,
        read_percent=read_percent,
        # What is longer than the drive is cut to it.
        block_bytes=min(max(_SECTOR_BYTES, mean_bytes), region.length_bytes),
        queue_depth=step.queue_depth,
        region=region,
        amount_bytes=load.bytes,
        duration_ns=None,
        seed=0,
        replay=Replay(
            path=str(Path(step.trace).absolute()),
            sha256=load.sha256,
            pace=step.pace,
            pause_ns_max=step.pause_ns_max,
            arrivals_ns=load.arrivals_ns,
            write_bytes=load.write_bytes,
            discards=load.discards,
        ),
    )
