"""A suite, a profile and a drive, expanded into what will be done: pure, touches nothing."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.errors import SsdlabError
from ssdlab.job import WINDOW_NS, Draw, DriveState, Job, Region, StepKind
from ssdlab.method.schema import AnyStep, FillStep, Profile, PurgeStep, RestStep
from ssdlab.method.suite import Suite
from ssdlab.units import KIB, MIB, NS_PER_S, Share, format_bytes

FILL_BYTES_MIN = 64 * MIB
"""Below this a fill ends within a few windows even on slow drives, and nothing can be seen in it."""

_SLOWEST_BYTES_PER_S = 30_000_000
"""Sustained write of the slowest internal drives known (Intel 600p after its cache): bounds how long a plan can log."""
_LOG_BYTES_PER_WINDOW = 1800
"""A window while its step runs: a line of fio's histogram log and three of its latency logs."""
_KEPT_BYTES_PER_WINDOW = 64
"""The same window as a row of Parquet."""
_BYTES_PER_STEP = 512 * KIB
"""Job file, fio's JSON with its latency bins, histogram, result and journal lines."""


class PlanError(SsdlabError):
    """The suite cannot be run on this drive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """One step, ready to be done."""

    index: int
    """From 1."""
    name: str
    kind: StepKind
    state: DriveState
    """State of the drive before it, if all goes as planned."""
    job: Job | None = None
    rest_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that will be done, in order."""

    suite: Suite
    profile: str
    comparable: bool
    seed: int
    steps: tuple[PlannedStep, ...]

    @property
    def bytes_to_write(self) -> int:
        """Bytes the plan writes to the drive at most."""
        return sum(step.job.amount_bytes or 0 for step in self.steps if step.job is not None and step.job.writes)

    @property
    def rest_ns(self) -> int:
        """All rests together."""
        return sum(step.rest_ns for step in self.steps)

    def duration_ns_at(self, bandwidth_bytes_per_s: float) -> int:
        """How long it takes if the drive keeps up that bandwidth; a purge's own time, mostly seconds, is not in it."""
        return self.rest_ns + round(self.bytes_to_write / bandwidth_bytes_per_s * NS_PER_S)

    @property
    def host_bytes_max(self) -> int:
        """Space the bundle needs at most, raw logs of the running step included, even on a very slow drive."""
        windows = [_windows_max(step) for step in self.steps]
        kept_bytes = len(self.steps) * _BYTES_PER_STEP + sum(windows) * _KEPT_BYTES_PER_WINDOW
        return kept_bytes + max(windows, default=0) * _LOG_BYTES_PER_WINDOW


def _windows_max(step: PlannedStep) -> int:
    job = step.job
    if job is None:
        return 0
    longest_ns = job.duration_ns or (job.amount_bytes or 0) * NS_PER_S // _SLOWEST_BYTES_PER_S
    return longest_ns // WINDOW_NS


def expand(suite: Suite, profile: str, drive: DriveIdentity, seed: int) -> Plan:
    """Everything the suite does on that drive.

    Raises:
        SuiteError: The suite has no such profile.
        PlanError: The drive is too small for it or its blocks do not fit; all reasons at once.
    """
    scale = suite.profile(profile)
    faults = [fault for step in suite.steps for fault in _faults(step, scale, drive)]
    if faults:
        raise PlanError(f"suite `{suite.name}` does not fit `{drive.target}`: {'; '.join(faults)}")
    state = DriveState.UNKNOWN
    steps: list[PlannedStep] = []
    for draft in (draft for step in suite.steps for draft in _drafts(step, scale, drive)):
        job = None if draft.job is None else replace(draft.job, seed=_step_seed(seed, draft.name))
        steps.append(replace(draft, index=len(steps) + 1, state=state, job=job))
        state = _state_after(draft, state, drive)
    return Plan(suite=suite, profile=profile, comparable=scale.comparable, seed=seed, steps=tuple(steps))


def _faults(step: AnyStep, scale: Profile, drive: DriveIdentity) -> Iterator[str]:
    """Why a step cannot be done on this drive."""
    if isinstance(step, FillStep):
        job, fill_bytes = step.job, _fill_bytes(step, scale, drive)
        needed_bytes = max(FILL_BYTES_MIN, job.queue_depth * job.block_bytes)
        if job.block_bytes % drive.logical_block_bytes:
            yield (
                f"step `{step.name}` writes blocks of {job.block_bytes} bytes, "
                f"which are no whole blocks of the drive ({drive.logical_block_bytes} bytes)"
            )
        if fill_bytes > drive.capacity_bytes:
            yield (
                f"step `{step.name}` writes {format_bytes(fill_bytes)}, "
                f"the drive has {format_bytes(drive.capacity_bytes)}"
            )
        if fill_bytes < needed_bytes:
            yield (
                f"step `{step.name}` needs at least {format_bytes(needed_bytes)} to write, "
                f"it would get {format_bytes(fill_bytes)} of the drive's {format_bytes(drive.capacity_bytes)}"
            )


def _drafts(step: AnyStep, scale: Profile, drive: DriveIdentity) -> Iterator[PlannedStep]:
    """The planned steps of one step of the suite; their place, state and seed come from the whole."""
    match step:
        case PurgeStep():
            yield _draft(step.name, StepKind.PURGE)
            if step.rest_ns:
                yield _draft(f"{step.name}.rest", StepKind.REST, rest_ns=scale.time.of(step.rest_ns))
        case RestStep():
            yield _draft(step.name, StepKind.REST, rest_ns=scale.time.of(step.duration_ns))
        case FillStep():
            yield from _fill_drafts(step, scale, drive)


def _fill_drafts(step: FillStep, scale: Profile, drive: DriveIdentity) -> Iterator[PlannedStep]:
    """`fill.pass1`, `fill.rest`, `fill.pass2`; with more passes the later rests are `fill.rest2` and on."""
    for number in range(1, step.passes + 1):
        if number > 1 and step.rest_ns:
            suffix = "" if number == 2 else str(number - 1)
            yield _draft(f"{step.name}.rest{suffix}", StepKind.REST, rest_ns=scale.time.of(step.rest_ns))
        name = f"{step.name}.pass{number}"
        yield _draft(name, StepKind.FILL, job=_fill_job(name, step, _fill_bytes(step, scale, drive)))


def _fill_job(name: str, step: FillStep, fill_bytes: int) -> Job:
    return Job(
        name=name,
        pattern=step.job.pattern,
        draw=Draw.PERMUTATION,
        read_percent=0,
        block_bytes=step.job.block_bytes,
        queue_depth=step.job.queue_depth,
        region=Region(0, fill_bytes),
        amount_bytes=fill_bytes,
        duration_ns=None,
        seed=0,
    )


def _fill_bytes(step: FillStep, scale: Profile, drive: DriveIdentity) -> int:
    """What one pass writes, in whole blocks; a share is of the user capacity, whatever the profile."""
    if isinstance(step.amount, Share):
        wanted_bytes = step.amount.of(drive.capacity_bytes)
    else:
        wanted_bytes = scale.size.of(step.amount)
    return wanted_bytes // step.job.block_bytes * step.job.block_bytes


def _draft(name: str, kind: StepKind, job: Job | None = None, rest_ns: int = 0) -> PlannedStep:
    return PlannedStep(index=0, name=name, kind=kind, state=DriveState.UNKNOWN, job=job, rest_ns=rest_ns)


def _state_after(step: PlannedStep, state: DriveState, drive: DriveIdentity) -> DriveState:
    """State the step leaves behind; what has no word of its own, such as a drive half full, is unknown."""
    match step.kind:
        case StepKind.PURGE:
            return DriveState.FOB if drive.purge_leaves is Freshness.FRESH else DriveState.UNKNOWN
        case StepKind.REST:
            return state
        case StepKind.FILL if step.job is not None and _covers(step.job, drive):
            return _AFTER_WHOLE_FILL.get(state, DriveState.UNKNOWN)
        case _:
            return DriveState.UNKNOWN


_AFTER_WHOLE_FILL = {
    DriveState.FOB: DriveState.FILLED_ONCE,
    DriveState.FILLED_ONCE: DriveState.FILLED_TWICE,
    DriveState.FILLED_TWICE: DriveState.FILLED_TWICE,
}


def _covers(job: Job, drive: DriveIdentity) -> bool:
    """Whether not even one more block would fit."""
    return drive.capacity_bytes - job.region.length_bytes < job.block_bytes


def _step_seed(seed: int, name: str) -> int:
    """A seed for each step that depends on nothing but the run's seed and the step's name."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1  # 63 bits: positive in every signed integer it passes through
