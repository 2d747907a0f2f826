"""What somebody wishes of a fleet, made into runs of single drives."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from ssdlab.errors import SsdlabError, UsageError
from ssdlab.fleet import queue, records
from ssdlab.fleet.database import require_fleet
from ssdlab.fleet.records import Database, FleetDrive, WantedRun
from ssdlab.fleet.suites import require_nothing_beside
from ssdlab.message import commas, message
from ssdlab.method.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A suite, and how it is to be run."""

    suite: Suite
    profile: str
    repeat: int
    priority: int
    write_bytes_max: int | None


@dataclass(frozen=True, slots=True)
class SubmittedRun:
    """A run that waits for its turn."""

    number: int
    serial: str


def condition_of(text: str) -> tuple[str, str]:
    """`model=PM9*` in its parts.

    Raises:
        UsageError: It is none, or of something else than drives have.
    """
    key, is_there, pattern = text.partition("=")
    if not is_there or key not in records.CONDITIONS:
        raise UsageError(message("fleet-no-condition", text=text, keys=commas(*records.CONDITIONS)))
    return key, pattern


def submit_where(connection: Database, wish: Wish, conditions: Sequence[tuple[str, str]]) -> tuple[SubmittedRun, ...]:
    """Submit it to all free drives that meet conditions.

    Args:
        connection: To the fleet.
        wish: What is to be done.
        conditions: A key of `records.CONDITIONS` and a pattern each; a drive meets all of them.

    Raises:
        SsdlabError: No drive meets them, or as `submit_to`.
    """
    require_fleet(connection)
    found = records.chosen(records.drives(connection), conditions)
    if not found:
        wanted = commas(*(f"{key}={pattern}" for key, pattern in conditions))
        raise SsdlabError(message("fleet-no-drive-meets", conditions=wanted), message("fleet-hint-drives"))
    return submit_to(connection, wish, found)


def submit_to(connection: Database, wish: Wish, found: Sequence[FleetDrive]) -> tuple[SubmittedRun, ...]:
    """Put a run for each repetition and drive into the queue, the first of each drive before the second of any.

    Raises:
        SsdlabError: The suite has no such profile or reads files; nothing is submitted.
    """
    require_nothing_beside(wish.suite)
    wish.suite.profile(wish.profile)
    return tuple(_submit(connection, wish, drive) for _ in range(wish.repeat) for drive in found)


def _submit(connection: Database, wish: Wish, drive: FleetDrive) -> SubmittedRun:
    wanted = WantedRun(
        host=drive.host,
        serial=drive.drive.serial,
        suite_name=wish.suite.name,
        suite_text=wish.suite.text,
        profile=wish.profile,
        write_bytes_max=wish.write_bytes_max,
        priority=wish.priority,
    )
    return SubmittedRun(queue.submit(connection, uuid4(), wanted), wanted.serial)
