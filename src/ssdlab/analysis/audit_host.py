"""Checks of the host: processor, page cache, clocks, and gaps in what was recorded over time."""

import numpy as np

from ssdlab.analysis.audit_facts import Facts, VirtualTime
from ssdlab.analysis.audit_setup import Flushes, HostCache
from ssdlab.analysis.verdict import (
    Rule,
    Verdict,
    compared,
    for_each_direction,
    not_applicable,
    passed,
    passed_if,
    unknown,
)
from ssdlab.bundle.model import Outcome
from ssdlab.drive.host_findings import ASPM_MEND, aspm_words, link_finding
from ssdlab.drive.host_settings import Knob
from ssdlab.drive.link import LinkVerdict
from ssdlab.drive.tune import Applied, SetOutcome
from ssdlab.engine.result import Direction
from ssdlab.units import NS_PER_S, format_duration
from ssdlab.unknown import Unknown

_CPU_BUSY_PERCENT = 90.0
_LATE_SHARE = 0.01
_OVERHEAD_NS = 30 * NS_PER_S
"""What starting fio and laying out its files may take on a slow host."""


def _cpu_headroom(facts: Facts) -> Verdict:
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: no processor is involved")
    if isinstance(facts.busy_percent, Unknown):
        return unknown(facts.busy_percent.unknown)
    busy, cores = facts.busy_percent, facts.cpu_count
    jobs = 1 if isinstance(facts.setup, Unknown) or isinstance(facts.setup.jobs, Unknown) else facts.setup.jobs
    finding = f"fio used {busy:.0f} % of a core (jobs: {jobs}), "
    numbers = [compared("busy", busy, "%"), compared("jobs", jobs)]
    saturated = busy >= _CPU_BUSY_PERCENT
    if isinstance(cores, Unknown):
        finding += "how many cores the host has is not known"
    else:
        finding += f"the host has {cores}"
        numbers.append(compared("cores", cores))
        saturated = saturated or busy * jobs >= _CPU_BUSY_PERCENT * cores
    return passed_if(not saturated, finding, *numbers, otherwise=Outcome.WARN)


def _page_cache(facts: Facts) -> Verdict:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: no memory of a host is involved")
    if isinstance(setup, Unknown):
        return unknown(setup.unknown)
    finding = f"direct={'1' if setup.host_cache is HostCache.BYPASSED else '0'}, ioengine={setup.ioengine}"
    match setup.host_cache:
        case HostCache.NONE:
            return not_applicable(f"ioengine={setup.ioengine} does not go through the page cache")
        case HostCache.BYPASSED:
            return passed(finding)
        case HostCache.USED if setup.flushes is not Flushes.NONE and setup.writes and not setup.reads:
            return Verdict(Outcome.WARN, f"{finding}, with flushes")
        case HostCache.USED:
            return Verdict(Outcome.FAIL, finding)


def _windows_regular(facts: Facts, direction: Direction) -> Verdict:
    """Windows end with a completion, so one that lasts twice as long is a time in which nothing completed.

    The last window is left out: it ends with the job and takes in what was in flight when fio stopped logging.
    """
    one = facts.directions[direction]
    windows = one.windows
    if isinstance(windows, Unknown):
        return not_applicable(windows.unknown)
    if not len(windows.end_ns):
        return Verdict(Outcome.FAIL, "there are no windows")
    inner_ns = windows.duration_ns[:-1]
    long_ns = inner_ns[inner_ns > 2 * windows.window_ns]
    missing_ns = one.runtime_ns - int(windows.end_ns[-1])
    finding = (
        f"{len(windows.end_ns)} windows of {format_duration(windows.window_ns)}, {len(long_ns)} over twice as long"
    )
    numbers = (
        compared("windows", len(windows.end_ns)),
        compared("window", windows.window_ns, "ns"),
        compared("long_windows", len(long_ns)),
        compared("longest", int(inner_ns.max(initial=0)), "ns"),
        compared("missing_at_end", missing_ns, "ns"),
    )
    if len(long_ns):
        finding += f" (the longest {format_duration(int(long_ns.max()))}, {format_duration(int(long_ns.sum()))} in all)"
    if np.any(windows.duration_ns < 0):
        return Verdict(Outcome.FAIL, f"{finding}; windows overlap", numbers)
    if missing_ns > max(_LATE_SHARE * one.runtime_ns, 2 * windows.window_ns):
        return Verdict(Outcome.FAIL, f"{finding}; the last {format_duration(missing_ns)} are missing", numbers)
    empty = int(np.count_nonzero(windows.duration_ns == 0))
    if empty:
        finding += f"; {empty} have no length: fio wrote their time twice"
    return passed_if(not len(long_ns) and not empty, finding, *numbers, otherwise=Outcome.WARN)


def _clocks_agree(facts: Facts) -> Verdict:
    """The engine's clock against another; a suspended host stops one of them."""
    elapsed_ns, outside_ns = facts.elapsed_ns, facts.outside_ns
    if isinstance(outside_ns, Unknown):
        return unknown(outside_ns.unknown)
    if isinstance(elapsed_ns, Unknown):
        return unknown(elapsed_ns.unknown)
    numbers = (compared("job", elapsed_ns, "ns"), compared("step", outside_ns, "ns"))
    finding = f"the job took {format_duration(elapsed_ns)}, the step {format_duration(outside_ns)}"
    rounding_ns = _LATE_SHARE * elapsed_ns + 0.1 * NS_PER_S
    agree = -rounding_ns <= outside_ns - elapsed_ns <= _OVERHEAD_NS + _LATE_SHARE * elapsed_ns
    return passed_if(agree, finding, *numbers, otherwise=Outcome.WARN)


def _no_drive(facts: Facts) -> Verdict | None:
    """Why there is nothing to check."""
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: no host is involved")
    if not isinstance(facts.setup, Unknown) and facts.setup.host_cache is HostCache.NONE:
        return not_applicable(f"ioengine={facts.setup.ioengine}: no block device of this host is involved")
    if isinstance(facts.host, Unknown):
        return unknown(facts.host.unknown)
    attachment = facts.host.found.attachment
    return not_applicable(attachment.unknown) if isinstance(attachment, Unknown) else None


def _no_link(facts: Facts) -> Verdict | None:
    if (verdict := _no_drive(facts)) is not None or isinstance(facts.host, Unknown):
        return verdict
    attachment = facts.host.found.attachment
    link = attachment if isinstance(attachment, Unknown) else attachment.link
    return not_applicable(link.unknown) if isinstance(link, Unknown) else None


def _settings(facts: Facts) -> Verdict:
    """Polling is left to `options.dropped`, which sees what fio then could not do."""
    if (verdict := _no_drive(facts)) is not None or isinstance(facts.host, Unknown):
        return verdict or unknown("")
    applied = [one for one in facts.host.applied if one.knob is not Knob.IO_POLL]
    wrong = [one for one in applied if one.outcome is SetOutcome.REFUSED]
    words = dict.fromkeys(_words(one) for one in wrong or applied)
    finding = ", ".join(words) or "the kernel offers nothing to set"
    numbers = (compared("settings", len(applied)), compared("refused", len(wrong)))
    return passed_if(not wrong, finding, *numbers, otherwise=Outcome.WARN)


def _words(one: Applied) -> str:
    after = "unknown" if isinstance(one.after, Unknown) else one.after
    return f"{one.knob.value} {after}" + (f" ({one.reason})" if one.reason else "")


def _link(facts: Facts) -> Verdict:
    if (verdict := _no_link(facts)) is not None or isinstance(facts.host, Unknown):
        return verdict or unknown("")
    judged = link_finding(facts.host.found)
    if isinstance(judged, Unknown):
        return unknown(judged.unknown)
    return passed_if(judged.verdict is LinkVerdict.BEST, judged.text, otherwise=Outcome.WARN)


def _power_saving(facts: Facts) -> Verdict:
    if (verdict := _no_link(facts)) is not None or isinstance(facts.host, Unknown):
        return verdict or unknown("")
    words = aspm_words(facts.host.found)
    if isinstance(words, Unknown):
        return unknown(words.unknown)
    return passed("off") if words is None else Verdict(Outcome.WARN, f"the link may enter {words}")


RULES = (
    Rule(
        name="host.cpu",
        judge=_cpu_headroom,
        meaning={
            Outcome.PASS: "the processor did not limit the drive",
            Outcome.WARN: "the host may have limited the drive: the numbers are a lower bound",
            Outcome.UNKNOWN: "whether the host limited the drive is not known",
        },
        mend="give the job more jobs on a host with more cores, or a larger block size; stop what else runs",
    ),
    Rule(
        name="host.page_cache",
        judge=_page_cache,
        meaning={
            Outcome.PASS: "the I/O went past the memory of the host",
            Outcome.WARN: "writes were collected in the host's memory and flushed: latencies are those of memory and flushes",
            Outcome.FAIL: "the numbers are those of the host's memory, and errors of the drive can have gone unseen",
            Outcome.UNKNOWN: "whether the host's memory answered in place of the drive is not known",
        },
        mend="measure with `direct=1`, which fio does not do by itself",
    ),
    Rule(
        name="host.settings",
        judge=_settings,
        meaning={
            Outcome.PASS: "governor, scheduler and queue were as the method wants them",
            Outcome.WARN: "the host was not as the method wants it: latencies are higher than those of the drive",
            Outcome.UNKNOWN: "what the host added to the latencies is not known",
        },
        mend="run as root, so that the settings can be made; `ssdlab doctor TARGET` says what else is in the way",
    ),
    Rule(
        name="host.link",
        judge=_link,
        meaning={
            Outcome.PASS: "the link was as fast and as wide as the drive can",
            Outcome.WARN: "the link was slower or narrower than the drive can: bandwidths may be those of the link",
            Outcome.UNKNOWN: "whether the link limited the drive is not known",
        },
        mend="put the drive into a slot as good as it is; reseat it where the slot is",
    ),
    Rule(
        name="host.power_saving",
        judge=_power_saving,
        meaning={
            Outcome.PASS: "the link was always awake",
            Outcome.WARN: "what came after a pause may have waited for the link to wake: latencies at a low QD are too high",
            Outcome.UNKNOWN: "whether the link slept between I/Os is not known",
        },
        mend=ASPM_MEND,
    ),
    Rule(
        name="series.regular",
        judge=for_each_direction(_windows_regular),
        meaning={
            Outcome.PASS: "the series has no gaps",
            Outcome.WARN: "the drive or the host stood still for a while: the series shows it as one long window",
            Outcome.FAIL: "a part of the job is not in the series: what is seen over time cannot be trusted",
        },
        mend="look at `dmesg` and the drive's temperature for the time of the gap, then measure again",
    ),
    Rule(
        name="clock.agrees",
        judge=_clocks_agree,
        meaning={
            Outcome.PASS: "the job took as long on the run's clock as on the engine's",
            Outcome.WARN: "one of the clocks stood still or the host was suspended: look at durations with care",
            Outcome.UNKNOWN: "durations cannot be checked against a second clock",
        },
        mend="keep the host from sleeping (`systemd-inhibit`), then measure again",
    ),
)
