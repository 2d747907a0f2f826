"""All that is asked of a setting of a simulator, and what is true of it: probes on new drives, then random writes until it is steady and beyond."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from tests.kit.amplified_drives import patterns
from tests.kit.load_drives import metrics_of
from tests.kit.probe_drives import Noise, ProbedDrive, Truth
from tests.study.others.drive import SimulatedDrive, SimulatedSensor
from tests.study.others.engine import SimulatedEngine
from tests.study.others.simulator import Settings, Simulator
from tests.study.others.wire import SimulatorError
from tests.study.probe_study import Judged, judged

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
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.allocation import ALLOCATION
from ssdlab.probe.probes.drift import DRIFT
from ssdlab.probe.probes.interference import INTERFERENCE
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
from ssdlab.units import KIB, NS_PER_S
from ssdlab.unknown import Unknown

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
"""Those that need reads and writes alone."""
AFTER = 8
"""Capacities written after a drive was called steady, whose mean is the truth."""
HOT_AFTER = 3
"""Capacities, likewise."""
DEPTH = 32
_MEASURED_S = 300
"""As the suite measures."""
_UNIFORM = "write_amplification.uniform"
_SEED = 1


@dataclass(frozen=True, slots=True)
class Case:
    """A setting of a simulator, and the program that simulates it."""

    simulator: Simulator
    name: str
    program: Path

    @property
    def settings(self) -> Settings:
        """Of that name."""
        return self.simulator.settings[self.name]


@dataclass(frozen=True, slots=True)
class RecordingEngine(SimulatedEngine):
    """Keeps what it gave."""

    done: dict[str, RawResult] = field(default_factory=dict)

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """See `Engine.run`."""
        result = SimulatedEngine.run(self, job, directory, watch, judge, heed)
        self.done[job.name] = result
        return result


@dataclass(frozen=True, slots=True)
class Written:
    """What came of the suite `write-amplification` with uniform writes, and of the capacities after it.

    Attributes:
        steady_at: Capacities written at random when the drive was called steady; None where it never was.
        apart: Share by which the mean of the five minutes after that differs from the mean of the eight capacities after it; of a quarter
            of their time where that is shorter.
        counted: Amplification over the last capacity before the end, by the suite from the drive's counters.
        implied: The same by its speed beside sequential writes.
        spare: Found by the suite, share of the capacity.
        own: What the simulator itself counts over the eight capacities.
        own_spare: Flash that held data, valid or not, beyond the capacity, in share of it, by its own count; the mean over the same.
            None where it does not count that.
    """

    steady_at: float | None
    apart: float
    counted: float | None
    implied: float | None
    spare: float | None
    own: float
    own_spare: float | None


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


# Probes


@contextmanager
def _bench(case: Case) -> Iterator[tuple[Bench, RecordingEngine]]:
    drive = SimulatedDrive(case.simulator, case.name, case.settings, case.program)
    try:
        engine = RecordingEngine(drive)
        yield Bench(drive, engine, _SEED, SimulatedSensor(drive)), engine
    finally:
        drive.close()


@dataclass(slots=True)
class _Probed:
    """What probes have said of a setting so far."""

    answers: list[Answer] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)
    own_spare: float | None = None
    identity: DriveIdentity | None = None


def _probe(case: Case) -> _Probed:
    """All probes in order; after one in which the simulator ended the next goes on with a new one."""
    probed, left = _Probed(), list(PROBES)
    while left:
        with _bench(case) as (bench, engine):
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
    """What flash holds data while a job runs, by the simulator's count: it is looked at as often as the job says how far it is."""

    drive: SimulatedDrive
    _share_done: float = 0.0
    _holding: list[int] = field(default_factory=list)

    def watch(self, progress: Progress) -> None:
        """Look; what is less far than before is another job, and what was seen of the last one does not count."""
        share_done = progress.share_done or 0.0
        if share_done < self._share_done:
            self._holding.clear()
        self._share_done = share_done
        holding_bytes = self.drive.settings.holding_bytes(self.drive.counters())
        if holding_bytes is not None:
            self._holding.append(holding_bytes)

    def watch_probe(self, probe: str, progress: Progress) -> None:
        """The same while a probe runs."""
        del probe
        self.watch(progress)

    @property
    def own_spare(self) -> float | None:
        """Flash that held data, valid or not, in the mean over the last job, beyond the capacity and in share of it; None where it is not counted."""
        if not self._holding:
            return None
        return float(np.mean(self._holding)) / self.drive.identity.capacity_bytes - 1


# Writing at random


def _suite(settings: Settings, hot: str) -> str:
    """`write-amplification` with these patterns, and blocks as long as a page."""
    text = patterns(hot=hot, measured="5min")
    text = text.replace('bs = "4KiB", qd = 256', f'bs = "{settings.written_bytes // KIB}KiB", qd = {DEPTH}')
    return text.replace('bs = "128KiB", qd = 256', f'bs = "128KiB", qd = {DEPTH}')


def _write(case: Case) -> Written | str:
    """The built-in suite with one pattern and blocks as long as a page, then the capacities that follow."""
    suite = _suite(case.settings, "[]")
    try:
        with (
            _bench(case) as (bench, engine),
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
                case.settings.own_amplification(before, engine.drive.counters()),
                room.own_spare,
            )
    except (SsdlabError, SimulatorError) as error:
        return str(error)


@dataclass(frozen=True, slots=True)
class HotAndCold:
    """What came of writes of which so many per cent go to the rest of the blocks.

    Attributes:
        counted: By the suite over the last capacity.
        own: By the simulator over the capacities after it.
        mixed: By theory, for the spare space that the suite found: hot and cold data in one stream, oldest block first.
        separated: By theory, each kept apart with its best share of the spare space.
        separation_percent: Where the suite sees the drive between the two.
    """

    name: str
    hot_percent: int
    counted: float | None
    own: float
    mixed: float | None
    separated: float | None
    separation_percent: float | None
    verdict: str


def write_hot_and_cold(case: Case, hot_percent: int) -> HotAndCold:
    """The suite with the uniform pattern and one of two zones."""
    with (
        _bench(case) as (bench, engine),
        tempfile.TemporaryDirectory() as directory,
        (Path(directory) / "words").open("w") as words,
    ):
        suite = _suite(case.settings, f"[{hot_percent}]")
        plan = expand(parse_suite(suite, "mine.toml"), "standard", bench.drive.identity, seed=_SEED)
        bundle = execute(plan, bench, Path(directory) / "lab", PlainDisplay(words))
        label = f"zones{hot_percent}_{100 - hot_percent}"
        zoned = engine.done[_job_named(engine, label)].job
        before = engine.drive.counters()
        after = replace(zoned, name="after", amount_bytes=HOT_AFTER * zoned.region.length_bytes, seed=_SEED + 1)
        engine.run(after, Path(directory), lambda _progress: None)
        values = {key: metric.value for key, metric in metrics_of(bundle).items()}
        point, verdict = f"write_amplification.{label}", values["write_amplification.separates"]
        return HotAndCold(
            case.name,
            hot_percent,
            _number(values[f"{point}.waf_counted"]),
            case.settings.own_amplification(before, engine.drive.counters()),
            _number(values[f"{point}.waf_mixed"]),
            _number(values[f"{point}.waf_separated"]),
            _number(values["write_amplification.separation"]),
            "?" if isinstance(verdict, Unknown) else str(verdict),
        )


def _job_named(engine: RecordingEngine, part: str) -> str:
    (name,) = (name for name in engine.done if name.endswith(part))
    return name


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _steady_at(uniform: RawResult, capacity_bytes: int) -> float | None:
    stopped = uniform.stopped
    return stopped.at_bytes / capacity_bytes if stopped is not None and stopped.is_verdict else None


def _apart(followed: RawResult) -> float:
    """The first five minutes, or a quarter, from all."""
    series = followed.directions[Direction.WRITE].series
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    measured_s = min(float(_MEASURED_S), curve.end_s / 4)
    measured = float(curve.bytes_at(np.array([measured_s]))[0]) / measured_s
    return measured / (curve.end_bytes / curve.end_s) - 1


def examine(case: Case) -> Examined:
    """All that is asked of one setting."""
    probed = _probe(case)
    assert probed.identity is not None
    truth = case.settings.truth(probed.identity.capacity_bytes, probed.own_spare)
    drive = ProbedDrive(0, Noise.LOW, case.name, "", truth)
    return Examined(
        case.name,
        case.settings,
        probed.identity.capacity_bytes,
        truth,
        tuple(judged(drive, answer) for answer in probed.answers if answer.name in truth),
        tuple(answer for answer in probed.answers if answer.name not in truth),
        probed.stopped,
        _write(case),
    )
