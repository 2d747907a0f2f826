"""Checks of the instrument: fio's version, and whether it did what it was asked."""

from ssdlab.analysis.audit.facts import ATTAINED, Attained, Facts, Origin, OwnLoad, OwnWriter, VirtualTime
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_known_setup,
    not_applicable,
    passed,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.setup import FLAGS, FLUSHES, ORDERS, EngineSetup, Flag, Flushes, Order, setup_of_job
from ssdlab.bundle.model import Compared, Outcome
from ssdlab.engine.fio.binary import SQPOLL_SINCE, FioVersion
from ssdlab.engine.result import LatencyKind
from ssdlab.host.settings import WANTED, Knob
from ssdlab.message import Message, Value, message, number, size
from ssdlab.units import NS_PER_MS, NS_PER_US
from ssdlab.unknown import Unknown

_PATH_OPTIONS = frozenset(
    {"ioengine=io_uring", "ioengine=libaio", "hipri", "sqthread_poll", "registerfiles", "fixedbufs"}
)
"""Options that save host time on each I/O, together some ten microseconds."""
_PATH_COST_NS = 10 * NS_PER_US
_PATH_SHARE = 0.10
"""They matter once that is more than this share of the mean latency."""
_LOG_OPTIONS = frozenset({"log_window_value=both", "log_hist_msec=100"})
"""Options that change what is recorded, not what is measured."""
_STEADY_BROKEN_SINCE = FioVersion(3, 35)
"""Commit 90e678ba: sums of squares in 32 bits."""
_STEADY_SAMPLES_MAX = 1024
"""Above it they overflow."""


def _no_fio(engine: VirtualTime | OwnWriter | OwnLoad) -> Message:
    match engine:
        case VirtualTime(name):
            return message("audit-virtual-no-fio", engine=name)
        case OwnWriter(name):
            return message("audit-own-writer", engine=name)
        case OwnLoad(name):
            return message("audit-own-load", engine=name)


def _version(facts: Facts) -> RuleResult:
    engine, setup = facts.engine, facts.setup
    if isinstance(engine, VirtualTime | OwnWriter | OwnLoad):
        return not_applicable(_no_fio(engine))
    if isinstance(engine, Unknown):
        return unknown(engine)
    if isinstance(setup, Unknown):
        return unknown(setup)
    polled = setup.sqpoll
    if polled is Flag.UNSAID:
        polled = _sqpoll_from_latencies(facts, setup)
    numbers = (compared("version", str(engine)), compared("sqthread_poll", polled.value))
    if polled is Flag.UNSAID and engine < SQPOLL_SINCE:
        return RuleResult(Outcome.UNKNOWN, message("audit-fio-maybe-polling", version=str(engine)), numbers)
    finding = message("audit-fio-and-polling", version=str(engine), polled=FLAGS[polled])
    return passed_if(polled is not Flag.ON or engine >= SQPOLL_SINCE, finding, *numbers)


def _sqpoll_from_latencies(facts: Facts, setup: EngineSetup) -> Flag:
    """fio measures no submission latency while the kernel polls; engines other than io_uring never do that."""
    if setup.ioengine not in {"io_uring", "io_uring_cmd"}:
        return Flag.OFF
    measured = any(not isinstance(one.submission, Unknown) for one in facts.directions.values())
    return Flag.OFF if measured else Flag.UNSAID


def _steady_state(facts: Facts) -> RuleResult:
    claim, engine = facts.steady, facts.engine
    if claim is None:
        return not_applicable(message("audit-no-steady-state-asked"))
    if isinstance(claim.window_samples, Unknown):
        return unknown(claim.window_samples)
    samples = claim.window_samples
    numbers = (compared("window", samples, "samples"), compared("outcome", claim.outcome.value))
    finding = message("audit-steady-window", outcome=ATTAINED[claim.outcome], samples=number(samples, "g"))
    if isinstance(engine, FioVersion) and engine >= _STEADY_BROKEN_SINCE and samples > _STEADY_SAMPLES_MAX:
        overflowed = message("audit-steady-window-of-fio", claim=finding, version=str(engine))
        return RuleResult(Outcome.FAIL, overflowed, numbers)
    return passed_if(claim.outcome is Attained.YES, finding, *numbers, otherwise=Outcome.WARN)


def _polling(facts: Facts, setup: EngineSetup) -> RuleResult:
    if setup.polled is not Flag.ON:
        return not_applicable(message("audit-no-hipri"))
    if setup.writes and setup.flushes is not Flushes.NONE:
        return RuleResult(Outcome.FAIL, message("audit-hipri-and-flushes"))
    host = facts.host
    known = [] if isinstance(host, Unknown) else [one.after for one in host.applied if one.knob is Knob.IO_POLL]
    if known == [WANTED[Knob.IO_POLL]]:
        return passed(message("audit-queues-to-poll", io_poll=WANTED[Knob.IO_POLL]))
    return unknown(message("audit-queues-to-poll-unknown"))


def _group_rates(facts: Facts) -> RuleResult:
    setup = facts.setup
    if facts.origin is Origin.LAB:
        return not_applicable(message("audit-no-group-rates"))
    if isinstance(setup, Unknown) or isinstance(setup.jobs, Unknown):
        return unknown(message("audit-jobs-of-entry-unknown"))
    if setup.jobs == 1 or setup.grouped is not Flag.ON:
        return not_applicable(message("audit-one-job-an-entry"))
    return RuleResult(
        Outcome.WARN,
        message("audit-group-rates", jobs=setup.jobs),
        (compared("jobs", setup.jobs),),
    )


def _dropped(facts: Facts) -> RuleResult:
    dropped = facts.dropped
    if isinstance(dropped, Unknown):
        return not_applicable(dropped)
    if not dropped:
        return passed(message("audit-none-dropped"))
    finding = together(*(message("audit-dropped", option=one.option, why=one.reason) for one in dropped))
    harmless = all(
        one.option in _LOG_OPTIONS or (one.option in _PATH_OPTIONS and _path_cost_is_small(facts)) for one in dropped
    )
    return passed_if(harmless, finding, compared("dropped", len(dropped)), otherwise=Outcome.WARN)


def _path_cost_is_small(facts: Facts) -> bool:
    """Whether the host's ten microseconds vanish in the latency of every direction; where nothing was done they are in none."""
    if not facts.directions:
        return True
    means = [
        one.latency[LatencyKind.LAT].mean_ns for one in facts.directions.values() if LatencyKind.LAT in one.latency
    ]
    return bool(means) and _PATH_SHARE * min(means) >= _PATH_COST_NS


def _as_asked(facts: Facts) -> RuleResult:
    """The plan's job against the options in fio's JSON."""
    if isinstance(facts.asked, Unknown) or isinstance(facts.engine, VirtualTime | OwnWriter | OwnLoad):
        return not_applicable(message("audit-no-plan"))
    if isinstance(facts.setup, Unknown):
        return unknown(facts.setup)
    done, plan = facts.setup, setup_of_job(facts.asked, facts.setup.ioengine)
    pairs = {
        "bs": (plan.block_bytes, done.block_bytes),
        "iodepth": (plan.queue_depth, done.queue_depth),
        "numjobs": (plan.jobs, done.jobs),
        "order": (plan.order, done.order),
        "offset": (plan.offset_bytes, done.offset_bytes),
        "runtime": (_whole_ms(plan.duration_ns), _whole_ms(done.duration_ns)),
        "ramp_time": (_whole_ms(plan.ramp_ns), _whole_ms(done.ramp_ns)),
        "sync": (plan.flushes, done.flushes),
    }
    recorded = () if isinstance(facts.dropped, Unknown) else facts.dropped
    for dropped in recorded:
        pairs.pop(dropped.option.partition("=")[0], None)
    different = [
        message("audit-not-as-asked", option=name, asked=_shown(asked), done=_shown(was))
        for name, (asked, was) in pairs.items()
        if asked != was
    ]
    numbers = _depths(plan, done)
    return passed_if(not different, together(*different) if different else _load(done), *numbers)


def _whole_ms(duration_ns: int | Unknown | None) -> int | Unknown | None:
    """fio is told durations in milliseconds."""
    return duration_ns // NS_PER_MS if isinstance(duration_ns, int) else duration_ns


def _depths(plan: EngineSetup, done: EngineSetup) -> tuple[Compared, ...]:
    return (
        compared("queue_depth_asked", plan.queue_depth),
        compared("queue_depth_done", done.queue_depth),
        *(() if isinstance(done.block_bytes, Unknown) else (compared("block_done", done.block_bytes, "B"),)),
    )


def _shown(option: int | Order | Flushes | Unknown | None) -> Value:
    match option:
        case Unknown():
            return message("audit-option-unknown", why=option.reason)
        case Order():
            return ORDERS[option]
        case Flushes():
            return FLUSHES[option]
        case None:
            return message("audit-option-absent")
        case int():
            return option


def _load(done: EngineSetup) -> Message:
    block = message("audit-several-block-sizes") if isinstance(done.block_bytes, Unknown) else size(done.block_bytes)
    order = message("audit-order-unknown") if isinstance(done.order, Unknown) else ORDERS[done.order]
    return message("audit-load", block=block, queue_depth=done.queue_depth, order=order)


RULES = (
    AuditRule(
        name="fio.version",
        judge=_version,
        meaning={
            Outcome.PASS: message("audit-fio-version-pass"),
            Outcome.FAIL: message("audit-fio-version-fail"),
            Outcome.UNKNOWN: message("audit-fio-version-unknown"),
        },
        remedy=message("audit-fio-version-remedy"),
    ),
    AuditRule(
        name="fio.steady_state",
        judge=_steady_state,
        meaning={
            Outcome.PASS: message("audit-fio-steady-state-pass"),
            Outcome.WARN: message("audit-fio-steady-state-warn"),
            Outcome.FAIL: message("audit-fio-steady-state-fail"),
            Outcome.UNKNOWN: message("audit-fio-steady-state-unknown"),
        },
        remedy=message("audit-fio-steady-state-remedy"),
    ),
    AuditRule(
        name="fio.polling",
        judge=for_known_setup(_polling),
        meaning={
            Outcome.PASS: message("audit-fio-polling-pass"),
            Outcome.FAIL: message("audit-fio-polling-fail"),
            Outcome.UNKNOWN: message("audit-fio-polling-unknown"),
        },
        remedy=message("audit-fio-polling-remedy"),
    ),
    AuditRule(
        name="fio.group_rates",
        judge=_group_rates,
        meaning={
            Outcome.WARN: message("audit-fio-group-rates-warn"),
            Outcome.UNKNOWN: message("audit-fio-group-rates-unknown"),
        },
        remedy=message("audit-fio-group-rates-remedy"),
    ),
    AuditRule(
        name="options.dropped",
        judge=_dropped,
        meaning={
            Outcome.PASS: message("audit-options-dropped-pass"),
            Outcome.WARN: message("audit-options-dropped-warn"),
        },
        remedy=message("audit-options-dropped-remedy"),
    ),
    AuditRule(
        name="options.as_asked",
        judge=_as_asked,
        meaning={
            Outcome.PASS: message("audit-options-as-asked-pass"),
            Outcome.FAIL: message("audit-options-as-asked-fail"),
            Outcome.UNKNOWN: message("audit-options-as-asked-unknown"),
        },
        remedy=message("audit-options-as-asked-remedy"),
    ),
)
