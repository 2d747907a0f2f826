"""Goes on with a run that stopped: what is left to do, what must be done again first, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.analysis.adaptive.past import NO_PAST, DrivePast
from ssdlab.bundle.model import Limits, Step, StepStatus, as_step
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.job import DriveState, EngineName, Job, StepKind
from ssdlab.lab.again import FirstPoints
from ssdlab.lab.bench import Bench
from ssdlab.lab.display import Display
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.lifecycle import Run, go, reopened
from ssdlab.lab.limits import Watchdog, require_limits
from ssdlab.lab.repeats import Runs
from ssdlab.lab.run import by_resume, least_bytes, require_jobs, setup_of
from ssdlab.lab.short_way import PassPace
from ssdlab.lab.step import (
    Past,
    RawLogs,
    Steadiness,
    StepRunner,
    flat_capacities,
    pass_pace,
    past_writes,
    steadiness_of,
    with_writes,
)
from ssdlab.message import Message, commas, listed, message, number, semicolons
from ssdlab.method.draft import SteadyRule
from ssdlab.method.plan import Plan, PlannedStep, Resume, expand
from ssdlab.method.probes import NAME as PROBE
from ssdlab.method.suite import parse_suite
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.unknown import Unknown

_OVER = (StepStatus.FINISHED, StepStatus.SKIPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What is left of a run."""

    steps: tuple[PlannedStep, ...]
    """To be done, in order."""
    again: tuple[PlannedStep, ...]
    """Those of them that were begun before."""
    reason: Message
    """Why those are done again."""


def require_suite(bundle: Bundle) -> None:
    """Make sure that the run follows a suite.

    Raises:
        CannotResume: It is a sustained write, whose passes mean something only in one go, or was made by probes.
    """
    if (refused := _refusal_of(bundle)) is not None:
        raise refused


def way_on(bundle: Bundle) -> Sequence[Message]:
    """What to do about a run that stopped: how it goes on, or why it cannot and what to begin instead."""
    refused = _refusal_of(bundle)
    return (by_resume(bundle.path),) if refused is None else (refused.message, *refused.hints)


def _refusal_of(bundle: Bundle) -> CannotResume | None:
    if bundle.run.suite.name == PROBE:
        return CannotResume(message("lab-probes-not-resumed"), message("lab-hint-probes-anew", path=str(bundle.path)))
    if bundle.run.suite.name == SUSTAIN:
        return CannotResume(
            message("lab-sustain-not-resumed"),
            message("lab-hint-sustain-anew", path=str(bundle.path), target=bundle.run.drive.target),
        )
    return None


def engine_begun(bundle: Bundle) -> EngineName:
    """What did the I/O of the run so far; drive models have an engine of their own."""
    return EngineName.LOAD if bundle.run.engine.startswith(f"{EngineName.LOAD.value}-") else EngineName.FIO


def beside_begun(bundle: Bundle) -> EngineName | None:
    """What did the jobs that the engine could not; raises SuiteError where this ssdlab cannot read the suite any more."""
    run = bundle.run
    return parse_suite(run.suite.text, run.suite.name).beside(run.profile, engine_begun(bundle))


def plan_again(bundle: Bundle, drive: DriveIdentity) -> Plan:
    """The plan of a run, made anew from the suite, the seed and the drive it was made from.

    Raises:
        CannotResume: The drive is another one, or this ssdlab would do other things than the run began to do.
        SuiteError: This ssdlab cannot read the suite any more.
    """
    run = bundle.run
    _same_drive(run.drive, drive)
    plan = expand(parse_suite(run.suite.text, run.suite.name), run.profile, drive, run.seed)
    now = {step.index: (step.name, step.kind, step.job, step.rest_ns) for step in plan.steps}
    # A step of the plan's place is the plan's, whatever a journal says who asked for it.
    planned = [step for step in bundle.steps if step.asked_by is None or step.index in now]
    begun = {step.index: (step.name, step.kind, step.job, step.rest_ns) for step in planned}
    if begun and any(now.get(index) != fields for index, fields in begun.items()):
        raise CannotResume(
            message("lab-other-plan", version=run.ssdlab_version),
            message("lab-hint-other-plan", version=run.ssdlab_version),
        )
    return plan


def _same_drive(begun: DriveIdentity, found: DriveIdentity) -> None:
    different = list(_differences(begun, found))
    if different:
        raise CannotResume(message("lab-other-drive", different=commas(*different)), message("lab-hint-other-drive"))


def _differences(begun: DriveIdentity, found: DriveIdentity) -> Iterator[Message]:
    if not _same(_plain(begun.model), _plain(found.model)):
        yield message("lab-differs-model", now=_plain(found.model), before=_plain(begun.model))
    if not _same(_plain(begun.serial), _plain(found.serial)):
        yield message("lab-differs-serial", now=_plain(found.serial), before=_plain(begun.serial))
    if begun.capacity_bytes != found.capacity_bytes:
        now, before = number(found.capacity_bytes, "d"), number(begun.capacity_bytes, "d")
        yield message("lab-differs-capacity", now=now, before=before)
    if begun.logical_block_bytes != found.logical_block_bytes:
        now, before = number(found.logical_block_bytes, "d"), number(begun.logical_block_bytes, "d")
        yield message("lab-differs-block", now=now, before=before)
    if not _same(_called(begun), _called(found)):
        yield message("lab-differs-name", now=_called(found), before=_called(begun))


def _same(begun: str | Message, found: str | Message) -> bool:
    """Bundles of older schemas have the sentence alone of why something is unknown."""
    return str(begun) == str(found)


def _plain(value: str | Unknown) -> str | Message:
    return value.reason if isinstance(value, Unknown) else value


def _called(drive: DriveIdentity) -> str | Message:
    called = drive.block if isinstance(drive.block, Unknown) else drive.block.called
    return called.reason if isinstance(called, Unknown) else called.text


def remaining(plan: Plan, begun: Sequence[Step], memory: Memory, doubt: Message | None = None) -> Remaining:
    """What is left to do, given how far each step of the bundle came, and why the drive may not be as it was left, if so.

    Steps between two purges belong together. A drive that forgets, one that others wrote to, and a step that leaves the drive
    neither as it was nor as it should be, take all of them; else the run goes on with the first step that is not over.
    """
    status = {step.index: step.status for step in begun}
    steps: list[PlannedStep] = []
    reasons: list[Message] = []
    for part in _between_purges(plan.steps):
        left, reason = _left_of(part, status, memory, doubt)
        steps += left
        reasons += [] if reason is None else [reason]
    again = tuple(step for step in steps if status.get(step.index, StepStatus.PLANNED) is not StepStatus.PLANNED)
    reason = listed(semicolons(*reasons)) if again else message("lab-nothing-again")
    return Remaining(steps=tuple(steps), again=again, reason=reason)


def _left_of(
    part: Sequence[PlannedStep], status: dict[int, StepStatus], memory: Memory, doubt: Message | None
) -> tuple[Sequence[PlannedStep], Message | None]:
    """The steps left of those between two purges, and why the finished ones among them are done again."""
    open_steps = [step for step in part if status.get(step.index, StepStatus.PLANNED) not in _OVER]
    if not open_steps:
        return (), None
    if all(status.get(step.index, StepStatus.PLANNED) is StepStatus.PLANNED for step in part):
        return part, None
    first = open_steps[0]
    began = status.get(first.index, StepStatus.PLANNED) is not StepStatus.PLANNED
    changed = message("lab-forgets") if memory is Memory.FORGETS else doubt
    if changed is not None:
        return part, message("lab-again-from", why=changed, step=part[0].name)
    if began and first.resume is Resume.FROM_PURGE:
        return part, message("lab-again-halfway", first=first.name, step=part[0].name)
    if (unsteady := _written_while_steady(part, first)) is not None:
        return part, message("lab-again-unsteady", unsteady=unsteady.name, step=part[0].name)
    return part[_with_ramp(part, first) :], message("lab-again-step", step=first.name) if began else None


def _written_while_steady(part: Sequence[PlannedStep], first: PlannedStep) -> PlannedStep | None:
    """The next step that must follow preconditioning without a rest; reads find the drive as it was left (METHODS E)."""
    for step in part[part.index(first) :]:
        if step.kind is StepKind.PRECONDITION:
            return None
        job = step.job if step.search is None else step.search.template
        if step.state is DriveState.STEADY and job is not None and job.writes:
            return step
    return None


def _with_ramp(part: Sequence[PlannedStep], first: PlannedStep) -> int:
    """Where to go on: a measurement needs its ramp straight before it."""
    at = part.index(first)
    return at - 1 if at and part[at - 1].kind is StepKind.RAMP else at


def _between_purges(steps: Sequence[PlannedStep]) -> Iterator[Sequence[PlannedStep]]:
    """The plan in parts, each beginning with a purge (the first perhaps without)."""
    starts = [number for number, step in enumerate(steps) if step.kind is StepKind.PURGE and number]
    for start, end in zip([0, *starts], [*starts, len(steps)], strict=True):
        yield steps[start:end]


def is_over(bundle: Bundle) -> bool:
    """Whether every step is finished or skipped."""
    return bool(bundle.steps) and all(step.status in _OVER for step in bundle.steps)


def resume(
    path: Path,
    bench: Bench,
    display: Display,
    raw_logs: RawLogs = RawLogs.DROP,
    limits: Limits | None = None,
    doubt: Message | None = None,
) -> Bundle:
    """Finish a run in the bundle it was begun in, and return it.

    Args:
        path: The bundle.
        bench: The drive it was begun on.
        display: Who watches.
        raw_logs: What becomes of fio's logs.
        limits: Instead of those it was begun with.
        doubt: Why the drive may not be as it was left; see `remaining`.

    Raises:
        CannotResume: See `plan_again`.
        LimitRefused: What is left must break a limit.
        EngineError: What is left asks for what the engine has not.
        RunBusyError: It is still running.
        RunFailed, RunStopped, Interrupted: As a new run.
    """
    begun = open_bundle(path)
    plan = plan_again(begun, bench.drive.identity)
    asked = [step for step in begun.steps if step.asked_by is not None]
    planned = [*(as_step(step) for step in plan.steps), *asked]
    with reopened(path, begun.run, planned, by_resume) as writer:
        # Read once more, now that nobody else can write to it.
        bundle = open_bundle(path)
        left = remaining(plan, bundle.steps, bench.drive.identity.memory, doubt)
        limits = limits or begun.run.limits
        require_jobs(bench.engine, left.steps)
        require_limits(limits, bench.sensor, least_bytes(left.steps), bundle.written_bytes)
        redone = {step.index for step in left.again}
        gone = [step for step in asked if step.asked_by in redone]
        left_steps = [*(as_step(step) for step in left.steps), *gone]
        writer.resumed(left_steps, [as_step(step) for step in left.again], left.reason)
        written = 0 if isinstance(bundle.written_bytes, Unknown) else bundle.written_bytes
        watchdog, past = Watchdog(limits, written), _past(plan, bundle, left)

        def perform(run: Run) -> None:
            StepRunner(bench, run, display, raw_logs, past).run_all(left.steps)

        return go(setup_of(plan, bench, display, watchdog, perform), writer)


def _past(plan: Plan, bundle: Bundle, left: Remaining) -> Past:
    """What the finished steps that are not done again have shown."""
    redone = {step.index for step in left.steps}
    planned = {step.index: step for step in plan.steps}
    kept = [step for step in bundle.finished() if step.index not in redone]
    runs = Runs()
    for step in kept:
        if step.job is not None and step.index in planned:
            runs.take(planned[step.index], bundle.result(step).directions.values())
    last_purge = max((step.index for step in kept if step.kind is StepKind.PURGE), default=0)
    # A purge that proves nothing shows in the states of the steps after it.
    doubted = any(
        step.index > last_purge and step.state is DriveState.UNKNOWN is not planned[step.index].state
        for step in kept
        if step.index in planned
    )
    preconditioned = [
        (step, rule) for step in kept if step.index in planned and (rule := planned[step.index].until) is not None
    ]
    steadiness, writes = Steadiness.STEADY, NO_PAST
    if preconditioned:
        last, rule = preconditioned[-1]
        steadiness = steadiness_of(bundle.result(last).stopped)
        writes = NO_PAST if last.index < last_purge else _writes(bundle, last, rule)
        for step in kept:
            if step.index > last.index and step.job is not None:
                writes = _with_writes(writes, bundle, step, step.job)
    measured = [step for step in kept if step.job is not None and step.index in planned]
    ends = {step.name: end for step in measured if (end := bundle.result(step).point_end)}
    return Past(
        Freshness.UNPROVEN if doubted else Freshness.FRESH,
        runs,
        steadiness,
        writes,
        FirstPoints(ends),
        _passed(planned, bundle, [step for step in kept if step.index > last_purge]),
    )


def _passed(planned: Mapping[int, PlannedStep], bundle: Bundle, since_purge: Sequence[Step]) -> PassPace:
    """What those of the steps show that were of the pass of the short way."""
    pace = pass_pace(bundle.run.drive)
    for step in since_purge:
        if step.job is not None and step.index in planned and planned[step.index].needs is not None:
            for one in bundle.result(step).directions.values():
                pace.take(step.kind, step.job, one.io_bytes, one.runtime_ns)
    return pace


def _with_writes(past: DrivePast, bundle: Bundle, step: Step, job: Job) -> DrivePast:
    result = bundle.result(step)
    if result.point_end is None:
        return past
    series = [bundle.series(step, direction) for direction in result.directions]
    return with_writes(past, job, result.point_end, series)


def _writes(bundle: Bundle, step: Step, rule: SteadyRule) -> DrivePast:
    result = bundle.result(step)
    series = (bundle.series(step, direction) for direction in result.directions)
    return past_writes(series, flat_capacities(rule, result.stopped) * bundle.run.drive.capacity_bytes)
