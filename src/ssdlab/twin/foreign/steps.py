"""Jobs of fio in imported results, in the order in which they were done."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.audit.of_fio_json import subjects_of
from ssdlab.analysis.audit.run import failed
from ssdlab.analysis.log.file import LogError
from ssdlab.analysis.log.json_summary import latency_percentiles
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.imported import ORIGINAL, ImportedRun
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.document import FioDirection, FioDocument, FioJob, measured
from ssdlab.engine.fio.output import read_report
from ssdlab.engine.fio.stored import StoredBytes, in_memory
from ssdlab.engine.fio.stored_document import KeptJobs
from ssdlab.engine.result import Direction
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message
from ssdlab.twin.foreign.load import ForeignLoad, load_of
from ssdlab.twin.seen import TAILS, PointSeen
from ssdlab.unknown import Unknown

_PROGRAMS = {"fio", "bench-fio"}
_QUEUE_APART = 1.6
"""Times that what was in flight by speed and latency may be away from what the options say."""
_RUNTIME_MAX_MS = 10**10


@dataclass(frozen=True, slots=True, eq=False)
class ForeignStep:
    """A job that was done, and how fast it was.

    Attributes:
        name: File and job.
        load: What it did.
        written_bytes: To the drive.
        read_bytes: From it.
        seen: Speed and latencies.
    """

    name: str
    load: ForeignLoad
    written_bytes: int
    read_bytes: int
    seen: PointSeen


@dataclass(frozen=True, slots=True)
class LeftOutJob:
    """A job that no twin is fitted to."""

    name: str
    reason: Message


def steps_of(run: ImportedRun) -> tuple[tuple[ForeignStep, ...], tuple[LeftOutJob, ...]]:
    """All jobs of an imported result, by when their fio ended; and what is left out.

    Raises:
        SsdlabError: It is of another program than fio, or a file of it is not fio's JSON.
    """
    if run.info.program not in _PROGRAMS:
        raise SsdlabError(
            message("twin-foreign-program", run=str(run.path), program=run.info.program),
            message("twin-hint-foreign"),
        )
    faulty: dict[str, str] = {}
    for check in failed(run.audit):
        faulty.setdefault(check.step, check.name)
    steps: list[ForeignStep] = []
    left: list[LeftOutJob] = []
    for one in _jobs(run):
        found = _step(one, faulty)
        if isinstance(found, LeftOutJob):
            left.append(found)
        else:
            steps.append(found)
    return tuple(steps), tuple(left)


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    file: str
    subject: str
    report: FioDocument
    jobs: tuple[FioJob, ...]
    is_alone: bool

    @property
    def name(self) -> str:
        return f"{self.file}: {self.subject}"


def _jobs(run: ImportedRun) -> Iterator[_Group]:
    names = [one.name for one in run.info.originals]
    found = [(name, report) for name in names if (report := _report(run, name)) is not None]
    if not found:
        raise SsdlabError(message("twin-foreign-no-json", run=str(run.path)), message("twin-hint-foreign"))
    for name, report in sorted(found, key=lambda one: one[1].timestamp_ms or 0):
        groups = [in_memory(group) for group in report.groups()]
        together = Counter(group[0].groupid for group in groups)
        for subject, group in zip(subjects_of(report), groups, strict=True):
            yield _Group(name, subject, report, group, together[group[0].groupid] == 1)


def _report(run: ImportedRun, name: str) -> FioDocument | None:
    """None of what is no JSON, such as a log beside one."""
    content = StoredBytes.of_file(run.path / ORIGINAL / name)
    try:
        return read_report(content, KeptJobs.AS_FITS)
    except EngineError:
        return None


def _step(one: _Group, faulty: dict[str, str]) -> ForeignStep | LeftOutJob:
    load = _load(one, faulty)
    if isinstance(load, Message):
        return LeftOutJob(one.name, load)
    parts = {direction: [job.part(direction) for job in one.jobs] for direction in (Direction.READ, Direction.WRITE)}
    seen = _seen({direction: found for direction, found in parts.items() if any(part.total_ios for part in found)})
    if not seen.iops:
        return LeftOutJob(one.name, message("twin-foreign-nothing"))
    if not _is_queue_full(parts, seen, load):
        return LeftOutJob(one.name, message("twin-foreign-queue", depth=load.in_flight))
    moved = {direction: sum(part.io_bytes for part in found) for direction, found in parts.items()}
    return ForeignStep(one.name, load, moved[Direction.WRITE], moved[Direction.READ], seen)


def _load(one: _Group, faulty: dict[str, str]) -> ForeignLoad | Message:
    """What it did, or why nobody can tell."""
    check = faulty.get(one.name, faulty.get(one.subject))
    if check is not None:
        return message("twin-foreign-check", check=check)
    if not one.is_alone:
        return message("twin-foreign-together")
    options = one.report.options_of(one.jobs[0])
    return load_of(options, len(one.jobs)) if options else message("twin-foreign-no-options")


def _seen(parts: dict[Direction, list[FioDirection]]) -> PointSeen:
    rates = {direction: sum(map(_rate, found)) for direction, found in parts.items()}
    iops = {direction: rate for direction, rate in rates.items() if rate > 0}
    return PointSeen(iops, {direction: _latency(parts[direction]) for direction in iops}, None)


def _rate(part: FioDirection) -> float:
    """By what was done and how long it took, which all versions print."""
    if not 0 < part.runtime < _RUNTIME_MAX_MS:
        return 0.0
    return part.total_ios * 1e3 / part.runtime


def _latency(parts: Sequence[FioDirection]) -> dict[str, float]:
    of_all = measured((part.clat_ns, part.total_ios) for part in parts)
    if of_all is None or of_all.mean_ns <= 0:
        return {}
    try:
        found = dict(zip(PERCENTS, latency_percentiles(of_all), strict=True))
    except LogError:
        return {"mean": of_all.mean_ns}
    told = {name: value for name in TAILS if not isinstance(value := found[name], Unknown) and value > 0}
    return {"mean": of_all.mean_ns} | {name: float(value) for name, value in told.items()}


def _is_queue_full(parts: dict[Direction, list[FioDirection]], seen: PointSeen, load: ForeignLoad) -> bool:
    """By Little's law, where latencies are known: several jobs may be printed as one, whose options are those of the first."""
    in_flight = 0.0
    for direction, rate in seen.iops.items():
        whole = measured((part.lat_ns, part.total_ios) for part in parts[direction])
        latency_ns = seen.latency_ns[direction].get("mean") if whole is None else whole.mean_ns
        if not latency_ns:
            return True
        in_flight += rate * latency_ns / 1e9
    return in_flight < _QUEUE_APART * load.in_flight and load.in_flight < max(_QUEUE_APART * in_flight, 1.6)
