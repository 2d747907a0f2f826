"""What the page of a fleet says, as messages."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.fleet.database import DatabaseAway
from ssdlab.fleet.records import FleetDrive, FleetHost, FleetRun, FleetRunState
from ssdlab.fleet.rules import Manner
from ssdlab.fleet.seen import FleetSeen, moment, silence_of, standing_of, why_waits
from ssdlab.message import Message, commas, listed, message, number, semicolons, size_decimal
from ssdlab.report.view import Tone
from ssdlab.web.fleet_watch import FleetNews
from ssdlab.web.words import NONE

_TONES = {
    FleetRunState.STOPPING: Tone.CAUTION,
    FleetRunState.DONE: Tone.GOOD,
    FleetRunState.FAILED: Tone.BAD,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetRunRow:
    """A run of the fleet.

    Attributes:
        told: Why it waits or failed, else what was told of it last.
        bundle: Its name in the store; None before it is there.
        is_here: Whether the lab that is shown has that bundle, as where it is the store.
    """

    number: int
    state: Message
    tone: Tone
    serial: str
    host: str
    suite: str
    profile: str
    priority: int
    progress: Message
    told: Message
    at: str
    bundle: str | None
    is_here: bool
    may_be_cancelled: bool
    may_be_retried: bool


def run_row(seen: FleetSeen, run: FleetRun, lab: Path) -> FleetRunRow:
    """In words."""
    happening = seen.told.get(run.id)
    return FleetRunRow(
        number=run.number,
        state=message("fleet-state", state=run.state.value),
        tone=_TONES.get(run.state, Tone.PLAIN),
        serial=run.serial,
        host=run.host_name,
        suite=run.suite_name,
        profile=run.profile,
        priority=run.priority,
        progress=_progress(run),
        told=_told(seen, run),
        at=moment(run.changed_at if happening is None else happening.at),
        bundle=run.bundle,
        is_here=run.bundle is not None and (lab / "runs" / run.bundle).is_dir(),
        may_be_cancelled=run.state in {FleetRunState.QUEUED, FleetRunState.RUNNING},
        may_be_retried=run.state.may_be_retried,
    )


def _progress(run: FleetRun) -> Message:
    if run.steps is None or run.steps_done is None:
        return NONE
    return message("web-steps-done", done=run.steps_done, count=run.steps)


def _told(seen: FleetSeen, run: FleetRun) -> Message:
    if run.state is FleetRunState.QUEUED:
        return why_waits(seen, run)
    happening = seen.told.get(run.id)
    return run.why or (NONE if happening is None else happening.told)


@dataclass(frozen=True, slots=True)
class FleetHostRow:
    """A host of the fleet."""

    name: str
    manner: Message
    version: str
    state: Message
    tone: Tone


def host_row(seen: FleetSeen, host: FleetHost) -> FleetHostRow:
    """In words."""
    silence = silence_of(host.seen_at, seen.at)
    manner = message("web-host-quiet") if host.manner is Manner.QUIET else message("web-host-shared")
    state, tone = (message("web-host-there"), Tone.GOOD) if silence is None else (silence, Tone.BAD)
    return FleetHostRow(host.name, manner, host.ssdlab_version, state, tone)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetDriveRow:
    """A drive of the fleet."""

    host: str
    serial: str
    model: str | None
    capacity: Message
    temperature: Message
    standing: Message
    reasons: Message | None
    """Why it may not be tested."""


def drive_row(seen: FleetSeen, one: FleetDrive) -> FleetDriveRow:
    """In words."""
    drive = one.drive
    return FleetDriveRow(
        host=one.host_name,
        serial=drive.serial,
        model=drive.model,
        capacity=NONE if drive.capacity_bytes is None else listed(commas(size_decimal(drive.capacity_bytes))),
        temperature=NONE
        if drive.temperature_c is None
        else message("web-celsius", temperature=number(drive.temperature_c, ".0f")),
        standing=standing_of(one, seen.at),
        reasons=listed(semicolons(*drive.reasons)) if drive.reasons else None,
    )


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the fleet cannot be looked at, what to do about it, and of when all else is."""

    why: Message
    hints: tuple[Message, ...]
    since: Message | None


def trouble_of(news: FleetNews) -> Trouble | None:
    """In words; None where there is none."""
    if news.trouble is None:
        return None
    since = None if news.seen is None else message("web-fleet-as-of", at=moment(news.seen.at))
    # Its address was given when the server was started, so what to do about an outage is to wait.
    hints = () if isinstance(news.trouble, DatabaseAway) else news.trouble.hints
    why = message("web-fleet-away", why=news.trouble.message)
    return Trouble(why, (*hints, message("web-fleet-asked-again")), since)
