"""One run on this host, from wherever it stands to its end: begun once, and from then on only gone on with.

What stands is read from the bundle and from who holds the drive, never from what an agent remembers: agents are killed.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.fleet import process
from ssdlab.fleet.announce import target_of
from ssdlab.fleet.place import HeldDrive, HostPlace, RunPlace
from ssdlab.fleet.records import FleetRun
from ssdlab.fleet.rules import AllowedDrive, HostRules
from ssdlab.lab.resume import is_over
from ssdlab.message import Message, message, size_decimal, verbatim
from ssdlab.unknown import Unknown

_LOOK_S = 0.5
_DEATHS_MAX = 3
"""Of the command in a row, under one agent: what kills it then is not chance."""
_ENDED = {RunStatus.FAILED, RunStatus.INTERRUPTED, RunStatus.STOPPED}


@dataclass(frozen=True, slots=True)
class RunOver:
    """All steps are done."""

    bundle: Path


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run did not come to its end, and does not by itself."""

    why: Message


Tell = Callable[[Message], None]
"""Keeps what happened to the run; may raise what a database raises."""


async def carry_out(run: FleetRun, host: HostPlace, rules: Callable[[], HostRules], tell: Tell) -> RunOver | RunEnded:
    """Begin a run, go on with it, or wait for who is at it already.

    Args:
        run: What is to be done.
        host: Of this agent.
        rules: What the operator allows at the moment.
        tell: Told when a process starts.
    """
    place, deaths = host.run(run.id), 0
    answered = not await asyncio.to_thread(place.asked_before, run.attempt)
    await asyncio.to_thread(_take_up, place, run)
    while deaths < _DEATHS_MAX:
        with host.held(run.serial) as drive:
            if drive is None:
                await asyncio.sleep(_LOOK_S)
                continue
            end = await asyncio.to_thread(_end_of, place, answered=answered)
            if end is not None:
                await asyncio.to_thread(settle, run, place, drive)
                return end
            try:
                arguments = await asyncio.to_thread(_arguments, run, place, rules(), drive)
            except SsdlabError as error:
                return RunEnded(error.message)
            answered = False
            await asyncio.to_thread(tell, message("fleet-begun") if place.bundle is None else message("fleet-gone-on"))
            child = await asyncio.to_thread(process.start, arguments, place, drive)
        status = await process.end_of(child)
        if status > 0:
            # It ended by itself, and said why; else it was killed.
            end = await asyncio.to_thread(_end_of, place, answered=False)
            return end or RunEnded(verbatim(process.last_words(place)))
        deaths += status < 0
    return RunEnded(message("fleet-keeps-dying", said=process.last_words(place)))


def settle(run: FleetRun, place: RunPlace, drive: HeldDrive) -> None:
    """Note what a run has written to its drive so far; where that is not known, what it might have."""
    path = place.bundle
    if path is None:
        return
    try:
        bundle = open_bundle(path)
    except SsdlabError:
        return
    limit = bundle.run.limits.write_bytes_max or 0
    drive.note_written(run.id, limit if isinstance(bundle.written_bytes, Unknown) else bundle.written_bytes)


def _take_up(place: RunPlace, run: FleetRun) -> None:
    place.make(run.suite_text)
    place.note_attempt(run.attempt)


def _end_of(place: RunPlace, *, answered: bool) -> RunOver | RunEnded | None:
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


def _arguments(run: FleetRun, place: RunPlace, rules: HostRules, drive: HeldDrive) -> list[str]:
    """The command that begins the run or goes on with it.

    Raises:
        SsdlabError: The operator does not allow it, the drive is not there, or is not as the run left it.
    """
    allowed = rules.drive(run.serial)
    if allowed is None:
        raise SsdlabError(message("fleet-not-allowed", serial=run.serial))
    begun = place.bundle
    if begun is None:
        target, most_bytes = target_of(allowed), _write_bytes_max(run, allowed, drive)
        limit = [] if most_bytes is None else ["--max-write", f"{most_bytes}B"]
        drive.note_run(run.id)
        return ["run", str(place.suite), target, f"--profile={run.profile}", "--lab", str(place.path), *limit,
                "--erase", run.serial]  # fmt: skip
    _require_left_as_it_was(run, open_bundle(begun), allowed, drive)
    return ["resume", str(begun), "--erase", run.serial]


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
