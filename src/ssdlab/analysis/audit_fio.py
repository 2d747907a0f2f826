"""Checks of the instrument: fio's version, and whether it did what it was asked."""

from ssdlab.analysis.audit_facts import Attained, Facts, Origin, OwnWriter, VirtualTime
from ssdlab.analysis.audit_setup import Flag, Flushes, Order, Setup, setup_of_job
from ssdlab.analysis.verdict import Rule, Verdict, compared, for_known_setup, not_applicable, passed, passed_if, unknown
from ssdlab.bundle.model import Compared, Outcome
from ssdlab.drive.host_settings import WANTED, Knob
from ssdlab.engine.fio_binary import SQPOLL_SINCE, FioVersion
from ssdlab.engine.result import LatencyKind
from ssdlab.units import NS_PER_MS, NS_PER_US, format_bytes
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


def _version(facts: Facts) -> Verdict:
    engine, setup = facts.engine, facts.setup
    if isinstance(engine, VirtualTime):
        return not_applicable(f"{engine.name}: virtual time, no fio")
    if isinstance(engine, OwnWriter):
        return not_applicable(f"{engine.name}: ssdlab's own writer, no fio")
    if isinstance(engine, Unknown):
        return unknown(engine.unknown)
    if isinstance(setup, Unknown):
        return unknown(setup.unknown)
    polled = setup.sqpoll
    if polled is Flag.UNSAID:
        polled = _sqpoll_from_latencies(facts, setup)
    numbers = (compared("version", str(engine)), compared("sqthread_poll", polled.value))
    if polled is Flag.UNSAID and engine < SQPOLL_SINCE:
        return Verdict(
            Outcome.UNKNOWN,
            f"fio {engine}; it measured no submission latency, as with `sqthread_poll`, which the JSON would not name",
            numbers,
        )
    return passed_if(
        polled is not Flag.ON or engine >= SQPOLL_SINCE, f"fio {engine}, sqthread_poll {polled.value}", *numbers
    )


def _sqpoll_from_latencies(facts: Facts, setup: Setup) -> Flag:
    """fio measures no submission latency while the kernel polls; engines other than io_uring never do that."""
    if setup.ioengine not in {"io_uring", "io_uring_cmd"}:
        return Flag.OFF
    measured = any(not isinstance(one.submission, Unknown) for one in facts.directions.values())
    return Flag.OFF if measured else Flag.UNSAID


def _steady_state(facts: Facts) -> Verdict:
    claim, engine = facts.steady, facts.engine
    if claim is None:
        return not_applicable("fio was not asked to find a steady state")
    if isinstance(claim.window_samples, Unknown):
        return unknown(claim.window_samples.unknown)
    samples = claim.window_samples
    numbers = (compared("window", samples, "samples"), compared("outcome", claim.outcome.value))
    finding = f"{claim.outcome.value}, window of {samples:g} samples"
    if isinstance(engine, FioVersion) and engine >= _STEADY_BROKEN_SINCE and samples > _STEADY_SAMPLES_MAX:
        return Verdict(Outcome.FAIL, f"{finding} in fio {engine}", numbers)
    return passed_if(claim.outcome is Attained.YES, finding, *numbers, otherwise=Outcome.WARN)


def _polling(facts: Facts, setup: Setup) -> Verdict:
    if setup.polled is not Flag.ON:
        return not_applicable("`hipri` is not among the options")
    if setup.writes and setup.flushes is not Flushes.NONE:
        return Verdict(Outcome.FAIL, "`hipri` together with flushes, which a polled queue rejects and fio drops")
    host = facts.host
    known = [] if isinstance(host, Unknown) else [one.after for one in host.applied if one.knob is Knob.IO_POLL]
    if known == [WANTED[Knob.IO_POLL]]:
        return passed(f"the device has queues to poll: `queue/io_poll` was {WANTED[Knob.IO_POLL]} during the run")
    return unknown("`hipri` was asked for; whether the device has queues that can be polled was not recorded")


def _group_rates(facts: Facts) -> Verdict:
    setup = facts.setup
    if facts.origin is Origin.LAB:
        return not_applicable("no number of ours is made from fio's `bw_min`, `iops_stddev` and the like")
    if isinstance(setup, Unknown) or isinstance(setup.jobs, Unknown):
        return unknown("how many jobs stand behind an entry is not known")
    if setup.jobs == 1 or setup.grouped is not Flag.ON:
        return not_applicable("no entry of the JSON stands for several jobs")
    return Verdict(
        Outcome.WARN,
        f"{setup.jobs} jobs in one entry: `bw_min`, `bw_max`, `bw_dev`, `iops_min`, `iops_max`, `iops_stddev` are sums",
        (compared("jobs", setup.jobs),),
    )


def _dropped(facts: Facts) -> Verdict:
    dropped = facts.dropped
    if isinstance(dropped, Unknown):
        return not_applicable(dropped.unknown)
    if not dropped:
        return passed("none")
    finding = "; ".join(f"{one.option}: {one.reason}" for one in dropped)
    harmless = all(
        one.option in _LOG_OPTIONS or (one.option in _PATH_OPTIONS and _path_cost_is_small(facts)) for one in dropped
    )
    return passed_if(harmless, finding, compared("dropped", len(dropped)), otherwise=Outcome.WARN)


def _path_cost_is_small(facts: Facts) -> bool:
    """Whether the host's ten microseconds vanish in the latency of every direction."""
    means = [
        one.latency[LatencyKind.LAT].mean_ns for one in facts.directions.values() if LatencyKind.LAT in one.latency
    ]
    return bool(means) and _PATH_SHARE * min(means) >= _PATH_COST_NS


def _as_asked(facts: Facts) -> Verdict:
    """The plan's job against the options in fio's JSON."""
    if isinstance(facts.asked, Unknown) or isinstance(facts.engine, VirtualTime | OwnWriter):
        return not_applicable("no plan to hold fio's options against")
    if isinstance(facts.setup, Unknown):
        return unknown(facts.setup.unknown)
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
        f"{name}: {_word(asked)} asked, {_word(was)} done" for name, (asked, was) in pairs.items() if asked != was
    ]
    numbers = _depths(plan, done)
    return passed_if(not different, "; ".join(different) or _load_words(done), *numbers)


def _whole_ms(duration_ns: int | Unknown | None) -> int | Unknown | None:
    """fio is told durations in milliseconds."""
    return duration_ns // NS_PER_MS if isinstance(duration_ns, int) else duration_ns


def _depths(plan: Setup, done: Setup) -> tuple[Compared, ...]:
    return (
        compared("queue_depth_asked", plan.queue_depth),
        compared("queue_depth_done", done.queue_depth),
        *(() if isinstance(done.block_bytes, Unknown) else (compared("block_done", done.block_bytes, "B"),)),
    )


def _word(value: object) -> str:
    if isinstance(value, Unknown):
        return f"unknown ({value.unknown})"
    return str(value.value) if isinstance(value, Flag | Flushes | Order) else str(value)


def _load_words(done: Setup) -> str:
    block = "several block sizes" if isinstance(done.block_bytes, Unknown) else format_bytes(done.block_bytes)
    order = "unknown order" if isinstance(done.order, Unknown) else done.order.value
    return f"{block}, QD {done.queue_depth}, {order}"


RULES = (
    Rule(
        name="fio.version",
        judge=_version,
        meaning={
            Outcome.PASS: "no known fault of this fio touches these numbers",
            Outcome.FAIL: "completion latencies of this fio are wrong with sqthread_poll: it needs 3.36 or newer",
            Outcome.UNKNOWN: "whether a fault of this fio touches the completion latencies is not known",
        },
        mend="use fio 3.36 or newer, or leave out `sqthread_poll`; of this result use lat, not clat",
    ),
    Rule(
        name="fio.steady_state",
        judge=_steady_state,
        meaning={
            Outcome.PASS: "fio found a steady state in a window it can compute with",
            Outcome.WARN: "the drive was not steady by fio's own criterion, and `iops_mean` averages padding zeros",
            Outcome.FAIL: "fio's sums overflow in a window this long: its verdict means nothing",
            Outcome.UNKNOWN: "whether fio could compute with this window is not known",
        },
        mend="judge steadiness from the logs; for fio's own verdict keep the window at 1024 samples or fewer",
    ),
    Rule(
        name="fio.polling",
        judge=for_known_setup(_polling),
        meaning={
            Outcome.PASS: "I/Os were waited for by polling the device's queues, as asked",
            Outcome.FAIL: "writes that should have been durable were not flushed: the numbers are far too good",
            Outcome.UNKNOWN: "without poll queues the kernel may have used interrupts instead",
        },
        mend="leave out `hipri` where writes are flushed; load nvme with `poll_queues` above 0 and read `queue/io_poll`",
    ),
    Rule(
        name="fio.group_rates",
        judge=_group_rates,
        meaning={
            Outcome.WARN: "the slowest moment of the group is not that sum: use totals, logs and percentiles only",
            Outcome.UNKNOWN: "fio's smallest, largest and spread of the rates may be sums over jobs",
        },
        mend="take spread and minima from logs of all jobs added up window by window",
    ),
    Rule(
        name="options.dropped",
        judge=_dropped,
        meaning={
            Outcome.PASS: "no option was left out that these numbers depend on",
            Outcome.WARN: "the method could not be followed to the letter: compare only with runs that dropped the same",
        },
        mend="install a newer fio, or measure the device itself where a file or NBD stands in the way",
    ),
    Rule(
        name="options.as_asked",
        judge=_as_asked,
        meaning={
            Outcome.PASS: "fio was told what the plan says",
            Outcome.FAIL: "fio did something else than the plan says: the numbers are of another load",
            Outcome.UNKNOWN: "whether fio did what the plan says is not known",
        },
        mend="compare `job.fio` with the plan; was the bundle edited?",
    ),
)
