"""`ssdlab drives`."""

import json
import sys
from typing import TYPE_CHECKING

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.table import Side, table_lines

if TYPE_CHECKING:
    from ssdlab.drive.block_drives import BlockDrive


def drives(as_json: AsJson = False) -> None:
    """List drives, what may be tested, why not.

    Nothing is written to any of them. Most of it needs root; what is not known is said with its reason, and a drive
    of which it is not known who uses it is refused.
    """
    from ssdlab.drive.block_drives import block_drives

    found = block_drives()
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.drive.block_drives import BlockDrive

        fields = TypeAdapter(tuple[BlockDrive, ...]).dump_python(found, mode="json")
        print(json.dumps({"drives": fields}, indent=2))
        return
    for line in drive_lines(found):
        print(line)
    if not found:
        print("this host shows no block device with a size", file=sys.stderr)


def drive_lines(found: tuple["BlockDrive", ...]) -> list[str]:
    """A table of the drives, under each what its verdict rests on."""
    from ssdlab.units import format_bytes_decimal

    head = ("drive", "model", "serial", "size", "link", "temperature", "may it be tested?")
    rows = [
        (
            one.path,
            _cell(one.model),
            _cell(one.serial),
            format_bytes_decimal(one.capacity_bytes),
            _link(one),
            _temperature(one),
            _verdict(one),
        )
        for one in found
    ]
    heading, *table = table_lines(head, rows, [Side.LEFT] * len(head))
    lines = [heading] if rows else []
    for row, one in zip(table, found, strict=True):
        lines += [row, *(f"    {finding.weight.value}: {finding.text}" for finding in one.findings)]
    return lines


def _cell(value: object) -> str:
    return value if isinstance(value, str) else "unknown"


def _link(one: "BlockDrive") -> str:
    from ssdlab.unknown import Unknown

    smart = one.details.smart
    if not isinstance(smart, Unknown) and not isinstance(smart.link_now, Unknown):
        return smart.link_now
    if isinstance(one.link, Unknown):
        return "unknown"
    link = one.link
    now, best = (
        f"{_cell(speed).removesuffix(' PCIe')} x{lanes if isinstance(lanes, int) else '?'}"
        for speed, lanes in ((link.speed_now, link.lanes_now), (link.speed_best, link.lanes_best))
    )
    return now if now == best else f"{now} (best {best})"


def _temperature(one: "BlockDrive") -> str:
    from ssdlab.unknown import Unknown

    health = one.details.health
    if isinstance(health, Unknown) or isinstance(health.temperature_c, Unknown):
        return "unknown"
    return f"{health.temperature_c} °C"


def _verdict(one: "BlockDrive") -> str:
    from ssdlab.drive.guard import Verdict

    return {
        Verdict.REFUSED: "no",
        Verdict.NEEDS_ERASE: "if its content may be lost",
        Verdict.FREE: "yes, nothing is on it and nothing uses it",
    }[one.verdict]
