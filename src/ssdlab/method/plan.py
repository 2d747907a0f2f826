"""A suite, a profile and a drive, expanded into what will be done: pure, touches nothing."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ssdlab.drive.identity import DriveIdentity
from ssdlab.job import DriveState, Interface, Resume, StepKind
from ssdlab.message import Message, duration, message, number, semicolons
from ssdlab.method.cost import Cost, grouped, host_bytes_max
from ssdlab.method.draft import (
    FILL_BYTES_MIN,
    STEPS_MAX,
    TIME_NS_MAX,
    PlanError,
    PlannedStep,
    RseRule,
    SteadyRule,
    StepContext,
    step_seed,
)
from ssdlab.method.schema import AnyStep
from ssdlab.method.state import state_after
from ssdlab.method.suite import Suite
from ssdlab.method.unit import with_unit

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


_QUICK = "quick"


def _smaller(suite: Suite, profile: str, drive: DriveIdentity, seed: int) -> Iterator[Message]:
    """That the quick profile fits, where it does, and how a virtual drive is made larger."""
    if profile != _QUICK and _QUICK in suite.profiles:
        with suppress(PlanError):
            expand(suite, _QUICK, drive, seed)
            yield message("suite-quick-fits")
    if drive.target.startswith(("model:", "virtual:")):
        yield message("suite-larger-drive", example=f"{drive.target.partition('?')[0]}?capacity=64GiB")


def expand(suite: Suite, profile: str, drive: DriveIdentity, seed: int) -> Plan:
    """Everything the suite does on that drive.

    Raises:
        SuiteError: The suite has no such profile.
        PlanError: The drive is too small for it or its blocks do not fit; all reasons at once.
    """
    scale = suite.profile(profile)
    ground = StepContext(drive=drive, scale=scale, regions={})
    faults: list[Message] = []
    drafts: list[PlannedStep] = []
    for step in with_unit(suite.steps_under(profile), drive):
        found = list(step.faults(ground))
        faults += found
        if not faults:
            drafts += _rest_before(step, drafts, ground.rest_ns(suite.rest_ns))
            drafts += step.drafts(ground)
        ground = replace(ground, regions={**ground.regions, **step.regions(ground)})
        faults += [] if faults else _excess(drafts)
        if faults and len(drafts) > STEPS_MAX:
            break
    if faults:
        unfit = message("suite-unfit", suite=suite.name, target=drive.target, faults=semicolons(*faults))
        raise PlanError(unfit, *_smaller(suite, profile, drive, seed))
    return Plan(
        suite=suite,
        profile=profile,
        comparable=scale.comparable,
        seed=seed,
        steps=tuple(_placed(drafts, drive, seed, suite.interface)),
    )


def _placed(drafts: list[PlannedStep], drive: DriveIdentity, seed: int, interface: Interface) -> Iterator[PlannedStep]:
    """The drafts with their place, the state before each, and seeds of their own."""
    state = DriveState.UNKNOWN
    for index, one in enumerate(drafts, start=1):
        job = None if one.job is None else replace(one.job, seed=step_seed(seed, one.name))
        if job is not None and interface is not Interface.IO_URING:
            # Where a suite names none, a search keeps the one it is published with.
            job = replace(job, interface=interface)
        search = None if one.search is None else one.search.seeded(step_seed(seed, one.name))
        yield replace(one, index=index, state=state, job=job, search=search)
        state = state_after(one, state, drive)


def _excess(drafts: Sequence[PlannedStep]) -> list[Message]:
    """Why nobody can mean all of that."""
    if len(drafts) > STEPS_MAX:
        return [message("suite-too-many-steps", most=number(STEPS_MAX))]
    clock_ns = sum(one.rest_ns + (0 if one.job is None else one.job.duration_ns or 0) for one in drafts)
    return [message("suite-too-much-time", time=duration(clock_ns))] if clock_ns > TIME_NS_MAX else []


_SETTLED = {StepKind.REST, StepKind.PURGE}


def _rest_before(step: AnyStep, before: list[PlannedStep], rest_ns: int) -> Iterator[PlannedStep]:
    """The suite's rest between two steps: there is none next to a purge or to a rest of its own."""
    if rest_ns and before and before[-1].kind not in _SETTLED and step.waits_for_rest:
        yield step.draft(f"{step.name}.rest_before", StepKind.REST, rest_ns=rest_ns)
