"""Checks against what kernel and drive say themselves: bytes, other I/O, heat, link."""

from ssdlab.analysis.audit_facts import Facts, Sensed, VirtualTime
from ssdlab.analysis.audit_setup import HostCache
from ssdlab.analysis.verdict import Rule, Verdict, compared, not_applicable, passed, passed_if, unknown
from ssdlab.bundle.model import Compared, Outcome
from ssdlab.engine.result import Direction
from ssdlab.units import MIB, format_bytes
from ssdlab.unknown import Unknown

_SHARE = 0.01
_COUNT_SHARE = 0.5
"""Where only I/Os are counted: a file system merges and splits them."""
_METADATA_BYTES = MIB
"""What a file system writes beside the data of one file."""
_WARM_SPAN_CELSIUS = 20.0
_MOVED = (Direction.READ, Direction.WRITE)


def _no_device(facts: Facts) -> Verdict | None:
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: there is no device")
    if not isinstance(facts.setup, Unknown) and facts.setup.host_cache is HostCache.NONE:
        return not_applicable(f"ioengine={facts.setup.ioengine}: no block device of this host is involved")
    return unknown(facts.device.unknown) if isinstance(facts.device, Unknown) else None


def _bytes(facts: Facts) -> Verdict:
    """Everything fio says it moved must have reached the device; what more there was is another check's."""
    if (verdict := _no_device(facts)) is not None or isinstance(facts.device, Unknown):
        return verdict or unknown("")
    device, missing, numbers, words = facts.device, False, list[Compared](), list[str]()
    for direction, one in (*facts.directions.items(), *facts.beside.items()):
        if direction not in _MOVED:
            continue
        if isinstance(device.moved_bytes, Unknown):
            count = device.io_count.get(direction, 0)
            missing = missing or count < _COUNT_SHARE * one.io_count
            numbers += [compared(f"{direction.value}.fio", one.io_count), compared(f"{direction.value}.kernel", count)]
            words.append(f"{direction.value}: fio {one.io_count:,} I/Os, {device.device} {count:,}")
        else:
            moved = device.moved_bytes.get(direction, 0)
            missing = missing or moved < (1 - _SHARE) * one.io_bytes
            numbers += [
                compared(f"{direction.value}.fio", one.io_bytes, "B"),
                compared(f"{direction.value}.kernel", moved, "B"),
            ]
            words.append(f"{direction.value}: fio {format_bytes(one.io_bytes)}, {device.device} {format_bytes(moved)}")
    if not words:
        return not_applicable("neither read nor written")
    return passed_if(not missing, "; ".join(words), *numbers)


def _other_io(facts: Facts) -> Verdict:
    """What the device did beyond fio's; the ramp, which fio does not count, hides it in the directions of the job."""
    if (verdict := _no_device(facts)) is not None or isinstance(facts.device, Unknown):
        return verdict or unknown("")
    device = facts.device
    if isinstance(device.moved_bytes, Unknown):
        return unknown(device.moved_bytes.unknown)
    ramp = isinstance(facts.setup, Unknown) or facts.setup.ramp_ns != 0
    extra_bytes = 0
    for direction in _MOVED:
        own = facts.directions.get(direction) or facts.beside.get(direction)
        if own is None or not ramp:
            extra_bytes += max(0, device.moved_bytes.get(direction, 0) - (0 if own is None else own.io_bytes))
    finding = f"{device.device} moved {format_bytes(extra_bytes)} beside the {format_bytes(facts.io_bytes)} of the job"
    if ramp:
        finding += ", those of its ramp not counted"
    numbers = (compared("other", extra_bytes, "B"), compared("job", facts.io_bytes, "B"))
    quiet = extra_bytes <= _SHARE * facts.io_bytes + _METADATA_BYTES
    return passed_if(quiet, finding, *numbers, otherwise=Outcome.WARN)


def _sensed(facts: Facts) -> Sensed | Verdict:
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: there is no device")
    if not isinstance(facts.setup, Unknown) and facts.setup.ioengine in {"nbd", "null"}:
        return not_applicable(f"ioengine={facts.setup.ioengine}: there is no device to ask")
    return unknown(facts.sensed.unknown) if isinstance(facts.sensed, Unknown) else facts.sensed


def _temperature(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    span = sensed.temperature_celsius
    if isinstance(span, Unknown):
        return unknown(span.unknown)
    finding = f"{span.low:.0f} to {span.high:.0f} °C"
    numbers = (compared("low", span.low, "°C"), compared("high", span.high, "°C"))
    return passed_if(span.high - span.low <= _WARM_SPAN_CELSIUS, finding, *numbers, otherwise=Outcome.WARN)


def _throttled(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    if isinstance(sensed.throttled_s, Unknown):
        return unknown(sensed.throttled_s.unknown)
    finding = f"throttled for {sensed.throttled_s:g} s"
    return passed_if(sensed.throttled_s == 0, finding, compared("throttled", sensed.throttled_s, "s"))


def _link(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    before, after = sensed.link_before, sensed.link_after
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return unknown("the link was not read before and after")
    numbers = (compared("before", before), compared("after", after))
    return passed(before, *numbers) if before == after else Verdict(Outcome.FAIL, f"{before}, then {after}", numbers)


RULES = (
    Rule(
        name="device.bytes",
        judge=_bytes,
        meaning={
            Outcome.PASS: "what fio counted reached the device",
            Outcome.FAIL: "something else answered: a cache of the host or file system, a hole in a sparse file, or compression",
            Outcome.UNKNOWN: "whether all I/O reached the device is not known",
        },
        mend="write the file whole before reading it; use a file system that honours `direct=1`, or the device itself",
    ),
    Rule(
        name="device.other_io",
        judge=_other_io,
        meaning={
            Outcome.PASS: "nothing else used the device",
            Outcome.WARN: "somebody else used the device: the numbers are too low, the latencies too high",
            Outcome.UNKNOWN: "whether anything else used the device is not known",
        },
        mend="stop what uses the device (`iotop`, `lsof`), or measure one that holds nothing else",
    ),
    Rule(
        name="device.temperature",
        judge=_temperature,
        meaning={
            Outcome.PASS: "the drive kept its temperature",
            Outcome.WARN: "the drive warmed up a good deal: the end of the step is not comparable with its beginning",
            Outcome.UNKNOWN: "whether the drive got hot is not known",
        },
        mend="watch the temperature beside the run (`nvme smart-log`, `smartctl`); cool the drive, and measure it warm",
    ),
    Rule(
        name="device.throttled",
        judge=_throttled,
        meaning={
            Outcome.PASS: "the drive did not slow itself down",
            Outcome.FAIL: "the drive slowed itself down: the numbers are those of its cooling",
            Outcome.UNKNOWN: "whether the drive slowed itself down is not known",
        },
        mend="watch the temperature beside the run (`nvme smart-log`, `smartctl`), and cool the drive",
    ),
    Rule(
        name="device.link",
        judge=_link,
        meaning={
            Outcome.PASS: "the link was the same at the end",
            Outcome.FAIL: "the link changed: the numbers are those of two links",
            Outcome.UNKNOWN: "a slower link would have gone unseen",
        },
        mend="read the link before and after (`lspci -vv`); where it changed, look at `dmesg`, reseat the drive, switch ASPM off",
    ),
)
