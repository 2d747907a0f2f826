"""A fleet as it is at one moment: what is shown of it, and why its runs wait."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg import IsolationLevel

from ssdlab.fleet import records
from ssdlab.fleet.database import require_fleet
from ssdlab.fleet.records import SILENT_S, Database, FleetDrive, FleetHost, FleetRun, FleetRunState, Happening
from ssdlab.fleet.rules import Manner
from ssdlab.message import Message, message

OPEN_MAX = 200
OVER_MAX = 50
"""Of runs that are over those that ended last: `ssdlab fleet status` lists all."""
_AT_DRIVE = {FleetRunState.RUNNING, FleetRunState.STOPPING}


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSeen:
    """What one look found.

    Attributes:
        at: The database's clock.
        open: Runs that are not over, in the order of the queue; `OPEN_MAX` at most.
        open_count: How many there are.
        over: Runs that are over, the last first; `OVER_MAX` at most.
        told: What happened last to each of these runs.
    """

    at: datetime
    hosts: tuple[FleetHost, ...]
    drives: tuple[FleetDrive, ...]
    open: tuple[FleetRun, ...]
    open_count: int
    over: tuple[FleetRun, ...]
    told: Mapping[UUID, Happening]


def look_at(connection: Database) -> FleetSeen:
    """Ask for all of it, as it is at one moment.

    Args:
        connection: One by which nothing was asked yet.

    Raises:
        DatabaseError: The fleet was made by another version.
    """
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    require_fleet(connection)
    waiting = records.open_runs(connection, OPEN_MAX)
    over = records.over_runs(connection, OVER_MAX)
    return FleetSeen(
        at=records.clock(connection),
        hosts=records.hosts(connection),
        drives=records.drives(connection),
        open=waiting,
        open_count=records.open_count(connection),
        over=over,
        told=records.last_happenings(connection, [run.id for run in (*waiting, *over)]),
    )


def silence_of(seen_at: datetime, now: datetime) -> Message | None:
    """That a host is away, and since when; None where it was heard of lately."""
    if (now - seen_at).total_seconds() <= SILENT_S:
        return None
    return message("fleet-host-silent", since=moment(seen_at))


def moment(at: datetime) -> str:
    """In the time zone of this host, to the second."""
    return at.astimezone().isoformat(" ", "seconds")


def standing_of(one: FleetDrive, now: datetime) -> Message:
    """Whether a drive may be tested, is being tested, or is out of reach."""
    silence = silence_of(one.seen_at, now)
    if silence is not None:
        return silence
    if one.run is not None:
        return message("fleet-drive-busy", number=one.run)
    return message("fleet-standing", standing=one.drive.standing.value)


def why_waits(seen: FleetSeen, run: FleetRun) -> Message:
    """What a queued run waits for, as far as the database knows: a guard of its host may still refuse it."""
    host = next(one for one in seen.hosts if one.id == run.host)
    silence = silence_of(host.seen_at, seen.at)
    if silence is not None:
        return message("fleet-waits-host", host=host.name, silence=silence)
    at_drives = [one for one in seen.open if one.state in _AT_DRIVE]
    at_drive = next((one for one in at_drives if one.serial == run.serial), None)
    if at_drive is not None:
        return message("fleet-waits-drive", number=at_drive.number)
    at_host = next((one for one in at_drives if one.host == run.host), None)
    if host.manner is Manner.QUIET and at_host is not None:
        return message("fleet-waits-quiet-behind", number=at_host.number)
    before = next(one for one in seen.open if one.state is FleetRunState.QUEUED and _share_a_place(one, run, host))
    return message("fleet-waits-agent") if before is run else message("fleet-waits-behind", number=before.number)


def _share_a_place(one: FleetRun, run: FleetRun, host: FleetHost) -> bool:
    """Whether only one of them can be done at a time."""
    return one.serial == run.serial or (host.manner is Manner.QUIET and one.host == run.host)
