"""Runs a plan: step by step, each on the medium before the next begins."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.examine import INTACT, examined
from ssdlab.bundle.model import Limits, RunInfo, SuiteText, as_step
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.bundle.write import write_conclusions
from ssdlab.engine.base import Engine, Selective
from ssdlab.lab.begin import Asked, RunSubject, info_of
from ssdlab.lab.bench import Bench
from ssdlab.lab.display import Display
from ssdlab.lab.lifecycle import Run, RunSetup, Space, begin
from ssdlab.lab.limits import Watchdog, require_limits
from ssdlab.lab.power_marks import Marking, marked, require_markable
from ssdlab.lab.step import RawLogs, StepRunner
from ssdlab.message import Message, message
from ssdlab.method.cost import Cost
from ssdlab.method.departures import departures
from ssdlab.method.plan import Plan, PlannedStep


def new_seed() -> int:
    """A seed for a run, never the same twice; it is recorded in the bundle."""
    return secrets.randbits(32)


def execute(
    plan: Plan,
    bench: Bench,
    lab: Path,
    display: Display,
    raw_logs: RawLogs = RawLogs.DROP,
    limits: Limits | None = None,
    marking: Marking = Marking.PLAIN,
) -> Bundle:
    """Run a plan and return its bundle.

    Raises:
        CannotMark: It is to be marked for a power meter, and the drive cannot be; nothing is begun.
        LimitRefused: The plan must break a limit, or the limit cannot be kept; nothing is begun.
        EngineError: A job asks for what the engine has not; nothing is begun.
        RunFailed, RunStopped, Interrupted: See `ssdlab.lab.lifecycle.begin`.
    """
    limits = limits or Limits()
    require_jobs(bench.engine, plan.steps)
    require_limits(limits, bench.sensor, least_bytes(plan.steps))

    if marking is Marking.MARKED:
        require_markable(bench.drive)

    def perform(run: Run) -> None:
        for text in departures(plan, bench.drive.identity):
            run.warn(WarningKind.METHOD, text)
        with marked(run, bench.drive, marking):
            StepRunner(bench, run, display, raw_logs).run_all(plan.steps)

    setup = setup_of(plan, bench, display, Watchdog(limits), perform)
    steps = [as_step(step) for step in plan.steps]
    return begin(setup, lab, run_info(plan, bench, limits), steps, Space(bundle_bytes=plan.host_bytes_max))


def require_jobs(engine: Engine, steps: Sequence[PlannedStep]) -> None:
    """Make sure that the engine can do what is to be done.

    Raises:
        EngineError: It cannot; nothing is begun.
    """
    if isinstance(engine, Selective):
        done = [step for step in steps if step.skip is None]
        engine.require([step.job for step in done if step.job is not None])
        engine.require([step.search.template for step in done if step.search is not None])


def least_bytes(steps: Sequence[PlannedStep]) -> int:
    """What steps write at least."""
    return Cost(group="", steps=tuple(steps)).bytes_to_write_min


def setup_of(
    plan: Plan, bench: Bench, display: Display, watchdog: Watchdog, perform: Callable[[Run], None]
) -> RunSetup:
    """The life of a run that follows a plan, or goes on with it."""
    return RunSetup(
        bench=bench,
        now_ns=bench.engine.now_ns,
        begins=lambda path: display.run_starts(plan, path),
        tell=display.warning,
        watching=display,
        watchdog=watchdog,
        resuming=by_resume,
        perform=perform,
        conclude=conclude_again,
    )


def by_resume(path: Path) -> Message:
    """How a run goes on that stopped before its end."""
    return message("lab-hint-resume", path=str(path))


def conclude_where_missing(path: Path) -> None:
    """Draw the conclusions of a run that was killed before it could; raises like `conclude_again`."""
    if not all((path / name).exists() for name in (layout.METRICS, layout.AUDIT)):
        conclude_again(path)


def conclude_again(path: Path) -> Bundle:
    """Compute metrics and audit of a bundle from its raw data, write them into it, and return it as it now is.

    Where raw data is damaged, conclusions that were drawn from it while it was whole stay in the bundle as they are.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    # All analyses of all suites are loaded at the end of a run, not before its first step.
    from ssdlab.analysis.conclude import conclude

    found = examined(open_bundle(path))
    metrics, audit = conclude(found)
    damage = tuple(check for check in found.audit if check.name == INTACT)
    if damage and (found.metrics or len(found.audit) > len(damage)):
        return replace(found, metrics=metrics, audit=(*audit, *damage))
    write_conclusions(path, metrics, audit)
    return examined(open_bundle(path)) if damage else open_bundle(path)


def run_info(plan: Plan, bench: Bench, limits: Limits | None = None) -> RunInfo:
    """Everything that is fixed before the first step."""
    suite = plan.suite
    asked = Asked(
        suite=SuiteText(name=suite.name, version=suite.version, text=suite.text, sha256=suite.sha256),
        profile=plan.profile,
        comparable=plan.comparable,
        seed=plan.seed,
        limits=limits or Limits(),
    )
    subject = RunSubject(drive=bench.drive.identity, spec_text=bench.drive.spec_text, engine=bench.engine.name)
    return info_of(asked, subject)
