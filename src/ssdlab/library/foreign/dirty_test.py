"""Logs of Naraeon Dirty Test: speed against what is left of the drive, as text or as CSV (ndtest 6, after its source)."""

import re
from statistics import median

from ssdlab.library.foreign.result import Foreign, ForeignError, Number, Reader, text_of
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

_TEXT = re.compile(r"^\s*(?P<left>\d{1,3}(?:\.\d+)?)\s*%\s*[:\-]?\s*(?P<speed>\d+(?:\.\d+)?)\s*Mi?B/s\s*$")
_CSV = re.compile(r"^\s*(?P<left>\d{1,3}(?:\.\d+)?)\s*%?\s*,\s*(?P<speed>\d+(?:\.\d+)?)\s*(?:Mi?B/s)?\s*$")
_ROWS_MIN = 5
_FASTEST_MIB_PER_S = 1_000_000


def _is_dirty_test(begin: bytes) -> bool:
    lines = begin.replace(b"\0", b"").decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:200]
    rows = [line for line in lines if _row(line) is not None]
    return len(rows) >= _ROWS_MIN and len(rows) >= len([line for line in lines if line.strip()]) // 2


def _row(line: str) -> re.Match[str] | None:
    return _TEXT.match(line) or _CSV.match(line)


def _read(name: str, content: bytes) -> Foreign:
    rows = [found for line in text_of(name, content).split("\n") if len(line) < 200 and (found := _row(line))]
    speeds = [float(row["speed"]) for row in rows]
    left = [float(row["left"]) for row in rows]
    if len(rows) < _ROWS_MIN:
        raise ForeignError(f"`{name}` has {len(rows)} rows of remaining capacity and speed, too few for a curve")
    if max(left) > 100 or max(speeds) > _FASTEST_MIB_PER_S:
        raise ForeignError(f"`{name}` has a row with {max(left)} % left or {max(speeds):g} MiB/s, which cannot be")
    mean = sum(speeds) / len(speeds)
    slow = sum(speed <= mean / 2 for speed in speeds)
    numbers = (
        Number(name="dirty_test.bandwidth_mean", value=mean * MIB, unit="B/s", note=f"mean of {len(speeds)} rows"),
        Number(name="dirty_test.bandwidth_median", value=median(speeds) * MIB, unit="B/s"),
        Number(name="dirty_test.bandwidth_max", value=max(speeds) * MIB, unit="B/s"),
        Number(name="dirty_test.bandwidth_min", value=min(speeds) * MIB, unit="B/s"),
        Number(
            name="dirty_test.half_speed_share",
            value=100 * slow / len(speeds),
            unit="%",
            note="rows at no more than half of the mean",
        ),
    )
    return Foreign(
        program="Naraeon Dirty Test",
        program_version=Unknown("its logs do not say"),
        method=f"{len(rows)} rows",
        numbers=numbers,
        cautions=(
            "one buffer of random data is written again and again: a drive that deduplicates looks faster",
            "a row is a share of what was free, so a mean over rows is one over bytes and not over time",
        ),
    )


READERS = (Reader("Naraeon Dirty Test, log as text or CSV", _is_dirty_test, _read),)
