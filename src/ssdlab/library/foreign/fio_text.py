"""What fio prints if nobody asks for JSON, and its terse lines, as a document of its JSON.

Forms: `show_thread_status_normal` and `show_thread_status_terse_all` in `stat.c` of fio 2.1 to 3.41.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low
from typing import Any

from ssdlab.engine.fio.document import FioDocument
from ssdlab.library.foreign.fio_result import of_report
from ssdlab.library.foreign.result import Foreign, ForeignError, Reader, text_of
from ssdlab.message import Message, message
from ssdlab.units import GIB, KIB, MB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US, TIB

_LINE_MAX = 4_000
_MS_PER_S = 1000
_GROUPS_MAX = 10**6
_NS_OF = {"nsec": 1, "usec": NS_PER_US, "msec": NS_PER_MS, "sec": NS_PER_S}
_BYTES_OF = {"B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB, "kB": 1000, "MB": MB, "GB": 10**9, "TB": 10**12}
_FACTORS: Mapping[str, tuple[int, ...]] = {unit: (factor,) for unit, factor in _BYTES_OF.items()}
_FACTORS_OF_FIO_2: Mapping[str, tuple[int, ...]] = {
    **_FACTORS,
    "KB": (KIB, 1000),
    "MB": (MIB, MB),
    "GB": (GIB, 10**9),
    "TB": (TIB, 10**12),
}
"""Bytes of a unit; in fio 2 `kb_base` chooses between two, which it does not print."""
_BINARY = {"": 1, "K": KIB, "M": MIB, "G": GIB}
_DECIMAL = {"": 1, "k": 1000, "K": 1000, "M": MB, "G": 10**9}

_ASKED = re.compile(
    r"(?P<name>[^\n]{1,200}?): \(g=(?P<group>\d{1,6})\): rw=(?P<rw>\w{1,20}), bs=(?P<bs>[^=]{1,120}), ioengine=(?P<engine>[\w:/.-]{1,60}), iodepth=(?P<depth>\d{1,9})"
)
_JOB = re.compile(
    r"(?P<name>[^\n]{0,200}?): \(groupid=(?P<group>\d{1,6}), jobs=(?P<jobs>\d{1,6})\): err=\s?(?P<error>\d{1,6})(?: \([^)]{0,200}\))?: pid=\s?(?P<pid>\d{1,12})"
)
_NEW_RATES = re.compile(
    r"\s{1,4}(?P<way>read|write|trim|mixed)\s?: IOPS=(?P<iops>[\d.]{1,20})(?P<prefix>[kKMG]?), BW=(?P<bw>[\d.]{1,20})(?P<bw_unit>\w{1,6})/s \((?P<other>[\d.]{1,20})(?P<other_unit>\w{1,6})/s\)\((?P<amount>[\d.]{1,20})(?P<amount_unit>\w{0,6})/(?P<ms>\d{1,15})msec\)"
)
_OLD_RATES = re.compile(
    r"\s{1,4}(?P<way>read|write|trim|mixed)\s?: io=(?P<amount>[\d.]{1,20})(?P<amount_unit>\w{0,6}), bw=(?P<bw>[\d.]{1,20})(?P<bw_unit>\w{0,6})/s, iops=(?P<iops>[\d.]{1,20})(?P<prefix>[kKMG]?)\s?, runt=\s{0,10}(?P<ms>\d{1,15})msec"
)
_LATENCY = re.compile(
    r"\s{3,6}(?P<kind>slat|clat| lat) \((?P<unit>nsec|usec|msec|sec)\)\s?: min=\s{0,8}(?P<min>[\d.]{1,20})(?P<low>[kKMG]?), max=\s{0,8}(?P<max>[\d.]{1,20})(?P<high>[kKMG]?), avg=\s{0,8}(?P<mean>[\d.]{1,20}), stdev=\s{0,8}(?P<stdev>[\d.]{1,20})"
)
_PERCENTILES = re.compile(r"\s{3,6}(?P<kind>clat|lat|slat) percentiles \((?P<unit>nsec|usec|msec|sec)\):")
_PERCENTILE = re.compile(r"(?P<percent>\d{1,3}\.\d{1,20})th=\[\s{0,20}(?P<value>\d{1,19})\]")
_NEW_ISSUED = re.compile(
    r"\s{3,6}issued rwts?: total=(?P<r>\d{1,15}),(?P<w>\d{1,15}),(?P<t>\d{1,15})(?:,\d{1,15})?,? short=(?P<short>[\d,]{1,60})"
)
_OLD_ISSUED = re.compile(
    r"\s{3,6}issued {1,6}: total=r=(?P<r>\d{1,15})/w=(?P<w>\d{1,15})/d=(?P<t>\d{1,15}), short=(?P<short>[rwd=/\d]{1,60})"
)
_VERSION = re.compile(r"fio-\d[\w.+-]{0,40}")
_CLIENT = re.compile(r"hostname=[^,]{1,255}, be=\d, [^\n]{0,200}\bfio=(?P<version>fio-\d[\w.+-]{0,40}),")
"""What `fio --client` prints of each host instead of the version."""
_OF_CLIENT = re.compile(r"<[^<>\n]{1,255}> ")
"""Before a line that a host told."""
_ALL_CLIENTS = "All clients"
"""The sum of the others, which fio prints last."""
_BLOCK = re.compile(
    r"(?:\((?P<way>[RWT])\) )?(?P<low>\d{1,12})(?P<low_unit>[KMG]?)i?B?-(?P<high>\d{1,12})(?P<high_unit>[KMG]?)i?B?"
)
_WAYS = ("read", "write", "trim")
_ROUNDED = "fio's text and terse lines round: latencies and percentiles to the digits that it printed, and rates where their I/Os or bytes cannot tell them exactly"


@dataclass(frozen=True, slots=True)
class _Bandwidth:
    """A bandwidth as one of the numbers that fio printed tells it, and between which ends it lies."""

    bytes_per_s: float
    low_bytes_per_s: float
    high_bytes_per_s: float
    is_sure: bool
    """That no carry was lost."""

    def allows(self, bytes_per_s: float) -> bool:
        """Whether it can be that."""
        return self.low_bytes_per_s <= bytes_per_s <= self.high_bytes_per_s


@dataclass(slots=True)
class _Part:
    """A direction while it is read."""

    iops: float
    choices: tuple[tuple[_Bandwidth, ...], ...]
    """What the rates and amounts that fio printed make of its bandwidth; more than one where fio does not say what its units are."""
    bandwidth_bytes_per_s: float | None
    """None where they leave a choice."""
    runtime_ms: int
    latencies: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(slots=True)
class _Job:
    name: str
    version: int
    """How many versions of fio stood before it in the file."""
    group: int
    error: int
    parts: dict[str, _Part] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    short: int = 0

    def is_before(self, other: "_Job") -> bool:
        """Whether it has less of something that only grows in a run; a job that was cut off does not say."""
        return any(count < other.counts.get(way, 0) for way, count in self.counts.items()) or any(
            part.runtime_ms < other.parts[way].runtime_ms for way, part in self.parts.items() if way in other.parts
        )


def _is_normal(begin: bytes) -> bool:
    return re.search(rb": \(groupid=\d{1,6}, jobs=\d{1,6}\): err=", begin.replace(b"\0", b"")) is not None


def _is_terse(begin: bytes) -> bool:
    return (
        re.search(rb"(?:^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?|[\r\n])[345];fio-\d", begin.replace(b"\0", b""))
        is not None
    )


def is_without_result(begin: bytes) -> bool:
    """Whether fio began to print and came to no result of a job."""
    return (
        re.search(rb"(?:^|[\r\n])fio-\d[\w.+-]{0,40}\r?\n(?:Starting \d|fio: |verify: )", begin.replace(b"\0", b""))
        is not None
    )


def _read_normal(name: str, content: bytes) -> Foreign:
    lines = [line[:_LINE_MAX] for line in text_of(name, content).split("\n")]
    reading = _Reading()
    for line in lines:
        reading.take(line)
    jobs = [(place, job) for place, run in enumerate(reading.runs()) for job in run.values() if job.parts]
    if not jobs:
        raise ForeignError(message("foreign-fio-no-io", name=name))
    version = next(filter(None, map(_version_in, lines)), "")
    short = [message("foreign-fio-short", job=job.name, count=job.short) for _, job in jobs if job.short]
    return _of_jobs(name, version, [_as_json(job, place, reading.asked) for place, job in jobs], short)


def _version_in(line: str) -> str:
    """The version that a line tells; empty of all others."""
    if _VERSION.fullmatch(line):
        return line
    found = _CLIENT.match(line) if line.startswith("hostname=") else None
    return found["version"] if found else ""


def _of_jobs(name: str, version: str, jobs: Sequence[dict[str, Any]], cautions: Sequence[Message] = ()) -> Foreign:
    report = FioDocument.model_validate({"fio version": version, "jobs": jobs})
    failed = [message("foreign-fio-error", job=job.jobname, error=job.error) for job in report.jobs if job.error]
    return of_report(name, report, cautions=(_ROUNDED, *dict.fromkeys(map(str, (*failed, *cautions)))))


_JobKey = tuple[str, int, str, int]
"""Name, group and process of a job, and its place among those of one report that share them, as threads do."""


@dataclass(slots=True)
class _Report:
    """What fio prints at a time of all its jobs, and with `--status-interval` again and again."""

    version: int
    hosts: int
    """How many told of themselves before it: processes of different hosts may have one number."""
    jobs: dict[_JobKey, _Job] = field(default_factory=dict)
    is_whole: bool = False
    """Its jobs are over: the lines on groups have begun."""

    def add(self, job: _Job, process: str) -> None:
        """Take up the next job."""
        place = 0
        while (key := (job.name, job.group, process, place)) in self.jobs:
            place += 1
        self.jobs[key] = job

    def follows(self, earlier: "_Report") -> bool:
        """Whether it is a later one of the same run."""
        shared = self.jobs.keys() & earlier.jobs.keys()
        return (
            self.version == earlier.version
            and self.hosts <= 1
            and bool(shared)
            and not any(self.jobs[key].is_before(earlier.jobs[key]) for key in shared)
        )


@dataclass(slots=True)
class _Reading:
    """Where a text is being read: what belongs to a direction stands after it."""

    versions: int = 0
    hosts: int = 0
    asked: list[tuple[int, re.Match[str]]] = field(default_factory=list)
    reports: list[_Report] = field(default_factory=list)
    job: _Job | None = None
    part: _Part | None = None
    percentiles: tuple[dict[str, Any], int] | None = None

    def take(self, line: str) -> None:
        """Read a line."""
        if _version_in(line):
            if self.reports and self.reports[-1].version == self.versions:
                self.hosts = 0
            self.hosts += line.startswith("hostname=")
            # Of several hosts each tells its own, before any of them tells of jobs.
            if self.asked or self.reports or not line.startswith("hostname="):
                self.versions += 1
            self.job = self.part = None
        elif ": (g=" in line and (found := _ASKED.match(line, told.end() if (told := _OF_CLIENT.match(line)) else 0)):
            # These lines come before that of the version, but for those of hosts.
            self.asked.append((self.versions + (told is None), found))
        elif ": (groupid=" in line and (found := _JOB.match(line)):
            self.job, self.part = _Job(found["name"], self.versions, int(found["group"]), int(found["error"])), None
            if found["name"] == _ALL_CLIENTS:
                self.job = None
            else:
                self._report().add(self.job, found["pid"])
        elif line.startswith("Run status group"):
            self.job = self.part = None
            if self.reports:
                self.reports[-1].is_whole = True
        elif self.job is not None:
            self._take_of(self.job, line)

    def runs(self) -> list[dict[_JobKey, _Job]]:
        """The jobs of each run, as the last of its reports has them."""
        found: list[dict[_JobKey, _Job]] = []
        for at, report in enumerate(self.reports):
            told = {key: job for key, job in report.jobs.items() if job.parts}
            if at and report.follows(self.reports[at - 1]):
                found[-1] |= told
            else:
                found.append(told)
        return found

    def _report(self) -> _Report:
        """The report that a job belongs to which is read now."""
        if not self.reports or self.reports[-1].is_whole or self.reports[-1].version != self.versions:
            self.reports.append(_Report(self.versions, self.hosts))
        return self.reports[-1]

    def _take_of(self, job: _Job, line: str) -> None:
        if found := _NEW_RATES.match(line) or _OLD_RATES.match(line):
            self.part = job.parts[found["way"]] = _rates(found)
        elif found := _NEW_ISSUED.match(line) or _OLD_ISSUED.match(line):
            job.counts = dict(zip(_WAYS, map(int, found.group("r", "w", "t")), strict=True))
            job.short = sum(map(int, re.findall(r"\d{1,15}", found["short"])))
            self.part = None
        elif self.part is not None:
            self._take_latency(self.part, line)

    def _take_latency(self, part: _Part, line: str) -> None:
        if found := _LATENCY.match(line):
            part.latencies.setdefault(found["kind"].strip(), {}).update(_latency(found))
        elif found := _PERCENTILES.match(line):
            self.percentiles = part.latencies.setdefault(found["kind"], {}), _NS_OF[found["unit"]]
        elif self.percentiles is not None and line.lstrip().startswith("|"):
            latency, factor = self.percentiles
            latency.setdefault("percentile", {}).update(
                {one["percent"]: int(one["value"]) * factor for one in _PERCENTILE.finditer(line)}
            )
        elif line.startswith(" "):
            # What is not indented is no line of fio's, but somebody's between them.
            self.percentiles = None


def _rates(found: re.Match[str]) -> _Part:
    said = found.groupdict()
    runtime_ms = int(said["ms"])
    iops = float(said["iops"]) * _DECIMAL[said["prefix"]]
    if "other" not in said:
        choices = tuple((_within_a_percent(one),) for one in _readings(said, runtime_ms, _FACTORS_OF_FIO_2))
        return _Part(iops, choices, None, runtime_ms)
    readings = tuple(_readings(said, runtime_ms, _FACTORS))
    sure = [one.bytes_per_s for one in readings if one.is_sure] or [one.bytes_per_s for one in readings]
    return _Part(iops, (readings,), median_low(sure) if sure else None, runtime_ms)


def _readings(said: Mapping[str, str], runtime_ms: int, factors: Mapping[str, tuple[int, ...]]) -> Iterator[_Bandwidth]:
    """A bandwidth by each number that tells it."""
    for name in ("bw", "other"):
        if name in said:
            yield from (_reading(said[name], factor) for factor in factors.get(said[f"{name}_unit"], ()))
    if runtime_ms:
        for factor in factors.get(said["amount_unit"], ()):
            yield _reading(said["amount"], factor * _MS_PER_S / runtime_ms)


def _reading(text: str, unit_bytes_per_s: float) -> _Bandwidth:
    value, digit = float(text), 10.0 ** -len(text.partition(".")[2])
    # fio loses a carry and prints 35.96 as `35.0`, but rarely in each of the three.
    is_sure = not text.endswith(".0")
    high = value + (digit if is_sure else 1)
    return _Bandwidth(value * unit_bytes_per_s, (value - digit) * unit_bytes_per_s, high * unit_bytes_per_s, is_sure)


def _within_a_percent(reading: _Bandwidth) -> _Bandwidth:
    """fio 2 counts I/Os that were still under way among the bytes."""
    value = reading.bytes_per_s
    off = 0.01 * value + KIB
    return replace(reading, low_bytes_per_s=value - off, high_bytes_per_s=value + off)


def _latency(found: re.Match[str]) -> dict[str, Any]:
    factor = _NS_OF[found["unit"]]
    return {
        "min": round(float(found["min"]) * _DECIMAL[found["low"]] * factor),
        "max": round(float(found["max"]) * _DECIMAL[found["high"]] * factor),
        "mean": float(found["mean"]) * factor,
        "stddev": float(found["stdev"]) * factor,
    }


def _as_json(job: _Job, run: int, asked: Sequence[tuple[int, re.Match[str]]]) -> dict[str, Any]:
    own = [one for version, one in asked if version == job.version and int(one["group"]) == job.group]
    # What `group_reporting` put together has one block size only if all that were asked for in the group have.
    blocks = {_block_bytes(one["bs"], way) for one in own for way in job.parts}
    block = blocks.pop() if len(blocks) == 1 and not job.short else None
    first = next((one for one in own if one["name"] == job.name), None)
    options = (
        {"rw": first["rw"], "bs": first["bs"], "ioengine": first["engine"], "iodepth": first["depth"]} if first else {}
    )
    parts = {way: _part_as_json(part, job.counts.get(way, 0), block) for way, part in job.parts.items()}
    return {
        "jobname": job.name,
        "groupid": run * _GROUPS_MAX + job.group,
        "error": job.error,
        "job options": options,
        **parts,
    }


def _block_bytes(said: str, way: str) -> int | None:
    """The block size of a direction where it is one."""
    found = list(_BLOCK.finditer(said))
    place = _WAYS.index(way) if way in _WAYS else 0
    if place >= len(found):
        return None
    low, high = (int(found[place][end]) * _BINARY[found[place][f"{end}_unit"]] for end in ("low", "high"))
    return low if low == high else None


def _part_as_json(part: _Part, count: int, block: int | None) -> dict[str, Any]:
    exact = count * _MS_PER_S / part.runtime_ms if count and part.runtime_ms else None
    made: dict[str, Any] = {
        "iops": part.iops if exact is None else exact,
        "total_ios": count or max(1, round(part.iops * part.runtime_ms / _MS_PER_S)),
        "runtime": part.runtime_ms,
        **{f"{kind}_ns": latency for kind, latency in part.latencies.items()},
    }
    if block is not None and count and _agree(exact, block, part):
        made["io_bytes"] = count * block
    elif part.bandwidth_bytes_per_s is not None:
        made["bw_bytes"] = round(part.bandwidth_bytes_per_s)
    return made


def _agree(iops: float | None, block: int, part: _Part) -> bool:
    """Whether the I/Os, all of that size, tell the bandwidth: among them may be some that did not end in time."""
    if iops is None:
        return False
    return not any(part.choices) or any(all(one.allows(iops * block) for one in choice) for choice in part.choices)


def _read_terse(name: str, content: bytes) -> Foreign:
    lines = [line.split(";") for line in text_of(name, content).split("\n") if re.match(r"[345];fio-\d", line)]
    lines = [fields for fields in lines if fields[2] != _ALL_CLIENTS] or lines
    jobs = [_terse_job(fields, place) for place, fields in enumerate(lines)]
    count = Counter((fields[2], fields[3]) for fields in lines)
    repeated = dict.fromkeys(job for (job, _), lines_of_it in count.items() if lines_of_it > 1)
    cautions = [message("foreign-terse-repeated", job=job) for job in repeated]
    return _of_jobs(name, lines[0][1], jobs, cautions)


def _terse_job(fields: Sequence[str], place: int) -> dict[str, Any]:
    """The job of a line; `place` keeps it apart from other lines of its name and group.

    A line has neither time nor process, so those of the copies of a job, of snapshots and of later runs look alike.
    """
    version = int(fields[0])
    length = 47 if version == 5 else 41
    ways = _WAYS[: 2 if version == 3 else 3]
    # After the last direction fio prints its processor time in per cent; after the first one with `unified_rw_reporting`.
    if fields[5 + length].endswith("%"):
        ways = ("mixed",)
    end = 5 + length * len(ways)
    if not all(one.endswith("%") for one in fields[end : end + 2]):
        raise ValueError(f"field {end + 1} is no per cent of processor time")
    group = place * _GROUPS_MAX + int(fields[3])
    job: dict[str, Any] = {"jobname": fields[2], "groupid": group, "error": int(fields[4])}
    for at, way in enumerate(ways):
        job[way] = _terse_part(fields[5 + at * length : 5 + (at + 1) * length])
    return job


def _terse_part(fields: Sequence[str]) -> dict[str, Any]:
    iops, runtime_ms = int(fields[2]), int(fields[3])
    io_bytes = int(fields[0]) * KIB
    clat = _terse_latency(fields[8:12])
    listed = (one.partition("%=") for one in fields[12:32])
    clat["percentile"] = {percent: int(value) * NS_PER_US for percent, _, value in listed if float(percent) > 0}
    return {
        "io_bytes": io_bytes,
        "iops": iops,
        "runtime": runtime_ms,
        "total_ios": round(iops * runtime_ms / _MS_PER_S) or int(io_bytes > 0),
        "slat_ns": _terse_latency(fields[4:8]),
        "clat_ns": clat,
        "lat_ns": _terse_latency(fields[32:36]),
    }


def _terse_latency(fields: Sequence[str]) -> dict[str, Any]:
    low, high, mean, deviation = fields
    return {
        "min": int(low) * NS_PER_US,
        "max": int(high) * NS_PER_US,
        "mean": float(mean) * NS_PER_US,
        "stddev": float(deviation) * NS_PER_US,
    }


READERS = (
    Reader("fio, the text it prints", _is_normal, _read_normal),
    Reader("fio, terse lines of version 3, 4 or 5", _is_terse, _read_terse),
)
