"""The text AS SSD Benchmark saves: a sample of version 2.0 is in the tests."""

import re
from collections.abc import Iterator

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, LAT_MEAN, Quantity
from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, Load, Point, labelled
from ssdlab.units import KIB, MIB, NS_PER_MS

_HEAD = re.compile(r"^AS SSD Benchmark (?P<version>[\d.]+)")
_FIELD = re.compile(r"^(?P<name>Name|Firmware|Controller|Offset|Size|Date): (?P<text>.*)$")
_SECTION = re.compile(r"^(?P<name>Sequential|4K|4K-64Threads|Access Times|Score):$")
_VALUE = re.compile(r"^(?P<what>Read|Write|Total): (?P<number>[\d.,]+)(?: (?P<unit>MB/s|ms|iops))?$")
_SPEEDS = {
    "Sequential": Load(Pattern.SEQUENTIAL, 16 * MIB, queue_depth=1, jobs=1),
    "4K": Load(Pattern.RANDOM, 4 * KIB, queue_depth=1, jobs=1),
    "4K-64Threads": Load(Pattern.RANDOM, 4 * KIB, queue_depth=1, jobs=64),
}


def _is_as_ssd(begin: bytes) -> bool:
    return b"AS SSD Benchmark " in begin[:200].replace(b"\0", b"")


def _read(name: str, content: bytes) -> Foreign:
    lines = text_of(name, content).split("\n")
    head = _HEAD.match(lines[0])
    if head is None:
        raise ForeignError(message("foreign-as-ssd-heading", name=name))
    fields = {found["name"]: found["text"].strip() for line in lines if (found := _FIELD.match(line))}
    numbers = tuple(_numbers(lines))
    if not numbers:
        raise ForeignError(message("foreign-nothing-above-zero", name=name), message("foreign-save-after-test"))
    return Foreign(
        program="AS SSD Benchmark",
        program_version=head["version"],
        method="default",
        numbers=numbers,
        measured_at=_moment(fields.get("Date", "")) or NOT_SAID,
        model=fields.get("Name") or NOT_SAID,
        firmware=fields.get("Firmware") or NOT_SAID,
        settings=tuple(fields.items()),
        cautions=(
            "its MB are 2^20 bytes",
            "a file in a file system; the write access time is of 512-byte writes within 1 GB",
        ),
    )


def _moment(text: str) -> str | None:
    found = re.fullmatch(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?:\d\d:\d\d)", text)
    if found is None:
        return None
    year, month, day, clock = found.groups()
    return f"{year}-{int(month):02}-{int(day):02}T{clock.zfill(8)}"


def _numbers(lines: list[str]) -> Iterator[ForeignNumber]:
    section = ""
    for line in lines:
        if (begun := _SECTION.match(line)) is not None:
            section = begun["name"]
        elif section and (found := _VALUE.match(line)) is not None:
            value = float(found["number"].replace(",", "."))
            if value:
                yield from _number(section, found["what"].lower(), value, found["unit"])


def _key(point: Point, what: str, quantity: Quantity) -> MetricKey:
    if what in {Direction.READ.value, Direction.WRITE.value}:
        return MetricKey(point, quantity, direction=Direction(what))
    return MetricKey(point.at(CoordinateAxis.LABEL, what), quantity)


def _number(section: str, what: str, value: float, unit: str | None) -> Iterator[ForeignNumber]:
    if section in _SPEEDS and unit == "MB/s":
        yield ForeignNumber(
            key=_key(Point("as_ssd").at(CoordinateAxis.PROFILE, _SPEEDS[section]), what, BANDWIDTH),
            value=value * MIB,
            unit="B/s",
        )
    elif section == "Access Times" and unit == "ms":
        yield ForeignNumber(key=_key(labelled("as_ssd", "access"), what, LAT_MEAN), value=value * NS_PER_MS, unit="ns")
    elif section == "Score":
        yield ForeignNumber(key=MetricKey(labelled("as_ssd", "score"), Quantity(what)), value=value, unit="")


READERS = (Reader("AS SSD Benchmark, saved text", _is_as_ssd, _read),)
