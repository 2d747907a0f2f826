"""`ssdlab drives`."""

from typing import TYPE_CHECKING

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.language import sentence
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.message import Message, message

if TYPE_CHECKING:
    from ssdlab.drive.block.guard import GuardFinding
    from ssdlab.drive.block.inventory import BlockDrive


def drives(as_json: AsJson = False) -> None:
    """See `help-drives`."""
    from ssdlab.drive.block.inventory import block_drives

    found = block_drives()
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.drive.block.inventory import BlockDrive
        from ssdlab.message_json import IN_ENGLISH

        fields = TypeAdapter(tuple[BlockDrive, ...]).dump_python(found, mode="json", context=IN_ENGLISH)
        say_json({"drives": fields})
        return
    for line in drive_lines(found):
        say(line)
    if not found:
        tell(message("cli-no-drives"))


def drive_lines(found: tuple["BlockDrive", ...]) -> list[str]:
    """A table of the drives, under each what its verdict rests on."""
    from ssdlab.units import format_bytes_decimal

    head = (
        message("cli-column-drive"),
        message("cli-column-model"),
        message("cli-column-serial"),
        message("cli-column-size"),
        message("cli-column-link"),
        message("cli-column-temperature"),
        message("cli-column-may-test"),
    )
    rows = [
        (
            drive.path,
            _cell(drive.model),
            _cell(drive.serial),
            format_bytes_decimal(drive.capacity_bytes),
            _link(drive),
            _temperature(drive),
            _verdict(drive),
        )
        for drive in found
    ]
    heading, *table = table_lines(head, rows, [Alignment.LEFT] * len(head))
    lines = [heading] if rows else []
    for row, drive in zip(table, found, strict=True):
        lines += [row, *(f"    {sentence(_weighed(finding))}" for finding in drive.findings)]
    return lines


def _weighed(finding: "GuardFinding") -> Message:
    from ssdlab.drive.block.guard import Weight

    match finding.weight:
        case Weight.FORBIDS:
            return message("cli-drive-forbids", what=finding.message)
        case Weight.WOULD_BE_LOST:
            return message("cli-drive-would-be-lost", what=finding.message)


def _cell(value: object) -> Message | str:
    return value if isinstance(value, str) else message("cli-unknown")


def _link(drive: "BlockDrive") -> Message | str:
    from ssdlab.unknown import Unknown

    smart = drive.details.smart
    if not isinstance(smart, Unknown) and not isinstance(smart.link_now, Unknown):
        return smart.link_now
    if isinstance(drive.link, Unknown):
        return message("cli-unknown")
    link = drive.link
    now, best = (
        f"{sentence(_cell(speed)).removesuffix(' PCIe')} x{lanes if isinstance(lanes, int) else '?'}"
        for speed, lanes in ((link.speed_now, link.lanes_now), (link.speed_best, link.lanes_best))
    )
    return now if now == best else message("cli-link-best", now=now, best=best)


def _temperature(drive: "BlockDrive") -> Message | str:
    from ssdlab.unknown import Unknown

    health = drive.details.health
    if isinstance(health, Unknown) or isinstance(health.temperature_c, Unknown):
        return message("cli-unknown")
    return f"{health.temperature_c} °C"


def _verdict(drive: "BlockDrive") -> Message:
    from ssdlab.drive.block.guard import GuardVerdict

    match drive.verdict:
        case GuardVerdict.REFUSED:
            return message("cli-may-not")
        case GuardVerdict.NEEDS_ERASE:
            return message("cli-may-if-lost")
        case GuardVerdict.FREE:
            return message("cli-may")
