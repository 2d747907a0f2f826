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
    return _not_told(facts, facts.sensed) if isinstance(facts.sensed, Unknown) else facts.sensed


def _not_told(facts: Facts, why: Unknown) -> Verdict:
    """A drive that is none of this host's has no sensor that could have told."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(f"virtual time: {why.unknown}")
    if not isinstance(facts.setup, Unknown) and facts.setup.ioengine in {"nbd", "null"}:
        return not_applicable(f"ioengine={facts.setup.ioengine}: {why.unknown}")
    return unknown(why.unknown)


def _temperature(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    span = sensed.temperature_celsius
    if isinstance(span, Unknown):
        return _not_told(facts, span)
    finding = f"{span.low:.0f} to {span.high:.0f} °C"
    numbers = (compared("low", span.low, "°C"), compared("high", span.high, "°C"))
    return passed_if(span.high - span.low <= _WARM_SPAN_CELSIUS, finding, *numbers, otherwise=Outcome.WARN)


def _throttled(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    if isinstance(sensed.throttled_s, Unknown):
        return _not_told(facts, sensed.throttled_s)
    finding = f"throttled for {sensed.throttled_s:.3g} s"
    return passed_if(sensed.throttled_s == 0, finding, compared("throttled", sensed.throttled_s, "s"))


def _link(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    before, after = sensed.link_before, sensed.link_after
    if isinstance(before, Unknown):
        return _not_told(facts, before)
    if isinstance(after, Unknown):
        return _not_told(facts, after)
    numbers = (compared("before", before), compared("after", after))
    return passed(before, *numbers) if before == after else Verdict(Outcome.FAIL, f"{before}, then {after}", numbers)


def _error_log(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    if isinstance(sensed.errors_logged, Unknown):
        return _not_told(facts, sensed.errors_logged)
    numbers = (compared("entries", sensed.errors_logged),)
    finding = f"{sensed.errors_logged:.0f} new entries"
    return passed_if(sensed.errors_logged == 0, finding, *numbers, otherwise=Outcome.WARN)


def _kernel_log(facts: Facts) -> Verdict:
    sensed = _sensed(facts)
    if isinstance(sensed, Verdict):
        return sensed
    if isinstance(sensed.messages, Unknown):
        return _not_told(facts, sensed.messages)
    if not sensed.messages:
        return passed("no line names the drive")
    more = f" and {len(sensed.messages) - 1} more" if len(sensed.messages) > 1 else ""
    return Verdict(Outcome.WARN, f"{sensed.messages[0]}{more}", (compared("lines", len(sensed.messages)),))


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
        mend="cool the drive, and measure it warm; where it is not known, watch it beside the run (`nvme smart-log`, `smartctl`)",
    ),
    Rule(
        name="device.throttled",
        judge=_throttled,
        meaning={
            Outcome.PASS: "the drive did not slow itself down",
            Outcome.FAIL: "the drive slowed itself down: the numbers are those of its cooling",
            Outcome.UNKNOWN: "whether the drive slowed itself down is not known",
        },
        mend="cool the drive; where it is not known, watch the temperature beside the run (`nvme smart-log`, `smartctl`)",
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
    Rule(
        name="device.error_log",
        judge=_error_log,
        meaning={
            Outcome.PASS: "the drive logged no error",
            Outcome.WARN: "the drive logged errors: I/Os may have been repeated, or somebody asked it for what it cannot do",
            Outcome.UNKNOWN: "errors that the drive logged would have gone unseen",
        },
        mend="read the log (`nvme error-log`, `smartctl -l error`); stop other programs that ask the drive",
    ),
    Rule(
        name="device.kernel_log",
        judge=_kernel_log,
        meaning={
            Outcome.PASS: "the kernel had nothing to say of the drive",
            Outcome.WARN: "the kernel spoke of the drive: timeouts, resets and link errors cost time that is in the numbers",
            Outcome.UNKNOWN: "resets and timeouts of the drive would have gone unseen",
        },
        mend="look at the lines (`dmesg`); run as root if they cannot be read",
    ),
)
