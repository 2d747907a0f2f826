"""Planned steps, and what expanding a step of a suite needs to know: the drive, the scale, the regions made so far."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.job import WINDOW_NS, DriveState, Job, Region, Resume, StepKind
from ssdlab.method.schema import DRIVE_REGION, CtrlC, Profile, SearchStep
from ssdlab.units import MIB, Share

FILL_BYTES_MIN = 64 * MIB
"""Below this a fill ends within a few windows even on slow drives, and nothing can be seen in it."""


class PlanError(SsdlabError):
    """The suite cannot be run on this drive."""


@dataclass(frozen=True, slots=True)
class RseRule:
    """A further run of a point is made only while the last three differ too much (METHODS 0)."""

    point: str
    limit_percent: float
    """Relative standard error of the last three runs that is small enough."""
    runs_min: int
    """Runs there are in any case."""


@dataclass(frozen=True, slots=True)
class SteadyRule:
    """A job ends once the drive is steady (METHODS S)."""

    minimum_bytes: int
    """Not before so much is written."""
    measured_ns: int
    """How long each measurement that follows lasts, as the profile scales it."""
    time: Share
    """Scales the seconds of the criteria."""
    ctrl_c: CtrlC
    """What Ctrl-C ends while the job runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRule:
    """A search asks for its measurements while the run goes on (METHODS E5)."""

    said: SearchStep
    """The suite's own words for it."""
    reads: Job
    """What each of them is, but for its name, its number of jobs, its time and its seed."""
    double_ns: int
    bisect_ns: int
    confirm_ns: int
    """How long they last, as the profile scales it."""
    confirm_runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """One step, ready to be done."""

    index: int
    """From 1."""
    name: str
    group: str
    """Name of the suite's step it comes from."""
    point: str
    """Prefix of the metrics it contributes to; the step's own name where nothing is repeated."""
    run: int = 1
    """Which repetition of the point, from 1."""
    kind: StepKind
    state: DriveState
    """State of the drive before it, if all goes as planned."""
    job: Job | None = None
    rest_ns: int = 0
    only_while: RseRule | None = None
    """Asked right before the step, which is skipped where the rule is satisfied."""
    until: SteadyRule | None = None
    """What may end the job before its amount is done."""
    search: SearchRule | None = None
    """What a search asks for."""
    skip: str | None = None
    """Why this drive does not need the step, where the plan already knows."""
    resume: Resume = Resume.REDO


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a step of a suite is expanded on."""

    drive: DriveIdentity
    scale: Profile
    regions: Mapping[str, Region]
    """Made by the steps before; the drive itself is always one."""

    def region(self, name: str) -> Region:
        """A region by its name."""
        return Region(0, self.drive.capacity_bytes) if name == DRIVE_REGION else self.regions[name]

    def amount_bytes(self, amount: int | Share, block_bytes: int) -> int:
        """An amount on this drive in whole blocks: sizes are scaled, shares are of the user capacity whatever the profile."""
        wanted_bytes = amount.of(self.drive.capacity_bytes) if isinstance(amount, Share) else self.scale.size.of(amount)
        return wanted_bytes // block_bytes * block_bytes

    def rest_ns(self, rest_ns: int) -> int:
        """A rest in which the drive settles."""
        return self.scale.settling.of(rest_ns)

    def time_ns(self, duration_ns: int) -> int:
        """A duration that is part of what is measured."""
        return self.scale.time.of(duration_ns)

    def limit_ns(self, duration_ns: int) -> int:
        """How long a job may take: never less than a window, or nothing could be seen of it."""
        return max(WINDOW_NS, self.time_ns(duration_ns))


def draft(
    name: str,
    kind: StepKind,
    *,
    group: str,
    point: str | None = None,
    run: int = 1,
    job: Job | None = None,
    rest_ns: int = 0,
    only_while: RseRule | None = None,
    until: SteadyRule | None = None,
    search: SearchRule | None = None,
    skip: str | None = None,
    resume: Resume = Resume.REDO,
) -> PlannedStep:
    """A planned step without its place in the plan, its state and its seed, which come from the whole."""
    return PlannedStep(
        index=0,
        name=name,
        group=group,
        point=name if point is None else point,
        run=run,
        kind=kind,
        state=DriveState.UNKNOWN,
        job=job,
        rest_ns=rest_ns,
        only_while=only_while,
        until=until,
        search=search,
        skip=skip,
        resume=resume,
    )


def step_seed(seed: int, name: str) -> int:
    """A seed for each step that depends on nothing but the run's seed and the step's name."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1  # 63 bits: positive in every signed integer it passes through
