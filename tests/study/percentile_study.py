"""How often 95 % intervals of percentiles of a point would hold the percentile of ten times its time, and how wide they would be.

`uv run python -m tests.study.percentile_study [DRIVES]` writes `docs/percentile-coverage.md`; some ten minutes on one processor.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from tests.kit.percentile_intervals import PARTS_MAX, Ranks, between_bins, parts_of, ranks_around
from tests.kit.slow_spells import LATER, SlowPoint, Spells, bins_of, latency_windows, slow_points

from sources.markdown import table
from sources.steady_drives import CAPACITY_BYTES, TIME, Begin, SteadyDrive, steady_drive
from sources.steady_study import workload
from ssdlab import _core
from ssdlab.analysis.statistics.interval import mean_interval
from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN
from ssdlab.engine.result import Histogram
from ssdlab.job import WINDOW_NS
from ssdlab.units import KIB, NS_PER_S
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "percentile-coverage.md"
FIRST, DRIVES, POINTS = 1001, 64, 32
"""None of them was looked at while the method was made, which was on latencies drawn without a drive; drives 901 to 930 were, for loads that settle."""
LENGTH_S = 300
"""Of a point on the drive that the small one stands for."""
SETTLES = 6
"""Capacities that are moved by each load before its first point: a drive under another load is another drive for a while."""
PERCENTS = ("99", "99.9")
MEAN = "mean rate"
"""Beside them: its interval is that of any point, from the same windows."""
SPELL_POINTS, SPELL_LENGTH_S = 400, 60
_PARTS = (1, 2)
"""A point is measured whole, and as its own first half."""

Integers = NDArray[np.int64]


class Load(Enum):
    """What a point does."""

    WRITES = "random writes, 8 in flight"
    MIXED = "70 % reads, 8 in flight"
    READS = "random reads, 8 in flight"


_READ_PERCENT = {Load.WRITES: 0, Load.MIXED: 70, Load.READS: 100}


class Outcome(Enum):
    """What came of a percentile of a point."""

    HOLDS = "holds"
    BELOW = "the truth is below"
    ABOVE = "the truth is above"
    OPEN = "no interval: nothing bounds it above"
    FEW_ABOVE = "no percentile: fewer than ten above"
    FEW_PARTS = "no interval: too short"


@dataclass(frozen=True, slots=True)
class Found:
    """A percentile of a point.

    Attributes:
        label: Of the load.
        kind: Of the drive; empty where there is none.
        percent: Which percentile; `MEAN` of the rate.
        reach: Half of its interval, as a share of the truth; None where it has none.
        apart: From the truth, as a share of that.
    """

    label: str
    kind: str
    percent: str
    outcome: Outcome
    reach: float | None
    apart: float


def of_drive(number: int) -> Iterator[Found]:
    """All percentiles of the points of a drive under each load."""
    drive = steady_drive(number)
    core, now_ns = _core.ModelDrive(drive.text), 0
    if drive.begin is Begin.FILLED:
        now_ns = core.run(workload("sequential", 128 * KIB, CAPACITY_BYTES, 2, drive.seed), 0).end_ns
    length_ns = TIME.of(LENGTH_S * NS_PER_S)
    for seed, load in enumerate(Load, start=1):
        # Offsets of their own: what reads what was written last in the order of writing meets dies in their order.
        settling = _fields(drive, load) | {"amount_bytes": SETTLES * CAPACITY_BYTES, "seed": seed}
        now_ns = core.run(json.dumps(settling), now_ns).end_ns
        points = _fields(drive, load) | {
            "duration_ns": length_ns * (POINTS + LATER),
            "log_every_io": "yes",
            "seed": seed + len(Load),
        }
        result = core.run(json.dumps(points), now_ns)
        now_ns = result.end_ns
        ios = result.every_io
        if ios is None:
            raise ValueError("the model kept no I/Os")
        time_ns, latency_ns = (np.frombuffer(column, dtype=np.int64) for column in (ios.time_ns, ios.latency_ns))
        for point in _points(time_ns, latency_ns, length_ns):
            yield from of_point(load.value, f"cache: {drive.cache.value}", point, TIME.of(WINDOW_NS))
            yield _of_mean(load.value, f"cache: {drive.cache.value}", point, TIME.of(WINDOW_NS))


def _fields(drive: SteadyDrive, load: Load) -> dict[str, object]:
    fields: dict[str, object] = json.loads(workload("random", drive.block_bytes, CAPACITY_BYTES, 1, 7))
    return fields | {"read_percent": _READ_PERCENT[load], "queue_depth": 8, "amount_bytes": None}


def _points(time_ns: Integers, latency_ns: Integers, length_ns: int) -> Iterator[SlowPoint]:
    edges = np.searchsorted(time_ns, length_ns * np.arange(POINTS + LATER + 1), side="right")
    for number in range(POINTS):
        begin, end = edges[number], edges[number + 1]
        own_ns = time_ns[begin:end] - number * length_ns
        yield SlowPoint(own_ns, latency_ns[begin:end], latency_ns[end : edges[number + 1 + LATER]])


def of_point(label: str, kind: str, point: SlowPoint, window_ns: int) -> Iterator[Found]:
    """Its percentiles as ssdlab prints them, of whole histograms, and intervals from coarse ones of up to 256 parts of its time."""
    bins, count = np.unique(bins_of(point.latency_ns), return_counts=True)
    whole = Histogram(bins, count, float(point.latency_ns.mean()), 0, int(point.latency_ns.max()), 0.0)
    parts = parts_of([[latency_windows(point.time_ns, point.latency_ns, PARTS_MAX, window_ns)]])
    for percent in PERCENTS:
        own_ns, above = _nearest_rank(point.latency_ns, percent)
        truth_ns, _ = _nearest_rank(point.later_ns, percent)
        apart = own_ns / truth_ns - 1
        if above < SAMPLES_ABOVE_MIN:
            yield Found(label, kind, percent, Outcome.FEW_ABOVE, None, apart)
            continue
        ranks = ranks_around(percent, whole.total, parts)
        if isinstance(ranks, Unknown):
            is_open = ranks.reason.id == "metric-interval-open-above"
            yield Found(label, kind, percent, Outcome.OPEN if is_open else Outcome.FEW_PARTS, None, apart)
            continue
        yield Found(label, kind, percent, *_held(whole, ranks, truth_ns), apart)


def _of_mean(label: str, kind: str, point: SlowPoint, window_ns: int) -> Found:
    """The mean rate of the point, likewise."""
    windows = TIME.of(LENGTH_S * NS_PER_S) // window_ns
    done = np.bincount((point.time_ns - 1) // window_ns, minlength=windows)[:windows].astype(np.float64)
    mean, truth = len(point.latency_ns) / windows, len(point.later_ns) / windows / LATER
    ends = mean_interval(done, mean)
    if ends is None:
        return Found(label, kind, MEAN, Outcome.FEW_PARTS, None, mean / truth - 1)
    outcome = Outcome.BELOW if truth < ends.low else Outcome.ABOVE if truth > ends.high else Outcome.HOLDS
    return Found(label, kind, MEAN, outcome, (ends.high - ends.low) / 2 / truth, mean / truth - 1)


def _held(whole: Histogram, ranks: Ranks, truth_ns: int) -> tuple[Outcome, float]:
    ends = between_bins(whole, ranks)
    reach = (ends.high - ends.low) / 2 / truth_ns
    if truth_ns < ends.low:
        return Outcome.BELOW, reach
    return (Outcome.ABOVE if truth_ns > ends.high else Outcome.HOLDS), reach


def _nearest_rank(latency_ns: Integers, percent: str) -> tuple[int, int]:
    """The percentile, and how many I/Os lie above it."""
    rank = max(1, ceil(float(percent) * len(latency_ns) / 100))
    return int(np.partition(latency_ns, rank - 1)[rank - 1]), len(latency_ns) - rank


def of_spells(spells: Spells, points: int) -> Iterator[Found]:
    """The same of latencies that were drawn without a drive."""
    for point in slow_points(spells, 1, points, SPELL_LENGTH_S):
        yield from of_point(spells.value, "", point, WINDOW_NS)


_TITLES = (
    "points",
    "of",
    "number",
    "fewer than ten above",
    "no interval",
    "of the others, hold",
    "truth below",
    "truth above",
    "half of the interval, median",
    "error, median",
)


def summary(found: Sequence[Found], label: str, percent: str) -> tuple[str, ...]:
    """A line of a table."""
    own = [one for one in found if one.percent == percent]
    printed = [one for one in own if one.outcome is not Outcome.FEW_ABOVE]
    given = [one for one in printed if one.reach is not None]
    reaches = [one.reach for one in given if one.reach is not None]
    return (
        label,
        percent,
        str(len(own)),
        str(len(own) - len(printed)),
        _share(len(printed) - len(given), len(printed)),
        *(_share(_count(given, outcome), len(given)) for outcome in (Outcome.HOLDS, Outcome.BELOW, Outcome.ABOVE)),
        f"{median(reaches):.1%}" if reaches else "",
        f"{median(abs(one.apart) for one in printed):.1%}" if printed else "",
    )


def _count(found: Sequence[Found], outcome: Outcome) -> int:
    return sum(one.outcome is outcome for one in found)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def page(drives: int, found: Sequence[Found], drawn: Sequence[Found]) -> str:
    """The whole page."""
    of_all = [summary(found, "all", percent) for percent in (*PERCENTS, MEAN)]
    by_load = _by(found, [one.label for one in found], (*PERCENTS, MEAN))
    return _PAGE.format(
        drives=drives,
        first=FIRST,
        last=FIRST + drives - 1,
        points=POINTS,
        model=table(_TITLES, [*of_all, *by_load]),
        kinds=table(_TITLES, _by(found, [one.kind for one in found], (*PERCENTS, MEAN))),
        spell_points=SPELL_POINTS,
        drawn=table(_TITLES, _by(drawn, [one.label for one in drawn], PERCENTS)),
    )


def _by(found: Sequence[Found], labels: Sequence[str], percents: Sequence[str]) -> list[tuple[str, ...]]:
    """Lines of each label."""
    own = {
        label: [one for one, its in zip(found, labels, strict=True) if its == label] for label in sorted(set(labels))
    }
    return [summary(part, label, percent) for label, part in own.items() for percent in percents]


_PAGE = """\
<!-- Written by `uv run python -m tests.study.percentile_study`; do not edit. -->

# Do the intervals of percentiles hold?

ssdlab prints percentiles of latency without an interval, but for open loads. This page is why: it tries one (`tests/kit/percentile_intervals.py`).

It is taken from the ranks of the I/Os around the percentile. How far apart these are is told by how the number of
I/Os slower than the percentile scatters over up to 256 parts of the point's time, and never less than it would of independent I/Os. Where
the upper end would lie above all I/Os there is no interval. An interval holds where the exact percentile of all I/Os of the next ten times
the time lies between its ends; the ends are those of fio's bins, 0.8 % or 1.6 % wide.

## On model drives

{drives} drives of `docs/sources/steady_drives.py`, numbers {first} to {last}, none of which was looked at while the method was made; 901 to 930 were. Each
is as it was drawn, fresh or filled twice, and does one load after the other: first for six capacities, then without a break {points} points
of 300 s that follow each other. All times are scaled like the drive.

{model}
By what cache the drive has:

{kinds}
Under reads alone they hold, and a little more often than they claim. Where anything is written they do not, above all under the mixed load: how many
I/Os are slow moves from one stretch of minutes to the next, with a cache that fills and drains over half an hour or collection that comes for a
quarter of one. Some points see slow I/Os that the next do not, and nothing within five minutes tells. The mean rate of the same points hardly moves
with it, as few I/Os are slow. Half an interval is wide where the percentile lies between two kinds of I/O, such as those that waited for a program
and those that did not.

## On latencies drawn without a drive

One I/O in flight, {spell_points} points of 60 s of each kind. What comes every 30 s is what a point of a minute cannot know: one that saw no slow
spell is as sure of itself as if there were none. All kinds were used to make the method, drawn with other seeds.

{drawn}"""


def main(arguments: Sequence[str]) -> int:
    """Do all drives and write the page."""
    drives = int(arguments[0]) if arguments else DRIVES
    found = [one for number in range(FIRST, FIRST + drives) for one in of_drive(number)]
    drawn = [one for spells in Spells for one in of_spells(spells, SPELL_POINTS)]
    PAGE.write_text(page(drives, found, drawn), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
