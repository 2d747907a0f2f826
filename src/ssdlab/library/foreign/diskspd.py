"""What DiskSpd prints, as text or as XML (`-Rxml`).

Form: its own writers, `ResultParser.cpp` and `XmlResultParser.cpp` of 2.2, and results of 2.0.21 and 2.2 that were published. Rates are
worked out from bytes, I/Os and the time, which do not depend on the version, while `MB/s` of older ones meant MiB/s; latencies are
milliseconds, percentiles are of all threads and files of a time span together.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from xml.etree.ElementTree import Element

from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.rates import Measured, decimal, enough_above, load_point, numbers_of, told_apart
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.library.foreign.xml import xml_root
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, Load, Point
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS
from ssdlab.unknown import Unknown

_STEP = "diskspd"
_KEPT_PERCENTS = frozenset({"50", "90", "95", "99", "99.9", "99.99", "99.999", "99.9999"})
_ENDED_EARLY = 0.95
_THROUGH_CACHE = "through the cache of the operating system, so it is not the drive alone"
_SAME_BUFFER = "every write repeats one buffer: a drive that compresses or deduplicates looks faster"
_LIMITED = "its rate was limited"
_NO_LOAD = "the file does not tell its load"
_CUT_BY_S = 0.02
"""Times are printed with two decimals; those of DiskSpd 2.2 are up to 0.013 s shorter than those that it divides by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """One direction of a time span, all threads and files together."""

    moved_bytes: int
    io_count: int
    lat_mean_ns: float | None = None
    lat_max_ns: float | None = None
    lat_percentiles_ns: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """One time span."""

    took_s: float
    asked_s: float | None
    loads: frozenset[Load | None]
    """One for each kind of target; None is a mixture of random and sequential."""
    ways: Mapping[Direction | None, _Way]
    """None is reads and writes together."""
    cautions: tuple[str, ...]


def _foreign(name: str, spans: Sequence[_Span | None], version: str | Unknown, begun: str) -> Foreign:
    """The result of the spans that ran."""
    ran = [(order, span) for order, span in enumerate(spans, 1) if span is not None]
    numbers = [
        number for order, span in ran for number in _numbers(span, _point(span, order if len(spans) > 1 else None))
    ]
    if not numbers:
        raise ForeignError(message("import-diskspd-no-io", name=name), message("foreign-whole"))
    cautions = [caution for _, span in ran for caution in span.cautions]
    cautions += [
        f"time span {order} ended after {span.took_s:g} s of {span.asked_s:g} s"
        for order, span in ran
        if span.asked_s is not None and span.took_s < _ENDED_EARLY * span.asked_s
    ]
    if len(ran) < len(spans):
        cautions.append("time spans that ended before they measured anything are left out")
    return Foreign(
        program="DiskSpd",
        program_version=version,
        method=f"{len(ran)} time spans" if len(ran) > 1 else f"{ran[0][1].asked_s or round(ran[0][1].took_s):g} s",
        numbers=told_apart(name, numbers),
        measured_at=_moment(begun),
        cautions=tuple(dict.fromkeys(cautions)),
    )


def _point(span: _Span, order: int | None) -> Point:
    (load,) = span.loads if len(span.loads) == 1 else (None,)
    point = Point(_STEP) if load is None else load_point(_STEP, load)
    return point if order is None else point.at(CoordinateAxis.LABEL, f"span{order}")


def _numbers(span: _Span, point: Point) -> Iterator[ForeignNumber]:
    """Of each direction; of both together only where there were both."""
    moved = [direction for direction in Direction if direction in span.ways and span.ways[direction].io_count]
    wanted: list[Direction | None] = [*moved, *([None] if len(moved) > 1 else [])]
    for direction in wanted:
        way = span.ways.get(direction)
        if way is not None:
            yield from numbers_of(
                Measured(
                    point=point,
                    direction=direction,
                    bandwidth_bytes_per_s=way.moved_bytes / span.took_s,
                    iops=way.io_count / span.took_s,
                    lat_mean_ns=way.lat_mean_ns,
                    lat_max_ns=way.lat_max_ns,
                    lat_percentiles_ns={
                        percent: latency_ns
                        for percent, latency_ns in way.lat_percentiles_ns.items()
                        if percent in _KEPT_PERCENTS and enough_above(percent, way.io_count)
                    },
                )
            )


def _moment(text: str) -> str | Unknown:
    found = re.search(r"(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) UTC", text)
    return NOT_SAID if found is None else "{}-{}-{}T{}+00:00".format(*found.groups())


# XML


def _is_xml(begin: bytes) -> bool:
    return re.search(rb"<Results>\s*<System>", begin.replace(b"\0", b"")) is not None


def _read_xml(name: str, content: bytes) -> Foreign:
    root = xml_root(name, content)
    asked = root.findall("Profile/TimeSpans/TimeSpan")
    spans = [_xml_span(element, profile) for element, profile in zip(root.findall("TimeSpan"), asked, strict=True)]
    version = root.findtext("System/Tool/Version") or NOT_SAID
    return _foreign(name, spans, version, root.findtext("System/RunTime", ""))


def _xml_span(element: Element, profile: Element) -> _Span | None:
    took_s = decimal(element.findtext("TestTimeSeconds", "0"))
    if element.find("Error") is not None or not took_s:
        return None
    threads, targets = int(element.findtext("ThreadCount", "0")), profile.findall("Targets/Target")
    in_pool = int(profile.findtext("ThreadCount", "0")) > 0
    shared_depth = int(profile.findtext("RequestCount", "0")) if in_pool else None
    return _Span(
        took_s=took_s,
        asked_s=decimal(profile.findtext("Duration", "0")) or None,
        loads=frozenset(_xml_load(target, threads, shared_depth) for target in targets),
        ways={
            Direction.READ: _xml_way(element, "Read"),
            Direction.WRITE: _xml_way(element, "Write"),
            None: _xml_way(element, "Total"),
        },
        cautions=tuple(caution for target in targets for caution in _xml_cautions(target)),
    )


def _xml_load(target: Element, threads: int, shared_depth: int | None) -> Load | None:
    if target.find("RandomRatio") is not None:
        return None
    pattern = Pattern.SEQUENTIAL if target.find("Random") is None else Pattern.RANDOM
    depth = int(target.findtext("RequestCount", "0")) if shared_depth is None else shared_depth
    return Load(pattern, int(target.findtext("BlockSize", "0")), depth, threads)


_COUNTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "Read": ("ReadBytes", "ReadCount"),
        "Write": ("WriteBytes", "WriteCount"),
        "Total": ("BytesCount", "IOCount"),
    }
)


def _xml_way(element: Element, way: str) -> _Way:
    moved, counted = _COUNTED[way]
    buckets = {
        bucket.findtext("Percentile", ""): decimal(said) * NS_PER_MS
        for bucket in element.iterfind("Latency/Bucket")
        if (said := bucket.findtext(f"{way}Milliseconds")) is not None
    }
    mean = element.findtext(f"Latency/Average{way}Milliseconds")
    return _Way(
        moved_bytes=sum(int(target.findtext(moved, "0")) for target in element.iterfind("Thread/Target")),
        io_count=sum(int(target.findtext(counted, "0")) for target in element.iterfind("Thread/Target")),
        lat_mean_ns=None if mean is None else decimal(mean) * NS_PER_MS,
        lat_max_ns=buckets.get("100"),
        lat_percentiles_ns=buckets,
    )


def _xml_cautions(target: Element) -> Iterator[str]:
    uncached = ("DisableOSCache", "DisableAllCache", "DisableLocalCache")
    if all(target.findtext(tag) != "true" for tag in uncached):
        yield _THROUGH_CACHE
    if int(target.findtext("WriteRatio", "0")) and target.findtext("WriteBufferContent/Pattern") != "random":
        yield _SAME_BUFFER
    if int(target.findtext("Throughput", "0")):
        yield _LIMITED


# Text

_SPAN = re.compile(r"^[ \t]*timespan:[ \t]+(?P<order>\d{1,4})$", re.MULTILINE)
_RESULT = re.compile(r"^Results for timespan (?P<order>\d{1,4}):$", re.MULTILINE)
_TARGET = re.compile(r"^[ \t]*path: ", re.MULTILINE)
_SIZE = re.compile(r"^[ \t]*block size: (?P<size>\d{1,12})(?P<unit>B|KiB|MiB|GiB|K|M|G|)$", re.MULTILINE)
_SIZE_UNITS: Mapping[str, int] = MappingProxyType(
    {"": 1, "B": 1, "K": KIB, "KiB": KIB, "M": MIB, "MiB": MIB, "G": GIB, "GiB": GIB}
)
_DEPTH = re.compile(r"^[ \t]*number of outstanding I/O operations(?: per thread)?: (?P<depth>\d{1,9})$", re.MULTILINE)
_DURATION = re.compile(r"^[ \t]*duration: (?P<seconds>\d{1,9})s$", re.MULTILINE)
_TOOK = re.compile(r"^(?:actual )?test time:[ \t]+(?P<seconds>[\d.]+)s$", re.MULTILINE)
_THREADS = re.compile(r"^thread count:[ \t]+(?P<threads>\d{1,9})$", re.MULTILINE)
_TABLE = re.compile(
    r"^(?P<way>Total|Read|Write) IO\n(?P<titles>thread \|[^\n]*)\n-+\n(?:[ \d]+\|[^\n]*\n)*-+\n"
    r"total: +(?P<cells>[^\n]+)$",
    re.MULTILINE,
)
_PERCENTILE = re.compile(
    r"^ *(?P<percent>min|\d{1,2}th|\d-nines|max) \| +(?P<read>[\d.]+|N/A) \| +(?P<write>[\d.]+|N/A) \| +(?P<total>[\d.]+|N/A)$",
    re.MULTILINE,
)
_WAYS: Mapping[str, Direction | None] = MappingProxyType(
    {"Read": Direction.READ, "Write": Direction.WRITE, "Total": None}
)


def _is_text(begin: bytes) -> bool:
    head = begin.replace(b"\0", b"")
    asked = b"Input parameters:" in head and re.search(rb"^[ \t]*timespan:[ \t]+\d", head, re.MULTILINE) is not None
    return asked or b"Results for timespan " in head


def _read_text(name: str, content: bytes) -> Foreign:
    text = text_of(name, content)
    results = list(_RESULT.finditer(text))
    before = text[: results[0].start()] if results else text
    # Without its input parameters, which newer versions can leave out, a result does not tell its load.
    asked = _parts(before, list(_SPAN.finditer(before))) if "Input parameters:" in before else [""] * len(results)
    if not results or len(asked) != len(results):
        raise ForeignError(message("import-diskspd-cut", name=name), message("foreign-whole"))
    spans = [_text_span(result, profile) for result, profile in zip(_parts(text, results), asked, strict=True)]
    return _foreign(name, spans, NOT_SAID, before)


def _parts(text: str, begins: Sequence[re.Match[str]]) -> list[str]:
    ends = [*(begin.start() for begin in begins[1:]), len(text)]
    return [text[begin.start() : end] for begin, end in zip(begins, ends, strict=False)]


def _text_span(result: str, profile: str) -> _Span | None:
    took, threads = _TOOK.search(result), _THREADS.search(result)
    if took is None or threads is None or not decimal(took["seconds"]):
        return None
    targets = _parts(profile, list(_TARGET.finditer(profile)))
    duration, depth = _DURATION.search(profile), _DEPTH.search(profile)
    tables = list(_TABLE.finditer(result))
    return _Span(
        took_s=_exact_s(decimal(took["seconds"]), tables),
        asked_s=None if duration is None else decimal(duration["seconds"]),
        loads=frozenset(_text_load(target, depth, int(threads["threads"])) for target in targets),
        ways={_WAYS[table["way"]]: _text_way(table, result) for table in tables},
        cautions=(
            *(() if targets else (_NO_LOAD,)),
            *(caution for target in targets for caution in _text_cautions(target)),
        ),
    )


def _exact_s(printed_s: float, tables: Sequence[re.Match[str]]) -> float:
    """The time with more digits than are printed, where the printed rate of all I/Os has them."""
    for table in tables:
        cells = _cells(table)
        if table["way"] == "Total" and (rate := decimal(cells["I/O per s"])):
            exact_s = int(cells["I/Os"]) / rate
            return exact_s if abs(exact_s - printed_s) <= _CUT_BY_S else printed_s
    return printed_s


def _cells(table: re.Match[str]) -> dict[str, str]:
    titles = [title.strip() for title in table["titles"].split("|")][1:]
    return dict(zip(titles, (cell.strip() for cell in table["cells"].split("|")), strict=False))


def _text_load(target: str, common_depth: re.Match[str] | None, threads: int) -> Load | None:
    size, depth = _SIZE.search(target), _DEPTH.search(target) or common_depth
    if size is None or depth is None or "using mixed random/sequential" in target:
        return None
    pattern = Pattern.RANDOM if "using random I/O" in target else Pattern.SEQUENTIAL
    return Load(pattern, int(size["size"]) * _SIZE_UNITS[size["unit"]], int(depth["depth"]), threads)


def _text_way(table: re.Match[str], result: str) -> _Way:
    cells = _cells(table)
    rows = {
        _percent(row["percent"]): decimal(row[table["way"].lower()]) * NS_PER_MS
        for row in _PERCENTILE.finditer(result)
        if row[table["way"].lower()] != "N/A"
    }
    io_count = int(cells["I/Os"])
    return _Way(
        moved_bytes=int(cells["bytes"]),
        io_count=io_count,
        lat_mean_ns=decimal(cells["AvgLat"]) * NS_PER_MS if "AvgLat" in cells and io_count else None,
        lat_max_ns=rows.get("max"),
        lat_percentiles_ns=rows,
    )


def _percent(row: str) -> str:
    """`99th` is 99, `4-nines` 99.99."""
    if row.endswith("th"):
        return row.removesuffix("th")
    return f"99.{'9' * (int(row[0]) - 2)}" if row.endswith("nines") else row


def _text_cautions(target: str) -> Iterator[str]:
    if "using software cache" in target:
        yield _THROUGH_CACHE
    if "performing read test" not in target and "write buffer source: random fill" not in target:
        yield _SAME_BUFFER
    if "rate-limited" in target:
        yield _LIMITED


READERS = (
    Reader("DiskSpd, XML", _is_xml, _read_xml),
    Reader("DiskSpd, printed text", _is_text, _read_text),
)
