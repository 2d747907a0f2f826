"""Checks against what kernel and drive say themselves: bytes, other I/O, heat, link."""

from ssdlab.analysis.audit.facts import Facts, Origin, StepSensors, VirtualTime
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    not_applicable,
    passed,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.setup import HostCache
from ssdlab.bundle.model import Compared, Outcome
from ssdlab.engine.result import DeviceTraffic, Direction
from ssdlab.message import Message, message, number, size, verbatim
from ssdlab.units import MIB, NS_PER_MS
from ssdlab.unknown import Unknown

_SHARE = 0.01
_COUNT_SHARE = 0.5
"""Where only I/Os are counted: a file system merges and splits them."""
_METADATA_BYTES = MIB
"""What a file system writes beside the data of one file."""
_WARM_SPAN_CELSIUS = 20.0
_LAST_LOOK_NS = 250 * NS_PER_MS
"""How long before a job's end fio may have looked at the kernel's counters for the last time (`DISK_UTIL_MSEC`); fio 3.41 does not look
again at the end."""
_MOVED = (Direction.READ, Direction.WRITE)

KERNEL_LOG = "device.kernel_log"
"""The one check whose finding repeats a line of the kernel's."""


def _traffic(facts: Facts) -> DeviceTraffic | RuleResult:
    """What the kernel counted, or why there is no such thing."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-device"))
    if not isinstance(facts.setup, Unknown) and facts.setup.host_cache is HostCache.NONE:
        return not_applicable(message("audit-no-block-device", ioengine=facts.setup.ioengine))
    return unknown(facts.device) if isinstance(facts.device, Unknown) else facts.device


def _bytes(facts: Facts) -> RuleResult:
    """Everything fio says it moved must have reached the device; what more there was is another check's."""
    device = _traffic(facts)
    if isinstance(device, RuleResult):
        return device
    missing, unseen, numbers, findings = False, False, list[Compared](), list[Message]()
    late = _LAST_LOOK_NS / max(1, facts.runtime_ns) if facts.origin is Origin.FOREIGN else 0.0
    for direction, one in (*facts.directions.items(), *facts.beside.items()):
        if direction not in _MOVED:
            continue
        if isinstance(device.moved_bytes, Unknown):
            count = device.io_count.get(direction, 0)
            missing = missing or count < _COUNT_SHARE * one.io_count
            numbers += [compared(f"{direction.value}.fio", one.io_count), compared(f"{direction.value}.kernel", count)]
            found = message(
                "audit-device-ios", ios=number(one.io_count), device=device.device, kernel_ios=number(count)
            )
        else:
            moved = device.moved_bytes.get(direction, 0)
            missing = missing or moved < (1 - _SHARE - late) * one.io_bytes
            unseen = unseen or moved < (1 - _SHARE) * one.io_bytes
            numbers += [
                compared(f"{direction.value}.fio", one.io_bytes, "B"),
                compared(f"{direction.value}.kernel", moved, "B"),
            ]
            found = message("audit-device-moved", moved=size(one.io_bytes), device=device.device, kernel=size(moved))
        findings.append(message("audit-of-direction", direction=direction.value, finding=found))
    if not findings:
        return not_applicable(message("audit-neither-read-nor-written"))
    if unseen and not missing:
        return unknown(message("audit-device-last-look", finding=together(*findings)))
    return passed_if(not missing, together(*findings), *numbers)


def _other_io(facts: Facts) -> RuleResult:
    """What the device did beyond fio's; the ramp, which fio does not count, hides it in the directions of the job."""
    device = _traffic(facts)
    if isinstance(device, RuleResult):
        return device
    if isinstance(device.moved_bytes, Unknown):
        return unknown(device.moved_bytes)
    ramp = isinstance(facts.setup, Unknown) or facts.setup.ramp_ns != 0
    extra_bytes = 0
    for direction in _MOVED:
        own = facts.directions.get(direction) or facts.beside.get(direction)
        if own is None or not ramp:
            extra_bytes += max(0, device.moved_bytes.get(direction, 0) - (0 if own is None else own.io_bytes))
    finding = message("audit-other-io", device=device.device, other=size(extra_bytes), job=size(facts.io_bytes))
    if ramp:
        finding = message("audit-other-io-but-ramp", other_io=finding)
    numbers = (compared("other", extra_bytes, "B"), compared("job", facts.io_bytes, "B"))
    quiet = extra_bytes <= _SHARE * facts.io_bytes + _METADATA_BYTES
    return passed_if(quiet, finding, *numbers, otherwise=Outcome.WARN)


def _sensed(facts: Facts) -> StepSensors | RuleResult:
    return _not_told(facts, facts.sensed) if isinstance(facts.sensed, Unknown) else facts.sensed


def _not_told(facts: Facts, why: Unknown) -> RuleResult:
    """A drive that is none of this host's has no sensor that could have told."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual", why=why.reason))
    if not isinstance(facts.setup, Unknown) and facts.setup.ioengine in {"nbd", "null"}:
        return not_applicable(message("audit-ioengine", ioengine=facts.setup.ioengine, why=why.reason))
    return unknown(why)


def _temperature(facts: Facts) -> RuleResult:
    sensed = _sensed(facts)
    if isinstance(sensed, RuleResult):
        return sensed
    span = sensed.temperature_celsius
    if isinstance(span, Unknown):
        return _not_told(facts, span)
    finding = message("audit-temperatures", low=number(span.low, ".0f"), high=number(span.high, ".0f"))
    numbers = (compared("low", span.low, "°C"), compared("high", span.high, "°C"))
    return passed_if(span.high - span.low <= _WARM_SPAN_CELSIUS, finding, *numbers, otherwise=Outcome.WARN)


def _throttled(facts: Facts) -> RuleResult:
    sensed = _sensed(facts)
    if isinstance(sensed, RuleResult):
        return sensed
    if isinstance(sensed.throttled_s, Unknown):
        return _not_told(facts, sensed.throttled_s)
    finding = message("audit-throttled", seconds=number(sensed.throttled_s, ".3g"))
    return passed_if(sensed.throttled_s == 0, finding, compared("throttled", sensed.throttled_s, "s"))


def _link(facts: Facts) -> RuleResult:
    sensed = _sensed(facts)
    if isinstance(sensed, RuleResult):
        return sensed
    before, after = sensed.link_before, sensed.link_after
    if isinstance(before, Unknown):
        return _not_told(facts, before)
    if isinstance(after, Unknown):
        return _not_told(facts, after)
    numbers = (compared("before", before), compared("after", after))
    if before == after:
        return passed(verbatim(before), *numbers)
    return RuleResult(Outcome.FAIL, message("audit-link-changed", before=before, after=after), numbers)


def _error_log(facts: Facts) -> RuleResult:
    sensed = _sensed(facts)
    if isinstance(sensed, RuleResult):
        return sensed
    if isinstance(sensed.errors_logged, Unknown):
        return _not_told(facts, sensed.errors_logged)
    numbers = (compared("entries", sensed.errors_logged),)
    finding = message("audit-new-entries", count=number(sensed.errors_logged, ".0f"))
    return passed_if(sensed.errors_logged == 0, finding, *numbers, otherwise=Outcome.WARN)


def _kernel_log(facts: Facts) -> RuleResult:
    sensed = _sensed(facts)
    if isinstance(sensed, RuleResult):
        return sensed
    if isinstance(sensed.messages, Unknown):
        return _not_told(facts, sensed.messages)
    if not sensed.messages:
        return passed(message("audit-no-kernel-line"))
    finding = message("audit-kernel-lines", line=sensed.messages[0], more=len(sensed.messages) - 1)
    return RuleResult(Outcome.WARN, finding, (compared("lines", len(sensed.messages)),))


RULES = (
    AuditRule(
        name="device.bytes",
        judge=_bytes,
        meaning={
            Outcome.PASS: message("audit-device-bytes-pass"),
            Outcome.FAIL: message("audit-device-bytes-fail"),
            Outcome.UNKNOWN: message("audit-device-bytes-unknown"),
        },
        remedy=message("audit-device-bytes-remedy"),
    ),
    AuditRule(
        name="device.other_io",
        judge=_other_io,
        meaning={
            Outcome.PASS: message("audit-device-other-io-pass"),
            Outcome.WARN: message("audit-device-other-io-warn"),
            Outcome.UNKNOWN: message("audit-device-other-io-unknown"),
        },
        remedy=message("audit-device-other-io-remedy"),
    ),
    AuditRule(
        name="device.temperature",
        judge=_temperature,
        meaning={
            Outcome.PASS: message("audit-device-temperature-pass"),
            Outcome.WARN: message("audit-device-temperature-warn"),
            Outcome.UNKNOWN: message("audit-device-temperature-unknown"),
        },
        remedy=message("audit-device-temperature-remedy"),
    ),
    AuditRule(
        name="device.throttled",
        judge=_throttled,
        meaning={
            Outcome.PASS: message("audit-device-throttled-pass"),
            Outcome.FAIL: message("audit-device-throttled-fail"),
            Outcome.UNKNOWN: message("audit-device-throttled-unknown"),
        },
        remedy=message("audit-device-throttled-remedy"),
    ),
    AuditRule(
        name="device.link",
        judge=_link,
        meaning={
            Outcome.PASS: message("audit-device-link-pass"),
            Outcome.FAIL: message("audit-device-link-fail"),
            Outcome.UNKNOWN: message("audit-device-link-unknown"),
        },
        remedy=message("audit-device-link-remedy"),
    ),
    AuditRule(
        name="device.error_log",
        judge=_error_log,
        meaning={
            Outcome.PASS: message("audit-device-error-log-pass"),
            Outcome.WARN: message("audit-device-error-log-warn"),
            Outcome.UNKNOWN: message("audit-device-error-log-unknown"),
        },
        remedy=message("audit-device-error-log-remedy"),
    ),
    AuditRule(
        name=KERNEL_LOG,
        judge=_kernel_log,
        meaning={
            Outcome.PASS: message("audit-device-kernel-log-pass"),
            Outcome.WARN: message("audit-device-kernel-log-warn"),
            Outcome.UNKNOWN: message("audit-device-kernel-log-unknown"),
        },
        remedy=message("audit-device-kernel-log-remedy"),
    ),
)
