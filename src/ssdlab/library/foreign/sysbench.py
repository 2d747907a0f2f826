"""What `sysbench fileio run` prints, of versions 0.4 to 1.1.

Form of 1.0: the program itself, run for the sample in the tests. Form of the others: `sb_fileio.c` and `sb_logger.c`.
Its MiB are 2^20 bytes, as are the `Mb` of 0.4 and 0.5, where the rates are worked out from the counts. Its latencies are of reads,
writes and fsyncs together, in milliseconds with two decimals.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ssdlab.engine.result import Direction
from ssdlab.library.foreign.rates import Measured, decimal, enough_above, numbers_of, told_apart, word
from ssdlab.library.foreign.result import Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.units import KIB, MIB, NS_PER_MS

_HEAD = re.compile(r"^sysbench (?P<version>\d+\.\d+[\w.-]*)(?: \(|:)", re.MULTILINE)
_MODES: Mapping[str, str] = MappingProxyType(
    {
        "sequential write (creation)": "seqwr",
        "sequential rewrite": "seqrewr",
        "sequential read": "seqrd",
        "random read": "rndrd",
        "random write": "rndwr",
        "random r/w": "rndrw",
    }
)
_PRINTED_STEP = 0.006
"""Half of the last of two decimals, and a little."""
_MODE = re.compile(r"^Doing (?P<mode>[a-z/ ()]+) test$", re.MULTILINE)
_THREADS = re.compile(r"^Number of threads: (?P<threads>\d{1,6})$", re.MULTILINE)
_BLOCK = re.compile(r"^Block size (?P<size>\d{1,9})(?P<unit>B|Kb|Mb|KiB|MiB|)$", re.MULTILINE | re.IGNORECASE)
_UNITS: Mapping[str, int] = MappingProxyType({"": 1, "b": 1, "kb": KIB, "kib": KIB, "mb": MIB, "mib": MIB})
_RATE = re.compile(
    r"^ +(?P<what>reads/s|writes/s|read, MiB/s|written, MiB/s): +(?P<value>[\d.]+)$",
    re.MULTILINE,
)
_NEW_RATE = re.compile(
    r"^ +(?P<way>read|write): +IOPS=(?P<iops>[\d.]+) (?P<mib>[\d.]+) MiB/s \([\d.]+ MB/s\)$", re.MULTILINE
)
_COUNTS = re.compile(
    r"^Operations performed: +(?P<reads>\d{1,15}) [Rr]eads?, (?P<writes>\d{1,15}) [Ww]rites?,", re.MULTILINE
)
_TIME = re.compile(r"^ +total time: +(?P<seconds>[\d.]+)s$", re.MULTILINE)
_EVENTS = re.compile(r"^ +total number of events: +(?P<events>\d{1,15})$", re.MULTILINE)
_LATENCY = re.compile(r"^ +(?P<what>avg|max): +(?P<value>[\d.]+)(?:ms)?$", re.MULTILINE)
_PERCENTILE = re.compile(
    r"^ +(?:approx\. +)?(?P<percent>\d{1,2})(?:th)? percentile: +(?P<value>[\d.]+)(?:ms)?$", re.MULTILINE
)
_FLAGS = re.compile(r"^Extra file open flags: (?P<flags>[^\n]{1,200})$", re.MULTILINE)
_LIMIT = re.compile(r"^Target transaction rate: (?P<rate>[^\n]{1,40})$", re.MULTILINE)
_FILES = re.compile(r"^(?P<line>\d+ files, .*|.*fsync\(\).*|Using .* I/O mode)$", re.MULTILINE)


def _is_sysbench(begin: bytes) -> bool:
    return re.search(rb"^sysbench \d", begin.replace(b"\0", b"").replace(b"\r", b"\n"), re.MULTILINE) is not None


def _read(name: str, content: bytes) -> Foreign:
    text = text_of(name, content)
    heads = list(_HEAD.finditer(text))
    runs = [
        text[begin.start() : end]
        for begin, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True)
    ]
    whole = [run for run in runs if _MODE.search(run) and any(rate.search(run) for rate in (_NEW_RATE, _RATE, _COUNTS))]
    if not whole:
        raise ForeignError(message("import-sysbench-no-fileio", name=name), message("import-sysbench-run"))
    numbers = [
        number
        for order, run in enumerate(whole, 1)
        for number in _numbers(run, _point(run) if len(whole) == 1 else _point(run).at(CoordinateAxis.RUN, order))
    ]
    return Foreign(
        program="sysbench",
        program_version=heads[0]["version"],
        method=", ".join(dict.fromkeys(_mode(run) for run in whole)),
        numbers=told_apart(name, numbers),
        settings=tuple((f"line{order}", found["line"]) for order, found in enumerate(_FILES.finditer(whole[0]), 1)),
        cautions=(
            "files in a file system, through the cache of the operating system unless a flag says otherwise",
            "latencies are of reads, writes and flushes together, in steps of 10 µs",
            *(("its rate was limited",) if any(_LIMIT.search(run) for run in whole) else ()),
            *(("runs that ended without a result are left out",) if len(whole) < len(runs) else ()),
        ),
    )


def _mode(run: str) -> str:
    found = _MODE.search(run)
    if found is None or found["mode"] not in _MODES:
        raise ValueError("no test mode")
    return _MODES[found["mode"]]


def _point(run: str) -> Point:
    found = _THREADS.search(run)
    if found is None:
        raise ValueError("no number of threads")
    point = labelled("sysbench", _mode(run), *_labels(run)).at(CoordinateAxis.BLOCK, _block_bytes(run))
    return point.at(CoordinateAxis.JOBS, int(found["threads"]))


def _labels(run: str) -> Iterator[str]:
    """How its files were opened, and what limited it, where that is not as usual."""
    flags, limit = _FLAGS.search(run), _LIMIT.search(run)
    if flags is not None and flags["flags"] not in {"(none)", "0"}:
        yield f"flags_{word(flags['flags'])}"
    if limit is not None:
        yield f"rate_{word(limit['rate'])}"


def _block_bytes(run: str) -> int:
    found = _BLOCK.search(run)
    if found is None:
        raise ValueError("no block size")
    return int(found["size"]) * _UNITS[found["unit"].lower()]


def _numbers(run: str, point: Point) -> Iterator[ForeignNumber]:
    iops, bytes_per_s = _rates(run)
    for direction in (Direction.READ, Direction.WRITE):
        if iops[direction]:
            yield from numbers_of(
                Measured(
                    point=point,
                    direction=direction,
                    bandwidth_bytes_per_s=bytes_per_s[direction],
                    iops=iops[direction],
                )
            )
    yield from _latencies(run, point)


def _rates(run: str) -> tuple[dict[Direction, float], dict[Direction, float]]:
    """I/Os and bytes a second of all threads together."""
    block_bytes = _block_bytes(run)
    new = {Direction(found["way"]): found for found in _NEW_RATE.finditer(run)}
    if new:
        return (
            {direction: decimal(found["iops"]) for direction, found in new.items()},
            {direction: _bandwidth(found["iops"], found["mib"], block_bytes) for direction, found in new.items()},
        )
    said = {found["what"]: found["value"] for found in _RATE.finditer(run)}
    if said:
        return (
            {Direction.READ: decimal(said["reads/s"]), Direction.WRITE: decimal(said["writes/s"])},
            {
                Direction.READ: _bandwidth(said["reads/s"], said["read, MiB/s"], block_bytes),
                Direction.WRITE: _bandwidth(said["writes/s"], said["written, MiB/s"], block_bytes),
            },
        )
    counts, time = _COUNTS.search(run), _TIME.search(run)
    if counts is None or time is None:
        raise ValueError("no counts, or no time")
    seconds = decimal(time["seconds"])
    iops = {
        Direction.READ: int(counts["reads"]) / seconds,
        Direction.WRITE: int(counts["writes"]) / seconds,
    }
    return iops, {direction: rate * block_bytes for direction, rate in iops.items()}


def _bandwidth(iops: str, mib_per_s: str, block_bytes: int) -> float:
    """Blocks a second where they agree with the MiB, of which two decimals are printed and slow rates have none left."""
    of_blocks, printed = decimal(iops) * block_bytes, decimal(mib_per_s) * MIB
    return of_blocks if abs(of_blocks - printed) <= _PRINTED_STEP * (MIB + block_bytes) else printed


def _latencies(run: str, point: Point) -> Iterator[ForeignNumber]:
    """Of all that the threads did, which no direction can be told from."""
    said = {found["what"]: decimal(found["value"]) * NS_PER_MS for found in _LATENCY.finditer(run)}
    events = _EVENTS.search(run)
    percentiles = {
        found["percent"]: decimal(found["value"]) * NS_PER_MS
        for found in _PERCENTILE.finditer(run)
        if events is not None and enough_above(found["percent"], int(events["events"]))
    }
    yield from numbers_of(
        Measured(
            point=point,
            lat_mean_ns=said.get("avg"),
            lat_max_ns=said.get("max"),
            lat_percentiles_ns=percentiles,
            note="of reads, writes and flushes together",
        )
    )


READERS = (Reader("sysbench fileio 0.4 to 1.1, printed text", _is_sysbench, _read),)
