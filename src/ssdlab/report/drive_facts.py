"""What a block device under test says of itself, as rows of the report (METHODS D); unknown is said with its reason."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from ssdlab.bundle.layout import Moment
from ssdlab.bundle.read import Bundle
from ssdlab.drive.block_details import SMART_LOG, SMARTCTL, health_of
from ssdlab.drive.block_identity import (
    AtaSecurity,
    Health,
    LbaFormat,
    NvmeController,
    NvmeNamespace,
    PowerState,
    SmartDevice,
)
from ssdlab.drive.identity import BlockDetails
from ssdlab.units import format_bytes, format_bytes_decimal
from ssdlab.unknown import Unknown

Row = tuple[str, str]
_Value = TypeVar("_Value")


def words(value: _Value | Unknown, say: Callable[[_Value], str] = str) -> str:
    """A value in words, or why it is not known."""
    return f"unknown: {value.unknown}" if isinstance(value, Unknown) else say(value)


def kind_rows(block: BlockDetails) -> Iterator[Row]:
    """What every kind of drive has, then what its kind has."""
    yield "Medium", words(block.medium)
    details = block.details
    if isinstance(details.health, Unknown):
        yield "SMART", words(details.health)
    if not isinstance(details.controller, Unknown):
        yield from _controller_rows(details.controller)
    if not isinstance(details.smart, Unknown):
        yield from _smart_rows(details.smart)
        yield "ATA security", words(details.security, _security)


def address_rows(block: BlockDetails) -> Iterator[Row]:
    """By which names and in which units."""
    yield "World-wide identifier", words(block.wwid)
    yield "Physical block", words(block.physical_block_bytes, _bytes)
    if not isinstance(block.details.controller, Unknown):
        yield from _namespace_rows(block.details.namespace)
    if not isinstance(block.details.smart, Unknown):
        yield "World-wide name", words(block.details.smart.wwn)


def _controller_rows(one: NvmeController) -> Iterator[Row]:
    yield "NVMe version", words(one.nvme_version)
    yield "Warning temperature", words(one.warning_temperature_c, _celsius)
    yield "Critical temperature", words(one.critical_temperature_c, _celsius)
    yield "Volatile write cache", words(one.volatile_write_cache)
    yield "Host memory buffer, preferred", words(one.host_memory_buffer_bytes_preferred, _asked_bytes)
    yield "Host memory buffer, least", words(one.host_memory_buffer_bytes_min, _asked_bytes)
    yield "Format command", words(one.format_command)
    yield "Sanitize", words(one.sanitize_methods, lambda methods: ", ".join(methods) or "not offered")


def _namespace_rows(one: NvmeNamespace | Unknown) -> Iterator[Row]:
    if isinstance(one, Unknown):
        yield "Identify Namespace", words(one)
        return
    yield "LBA formats", ", ".join(_format(each) for each in one.lba_formats)
    yield "Preferred write granularity (NPWG)", words(one.write_granularity_bytes, _bytes)
    yield "Preferred write alignment (NPWA)", words(one.write_alignment_bytes, _bytes)
    yield "Optimal write size (NOWS)", words(one.write_size_optimal_bytes, _bytes)
    yield "EUI-64", words(one.eui64)
    yield "NGUID", words(one.nguid)


def _smart_rows(one: SmartDevice) -> Iterator[Row]:
    yield "Protocol", words(one.protocol)
    yield "Interface now", words(one.link_now)
    yield "Interface at best", words(one.link_best)


def _security(one: AtaSecurity) -> str:
    return f"{one.enabled}, {one.locked}, {one.frozen}, enhanced erase {one.enhanced_erase}"


def power_rows(block: BlockDetails) -> Iterator[Row]:
    """The table of power states; none for drives without one."""
    controller = block.details.controller
    for number, one in enumerate(() if isinstance(controller, Unknown) else controller.power_states):
        yield f"State {number}", _power(one)


def _power(one: PowerState) -> str:
    latency = [
        f"{name} {words(value, lambda us: f'{us:,} µs')}"
        for name, value in (("entry", one.entry_latency_us), ("exit", one.exit_latency_us))
    ]
    return ", ".join([f"at most {words(one.power_w_max, lambda watt: f'{watt:g} W')}", *latency])


def health_rows(bundle: Bundle, block: BlockDetails) -> Iterator[Row]:
    """SMART at the start and at the end of the run; none for drives that have none."""
    before = block.details.health
    if isinstance(before, Unknown):
        return
    after = _health(bundle, Moment.END)
    for name, of in _HEALTH.items():
        yield name, of(before) if isinstance(after, Unknown) else _change(of(before), of(after))
    if isinstance(after, Unknown):
        yield "At the end", words(after)


def _change(before: str, after: str) -> str:
    return before if before == after and before.startswith("unknown") else f"{before} → {after}"


def _health(bundle: Bundle, moment: Moment) -> Health | Unknown:
    said = {name: bundle.drive_said(moment, name) for name in (SMART_LOG, SMARTCTL)}
    there = {name: answer for name, answer in said.items() if not isinstance(answer, Unknown)}
    return health_of(there) if there else Unknown(f"the bundle holds no SMART of the {moment.value}")


def _celsius(value: int) -> str:
    return f"{value} °C"


_HEALTH: dict[str, Callable[[Health], str]] = {
    "Temperature": lambda one: words(one.temperature_c, _celsius),
    "Used": lambda one: words(one.used_percent, lambda value: f"{value} %"),
    "Written by hosts": lambda one: words(one.host_bytes_written, format_bytes_decimal),
    "Warnings": lambda one: words(one.warnings),
}


def _bytes(value: int) -> str:
    return format_bytes(value)


def _asked_bytes(value: int) -> str:
    return format_bytes(value) if value else "not asked for"


def _format(one: LbaFormat) -> str:
    metadata = f" + {one.metadata_bytes} B" if one.metadata_bytes else ""
    used = " (in use)" if one.in_use == "in use" else ""
    return f"{one.data_bytes:,} B{metadata}{used}"


def link_words(block: BlockDetails) -> str:
    """Speed and width now, and what the drive can at best where that is more."""
    link = block.link
    if isinstance(link, Unknown):
        return words(link)
    now, best = (
        f"{words(speed)} x{words(lanes, str)}"
        for speed, lanes in ((link.speed_now, link.lanes_now), (link.speed_best, link.lanes_best))
    )
    return now if now == best else f"{now}, at best {best}"
