"""Commands one by one with fio: its I/O log in, its latency log out.

fio 3.33 logs reads and writes, in the order in which they complete, and of flushes only a histogram. So where commands go one by one
each row is the next command; where several are in flight rows are found by what they did and where. Of several in flight fio does not
log those that are so when its I/O log ends, so more reads follow which nobody asks after. Flushes of a replay get the
latencies of their histogram in no order: only their distribution can be used. Trims are not logged at all and get none.
"""

from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np

from ssdlab import _core
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.base import EngineError
from ssdlab.engine.commands import Commands, Floats, Forced, Integers, Issue, TimedCommands, Verb
from ssdlab.engine.fio.binary import FioBinary
from ssdlab.engine.fio.job_file import LOG_PREFIX, FioJobFile, access_options, every_io_log, require_options
from ssdlab.engine.fio.text import Options, Section, file_name, job_text
from ssdlab.engine.result import Dropped
from ssdlab.job import Action, Interface, Sync
from ssdlab.message import message, number
from ssdlab.units import KIB, NS_PER_MS, NS_PER_US

COMMANDS_FILE = "commands.log"
LATENCY_LOG = f"{LOG_PREFIX}_lat.1.log"
_CANNOT_WITH_A_LOG = {
    "registerfiles": message("engine-drop-log-registers-late"),
    "sqthread_poll": message("engine-drop-log-unregistered"),
}
"""Every fio refuses them then ("nr_files to be identical to open_files"), for `read_iolog` forgets how many files may be open."""
_WORDS = {Verb.READ: "read", Verb.WRITE: "write", Verb.WRITE_THROUGH: "write", Verb.FLUSH: "sync", Verb.TRIM: "trim"}
_DIRECTIONS = {Verb.READ: 0, Verb.WRITE: 1, Verb.WRITE_THROUGH: 1}
"""Codes of the latency log."""


class CannotReplay(EngineError):  # noqa: N818 - the error is the state
    """fio has no words for these commands."""


class ReplayLogError(EngineError):
    """fio's log does not hold what it was asked to do."""


@dataclass(frozen=True, slots=True)
class ReplayFiles:
    """What fio is given: its job file, and the commands in its own form."""

    job_file: FioJobFile
    commands: str
    forced: Forced


def replay_files(commands: Commands, address: FioAddress, fio: FioBinary) -> ReplayFiles:
    """Say commands in fio's words.

    Raises:
        CannotReplay: Pauses or batches of different length, which fio's log cannot say exactly.
        CannotSay: fio would take the drive's name for another.
        FioTooOld: This fio lacks an option.
    """
    durable = np.isin(commands.verb, [Verb.FLUSH, Verb.WRITE_THROUGH]).any()
    sync = Sync.SYNC if durable else Sync.NONE
    access, dropped = access_options(Interface.IO_URING, Action.READ_WRITE, address, fio, sync)
    dropped += [Dropped(option, why) for option, why in _CANNOT_WITH_A_LOG.items() if option in access]
    access = {option: value for option, value in access.items() if option not in _CANNOT_WITH_A_LOG}
    options = {**access, "read_iolog": f"../{COMMANDS_FILE}", **_queue(commands), **_pause(commands)}
    forced = Forced.YES
    if (commands.verb == Verb.WRITE_THROUGH).any():
        if address.io_path is IoPath.NBD:
            forced = Forced.CANNOT
            dropped.append(Dropped("sync=1", message("engine-drop-nbd-force")))
        else:
            options["sync"] = 1
    log, dropped_logs = every_io_log(fio)
    section = Section("replay", {**options, "thread": 1, "refill_buffers": 1, **log})
    require_options([section], fio)
    name = "nbd" if address.io_path is IoPath.NBD else file_name(address)
    return ReplayFiles(FioJobFile(job_text([section]), (*dropped, *dropped_logs)), _log(commands, name), forced)


def _queue(commands: Commands) -> Options:
    depth = commands.queue_depth
    alone = np.flatnonzero(commands.issue == Issue.ALONE)
    if depth == 1 or len(alone) == 0:
        return {"iodepth": depth}
    if not np.array_equal(alone, np.arange(0, len(commands), depth)):
        raise CannotReplay(message("engine-batches-differ"), message("engine-hint-on-model"))
    batches = ("iodepth_batch", "iodepth_batch_complete_min", "iodepth_batch_complete_max")
    return {"iodepth": depth, **dict.fromkeys(batches, depth)}


def _pause(commands: Commands) -> Options:
    pauses = np.unique(commands.pause_ns)
    if len(pauses) > 1:
        raise CannotReplay(message("engine-pauses-differ"), message("engine-hint-on-model"))
    pause_us = int(pauses[0]) // NS_PER_US if len(pauses) else 0
    return {"thinktime": pause_us} if pause_us else {}


def _log(commands: Commands, name: str) -> str:
    words = [_WORDS[Verb(code)] for code in range(len(Verb))]
    rows = zip(commands.verb.tolist(), commands.offset_bytes.tolist(), commands.length_bytes.tolist(), strict=True)
    lines = [f"{name} {words[verb]} {offset} {length}" for verb, offset, length in rows]
    lines += [f"{name} read 0 {_PAD_BYTES}"] * _pads(commands)
    return "\n".join(["fio version 2 iolog", f"{name} add", f"{name} open", *lines, f"{name} close", ""])


_PAD_BYTES = 4 * KIB
_PADS_EACH = 64
"""Of each place in the queue: they have to outlast the slowest command before them."""


def _pads(commands: Commands) -> int:
    return _PADS_EACH * commands.queue_depth if commands.queue_depth > 1 else 0


def samples_of(commands: Commands, forced: Forced, log: bytes, flush_ns: Floats) -> TimedCommands:
    """When each command was submitted and completed, by fio's log.

    Args:
        commands: As asked.
        forced: Whether those that were to go through the buffer were.
        log: fio's latency log.
        flush_ns: Latencies of the flushes, in any order.

    Raises:
        ReplayLogError: The log holds other commands than were asked for.
    """
    parsed = _core.parse_fio_log(log)
    direction = np.frombuffer(parsed.direction, dtype=np.uint8)
    latency_ns = np.frombuffer(parsed.value, dtype=np.int64)
    completed_ns = np.frombuffer(parsed.time_ms, dtype=np.int64) * NS_PER_MS
    offset = np.frombuffer(parsed.offset_bytes or b"", dtype=np.int64)
    logged = np.isin(commands.verb, list(_DIRECTIONS))
    surplus = len(latency_ns) - int(logged.sum())
    if not 0 <= surplus <= _pads(commands) or len(offset) != len(latency_ns):
        asked = number(int(logged.sum()), "d")
        raise ReplayLogError(message("engine-commands-logged", logged=number(len(latency_ns), "d"), asked=asked))
    rows = _rows_in_order(commands, logged, direction, offset)
    completed = np.zeros(len(commands), dtype=np.int64)
    latency = np.zeros(len(commands), dtype=np.int64)
    completed[logged], latency[logged] = completed_ns[rows], latency_ns[rows]
    flushes = commands.verb == Verb.FLUSH
    if flushes.sum() != len(flush_ns):
        asked = number(int(flushes.sum()), "d")
        raise ReplayLogError(message("engine-flushes-counted", counted=number(len(flush_ns), "d"), asked=asked))
    latency[flushes] = flush_ns
    completed[~logged] = np.maximum.accumulate(completed)[~logged]
    return TimedCommands(commands, completed - latency, completed, forced)


def _rows_in_order(
    commands: Commands, logged: np.typing.NDArray[np.bool_], direction: np.typing.NDArray[np.uint8], offset: Integers
) -> Integers:
    """Row of the log of each logged command."""
    codes = np.array([_DIRECTIONS.get(Verb(code), 3) for code in range(len(Verb))])
    asked = list(zip(codes[commands.verb[logged]].tolist(), commands.offset_bytes[logged].tolist(), strict=True))
    found: dict[tuple[int, int], deque[int]] = defaultdict(deque)
    for row, key in enumerate(zip(direction.tolist(), offset.tolist(), strict=True)):
        found[key].append(row)
    try:
        return np.array([found[key].popleft() for key in asked], dtype=np.int64)
    except IndexError as error:
        raise ReplayLogError(message("engine-other-offsets")) from error
