"""One run on this host, from wherever it stands to its end: begun once, and from then on only gone on with.

What stands is read from the bundle and from who holds the drive, never from what an agent remembers: agents are killed.
"""

import asyncio
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from ssdlab import os_errors
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.fleet import process
from ssdlab.fleet.announce import target_of
from ssdlab.fleet.place import HeldDrive, HostPlace, RunPlace
from ssdlab.fleet.records import FleetRun
from ssdlab.fleet.rules import AllowedDrive, HostRules, Manner
from ssdlab.fleet.store.location import store_at
from ssdlab.fleet.suites import require_nothing_beside
from ssdlab.lab.resume import is_over
from ssdlab.message import Message, message, size_decimal, verbatim
from ssdlab.method.suite import parse_suite
from ssdlab.unknown import Unknown

_LOOK_S = 0.2
"""Until the process at the drive is looked at again."""
_AGAIN_S = 3
"""Until what keeps a run from going on is looked at again."""
_ASK_AGAIN_S = 10
"""Until a process that was asked to end is asked again."""
_DEATHS_MAX = 3
"""Of the command in a row, under one agent: what kills it then is not chance."""
_ENDED = {RunStatus.FAILED, RunStatus.STOPPED}
"""An interrupted run goes on: that is how runs end where a host is shut down in good order."""


@dataclass(frozen=True, slots=True)
class RunOver:
    """All steps are done."""

    bundle: Path


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run did not come to its end, and does not by itself."""

    why: Message


@dataclass(frozen=True, slots=True)
class RunCancelled:
    """It was asked to stop, and nothing is at its drive any more."""


@dataclass(frozen=True, slots=True)
class RunInStore:
    """It was done and stored, which this database does not know, as one that was brought back from a copy."""

    name: str


End: TypeAlias = RunOver | RunEnded | RunCancelled | RunInStore


@dataclass(frozen=True, slots=True)
class NotNow:
    """The run goes on once its host lets it."""

    why: Message


Tell = Callable[[Message], None]
"""Keeps what happened to the run; may raise what a database raises."""

T = TypeVar("T")


async def carry_out(
    run: FleetRun, host: HostPlace, rules: Callable[[], HostRules], tell: Tell, stop: asyncio.Event
) -> End:
    """Begin a run, go on with it, or wait for who is at it already.

    Args:
        run: What is to be done.
        host: Of this agent.
        rules: What the operator allows at the moment; while that cannot be read, the run waits.
        tell: Told when a process starts, and what the run waits for.
        stop: Set once the run is to be stopped.
    """
    course, told = _Course(run, host, rules, tell, stop), ""
    while True:
        course.end_if_asked()
        if course.is_at_it():
            await asyncio.sleep(_LOOK_S)
            continue
        found = await _whole(course.look)
        match found:
            case RunOver() | RunEnded() | RunCancelled() | RunInStore():
                return found
            case NotNow():
                if str(found.why) != told:
                    await asyncio.to_thread(tell, message("fleet-waits", why=found.why))
                    told = str(found.why)
                await asyncio.sleep(_AGAIN_S)
            case None:
                await asyncio.sleep(_LOOK_S)


async def _whole(call: Callable[[], T]) -> T:
    """In a thread that a cancellation waits for: what it holds is let go, and what it starts is known, before anybody goes on."""
    going = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        return await asyncio.shield(going)
    except asyncio.CancelledError:
        with suppress(Exception):
            await going
        raise


class _Course:
    """A run under one agent."""

    def __init__(
        self, run: FleetRun, host: HostPlace, rules: Callable[[], HostRules], tell: Tell, stop: asyncio.Event
    ) -> None:
        self._run, self._host, self._rules, self._tell, self._stop = run, host, rules, tell, stop
        self._asked_s = -float(_ASK_AGAIN_S)
        """When the process was last asked to end."""
        self._place = host.run(run.id)
        self._child: subprocess.Popen[bytes] | None = None
        self._statuses: list[int] = []
        """Of commands that were started here and have ended; negative where a signal ended one."""

    def end_if_asked(self) -> None:
        """Ask whatever is at the run to end, now and then until it has."""
        now_s = time.monotonic()
        if self._stop.is_set() and now_s - self._asked_s >= _ASK_AGAIN_S:
            process.end(self._place)
            self._asked_s = now_s

    def is_at_it(self) -> bool:
        """Whether a process that was started here lives."""
        if self._child is None:
            return False
        status = self._child.poll()
        if status is None:
            return True
        self._statuses.append(status)
        self._child = None
        return False

    def look(self) -> End | NotNow | None:
        """See how the run stands, and start what is to be done; None while that is being done."""
        try:
            with self._host.held(self._run.serial) as drive:
                return None if drive is None else self._look_at(drive)
        except OSError as error:
            return NotNow(os_errors.in_words(error).message)

    def _look_at(self, drive: HeldDrive) -> End | NotNow | None:
        settle(self._run, self._place, drive)
        if self._stop.is_set():
            return RunCancelled()
        end = self._end()
        if end is not None:
            return end
        try:
            rules = self._rules()
        except SsdlabError as error:
            return NotNow(error.message)
        return self._go_on(rules, drive)

    def _go_on(self, rules: HostRules, drive: HeldDrive) -> End | NotNow | None:
        if self._place.bundle is None and (name := store_at(rules.store).of_run(self._run.id)) is not None:
            return RunInStore(name)
        if rules.manner is Manner.QUIET and self._host.is_at_another(self._run.serial):
            # As where an agent was stopped, and its run was not.
            return NotNow(message("fleet-waits-quiet"))
        try:
            arguments = _arguments(self._run, self._place, rules, drive)
        except SsdlabError as error:
            return RunEnded(error.message)
        self._start(arguments, drive)
        return None

    def _end(self) -> End | None:
        # What ended a run before somebody asked for it again has been answered.
        end = _end_of(self._place, answered=not self._place.asked_before(self._run.attempt))
        if end is None and self._statuses and self._statuses[-1] > 0 and self._statuses[-1] != ExitStatus.INTERRUPTED:
            # It ended by itself, and said why; else it was killed.
            return RunEnded(verbatim(process.last_words(self._place)))
        if end is None and len(self._statuses) >= _DEATHS_MAX:
            return RunEnded(message("fleet-keeps-dying", said=process.last_words(self._place)))
        return end

    def _start(self, arguments: "Arguments", drive: HeldDrive) -> None:
        is_new = self._place.bundle is None
        self._place.make(self._run.suite_text)
        self._place.note_attempt(self._run.attempt)
        if is_new:
            drive.note_run(self._run.id)
        if arguments.write_bytes_max is not None:
            # Until it is known what it writes: nobody may come to look.
            drive.note_written(self._run.id, arguments.write_bytes_max)
        self._child = process.start(arguments.words, self._place, drive)
        self._tell(message("fleet-begun") if is_new else message("fleet-gone-on"))


def settle(run: FleetRun, place: RunPlace, drive: HeldDrive) -> None:
    """Note what a run has written to its drive so far; where that is not known, what it might have.

    Raises:
        OSError: It cannot be written down.
    """
    path = place.bundle
    if path is None:
        drive.note_written(run.id, 0)
        return
    try:
        bundle = open_bundle(path)
    except SsdlabError:
        return
    limit = bundle.run.limits.write_bytes_max or 0
    drive.note_written(run.id, limit if isinstance(bundle.written_bytes, Unknown) else bundle.written_bytes)


def _end_of(place: RunPlace, *, answered: bool) -> End | None:
    """How the run ended; None where it is to be begun or gone on with.

    Args:
        place: Of the run.
        answered: Whether somebody asked for it again since it ended: what ended it before does not count.
    """
    path = place.bundle
    if path is None:
        return None
    try:
        bundle = open_bundle(path)
    except SsdlabError as error:
        return RunEnded(error.message)
    if is_over(bundle) and bundle.status is not RunStatus.UNFINISHED:
        return RunOver(path)
    return RunEnded(_why(bundle, place)) if bundle.status in _ENDED and not answered else None


def _why(bundle: Bundle, place: RunPlace) -> Message:
    return bundle.reason or verbatim(process.last_words(place))


@dataclass(frozen=True, slots=True)
class Arguments:
    """Of the command that begins a run or goes on with it."""

    words: tuple[str, ...]
    write_bytes_max: int | None
    """What the whole run may write; None where nothing limits it."""


def _arguments(run: FleetRun, place: RunPlace, rules: HostRules, drive: HeldDrive) -> Arguments:
    """The command that is to be started.

    Raises:
        SsdlabError: The operator does not allow it, the suite reads files, the drive is not there, or is not as the run left it.
    """
    # Whoever has the database may have put there what `ssdlab fleet submit` refuses.
    require_nothing_beside(parse_suite(run.suite_text, run.suite_name))
    allowed = rules.drive(run.serial)
    if allowed is None:
        raise SsdlabError(message("fleet-not-allowed", serial=run.serial))
    begun = place.bundle
    if begun is None:
        target, most_bytes = target_of(allowed), _write_bytes_max(run, allowed, drive)
        words: tuple[str, ...] = ("run", str(place.suite), target, f"--profile={run.profile}", "--lab", str(place.path))
    else:
        bundle = open_bundle(begun)
        _require_left_as_it_was(run, bundle, allowed, drive)
        limits = (bundle.run.limits.write_bytes_max, _write_bytes_max(run, allowed, drive))
        most_bytes = min((limit for limit in limits if limit is not None), default=None)
        words = ("resume", str(begun))
    limit = () if most_bytes is None else ("--max-write", f"{most_bytes}B")
    return Arguments((*words, *limit, "--erase", run.serial), most_bytes)


def _write_bytes_max(run: FleetRun, allowed: AllowedDrive, drive: HeldDrive) -> int | None:
    """What the run may write: what it was submitted with, and no more than is left of the drive's budget.

    Raises:
        SsdlabError: Nothing is left.
    """
    if allowed.write_bytes_max is None:
        return run.write_bytes_max
    written_bytes = drive.written_bytes(run.id)
    left_bytes = allowed.write_bytes_max - written_bytes
    if left_bytes <= 0:
        raise SsdlabError(
            message(
                "fleet-budget-spent",
                serial=run.serial,
                written=size_decimal(written_bytes),
                most=size_decimal(allowed.write_bytes_max),
            )
        )
    return left_bytes if run.write_bytes_max is None else min(left_bytes, run.write_bytes_max)


def _require_left_as_it_was(run: FleetRun, begun: Bundle, allowed: AllowedDrive, drive: HeldDrive) -> None:
    """That no other run of the fleet has been on the drive since, and that the operator still means the same place by it.

    Raises:
        SsdlabError: It is not so.
    """
    if drive.last_run != str(run.id):
        raise SsdlabError(message("fleet-another-since", serial=run.serial))
    if allowed.target is not None and allowed.target != begun.run.drive.target:
        raise SsdlabError(
            message("fleet-other-target", serial=run.serial, now=allowed.target, before=begun.run.drive.target)
        )
