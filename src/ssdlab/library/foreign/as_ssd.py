"""The text AS SSD Benchmark saves: a sample of version 2.0 is in the tests."""

import re
from collections.abc import Iterator

from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, Number, Reader, text_of
from ssdlab.units import MIB, NS_PER_MS

_HEAD = re.compile(r"^AS SSD Benchmark (?P<version>[\d.]+)")
_FIELD = re.compile(r"^(?P<name>Name|Firmware|Controller|Offset|Size|Date): (?P<text>.*)$")
_SECTION = re.compile(r"^(?P<name>Sequential|4K|4K-64Threads|Access Times|Score):$")
_VALUE = re.compile(r"^(?P<what>Read|Write|Total): (?P<number>[\d.,]+)(?: (?P<unit>MB/s|ms|iops))?$")
_SPEEDS = {"Sequential": "seq16m_q1t1", "4K": "rnd4k_q1t1", "4K-64Threads": "rnd4k_q1t64"}


def _is_as_ssd(begin: bytes) -> bool:
    return b"AS SSD Benchmark " in begin[:200].replace(b"\0", b"")


def _read(name: str, content: bytes) -> Foreign:
    lines = text_of(name, content).split("\n")
    head = _HEAD.match(lines[0])
    if head is None:
        raise ForeignError(f"`{name}` does not begin with `AS SSD Benchmark` and a version")
    fields = {found["name"]: found["text"].strip() for line in lines if (found := _FIELD.match(line))}
    numbers = tuple(_numbers(lines))
    if not numbers:
        raise ForeignError(f"`{name}` has no result above 0", "save the text after a test has finished")
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


def _numbers(lines: list[str]) -> Iterator[Number]:
    section = ""
    for line in lines:
        if (begun := _SECTION.match(line)) is not None:
            section = begun["name"]
        elif section and (found := _VALUE.match(line)) is not None:
            value = float(found["number"].replace(",", "."))
            if value:
                yield from _number(section, found["what"].lower(), value, found["unit"])


def _number(section: str, what: str, value: float, unit: str | None) -> Iterator[Number]:
    if section in _SPEEDS and unit == "MB/s":
        yield Number(name=f"as_ssd.{_SPEEDS[section]}.{what}.bandwidth", value=value * MIB, unit="B/s")
    elif section == "Access Times" and unit == "ms":
        yield Number(name=f"as_ssd.access.{what}.lat_mean", value=value * NS_PER_MS, unit="ns")
    elif section == "Score":
        yield Number(name=f"as_ssd.score.{what}", value=value, unit="")


READERS = (Reader("AS SSD Benchmark, saved text", _is_as_ssd, _read),)
