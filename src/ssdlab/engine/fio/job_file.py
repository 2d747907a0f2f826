"""Job to fio job file: what each option says of the Job, and every option of the method it had to do without."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ssdlab import _core
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.binary import SQPOLL_SINCE, FioBinary, FioTooOld
from ssdlab.engine.fio.text import CannotSay, Options, Section, file_name, job_text
from ssdlab.engine.result import Dropped
from ssdlab.job import (
    HISTOGRAM_WINDOWS_MAX,
    WINDOW_NS,
    Action,
    Caching,
    Draw,
    Interface,
    IoLog,
    Job,
    Pattern,
    Spacing,
    Stream,
    Sync,
)
from ssdlab.message import Message, commas, message, number, size
from ssdlab.units import NS_PER_MS, NS_PER_S

JSON_FILE = "fio.json"
LOG_PREFIX = "log"
HISTOGRAM_COARSENESS = 2
"""Four neighbouring bins of fio's make one in the histogram log: a line of a window then takes 1.5 kB and not 6."""


@dataclass(frozen=True, slots=True)
class FioJobFile:
    """Text of a job file and what it leaves out."""

    text: str
    dropped: tuple[Dropped, ...]


def histogram_ns_for(job: Job, host_memory_bytes: int) -> int:
    """Length of the windows of the histogram log: 100 ms, or as many times that as keep fio within half of the host's memory.

    fio holds the whole histogram of every window, 15 kB, until the job ends; preconditioning of many hours would otherwise end by
    being killed for lack of memory. Where they are longer the series still has windows of 100 ms (`fio_series`).
    """
    if job.duration_ns is not None:
        longest_ns = job.duration_ns
    else:
        longest_ns = (job.amount_bytes or 0) * NS_PER_S // _SLOWEST_BYTES_PER_S
    directions = 2 if 0 < job.read_percent < 100 else 1
    logs = directions * (job.jobs + len(job.beside))
    windows_max = min(HISTOGRAM_WINDOWS_MAX, host_memory_bytes // 2 // (_core.BIN_COUNT * 8) // logs)
    return WINDOW_NS * max(1, math.ceil(longest_ns // WINDOW_NS / windows_max))


_SLOWEST_BYTES_PER_S = 100 * 10**6
"""A large drive's sustained write speed at its slowest: QLC after its cache."""


_BYTES_PER_KEPT_IO = 160
"""What an I/O that is kept takes: fio 3.33 holds 80 bytes (two logs of 40, newer ones of 48) until the job ends, and then
converting its log takes 143."""


class TooManyIos(EngineError):  # noqa: N818 - the error is the state
    """A job is to keep more I/Os than the host's memory holds."""


def kept_ios_max_for(host_memory_bytes: int) -> int:
    """I/Os that may be kept one by one: as many as half of the host's memory holds.

    fio writes its logs only when the job has ended, into a pipe too, and `log_compression` saves no memory (docs/concepts/trust.md).
    """
    return host_memory_bytes // 2 // _BYTES_PER_KEPT_IO


def ended_for_memory(job: Job, runtime_ns: int, io_count: int) -> tuple[Dropped, ...]:
    """What a job that keeps every I/O and ends by time alone had to do without, if it ended before its time."""
    if not _is_capped(job) or runtime_ns >= (job.duration_ns or 0) * 0.99 - WINDOW_NS:
        return ()
    reason = message("engine-drop-capped", ios=number(io_count))
    return (Dropped(f"runtime={(job.duration_ns or 0) // NS_PER_MS}ms", reason),)


def _is_capped(job: Job) -> bool:
    return job.io_log is IoLog.EVERY_IO and job.amount_bytes is None


def _capped(job: Job, kept_ios_max: int | None) -> Job:
    """The job with an amount that memory can hold, where it has none of its own.

    Raises:
        TooManyIos: Its own amount is larger than that.
    """
    if job.io_log is not IoLog.EVERY_IO or kept_ios_max is None:
        return job
    if job.amount_bytes is None:
        return replace(job, amount_bytes=kept_ios_max // job.jobs * job.jobs * job.block_bytes)
    ios = job.amount_bytes // job.block_bytes
    if ios > kept_ios_max:
        raise TooManyIos(
            message("engine-too-many-ios", job=job.name, ios=number(ios), most=number(kept_ios_max)),
            message("engine-hint-smaller-amount"),
        )
    return job


def write_job_file(
    job: Job,
    address: FioAddress,
    fio: FioBinary,
    histogram_ns: int = WINDOW_NS,
    kept_ios_max: int | None = None,
    locked_bytes_max: int | None = None,
) -> FioJobFile:
    """Say a Job in fio's words; with every I/O kept it ends after `kept_ios_max` of them.

    Buffers are registered with the kernel where they take no more than `locked_bytes_max`.

    Raises:
        CannotSay: fio would read something else than the job says.
        FioTooOld: This fio has no engine, or no option, that the job cannot do without.
        TooManyIos: Every I/O is to be kept and its amount is more than `kept_ios_max`.
    """
    _require_words(job)
    durable, not_forced = _durability(job, address)
    if job.sync is Sync.SYNC and address.forced_location is not None:
        address = replace(address, location=address.forced_location)
    access, dropped = access_options(job.interface, job.action, address, fio, job.sync)
    dropped += [*not_forced, *_unregistered(job, access, locked_bytes_max)]
    access = {option: value for option, value in access.items() if option not in {one.option for one in dropped}}
    logs, dropped_logs = _logs(job, fio, histogram_ns)
    sections = []
    for stream in job.beside:
        own_access, own_dropped = _stream_access(stream, address)
        sections.append(_section(job.of_stream(stream), own_access, _pace(stream), logs))
        dropped += own_dropped
    # Of a group fio prints the options of its last job, and those of the job itself are wanted.
    sections.append(_section(_capped(job, kept_ios_max), access, durable, logs))
    require_options(sections, fio)
    return FioJobFile(job_text(sections), (*dict.fromkeys(dropped), *dropped_logs))


def _require_words(job: Job) -> None:
    """What else than blocks drawn evenly is asked for would be left out, and another load measured in its place."""
    other_arrivals = job.rate_iops is not None and job.arrivals is not Spacing.POISSON
    if job.access is not None or job.mix or job.replay is not None or other_arrivals:
        raise CannotSay(message("engine-fio-has-no-words", job=job.name))


def _section(job: Job, access: Options, more: Options, logs: Options) -> Section:
    options = {
        **access,
        **_offsets(job),
        **_amounts(job),
        **more,
        **({"refill_buffers": 1} if job.writes else {}),
        "group_reporting": 1,
        # As threads all of fio ends with its main process; forked jobs would go on writing after a kill.
        "thread": 1,
        "clat_percentiles": 1,
        "lat_percentiles": 1,
        **logs,
    }
    return Section(job.name, options)


def _pace(stream: Stream) -> Options:
    flush = {} if stream.flush_every is None else {"fsync": stream.flush_every}
    return {"rate": stream.rate_bytes_per_s, **flush}


def require_access(address: FioAddress, fio: FioBinary) -> None:
    """Make sure that this fio can reach a drive at all; to be asked before anything on the drive is erased.

    Raises:
        FioTooOld: It was built without the engine that takes.
    """
    if address.io_path is not IoPath.NBD and "io_uring" not in fio.engines:
        raise FioTooOld(
            message("engine-fio-without", version=str(fio.version), path=str(fio.path), engine="io_uring"),
            message("engine-hint-io-uring"),
        )
    if address.io_path is IoPath.NBD and "nbd" not in fio.engines:
        raise FioTooOld(
            message("engine-fio-without", version=str(fio.version), path=str(fio.path), engine="nbd"),
            message("doctor-remedy-fio-nbd"),
        )


def access_options(
    interface: Interface, action: Action, address: FioAddress, fio: FioBinary, sync: Sync = Sync.NONE
) -> tuple[dict[str, str | int], list[Dropped]]:
    """How fio reaches a drive, and which options of the method do not apply there.

    Raises:
        FioTooOld: This fio lacks the engine.
    """
    require_access(address, fio)
    if address.io_path is IoPath.NBD:
        why = message("engine-drop-nbd", interface=interface.value)
        return _nbd(address), [Dropped(option, why) for option in _OPTIONS_OF[interface]]
    if interface is Interface.LIBAIO:
        if "libaio" not in fio.engines:
            raise FioTooOld(
                message("engine-fio-without", version=str(fio.version), path=str(fio.path), engine="libaio"),
                message("engine-hint-libaio"),
            )
        return _opened("libaio", address, Caching.DIRECT), []
    if action is Action.TRIM:
        trim = _opened("psync", address, Caching.DIRECT)
        return trim, [Dropped(option, _TRIM_WAITS) for option in _OPTIONS_OF[interface]]
    return _uring(address, fio, sync)


_TRIM_WAITS = message("engine-drop-trim-waits")
"""`fio_ioring_queue` falls back to `do_io_u_trim` without a new issue time, so clat counts from the first trim on."""


def _uring(address: FioAddress, fio: FioBinary, sync: Sync) -> tuple[dict[str, str | int], list[Dropped]]:
    uring = {**_opened("io_uring", address, Caching.DIRECT), "registerfiles": 1, "fixedbufs": 1}
    dropped = []
    if (unpolled := _cannot_poll(sync, address)) is None:
        uring["hipri"] = 1
    else:
        dropped.append(Dropped("hipri", unpolled))
    if fio.version >= SQPOLL_SINCE:
        uring["sqthread_poll"] = 1
    else:
        reason = message("engine-drop-sqpoll", version=str(fio.version), needed=str(SQPOLL_SINCE))
        dropped.append(Dropped("sqthread_poll", reason))
    return uring, dropped


def _unregistered(job: Job, access: Options, locked_bytes_max: int | None) -> list[Dropped]:
    """Registered buffers stay in memory, of which an ordinary user may lock some MiB in all (io_uring_register(2))."""
    pages = math.ceil(job.block_bytes / _PAGE_BYTES)
    buffers_bytes = job.jobs * job.queue_depth * pages * _PAGE_BYTES
    if "fixedbufs" not in access or locked_bytes_max is None or buffers_bytes <= locked_bytes_max:
        return []
    reason = message("engine-drop-locked", needed=size(buffers_bytes), most=size(locked_bytes_max))
    return [Dropped("fixedbufs", reason)]


_PAGE_BYTES = 4096
"""The kernel counts each buffer in whole pages."""


def _cannot_poll(sync: Sync, address: FioAddress) -> Message | None:
    if sync is not Sync.NONE:
        return message("engine-drop-no-polled-flush")
    return address.cannot_poll


_OPTIONS_OF = {
    Interface.IO_URING: ("ioengine=io_uring", "hipri", "sqthread_poll", "registerfiles", "fixedbufs"),
    Interface.LIBAIO: ("ioengine=libaio",),
}
"""What the method asks for where the kernel does the I/O (METHODS 0)."""


def _nbd(address: FioAddress) -> dict[str, str | int]:
    return {"ioengine": "nbd", "uri": address.location}


def _opened(engine: str, address: FioAddress, caching: Caching) -> dict[str, str | int]:
    """Only if it is there: in place of a drive that has gone fio would make a file as large, in memory."""
    return {
        "ioengine": engine,
        "filename": file_name(address),
        "allow_file_create": 0,
        "direct": int(caching is Caching.DIRECT),
    }


def _stream_access(stream: Stream, address: FioAddress) -> tuple[Options, list[Dropped]]:
    """Streams wait for each of their I/Os, so a system call an I/O is all they need."""
    if address.io_path is IoPath.NBD:
        why = message("engine-drop-nbd-page-cache")
        return _nbd(address), [] if stream.caching is Caching.DIRECT else [Dropped("direct=0", why)]
    return _opened("sync", address, stream.caching), []


def _offsets(job: Job) -> Options:
    common = {
        "rw": _direction(job),
        "bs": job.block_bytes,
        "iodepth": job.queue_depth,
        "numjobs": job.jobs,
        "offset": job.region.offset_bytes,
        **_span(job),
        "randrepeat": 0,
        "randseed": job.seed,
    }
    if job.action is Action.READ_WRITE and 0 < job.read_percent < 100:
        common["rwmixread"] = job.read_percent
    if job.pattern is Pattern.SEQUENTIAL:
        return common
    if job.draw is Draw.PERMUTATION:
        return {**common, "random_generator": "lfsr"}
    return {**common, "norandommap": 1, "random_generator": "tausworthe64"}


def _span(job: Job) -> Options:
    """Independent draws of several jobs share the region; else each has its part, or all would visit the same blocks."""
    if job.jobs == 1 or (job.pattern is Pattern.RANDOM and job.draw is Draw.INDEPENDENT):
        return {"size": job.region.length_bytes}
    part_bytes = job.region.length_bytes // job.jobs // job.block_bytes * job.block_bytes
    return {"size": part_bytes, "offset_increment": part_bytes}


def _direction(job: Job) -> str:
    prefix = "rand" if job.pattern is Pattern.RANDOM else ""
    if job.action is Action.TRIM:
        return f"{prefix}trim"
    match job.read_percent:
        case 0:
            return f"{prefix}write"
        case 100:
            return f"{prefix}read"
        case _:
            return f"{prefix}rw"


def _amounts(job: Job) -> Options:
    """A Job's amount and rate are those of all its jobs together, fio's are those of each."""
    options: dict[str, str | int] = {}
    if job.amount_bytes is not None:
        options["io_size"] = job.amount_bytes // job.jobs // job.block_bytes * job.block_bytes
    if job.duration_ns is not None:
        options["runtime"] = f"{job.duration_ns // NS_PER_MS}ms"
        if job.amount_bytes is None:
            options["time_based"] = 1
    if job.rate_iops is not None:
        options |= {"rate_iops": max(1, job.rate_iops // job.jobs), "rate_process": "poisson"}
    return options


def _durability(job: Job, address: FioAddress) -> tuple[Options, list[Dropped]]:
    """How each write of the job becomes durable before it counts.

    fio's nbd engine ignores `sync=1`. An export that forces writes by itself needs nothing more, any other gets a flush after each
    write. (`fdatasync=1` is no way: the engine takes none, and fio 3.33 ends after the first write.)
    """
    if job.sync is Sync.NONE:
        return {}, []
    if address.io_path is not IoPath.NBD or address.forced_location is not None:
        return {"sync": 1}, []
    return {"fsync": 1}, [Dropped("sync=1", _FLUSHED)]


_FLUSHED = message("engine-drop-flushed")


_LOG_ENTRIES_MAX = 1 << 20


def every_io_log(fio: FioBinary) -> tuple[Options, list[Dropped]]:
    """A log of every I/O, with room for as many as fio grants: before it makes more it lets all in flight end."""
    log: Options = {"write_lat_log": LOG_PREFIX, "log_offset": 1, "disable_slat": 1, "log_avg_msec": 0}
    if "log_entries" in fio.options:
        return {**log, "log_entries": _LOG_ENTRIES_MAX}, []
    reason = message("engine-drop-log-entries", version=str(fio.version))
    return log, [Dropped(f"log_entries={_LOG_ENTRIES_MAX}", reason)]


def _logs(job: Job, fio: FioBinary, histogram_ns: int) -> tuple[Options, list[Dropped]]:
    if job.io_log is IoLog.EVERY_IO:
        return every_io_log(fio)
    windows: dict[str, str | int] = {
        "write_lat_log": LOG_PREFIX,
        "log_avg_msec": WINDOW_NS // NS_PER_MS,
        "write_hist_log": LOG_PREFIX,
        "log_hist_msec": histogram_ns // NS_PER_MS,
        "log_hist_coarseness": HISTOGRAM_COARSENESS,
    }
    dropped = []
    if histogram_ns != WINDOW_NS:
        windows["write_bw_log"] = LOG_PREFIX
        reason = message("engine-drop-histograms", interval=number(histogram_ns // NS_PER_MS, "d"))
        dropped.append(Dropped("log_hist_msec=100", reason))
    if "log_window_value" in fio.options:
        return {**windows, "log_window_value": "both"}, dropped
    reason = message("engine-drop-window-value", version=str(fio.version))
    return windows, [*dropped, Dropped("log_window_value=both", reason)]


def require_options(sections: Sequence[Section], fio: FioBinary) -> None:
    """Make sure that this fio knows the options.

    Raises:
        FioTooOld: It does not.
    """
    used = {option for section in sections for option in section.options}
    missing = sorted(used - fio.options - _ENGINE_OPTIONS)
    if missing:
        raise FioTooOld(
            message(
                "engine-fio-options",
                version=str(fio.version),
                path=str(fio.path),
                options=commas(*(f"`{option}`" for option in missing)),
            ),
            message("engine-hint-newer-fio"),
        )


_ENGINE_OPTIONS = frozenset({"uri", "registerfiles", "fixedbufs", "sqthread_poll", "hipri"})
"""Options that belong to one of fio's engines and are listed only with it."""
