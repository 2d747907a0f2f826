"""The text CrystalDiskMark 3 to 6 save: one row for a load and a direction, without sections and without latencies.

Form: the template in the source of 3.0.2 (`DiskMarkDlg.cpp`), and results of 3, 5 and 6 that were published. A `MB/s` is 10^6 bytes, as
the heading says; sizes of blocks and of the test file are powers of two, also where 3 writes KB and MB. How large the sequential blocks
of 5 and 6 are the text does not say.
"""

import re
from collections.abc import Iterator

from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.encodings import text_in_any_encoding
from ssdlab.library.foreign.rates import Measured, decimal, load_point, marked_decimal, numbers_of, told_apart
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.message import message
from ssdlab.point import Load, Point, labelled
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

_HEAD = re.compile(r"CrystalDiskMark (?P<version>[3-6]\.\d[\w.]*)")
_ROW = re.compile(
    r"^\s*(?P<pattern>Sequential|Random) (?P<direction>Read|Write)"
    r"(?: (?P<size>\d{1,6}) ?Ki?B)?(?: ?\((?P<load>[QDT= ,\d]{1,30})\))?\s*:"
    r"\s*(?P<speed>[\d.,]{1,20}[.,]\d{1,3}) MB/s(?: \[\s*(?P<iops>[\d.,]{1,20}[.,]\d) IOPS\])?\s*$"
)
_BEGINS_ROW = re.compile(r"^\s*(?:Sequential|Random) (?:Read|Write)\b")
_DEPTH = re.compile(r"QD?= *(?P<depth>\d{1,4})")
_JOBS = re.compile(r"T= *(?P<jobs>\d{1,4})")
_TEST = re.compile(
    r"^\s*Test ?: (?P<size>\d+ [MG]i?B) \[(?P<drive>[^:\]]*): (?P<percent>\d{1,3}[.,]\d)% \([^)]*\)\] \(x(?P<count>\d+)\)(?P<mode>.*)$"
)
_DATE = re.compile(r"^\s*Date ?: (\d{4})/(\d\d)/(\d\d) (\d\d?):(\d\d):(\d\d)\s*$")
_OS = re.compile(r"^\s*OS ?: (?P<text>.+)$")
_LONGEST_LINE = 2_000


def _is_old_crystal(begin: bytes) -> bool:
    return re.search(rb"CrystalDiskMark [3-6]\.\d", begin.replace(b"\0", b"")[:2000]) is not None


def _read(name: str, content: bytes) -> Foreign:
    lines = [line for line in text_in_any_encoding(name, content).split("\n") if len(line) < _LONGEST_LINE]
    head = next((found for line in lines if (found := _HEAD.search(line))), None)
    if head is None:
        raise ForeignError(message("foreign-cdm-heading", name=name))
    test = next((found for line in lines if (found := _TEST.match(line))), None)
    date = next((found for line in lines if (found := _DATE.match(line))), None)
    system = next((found["text"] for line in lines if (found := _OS.match(line))), NOT_SAID)
    numbers = told_apart(name, (number for line in lines if _BEGINS_ROW.match(line) for number in _numbers(_row(line))))
    if not numbers:
        raise ForeignError(
            message("foreign-cdm-no-rows", name=name, program="CrystalDiskMark"), message("foreign-save-after-test")
        )
    return Foreign(
        program="CrystalDiskMark",
        program_version=head["version"],
        method="unknown" if test is None else f"{test['size']} x{test['count']}",
        numbers=numbers,
        measured_at=NOT_SAID if date is None else _moment(date),
        capacity_bytes=Unknown(message("unknown-volume-size")),
        fill_percent=NOT_SAID if test is None else decimal(_pointed(test["percent"])),
        host=system,
        cautions=(
            "the best of its runs, not a mean over runs",
            "a file in a file system, with the drive's write cache on",
            *(
                ("of zeros: a drive that compresses looks faster",)
                if test is not None and "0" in test["mode"].partition("Interval")[0]
                else ()
            ),
        ),
    )


def _moment(found: re.Match[str]) -> str:
    year, month, day, hour, minute, second = found.groups()
    return f"{year}-{month}-{day}T{hour.zfill(2)}:{minute}:{second}"


def _pointed(text: str) -> str:
    """With the point that the language of Windows may have made a comma."""
    return text.replace(",", ".")


def _row(line: str) -> re.Match[str]:
    row = _ROW.match(line)
    if row is None:
        raise ValueError(f"no row: {line.strip()[:80]!r}")
    return row


def _numbers(row: re.Match[str]) -> Iterator[ForeignNumber]:
    """A load that was not run is 0."""
    speed = marked_decimal(row["speed"])
    if speed:
        yield from numbers_of(
            Measured(
                point=_point(row),
                direction=Direction(row["direction"].lower()),
                bandwidth_bytes_per_s=speed * 1e6,
                iops=None if row["iops"] is None else marked_decimal(row["iops"]),
            )
        )


def _point(row: re.Match[str]) -> Point:
    said = row["load"] or ""
    depth, jobs = _DEPTH.search(said), _JOBS.search(said)
    depth_of, jobs_of = int(depth["depth"]) if depth else 1, int(jobs["jobs"]) if jobs else 1
    if row["size"] is None:
        return labelled("cdm", f"seq_q{depth_of}t{jobs_of}")
    pattern = Pattern.SEQUENTIAL if row["pattern"] == "Sequential" else Pattern.RANDOM
    return load_point("cdm", Load(pattern, int(row["size"]) * KIB, depth_of, jobs_of))


READERS = (Reader("CrystalDiskMark 3 to 6, saved text", _is_old_crystal, _read),)
