"""The numbers of first screens, worked out from what was recorded, by code that shares nothing with the analysis: windows and counts alone."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ssdlab import _core
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import NS_PER_MS, NS_PER_S

WEIGHTS = {1: 0.80, 2: 0.15, 4: 0.05}
"""METHODS C6: of queue depths."""
Ends = tuple[float, float]
"""Between which a number must lie."""


def around(truth: float, share: float = 0.01) -> Ends:
    """So far off it may be: digits of a file, bins of a histogram."""
    return truth * (1 - share), truth * (1 + share)


def steps_of(bundle: Bundle, point: str) -> list[Step]:
    """The finished runs of a point, without what prepares it or looks at single I/Os."""
    names = {point, *(f"{point}.run{number}" for number in range(1, 11))}
    return [step for step in bundle.finished() if step.name in names]


# Of one step


def rate(bundle: Bundle, step: Step) -> float:
    """I/Os a second, reads and writes together."""
    parts = bundle.result(step).directions.values()
    return sum(one.io_count for one in parts) * NS_PER_S / max(one.runtime_ns for one in parts)


def speed(bundle: Bundle, step: Step) -> float:
    """Bytes a second, reads and writes together."""
    parts = bundle.result(step).directions.values()
    return sum(one.io_bytes for one in parts) * NS_PER_S / max(one.runtime_ns for one in parts)


def mean_ns(bundle: Bundle, step: Step, kind: LatencyKind) -> float:
    """Over all I/Os."""
    parts = bundle.result(step).directions.values()
    return sum(one.io_count * one.latency[kind].mean_ns for one in parts) / sum(one.io_count for one in parts)


def tail_ns(bundle: Bundle, step: Step) -> float:
    """The nearest rank of 99.9 %, of reads and writes together, from submission to completion."""
    counts: Counter[int] = Counter()
    for kinds in bundle.histograms(step).values():
        found = kinds[LatencyKind.LAT]
        counts.update(dict(zip(found.bin_index.tolist(), found.count.tolist(), strict=True)))
    wanted, done = int(np.ceil(0.999 * counts.total())), 0
    for index in sorted(counts):
        done += counts[index]
        if done >= wanted:
            return float(_core.bin_mid(index))
    raise AssertionError("no I/O")


# Of several


def of_passes(bundle: Bundle, *points: str) -> float:
    """Bytes a second by the windows alone."""
    series = [bundle.series(step, Direction.WRITE) for point in points for step in steps_of(bundle, point)]
    return float(sum(one.bytes_done[-1] for one in series) * NS_PER_S / sum(int(one.time_ns[-1]) for one in series))


def slowest_percent(bundle: Bundle, point: str) -> float:
    """The nearest rank of the whole windows in ascending order."""
    (step,) = steps_of(bundle, point)
    series = bundle.series(step, Direction.WRITE)
    whole = np.sort(series.bandwidth_bytes_per_s[series.duration_ns >= series.window_ns / 2])
    return float(whole[int(np.ceil(len(whole) / 100)) - 1])


def of_runs(bundle: Bundle, point: str) -> float:
    """I/Os a second of a point: the median of its last three runs."""
    return float(np.median([rate(bundle, step) for step in steps_of(bundle, point)][-3:]))


def weighted(bundle: Bundle) -> float:
    """METHODS C6: the mean of mixed shares, each the weighted mean over queue depths."""
    return float(
        np.mean(
            [
                sum(weight * of_runs(bundle, f"rw_ratio.rnd.q{depth}.r{share}") for depth, weight in WEIGHTS.items())
                for share in range(10, 100, 10)
            ]
        )
    )


def written_after_rest(bundle: Bundle, point: str) -> float:
    """Bytes in a minute."""
    (step,) = steps_of(bundle, point)
    return float(bundle.series(step, Direction.WRITE).bytes_done[-1])


def completion(bundle: Bundle, point: str) -> float:
    """Mean of the only direction."""
    (step,) = steps_of(bundle, point)
    return mean_ns(bundle, step, LatencyKind.CLAT)


def last_five_rounds(bundle: Bundle, point: str, of: Callable[[Bundle, Step], float]) -> float:
    """SNIA PTS 2.0.2, 2.1.24: the mean over the measurement window, which is the end of the rounds."""
    group, _, cell = point.partition(".")
    rounds = {
        int(found[1]): step
        for step in bundle.finished()
        if (found := re.fullmatch(rf"{group}\.round(\d+)\.{re.escape(cell)}", step.name))
    }
    return float(np.mean([of(bundle, rounds[number]) for number in sorted(rounds)[-5:]]))


# Write saturation


def fresh(bundle: Bundle) -> tuple[Ends, Ends]:
    """I/Os a second before the speed is lost by a tenth for good, and what was written by then; half a second is averaged over."""
    (step,) = steps_of(bundle, "precondition.rnd")
    series = bundle.series(step, Direction.WRITE)
    first = float(np.median(series.iops[1:6]))
    smooth = np.convolve(series.iops, np.ones(5) / 5, "valid")
    end = int(np.flatnonzero(smooth >= 0.9 * first)[-1]) + 2
    done = series.bytes_done
    return around(float(np.mean(series.iops[1 : max(2, end - 2)])), 0.05), (
        0.95 * float(done[max(0, end - 10)]),
        1.05 * float(done[min(len(done) - 1, end + 10)]),
    )


def late_speed(bundle: Bundle, point: str) -> Ends:
    """I/Os a second of the last fifth of what was written, and how far its tenths lie apart."""
    (step,) = steps_of(bundle, point)
    series = bundle.series(step, Direction.WRITE)
    last = series.bytes_done > 0.8 * series.bytes_done[-1]
    parts = [float(np.mean(part)) for part in np.array_split(series.iops[last], 10)]
    return 0.97 * min(parts), 1.03 * max(parts)


# BootBench


def deciding(bundle: Bundle) -> tuple[int, Sequence[Step]]:
    """The readers of the last confirmation, and its runs."""
    confirmed = [
        (int(found[1]), step)
        for step in bundle.finished()
        if (found := re.fullmatch(r"bootbench\.confirm\.n(\d+)\.run\d", step.name))
    ]
    readers = confirmed[-1][0]
    return readers, [step for count, step in confirmed if count == readers]


def reads_a_second(bundle: Bundle, step: Step) -> float:
    """Of the readers alone."""
    reads = bundle.result(step).directions[Direction.READ]
    return reads.io_count * NS_PER_S / reads.runtime_ns


# Rates within a limit


def within_a_millisecond(bundle: Bundle, mix: str) -> Ends:
    """Between the highest rate that kept the limit and the lowest that did not."""
    points = [step for step in bundle.finished() if re.fullmatch(rf"load_latency\.{mix}\.load[\d_]+", step.name)]
    rates = [(rate(bundle, step), tail_ns(bundle, step) <= NS_PER_MS) for step in points]
    kept = [found for found, keeps in rates if keeps]
    missed = [found for found, keeps in rates if not keeps]
    low, high = max(kept, default=0.0), min(missed, default=np.inf)
    return 0.97 * min(low, high), 1.03 * max(low, high)


TRUTHS: Sequence[tuple[str, Callable[[Bundle, str], Ends]]] = (
    (r"fill\.bandwidth_mean", lambda bundle, _: around(of_passes(bundle, "fill.pass1", "fill.pass2"))),
    (r"fill\.pass1\.bandwidth_mean", lambda bundle, _: around(of_passes(bundle, "fill.pass1"))),
    (r"fill\.pass1\.bandwidth_p1", lambda bundle, _: around(slowest_percent(bundle, "fill.pass1"))),
    (r"sync_write\.rnd\.iops", lambda bundle, _: around(of_runs(bundle, "sync_write.rnd"))),
    (r"rw_ratio\.rnd\.rank\.iops", lambda bundle, _: around(weighted(bundle))),
    (r"(reclaim\.t\d+)\.bytes", lambda bundle, point: around(written_after_rest(bundle, point))),
    (r"(rnd\.\w+\.q1)\.clat_mean", lambda bundle, point: around(completion(bundle, point))),
    (r"(rnd\.\w+\.q256)\.iops", lambda bundle, point: around(of_runs(bundle, point))),
    (r"(seq\.\w+\.q256)\.bandwidth", lambda bundle, point: around(speed(bundle, steps_of(bundle, point)[0]))),
    (
        r"(cdm\.\w+\.\w+)\.bandwidth",
        lambda bundle, point: around(max(speed(bundle, one) for one in steps_of(bundle, point))),
    ),
    (r"(mixes\.\w+\.q32)\.iops", lambda bundle, point: around(of_runs(bundle, point))),
    (r"(iops\.r\d+\.b\w+)\.iops", lambda bundle, point: around(last_five_rounds(bundle, point, rate))),
    (r"(tp_\w+\.r\d+\.b\w+)\.bandwidth", lambda bundle, point: around(last_five_rounds(bundle, point, speed))),
    (
        r"(lat\.r\d+\.b\w+)\.lat_mean",
        lambda bundle, point: around(
            last_five_rounds(bundle, point, lambda run, step: mean_ns(run, step, LatencyKind.LAT))
        ),
    ),
    (r"bootbench\.jobs", lambda bundle, _: around(deciding(bundle)[0], 0)),
    (
        r"bootbench\.iops",
        lambda bundle, _: around(min(reads_a_second(bundle, step) for step in deciding(bundle)[1])),
    ),
    (r"load_latency\.(\w+)\.limit1ms\.iops_within_p99_9", within_a_millisecond),
    (
        r"(load_latency\.\w+\.load50)\.response_p99_9",
        lambda bundle, point: around(tail_ns(bundle, steps_of(bundle, point)[0])),
    ),
    (r"(precondition\.rnd)\.steady_iops", late_speed),
    (r"wsat\.fob_iops", lambda bundle, _: fresh(bundle)[0]),
    (r"wsat\.transition_at_bytes", lambda bundle, _: fresh(bundle)[1]),
    (r"wsat\.steady_iops", lambda bundle, _: late_speed(bundle, "precondition.rnd")),
)
"""By what the name of a metric is, whose first group is what is looked for."""


def truth_of(bundle: Bundle, name: str) -> Ends | None:
    """Between what a number must lie; None of one that nothing but the analysis tells."""
    for pattern, work_out in TRUTHS:
        found = re.fullmatch(pattern, name)
        if found is not None:
            return work_out(bundle, found[1] if found.re.groups else "")
    return None
