"""A suite, a profile and a drive, expanded into what will be done: pure, touches nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ssdlab.drive.identity import DriveIdentity
from ssdlab.job import DriveState, Region, Resume, StepKind
from ssdlab.method.cost import Cost, grouped, host_bytes_max
from ssdlab.method.draft import FILL_BYTES_MIN, Ground, PlanError, PlannedStep, RseRule, SteadyRule, draft, step_seed
from ssdlab.method.fill import fill_drafts, fill_faults, fill_region, purge_drafts, rest_drafts
from ssdlab.method.measure import measure_drafts, measure_faults
from ssdlab.method.reclaim import reclaim_drafts, reclaim_faults
from ssdlab.method.schema import (
    AnyStep,
    FillStep,
    MeasureStep,
    PreconditionStep,
    PurgeStep,
    ReclaimStep,
    RestStep,
    SearchStep,
    SteadyStep,
)
from ssdlab.method.search import search_drafts, search_faults, seeded
from ssdlab.method.state import state_after
from ssdlab.method.steady import steady_drafts, steady_faults
from ssdlab.method.suite import Suite
from ssdlab.method.unit import with_unit
from ssdlab.method.used import precondition_drafts, precondition_faults, precondition_regions

__all__ = ["FILL_BYTES_MIN", "Plan", "PlanError", "PlannedStep", "Resume", "RseRule", "SteadyRule", "expand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that will be done, in order."""

    suite: Suite
    profile: str
    comparable: bool
    seed: int
    steps: tuple[PlannedStep, ...]

    @property
    def cost(self) -> Cost:
        """All of it together."""
        return Cost(group=self.suite.name, steps=self.steps)

    @property
    def groups(self) -> tuple[Cost, ...]:
        """The same by the suite's steps."""
        return grouped(self.steps)

    @property
    def host_bytes_max(self) -> int:
        """Space the bundle needs at most, raw logs of the running step included, even on a very slow drive."""
        return host_bytes_max(self.steps)


def expand(suite: Suite, profile: str, drive: DriveIdentity, seed: int) -> Plan:
    """Everything the suite does on that drive.

    Raises:
        SuiteError: The suite has no such profile.
        PlanError: The drive is too small for it or its blocks do not fit; all reasons at once.
    """
    scale = suite.profile(profile)
    ground = Ground(drive=drive, scale=scale, regions={})
    faults: list[str] = []
    drafts: list[PlannedStep] = []
    for step in with_unit(suite.steps, drive):
        found = list(_faults(step, ground))
        faults += found
        if not faults:
            drafts += _rest_before(step, drafts, ground.rest_ns(suite.rest_ns))
            drafts += _drafts(step, ground)
        ground = replace(ground, regions={**ground.regions, **_regions(step, ground)})
    if faults:
        raise PlanError(f"suite `{suite.name}` does not fit `{drive.target}`: {'; '.join(faults)}")
    return Plan(
        suite=suite, profile=profile, comparable=scale.comparable, seed=seed, steps=tuple(_placed(drafts, drive, seed))
    )


def _placed(drafts: list[PlannedStep], drive: DriveIdentity, seed: int) -> Iterator[PlannedStep]:
    """The drafts with their place, the state before each, and seeds of their own."""
    state = DriveState.UNKNOWN
    for index, one in enumerate(drafts, start=1):
        job = None if one.job is None else replace(one.job, seed=step_seed(seed, one.name))
        yield replace(one, index=index, state=state, job=job, search=seeded(one, seed))
        state = state_after(one, state, drive)


_SETTLED = {StepKind.REST, StepKind.PURGE}


def _rest_before(step: AnyStep, before: list[PlannedStep], rest_ns: int) -> Iterator[PlannedStep]:
    """The suite's rest between two steps: there is none next to a purge or to a rest of its own."""
    if rest_ns and before and before[-1].kind not in _SETTLED and isinstance(step, _NEEDS_REST):
        yield draft(f"{step.name}.rest_before", StepKind.REST, group=step.name, rest_ns=rest_ns)


_NEEDS_REST = (FillStep, PreconditionStep, SteadyStep, MeasureStep)


def _faults(step: AnyStep, ground: Ground) -> Iterator[str]:
    """Why a step cannot be done on this drive."""
    match step:
        case FillStep():
            yield from fill_faults(step, ground)
        case PreconditionStep():
            yield from precondition_faults(step, ground)
        case SteadyStep():
            yield from steady_faults(step, ground)
        case MeasureStep():
            yield from measure_faults(step, ground)
        case ReclaimStep():
            yield from reclaim_faults(step, ground)
        case SearchStep():
            yield from search_faults(step, ground)
        case _:
            return


def _drafts(step: AnyStep, ground: Ground) -> Iterator[PlannedStep]:
    """The planned steps of one step of the suite."""
    match step:
        case PurgeStep():
            yield from purge_drafts(step, ground)
        case RestStep():
            yield from rest_drafts(step, ground)
        case FillStep():
            yield from fill_drafts(step, ground)
        case PreconditionStep():
            yield from precondition_drafts(step, ground)
        case SteadyStep():
            yield from steady_drafts(step, ground)
        case MeasureStep():
            yield from measure_drafts(step, ground)
        case ReclaimStep():
            yield from reclaim_drafts(step, ground)
        case SearchStep():
            yield from search_drafts(step, ground)


def _regions(step: AnyStep, ground: Ground) -> Mapping[str, Region]:
    """Parts of the drive that later steps may name."""
    match step:
        case FillStep():
            return {step.name: fill_region(step, ground)}
        case PreconditionStep():
            return precondition_regions(step, ground)
        case _:
            return {}
