"""Planned steps, and what expanding a step of a suite needs to know: the drive, the scale, the regions made so far."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.job import WINDOW_NS, DriveState, Job, Region, Resume, StepKind
from ssdlab.message import Message
from ssdlab.method.asking import AskingRule
from ssdlab.method.tables import DRIVE_REGION, SuiteProfile
from ssdlab.point import Point
from ssdlab.step_spec import StepSpec
from ssdlab.units import MIB, NS_PER_S, Share

FILL_BYTES_MIN = 64 * MIB
"""Below this a fill ends within a few windows even on slow drives, and nothing can be seen in it."""
STEPS_MAX = 20_000
"""A plan of more is a slip of the pen: even at a second each they would take hours, and each is a directory of the bundle."""
TIME_NS_MAX = 10 * 365 * 86_400 * NS_PER_S
"""Ten years: a plan that rests or measures longer by the clock alone is none."""


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
class TailRule:
    """A point goes on, within the time of its job, until a percentile of its latencies can be told."""

    percentile: Share
    ios: int
    """Done until it can be told of each direction."""
    mean_limit_ns: int
    """When the mean is no longer waited for."""

    @property
    def percent(self) -> float:
        """The percentile in hundredths."""
        return 100 * self.percentile.numerator / self.percentile.denominator


@dataclass(frozen=True, slots=True)
class EnoughRule:
    """A point ends once its mean rate is known well enough, and at the latest when its time is over."""

    within_percent: float
    """Half of the 95 % interval, of the mean."""
    tail: TailRule | None = None
    """What it goes on for after that."""


class CtrlC(Enum):
    """What Ctrl-C ends."""

    RUN = "run"
    STEP = "step"
    """What it has written until then is its result, and the run goes on; Ctrl-C once more ends the run."""


class SteadyBy(Enum):
    """By which account a drive is steady, so that the job ends."""

    HELD = "held"
    """Flat over the last capacity, at every moment while half a capacity more is written (METHODS S)."""
    WINDOW = "window"
    """Flat over the last capacity alone: enough of what is written in order, which no collection makes faster or slower for capacities."""
    SNIA = "snia"
    """SNIA PTS: the last minutes of five half hours in a row are within 20 % of their mean, their best line within 10 % of it."""


class Route(Enum):
    """How a drive is written until it is steady."""

    LONG = "long"
    """Written at random from first to last."""
    SHORT = "short"
    """From a purge by one pass that leaves it nearly so, and a stretch of random writes on which that is judged."""


@dataclass(frozen=True, slots=True)
class ShortWay:
    """What a pass has spared the job that goes on after it."""

    stretch_bytes: int
    """What is judged: at least so much is written after the pass."""


class PassNeed(Enum):
    """What a job of the pass of the short way needs."""

    FRESH_DRIVE = "fresh drive"
    """The last purge must have achieved that."""
    FRESH_SPACE = "fresh space"
    """The drive must have such space left, too: once it collects, there is nothing left to be overwritten for."""


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
    by: SteadyBy = SteadyBy.HELD
    short: ShortWay | None = None
    """Of the short way, where it is taken."""

    @property
    def least_bytes(self) -> int:
        """What the job writes whatever happens."""
        return self.minimum_bytes if self.short is None else self.short.stretch_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep(StepSpec):
    """One step, ready to be done."""

    only_while: RseRule | None = None
    """Asked right before the step, which is skipped where the rule is satisfied."""
    until: SteadyRule | None = None
    """What may end the job before its amount is done."""
    enough: EnoughRule | None = None
    """What may end the job before its time is over."""
    again_of: str | None = None
    """Name of an earlier step that it does once more, to see whether the drive is still what it was."""
    search: AskingRule | None = None
    """How it asks for its measurements, if it is one that does."""
    needs: PassNeed | None = None
    """Of the jobs of the pass of the short way: what they mean nothing without. The step is skipped where it is not so."""
    skip: Message | None = None
    """Why this drive does not need the step, where the plan already knows."""
    resume: Resume = Resume.REDO


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What a step of a suite is expanded on."""

    drive: DriveIdentity
    scale: SuiteProfile
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


def draft(name: str, kind: StepKind, group: str, job: Job | None = None, rest_ns: int = 0) -> PlannedStep:
    """A planned step without its place in the plan, its state and its seed, which come from the whole; a point of its own."""
    state, point = DriveState.UNKNOWN, Point(name)
    return PlannedStep(index=0, name=name, group=group, point=point, kind=kind, state=state, job=job, rest_ns=rest_ns)


def step_seed(seed: int, name: str) -> int:
    """A seed for each step that depends on nothing but the run's seed and the step's name."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1  # 63 bits: positive in every signed integer it passes through
