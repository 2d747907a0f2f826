"""What elbencho writes with `--csvfile` or `--jsonfile`: a row or a document for each phase of each run.

Form: `Statistics.cpp` and `ProgArgs.cpp` of elbencho 3. Rates and totals are of all threads and hosts; `[first]` ends when the first
thread had done its part, `[last]` when all had, and only the latter is of the whole phase. MiB are 2^20 bytes, cut to whole ones in CSV;
latencies are whole microseconds. What a mixed phase reads is counted apart from what it writes.
"""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.rates import Measured, decimal, load_point, numbers_of, told_apart, word
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message, number
from ssdlab.point import CoordinateAxis, Load, Point
from ssdlab.units import MIB, NS_PER_US
from ssdlab.unknown import Unknown

_PHASES_MAX = 10_000
_TITLES = b"operation,time ms [first],time ms [last]"
_DIRECTIONS = (
    ("WRITE", Direction.WRITE),
    ("RWMIX", Direction.WRITE),
    ("MIX-T", Direction.WRITE),
    ("READ", Direction.READ),
)
"""What a phase mainly does, by how its name begins; reads of a mixture stand apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """Of one kind of I/O in a phase; None where there was none."""

    iops: str | None
    bandwidth_bytes_per_s: float | None
    lat_mean_us: str | None
    lat_max_us: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phase:
    """One phase, whichever form told of it."""

    operation: str
    begun: str
    version: str
    random: str
    block_bytes: str
    depth: str
    threads: str
    hosts: str
    direct: str
    main: _Rates
    mixed_reads: _Rates


def _foreign(name: str, phases: list[_Phase]) -> Foreign:
    if len(phases) > _PHASES_MAX:
        raise ForeignError(message("import-too-many-rows", name=name, most=number(_PHASES_MAX)))
    kept = [(phase, direction) for phase in phases if (direction := _direction(phase)) is not None and phase.main.iops]
    numbers: list[ForeignNumber] = []
    seen: dict[str, int] = {}
    for phase, direction in kept:
        point = _point(phase)
        words = f"{point.name} {phase.operation}"
        seen[words] = seen.get(words, 0) + 1
        # The same load again in one file is a run of its own.
        numbers += _numbers(phase, point.at(CoordinateAxis.RUN, seen[words]) if seen[words] > 1 else point, direction)
    if not numbers:
        raise ForeignError(message("import-elbencho-no-io", name=name), message("foreign-whole"))
    return Foreign(
        program="elbencho",
        program_version=kept[0][0].version or NOT_SAID,
        method=", ".join(dict.fromkeys(phase.operation for phase, _ in kept)),
        numbers=told_apart(name, numbers),
        measured_at=_moment(kept[0][0].begun),
        cautions=(
            "rates are of the whole phase, until the last thread had done its part",
            *(
                ("through the cache of the operating system, so it is not the drive alone",)
                if any(not _is_set(phase.direct) for phase, _ in kept)
                else ()
            ),
        ),
    )


def _direction(phase: _Phase) -> Direction | None:
    return next((direction for begin, direction in _DIRECTIONS if phase.operation.startswith(begin)), None)


def _point(phase: _Phase) -> Point:
    pattern = Pattern.RANDOM if _is_set(phase.random) else Pattern.SEQUENTIAL
    jobs = int(phase.threads) * int(phase.hosts or "1")
    point = load_point("elbencho", Load(pattern, int(phase.block_bytes), int(phase.depth), jobs))
    mix = re.fullmatch(r"RWMIX(\d{1,3})(?:\+.*)?", phase.operation)
    if mix is not None:
        return point.at(CoordinateAxis.NAMED_READ_PERCENT, int(mix[1]))
    # A mixture by threads is named by them: its writes are another load than a phase that only writes.
    return point.at(CoordinateAxis.LABEL, word(phase.operation)) if "MIX" in phase.operation else point


def _is_set(flag: str) -> bool:
    """Versions write 1 and 0 or booleans; an old one may lack the column.

    Raises:
        ValueError: It is something else.
    """
    known = {"1": True, "true": True, "0": False, "false": False, "": False}
    if flag.lower() not in known:
        raise ValueError(f"no flag: {flag[:40]!r}")
    return known[flag.lower()]


def _numbers(phase: _Phase, point: Point, direction: Direction) -> Iterator[ForeignNumber]:
    for rates, way in ((phase.main, direction), (phase.mixed_reads, Direction.READ)):
        if rates.iops:
            yield from numbers_of(
                Measured(
                    point=point,
                    direction=way,
                    bandwidth_bytes_per_s=rates.bandwidth_bytes_per_s,
                    iops=decimal(rates.iops),
                    lat_mean_ns=None if not rates.lat_mean_us else decimal(rates.lat_mean_us) * NS_PER_US,
                    lat_max_ns=None if not rates.lat_max_us else decimal(rates.lat_max_us) * NS_PER_US,
                )
            )


def _moment(text: str) -> str | Unknown:
    found = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:([+-]\d\d):?(\d\d))?", text)
    if found is None:
        return NOT_SAID
    return found[1] + (f"{found[2]}:{found[3]}" if found[2] else "")


# CSV


def _is_csv(begin: bytes) -> bool:
    line = begin.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return _TITLES in line


def _read_csv(name: str, content: bytes) -> Foreign:
    try:
        # It quotes nothing, and the quotes in its command line are none of CSV.
        rows = list(csv.DictReader(io.StringIO(text_of(name, content)), quoting=csv.QUOTE_NONE))
    except csv.Error as error:
        raise ForeignError(message("foreign-no-csv", name=name, error=str(error))) from error
    # A file that was written to twice may have its titles twice.
    return _foreign(name, [_csv_phase(row) for row in rows if row["operation"] != "operation"])


def _csv_phase(row: dict[str, Any]) -> _Phase:
    if None in row or None in row.values():
        raise ValueError("a row of another length than its titles")
    # Older versions have fewer columns.
    said = defaultdict[str, str](str, row)
    return _Phase(
        operation=said["operation"],
        begun=said["ISO date"],
        version=said["version"],
        random=said["random"],
        block_bytes=said["block size"],
        depth=said["IO depth"] or "1",
        threads=said["threads"],
        hosts=said["hosts"],
        direct=said["direct IO"],
        main=_csv_rates(said, ""),
        mixed_reads=_csv_rates(said, "rwmix read "),
    )


def _csv_rates(said: Mapping[str, str], before: str) -> _Rates:
    iops = said[f"{before}IOPS [last]"]
    return _Rates(
        iops=iops,
        bandwidth_bytes_per_s=_bandwidth(iops, said[f"{before}MiB/s [last]"], int(said["block size"])),
        lat_mean_us=said[f"{before}IO lat us [avg]"],
        lat_max_us=said[f"{before}IO lat us [max]"],
    )


def _bandwidth(iops: str, mib_per_s: str, block_bytes: int) -> float | None:
    """Blocks a second where that agrees with the whole MiB that are printed; the MiB where the last block of a file is shorter."""
    if not iops or not mib_per_s:
        return None
    of_blocks, printed = decimal(iops) * block_bytes, decimal(mib_per_s) * MIB
    return of_blocks if printed <= of_blocks < printed + MIB else printed


# JSON


def _is_json(begin: bytes) -> bool:
    return all(key in begin for key in (b'"phase_type"', b'"config"', b'"block_size"'))


def _read_json(name: str, content: bytes) -> Foreign:
    try:
        phases = [_json_phase(document) for document in _documents(text_of(name, content))]
    except json.JSONDecodeError as error:
        raise ForeignError(message("foreign-no-json", name=name, error=str(error))) from error
    return _foreign(name, phases)


def _documents(text: str) -> Iterator[Any]:
    """Each phase appends a document to the file."""
    decoder, place = json.JSONDecoder(), 0
    while (place := _after_space(text, place)) < len(text):
        document, place = decoder.raw_decode(text, place)
        yield from document if isinstance(document, list) else [document]


def _after_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n,":
        place += 1
    return place


def _part(document: Any, key: str) -> dict[str, Any]:
    """An object in another; where it is missing or an empty text, as this program writes empty ones, it is empty.

    Raises:
        ValueError: There is something else in its place.
    """
    found = document.get(key) or {}
    if not isinstance(found, dict):
        raise ValueError(f"no object: {key}")  # noqa: TRY004 - one error for all that is not as its program writes it
    return found


def _json_phase(document: Any) -> _Phase:
    if not isinstance(document, dict):
        raise ValueError("no object")  # noqa: TRY004 - one error for all that is not as its program writes it
    config, done = _part(document, "config"), _part(document, "last_done")
    of_ios = _part(_part(done, "latency"), "IO")
    return _Phase(
        operation=str(document["phase_type"]),
        begun=str(document.get("iso_start_date", "")),
        version=str(config.get("version", "")),
        random=str(config.get("random_offsets", "")),
        block_bytes=str(config["block_size"]),
        depth=str(config.get("io_depth", "1")),
        threads=str(config["threads"]),
        hosts=str(config.get("hosts", "1")),
        direct=str(config.get("direct_io", "")),
        main=_json_rates(done, of_ios),
        mixed_reads=_json_rates(_part(done, "rwmix_read"), _part(of_ios, "rwmix_read")),
    )


def _json_rates(done: Mapping[str, Any], latency: Mapping[str, Any]) -> _Rates:
    bandwidth = done.get("bytes/s")
    return _Rates(
        iops=str(done["iops"]) if "iops" in done else None,
        bandwidth_bytes_per_s=None if bandwidth is None else decimal(str(bandwidth)),
        lat_mean_us=str(latency["avg_us"]) if "avg_us" in latency else None,
        lat_max_us=str(latency["max_us"]) if "max_us" in latency else None,
    )


READERS = (
    Reader("elbencho, CSV", _is_csv, _read_csv),
    Reader("elbencho, JSON", _is_json, _read_json),
)
