"""What fio was asked to do, as far as the audit asks for it: from the options in fio's JSON, or from a Job."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from ssdlab.job import Action, Draw, IoLog, Job, Pattern, ReplayPace, Spacing, Sync
from ssdlab.message import message
from ssdlab.units import NS_PER_MS, NS_PER_S, NS_PER_US
from ssdlab.unknown import Unknown


class Flag(Enum):
    """An option that is on or off."""

    ON = "on"
    OFF = "off"
    UNSAID = "unsaid"
    """fio leaves options that were given without a value out of its JSON, so an absent one may be on."""


class HostCache(Enum):
    """What the host's memory has to do with the I/O."""

    BYPASSED = "bypassed"
    USED = "used"
    NONE = "none"
    """The engine has nothing to do with the page cache of this host."""


class Order(Enum):
    """Order of offsets."""

    SEQUENTIAL = "sequential"
    MAP = "map"
    """Random, each block once a pass."""
    PERMUTATION = "permutation"
    INDEPENDENT = "independent"


class Generator(Enum):
    """fio's random offset generators."""

    DEFAULT = "default"
    """`tausworthe`, or `tausworthe64` where fio finds it necessary."""
    TAUSWORTHE32 = "tausworthe"
    TAUSWORTHE64 = "tausworthe64"
    LFSR = "lfsr"
    OTHER = "other"
    """A distribution of its own."""


class Seed(Enum):
    """Whether random offsets can be had again, and whether they come again unasked."""

    RECORDED = "recorded"
    REPEATED = "repeated"
    """The same at each start."""
    NOT_RECORDED = "not recorded"


class Contents(Enum):
    """What is written."""

    FRESH = "fresh"
    """New random data for each write."""
    SCRAMBLED = "scrambled"
    """One buffer, lightly scrambled."""
    REPEATED = "repeated"
    """One buffer, again and again."""
    CONSTANT = "constant"
    """Zeros or one pattern."""
    SHAPED = "shaped"
    """Data with a given share that compresses or repeats."""


class Flushes(Enum):
    """How writes are made durable while the job runs."""

    NONE = "none"
    WITH_WRITES = "with writes"
    BETWEEN = "between writes"
    """In time that no write's latency counts."""


class Arrivals(Enum):
    """What decides when the next I/O is issued."""

    CLOSED_LOOP = "closed loop"
    """As soon as one completes."""
    EVEN = "even"
    """Evenly spaced, and a late one delays those after it."""
    POISSON = "poisson"
    """By a Poisson process, whatever is late."""
    CONSTANT = "constant"
    """Evenly spaced, whatever is late."""
    BURSTS = "bursts"
    """By a Poisson process that is now faster, now slower, whatever is late."""
    THINKING = "thinking"
    """After pauses of the job's own."""
    RECORDED = "recorded"
    """As a trace tells, at its times or after what each I/O waited for."""


FLAGS = {
    Flag.ON: message("audit-flag-on"),
    Flag.OFF: message("audit-flag-off"),
    Flag.UNSAID: message("audit-flag-unsaid"),
}
"""What a finding says of a flag, as those below of what they are named after."""
ORDERS = {
    Order.SEQUENTIAL: message("audit-order-sequential"),
    Order.MAP: message("audit-order-map"),
    Order.PERMUTATION: message("audit-order-permutation"),
    Order.INDEPENDENT: message("audit-order-independent"),
}
CONTENTS = {
    Contents.FRESH: message("audit-contents-fresh"),
    Contents.SCRAMBLED: message("audit-contents-scrambled"),
    Contents.REPEATED: message("audit-contents-repeated"),
    Contents.CONSTANT: message("audit-contents-constant"),
    Contents.SHAPED: message("audit-contents-shaped"),
}
FLUSHES = {
    Flushes.NONE: message("audit-flushes-none"),
    Flushes.WITH_WRITES: message("audit-flushes-with-writes"),
    Flushes.BETWEEN: message("audit-flushes-between"),
}
ARRIVALS = {
    Arrivals.CLOSED_LOOP: message("audit-arrivals-closed-loop"),
    Arrivals.EVEN: message("audit-arrivals-even"),
    Arrivals.POISSON: message("audit-arrivals-poisson"),
    Arrivals.CONSTANT: message("audit-arrivals-constant"),
    Arrivals.BURSTS: message("audit-arrivals-bursts"),
    Arrivals.THINKING: message("audit-arrivals-thinking"),
    Arrivals.RECORDED: message("audit-arrivals-recorded"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSetup:
    """What was asked of the engine; amounts and rates are those of each job, as in fio."""

    ioengine: str
    host_cache: HostCache
    sqpoll: Flag
    polled: Flag
    flushes: Flushes
    order: Order | Unknown
    generator: Generator
    seed: Seed
    contents: Contents | Unknown
    reads: bool
    writes: bool
    block_bytes: int | Unknown
    queue_depth: int
    jobs: int | Unknown
    shared_file: Flag
    """Whether all jobs work on one named file or device."""
    offset_bytes: int | Unknown
    offset_increment_bytes: int | Unknown
    region_bytes: int | Unknown
    amount_bytes: int | Unknown | None
    """None where none was asked for."""
    duration_ns: int | Unknown | None
    """Likewise."""
    time_based: Flag
    ramp_ns: int | Unknown
    arrivals: Arrivals
    rate_iops: int | Unknown | None
    """Likewise."""
    steady_window_samples: float | None
    """Likewise: length of the window of fio's own steady state."""
    window_ns: int | None
    """Length of the windows fio averages its logs over; None where it logs every I/O, or nothing."""
    latency: Flag
    """Off where options say that latency is not measured."""
    grouped: Flag


_READS = frozenset({"read", "randread", "rw", "readwrite", "randrw"})
_WRITES = frozenset({"write", "randwrite", "rw", "readwrite", "randrw", "trimwrite", "randtrimwrite"})
_NO_HOST_CACHE = {"nbd", "null", "rbd", "io_uring_cmd", "xnvme", "spdk", "libiscsi", "http", "rados", "libblkio", "sg"}
_NEVER_TIMED = ("gtod_reduce", "disable_lat", "disable_clat")
_NAMED_ZERO = frozenset({"0", "false"})


def setup_of_options(options: Mapping[str, str], absent: Flag, jobs: int | Unknown) -> EngineSetup:
    """Read the options of a job as fio's JSON repeats them, those of `[global]` included.

    Args:
        options: Names as fio prints them (never an alias) and values as the user wrote them.
        absent: What it means that an option without a value is not there.
        jobs: How many the group has, if the options do not say it.
    """

    def flag(name: str) -> Flag:
        if name not in options:
            return absent
        return Flag.OFF if options[name] in _NAMED_ZERO else Flag.ON

    def size(name: str, default: int) -> int | Unknown:
        return size_bytes(options[name]) if name in options else default

    direction = options.get("rw", "read").partition(":")[0]
    duration = duration_ns(options["runtime"]) if "runtime" in options else None
    listed = options.get("numjobs", "")
    return EngineSetup(
        ioengine=options.get("ioengine", "psync").partition(":")[0],
        host_cache=_host_cache(options),
        sqpoll=flag("sqthread_poll"),
        polled=flag("hipri"),
        flushes=_flushes(options),
        order=_order(options, direction, flag("norandommap")),
        generator=_generator(options),
        seed=_seed(options),
        contents=_contents(options, flag),
        reads=direction in _READS,
        writes=direction in _WRITES,
        block_bytes=_block_bytes(options),
        queue_depth=_integer(options.get("iodepth", "1"), 1),
        jobs=_integer(listed, 1) if listed else jobs,
        shared_file=Flag.ON if "filename" in options else Flag.OFF,
        offset_bytes=size("offset", 0),
        offset_increment_bytes=size("offset_increment", 0),
        region_bytes=size_bytes(options["size"]) if "size" in options else Unknown(message("audit-no-size")),
        amount_bytes=size_bytes(options["io_size"]) if "io_size" in options else None,
        duration_ns=duration if duration != 0 else None,
        time_based=flag("time_based"),
        ramp_ns=duration_ns(options.get("ramp_time", "0")),
        arrivals=_arrivals(options),
        rate_iops=_rate(options),
        steady_window_samples=_steady_samples(options),
        window_ns=_integer(options.get("log_avg_msec", "0"), 0) * NS_PER_MS or None,
        latency=Flag.OFF if any(flag(name) is Flag.ON for name in _NEVER_TIMED) else Flag.ON,
        grouped=flag("group_reporting"),
    )


def setup_of_job(job: Job, ioengine: str) -> EngineSetup:
    """The same of a Job that no fio ran."""
    part = Unknown(message("audit-parts-of-engine"))
    return EngineSetup(
        ioengine=ioengine,
        host_cache=HostCache.NONE,
        sqpoll=Flag.OFF,
        polled=Flag.OFF,
        flushes=Flushes.WITH_WRITES if job.sync is Sync.SYNC else Flushes.NONE,
        order=_order_of_job(job),
        generator=Generator.TAUSWORTHE64 if job.draw is Draw.INDEPENDENT else Generator.LFSR,
        seed=Seed.RECORDED,
        contents=Contents.FRESH,
        reads=job.action is Action.READ_WRITE and job.read_percent > 0,
        writes=job.action is Action.READ_WRITE and job.read_percent < 100,
        block_bytes=Unknown(message("audit-several-block-sizes")) if job.is_of_many_lengths else job.block_bytes,
        queue_depth=job.queue_depth,
        jobs=job.jobs,
        shared_file=Flag.ON,
        offset_bytes=job.region.offset_bytes,
        offset_increment_bytes=0 if job.jobs == 1 else part,
        region_bytes=job.region.length_bytes if job.jobs == 1 else part,
        amount_bytes=_amount_bytes_of_job(job),
        duration_ns=job.duration_ns,
        time_based=Flag.ON if job.amount_bytes is None else Flag.OFF,
        ramp_ns=0,
        arrivals=_arrivals_of_job(job),
        rate_iops=None if job.rate_iops is None else job.rate_iops // job.jobs,
        steady_window_samples=None,
        window_ns=None if job.io_log is IoLog.EVERY_IO else 100 * NS_PER_MS,
        latency=Flag.ON,
        grouped=Flag.ON,
    )


def _amount_bytes_of_job(job: Job) -> int | Unknown | None:
    if job.amount_bytes == 0:
        return Unknown(message("audit-no-amount"))
    return None if job.amount_bytes is None else job.amount_bytes // job.jobs


def _arrivals_of_job(job: Job) -> Arrivals:
    if job.replay is not None and job.replay.pace is not ReplayPace.AS_FAST:
        return Arrivals.RECORDED
    return Arrivals.CLOSED_LOOP if job.rate_iops is None else _SPACED[job.arrivals]


_SPACED = {
    Spacing.POISSON: Arrivals.POISSON,
    Spacing.CONSTANT: Arrivals.CONSTANT,
    Spacing.BURSTS: Arrivals.BURSTS,
}


def _order_of_job(job: Job) -> Order:
    if job.pattern is Pattern.SEQUENTIAL:
        return Order.SEQUENTIAL
    return Order.PERMUTATION if job.draw is Draw.PERMUTATION else Order.INDEPENDENT


_DIGITS_MAX = 20
"""fio reads numbers of 64 bits; with what is longer nothing can be computed."""
_SIZE = re.compile(rf"(\d{{1,{_DIGITS_MAX}}}|0x[0-9a-f]{{1,16}})(?:([kmgtp])(i?b?))?b?", re.IGNORECASE)
_DURATION = re.compile(rf"(\d{{1,{_DIGITS_MAX}}})\s*(us|ms|s|m|h|d)?", re.IGNORECASE)
_DURATION_NS = {
    "us": NS_PER_US,
    "ms": NS_PER_MS,
    "s": NS_PER_S,
    "m": 60 * NS_PER_S,
    "h": 3600 * NS_PER_S,
    "d": 86_400 * NS_PER_S,
}


def size_bytes(text: str) -> int | Unknown:
    """A size as fio reads it: `4k` is 4096 bytes, but so is `4kb`, and `4kib` is 4000 (`kb_base=1024`, its default)."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return Unknown(message("audit-size-unknown", text=text))
    number = int(match[1], 0)
    if match[2] is None:
        return number
    base = 1000 if match[3].lower() == "ib" else 1024
    return int(number * base ** ("kmgtp".index(match[2].lower()) + 1))


def duration_ns(text: str) -> int | Unknown:
    """A duration as fio reads it: seconds, unless it names another unit."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return Unknown(message("audit-duration-unknown", text=text))
    return int(match[1]) * _DURATION_NS[(match[2] or "s").lower()]


def _integer(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) <= _DIGITS_MAX else otherwise


def _host_cache(options: Mapping[str, str]) -> HostCache:
    if options.get("ioengine", "psync").partition(":")[0] in _NO_HOST_CACHE:
        return HostCache.NONE
    direct = options.get("direct", "0") not in _NAMED_ZERO or options.get("buffered") == "0"
    return HostCache.BYPASSED if direct else HostCache.USED


def _flushes(options: Mapping[str, str]) -> Flushes:
    between = ("fsync", "fdatasync", "end_fsync", "fsync_on_close", "sync_file_range")
    if any(options.get(name, "0") != "0" for name in between):
        return Flushes.BETWEEN
    return Flushes.NONE if options.get("sync", "0") in {"0", "none"} else Flushes.WITH_WRITES


def _order(options: Mapping[str, str], direction: str, no_map: Flag) -> Order | Unknown:
    if "rand" not in direction:
        return Order.SEQUENTIAL
    if options.get("random_generator") == "lfsr":
        return Order.PERMUTATION
    if no_map is Flag.ON or "random_distribution" in options:
        return Order.INDEPENDENT
    return Order.MAP if no_map is Flag.OFF else Unknown(message("audit-norandommap-unsaid"))


def _generator(options: Mapping[str, str]) -> Generator:
    if options.get("random_distribution", "random") != "random":
        return Generator.OTHER
    named = {one.value: one for one in (Generator.TAUSWORTHE32, Generator.TAUSWORTHE64, Generator.LFSR)}
    return named.get(options.get("random_generator", ""), Generator.DEFAULT)


def _seed(options: Mapping[str, str]) -> Seed:
    if "randseed" in options:
        return Seed.RECORDED
    again = options.get("randrepeat", "1") not in _NAMED_ZERO or options.get("allrandrepeat", "0") == "1"
    return Seed.REPEATED if again else Seed.NOT_RECORDED


def _contents(options: Mapping[str, str], flag: Callable[[str], Flag]) -> Contents | Unknown:
    if flag("zero_buffers") is Flag.ON or "buffer_pattern" in options:
        return Contents.CONSTANT
    if {"buffer_compress_percentage", "dedupe_percentage"} & options.keys():
        return Contents.SHAPED
    if flag("refill_buffers") is Flag.ON:
        return Contents.FRESH
    if Flag.UNSAID in {flag("refill_buffers"), flag("zero_buffers")}:
        return Unknown(message("audit-buffers-unsaid"))
    return Contents.REPEATED if options.get("scramble_buffers", "1") in _NAMED_ZERO else Contents.SCRAMBLED


def _block_bytes(options: Mapping[str, str]) -> int | Unknown:
    if {"bssplit", "bsrange"} & options.keys():
        return Unknown(message("audit-blocks-mixed"))
    sizes = {size_bytes(part) for part in options.get("bs", "4k").split(",") if part}
    return sizes.pop() if len(sizes) == 1 else Unknown(message("audit-blocks-by-direction"))


def _arrivals(options: Mapping[str, str]) -> Arrivals:
    if "rate_iops" in options or "rate" in options:
        return Arrivals.POISSON if options.get("rate_process") == "poisson" else Arrivals.EVEN
    pauses = {"thinktime", "latency_target", "flow", "rate_min", "rate_iops_min"}
    return Arrivals.THINKING if pauses & options.keys() else Arrivals.CLOSED_LOOP


def _rate(options: Mapping[str, str]) -> int | Unknown | None:
    if "rate_iops" not in options:
        return None
    rate = size_bytes(options["rate_iops"])
    return Unknown(message("audit-rates-by-direction")) if isinstance(rate, Unknown) else rate


def _steady_samples(options: Mapping[str, str]) -> float | None:
    if "steadystate" not in options:
        return None
    window = duration_ns(options.get("steadystate_duration", "0"))
    interval = duration_ns(options.get("steadystate_check_interval", "1"))
    if isinstance(window, Unknown) or isinstance(interval, Unknown):
        return None
    return window / max(1, interval)
