"""The text CrystalDiskMark 7 to 9 save, and KDiskMark's after the same form.

Template: CrystalDiskMark 9.0.1, `DiskMarkDlg.cpp` (`SaveText`); KDiskMark 3, `mainwindow.cpp`.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, IOPS, LAT_MEAN
from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.encodings import text_in_any_encoding
from ssdlab.library.foreign.rates import marked_decimal, told_apart
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.message import Message, message, number
from ssdlab.point import CoordinateAxis, Load, Point
from ssdlab.units import NS_PER_US, parse_bytes
from ssdlab.unknown import Unknown

_CRYSTAL = re.compile(r"^CrystalDiskMark (?P<version>\d[\w.]*)(?P<edition>.*?)\(C\)", re.MULTILINE)
_KDISK = re.compile(r"^\s*KDiskMark \((?P<version>[^)]*)\)", re.MULTILINE)
_SECTION = re.compile(r"^\[(?:(?P<one>Read|Write)|Mix\] Read (?P<share>\d+) ?%.*|(?P<mix>Mix)\].*|Read\]|Write\])")
_ROW = re.compile(
    r"^\s*(?P<pattern>SEQ|RND|Sequential|Random)\s+(?P<size>\d+)\s*(?P<unit>[KM]iB)"
    r"\s*\(Q=\s*(?P<depth>\d+),\s*T=\s*(?P<jobs>\d+)\)\s*:\s*(?P<speed>[\d.,]+)\s*MB/s"
    r"\s*\[\s*(?P<iops>[\d.,]+)\s*IOPS\]\s*<\s*(?P<latency>[\d.,]+)\s*us>\s*$"
)
_FIELD = re.compile(r"^\s*(?P<name>Profile|Test|Mode|Time|Date|OS|Comment|Target)\s?: (?P<text>.*)$")
_TEST = re.compile(
    r"(?P<size>\d+ [GM]iB) \(x(?P<count>\d+)\)(?: \[(?P<drive>.+?): (?P<percent>[\d.]+)% \((?P<used>[\d.]+)/(?P<all>[\d.]+)(?P<unit>[KMGT]iB)\)\])?"
)
_TARGET = re.compile(r"(?P<percent>[\d.]+)% \([\d.]+/[\d.]+ [KMGT]iB\)$")
"""How full the file system was, as KDiskMark says since 3.2."""
_DATE = re.compile(r"(\d{4})[/-](\d\d?)[/-](\d\d?) (\d\d?):(\d\d):(\d\d)")
_LONGEST_LINE = 2_000


def _is_crystal(begin: bytes) -> bool:
    return re.search(rb"CrystalDiskMark \d", begin.replace(b"\0", b"")[:2000]) is not None


def _is_kdisk(begin: bytes) -> bool:
    return b"KDiskMark (" in begin[:2000]


def _read_crystal(name: str, content: bytes) -> Foreign:
    text = _bounded(name, content)
    head = _CRYSTAL.search(text)
    if head is None:
        raise ForeignError(message("foreign-cdm-heading", name=name))
    version = head["version"]
    if int(version.partition(".")[0]) < 7:
        raise ForeignError(message("foreign-cdm-version", name=name, version=version), message("foreign-cdm-readable"))
    return _foreign(
        name,
        text,
        program="CrystalDiskMark",
        version=version,
        cautions=(
            "the best of its runs and the least of their mean latencies, not a mean over runs",
            "every write repeats one random buffer: a drive that compresses or deduplicates looks faster",
            "a file in a file system, with the drive's write cache on",
        ),
    )


def _read_kdisk(name: str, content: bytes) -> Foreign:
    text = _bounded(name, content)
    head = _KDISK.search(text)
    if head is None:
        raise ForeignError(message("foreign-kdm-heading", name=name))
    return _foreign(
        name,
        text,
        program="KDiskMark",
        version=head["version"],
        cautions=(
            "its MB/s are thousands of KiB/s: 2.34 % less than bytes say; ssdlab takes IOPS times the block size",
            "a fast drive ends its file before the time is up",
            "a file in a file system, with the drive's write cache on",
        ),
    )


def _bounded(name: str, content: bytes) -> str:
    text = text_in_any_encoding(name, content)
    longest = max((len(line) for line in text.split("\n")), default=0)
    if longest > _LONGEST_LINE:
        raise ForeignError(message("foreign-cdm-long-line", name=name, longest=number(longest)))
    return text


def _foreign(name: str, text: str, *, program: str, version: str, cautions: tuple[str, ...]) -> Foreign:
    fields = {found["name"]: found["text"].strip() for line in text.split("\n") if (found := _FIELD.match(line))}
    test = _TEST.search(fields.get("Test", ""))
    numbers = told_apart(name, _numbers(text.split("\n"), _aggregate(program, fields, test), _BANDWIDTH_OF[program]))
    if not numbers:
        raise ForeignError(
            message("foreign-cdm-no-rows", name=name, program=program), message("foreign-save-after-test")
        )
    profile = fields.get("Profile", "unknown").replace("[+Mix]", "").strip()
    return Foreign(
        program=program,
        program_version=version,
        method=f"{profile}, {test['size']} x{test['count']}" if test else profile,
        numbers=numbers,
        measured_at=_moment(fields.get("Date", "")),
        capacity_bytes=Unknown(message("unknown-volume-size")),
        fill_percent=_fill_percent(test, fields.get("Target", "")),
        host=fields.get("OS", NOT_SAID),
        settings=tuple(fields.items()),
        cautions=cautions,
    )


def _fill_percent(test: re.Match[str] | None, target: str) -> float | Unknown:
    """CrystalDiskMark says it of the volume it tests, KDiskMark of the file system its target is in."""
    if test is not None and test["percent"] is not None:
        return float(test["percent"])
    found = _TARGET.search(target)
    return NOT_SAID if found is None else float(found["percent"])


def _aggregate(program: str, fields: dict[str, str], test: re.Match[str] | None) -> Message:
    is_mean = program == "KDiskMark" and fields.get("Profile", "").startswith("Default")
    if test is None:
        return message("metric-mean-of-all") if is_mean else message("metric-best-of-all")
    runs = int(test["count"])
    return message("metric-mean", runs=runs) if is_mean else message("metric-best", runs=runs)


def _from_speed(row: re.Match[str], _block_bytes: int) -> float:
    return marked_decimal(row["speed"]) * 1e6


def _from_iops(row: re.Match[str], block_bytes: int) -> float:
    return marked_decimal(row["iops"]) * block_bytes


_BANDWIDTH_OF: Mapping[str, Callable[[re.Match[str], int], float]] = {
    "CrystalDiskMark": _from_speed,
    # Its MB/s are fio's KiB/s by 1,000.
    "KDiskMark": _from_iops,
}


def _numbers(
    lines: list[str], note: Message, bandwidth_of: Callable[[re.Match[str], int], float]
) -> Iterator[ForeignNumber]:
    section = None
    for line in lines:
        if line.startswith("["):
            section = _section_of(line)
        elif section is not None and (row := _ROW.match(line)) is not None:
            yield from _row_numbers(section, row, note, bandwidth_of)


def _section_of(line: str) -> Direction | int | None:
    """Reads, writes, or the per cent of reads of a mixture."""
    found = _SECTION.match(line)
    if found is None:
        return None
    if found["one"]:
        return Direction(found["one"].lower())
    return int(found["share"]) if found["share"] else 70


def _row_numbers(
    section: Direction | int, row: re.Match[str], note: Message, bandwidth_of: Callable[[re.Match[str], int], float]
) -> Iterator[ForeignNumber]:
    iops = marked_decimal(row["iops"])
    if not iops:
        return
    sequential = row["pattern"].casefold().startswith("seq")
    block_bytes = parse_bytes(f"{row['size']} {row['unit']}")
    load = Load(Pattern.SEQUENTIAL if sequential else Pattern.RANDOM, block_bytes, int(row["depth"]), int(row["jobs"]))
    point, direction = Point("cdm").at(CoordinateAxis.PROFILE, load), None
    if isinstance(section, Direction):
        direction = section
    else:
        point = point.at(CoordinateAxis.NAMED_READ_PERCENT, section)
    yield ForeignNumber(
        key=MetricKey(point, BANDWIDTH, direction=direction),
        value=bandwidth_of(row, block_bytes),
        unit="B/s",
        note=note,
    )
    yield ForeignNumber(key=MetricKey(point, IOPS, direction=direction), value=iops, unit="1/s", note=note)
    yield ForeignNumber(
        key=MetricKey(point, LAT_MEAN, direction=direction),
        value=marked_decimal(row["latency"]) * NS_PER_US,
        unit="ns",
        note=note,
    )


def _moment(text: str) -> str | Unknown:
    found = _DATE.search(text)
    if found is None:
        return NOT_SAID
    year, month, day, hour, minute, second = (int(part) for part in found.groups())
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"


READERS = (
    Reader("CrystalDiskMark 7 to 9, saved text", _is_crystal, _read_crystal),
    Reader("KDiskMark, saved text", _is_kdisk, _read_kdisk),
)
