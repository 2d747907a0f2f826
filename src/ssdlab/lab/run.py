"""Runs a plan: step by step, each on the medium before the next begins."""

import errno
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from ssdlab.bundle.journal import Event
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.model import Limits, RunInfo, SuiteText
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.drive.block_details import host_bytes_written
from ssdlab.engine.block_counters import kernel_written
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.lab.begin import Asked, Subject, bundle_path, info_of
from ssdlab.lab.display import Display
from ssdlab.lab.host_notes import Notes, host_noted
from ssdlab.lab.limits import LimitReached, Watchdog, require_limits
from ssdlab.lab.open import Bench
from ssdlab.lab.planned import as_step
from ssdlab.lab.step import RawLogs, StepRunner
from ssdlab.method.plan import Plan, PlannedStep
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown


class RunStopped(SsdlabError):  # noqa: N818 - the error is the state
    """The run came to a limit it was given; everything finished so far is in the bundle."""


class RunFailed(SsdlabError):  # noqa: N818 - the error is the state
    """The run could not go on; everything finished so far is in the bundle."""


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
) -> Bundle:
    """Run a plan and return its bundle.

    Raises:
        LimitRefused: The plan must break a limit, or the limit cannot be kept; nothing is begun.
        RunFailed: A step failed or the host's disk is full; the bundle holds what was finished.
        RunStopped: It came to a limit; likewise.
        Interrupted: The operator stopped it; likewise.
    """
    limits = limits or Limits()
    require_limits(limits, bench, plan.steps, 0)
    _check_space(plan, lab)
    path = bundle_path(lab, plan.suite.name, bench.drive.identity)
    with explained(path, by_resume(path)), closing(_new_bundle(path, plan, bench, limits)) as writer:
        display.run_starts(plan, path)
        runner = StepRunner(bench, writer, display, raw_logs, watchdog=Watchdog(limits))
        with host_noted(bench.host, Notes(writer, bench.engine.now_ns, display.warning)):
            return perform(plan.steps, bench, writer, runner)


def perform(steps: Sequence[PlannedStep], bench: Bench, writer: BundleWriter, runner: StepRunner) -> Bundle:
    """Do steps of a plan one after the other, write down how it ended, and draw the conclusions.

    Raises:
        Whatever ended a step; `explained` makes it an error for the operator.
    """
    try:
        note_drive(writer, bench, Moment.START)
        runner.note_limits()
        for step in steps:
            runner.run(step)
    except BaseException as error:
        _note_ending(writer, bench, error)
        _conclude_what_is_there(writer.path)
        raise
    for finding in bench.drive.findings():
        writer.warning(bench.engine.now_ns(), finding)
    note_drive(writer, bench, Moment.END)
    writer.run_ended(bench.engine.now_ns(), Event.RUN_FINISHED, None)
    return conclude_again(writer.path)


def note_drive(writer: BundleWriter, bench: Bench, moment: Moment) -> None:
    """Keep what a drive that others could write to says of itself now, and the counters that would give them away."""
    drive = bench.drive
    said = drive.said()
    writer.drive_said(moment, said)
    if not isinstance(drive.identity.block, Unknown):
        writer.counted(bench.engine.now_ns(), host_bytes_written(said), kernel_written(drive.address))


def conclude_again(path: Path) -> Bundle:
    """Compute metrics and audit of a bundle from its raw data, write them into it, and return it as it now is.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    # All analyses of all suites are loaded at the end of a run, not before its first step.
    from ssdlab.analysis.conclude import conclude

    write_conclusions(path, *conclude(open_bundle(path)))
    return open_bundle(path)


def _check_space(plan: Plan, lab: Path) -> None:
    """Refuse to begin what the host's disk cannot hold."""
    place = next(path for path in (lab, *lab.absolute().parents) if path.exists())
    free_bytes = shutil.disk_usage(place).free
    if free_bytes < plan.host_bytes_max:
        raise RunFailed(
            f"`{place}` has {format_bytes(free_bytes)} free, this run may need {format_bytes(plan.host_bytes_max)} for its bundle",
            "free space, or put the bundle elsewhere with `--lab DIR`",
        )


def _new_bundle(path: Path, plan: Plan, bench: Bench, limits: Limits) -> BundleWriter:
    return BundleWriter(path, run_info(plan, bench, limits), [as_step(step) for step in plan.steps])


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
    subject = Subject(drive=bench.drive.identity, spec_text=bench.drive.spec_text, engine=bench.engine.name)
    return info_of(asked, subject)


def _note_ending(writer: BundleWriter, bench: Bench, error: BaseException) -> None:
    """Write down why the run ends here, unless the disk is too full even for that."""
    if isinstance(error, KeyboardInterrupt):
        event, reason = Event.RUN_INTERRUPTED, "stopped by the operator"
    elif isinstance(error, LimitReached):
        event, reason = Event.RUN_STOPPED, error.message
    else:
        event, reason = Event.RUN_FAILED, str(error) or type(error).__name__
    try:
        writer.run_ended(bench.engine.now_ns(), event, reason)
        note_drive(writer, bench, Moment.END)
    except OSError:
        # The bundle then simply has no word of its end, which opening it reports.
        return


def _conclude_what_is_there(path: Path) -> None:
    try:
        conclude_again(path)
    except (OSError, SsdlabError):
        # What ended the run is reported; conclusions can be computed again at any time.
        return


def by_resume(path: Path) -> str:
    """How a run goes on that stopped before its end."""
    return f"go on with it: `ssdlab resume {path}`"


@contextmanager
def explained(path: Path, go_on: str) -> Iterator[None]:
    """Turn what ended a run into what the operator needs to know; `go_on` says how to go on with it."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(
            "the run was interrupted; what was finished is in the bundle",
            go_on,
            f"look at it: `ssdlab show {path}`",
        ) from error
    except Interrupted:
        raise
    except LimitReached as error:
        raise RunStopped(
            f"the run was stopped: {error.message}",
            *error.hints,
            go_on,
            f"what was finished is in `{path}`",
        ) from error
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        what = "the host's disk is full" if full else f"the bundle cannot be written: {error}"
        raise RunFailed(
            f"{what}; what was finished is in `{path}`", "free space, or put the bundle elsewhere with `--lab DIR`"
        ) from error
    except SsdlabError as error:
        raise RunFailed(f"{error.message}", *error.hints, f"what was finished is in `{path}`") from error
