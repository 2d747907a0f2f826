"""Checks of the host: processor, page cache, clocks, and gaps in what was recorded over time."""

import numpy as np

from ssdlab.analysis.audit.facts import Facts, OwnLoad, VirtualTime
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_each_direction,
    not_applicable,
    passed,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.setup import Flushes, HostCache
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction
from ssdlab.engine.standstill import standstill_words
from ssdlab.host.findings import aspm_words, link_finding
from ssdlab.host.link import LinkVerdict
from ssdlab.host.settings import Knob
from ssdlab.host.tune import Applied, SetOutcome, Tuning
from ssdlab.message import Message, commas, duration, message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_CPU_BUSY_PERCENT = 90.0
_LATE_SHARE = 0.01
_OVERHEAD_NS = 30 * NS_PER_S
"""What starting fio and laying out its files may take on a slow host."""


UNINTERRUPTED = "host.uninterrupted"
"""Where it failed the numbers are not those of the drive, and no ranking has them."""


def cpu_headroom(facts: Facts) -> RuleResult:
    """Whether the host had processor time to spare."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-processor"))
    if isinstance(facts.busy_percent, Unknown):
        return unknown(facts.busy_percent)
    if isinstance(facts.engine, OwnLoad):
        return _one_thread(facts.busy_percent)
    busy, cores = facts.busy_percent, facts.cpu_count
    jobs = 1 if isinstance(facts.setup, Unknown) or isinstance(facts.setup.jobs, Unknown) else facts.setup.jobs
    numbers = [compared("busy", busy, "%"), compared("jobs", jobs)]
    saturated = busy >= _CPU_BUSY_PERCENT
    if isinstance(cores, Unknown):
        finding = message("audit-processor-of-unknown", busy=number(busy, ".0f"), jobs=jobs)
    else:
        finding = message("audit-processor", busy=number(busy, ".0f"), jobs=jobs, cores=cores)
        numbers.append(compared("cores", cores))
        saturated = saturated or busy * jobs >= _CPU_BUSY_PERCENT * cores
    return passed_if(not saturated, finding, *numbers, otherwise=Outcome.WARN)


def _one_thread(busy_percent: float) -> RuleResult:
    """One thread does the I/O of all jobs, so only its own core can be too slow."""
    finding = message("audit-processor-of-thread", busy=number(busy_percent, ".0f"))
    busy = compared("busy", busy_percent, "%")
    return passed_if(busy_percent < _CPU_BUSY_PERCENT, finding, busy, otherwise=Outcome.WARN)


def _page_cache(facts: Facts) -> RuleResult:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-host-memory"))
    if isinstance(setup, Unknown):
        return unknown(setup)
    direct = "1" if setup.host_cache is HostCache.BYPASSED else "0"
    finding = message("audit-direct", direct=direct, ioengine=setup.ioengine)
    match setup.host_cache:
        case HostCache.NONE:
            return not_applicable(message("audit-no-page-cache", ioengine=setup.ioengine))
        case HostCache.BYPASSED:
            return passed(finding)
        case HostCache.USED if setup.flushes is not Flushes.NONE and setup.writes and not setup.reads:
            return RuleResult(
                Outcome.WARN, message("audit-direct-with-flushes", direct=direct, ioengine=setup.ioengine)
            )
        case HostCache.USED:
            return RuleResult(Outcome.FAIL, finding)


def _windows_regular(facts: Facts, direction: Direction) -> RuleResult:
    """Windows end with a completion, so one that lasts twice as long is a time in which nothing completed.

    The last window is left out: it ends with the job and takes in what was in flight when fio stopped logging.
    """
    one = facts.directions[direction]
    windows = one.windows
    if isinstance(windows, Unknown):
        return not_applicable(windows)
    if not len(windows.end_ns):
        return RuleResult(Outcome.FAIL, message("audit-no-windows"))
    inner_ns = windows.duration_ns[:-1]
    long_ns = inner_ns[inner_ns > 2 * windows.window_ns]
    missing_ns = one.runtime_ns - int(windows.end_ns[-1])
    finding = message("audit-windows", count=len(windows.end_ns), length=duration(windows.window_ns), long=len(long_ns))
    numbers = (
        compared("windows", len(windows.end_ns)),
        compared("window", windows.window_ns, "ns"),
        compared("long_windows", len(long_ns)),
        compared("longest", int(inner_ns.max(initial=0)), "ns"),
        compared("missing_at_end", missing_ns, "ns"),
    )
    if len(long_ns):
        longest, total = duration(int(long_ns.max())), duration(int(long_ns.sum()))
        finding = message("audit-long-windows", windows=finding, longest=longest, total=total)
    if np.any(windows.duration_ns < 0):
        return RuleResult(Outcome.FAIL, together(finding, message("audit-windows-overlap")), numbers)
    if missing_ns > max(_LATE_SHARE * one.runtime_ns, 2 * windows.window_ns):
        missing = message("audit-end-missing", missing=duration(missing_ns))
        return RuleResult(Outcome.FAIL, together(finding, missing), numbers)
    empty = int(np.count_nonzero(windows.duration_ns == 0))
    if empty:
        finding = together(finding, message("audit-windows-empty", count=empty))
    return passed_if(not len(long_ns) and not empty, finding, *numbers, otherwise=Outcome.WARN)


def _clocks_agree(facts: Facts) -> RuleResult:
    """The engine's clock against another; a suspended host stops one of them."""
    elapsed_ns, outside_ns = facts.elapsed_ns, facts.outside_ns
    if isinstance(outside_ns, Unknown):
        return unknown(outside_ns)
    if isinstance(elapsed_ns, Unknown):
        return unknown(elapsed_ns)
    numbers = (compared("job", elapsed_ns, "ns"), compared("step", outside_ns, "ns"))
    finding = message("audit-clocks", job=duration(elapsed_ns), step=duration(outside_ns))
    rounding_ns = _LATE_SHARE * elapsed_ns + 0.1 * NS_PER_S
    agree = -rounding_ns <= outside_ns - elapsed_ns <= _OVERHEAD_NS + _LATE_SHARE * elapsed_ns
    return passed_if(agree, finding, *numbers, otherwise=Outcome.WARN)


def _uninterrupted(facts: Facts) -> RuleResult:
    """A drive that stalls is none of it: only clocks and processes of the host are evidence."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-host"))
    if isinstance(facts.standstills, Unknown):
        return unknown(facts.standstills)
    lost_ns = sum(one.duration_ns for one in facts.standstills)
    numbers = (compared("stood_still", lost_ns, "ns"),)
    if not facts.standstills:
        return passed(message("audit-no-standstill"), *numbers)
    return RuleResult(Outcome.FAIL, standstill_words(facts.standstills), numbers)


def _host_of_drive(facts: Facts) -> Tuning | RuleResult:
    """How the host was set up that the drive is attached to, or why there is nothing to check."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-host"))
    if not isinstance(facts.setup, Unknown) and facts.setup.host_cache is HostCache.NONE:
        return not_applicable(message("audit-no-block-device", ioengine=facts.setup.ioengine))
    if isinstance(facts.host, Unknown):
        return unknown(facts.host)
    attachment = facts.host.found.attachment
    return not_applicable(attachment) if isinstance(attachment, Unknown) else facts.host


def _host_of_link(facts: Facts) -> Tuning | RuleResult:
    """The same of a drive that has a link."""
    host = _host_of_drive(facts)
    if isinstance(host, RuleResult) or isinstance(host.found.attachment, Unknown):
        return host
    link = host.found.attachment.link
    return not_applicable(link) if isinstance(link, Unknown) else host


def _settings(facts: Facts) -> RuleResult:
    """Polling is left to `options.dropped`, which sees what fio then could not do."""
    host = _host_of_drive(facts)
    if isinstance(host, RuleResult):
        return host
    applied = [one for one in host.applied if one.knob is not Knob.IO_POLL]
    wrong = [one for one in applied if one.outcome is SetOutcome.REFUSED]
    found = dict.fromkeys(_setting(one) for one in wrong or applied)
    finding = message("audit-settings", settings=commas(*found)) if found else message("audit-nothing-to-set")
    numbers = (compared("settings", len(applied)), compared("refused", len(wrong)))
    return passed_if(not wrong, finding, *numbers, otherwise=Outcome.WARN)


def _setting(applied: Applied) -> Message:
    after = message("audit-setting-unknown") if isinstance(applied.after, Unknown) else applied.after
    setting = message("audit-setting", knob=applied.knob.words, after=after)
    return message("audit-setting-because", setting=setting, why=applied.reason) if applied.reason else setting


def _link(facts: Facts) -> RuleResult:
    host = _host_of_link(facts)
    if isinstance(host, RuleResult):
        return host
    judged = link_finding(host.found)
    if isinstance(judged, Unknown):
        return unknown(judged)
    return passed_if(judged.verdict is LinkVerdict.BEST, judged.words, otherwise=Outcome.WARN)


def _power_saving(facts: Facts) -> RuleResult:
    host = _host_of_link(facts)
    if isinstance(host, RuleResult):
        return host
    states = aspm_words(host.found)
    if isinstance(states, Unknown):
        return unknown(states)
    if states is None:
        return passed(message("audit-power-saving-off"))
    return RuleResult(Outcome.WARN, message("audit-power-saving-states", states=states))


RULES = (
    AuditRule(
        name="host.cpu",
        judge=cpu_headroom,
        meaning={
            Outcome.PASS: message("audit-host-cpu-pass"),
            Outcome.WARN: message("audit-host-cpu-warn"),
            Outcome.UNKNOWN: message("audit-host-cpu-unknown"),
        },
        remedy=message("audit-host-cpu-remedy"),
    ),
    AuditRule(
        name="host.page_cache",
        judge=_page_cache,
        meaning={
            Outcome.PASS: message("audit-host-page-cache-pass"),
            Outcome.WARN: message("audit-host-page-cache-warn"),
            Outcome.FAIL: message("audit-host-page-cache-fail"),
            Outcome.UNKNOWN: message("audit-host-page-cache-unknown"),
        },
        remedy=message("audit-host-page-cache-remedy"),
    ),
    AuditRule(
        name="host.settings",
        judge=_settings,
        meaning={
            Outcome.PASS: message("audit-host-settings-pass"),
            Outcome.WARN: message("audit-host-settings-warn"),
            Outcome.UNKNOWN: message("audit-host-settings-unknown"),
        },
        remedy=message("audit-host-settings-remedy"),
    ),
    AuditRule(
        name="host.link",
        judge=_link,
        meaning={
            Outcome.PASS: message("audit-host-link-pass"),
            Outcome.WARN: message("audit-host-link-warn"),
            Outcome.UNKNOWN: message("audit-host-link-unknown"),
        },
        remedy=message("audit-host-link-remedy"),
    ),
    AuditRule(
        name="host.power_saving",
        judge=_power_saving,
        meaning={
            Outcome.PASS: message("audit-host-power-saving-pass"),
            Outcome.WARN: message("audit-host-power-saving-warn"),
            Outcome.UNKNOWN: message("audit-host-power-saving-unknown"),
        },
        remedy=message("audit-host-power-saving-remedy"),
    ),
    AuditRule(
        name=UNINTERRUPTED,
        judge=_uninterrupted,
        meaning={
            Outcome.PASS: message("audit-host-uninterrupted-pass"),
            Outcome.FAIL: message("audit-host-uninterrupted-fail"),
            Outcome.UNKNOWN: message("audit-host-uninterrupted-unknown"),
        },
        remedy=message("audit-host-uninterrupted-remedy"),
    ),
    AuditRule(
        name="series.regular",
        judge=for_each_direction(_windows_regular),
        meaning={
            Outcome.PASS: message("audit-series-regular-pass"),
            Outcome.WARN: message("audit-series-regular-warn"),
            Outcome.FAIL: message("audit-series-regular-fail"),
        },
        remedy=message("audit-series-regular-remedy"),
    ),
    AuditRule(
        name="clock.agrees",
        judge=_clocks_agree,
        meaning={
            Outcome.PASS: message("audit-clock-agrees-pass"),
            Outcome.WARN: message("audit-clock-agrees-warn"),
            Outcome.UNKNOWN: message("audit-clock-agrees-unknown"),
        },
        remedy=message("audit-clock-agrees-remedy"),
    ),
)
