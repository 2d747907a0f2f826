"""Drives and runs of a fleet as lines and as JSON."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ssdlab.cli.language import sentence
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.message import Message, message

if TYPE_CHECKING:
    from ssdlab.fleet.records import FleetDrive, FleetRun

_LEFT = Alignment.LEFT


def drive_lines(found: "Sequence[FleetDrive]") -> Iterator[str]:
    """A table of the drives, under each what forbids testing it."""
    from ssdlab.fleet.seen import standing_of
    from ssdlab.units import format_bytes_decimal

    now = datetime.now(UTC)
    head = (
        message("fleet-column-host"),
        message("cli-column-serial"),
        message("cli-column-model"),
        message("cli-column-size"),
        message("cli-column-temperature"),
        message("fleet-column-standing"),
    )
    rows = [
        (
            one.host_name,
            one.drive.serial,
            _cell(one.drive.model),
            message("cli-unknown")
            if one.drive.capacity_bytes is None
            else format_bytes_decimal(one.drive.capacity_bytes),
            message("cli-unknown") if one.drive.temperature_c is None else f"{one.drive.temperature_c:g} °C",
            standing_of(one, now),
        )
        for one in found
    ]
    heading, *table = table_lines(head, rows, [_LEFT] * len(head))
    yield heading
    for row, one in zip(table, found, strict=True):
        yield row
        yield from (f"    {sentence(reason)}" for reason in one.drive.reasons)


def _cell(value: str | None) -> Message | str:
    return message("cli-unknown") if value is None else value


def drive_fields(one: "FleetDrive") -> dict[str, object]:
    """The same for programs."""
    drive = one.drive
    return {
        "host": {"id": str(one.host), "name": one.host_name, "seen_at": one.seen_at.isoformat()},
        "serial": drive.serial,
        "model": drive.model,
        "firmware": drive.firmware,
        "capacity_bytes": drive.capacity_bytes,
        "temperature_c": drive.temperature_c,
        "standing": drive.standing.value,
        "reasons": [str(reason) for reason in drive.reasons],
        "run": one.run,
    }


def run_lines(found: "Sequence[FleetRun]") -> Iterator[str]:
    """A table of the runs, under each that failed why."""
    head = (
        message("fleet-column-number"),
        message("fleet-column-state"),
        message("fleet-column-host"),
        message("cli-column-serial"),
        message("cli-column-suite"),
        message("cli-column-profile"),
        message("fleet-column-steps"),
        message("cli-column-run"),
    )
    rows = [
        (
            str(one.number),
            message("fleet-state", state=one.state.value),
            one.host_name,
            one.serial,
            one.suite_name,
            one.profile,
            "" if one.steps is None else f"{one.steps_done}/{one.steps}",
            one.bundle or "",
        )
        for one in found
    ]
    heading, *table = table_lines(head, rows, [_LEFT] * len(head))
    yield heading
    for row, one in zip(table, found, strict=True):
        yield row
        if one.why is not None:
            yield f"    {sentence(one.why)}"


def run_fields(one: "FleetRun") -> dict[str, object]:
    """The same for programs."""
    return {
        "number": one.number,
        "id": str(one.id),
        "state": one.state.value,
        "host": {"id": str(one.host), "name": one.host_name},
        "serial": one.serial,
        "suite": one.suite_name,
        "profile": one.profile,
        "priority": one.priority,
        "attempt": one.attempt,
        "steps_done": one.steps_done,
        "steps": one.steps,
        "bundle": one.bundle,
        "why": None if one.why is None else str(one.why),
        "submitted_at": one.submitted_at.isoformat(),
        "changed_at": one.changed_at.isoformat(),
    }
