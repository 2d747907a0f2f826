"""What vdbench prints, also in its `logfile.html`, `summary.html` and `totals.html`, for raw devices and files of raw I/O.

Form: its user guide ("Output files", "summary report") and outputs of 5.04.07 that were published. Of each run definition the line
`avg_M-N` counts: it leaves the first interval out and is of all hosts and drives together. `MB/sec` are 2^20 bytes, as the heading says;
response times are milliseconds. Reports of file system operations have other columns and are refused.
"""

import html
import re
from collections.abc import Iterator, Mapping

from ssdlab.engine.result import Direction
from ssdlab.library.foreign.rates import Measured, decimal, numbers_of, told_apart, word
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.units import MIB, NS_PER_MS

_VERSION = re.compile(r"Vdbench distribution: vdbench(?P<version>\w+)")
_TAG = re.compile(r"<[^<>\n]{1,300}>")
_START = re.compile(r"Starting RD=(?P<name>[^;\n]{1,200}); (?:I/O rate|elapsed|[Ff]wdrate): ?(?P<rest>[^\n]*)$")
_LOOPS = re.compile(r"For loops: (?P<loops>[^;]+)")
_LIMIT = re.compile(r"I/O rate: (?P<rate>[^;]+);")
_FIRST_TITLES = re.compile(r"^(?:\w{3} \d{1,2}, \d{4}|[\d:.]+)? +interval +i/o +MB/sec +bytes +read +resp")
_SECOND_TITLES = re.compile(r"^ +rate +1024\*\*2 +i/o +pct +time")
_AVERAGE = re.compile(r"^(?:[\d:.]+ +)?avg_(?P<first>\d{1,6})-(?P<last>\d{1,6}) +(?P<cells>[\d.NaN ]+)$")
_FILE_SYSTEM = re.compile(r"interval +\.?ReqstdOps|FSD|fwd_")
_TITLES = (
    "rate", "mib", "bytes", "read_percent", "response", "read_response", "write_response", "read_max", "write_max", "stddev",
    "depth", "cpu", "system",
)  # fmt: skip
_OLD_TITLES = ("rate", "mib", "bytes", "read_percent", "response", "max", "stddev", "cpu", "system")
"""Of 5.03 and before."""


def _is_vdbench(begin: bytes) -> bool:
    return re.search(rb"Vdbench distribution|Starting RD=", begin) is not None


def _read(name: str, content: bytes) -> Foreign:
    lines = [html.unescape(_TAG.sub("", line)) for line in text_of(name, content).split("\n")]
    numbers = tuple(_numbers(lines))
    if not numbers:
        if any(_FILE_SYSTEM.search(line) for line in lines):
            raise ForeignError(message("import-vdbench-file-system", name=name), message("import-vdbench-raw"))
        raise ForeignError(message("import-vdbench-no-average", name=name), message("foreign-whole"))
    version = next((found["version"] for line in lines if (found := _VERSION.search(line))), NOT_SAID)
    return Foreign(
        program="vdbench",
        program_version=version,
        method=", ".join(dict.fromkeys(found["name"] for line in lines if (found := _START.search(line))))[:200],
        numbers=told_apart(name, numbers),
        cautions=(
            "the first interval of each run is left out, as its program does",
            *(("its rate was limited",) if any(_limit(line) for line in lines if _START.search(line)) else ()),
        ),
    )


def _numbers(lines: list[str]) -> Iterator[ForeignNumber]:
    run, known, seen = labelled("vdbench"), False, dict[str, int]()
    for before, line in zip(["", *lines], lines, strict=False):
        if (started := _START.search(line)) is not None:
            run = labelled("vdbench", word(started["name"]), *_loops(line), *_limit(line))
            seen[run.name] = seen.get(run.name, 0) + 1
        elif _SECOND_TITLES.match(line):
            known = _FIRST_TITLES.match(before) is not None
        elif known and run.coordinates and (found := _AVERAGE.match(line)) is not None:
            again = seen[run.name]
            yield from _average(run.at(CoordinateAxis.RUN, again) if again > 1 else run, found)


def _loops(start: str) -> tuple[str, ...]:
    """What tells runs of one definition with `forxx=` from each other."""
    found = _LOOPS.search(start)
    return () if found is None or found["loops"].strip() == "None" else (word(found["loops"]),)


def _limit(start: str) -> tuple[str, ...]:
    found = _LIMIT.search(start)
    return () if found is None or found["rate"].strip() == "Uncontrolled MAX" else (f"rate_{word(found['rate'])}",)


def _average(point: Point, found: re.Match[str]) -> Iterator[ForeignNumber]:
    cells = found["cells"].split()
    titles = {len(_TITLES): _TITLES, len(_OLD_TITLES): _OLD_TITLES}.get(len(cells))
    if titles is None:
        raise ValueError(f"{len(cells)} columns")
    if int(found["last"]) < int(found["first"]):
        # There was one interval only, and nothing is left.
        return
    said = dict(zip(titles, cells, strict=True))
    iops, read_share = decimal(said["rate"]), decimal(said["read_percent"]) / 100
    if not iops:
        return
    note = f"mean of intervals {found['first']} to {found['last']}"
    only = {1.0: Direction.READ, 0.0: Direction.WRITE}.get(read_share)
    yield from numbers_of(
        Measured(
            point=point,
            direction=only,
            bandwidth_bytes_per_s=_bandwidth(said),
            iops=iops,
            lat_mean_ns=decimal(said["response"]) * NS_PER_MS,
            note=note,
        )
    )
    if only is None and "read_response" in said:
        for direction, way in ((Direction.READ, "read"), (Direction.WRITE, "write")):
            yield from numbers_of(
                Measured(
                    point=point,
                    direction=direction,
                    lat_mean_ns=decimal(said[f"{way}_response"]) * NS_PER_MS,
                    lat_max_ns=decimal(said[f"{way}_max"]) * NS_PER_MS,
                    note=note,
                )
            )


def _bandwidth(said: Mapping[str, str]) -> float:
    """I/Os a second times bytes an I/O where the printed MB/s, which have two decimals, agree with them."""
    printed, worked_out = decimal(said["mib"]) * MIB, decimal(said["rate"]) * decimal(said["bytes"])
    return worked_out if abs(worked_out - printed) < 0.02 * MIB + 0.01 * printed else printed


READERS = (Reader("vdbench, printed text and reports", _is_vdbench, _read),)
