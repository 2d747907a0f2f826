"""What files of other programs say, read a second time: the values that the corpus holds the readers of `ssdlab import` against.

It follows the documentation of the programs (fio: HOWTO, "Interpreting the output", "Terse output", "JSON output" and "Log file formats") and shares nothing
with the readers of ssdlab. It is made for whole, honest files and checks nothing.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean
from typing import Any

KIB = 1024
_PREFIX = {"": 1, "k": 1000, "K": 1000, "M": 10**6, "G": 10**9}
_BYTES = {
    "B": 1,
    "KiB": KIB,
    "MiB": KIB**2,
    "GiB": KIB**3,
    "TiB": KIB**4,
    "kB": 1000,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
}
_BYTES_OF_FIO_2 = {"B": 1, "KB": KIB, "MB": KIB**2, "GB": KIB**3, "TB": KIB**4}
_NS = {"nsec": 1, "usec": 1000, "msec": 10**6, "sec": 10**9}
_COUNT_OF_P99 = 1000
"""Of fewer I/Os than these less than ten are slower than the 99th percentile."""
_BINS_OF_FIO_2 = 1216
_WAYS = ("read", "write", "trim", "mixed")


@dataclass(frozen=True, slots=True)
class Said:
    """A value with what the last digit that was printed leaves open on either side."""

    value: float
    off: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """What a file says of one load in one direction, by the names of `QUANTITIES`."""

    direction: str
    values: Mapping[str, Said]


QUANTITIES = ("iops", "bytes_per_s", "mean_ns", "max_ns", "p99_ns")


class SaysNothingError(Exception):
    """A file has no value that its documentation defines."""


@dataclass(slots=True)
class _Part:
    """A direction of an entry that fio printed."""

    iops: Said
    bytes_per_s: Said
    mean_ns: Said | None
    p99_ns: Said | None
    count: float


@dataclass(slots=True)
class _Entry:
    name: tuple[object, ...]
    parts: dict[str, _Part] = field(default_factory=dict)


def _rows(entries: Sequence[_Entry]) -> Iterator[Row]:
    """Copies of one job stand after each other under one name, and what they do adds up."""
    for _, copies in groupby(entries, key=lambda entry: entry.name):
        jobs = list(copies)
        for way in _WAYS:
            parts = [job.parts[way] for job in jobs if way in job.parts and job.parts[way].count]
            if not parts:
                continue
            values = {"iops": _sum([part.iops for part in parts])}
            if not any(part.bytes_per_s.value < 0 for part in parts):
                values["bytes_per_s"] = _sum([part.bytes_per_s for part in parts])
            timed = [part for part in parts if part.mean_ns is not None and part.mean_ns.value > 0]
            if timed:
                values["mean_ns"] = _weighted(timed)
            if len(jobs) == 1 and parts[0].p99_ns is not None and parts[0].count >= _COUNT_OF_P99:
                values["p99_ns"] = parts[0].p99_ns
            yield Row(way, values)


def _sum(found: Sequence[Said]) -> Said:
    return Said(sum(said.value for said in found), sum(said.off for said in found))


def _weighted(parts: Sequence[_Part]) -> Said:
    total = sum(part.count for part in parts)
    means = [(part.mean_ns, part.count) for part in parts if part.mean_ns is not None]
    return Said(sum(mean.value * count for mean, count in means) / total, max(mean.off for mean, _ in means))


def fio_json(content: bytes) -> list[Row]:
    """fio's JSON; of several documents of the same jobs the last counts."""
    text = content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    documents = []
    at = text.find('"fio version"')
    while at >= 0:
        document, end = json.JSONDecoder().raw_decode(text, text.rfind("{", 0, at))
        documents.append(document)
        at = text.find('"fio version"', end)
    document = documents[-1]
    jobs = document["jobs"] if "jobs" in document else document["client_stats"]
    jobs = [job for job in jobs if job["jobname"] != "All clients"]
    of_2 = re.match(r"fio-2\.(?!99)", document["fio version"]) is not None
    return list(_rows([_json_entry(job, of_2) for job in jobs]))


def _json_entry(job: Mapping[str, Any], of_2: bool) -> _Entry:  # noqa: FBT001 - a fact of the file
    entry = _Entry((job.get("groupid", 0), job["jobname"]))
    for way in _WAYS:
        part = job.get(way)
        if part is None or not part.get("total_ios", part["iops"]):
            continue
        clat = part.get("clat_ns") or part.get("clat") or {}
        clat = clat if clat.get("mean") else part.get("lat_ns") or part.get("lat") or {}
        factor = 1000 if of_2 else 1
        percentile = clat.get("percentile", {}).get("99.000000")
        entry.parts[way] = _Part(
            iops=Said(part["iops"]),
            bytes_per_s=Said(part["bw_bytes"], 1) if "bw_bytes" in part else Said(part["bw"] * KIB, 2 * KIB),
            mean_ns=Said(clat["mean"] * factor) if "mean" in clat else None,
            # Of bins the 99th may be taken at either side of a rank.
            p99_ns=Said(percentile * factor, percentile * factor * 0.02) if percentile else None,
            count=clat.get("N") or part.get("total_ios") or part["iops"] * part["runtime"] / 1000,
        )
    return entry


_JOB = re.compile(r"(.+): \(groupid=(\d+), jobs=\d+\): err=.*?: pid=\s?(\d+)")
_RATE_3 = re.compile(
    r"\s+(read|write|trim|mixed)\s?: IOPS=([\d.]+)([kMG]?), BW=([\d.]+)(\w+)/s \(([\d.]+)(\w+)/s\)\(([\d.]+)(\w+)/(\d+)msec\)"
)
_RATE_2 = re.compile(
    r"\s+(read|write|trim|mixed)\s?: io=([\d.]+)(\w+), bw=([\d.]+)(\w+)/s, iops=([\d.]+)([kMG]?)\s?, runt=\s*(\d+)msec"
)
_MEAN = re.compile(r"\s+clat \((\w+)\)\s?: min=.*avg=\s*([\d.]+),")
_LAT_MEAN = re.compile(r"\s+lat \((\w+)\)\s?: min=.*avg=\s*([\d.]+),")
_UNIT = re.compile(r"\s+clat percentiles \((\w+)\):")
_P99 = re.compile(r"99\.00th=\[\s*(\d+)\]")
_ISSUED = re.compile(r"\s+issued\s*(?:rwts)?\s?: total=r?=?(\d+)[,/]w?=?(\d+)[,/]d?=?(\d+)")


def fio_text(content: bytes) -> list[Row]:
    """What fio prints if it is not asked for anything else; of a job that is printed again the last counts."""
    text = content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig", "replace")
    reading = _TextReading()
    for raw in re.split(r"\r\n|\r|\n", text):
        reading.take(raw.removeprefix("> ").rstrip())
    rows = list(_rows(list(reading.entries.values())))
    if not rows:
        raise SaysNothingError
    return rows


@dataclass(slots=True)
class _TextReading:
    entries: dict[tuple[object, ...], _Entry] = field(default_factory=dict)
    entry: _Entry | None = None
    part: _Part | None = None
    runs: int = 0
    unit: int = 1

    def take(self, line: str) -> None:
        if re.fullmatch(r"fio-\d\S*", line):
            self.runs, self.entry = self.runs + 1, None
        elif found := _JOB.match(line):
            self.entry = self.entries[(self.runs, *found.groups())] = _Entry((self.runs, found[1], found[2]))
            self.part = None
        elif line.startswith("Run status group"):
            self.entry = self.part = None
        elif self.entry is not None:
            self._take_of(self.entry, line)

    def _take_of(self, entry: _Entry, line: str) -> None:
        if found := _RATE_3.match(line):
            self.part = entry.parts[found[1]] = _rates_of_3(found)
        elif found := _RATE_2.match(line):
            self.part = entry.parts[found[1]] = _rates_of_2(found)
        elif found := _ISSUED.match(line):
            for way, count in zip(_WAYS, map(int, found.groups()), strict=False):
                if way in entry.parts:
                    entry.parts[way].count = count
            self.part = None
        elif self.part is not None:
            self._take_latency(self.part, line)

    def _take_latency(self, part: _Part, line: str) -> None:
        if (found := _MEAN.match(line)) or (part.mean_ns is None and (found := _LAT_MEAN.match(line))):
            part.mean_ns = Said(float(found[2]) * _NS[found[1]], _digit(found[2]) * _NS[found[1]])
        elif found := _UNIT.match(line):
            self.unit = _NS[found[1]]
        elif part.p99_ns is None and (found := _P99.search(line)):
            part.p99_ns = Said(int(found[1]) * self.unit, self.unit)


def _digit(text: str) -> float:
    """One of the last digit."""
    return float(10 ** -len(text.partition(".")[2]))


def _rates_of_3(found: re.Match[str]) -> _Part:
    seconds = int(found[10]) / 1000
    printed: list[tuple[str, float]] = [(found[4], _BYTES[found[5]]), (found[6], _BYTES[found[7]])]
    if seconds:
        printed.append((found[8], _BYTES[found[9]] / seconds))
    # fio loses the carry where it rounds 11.98 to 12.0 and prints 11.0.
    printed = [(text, unit) for text, unit in printed if not text.endswith(".0")] or printed
    rates = sorted(float(text) * unit for text, unit in printed)
    off = max(_digit(text) * unit for text, unit in printed)
    iops = Said(float(found[2]) * _PREFIX[found[3]], _digit(found[2]) * _PREFIX[found[3]])
    return _Part(iops, Said(rates[(len(rates) - 1) // 2], off), None, None, iops.value * seconds)


def _rates_of_2(found: re.Match[str]) -> _Part:
    unit = _BYTES_OF_FIO_2[found[5]]
    # fio 2 loses carries, too, and counts I/Os that were still under way among the bytes.
    bandwidth = Said(float(found[4]) * unit, unit + 0.001 * float(found[4]) * unit)
    iops = Said(float(found[6]) * _PREFIX[found[7]], _digit(found[6]) * _PREFIX[found[7]])
    return _Part(iops, bandwidth, None, None, iops.value * int(found[8]) / 1000)


def fio_terse(content: bytes) -> list[Row]:
    """Terse lines; fields are counted from 1 in fio's HOWTO."""
    entries = []
    lines = [line.rstrip() for line in content.decode("utf-8-sig", "replace").split("\n")]
    for place, line in enumerate(line for line in lines if re.match(r"[345];fio-", line)):
        fields = line.split(";")
        if fields[2] == "All clients":
            continue
        entry = _Entry((place,))
        length = 47 if fields[0] == "5" else 41
        for at, way in enumerate(_WAYS[: 2 if fields[0] == "3" else 3]):
            said = fields[5 + at * length : 5 + (at + 1) * length]
            count = int(said[2]) * int(said[3]) / 1000
            if not int(said[0]):
                continue
            p99 = next((int(one.partition("=")[2]) for one in said[12:32] if one.startswith("99.000000%")), 0)
            entry.parts[way] = _Part(
                iops=Said(int(said[2]), 1),
                bytes_per_s=Said(int(said[1]) * KIB, 2 * KIB + int(said[1]) * KIB * 1e-3),
                mean_ns=Said(float(said[10]) * 1000) if float(said[10]) else None,
                p99_ns=Said(p99 * 1000) if p99 else None,
                count=count or 1,
            )
        entries.append(entry)
    return list(_rows(entries))


def fio_log(content: bytes, name: str, ns: int | None) -> list[Row]:
    """A log of windows or of each I/O: time in ms, value, direction, block size; bandwidths are in KiB/s.

    Args:
        content: The file.
        name: Of the file, which says what was logged.
        ns: How long a unit of its latencies is, where something beside the file says it.
    """
    lines = [line.split(",") for line in content.decode().split("\n") if line.strip()]
    if "_hist" in name:
        return _histogram([[int(cell) for cell in cells if cell.strip()] for cells in lines])
    kind = re.search(r"_(bw|iops|slat|clat|lat)(?:\.\d+)*\.log$", name)
    if kind is None or (kind[1] not in {"bw", "iops"} and ns is None):
        raise SaysNothingError
    rows = []
    for number, way in enumerate(_WAYS[:3]):
        values = [int(cells[1]) for cells in lines if len(cells) > 2 and int(cells[2]) == number]
        if not values:
            continue
        mean, largest = fmean(values), max(values)
        if kind[1] == "bw":
            rows.append(Row(way, {"bytes_per_s": Said(mean * KIB)}))
        elif kind[1] == "iops":
            rows.append(Row(way, {"iops": Said(mean)}))
        else:
            rows.append(Row(way, {"mean_ns": Said(mean * (ns or 1)), "max_ns": Said(largest * (ns or 1))}))
    return rows


def _histogram(lines: Sequence[Sequence[int]]) -> list[Row]:
    """Counts of the bins of `stat.h`: 64 of 1 ns, then groups of 64, each as wide as all before it; those of fio 2 are of microseconds."""
    rows = []
    for number, way in enumerate(_WAYS[:3]):
        counts = [sum(bins) for bins in zip(*(cells[3:] for cells in lines if cells[1] == number), strict=True)]
        if any(count >= 2**60 for count in counts):
            raise SaysNothingError
        if sum(counts) >= _COUNT_OF_P99:
            below, index = 0, -1
            while below < 0.99 * sum(counts):
                index += 1
                below += counts[index]
            group, place = divmod(index, 64)
            middle = index if index < 64 else (64 + place + 0.5) * 2 ** (group - 1)
            middle *= 1000 if len(counts) == _BINS_OF_FIO_2 else 1
            rows.append(Row(way, {"p99_ns": Said(middle, middle * 0.02)}))
    return rows


_DISK_MARK = re.compile(
    r"\s*(?:SEQ|RND|Sequential|Random).*?:\s*([\d.,]+)\s*MB/s \[\s*([\d.,]+) IOPS\](?: <\s*([\d.,]+) us>)?"
)


def crystal_disk_mark(content: bytes) -> list[Row]:
    """CrystalDiskMark 7 and 8: MB/s, IOPS, mean latency."""
    return _disk_mark(content, 10**6)


def k_disk_mark(content: bytes) -> list[Row]:
    """KDiskMark: the same, but its MB are thousands of the KiB that fio gave it."""
    return _disk_mark(content, 1000 * KIB)


def _disk_mark(content: bytes, mb: int) -> list[Row]:
    text = content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    way, rows = "", []
    for line in text.splitlines():
        if found := re.match(r"\s*\[(Read|Write|Mix)\]", line):
            way = found[1].lower()
        elif found := _DISK_MARK.match(line):
            values = {
                "iops": Said(float(found[2]), 0.1),
                "bytes_per_s": Said(float(found[1]) * mb, mb * (1e-3 + float(found[1]) * 1e-3)),
            }
            if found[3] is not None:
                values["mean_ns"] = Said(float(found[3]) * 1000, 10)
            rows.append(Row(way, values))
    return rows


def iozone(content: bytes) -> list[Row]:
    """The table of `iozone -a`: each cell after the record length is kB/s of one test."""
    text = content.decode("utf-8", "replace")
    if "kBytes/sec" not in text and "Kbytes/sec" not in text:
        raise SaysNothingError
    rows, tests = [], 0
    for line in text.splitlines():
        cells = line.split()
        if cells[:1] in (["KB"], ["kB"]) and "reclen" in cells:
            tests = len(cells) - 2
        elif tests and len(cells) > 2 and all(cell.isdecimal() for cell in cells):
            rows += [Row("", {"bytes_per_s": Said(int(cell) * KIB)}) for cell in cells[2:]]
    if not rows:
        raise SaysNothingError
    return rows


def sysbench(content: bytes) -> list[Row]:
    """`sysbench fileio run`: operations and MiB of a second; 0.4 has them in other words, and several runs may follow each other."""
    text = content.decode()
    rows = []
    for found in re.finditer(
        r"Operations performed:\s+(\d+) Read, (\d+) Write.*\n.*\(([\d.]+)([KMG]b)/sec\)\n\s*([\d.]+) Requests/sec", text
    ):
        way = "read" if not int(found[2]) else "write"
        if not int(found[1]) or not int(found[2]):
            rows.append(_of_sysbench(way, found[5], found[3], _SYSBENCH[found[4]]))
    rates = {
        "read": (r"reads/s:\s+([\d.]+)", r"read, MiB/s:\s+([\d.]+)"),
        "write": (r"writes/s:\s+([\d.]+)", r"written, MiB/s:\s+([\d.]+)"),
    }
    for way, (of_count, of_bytes) in rates.items():
        count, size = re.search(of_count, text), re.search(of_bytes, text)
        if count and size and float(count[1]):
            rows.append(_of_sysbench(way, count[1], size[1], KIB**2))
    if not rows:
        raise SaysNothingError
    return rows


_SYSBENCH = {"Kb": KIB, "Mb": KIB**2, "Gb": KIB**3}


def _of_sysbench(way: str, iops: str, amount: str, unit: int) -> Row:
    return Row(
        way,
        {"iops": Said(float(iops), 0.01), "bytes_per_s": Said(float(amount) * unit, max(0.01, _digit(amount)) * unit)},
    )


_DISKSPD_TOTAL = re.compile(r"total:\s+(\d+) \|\s+(\d+) \|\s+([\d.]+) \|\s+([\d.]+) \|(?:\s+([\d.]+))?")


def diskspd_text(content: bytes) -> list[Row]:
    """The tables `Read IO` and `Write IO` of DiskSpd: bytes, I/Os, MiB/s, I/Os per second, mean latency in ms."""
    rows, way = [], ""
    for line in content.decode("utf-8-sig").splitlines():
        if found := re.match(r"(Total|Read|Write) IO$", line.strip()):
            way = found[1].lower()
        elif way in {"read", "write"} and (found := _DISKSPD_TOTAL.match(line.strip())) and int(found[2]):
            values = {
                "iops": Said(float(found[4]), 0.02 + float(found[4]) * 1e-3),
                "bytes_per_s": Said(float(found[3]) * KIB**2, (0.02 + float(found[3]) * 1e-3) * KIB**2),
            }
            if found[5] is not None:
                values["mean_ns"] = Said(float(found[5]) * 10**6, 10**3)
            rows.append(Row(way, values))
            way = ""
    return rows


def diskspd_xml(content: bytes) -> list[Row]:
    """Sums of `BytesCount` and `IOCount` of all targets, over `TestTimeSeconds`."""
    text = content.decode("utf-8-sig")
    seconds = re.search(r"<TestTimeSeconds>([\d.]+)", text)
    if seconds is None:
        raise SaysNothingError
    rows = []
    for way, title in (("read", "Read"), ("write", "Write")):
        size = sum(map(int, re.findall(rf"<{title}Bytes>(\d+)<", text)))
        count = sum(map(int, re.findall(rf"<{title}Count>(\d+)<", text)))
        if count:
            of = float(seconds[1])
            rows.append(Row(way, {"iops": Said(count / of, 1), "bytes_per_s": Said(size / of, size / of * 1e-3)}))
    return rows


def elbencho(content: bytes) -> list[Row]:
    """Columns of elbencho's CSV until the last thread was done; what it cuts to whole MiB is told closer by its I/Os of one size."""
    titles, *lines = content.decode("utf-8-sig").splitlines()
    rows = []
    for line in lines:
        said = dict(zip(titles.split(","), line.split(",", titles.count(",")), strict=True))
        if said["IOPS [last]"] and (way := {"WRITE": "write", "READ": "read"}.get(said["operation"])):
            values = {
                "iops": Said(float(said["IOPS [last]"]), 0.5),
                "bytes_per_s": Said((float(said["MiB/s [last]"]) + 0.5) * KIB**2, 0.5 * KIB**2),
                "mean_ns": Said(float(said["IO lat us [avg]"]) * 1000, 1000),
                "max_ns": Said(float(said["IO lat us [max]"]) * 1000, 1000),
            }
            rows.append(Row(way, values))
    return rows


READERS: Mapping[str, Callable[[bytes], list[Row]]] = {
    "fio-json": fio_json,
    "fio-text": fio_text,
    "fio-terse": fio_terse,
    "crystaldiskmark": crystal_disk_mark,
    "kdiskmark": k_disk_mark,
    "iozone": iozone,
    "sysbench": sysbench,
    "diskspd-text": diskspd_text,
    "diskspd-xml": diskspd_xml,
    "elbencho-csv": elbencho,
}
"""By the kind of a file; logs of fio need its name and their unit, too."""
