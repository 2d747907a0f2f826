"""What the tables of a fleet hold, and the few ways in which they change."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, TypeAlias
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from ssdlab import version
from ssdlab.fleet.rules import Manner
from ssdlab.message import Message, message
from ssdlab.message_json import message_as_json, message_from_json

Database: TypeAlias = "Connection[tuple[Any, ...]]"

SILENT_S = 45
"""After that a host is taken to be away: four heartbeats."""


class Standing(Enum):
    """Whether a drive may be tested by the fleet, as its host says."""

    FREE = "free"
    REFUSED = "refused"
    """Its operator allows it, and something on the host forbids it."""
    ABSENT = "absent"
    """Its operator allows it, and it is not there or does not answer."""
    NOT_ALLOWED = "not_allowed"


class FleetRunState(Enum):
    """How far a run is."""

    QUEUED = "queued"
    RUNNING = "running"
    STOPPING = "stopping"
    """It is cancelled, and its agent has still to find that nothing is at its drive any more."""
    STORING = "storing"
    """It is over; its bundle is on the way to the store."""
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def may_be_retried(self) -> bool:
        """Whether somebody has to ask for it again."""
        return self in {FleetRunState.FAILED, FleetRunState.CANCELLED}


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetHost:
    """A host that has an agent, or had one."""

    id: UUID
    name: str
    manner: Manner
    ssdlab_version: str
    seen_at: datetime
    """When it was last heard of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedDrive:
    """A drive as its host sees it; None where the host does not know."""

    serial: str
    model: str | None
    firmware: str | None
    capacity_bytes: int | None
    temperature_c: float | None
    standing: Standing
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetDrive:
    """A drive of the fleet."""

    drive: AnnouncedDrive
    host: UUID
    host_name: str
    seen_at: datetime
    """When its host was last heard of."""
    run: int | None
    """Number of the run that is at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRun:
    """What is to be done."""

    host: UUID
    serial: str
    suite_name: str
    suite_text: str
    profile: str
    write_bytes_max: int | None
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetRun:
    """A run of the fleet."""

    number: int
    id: UUID
    host: UUID
    host_name: str
    serial: str
    suite_name: str
    suite_text: str
    profile: str
    write_bytes_max: int | None
    priority: int
    attempt: int
    job: int | None
    state: FleetRunState
    why: Message | None
    """It failed."""
    bundle: str | None
    """Its name in the store."""
    steps_done: int | None
    steps: int | None
    submitted_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Happening:
    """What happened to a run."""

    at: datetime
    told: Message


def clock(connection: Database) -> datetime:
    """What the database takes for the time, by which it says when jobs are due."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None  # noqa: S101 - it is one row
    now: datetime = row[0]
    return now


def announce_host(connection: Database, host: UUID, name: str, manner: Manner) -> None:
    """The host is there."""
    connection.execute(
        "INSERT INTO host (id, name, manner, ssdlab_version, seen_at) VALUES (%s, %s, %s, %s, now()) ON CONFLICT (id)"
        " DO UPDATE SET name = excluded.name, manner = excluded.manner, ssdlab_version = excluded.ssdlab_version,"
        " seen_at = excluded.seen_at",
        (host, name, manner.value, version()),
    )


def hosts(connection: Database) -> tuple[FleetHost, ...]:
    """All hosts that were ever heard of, by name."""
    rows = connection.cursor(row_factory=dict_row).execute("SELECT * FROM host ORDER BY name, id")
    return tuple(FleetHost(**{**row, "manner": Manner(row["manner"])}) for row in rows)


def announce_drives(connection: Database, host: UUID, drives: Iterable[AnnouncedDrive]) -> None:
    """These and no others are the drives of the host."""
    connection.execute("DELETE FROM drive WHERE host = %s", (host,))
    for one in drives:
        connection.execute(
            "INSERT INTO drive VALUES (%s, %s, %s, %s, %s, %s, %s, %s, now())",
            (
                host, one.serial, one.model, one.firmware, one.capacity_bytes, one.temperature_c, one.standing.value,
                _json([message_as_json(reason) for reason in one.reasons]),
            ),
        )  # fmt: skip


def drives(connection: Database) -> tuple[FleetDrive, ...]:
    """All drives of the fleet, by host and serial number."""
    rows = connection.cursor(row_factory=dict_row).execute(
        "SELECT drive.*, host.name AS host_name, host.seen_at, run.number AS run FROM drive JOIN host ON host.id = drive.host"
        " LEFT JOIN run ON run.host = drive.host AND run.serial = drive.serial AND run.state IN ('running', 'stopping')"
        " ORDER BY host.name, drive.host, drive.serial"
    )
    return tuple(_fleet_drive(row) for row in rows)


def _fleet_drive(row: dict[str, Any]) -> FleetDrive:
    drive = AnnouncedDrive(
        serial=row["serial"],
        model=row["model"],
        firmware=row["firmware"],
        capacity_bytes=row["capacity_bytes"],
        temperature_c=row["temperature_c"],
        standing=Standing(row["standing"]),
        reasons=tuple(message_from_json(reason) for reason in row["reasons"]),
    )
    return FleetDrive(drive=drive, host=row["host"], host_name=row["host_name"], seen_at=row["seen_at"], run=row["run"])


def chosen(found: Sequence[FleetDrive], conditions: Sequence[tuple[str, str]]) -> tuple[FleetDrive, ...]:
    """The drives that may be tested and meet all conditions; one that two hosts reach is that of the host heard of last.

    Args:
        found: All drives.
        conditions: `model`, `serial`, `firmware` or `host`, and a pattern as a shell has it.
    """
    by_serial: dict[str, FleetDrive] = {}
    for one in sorted(found, key=lambda one: one.seen_at):
        if one.drive.standing is Standing.FREE and all(_meets(one, key, pattern) for key, pattern in conditions):
            by_serial[one.drive.serial] = one
    return tuple(one for one in found if by_serial.get(one.drive.serial) is one)


CONDITIONS = ("model", "serial", "firmware", "host")


def _meets(one: FleetDrive, key: str, pattern: str) -> bool:
    said = {"model": one.drive.model, "serial": one.drive.serial, "firmware": one.drive.firmware, "host": one.host_name}
    return fnmatchcase(said[key] or "", pattern)


_RUN = "SELECT run.*, host.name AS host_name FROM run JOIN host ON host.id = run.host"
_IS_OPEN = "(run.state IN ('queued', 'running', 'stopping', 'storing'))"


def add_run(connection: Database, run: UUID, wanted: WantedRun) -> int:
    """A run that waits for its turn; its number."""
    row = connection.execute(
        "INSERT INTO run (id, host, serial, suite_name, suite_text, profile, write_bytes_max, priority, state)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, 'queued') RETURNING number",
        (
            run, wanted.host, wanted.serial, wanted.suite_name, wanted.suite_text, wanted.profile, wanted.write_bytes_max,
            wanted.priority,
        ),
    ).fetchone()  # fmt: skip
    assert row is not None  # noqa: S101 - it was just put there
    return int(row[0])


def runs(connection: Database) -> tuple[FleetRun, ...]:
    """All runs, the oldest first."""
    rows = connection.cursor(row_factory=dict_row).execute(f"{_RUN} ORDER BY run.number")
    return tuple(_fleet_run(row) for row in rows)


def open_runs(connection: Database, count_max: int) -> tuple[FleetRun, ...]:
    """Runs that are not over: those that agents are at, then the others in the order in which the queue gives them out.

    Args:
        connection: To the fleet.
        count_max: So many of them.
    """
    rows = connection.cursor(row_factory=dict_row).execute(
        f"{_RUN} WHERE {_IS_OPEN} ORDER BY run.state = 'queued', run.priority DESC, run.job LIMIT %s", (count_max,)
    )
    return tuple(_fleet_run(row) for row in rows)


def open_count(connection: Database) -> int:
    """How many runs are not over."""
    row = connection.execute(f"SELECT count(*) FROM run WHERE {_IS_OPEN}".encode()).fetchone()  # noqa: S608 - no values
    assert row is not None  # noqa: S101 - it is one row
    return int(row[0])


def over_runs(connection: Database, count_max: int) -> tuple[FleetRun, ...]:
    """Runs that are over, the one that ended last first; so many of them."""
    rows = connection.cursor(row_factory=dict_row).execute(
        f"{_RUN} WHERE NOT {_IS_OPEN} ORDER BY run.changed_at DESC, run.number DESC LIMIT %s", (count_max,)
    )
    return tuple(_fleet_run(row) for row in rows)


def run_of_number(connection: Database, number: int) -> FleetRun | None:
    """The run that has it."""
    found = connection.cursor(row_factory=dict_row).execute(f"{_RUN} WHERE run.number = %s", (number,)).fetchone()
    return None if found is None else _fleet_run(found)


def run_of_id(connection: Database, run: UUID) -> FleetRun | None:
    """The same run, by what it is called on its host."""
    found = connection.cursor(row_factory=dict_row).execute(f"{_RUN} WHERE run.id = %s", (run,)).fetchone()
    return None if found is None else _fleet_run(found)


def _fleet_run(row: dict[str, Any]) -> FleetRun:
    why = None if row["why"] is None else message_from_json(row["why"])
    return FleetRun(**{**row, "state": FleetRunState(row["state"]), "why": why})


def set_state(connection: Database, run: UUID, state: FleetRunState, told: Message) -> None:
    """A run is that far; what is told is kept among what happened to it, and is why it failed."""
    why = _kept(told) if state is FleetRunState.FAILED else None
    connection.execute("UPDATE run SET state = %s, why = %s, changed_at = now() WHERE id = %s", (state.value, why, run))
    tell_of(connection, run, told)


def set_job(connection: Database, run: UUID, job: int) -> None:
    """Which job of the queue the run is."""
    connection.execute("UPDATE run SET job = %s WHERE id = %s", (job, run))


def set_bundle(connection: Database, run: UUID, bundle: str) -> None:
    """What the run is called in the store."""
    connection.execute("UPDATE run SET bundle = %s WHERE id = %s", (bundle, run))


def set_progress(connection: Database, run: UUID, steps_done: int, steps: int) -> None:
    """How many of its steps are over."""
    connection.execute("UPDATE run SET steps_done = %s, steps = %s WHERE id = %s", (steps_done, steps, run))


def take_up(connection: Database, run: UUID) -> FleetRun | None:
    """A run as it is now that its agent takes it up: one that waited for its turn runs, unless it was cancelled just now."""
    done = connection.execute(
        "UPDATE run SET state = 'running', changed_at = now() WHERE id = %s AND state = 'queued'", (run,)
    )
    if done.rowcount == 1:
        tell_of(connection, run, message("fleet-taken-up"))
    return run_of_id(connection, run)


def ask_to_stop(connection: Database, run: UUID) -> bool:
    """Whether a run is one that its agent has to stop; asked twice, it is asked once."""
    done = connection.execute(
        "UPDATE run SET state = 'stopping', changed_at = now() WHERE id = %s AND state IN ('queued', 'running')", (run,)
    )
    if done.rowcount == 1:
        tell_of(connection, run, message("fleet-asked-to-stop"))
        return True
    found = run_of_id(connection, run)
    return found is not None and found.state is FleetRunState.STOPPING


TO_STOP = "SELECT id FROM run WHERE host = %(host)s AND state = 'stopping'"
"""Runs of a host that its agent has to stop."""


def take_again(connection: Database, run: UUID) -> bool:
    """Whether a run that failed or was cancelled waits for its turn again; not one that somebody else has asked for just now."""
    done = connection.execute(
        "UPDATE run SET state = 'queued', why = NULL, attempt = attempt + 1, changed_at = now()"
        " WHERE id = %s AND state IN ('failed', 'cancelled')",
        (run,),
    )
    return done.rowcount == 1


def tell_of(connection: Database, run: UUID, told: Message) -> None:
    """Keep what happened to a run."""
    connection.execute("INSERT INTO happening (run, told) VALUES (%s, %s)", (run, _kept(told)))


def happenings(connection: Database, run: UUID) -> tuple[Happening, ...]:
    """What happened to a run, in order."""
    rows = connection.execute("SELECT at, told FROM happening WHERE run = %s ORDER BY id", (run,))
    return tuple(Happening(at, message_from_json(told)) for at, told in rows)


def last_happenings(connection: Database, runs: Sequence[UUID]) -> Mapping[UUID, Happening]:
    """What happened last to each of these runs."""
    rows = connection.execute(
        "SELECT DISTINCT ON (run) run, at, told FROM happening WHERE run = ANY(%s) ORDER BY run, id DESC", (list(runs),)
    )
    return {run: Happening(at, message_from_json(told)) for run, at, told in rows}


def _kept(told: Message) -> Jsonb:
    return _json(message_as_json(told))


def _json(value: object) -> Jsonb:
    """PostgreSQL refuses the one character that texts of others may have and its own cannot."""
    return Jsonb(value, dumps=lambda one: json.dumps(one).replace("\\u0000", "\\ufffd"))


def storing(connection: Database, host: UUID) -> tuple[UUID, ...]:
    """Runs of a host whose bundles are on their way."""
    rows = connection.execute("SELECT id FROM run WHERE host = %s AND state = 'storing'", (host,))
    return tuple(row[0] for row in rows)
