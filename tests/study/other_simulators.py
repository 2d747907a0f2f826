"""What probes and analyses say of drives that others simulate: MQSim, whose settings are the truth. Writes `docs/other-simulators.md`.

uv run python -m tests.study.other_simulators                  # fetches MQSim from github.com, builds it, and runs all settings
uv run python -m tests.study.other_simulators --from CLONE     # from a clone of it
uv run python -m tests.study.other_simulators --only NAME      # prints the page for one setting
"""

import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil, log2
from pathlib import Path

import numpy as np
from tests.kit.amplified_drives import patterns
from tests.kit.load_drives import metrics_of
from tests.kit.probe_drives import Noise, ProbedDrive, Truth, allocation_kind
from tests.study.others.mqsim_drive import Caching, MqsimDrive, MqsimSensor, Settings, Victim
from tests.study.others.mqsim_engine import MqsimEngine
from tests.study.others.mqsim_source import COMMIT, REPOSITORY, built
from tests.study.others.mqsim_wire import SECTOR_BYTES, Counters, SimulatorError
from tests.study.others.theory import greedy_amplification
from tests.study.probe_study import Judged, Verdict, judged

from ssdlab.analysis.infer.amplification import uniform_amplification
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.cli.display import PlainDisplay
from ssdlab.drive.identity import DriveIdentity
from ssdlab.engine.base import Judge, Progress, Watch
from ssdlab.engine.result import Direction, RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.errors import SsdlabError
from ssdlab.job import Job
from ssdlab.lab.bench import Bench
from ssdlab.lab.run import execute
from ssdlab.message import Message
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.probe.answer import Answer, Grade, Presence
from ssdlab.probe.probes.allocation import ALLOCATION
from ssdlab.probe.probes.drift import DRIFT, Drift
from ssdlab.probe.probes.interference import INTERFERENCE, ReadOrder
from ssdlab.probe.probes.noise import NOISE
from ssdlab.probe.probes.placement import PLACEMENT
from ssdlab.probe.probes.reach import REACH
from ssdlab.probe.probes.read_ahead import READ_AHEAD
from ssdlab.probe.probes.read_buffer import READ_BUFFER
from ssdlab.probe.probes.read_page import READ_PAGE
from ssdlab.probe.probes.shift_write import SHIFT_WRITE
from ssdlab.probe.probes.spare import SPARE
from ssdlab.probe.probes.stripe import STRIPE
from ssdlab.probe.probes.units import UNITS
from ssdlab.probe.probes.write_buffer import WRITE_BUFFER
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator, Probe
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "other-simulators.md"
REPAIRS = Path(__file__).parent / "others" / "mqsim_repairs.patch"
SETTINGS: Mapping[str, Settings] = {
    "base": Settings(),
    "spare 10 %": Settings(overprovisioning=0.10),
    "spare 28 %": Settings(overprovisioning=0.28),
    "pages of 4 KiB": Settings(page_bytes=4 * KIB, blocks=1024),
    "pages of 16 KiB": Settings(page_bytes=16 * KIB, pages=32),
    "blocks of 128 pages": Settings(pages=128),
    "8 channels": Settings(channels=8, pages=32),
    "2 channels of 4 chips": Settings(channels=2, chips=4, pages=32),
    "2 dies a chip": Settings(dies=2, pages=32),
    "2 planes a die": Settings(planes=2, pages=32),
    "few blocks": Settings(blocks=256, pages=128),
    "10 % kept free": Settings(collect_below=0.10, overprovisioning=0.22),
    "random greedy": Settings(victim=Victim.RANDOM_GREEDY),
    "write cache 4 MiB": Settings(caching=Caching.WRITES, data_cache_bytes=4 * MIB),
    "write cache 32 MiB": Settings(caching=Caching.WRITES, data_cache_bytes=32 * MIB),
    "mapping cache 256 KiB": Settings(mapping_cache_bytes=256 * KIB, page_bytes=4 * KIB, blocks=1024),
    "mapping cache 512 KiB": Settings(mapping_cache_bytes=512 * KIB, page_bytes=4 * KIB, blocks=1024),
}
PROBES: tuple[Probe, ...] = (
    NOISE,
    DRIFT,
    READ_AHEAD,
    READ_BUFFER,
    READ_PAGE,
    STRIPE,
    UNITS,
    SHIFT_WRITE,
    PLACEMENT,
    ALLOCATION,
    WRITE_BUFFER,
    REACH,
    INTERFERENCE,
    SPARE,
)
"""Those that need reads and writes alone: MQSim knows no flush, no trim and no heat."""
AFTER = 8
"""Capacities written after a drive was called steady, whose mean is the truth."""
STEADY_WITHIN = 0.03
COUNTED_WITHIN = 0.05
_DEPTH = 32
_MEASURED_S = 300
"""As the suite measures."""
_UNIFORM = "write_amplification.uniform"
_SEED = 1


@dataclass(frozen=True, slots=True)
class RecordingEngine(MqsimEngine):
    """Keeps what it gave."""

    done: dict[str, RawResult] = field(default_factory=dict)

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """See `Engine.run`."""
        result = MqsimEngine.run(self, job, directory, watch, judge, heed)
        self.done[job.name] = result
        return result


@dataclass(frozen=True, slots=True)
class Written:
    """What came of the suite `write-amplification` with uniform writes, and of the capacities after it.

    Attributes:
        steady_at: Capacities written at random when the drive was called steady; None where it never was.
        apart: Share by which the mean of the five minutes after that differs from the mean of the eight capacities after it.
        counted: Amplification over the last capacity before the end, by the suite from the drive's counters.
        implied: The same by its speed beside sequential writes.
        spare: Found by the suite, share of the capacity.
        own: What MQSim itself counts over the eight capacities.
        own_spare: Flash that held data, valid or not, beyond the capacity, in share of it, by MQSim's count of free pages; the mean over the same.
    """

    steady_at: float | None
    apart: float
    counted: float | None
    implied: float | None
    spare: float | None
    own: float
    own_spare: float


@dataclass(frozen=True, slots=True)
class Examined:
    """A setting and what was said of it.

    Attributes:
        stopped: Probes during which the simulator ended, and its words.
        written: Its words where it ended meanwhile.
    """

    name: str
    settings: Settings
    capacity_bytes: int
    truth: Mapping[str, Truth]
    answers: tuple[Judged, ...]
    beside: tuple[Answer, ...]
    stopped: Mapping[str, str]
    written: Written | str


# The settings as truth


def truth_of(settings: Settings, identity: DriveIdentity, own_spare: float | None) -> dict[str, Truth]:
    """What may be answered, by the names of the answers; of the spare space what MQSim counts."""
    return {
        "noise.sigma": Truth((0.0,)),
        "drift.kind": Truth((Drift.STEADY.value,)),
        "read_ahead.present": Truth((Presence.NO.value,)),
        "read_buffer.present": Truth((Presence.NO.value,)),
        "read_buffer.size": Truth(()),
        "read_page.size": Truth((settings.page_bytes,)),
        # Pages go to the channels in turn, then to chips, dies and planes.
        "stripe.width": Truth(tuple({settings.units * one * settings.page_bytes for one in (1, settings.planes)})),
        "units.count": Truth((settings.units,)),
        "management_block.size": Truth((settings.page_bytes,)),
        "management_block.offset": Truth((0,)),
        "placement.unit": Truth((settings.page_bytes,)),
        "placement.page": Truth((settings.page_bytes,)),
        "placement.channels": Truth((settings.units,)),
        # Which plane a page goes to follows from its address.
        "allocation.kind": Truth((allocation_kind(by_order=False),)),
        "write_buffer.size": Truth((settings.data_cache_bytes,) if settings.caching is Caching.WRITES else ()),
        "reach.bytes": Truth(
            () if (reach := reach_bytes(settings)) is None else (min(reach, identity.capacity_bytes),)
        ),
        "interference.order": Truth((ReadOrder.WAITS.value,)),
        "spare.share": Truth(() if own_spare is None else (own_spare,)),
    }


def reach_bytes(settings: Settings) -> int | None:
    """Of the cached mapping table, whose entries MQSim makes as long as the number of pages asks; None where all of it is in memory."""
    if settings.mapping_cache_bytes is None:
        return None
    pages = settings.raw_bytes // settings.page_bytes
    entry_bytes = ceil((2 * log2(pages) + settings.page_bytes // SECTOR_BYTES) / 8)
    return settings.mapping_cache_bytes // entry_bytes * settings.page_bytes


# Probes


@contextmanager
def _bench(name: str, settings: Settings, program: Path) -> Iterator[tuple[Bench, RecordingEngine]]:
    drive = MqsimDrive(name, settings, program)
    try:
        engine = RecordingEngine(drive)
        yield Bench(drive, engine, _SEED, MqsimSensor(drive)), engine
    finally:
        drive.close()


@dataclass(slots=True)
class _Probed:
    """What probes have said of a setting so far."""

    answers: list[Answer] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)
    own_spare: float | None = None
    identity: DriveIdentity | None = None


def _probe(name: str, settings: Settings, program: Path) -> _Probed:
    """All probes in order; after one in which the simulator ended the next goes on with a new one."""
    probed, left = _Probed(), list(PROBES)
    while left:
        with _bench(name, settings, program) as (bench, engine):
            probed.identity = bench.drive.identity
            room = _Room(engine.drive)
            session = Session(bench, seed=_SEED, watch=room.watch_probe)
            session.answers |= {one.name: one for one in probed.answers}
            while left:
                probe = left.pop(0)
                try:
                    results = list(session.run_all([probe], Estimator.ROBUST))
                    probed.answers += [answer for one in results for answer in one.answers]
                    if probe is SPARE:
                        probed.own_spare = room.own_spare
                except (SsdlabError, SimulatorError) as error:
                    probed.stopped[probe.name] = str(error)
                    break
    return probed


@dataclass(slots=True)
class _Room:
    """What flash is free while a job runs, by MQSim's count: it is looked at as often as the job says how far it is."""

    drive: MqsimDrive
    _share_done: float = 0.0
    _free: list[int] = field(default_factory=list)

    def watch(self, progress: Progress) -> None:
        """Look; what is less far than before is another job, and what was seen of the last one does not count."""
        share_done = progress.share_done or 0.0
        if share_done < self._share_done:
            self._free.clear()
        self._share_done = share_done
        self._free.append(self.drive.counters().free)

    def watch_probe(self, probe: str, progress: Progress) -> None:
        """The same while a probe runs."""
        del probe
        self.watch(progress)

    @property
    def own_spare(self) -> float:
        """Flash that held data, valid or not, in the mean over the last job, beyond the capacity and in share of it."""
        settings = self.drive.settings
        holding = settings.raw_bytes - float(np.mean(self._free)) * settings.page_bytes
        return holding / self.drive.identity.capacity_bytes - 1


# Writing at random


def _write(name: str, settings: Settings, program: Path) -> Written | str:
    """The built-in suite with one pattern and blocks as long as a page, then the capacities that follow."""
    suite = patterns(measured="5min").replace(
        'bs = "4KiB", qd = 256', f'bs = "{settings.page_bytes // KIB}KiB", qd = {_DEPTH}'
    )
    suite = suite.replace('bs = "128KiB", qd = 256', f'bs = "128KiB", qd = {_DEPTH}')
    try:
        with (
            _bench(name, settings, program) as (bench, engine),
            tempfile.TemporaryDirectory() as directory,
            (Path(directory) / "words").open("w") as words,
        ):
            plan = expand(parse_suite(suite, "mine.toml"), "standard", bench.drive.identity, seed=_SEED)
            bundle = execute(plan, bench, Path(directory) / "lab", PlainDisplay(words))
            uniform = engine.done[_job_named(engine, "uniform")]
            after = replace(
                uniform.job, name="after", amount_bytes=AFTER * uniform.job.region.length_bytes, seed=_SEED + 1
            )
            before, room = engine.drive.counters(), _Room(engine.drive)
            followed = engine.run(after, Path(directory), room.watch)
            values = {key: metric.value for key, metric in metrics_of(bundle).items()}
            spare = _number(values["write_amplification.effective_spare"])
            return Written(
                _steady_at(uniform, bench.drive.identity.capacity_bytes),
                _apart(followed),
                _number(values[f"{_UNIFORM}.waf_counted"]),
                _number(values[f"{_UNIFORM}.waf_implied"]),
                None if spare is None else spare / 100,
                _own_amplification(before, engine.drive.counters(), settings),
                room.own_spare,
            )
    except (SsdlabError, SimulatorError) as error:
        return str(error)


def _job_named(engine: RecordingEngine, part: str) -> str:
    (name,) = (name for name in engine.done if name.endswith(part))
    return name


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _steady_at(uniform: RawResult, capacity_bytes: int) -> float | None:
    stopped = uniform.stopped
    return stopped.at_bytes / capacity_bytes if stopped is not None and stopped.is_verdict else None


def _apart(followed: RawResult) -> float:
    """The first five minutes from all."""
    series = followed.directions[Direction.WRITE].series
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    measured_s = min(float(_MEASURED_S), curve.end_s)
    measured = float(curve.bytes_at(np.array([measured_s]))[0]) / measured_s
    return measured / (curve.end_bytes / curve.end_s) - 1


def _own_amplification(before: Counters, after: Counters, settings: Settings) -> float:
    """By MQSim's own statistics: pages that collection moved and that the mapping table took, beside those that the host wrote."""
    host = (after.host_written_bytes - before.host_written_bytes) / settings.page_bytes
    moved = after.moved_by_collection - before.moved_by_collection
    return (host + moved + after.written_for_mapping - before.written_for_mapping) / host


def examine(name: str, program: Path) -> Examined:
    """All that is asked of one setting."""
    settings = SETTINGS[name]
    probed = _probe(name, settings, program)
    assert probed.identity is not None
    truth = truth_of(settings, probed.identity, probed.own_spare)
    drive = ProbedDrive(0, Noise.LOW, name, "", truth)
    return Examined(
        name,
        settings,
        probed.identity.capacity_bytes,
        truth,
        tuple(judged(drive, answer) for answer in probed.answers if answer.name in truth),
        tuple(answer for answer in probed.answers if answer.name not in truth),
        probed.stopped,
        _write(name, settings, program),
    )


# The page

_WRONG = {Verdict.WRONG, Verdict.INVENTED}


def page(found: Sequence[Examined]) -> str:
    """`other-simulators.md`."""
    return "\n".join([*_head(found), *_settings_part(found), *_written_part(found), *_probe_part(found), *_tail()])


def _head(found: Sequence[Examined]) -> list[str]:
    answers = [one for each in found for one in each.answers]
    wrong = [one for one in answers if one.verdict in _WRONG]
    of_grade = {grade: sum(one.answer.grade is grade for one in wrong) for grade in (Grade.A, Grade.B, Grade.C)}
    written = [one.written for one in found if isinstance(one.written, Written)]
    steady = [one for one in written if one.steady_at is not None]
    near = sum(abs(one.apart) <= STEADY_WITHIN for one in steady)
    counted = [one for one in written if one.counted is not None]
    same = sum(one.counted is not None and abs(one.counted / one.own - 1) <= COUNTED_WITHIN for one in counted)
    return [
        "<!-- Written by `uv run python -m tests.study.other_simulators`; do not edit. -->",
        "",
        "# Against other simulators",
        "",
        "The inside of a [real drive](reference/against-real-drives.md) is not known, and the other studies are of drives of our own model. Here suites,",
        "analyses and probes run on drives that others simulate, and the settings of those are the truth. MQSim (Tavakkol et al., FAST 2018; MIT licence) simulates NVMe, a page-mapped translation layer, garbage",
        f"collection, channels and dies. It is fetched from `{REPOSITORY}` at commit `{COMMIT[:12]}`, held against a",
        "hash, mended where it could not collect garbage for long (`tests/study/others/mqsim_repairs.patch`, below), and linked with an adapter of",
        "ours that asks and answers in the time of the simulator (`tests/study/others/`). Nothing of it is in this repository.",
        "",
        f"{len(found)} settings, {len(answers)} answers of probes whose truth follows from the settings: {_counted(answers, Verdict.RIGHT)} right,",
        f"{_counted(answers, Verdict.SILENT)} not said, {_counted(answers, Verdict.RIGHTLY_SILENT)} rightly none; wrong or invented: {of_grade[Grade.A]} of grade A, {of_grade[Grade.B]} of B, {of_grade[Grade.C]} of C.",
        f"Of {len(written)} settings that could be written at random to the end {len(steady)} were called steady, {near} of them within {STEADY_WITHIN:.0%} of what followed.",
        f"The amplification that the suite counts is within {COUNTED_WITHIN:.0%} of MQSim's own count on {same} of {len(counted)}.",
        "",
    ]


def _counted(answers: Sequence[Judged], verdict: Verdict) -> int:
    return sum(one.verdict is verdict for one in answers)


def _settings_part(found: Sequence[Examined]) -> list[str]:
    rows = [
        f"| {one.name} | {one.capacity_bytes / MIB:.0f} MiB | {_geometry(one.settings)} | {one.settings.page_bytes // KIB} KiB x {one.settings.pages} "
        f"| {one.settings.overprovisioning:.0%} | {one.settings.collect_below:.0%} | {one.settings.victim.value} | {_caches(one.settings)} |"
        for one in found
    ]
    return [
        "## The settings",
        "",
        "Whatever is not named is as MQSim has it by default: reading a page takes 75 us, programming one 750 us, erasing a block 3.8 ms; channels of",
        "8 bits at 333 MT/s; erasing can be suspended, programming cannot.",
        "",
        "| name | capacity | channels x chips x dies x planes | block | over-provisioning | kept free | collected | caches |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _geometry(settings: Settings) -> str:
    return (
        f"{settings.channels} x {settings.chips} x {settings.dies} x {settings.planes}, {settings.blocks} blocks each"
    )


def _caches(settings: Settings) -> str:
    parts = []
    if settings.caching is Caching.WRITES:
        parts.append(f"data {settings.data_cache_bytes // MIB} MiB")
    if settings.mapping_cache_bytes is not None:
        parts.append(f"mapping {settings.mapping_cache_bytes // KIB} KiB")
    return ", ".join(parts) or "none; mapping all in memory"


def _written_part(found: Sequence[Examined]) -> list[str]:
    rows = [_written_row(one) for one in found]
    return [
        "## Random writes: steady, amplification, spare space",
        "",
        f"`write-amplification` with its uniform pattern alone, blocks as long as a page and {_DEPTH} in flight, then {AFTER} capacities more. `steady` is what was",
        "written at random when `held` called the drive steady, `apart` by how much the five minutes after that differ from the mean of the",
        f"{AFTER} capacities after it. Amplification: as the suite has it from the counters over the last capacity, and by how much slower the drive",
        f"writes than in order; what MQSim's own statistics come to over the {AFTER} capacities; and what theory has for the spare space that MQSim counts",
        "(flash that holds data, valid or not, beyond the capacity, in the mean over them): blocks collected oldest first, and emptiest first with so many pages to a",
        "block (Desnoyers, ACM TOS 10(2), 2014). Spare space: as the suite finds it, as MQSim counts it, and what over-provisioning names, which has what is",
        "kept free in it; all in per cent of the capacity.",
        "",
        "| setting | steady | apart | counted | by speed | own | oldest first | emptiest first | spare found | spare counted | spare named |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _written_row(one: Examined) -> str:
    if isinstance(one.written, str):
        return f"| {one.name} | MQSim ends: {one.written} | | | | | | | | | |"
    written, pages = one.written, one.settings.pages
    oldest, emptiest = uniform_amplification(written.own_spare), greedy_amplification(written.own_spare, pages)
    named = one.settings.raw_bytes / one.capacity_bytes - 1
    cells = (
        "no" if written.steady_at is None else f"{written.steady_at:.1f} x",
        f"{written.apart:+.1%}",
        _beside(written.counted, written.own),
        _beside(written.implied, written.own),
        f"{written.own:.2f}",
        _beside(oldest, written.own),
        _beside(emptiest, written.own),
        "?" if written.spare is None else f"{100 * written.spare:.1f}",
        f"{100 * written.own_spare:.1f}",
        f"{100 * named:.1f}",
    )
    return f"| {one.name} | {' | '.join(cells)} |"


def _beside(value: float | None, own: float) -> str:
    return "?" if value is None else f"{value:.2f} ({value / own - 1:+.1%})"


def _probe_part(found: Sequence[Examined]) -> list[str]:
    names = list(dict.fromkeys(one.name for each in found for one in each.answers))
    rows = []
    for name in names:
        answers = [(each, one) for each in found for one in each.answers if one.name == name]
        rows += [_answer_row(each, one) for each, one in answers]
    stopped = [f"| {each.name} | `{probe}` | {words} |" for each in found for probe, words in each.stopped.items()]
    return [
        "## Probes",
        "",
        "Each probe that needs reads and writes alone, on a new drive. `right`: exact, or within the limits of the",
        "[study of our own drives](probe-study.md), or inside the stated interval. Of numbers that have no truth, such as a delay, see the second table.",
        "",
        "| answer | setting | says | grade | truth | verdict |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
        "| setting | answer | says | grade |",
        "| --- | --- | --- | --- |",
        *(
            f"| {each.name} | `{one.name}` | {_said(one)} | {one.grade.value} |"
            for each in found
            for one in each.beside
        ),
        "",
        *(
            [
                "MQSim ended during these probes:",
                "",
                "| setting | probe | its words |",
                "| --- | --- | --- |",
                *stopped,
                "",
            ]
            if stopped
            else []
        ),
    ]


def _answer_row(each: Examined, one: Judged) -> str:
    truth = ", ".join(_told(value) for value in each.truth[one.name].values) or "none"
    return f"| `{one.name}` | {each.name} | {_said(one.answer)} | {one.answer.grade.value} | {truth} | {one.verdict.value} |"


def _told(value: float | Message) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value}"


def _said(answer: Answer) -> str:
    value = answer.value
    if isinstance(value, Unknown):
        return f"{value.reason}"
    if isinstance(value, float):
        interval = "" if answer.interval is None else f" ({answer.interval.low:.4g} to {answer.interval.high:.4g})"
        return f"{value:.4g}{interval}"
    return f"{value}"


def _tail() -> list[str]:
    said, _, _ = REPAIRS.read_text(encoding="utf-8").partition("diff --git")
    _, _, repairs = said.partition("\n\n")
    return [
        "## What disagrees, and why",
        "",
        "- **Amplification by speed** is above the count everywhere. What is compared is the time that writing takes, and collection also reads and",
        "  erases: in `base` that alone makes 16 % of programming (75 us for each of three pages in four, 3.8 ms for each block of 64). Beside it planes wait for",
        "  each other, most where MQSim begins to collect when almost no block is free (`few blocks`) and where two planes share a chip. The suite takes the count",
        "  where a drive has one.",
        "- **Few blocks**: 12 of the 256 blocks of a plane are kept free, and below 10 MQSim stops all writes until some are erased. Its speed swings between the two",
        "  all the time, and the drive is rightly not called steady: its five minutes are far from the mean.",
        "- **Theory of the emptiest block** is below the count: MQSim collects up to ten blocks of a plane at a time, and those that are being collected are no longer",
        "  chosen by how empty they are. The theory of the oldest block, which the suite uses, is nearer.",
        "- **Dies and planes** (`2 dies a chip`, `2 planes a die`): MQSim has one command on a chip at a time (`TSU_OutOfOrder::service_read_transaction` asks for an",
        "  idle chip), so channels times chips is what works at once, and the truth here; planes do only where two pages of the same number meet.",
        "- **The read page** is not said: pages lie one to a channel in turn, and both parts of a read that straddles two are read side by side.",
        "- **Placement** is not said: read times stay 1 to 10 % off the stairs of the law, and drives without any noise leave no room for that. **Allocation** is",
        "  said only where pages are so large that they keep data together (`pages of 16 KiB`): else it is not known without the law whether pages out of place",
        "  would show. **The stripe** of two planes to a die is left open, between the planes of one chip and those of all.",
        "- **The write cache** is not seen: MQSim takes no more writes than one page for each plane ahead of the flash, however large the cache (the depth of its back",
        "  pressure), so that a burst is no faster than the flash. It does hide how long writes take, and with that the **management block**. Where that is not known",
        "  the **spare space** is asked for with writes of 4 KiB, which MQSim reads, modifies and writes as whole pages; the probe says so and gives no answer.",
        "- **A mapping cache** was called a read buffer, at grade A, when this was first run: MQSim keeps mappings one by one, and a page read again is faster because",
        "  its mapping is there. Now nothing is said where both explain it. Its **reach** is not said: for each page of the table the probe reads one page of data",
        "  beforehand, which in MQSim brings one mapping into the cache and not all of them, so that no range is read with all of its mappings there.",
        "",
        "## What had to be mended in MQSim",
        "",
        repairs.strip(),
        "",
        "Left as it is: with a mapping cache MQSim ends when much is collected (a mapping that is being fetched is entered a second time), so that those settings",
        "have no spare space and no random writes here; with `RGA` it stands still when no block that is drawn has anything to collect while all writes wait.",
        "",
    ]


def main(arguments: Sequence[str]) -> int:
    """Examine all settings and write the page, or print it for one of them."""
    parser = ArgumentParser()
    parser.add_argument("--from", dest="source", default=REPOSITORY)
    parser.add_argument("--only", choices=list(SETTINGS))
    options = parser.parse_args(arguments)
    program = built(options.source)
    found = []
    for name in SETTINGS if options.only is None else [options.only]:
        found.append(examine(name, program))
        print(name, file=sys.stderr, flush=True)
    if options.only is None:
        PAGE.write_text(page(found), encoding="utf-8")
    else:
        print(page(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
