"""Bundles of the suite `fill` as a run would leave them, made from synthetic windows with known levels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.dotted_names import key_of_name, point_of_name
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import (
    SCHEMA_VERSION,
    Check,
    HostFacts,
    Metric,
    Outcome,
    RunInfo,
    Step,
    StepStatus,
    SuiteText,
)
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.engine.result import (
    CpuUse,
    Direction,
    DirectionResult,
    Dropped,
    Histogram,
    LatencyKind,
    RawResult,
    Series,
)
from ssdlab.job import DriveState, Job, Pattern, Region, StepKind
from ssdlab.lab.begin import BY_OPERATOR
from ssdlab.message import as_written, duration, message, number, size, verbatim
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

WINDOW_NS = 100 * NS_PER_MS
BLOCK_BYTES = 128 * KIB
QUEUE_DEPTH = 256
SUITE_TEXT = '[suite]\nname = "fill"  # <fill & rest>\nversion = "2025.12"\n'


@dataclass(frozen=True, slots=True)
class Plateau:
    """A stretch of a fill at one speed."""

    length_bytes: float
    mib_per_s: float


PASS_1 = (Plateau(250e9, 12_200), Plateau(300e9, 1_200), Plateau(450e9, 1_500))
PASS_2 = (Plateau(44e9, 11_600), Plateau(400e9, 1_190), Plateau(556e9, 1_480))
FLAT = (Plateau(64e9, 520),)


def windows_of(plateaus: Sequence[Plateau], seed: int, noise: float = 0.03, dips: int = 3) -> Series:
    """100 ms windows through the plateaus, with noise and a few windows almost standing still."""
    random = np.random.default_rng(seed)
    levels: list[float] = []
    for plateau in plateaus:
        window_bytes = plateau.mib_per_s * MIB * WINDOW_NS / NS_PER_S
        levels += [plateau.mib_per_s * MIB] * max(1, round(plateau.length_bytes / window_bytes))
    bandwidth = np.array(levels) * np.exp(random.normal(0, noise, len(levels)))
    bandwidth[random.choice(len(levels), dips, replace=False)] *= 0.1
    latency = QUEUE_DEPTH * BLOCK_BYTES / bandwidth * 1e9
    return series_of(bandwidth, latency, latency * random.uniform(1.5, 9, len(levels)))


def series_of(
    bandwidth: NDArray[np.float64], latency_mean: NDArray[np.float64], latency_max: NDArray[np.float64]
) -> Series:
    """A series of full windows."""
    return Series(
        window_ns=WINDOW_NS,
        time_ns=np.arange(1, len(bandwidth) + 1, dtype=np.int64) * WINDOW_NS,
        bandwidth_bytes_per_s=bandwidth,
        iops=bandwidth / BLOCK_BYTES,
        latency_ns_mean=latency_mean,
        latency_ns_max=latency_max,
    )


def fill_result(job: Job, series: Series) -> RawResult:
    """What an engine would hand over after writing that series."""
    count = int(series.iops.sum() * series.window_ns / NS_PER_S)
    slowest = series.latency_ns_max[np.isfinite(series.latency_ns_max)]
    histogram = Histogram(
        bin_index=np.array([900, 960], dtype=np.int64),
        count=np.array([count - count // 10, count // 10], dtype=np.int64),
        mean_ns=float(np.nansum(series.latency_ns_mean)) / len(series.latency_ns_mean),
        min_ns=40_000,
        max_ns=int(slowest.max()) if len(slowest) else 1_000_000_000,
        stddev_ns=9e6,
    )
    return RawResult(
        job=job,
        engine="fio-3.41",
        elapsed_ns=int(series.time_ns[-1]),
        directions={
            Direction.WRITE: DirectionResult(
                io_count=count,
                io_bytes=count * BLOCK_BYTES,
                short_ios=0,
                runtime_ns=int(series.time_ns[-1]),
                logged_bytes=count * BLOCK_BYTES,
                latency={LatencyKind.CLAT: histogram, LatencyKind.LAT: histogram},
                series=series,
            )
        },
        error_count=0,
        dropped=(Dropped("hipri", as_written("the kernel has no poll queues for this device")),),
        cpu=CpuUse(4.5, 21.0),
        standstills=(),
    )


HOST = HostFacts(
    hostname="bench",
    kernel="6.12.0",
    os="Debian 13",
    cpu="Ryzen 9 9950X",
    cpu_count=32,
    memory_bytes=64 * 1024 * MIB,
)


def run_info(capacity_bytes: int, model: str = "Lab PM1 1TB") -> RunInfo:
    """A run of the suite `fill` on a drive of that capacity."""
    return RunInfo(
        schema=SCHEMA_VERSION,
        started_at="2026-01-20T09:30:00+00:00",
        drive=DriveIdentity(
            target="/dev/nvme0n1",
            model=model,
            serial="S1234",
            firmware=Unknown(as_written("the drive does not say")),
            capacity_bytes=capacity_bytes,
            logical_block_bytes=512,
            indirection_unit_bytes=4096,
            description=as_written("NVMe drive"),
            purge_leaves=Freshness.FRESH,
            memory=Memory.KEEPS,
        ),
        host=HOST,
        suite=SuiteText(name="fill", version="2025.12", text=SUITE_TEXT, sha256="5f" * 32),
        profile="standard",
        comparable=True,
        seed=7,
        engine="fio-3.41",
        ssdlab_version="0.1.0",
    )


def fill_job(name: str, capacity_bytes: int) -> Job:
    """One pass of METHODS C2."""
    return Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=BLOCK_BYTES,
        queue_depth=QUEUE_DEPTH,
        region=Region(0, capacity_bytes),
        amount_bytes=capacity_bytes,
        duration_ns=None,
        seed=7,
    )


def fill_plan(capacity_bytes: int, rest_ns: int) -> tuple[Step, ...]:
    """Purge, rest, pass, rest, pass."""

    def planned(index: int, name: str, kind: StepKind) -> Step:
        return Step(
            index=index,
            name=name,
            group=name.partition(".")[0],
            point=point_of_name(name),
            kind=kind,
            status=StepStatus.PLANNED,
            state=DriveState.UNKNOWN,
            job=fill_job(name, capacity_bytes) if kind is StepKind.FILL else None,
            rest_ns=rest_ns if kind is StepKind.REST else 0,
            started_ns=None,
            ended_ns=None,
            reason=None,
        )

    return (
        planned(1, "purge", StepKind.PURGE),
        planned(2, "purge.rest", StepKind.REST),
        planned(3, "fill.pass1", StepKind.FILL),
        planned(4, "fill.rest", StepKind.REST),
        planned(5, "fill.pass2", StepKind.FILL),
    )


def pass_metrics(number: int, plateaus: Sequence[Plateau], series: Series) -> list[Metric]:
    """The metrics METHODS M asks of one pass, from the levels it was made with."""
    step = f"fill.pass{number}"
    state = DriveState.FOB if number == 1 else DriveState.FILLED_ONCE

    def metric(name: str, value: float | Unknown, unit: str, spread: float | None = None) -> Metric:
        exact = None if spread is None or isinstance(value, Unknown) else value
        return Metric(
            key=key_of_name(f"{step}.{name}", step),
            value=value,
            unit=unit,
            state=state,
            step=step,
            low=None if exact is None or spread is None else exact * (1 - spread),
            high=None if exact is None or spread is None else exact * (1 + spread),
            failed_checks=("coverage.fill",) if number == 2 else (),
        )

    single = Unknown(verbatim("no slower phase after the cache"))
    folding = plateaus[1].mib_per_s * MIB if len(plateaus) > 2 else single
    cache = len(plateaus) > 1
    return [
        metric("duration", float(series.time_ns[-1]) / 1e9, "s"),
        metric("cache_bytes", plateaus[0].length_bytes if cache else single, "B", 0.004),
        metric("cache_bandwidth", plateaus[0].mib_per_s * MIB if cache else single, "B/s", 0.002),
        metric("folding_bandwidth", folding, "B/s", 0.002),
        metric("direct_bandwidth", plateaus[-1].mib_per_s * MIB, "B/s", 0.001),
        metric("bandwidth_mean", float(series.bandwidth_bytes_per_s.mean()), "B/s", 0.01),
        metric("bandwidth_p1", float(np.quantile(series.bandwidth_bytes_per_s, 0.01)), "B/s"),
    ]


CHECKS = (
    Check(
        name="latency.clat_within_lat",
        step="fill.pass1",
        outcome=Outcome.PASS,
        finding=message("audit-mean-clat-and-lat", clat=duration(20_900_000), lat=duration(21_100_000)),
        meaning=message("audit-latency-clat-within-lat-pass"),
    ),
    Check(
        name="host.cpu",
        step="fill.pass1",
        outcome=Outcome.WARN,
        finding=message("audit-processor", busy=number(97, ".0f"), jobs=1, cores=8),
        meaning=message("audit-host-cpu-warn"),
        remedy=message("audit-host-cpu-remedy"),
    ),
    Check(
        name="coverage.fill",
        step="fill.pass2",
        outcome=Outcome.FAIL,
        finding=message(
            "audit-written", written=size(931 * GIB), region=size(932 * GIB), share=number(931 / 932, ".4%")
        ),
        meaning=message("audit-coverage-fill-fail"),
        remedy=message("audit-coverage-fill-remedy"),
    ),
    Check(
        name="link.unchanged",
        step="fill.pass1",
        outcome=Outcome.UNKNOWN,
        finding=message("audit-virtual-no-device"),
        meaning=message("audit-device-link-unknown"),
        remedy=message("audit-device-link-remedy"),
    ),
)


def write_whole(
    path: Path, info: RunInfo | None = None, passes: Sequence[Sequence[Plateau]] = (PASS_1, PASS_2)
) -> Path:
    """A run that came to its end."""
    capacity_bytes = int(sum(plateau.length_bytes for plateau in passes[0]))
    plan = fill_plan(capacity_bytes, 300 * NS_PER_S)
    writer = BundleWriter(path, info or run_info(capacity_bytes), plan)
    clock_ns = _purged(writer)
    metrics: list[Metric] = []
    for position, plateaus in enumerate(passes, start=1):
        series = windows_of(plateaus, seed=position)
        clock_ns = _filled(writer, plan[2 * position], clock_ns, series)
        metrics += pass_metrics(position, plateaus, series)
        if position == 1:
            clock_ns = _rested(writer, 4, clock_ns, 300 * NS_PER_S)
    writer.warning(clock_ns, Warned(WarningKind.OTHER, as_written("the drive reached 71 °C in fill.pass2")))
    writer.run_ended(clock_ns, Event.RUN_FINISHED, None)
    writer.close()
    metrics.append(
        replace(metrics[5], key=key_of_name("fill.bandwidth_mean", "fill"), note=as_written("mean over both passes"))
    )
    write_conclusions(path, metrics, CHECKS)
    return path


def write_one_pass(path: Path, series: Series, info: RunInfo | None = None) -> Path:
    """A run of one finished pass, nothing concluded yet; the drive is as large as what was written unless given."""
    info = info or run_info(int(series.bytes_done[-1]))
    plan = fill_plan(info.drive.capacity_bytes, 300 * NS_PER_S)[:3]
    writer = BundleWriter(path, info, plan)
    writer.run_ended(_filled(writer, plan[2], _purged(writer), series), Event.RUN_FINISHED, None)
    writer.close()
    return path


def write_interrupted(path: Path) -> Path:
    """A run that the operator stopped in its second pass."""
    capacity_bytes = int(sum(plateau.length_bytes for plateau in PASS_1))
    plan = fill_plan(capacity_bytes, 300 * NS_PER_S)
    writer = BundleWriter(path, run_info(capacity_bytes), plan)
    series = windows_of(PASS_1, seed=1)
    clock_ns = _rested(writer, 4, _filled(writer, plan[2], _purged(writer), series), 300 * NS_PER_S)
    writer.step_started(5, clock_ns, DriveState.FILLED_ONCE)
    writer.step_ended_early(5, clock_ns + NS_PER_S, Event.STEP_INTERRUPTED, BY_OPERATOR)
    writer.run_ended(clock_ns + NS_PER_S, Event.RUN_INTERRUPTED, BY_OPERATOR)
    writer.close()
    write_conclusions(path, pass_metrics(1, PASS_1, series), CHECKS[:2])
    return path


def write_killed(path: Path) -> Path:
    """A run that was killed in its first pass: no word of an end, a torn last line, no conclusions."""
    writer = BundleWriter(path, run_info(10**12), fill_plan(10**12, 300 * NS_PER_S))
    writer.step_started(3, _purged(writer), DriveState.FOB)
    writer.close()
    with (path / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"event":"checkp')
    return path


def _purged(writer: BundleWriter) -> int:
    writer.step_started(1, 0, DriveState.UNKNOWN)
    writer.step_finished(1, NS_PER_S, None, message("drive-purged-model"))
    return _rested(writer, 2, NS_PER_S, 900 * NS_PER_S)


def _rested(writer: BundleWriter, index: int, clock_ns: int, rest_ns: int) -> int:
    writer.step_started(index, clock_ns, DriveState.FOB if index == 2 else DriveState.FILLED_ONCE)
    writer.step_finished(index, clock_ns + rest_ns, None)
    return clock_ns + rest_ns


def _filled(writer: BundleWriter, step: Step, clock_ns: int, series: Series) -> int:
    assert step.job is not None
    writer.step_started(step.index, clock_ns, DriveState.FOB if step.index == 3 else DriveState.FILLED_ONCE)
    ended_ns = clock_ns + int(series.time_ns[-1])
    writer.step_finished(step.index, ended_ns, fill_result(step.job, series))
    return ended_ns
