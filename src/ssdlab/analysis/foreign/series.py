"""Series that somebody else recorded, read as a series of the lab's own: logs of fio of any form, and tables of times and rates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.foreign.table import NOTHING_SAID, TableSaid, read_table
from ssdlab.analysis.foreign.units import RateUnit
from ssdlab.analysis.log.file import RATES, LogError, LogFile, LogFormat, LogKind, LogUnit, explained, identify
from ssdlab.analysis.log.rows import averaged_rows, clock_origin_ms
from ssdlab.analysis.log.series import WINDOW_MS, timeline
from ssdlab.analysis.log.summary import DIRECTIONS, cut_notes
from ssdlab.engine.result import Direction, Series
from ssdlab.message import Message, duration, message, number, size_decimal
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Times = NDArray[np.int64]

_FIO_LINE = re.compile(rb"\s*\d+\s*,\s*\d+\s*,\s*[012]\s*,\s*\d+")
_GAP = 1.5
"""Lines further apart than so many windows leave something out."""
_FIO_MISSING_MAX = 0.05
"""Share of the time for which fio may have logged nothing: windows in which nothing moved, as far as one can tell."""
_TABLE_MISSING_MAX = 0.01
"""Likewise of tables, in which a missing window may be anything."""
_IRREGULAR_MAX = 0.25
"""Share of the lines that may be nearer to the one before than half of the usual window, or further away by half of it."""
_RATE_MAX_BYTES_PER_S = 1e12
"""No drive does a terabyte a second: the unit is wrong."""
_WALL_CLOCK_NS = 10**12 * NS_PER_MS
"""Thirty years: times from here on are those of a clock."""
_WINDOWS_MIN = 20


@dataclass(frozen=True, slots=True)
class SeriesSaid:
    """What the caller says of the files, where they do not."""

    table: TableSaid = NOTHING_SAID
    kind: LogKind | None = None
    latency_unit: LogUnit | None = None
    block_bytes: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ForeignSeries:
    """What a drive wrote over time, by somebody else's record.

    Attributes:
        series: As the lab's own; latencies unknown throughout.
        names: The files, one a job.
        block_bytes: What was said of the size of an I/O.
        notes: What was made of the files that a reader must know.
        latency: Logs of latencies that came with them.
    """

    series: Series
    names: tuple[str, ...]
    block_bytes: int | None
    notes: tuple[Message, ...]
    latency: tuple[LogFile, ...] = ()

    @property
    def written_bytes(self) -> float:
        """All of it."""
        return float(self.series.bytes_done[-1])

    @property
    def lasted_ns(self) -> int:
        """From the beginning of the log to its end."""
        return int(self.series.time_ns[-1])


@dataclass(frozen=True, slots=True, eq=False)
class _Windows:
    """The windows of one job without holes; arrays of one length."""

    end_ns: "Times"
    bytes_per_s: "Values"
    window_ns: int
    begin_ns: int
    """Of the first one, as the file counts."""
    notes: tuple[Message, ...]


def read_series(paths: Sequence[Path], said: SeriesSaid) -> ForeignSeries:
    """The logs of all jobs of one run as one series of writes.

    Raises:
        LogError: A file cannot be read, does not say its units, or is too full of holes to be analysed.
    """
    paths = list({path.resolve(): path for path in paths}.values())
    logs = {path: identify(path, said.kind, said.latency_unit) for path in paths if _is_of_fio(path)}
    tables = [path for path in paths if path not in logs]
    rates = {kind: [path for path in paths if path in logs and logs[path].kind is kind] for kind in RATES}
    latency = [log for log in logs.values() if log.kind not in RATES]
    chosen = rates[LogKind.BANDWIDTH] or rates[LogKind.IOPS]
    if rates[LogKind.BANDWIDTH]:
        _require_same_jobs(rates[LogKind.BANDWIDTH], rates[LogKind.IOPS])
    if tables and (chosen or latency):
        raise LogError(message("analyse-tables-and-logs", path=str(tables[0])), message("analyse-one-form"))
    if not chosen and not tables:
        # Logs of every I/O tell the bytes as well.
        chosen = [log.path for log in latency[:1]] if len({log.kind for log in latency}) == 1 else []
        chosen = [log.path for log in latency] if chosen else []
        if not chosen:
            raise LogError(message("analyse-no-rates"), message("analyse-give-rates"))
    kind = logs[chosen[0]].kind if chosen else LogKind.BANDWIDTH
    jobs = [_of_table(path, said) for path in tables] or _of_fio(kind, chosen, said.block_bytes)
    series, notes = _together(jobs)
    names = tuple(str(path) for path in tables or chosen)
    return ForeignSeries(series, names, said.block_bytes, notes, tuple(latency))


def _require_same_jobs(bandwidth: Sequence[Path], iops: Sequence[Path]) -> None:
    """Logs of IOPS beside those of bandwidth tell nothing more, unless they are of other jobs.

    Raises:
        LogError: They are, and would be left out.
    """
    jobs = {_job(path) for path in bandwidth}
    apart = next((path for path in iops if _job(path) not in jobs), None)
    if apart is not None:
        raise LogError(message("analyse-other-job", path=str(apart)), message("analyse-one-kind"))


def _job(path: Path) -> str:
    """What the logs of one job have in common in their names."""
    return re.sub(r"(^|[_.-])(bw|iops)(?=[_.-])", "", re.sub(r"\.(gz|xz)$", "", path.name))


def _is_of_fio(path: Path) -> bool:
    if not path.is_file():
        # What cannot be read is said by what reads it.
        return True
    with explained(path):
        head = _core.read_fio_file(path, 4096)
    return bool(_FIO_LINE.match(head.removeprefix(b"\xef\xbb\xbf"))) or head.lstrip().startswith(b"{")


def _of_fio(kind: LogKind, paths: Sequence[Path], block_bytes: int | None) -> list[_Windows]:
    """The windows of each log."""
    files = [identify(path, kind, LogUnit.NANOSECONDS) for path in paths]
    if any(one.form is not LogFormat.LINES for one in files):
        raise LogError(message("analyse-no-rates"), message("analyse-give-rates"))
    origin_ms = clock_origin_ms(files)
    found = timeline(list(paths), WINDOW_MS, origin_ms)
    if not any(log.averaged for log in found.logs):
        each = [found] if len(paths) == 1 else [timeline([path], WINDOW_MS, origin_ms) for path in paths]
        # A job that only reads has no part in it.
        writing = [one for one in each if _written(one) is not None]
        if not writing:
            raise LogError(message("analyse-no-writes"))
        first_ns = min(map(_first_write_ns, writing))
        return [_of_every_io(one, first_ns) for one in writing]
    if kind not in RATES:
        raise LogError(message("analyse-no-rates"), message("analyse-give-rates"))
    factor = float(KIB) if kind is LogKind.BANDWIDTH else _block(block_bytes, paths[0])
    averaged = [windows for path in paths if (windows := _of_averages(path, factor, origin_ms)) is not None]
    if not averaged:
        raise LogError(message("analyse-no-writes"))
    return averaged


def _block(block_bytes: int | None, path: Path) -> float:
    """Bytes of an I/O.

    Raises:
        LogError: Nobody says.
    """
    if block_bytes is None:
        raise LogError(message("analyse-block-unsaid", path=str(path)), message("analyse-say-block"))
    return float(block_bytes)


def _written(found: "_core.FioTimeline") -> "Values | None":
    """Bytes written in each window; None if none are."""
    of_writes = (one for one in found.directions if DIRECTIONS[one.direction] is Direction.WRITE)
    moved = next((np.frombuffer(one.bytes, np.uint64).astype(np.float64) for one in of_writes), None)
    return None if moved is None or not moved.any() else moved


def _first_write_ns(found: "_core.FioTimeline") -> int:
    """When the first window with writes begins."""
    moved = _written(found)
    return 0 if moved is None else int(np.flatnonzero(moved)[0]) * found.window_ms * NS_PER_MS


def _of_every_io(found: "_core.FioTimeline", first_ns: int) -> _Windows:
    """The windows of one job, from its beginning: as long before its first write as that of the first job."""
    moved = _written(found)
    if moved is None:
        raise LogError(message("analyse-no-writes"))
    window_ns = found.window_ms * NS_PER_MS
    later = (_first_write_ns(found) - first_ns) // window_ns
    # The last window may not be whole, and nothing says how long it is.
    moved = moved[later : max(later + 1, len(moved) - 1)]
    ends = (np.arange(len(moved), dtype=np.int64) + 1) * window_ns
    return _Windows(ends, moved / window_ns * NS_PER_S, window_ns, later * window_ns, tuple(cut_notes(found.logs)))


def _of_averages(path: Path, factor: float, origin_ms: int | None) -> _Windows | None:
    """The windows of one job; None if it writes nothing."""
    rows = averaged_rows(path, origin_ms)
    own = rows.of(DIRECTIONS.index(Direction.WRITE))
    if not len(own.time_ms):
        return None
    time_ns, place = np.unique(own.time_ms * NS_PER_MS, return_inverse=True)
    value = np.zeros(len(time_ns))
    # Jobs that share a log (`per_job_logs=0`) have a line each.
    np.add.at(value, place, own.value * factor)
    return _without_holes(path, time_ns, value, _FIO_MISSING_MAX, rows.began_ms * NS_PER_MS, rows.notes)


def _of_table(path: Path, said: SeriesSaid) -> _Windows:
    rows = read_table(path, said.table)
    factor = rows.unit.in_bytes if rows.unit is not RateUnit.IOPS else _block(said.block_bytes, path)
    # What overflows is no speed: it is as unknown as what is not there.
    with np.errstate(over="ignore"):
        time_ns, value = rows.time_ns, rows.value * float(factor or 0)
    notes = [message("analyse-was-unordered", path=str(path))] if rows.unordered else []
    usual_ns = int(np.median(np.diff(time_ns)))
    if time_ns[0] == 0:
        # A first window that ends when nothing has begun is the beginning of one.
        notes.append(message("analyse-times-are-begins"))
        time_ns = np.append(time_ns[1:], time_ns[-1] + usual_ns)
    known = np.isfinite(value)
    unknown_ns = [len(part) * usual_ns for part in _runs(np.flatnonzero(~known))]
    if (~known).mean() > _TABLE_MISSING_MAX:
        raise _holes(path, float((~known).mean()), max(unknown_ns), _TABLE_MISSING_MAX)
    return _without_holes(path, time_ns[known], value[known], _TABLE_MISSING_MAX, 0, tuple(notes))


def _runs(places: "NDArray[np.intp]") -> "list[NDArray[np.intp]]":
    """Places that follow each other, together."""
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)


def _holes(path: Path, share: float, longest_ns: int, most: float) -> LogError:
    return LogError(
        message(
            "analyse-holes",
            path=str(path),
            share=number(share, ".1%"),
            longest=duration(longest_ns),
            most=number(most, ".0%"),
        ),
        message("analyse-whole-log"),
    )


def _without_holes(
    path: Path, time_ns: "Times", value: "Values", missing_max: float, began_ns: int, notes: tuple[Message, ...]
) -> _Windows:
    """Windows that follow each other: what is missing is counted as nothing written.

    Args:
        path: The file, for messages.
        time_ns: Ends of the windows.
        value: Bytes a second.
        missing_max: Share of the time.
        began_ns: When the log began in its run, as far as it says so.
        notes: What is already known of it.

    Raises:
        LogError: There are too few windows, of too different lengths, or too many are missing.
    """
    if len(time_ns) < _WINDOWS_MIN:
        raise LogError(
            message("analyse-few-windows", path=str(path), count=len(time_ns), least=_WINDOWS_MIN),
            message("analyse-finer-windows"),
        )
    if float(value.max()) > _RATE_MAX_BYTES_PER_S:
        fastest = size_decimal(float(value.max()))
        raise LogError(message("analyse-rate-impossible", path=str(path), fastest=fastest), message("analyse-is-unit"))
    gaps = np.diff(time_ns)
    usual_ns = max(1, int(np.median(gaps)))
    if float((np.abs(gaps / usual_ns - 1) > _GAP - 1).mean()) > _IRREGULAR_MAX:
        raise LogError(message("analyse-irregular", path=str(path)), message("analyse-even-windows"))
    begin_ns = int(max(0, time_ns[0] - usual_ns))
    if begin_ns - began_ns > _GAP * usual_ns and begin_ns < _WALL_CLOCK_NS:
        notes = (*notes, message("analyse-begins-late", path=str(path), at=duration(begin_ns)))
    holes = np.flatnonzero(gaps > _GAP * usual_ns)
    lost_ns = int((gaps[holes] - usual_ns).sum())
    share = lost_ns / max(1, int(time_ns[-1] - begin_ns))
    if share > missing_max:
        raise _holes(path, share, int(gaps[holes].max() - usual_ns), missing_max)
    if len(holes):
        most = float((value[holes + 1] * (gaps[holes] - usual_ns) / NS_PER_S).sum())
        notes = (*notes, message("analyse-missing", count=len(holes), lost=duration(lost_ns), bytes=size_decimal(most)))
    ends = np.insert(time_ns, holes + 1, time_ns[holes + 1] - usual_ns)
    rates = np.insert(value, holes + 1, 0.0)
    return _Windows(ends - begin_ns, rates, usual_ns, begin_ns, notes)


def _together(jobs: Sequence[_Windows]) -> tuple[Series, tuple[Message, ...]]:
    """Rates of several jobs added, on the windows of the one that has the longest, for as long as all of them last.

    Raises:
        LogError: They begin apart, so that the load changed meanwhile, or share too little time.
    """
    notes = tuple(dict.fromkeys(note for job in jobs for note in job.notes))
    if len(jobs) == 1:
        return _series(jobs[0].end_ns, jobs[0].bytes_per_s, jobs[0].window_ns), notes
    begin_ns = min(job.begin_ns for job in jobs)
    shifts = [job.begin_ns - begin_ns for job in jobs]
    window_ns = max(job.window_ns for job in jobs)
    lasted = [int(job.end_ns[-1]) + shift for job, shift in zip(jobs, shifts, strict=True)]
    if max(shifts) > max(_GAP * window_ns, _TABLE_MISSING_MAX * min(lasted)):
        raise LogError(message("analyse-jobs-apart", apart=duration(max(shifts))), message("analyse-one-run-a-call"))
    if min(lasted) + window_ns < max(lasted):
        notes = (*notes, message("analyse-job-ended", after=duration(min(lasted)), lasted=duration(max(lasted))))
    guide = max(zip(jobs, shifts, strict=True), key=lambda pair: (pair[0].window_ns, int(pair[0].end_ns[-1]) + pair[1]))
    edges = _shared_edges(guide[0].end_ns + guide[1], window_ns, min(lasted))
    total = np.zeros(len(edges))
    for job, shift in zip(jobs, shifts, strict=True):
        ends = np.append(0, job.end_ns)
        done = np.append(0.0, np.cumsum(job.bytes_per_s * np.diff(ends)) / NS_PER_S)
        total += np.interp(edges, ends + shift, done)
    rates = np.diff(total) / np.diff(edges) * NS_PER_S
    return _series(edges[1:], rates, window_ns), (*notes, message("analyse-jobs-added", count=len(jobs)))


def _shared_edges(ends_ns: "Times", window_ns: int, least_ns: int) -> "Times":
    """Where the windows of all jobs part, from the first beginning to the first end.

    Raises:
        LogError: There are too few.
    """
    before = np.arange(int(ends_ns[0]) - window_ns, window_ns // 2, -window_ns, dtype=np.int64)[::-1]
    edges = np.concatenate([[0], before, ends_ns])
    more = np.arange(int(edges[-1]) + window_ns, least_ns + window_ns, window_ns, dtype=np.int64)
    edges = np.append(edges, more)
    edges = edges[edges <= least_ns + window_ns // 2]
    if len(edges) <= _WINDOWS_MIN:
        raise LogError(
            message("analyse-few-shared-windows", count=len(edges) - 1, least=_WINDOWS_MIN),
            message("analyse-finer-windows"),
        )
    return edges


def _series(end_ns: "Times", bytes_per_s: "Values", window_ns: int) -> Series:
    unknown = np.full(len(end_ns), np.nan)
    return Series(window_ns, end_ns.astype(np.int64), bytes_per_s, unknown, unknown, unknown)
