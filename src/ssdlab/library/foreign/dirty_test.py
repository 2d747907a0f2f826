"""Logs of Naraeon Dirty Test: speed against what is left of the drive, as text or as CSV.

Form: ndtest 6.0.3, `Tester.ToView.pas` (Windows, in Korean), and its port to macOS, `DirtyTestCore.swift` (half in English).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH_MEAN, BANDWIDTH_MEDIAN, BANDWIDTH_MIN, Quantity
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message, number
from ssdlab.point import Point
from ssdlab.units import MIB, parse_bytes
from ssdlab.unknown import Unknown

_NAMES = ("나래온 더티 테스트", "DirtyTest (macOS")
_VERSION = re.compile(r"나래온 더티 테스트 (?P<version>\d[\d.]*)")
_ROW = re.compile(r"^(?P<left>\d{1,3}(?:\.\d+)?)% (?:에서의 속도 :|at) (?P<speed>\d+) ?MiB/s$")
_CSV = re.compile(r"^(?P<left>\d{1,3}(?:\.\d+)?),(?P<speed>\d+)$")
_SAID = re.compile(r"^(?P<name>테스트 일시|모델명|전체 용량|최대 속도|최소 속도|평균 속도) : ?(?P<text>.+)$")
_MODEL = re.compile(r"^모델명 ?: (?P<text>.+)$")
_SLOW = re.compile(r"^평균 속도 50% 미만 구간 : (?P<percent>[\d.]+)%$")
_BEGINS = ("테스트 회차 :", "Cycle:")
_DATE = re.compile(r"(\d{4})[/.-] ?(\d\d)[/.-] ?(\d\d) (\d\d):(\d\d)")
_ROWS_MIN = 5
_FASTEST_MIB_PER_S = 1_000_000
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class _Row:
    """What was free of the drive, and the speed of the 8 MiB written then."""

    left_percent: float
    mib_per_s: float


def _is_log(begin: bytes) -> bool:
    text = begin.decode("utf-8", "ignore")
    if any(name in text[:500] for name in _NAMES):
        return True
    lines = [line for line in text.lstrip("\ufeff").splitlines()[:200] if line.strip()]
    return len(lines) >= _ROWS_MIN and all(_CSV.match(line.strip()) for line in lines[:_ROWS_MIN])


def _read(name: str, content: bytes) -> Foreign:
    lines = [line.strip() for line in text_of(name, content).split("\n") if len(line) < _LONGEST_LINE]
    head = _VERSION.search("\n".join(lines[:5]))
    cycles = list(_cycles(lines))
    rows = _rows(cycles[-1])
    if len(rows) < _ROWS_MIN:
        raise ForeignError(message("foreign-dirty-few-rows", name=name, rows=len(rows)))
    most, fastest = max(row.left_percent for row in rows), max(row.mib_per_s for row in rows)
    if most > 100 or fastest > _FASTEST_MIB_PER_S:
        raise ForeignError(
            message("foreign-dirty-impossible", name=name, most=number(most, "g"), fastest=number(fastest, "g"))
        )
    said = {found["name"]: found["text"] for line in cycles[-1] if (found := _SAID.match(line))}
    of_many = f", the last of {len(cycles)} passes" if len(cycles) > 1 else ""
    return Foreign(
        program="Naraeon Dirty Test",
        program_version=Unknown(message("unknown-its-logs-silent")) if head is None else head["version"],
        method=f"{len(rows)} rows{of_many}",
        numbers=(*_speeds(said, rows), _slow(cycles[-1], rows)),
        measured_at=_moment(said.get("테스트 일시", "")),
        model=next((found["text"] for line in cycles[-1] if (found := _MODEL.match(line))), NOT_SAID),
        capacity_bytes=parse_bytes(said["전체 용량"]) if "전체 용량" in said else NOT_SAID,
        cautions=(
            "one buffer of random data is written again and again: a drive that deduplicates looks faster",
            "a row is a share of the drive, so a mean over rows is one over bytes and not over time",
        ),
    )


def _cycles(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """The lines of each pass, each with the heading before it; at least one."""
    begins = [number for number, line in enumerate(lines) if line.startswith(_BEGINS)][1:]
    for begin, end in zip([0, *begins], [*begins, len(lines)], strict=True):
        yield lines[begin:end]


def _rows(lines: Sequence[str]) -> list[_Row]:
    found = (_ROW.match(line) or _CSV.match(line) for line in lines)
    return [_Row(float(row["left"]), float(row["speed"])) for row in found if row is not None]


_POINT = Point("dirty_test")
_BANDWIDTH_MAX = Quantity("bandwidth_max")


def _speeds(said: dict[str, str], rows: Sequence[_Row]) -> Iterator[ForeignNumber]:
    """The program's own, which are of all that was written; where it was stopped, those of the rows."""
    speeds = [row.mib_per_s for row in rows]
    of_rows = {"평균 속도": sum(speeds) / len(speeds), "최대 속도": max(speeds), "최소 속도": min(speeds)}
    for korean, quantity in (
        ("평균 속도", BANDWIDTH_MEAN),
        ("최대 속도", _BANDWIDTH_MAX),
        ("최소 속도", BANDWIDTH_MIN),
    ):
        text = said.get(korean, "").removesuffix("MiB/s")
        is_said = text.isascii() and text.isdigit()
        value, note = (float(text), "of all writes") if is_said else (of_rows[korean], f"of {len(rows)} rows")
        yield ForeignNumber(key=MetricKey(_POINT, quantity), value=value * MIB, unit="B/s", note=note)
    yield ForeignNumber(
        key=MetricKey(_POINT, BANDWIDTH_MEDIAN), value=median(speeds) * MIB, unit="B/s", note=f"of {len(rows)} rows"
    )


def _slow(lines: Sequence[str], rows: Sequence[_Row]) -> ForeignNumber:
    said = next((found["percent"] for line in lines if (found := _SLOW.match(line))), None)
    mean = sum(row.mib_per_s for row in rows) / len(rows)
    share = 100 * sum(row.mib_per_s <= mean / 2 for row in rows) / len(rows)
    return ForeignNumber(
        key=MetricKey(_POINT, Quantity("half_speed_share")),
        value=share if said is None else float(said),
        unit="%",
        note=f"{'rows' if said is None else 'writes'} at no more than half of the mean",
    )


def _moment(text: str) -> str | Unknown:
    found = _DATE.search(text)
    return NOT_SAID if found is None else "{}-{}-{}T{}:{}".format(*found.groups())


READERS = (Reader("Naraeon Dirty Test, log as text or CSV", _is_log, _read),)
