"""What a block device under test says of itself, as rows of the report (METHODS D); unknown is said with its reason."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ssdlab.bundle.layout import Moment
from ssdlab.bundle.publication import PrivateKind, Publication
from ssdlab.bundle.read import Bundle
from ssdlab.drive.block.details import SMART_LOG, SMARTCTL, health_of
from ssdlab.drive.details import (
    AtaSecurity,
    Health,
    LbaFormat,
    NvmeController,
    NvmeNamespace,
    PowerSetting,
    PowerState,
    SmartDevice,
    StateUse,
)
from ssdlab.drive.identity import BlockDetails
from ssdlab.message import Message, as_written, commas, listed, message, verbatim
from ssdlab.units import format_bytes, format_bytes_decimal
from ssdlab.unknown import Unknown

Shown = str | Message
Row = tuple[Message, Shown]
_Value = TypeVar("_Value")
_STATED = {
    "not offered": message("report-drive-not-offered"),
    "solid-state": message("report-stated-solid-state"),
    "rotating": message("report-stated-rotating"),
    "present": message("report-stated-present"),
    "absent": message("report-stated-absent"),
    "offered": message("report-stated-offered"),
    "crypto erase": message("report-stated-crypto-erase"),
    "block erase": message("report-stated-block-erase"),
    "overwrite": message("report-stated-overwrite"),
    "enabled": message("report-stated-enabled"),
    "disabled": message("report-stated-disabled"),
}
"""Words that bundles have for what a drive is or can, which are few."""
_UNKNOWN = "report-unknown-because"


def words(value: _Value | Unknown, say: Callable[[_Value], Shown] = str) -> Message:
    """A value in words, or why it is not known."""
    if isinstance(value, Unknown):
        return message("report-unknown-because", reason=value.reason)
    shown = say(value)
    return shown if isinstance(shown, Message) else verbatim(shown)


def whose(value: str | Unknown, kind: PrivateKind, published: Publication | None) -> Message:
    """A name that may be private; in a published copy another stands for it."""
    if published is not None and kind in published.hashed and isinstance(value, str):
        return message("report-withheld", name=value)
    return words(value)


def told(said: Shown) -> Message:
    """A message, or the sentence that a bundle has in its place."""
    return said if isinstance(said, Message) else as_written(said)


def stated(word: str) -> Message:
    """A word that a bundle has for what a drive is or can."""
    return _STATED.get(word) or verbatim(word)


def kind_rows(block: BlockDetails) -> Iterator[Row]:
    """What every kind of drive has, then what its kind has."""
    yield message("report-drive-medium"), words(block.medium, stated)
    details = block.details
    if isinstance(details.health, Unknown):
        yield verbatim("SMART"), words(details.health)
    if not isinstance(details.controller, Unknown):
        yield from _controller_rows(details.controller)
    if not isinstance(details.smart, Unknown):
        yield from _smart_rows(details.smart)
        yield message("report-drive-ata-security"), words(details.security, _security)


def address_rows(block: BlockDetails) -> Iterator[Row]:
    """By which names and in which units."""
    yield message("report-drive-wwid"), words(block.wwid)
    yield message("report-drive-physical-block"), words(block.physical_block_bytes, _bytes)
    if not isinstance(block.details.controller, Unknown):
        yield from _namespace_rows(block.details.namespace)
    if not isinstance(block.details.smart, Unknown):
        yield message("report-drive-wwn"), words(block.details.smart.wwn)


def _controller_rows(one: NvmeController) -> Iterator[Row]:
    yield message("report-drive-nvme-version"), words(one.nvme_version)
    yield message("report-drive-warning-temperature"), words(one.warning_temperature_c, _celsius)
    yield message("report-drive-critical-temperature"), words(one.critical_temperature_c, _celsius)
    yield message("report-drive-write-cache"), words(one.volatile_write_cache, stated)
    yield message("report-drive-hmb-preferred"), words(one.host_memory_buffer_bytes_preferred, _asked_bytes)
    yield message("report-drive-hmb-least"), words(one.host_memory_buffer_bytes_min, _asked_bytes)
    yield message("report-drive-format"), words(one.format_command, stated)
    yield verbatim("Sanitize"), words(one.sanitize_methods, _methods)


def _namespace_rows(one: NvmeNamespace | Unknown) -> Iterator[Row]:
    if isinstance(one, Unknown):
        yield verbatim("Identify Namespace"), words(one)
        return
    formats = commas(*(_format(each) for each in one.lba_formats))
    yield message("report-drive-lba-formats"), listed(formats)
    yield message("report-drive-npwg"), words(one.write_granularity_bytes, _bytes)
    yield message("report-drive-npwa"), words(one.write_alignment_bytes, _bytes)
    yield message("report-drive-nows"), words(one.write_size_optimal_bytes, _bytes)
    yield verbatim("EUI-64"), words(one.eui64)
    yield verbatim("NGUID"), words(one.nguid)


def _smart_rows(one: SmartDevice) -> Iterator[Row]:
    yield message("report-drive-protocol"), words(one.protocol)
    yield message("report-drive-interface-now"), words(one.link_now)
    yield message("report-drive-interface-best"), words(one.link_best)


def _methods(methods: Sequence[str]) -> Message:
    if not methods:
        return message("report-drive-not-offered")
    return listed(commas(*map(stated, methods)))


def _security(one: AtaSecurity) -> Message:
    return message(
        "report-drive-security",
        enabled=one.enabled,
        locked=one.locked,
        frozen=one.frozen,
        enhanced_erase=one.enhanced_erase,
    )


def power_rows(block: BlockDetails) -> Iterator[Row]:
    """Which power state the drive is in, and the table of them; none for drives without one."""
    controller = block.details.controller
    if isinstance(controller, Unknown):
        return
    setting = block.details.power
    yield message("report-drive-power-in-use"), _in_use(setting, controller.power_states)
    if isinstance(setting, PowerSetting):
        yield message("report-drive-power-autonomous"), words(setting.autonomous, stated)
    for number, one in enumerate(controller.power_states):
        yield message("report-drive-power-state", number=number), _power(one)


def _in_use(setting: PowerSetting | Unknown, states: Sequence[PowerState]) -> Message:
    """An operational state but the first holds the power down; one that is none is where a drive waits for work."""
    if isinstance(setting, Unknown):
        return words(setting)
    number = setting.state
    if isinstance(number, Unknown):
        return words(number)
    if number == 0:
        return message("report-drive-power-not-limited")
    state = states[number] if number < len(states) else None
    if state is not None and state.use is StateUse.REST:
        return message("report-drive-power-at-rest", number=number)
    watt = Unknown(message("unknown-drive-reports-not")) if state is None else state.power_w_max
    return message("report-drive-power-limited", number=number, power=words(watt, lambda one: f"{one:g} W"))


def _power(one: PowerState) -> Message:
    return message(
        "report-drive-power",
        power=words(one.power_w_max, lambda watt: f"{watt:g} W"),
        entry=words(one.entry_latency_us, _microseconds),
        exit=words(one.exit_latency_us, _microseconds),
    )


def _microseconds(value: int) -> str:
    return f"{value:,} µs"


def health_rows(bundle: Bundle, block: BlockDetails) -> Iterator[Row]:
    """SMART at the start and at the end of the run; none for drives that have none."""
    before = block.details.health
    if isinstance(before, Unknown):
        return
    after = health_at(bundle, Moment.END)
    for name, of in _HEALTH:
        yield name, of(before) if isinstance(after, Unknown) else _change(of(before), of(after))
    if isinstance(after, Unknown):
        yield message("report-drive-at-the-end"), words(after)


def _change(before: Message, after: Message) -> Message:
    return (
        before
        if before == after and before.id == _UNKNOWN
        else message("report-drive-change", before=before, after=after)
    )


def health_at(bundle: Bundle, moment: Moment) -> Health | Unknown:
    """What the drive said of its health then, or why it is not known."""
    said = {name: bundle.drive_said(moment, name) for name in (SMART_LOG, SMARTCTL)}
    there = {name: answer for name, answer in said.items() if not isinstance(answer, Unknown)}
    return health_of(there) if there else Unknown(message("unknown-no-smart", moment=moment.value))


def _celsius(value: int) -> str:
    return f"{value} °C"


_HEALTH: tuple[tuple[Message, Callable[[Health], Message]], ...] = (
    (message("report-drive-temperature"), lambda one: words(one.temperature_c, _celsius)),
    (message("report-drive-used"), lambda one: words(one.used_percent, lambda value: f"{value} %")),
    (message("report-drive-written"), lambda one: words(one.host_bytes_written, format_bytes_decimal)),
    (message("report-drive-warnings"), lambda one: words(one.warnings, as_written)),
)


def _bytes(value: int) -> str:
    return format_bytes(value)


def _asked_bytes(value: int) -> Shown:
    return format_bytes(value) if value else message("report-drive-not-asked-for")


def _format(one: LbaFormat) -> Message:
    metadata = f" + {one.metadata_bytes} B" if one.metadata_bytes else ""
    layout = f"{one.data_bytes:,} B{metadata}"
    return message("report-drive-format-in-use", layout=layout) if one.in_use == "in use" else verbatim(layout)


def link_words(block: BlockDetails) -> Message:
    """Speed and width now, and what the drive can at best where that is more."""
    link = block.link
    if isinstance(link, Unknown):
        return words(link)
    now, best = (
        message("report-drive-link", speed=words(speed), lanes=words(lanes))
        for speed, lanes in ((link.speed_now, link.lanes_now), (link.speed_best, link.lanes_best))
    )
    return now if now == best else message("report-drive-link-best", now=now, best=best)
