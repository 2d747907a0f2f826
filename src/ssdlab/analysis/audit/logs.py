"""Logs that came with somebody's fio JSON, as what the audit holds its totals against."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.analysis.audit.facts import Windows
from ssdlab.analysis.audit.setup import EngineSetup
from ssdlab.analysis.log.file import LogError, LogFile, LogFormat, LogKind, explained
from ssdlab.analysis.log.rows import since_it_began
from ssdlab.analysis.log.summary import DIRECTIONS
from ssdlab.engine.result import Direction
from ssdlab.message import message
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_NUMBER = re.compile(r"\.(\d+)\.log")
_NO_BYTES = Unknown(message("audit-logs-without-bytes"))


@dataclass(frozen=True, slots=True, eq=False)
class Logged:
    """What the logs of one job or group say.

    Attributes:
        logged_bytes: Of each direction, over all jobs of the group.
        windows: Of each direction, those of the first job.
    """

    logged_bytes: Mapping[Direction, int] | Unknown
    windows: Mapping[Direction, Windows] | Unknown

    def bytes_of(self, direction: Direction) -> int | Unknown:
        """Bytes of one direction; none logged is 0."""
        return self.logged_bytes if isinstance(self.logged_bytes, Unknown) else self.logged_bytes.get(direction, 0)

    def windows_of(self, direction: Direction) -> Windows | Unknown:
        """Windows of one direction."""
        if isinstance(self.windows, Unknown):
            return self.windows
        return self.windows.get(direction, Unknown(message("audit-direction-not-logged")))


_NOT_GIVEN = Unknown(message("audit-no-logs"))
NO_LOGS = Logged(_NOT_GIVEN, _NOT_GIVEN)


def read_logged(
    logs: Sequence[LogFile], jobs: Sequence[int | Unknown], setups: Sequence[EngineSetup | Unknown]
) -> list[Logged]:
    """Read the logs of each group.

    Args:
        logs: All of them.
        jobs: How many jobs each group has; fio numbers its logs by job, through all groups.
        setups: What was asked of each group.

    Raises:
        LogError: A log is damaged, or it cannot be told which group it belongs to.
    """
    members: list[list[LogFile]] = [[] for _ in jobs]
    for log in logs:
        members[_group_of(log, jobs)].append(log)
    return [_read(own, setup) if own else NO_LOGS for own, setup in zip(members, setups, strict=True)]


def _group_of(log: LogFile, jobs: Sequence[int | Unknown]) -> int:
    if len(jobs) == 1:
        return 0
    found = _NUMBER.search(log.path.name)
    last = 0
    for position, count in enumerate(jobs):
        if found is None or isinstance(count, Unknown):
            break
        last += count
        if int(found[1]) <= last:
            return position
    raise LogError(
        message("log-which-job", jobs=len(jobs), path=str(log.path)),
        message("log-name-job"),
    )


_RANKS = (
    (LogFormat.HISTOGRAM, LogKind.COMPLETION_LATENCY),
    (LogFormat.LINES, LogKind.LATENCY),
    (LogFormat.LINES, LogKind.COMPLETION_LATENCY),
    (LogFormat.LINES, LogKind.SUBMISSION_LATENCY),
    (LogFormat.LINES, LogKind.BANDWIDTH),
    (LogFormat.LINES, LogKind.IOPS),
)
"""Which logs are believed first: each kind counts the same I/O, so only one is counted."""


def _read(logs: Sequence[LogFile], setup: EngineSetup | Unknown) -> Logged:
    found = []
    for form, kind in _RANKS:
        own = [log for log in logs if log.form is form and (form is LogFormat.HISTOGRAM or log.kind is kind)]
        if own:
            found.append(_histograms(own, setup) if form is LogFormat.HISTOGRAM else _lines(kind, own, setup))
    counted = [one for one in found if not isinstance(one.logged_bytes, Unknown)]
    return counted[0] if counted else found[0]


def _lines(kind: LogKind, logs: Sequence[LogFile], setup: EngineSetup | Unknown) -> Logged:
    with explained():
        scan = _core.scan_fio_logs([log.path for log in logs], [50.0])
    if any(one.averaged for one in scan.logs if one.lines):
        return _averaged(kind, logs, setup)
    windows = {DIRECTIONS[one.direction]: _of_every_io(scan.window_ms, one) for one in scan.directions}
    return Logged({DIRECTIONS[one.direction]: one.bytes for one in scan.directions}, windows)


def _of_every_io(window_ms: int, one: "_core.FioScanDirection") -> Windows:
    done = np.frombuffer(one.window_bytes, np.int64).astype(np.float64)
    ends = np.arange(1, len(done) + 1, dtype=np.int64) * window_ms * NS_PER_MS
    return Windows(window_ms * NS_PER_MS, ends, done)


def _averaged(kind: LogKind, logs: Sequence[LogFile], setup: EngineSetup | Unknown) -> Logged:
    factor = _bytes_per_unit(kind, setup)
    windows: dict[Direction, Windows] = {}
    totals: dict[Direction, float] = {}
    for log in logs:
        with explained(log.path):
            columns = _core.parse_fio_log(_core.read_fio_file(log.path))
        time_ns = since_it_began(np.frombuffer(columns.time_ms, np.int64)) * NS_PER_MS
        value = np.frombuffer(columns.value, np.int64).astype(np.float64)
        direction = np.frombuffer(columns.direction, np.uint8)
        for number in np.unique(direction):
            chosen = direction == number
            one = _windows(time_ns[chosen], setup)
            done = factor if isinstance(factor, Unknown) else value[chosen] * one.duration_ns * factor
            whole = Windows(one.window_ns, one.end_ns, done)
            windows.setdefault(DIRECTIONS[number], whole)
            if not isinstance(done, Unknown):
                totals[DIRECTIONS[number]] = totals.get(DIRECTIONS[number], 0.0) + float(done.sum())
    counted = {one: round(total) for one, total in totals.items()}
    return Logged(_NO_BYTES if isinstance(factor, Unknown) else counted, windows)


def _bytes_per_unit(kind: LogKind, setup: EngineSetup | Unknown) -> float | Unknown:
    """Bytes for each unit of a log's value and nanosecond of a window."""
    if kind is LogKind.BANDWIDTH:
        return KIB / NS_PER_S
    if kind is LogKind.IOPS and not isinstance(setup, Unknown) and not isinstance(setup.block_bytes, Unknown):
        return setup.block_bytes / NS_PER_S
    return _NO_BYTES


def _windows(time_ns: NDArray[np.int64], setup: EngineSetup | Unknown) -> Windows:
    nominal = None if isinstance(setup, Unknown) else setup.window_ns
    median = int(np.median(np.diff(time_ns, prepend=np.int64(0)))) if len(time_ns) else NS_PER_S
    return Windows(nominal or max(NS_PER_MS, median), time_ns, _NO_BYTES)


def _histograms(logs: Sequence[LogFile], setup: EngineSetup | Unknown) -> Logged:
    block = _NO_BYTES if isinstance(setup, Unknown) else setup.block_bytes
    windows: dict[Direction, Windows] = {}
    totals: dict[Direction, int] = {}
    for log in logs:
        with explained(log.path):
            columns = _core.parse_fio_hist_log(_core.read_fio_file(log.path))
        time_ns = since_it_began(np.frombuffer(columns.time_ms, np.int64)) * NS_PER_MS
        ios, direction = np.frombuffer(columns.ios, np.int64), np.frombuffer(columns.direction, np.uint8)
        for number in np.unique(direction):
            chosen = direction == number
            one = _windows(time_ns[chosen], Unknown(message("audit-histogram-windows")))
            done = block if isinstance(block, Unknown) else ios[chosen] * float(block)
            windows.setdefault(DIRECTIONS[number], Windows(one.window_ns, one.end_ns, done))
            if not isinstance(block, Unknown):
                totals[DIRECTIONS[number]] = totals.get(DIRECTIONS[number], 0) + int(ios[chosen].sum()) * block
    return Logged(block if isinstance(block, Unknown) else totals, windows)
