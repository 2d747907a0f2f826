"""The load engine against fio on the same drives, in interleaved rounds: what they measure, what they cost, and open loops.

A kernel that shares its processors between sessions (`sched_autogroup_enabled`) gives fio, which has a session of its own, more of a busy host
than what else runs in this one: there `setsid --wait ./dev bench load` compares like with like.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import isnan
from pathlib import Path
from statistics import median

from measure import ROOT, Aim, Measurement
from ssdlab import _core
from ssdlab.engine.base import Engine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.result import LatencyKind, RawResult
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US
from ssdlab.unknown import Unknown

CLOSED_ROUNDS = 9
UNDISTURBED_ROUNDS = 5
"""Of each engine those of the highest rates count: on a drive that is the limit itself nothing but the rest of the host makes one slower."""
COST_ROUNDS = 15
COST_NS = 500 * NS_PER_MS
"""Short rounds and many: what else the host does meanwhile then costs both the same, or one round that the median leaves out."""
COST_DEPTHS = (1, 32, 256)
CLOSED_SECONDS = {1: 5, 32: 2, 256: 2}
"""By depth: the rounds that count have ten I/Os above p99.9."""
OPEN_SECONDS = 5
SIZE_BYTES = 512 * MIB
PERCENTS = (50.0, 99.0, 99.9)
IOPS_PERCENT = 1.0
LATENCY_PERCENT = 3.6
"""A bin of fio's, which is up to 1.6 % wide, and 2 %."""
RATE_PERCENT = 0.5

JOB = Job(
    name="bench",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4 * KIB,
    queue_depth=1,
    region=Region(0, SIZE_BYTES),
    amount_bytes=None,
    duration_ns=COST_NS,
    seed=7,
)


def load() -> Iterator[Measurement]:
    """On a drive that is the limit itself, on one that takes no time, and at rates it can keep."""
    with tempfile.TemporaryDirectory() as text:
        directory = Path(text)
        with _paced(directory) as bench:
            yield from _closed(bench, directory)
            yield from _open(bench, directory, (100, 1_000, 5_000))
        with open_bench("virtual:zero?capacity=512MiB") as bench:
            yield from _open(bench, directory, (20_000,))
            yield from _cost("a drive that takes no time", bench, directory)
        with _in_memory() as bench:
            _write_all(bench, directory)
            yield from _cost("a file in memory", bench, directory)


@contextmanager
def _paced(directory: Path) -> Iterator[Bench]:
    """A drive that sets the pace itself, written all over."""
    sys.path.insert(0, str(ROOT))
    from tests.kit.paced import paced_spec

    spec = directory / "paced.toml"
    spec.write_text(paced_spec(2 * NS_PER_MS, 100 * NS_PER_US))
    with open_bench(f"virtual:{spec}?capacity=512MiB") as bench:
        _write_all(bench, directory)
        yield bench


@contextmanager
def _in_memory() -> Iterator[Bench]:
    """A file that no disk holds, which both engines do their I/Os on through io_uring."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as text, open_bench(f"file:{text}?size=512MiB") as bench:
        yield bench


def _write_all(bench: Bench, directory: Path) -> None:
    fill = replace(
        JOB, pattern=Pattern.SEQUENTIAL, read_percent=0, block_bytes=MIB, amount_bytes=SIZE_BYTES, duration_ns=None
    )
    LoadEngine(bench.drive).run(replace(fill, queue_depth=8), directory, lambda _: None)


def _rounds(bench: Bench, job: Job, directory: Path, rounds: int) -> list[tuple[RawResult, RawResult]]:
    """Each by the load engine, then by fio."""
    engines: tuple[Engine, Engine] = (LoadEngine(bench.drive), bench.engine)
    ours, fios = engines
    return [(ours.run(job, directory, lambda _: None), fios.run(job, directory, lambda _: None)) for _ in range(rounds)]


def _closed(bench: Bench, directory: Path) -> Iterator[Measurement]:
    for name, read_percent in (("reads", 100), ("writes", 0), ("70/30", 70)):
        for depth, seconds in CLOSED_SECONDS.items():
            job = replace(JOB, read_percent=read_percent, queue_depth=depth, duration_ns=seconds * NS_PER_S)
            rounds = zip(*_rounds(bench, job, directory, CLOSED_ROUNDS), strict=True)
            ours, fios = (sorted(side, key=_iops)[-UNDISTURBED_ROUNDS:] for side in rounds)
            what = f"load / fio, {name} QD{depth}"
            iops = [median(_iops(result) for result in side) for side in (ours, fios)]
            detail = f"{iops[0]:,.0f} / {iops[1]:,.0f}"
            yield Measurement(f"{what}, IOPS off by", _off_percent(*iops), "%", Aim.AT_MOST, IOPS_PERCENT, detail)
            for percent in PERCENTS:
                ns = [_percentile_ns(side, percent) for side in (ours, fios)]
                if any(isnan(one) for one in ns):
                    # Fewer than ten I/Os lie above it.
                    continue
                detail = f"{ns[0] / 1e3:,.1f} / {ns[1] / 1e3:,.1f} us"
                yield Measurement(
                    f"{what}, p{percent:g} off by", _off_percent(*ns), "%", Aim.AT_MOST, LATENCY_PERCENT, detail
                )


def _off_percent(ours: float, fios: float) -> float:
    return 100 * abs(ours / fios - 1)


def _open(bench: Bench, directory: Path, rates_iops: tuple[int, ...]) -> Iterator[Measurement]:
    """How far the mean rate is off, beside what chance makes of so many exponential gaps, and how late I/Os were submitted."""
    for rate_iops in rates_iops:
        job = replace(JOB, rate_iops=rate_iops, queue_depth=256, duration_ns=OPEN_SECONDS * NS_PER_S)
        ((ours, fios),) = _rounds(bench, job, directory, rounds=1)
        chance_percent = 300 / (rate_iops * OPEN_SECONDS) ** 0.5
        p99 = " / ".join(f"{_percentile_ns((result,), 99, LatencyKind.LAT) / 1e3:,.0f}" for result in (ours, fios))
        detail = f"fio {100 * (_iops(fios) / rate_iops - 1):+.2f} %, chance {chance_percent:.2f} %; p99 {p99} us; {_late(ours)}"
        error_percent = 100 * abs(_iops(ours) / rate_iops - 1)
        limit_percent = RATE_PERCENT + chance_percent
        yield Measurement(
            f"load, Poisson at {rate_iops:,}/s, rate off by", error_percent, "%", Aim.AT_MOST, limit_percent, detail
        )


def _late(result: RawResult) -> str:
    told = result.punctuality
    if isinstance(told, Unknown):
        return str(told.reason)
    return f"late {told.late_mean_ns / 1e3:,.0f} us, at most {told.late_max_ns / 1e3:,.0f}; {told.unsubmitted:,} not submitted"


def _cost(where: str, bench: Bench, directory: Path) -> Iterator[Measurement]:
    for depth in COST_DEPTHS:
        for name, read_percent in (("reads", 100), ("writes", 0)):
            pairs = _rounds(bench, replace(JOB, read_percent=read_percent, queue_depth=depth), directory, COST_ROUNDS)
            ours, fios = (median(_iops_per_cpu_second(result) for result in side) for side in zip(*pairs, strict=True))
            what = f"load / fio on {where}, {name} QD{depth}, I/Os a CPU second"
            rates = " / ".join(f"{median(_iops(result) for result in side):,.0f}" for side in zip(*pairs, strict=True))
            detail = f"{ours:,.0f} / {fios:,.0f}; {rates} IOPS"
            yield Measurement(what, ours / fios, "x", Aim.AT_LEAST, 1.0, detail)


def _iops(result: RawResult) -> float:
    parts = result.directions.values()
    return sum(part.io_count for part in parts) * NS_PER_S / max(part.runtime_ns for part in parts)


def _iops_per_cpu_second(result: RawResult) -> float:
    if result.cpu is None:
        raise ValueError("an engine in real time uses a processor")
    return _iops(result) / ((result.cpu.user_percent + result.cpu.system_percent) / 100)


def _percentile_ns(results: Iterable[RawResult], percent: float, kind: LatencyKind = LatencyKind.CLAT) -> float:
    """Of all I/Os of these rounds."""
    counts: Counter[int] = Counter()
    for result in results:
        for part in result.directions.values():
            histogram = part.latency[kind]
            counts.update(dict(zip(histogram.bin_index.tolist(), histogram.count.tolist(), strict=True)))
    bins = sorted(counts)
    (found,) = _core.histogram_percentiles(bins, [counts[one] for one in bins], [percent])
    return float("nan") if found is None else float(found)
