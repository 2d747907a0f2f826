"""The `iob-log-*.csv` of SSD-iq's load generator: a row a second, several runs after each other.

Form: `iob.cpp` of SSD-iq, and the logs published with the paper, which older versions wrote: without `prefix`, `threads` and `iodepth`. Counts are of all threads since the run began; `physicalMediaUnitsWrittenBytes` is the drive's own counter from
its OCP log, 0 where it has none, and is renewed by some drives every few minutes only. So rates and the write amplification are taken
over whole runs, between the rows where they are known.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import WRITE_AMPLIFICATION
from ssdlab.engine.result import Direction
from ssdlab.library.foreign.rates import Measured, decimal, numbers_of, told_apart, word
from ssdlab.library.foreign.result import Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message, number
from ssdlab.point import CoordinateAxis, Point
from ssdlab.unknown import Unknown

_FIRST_TITLES = re.compile(rb"stat,type,(prefix,)?hash,time,exacttime,device,")
_ROWS_MAX = 1_000_000
_MEDIA = "physicalMediaUnitsWrittenBytes"
_OF_ONE_RUN = ("hash", "device", "pattern", "rate", "bs", "threads", "iodepth")
"""What does not change within a run, as far as the log says it."""
_SETTINGS = ("filesizeGib", "fill", "pattern", "patternDetails", "rate", "writepercent")
Row = Mapping[str, str]


def _is_ssd_iq(begin: bytes) -> bool:
    return bool(_FIRST_TITLES.match(begin.removeprefix(b"\xef\xbb\xbf")))


def _read(name: str, content: bytes) -> Foreign:
    whole: list[Row] = []
    try:
        for order, row in enumerate(csv.DictReader(io.StringIO(text_of(name, content)), skipinitialspace=True)):
            if order >= _ROWS_MAX:
                raise ForeignError(message("import-too-many-rows", name=name, most=number(_ROWS_MAX)))
            if _is_whole(row):
                whole.append(row)
    except csv.Error as error:
        raise ForeignError(message("foreign-no-csv", name=name, error=str(error))) from error
    long_enough = [rows for rows in _runs(whole) if len(rows) > 1]
    numbers = [
        found
        for order, rows in enumerate(long_enough, 1)
        for found in _numbers(rows, _point(rows[0], order if len(long_enough) > 1 else None))
    ]
    if not numbers:
        raise ForeignError(message("import-ssd-iq-no-rows", name=name), message("foreign-whole"))
    return Foreign(
        program="SSD-iq",
        program_version=Unknown(message("unknown-its-logs-silent")),
        method=", ".join(dict.fromkeys(rows[0]["pattern"] for rows in long_enough))[:200],
        numbers=told_apart(name, numbers),
        settings=tuple((title, long_enough[0][0][title][:200]) for title in _SETTINGS),
        cautions=("rates are means over a whole run, its beginning included",),
    )


def _is_whole(row: Mapping[str | Any, str | Any]) -> bool:
    """The last row may be cut off, and each run of the program adds its own."""
    return None not in row and None not in row.values() and row["stat"] == "keep"


def _runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows of one load until its time begins again, as it does where runs share a hash."""
    runs: list[list[Row]] = []
    newest: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        load = tuple(row.get(title, "") for title in _OF_ONE_RUN)
        run = newest.get(load)
        if run is None or decimal(row["time"]) < decimal(run[-1]["time"]):
            run = newest[load] = []
            runs.append(run)
        run.append(row)
    return runs


def _point(row: Row, order: int | None) -> Point:
    point = Point("ssd_iq").at(CoordinateAxis.LABEL, word(row["pattern"])).at(CoordinateAxis.BLOCK, int(row["bs"]))
    if "iodepth" in row:
        point = point.at(CoordinateAxis.QUEUE_DEPTH, int(row["iodepth"])).at(CoordinateAxis.JOBS, int(row["threads"]))
    return point if order is None else point.at(CoordinateAxis.RUN, order)


def _numbers(rows: Sequence[Row], point: Point) -> Iterator[ForeignNumber]:
    took_s = decimal(rows[-1]["exacttime"]) - decimal(rows[0]["exacttime"])
    block_bytes = int(rows[0]["bs"])
    for before, after in pairwise(rows):
        if decimal(after["exacttime"]) < decimal(before["exacttime"]):
            raise ValueError("exacttime fell")
        for title in ("readsTotal", "writesTotal"):
            _grown(before, after, title)
    for direction, title in ((Direction.READ, "readsTotal"), (Direction.WRITE, "writesTotal")):
        count = _grown(rows[0], rows[-1], title)
        if count:
            yield from numbers_of(
                Measured(
                    point=point,
                    direction=direction,
                    bandwidth_bytes_per_s=count / took_s * block_bytes,
                    iops=count / took_s,
                    note=f"of {len(rows)} rows",
                )
            )
    yield from _amplification(rows, point, block_bytes)


def _grown(first: Row, last: Row, title: str) -> int:
    count = int(last[title]) - int(first[title])
    if count < 0:
        raise ValueError(f"{title} fell")
    return count


def _amplification(rows: Sequence[Row], point: Point, block_bytes: int) -> Iterator[ForeignNumber]:
    """Between the first and the last renewal of the drive's counter, so that both counts are of the same time."""
    renewed = [row for before, row in pairwise(rows) if int(row[_MEDIA]) > int(before[_MEDIA]) > 0]
    if len(renewed) > 1:
        media_bytes = _grown(renewed[0], renewed[-1], _MEDIA)
        host_bytes = _grown(renewed[0], renewed[-1], "writesTotal") * block_bytes
        if host_bytes:
            key = MetricKey(point, WRITE_AMPLIFICATION)
            yield ForeignNumber(key=key, value=media_bytes / host_bytes, unit="", note="by the drive's own counter")


READERS = (Reader("SSD-iq, iob-log CSV", _is_ssd_iq, _read),)
