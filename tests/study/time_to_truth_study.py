"""How long is long enough? Points that end by themselves, and others, held against what comes after them.

`uv run python -m tests.study.time_to_truth_study [PROCESSES]` writes `docs/time-to-truth.md`; some ten minutes on two processors.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from tests.kit.rhythmic_points import KNOWN_S, POINTS_S, TRUTH_S, WINDOW_NS, rhythmic_drive
from tests.study.adaptive_suite_study import kept, section

from sources.markdown import table
from sources.steady_drives import CAPACITY_BYTES, TIME, Begin, steady_drive
from sources.steady_study import MINIMUM, MOST, TRUTH, workload
from ssdlab import _core
from ssdlab.analysis.adaptive.past import FLAT_CAPACITIES, NO_PAST, DrivePast, last_written
from ssdlab.analysis.adaptive.rule import PointAim, PointJudge
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.analysis.statistics.interval import mean_interval, student_t
from ssdlab.engine.result import PointEnding
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S

PAGE = Path(__file__).parents[2] / "docs" / "time-to-truth.md"
DRIVES, POINTS = 64, 16
WITHIN = 0.03
"""As in the suite `enterprise`."""
NARROW = 0.01
LIMIT_S, STANDARD_S = 300, 330
"""Longest of a point, and the standard's ramp with its measurement."""
FAR = 0.05
_MODEL_WINDOW_NS = NS_PER_MS
_AS_LONG_NS = round(_MODEL_WINDOW_NS * TIME.denominator / TIME.numerator)
"""What a window of the small drives is on the drive they stand for."""
_WINDOWS_AT_ONCE = 2000

Floats = NDArray[np.float64]


class Population(Enum):
    """Which drives."""

    MODEL = "64 model drives"
    RHYTHMIC = "64 restless drives"


class Rule(Enum):
    """When a point ends."""

    NARROW = "adaptive ± 1 %"
    HALFWAY = "adaptive ± 2 %"
    ADAPTIVE = "adaptive ± 3 %"
    WIDER = "adaptive ± 5 %"
    BLIND = "adaptive ± 3 %, its past not known"
    """Allowed to end all the same, which the lab does not: what the past is worth."""
    NAIVE = "naive ± 1 %"
    FIXED_30 = "30 s"
    FIXED_90 = "30 s + 60 s"
    STANDARD = "30 s + 300 s"
    FIO_SLOPE = "fio, iops_slope:0.3%"
    FIO_RANGE = "fio, iops:5%"


_ADAPTIVE = {Rule.NARROW: NARROW, Rule.HALFWAY: 0.02, Rule.ADAPTIVE: WITHIN, Rule.WIDER: 0.05}
_FIXED = {Rule.FIXED_30: (0, 30), Rule.FIXED_90: (30, 60), Rule.STANDARD: (30, LIMIT_S)}
FIO_RAMP_S, FIO_WINDOW_S = 30, 60
"""`steadystate_ramp_time` and `steadystate_duration`; fio has no values of its own that would do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a point comes to under a rule.

    Attributes:
        apart: Of its mean from the truth, as a share of that.
        reach: Half of its interval, as a share of its mean; None where it gives none.
        holds: Whether there is an interval that holds the truth.
        seconds: How long it took.
        is_said: Whether it says that the limit came first, that it drifts or that it is shorter than a rhythm.
    """

    apart: float
    reach: float | None
    holds: bool
    seconds: float
    is_said: bool


@dataclass(frozen=True, slots=True)
class Series:
    """A drive's writes as windows: what is known of it before the first point, and all that comes."""

    kind: str
    label: str
    known: Floats
    all: Floats
    begins: Sequence[int]
    """Windows at which points begin."""
    truth: Callable[[int], float]
    """Mean rate of what comes after a beginning."""
    window_ns: int


def points_of(series: Series) -> dict[Rule, list[Found]]:
    """All points of a drive under all rules."""
    past = DrivePast(series.known, series.window_ns)
    found: dict[Rule, list[Found]] = {rule: [] for rule in Rule}
    for begin in series.begins:
        ahead = series.all[begin:]
        truth = series.truth(begin)
        for rule, within in _ADAPTIVE.items():
            aim = _aim(series, within, write_share=1.0, past=past)
            found[rule].append(_adaptive(ahead, truth, aim))
        blind = _aim(series, WITHIN, write_share=0.0, past=NO_PAST)
        found[Rule.BLIND].append(_adaptive(ahead, truth, blind))
        found[Rule.NAIVE].append(_naive(ahead, truth, series.window_ns))
        for rule, (ramp_s, length_s) in _FIXED.items():
            found[rule].append(_fixed(ahead, truth, series.window_ns, ramp_s, length_s))
        found[Rule.FIO_SLOPE].append(_by_fio(ahead, truth, series.window_ns, _slope, 0.003))
        found[Rule.FIO_RANGE].append(_by_fio(ahead, truth, series.window_ns, _farthest, 0.05))
    return found


def _aim(series: Series, within: float, *, write_share: float, past: DrivePast) -> PointAim:
    limit_ns = LIMIT_S * NS_PER_S
    return PointAim(within=within, limit_ns=limit_ns, write_share=write_share, past=past, window_ns=series.window_ns)


def _windows(seconds: float, window_ns: int) -> int:
    return round(seconds * NS_PER_S / window_ns)


def _adaptive(ahead: Floats, truth: float, aim: PointAim) -> Found:
    judge = PointJudge(aim)
    most, step = _windows(LIMIT_S, aim.window_ns), _windows(1, aim.window_ns)
    for begin in range(0, most, step):
        part = ahead[begin : min(begin + step, most)]
        time_ns = (np.arange(begin, begin + len(part)) + 1) * aim.window_ns
        if judge.feed(time_ns, part * (aim.window_ns / NS_PER_S)) is not None:
            break
    end = judge.end()
    if end is None:
        raise ValueError("a point without an end")
    short_of_it = end.because in {PointEnding.NOT_REACHED, PointEnding.NO_NARROWER}
    said = short_of_it or end.drifts or end.reach is None or end.reach > aim.within
    holds = end.low is not None and end.high is not None and end.low <= truth <= end.high
    return Found(end.bytes_per_s / truth - 1, end.reach, holds, end.seen_ns / NS_PER_S, said)


def _naive(ahead: Floats, truth: float, window_ns: int) -> Found:
    """Each second it asks whether windows that are taken as independent have a mean known to 1 %."""
    for seconds in range(5, LIMIT_S + 1):
        samples = ahead[: _windows(seconds, window_ns)]
        reach = student_t(len(samples) - 1) * float(samples.std(ddof=1)) / np.sqrt(len(samples)) / float(samples.mean())
        if reach <= NARROW:
            break
    apart = float(samples.mean()) / truth - 1
    return Found(apart, float(reach), abs(apart) <= reach * (1 + apart), seconds, reach > NARROW)


def _fixed(ahead: Floats, truth: float, window_ns: int, ramp_s: int, length_s: int) -> Found:
    """With the interval that the lab gives any point of a fixed length."""
    ramp, most = _windows(ramp_s, window_ns), _windows(ramp_s + length_s, window_ns)
    samples = ahead[ramp:most]
    mean = float(samples.mean())
    interval = mean_interval(samples, mean)
    if interval is None:
        raise ValueError("too few windows")
    holds = interval.low <= truth <= interval.high
    return Found(mean / truth - 1, (interval.high - mean) / mean, holds, ramp_s + length_s, is_said=False)


def _by_fio(ahead: Floats, truth: float, window_ns: int, criterion: Callable[[Floats], float], limit: float) -> Found:
    """fio's `steadystate`: each second it asks its last values of a second each, and it tells the mean of those, without an interval."""
    each = _windows(1, window_ns)
    a_second = ahead[: each * STANDARD_S].reshape(STANDARD_S, each).mean(axis=1)
    for seconds in range(FIO_RAMP_S + FIO_WINDOW_S, STANDARD_S + 1):
        values = a_second[seconds - FIO_WINDOW_S : seconds]
        if criterion(values / values.mean()) <= limit:
            break
    else:
        return Found(float(values.mean()) / truth - 1, None, holds=False, seconds=STANDARD_S, is_said=True)
    return Found(float(values.mean()) / truth - 1, None, holds=False, seconds=seconds, is_said=False)


def _slope(shares: Floats) -> float:
    """Of the best line, a second."""
    at = np.arange(len(shares)) - (len(shares) - 1) / 2
    return abs(float(at @ shares) / float(at @ at))


def _farthest(shares: Floats) -> float:
    return float(np.abs(shares - 1).max())


def rhythmic_series(number: int) -> Series:
    """Of a restless drive."""
    drive = rhythmic_drive(number)
    known, spaced, truth = (_windows(one, WINDOW_NS) for one in (KNOWN_S, POINTS_S // POINTS, TRUTH_S))
    begins = [known + spaced * at for at in range(POINTS)]
    return Series(
        drive.unrest.value,
        drive.detail,
        drive.bytes_per_s[:known],
        drive.bytes_per_s,
        begins,
        lambda begin: float(drive.bytes_per_s[begin : begin + truth].mean()),
        WINDOW_NS,
    )


def model_series(number: int) -> Series | None:
    """Of a drive of "Is it steady?", from where `held` ends the writing; None where it finds no end."""
    drive = steady_drive(number)
    core, now_ns = _core.ModelDrive(drive.text), 0
    if drive.begin is Begin.FILLED:
        now_ns = core.run(workload("sequential", 128 * KIB, CAPACITY_BYTES, MINIMUM, drive.seed), 0).end_ns
    watcher = _Watcher(
        SteadyContext(CAPACITY_BYTES, drive.block_bytes, MINIMUM * CAPACITY_BYTES, TIME.of(300 * NS_PER_S), TIME)
    )
    core.run(
        workload("random", drive.block_bytes, CAPACITY_BYTES, MOST + TRUTH + _SPREAD + 1, 1), now_ns, None, watcher
    )
    done = np.concatenate(watcher.parts)
    if watcher.stopped is None:
        return None
    written = np.cumsum(done)
    stop = int(np.searchsorted(written, watcher.stopped))
    begins = [
        int(np.searchsorted(written, watcher.stopped + CAPACITY_BYTES * _SPREAD * at / POINTS)) for at in range(POINTS)
    ]
    rates = done * NS_PER_S / _AS_LONG_NS

    def truth(begin: int) -> float:
        end = int(np.searchsorted(written, written[begin] + TRUTH * CAPACITY_BYTES))
        return float(rates[begin:end].mean())

    known = last_written(rates[:stop], FLAT_CAPACITIES * CAPACITY_BYTES * NS_PER_S / _AS_LONG_NS)
    return Series(
        f"cache: {drive.cache.value}",
        f"{drive.begin.value}, spare {drive.spare_percent:.0f} %",
        known,
        rates,
        begins,
        truth,
        _AS_LONG_NS,
    )


_SPREAD = 2
"""Capacities over which the points of a drive begin."""


class _Watcher:
    """Judges a stream on the model, and lets it go on until there is enough of it."""

    def __init__(self, ground: SteadyContext) -> None:
        self._judge = SteadyJudge(ground, Criterion.HELD)
        self._ground = ground
        self._waiting: list[NDArray[np.uint64]] = []
        self._windows = 0
        self._written = 0.0
        self.stopped: int | None = None
        self.parts: list[Floats] = []

    def __call__(self, ios_of_windows: bytes) -> bool:
        """Take in the I/Os of some windows; true once the stream may end."""
        self._waiting.append(np.frombuffer(ios_of_windows, dtype=np.uint64))
        if sum(map(len, self._waiting)) < _WINDOWS_AT_ONCE:
            return False
        done = np.concatenate(self._waiting).astype(np.float64) * self._ground.block_bytes
        self._waiting = []
        self.parts.append(done)
        self._written += float(done.sum())
        time_ns = (self._windows + 1 + np.arange(len(done))) * _MODEL_WINDOW_NS
        self._windows += len(done)
        if self.stopped is None and (stop := self._judge.feed(time_ns, done)) is not None:
            self.stopped = stop.at_bytes
        if self.stopped is None:
            return self._written >= MOST * CAPACITY_BYTES
        return self._written >= self.stopped + (TRUTH + _SPREAD) * CAPACITY_BYTES


@dataclass(frozen=True, slots=True)
class Studied:
    """A drive and what its points came to."""

    population: Population
    number: int
    kind: str
    label: str
    found: Mapping[Rule, Sequence[Found]] | None


def studied(population: Population, number: int) -> Studied:
    """The drive of that number."""
    series = model_series(number) if population is Population.MODEL else rhythmic_series(number)
    if series is None:
        return Studied(population, number, "", "", None)
    return Studied(population, number, series.kind, series.label, points_of(series))


_TITLES = (
    "rule",
    "points",
    "without an interval",
    "of the others, hold",
    "half of the interval, median",
    "error, median",
    "off by more than 5 %",
    "of them unsaid",
    "time, median",
    "share of the standard's time",
)


def _summary(name: str, found: Sequence[Found]) -> tuple[str, ...]:
    count = len(found)
    far = [one for one in found if abs(one.apart) > FAR]
    return (
        name,
        str(count),
        f"{sum(one.reach is None for one in found) / count:.1%}",
        _percent(coverage(found), 1),
        _percent(_reach(found), 2),
        f"{median(abs(one.apart) for one in found):.2%}",
        f"{len(far) / count:.1%}",
        str(unsaid(found)),
        f"{median(one.seconds for one in found):.0f} s",
        f"{share(found):.0%}",
    )


def coverage(found: Sequence[Found]) -> float | None:
    """Share of the intervals that hold; None where there is none."""
    given = [one for one in found if one.reach is not None]
    return sum(one.holds for one in given) / len(given) if given else None


def unsaid(found: Sequence[Found]) -> int:
    """Points far off whose interval does not hold the truth and that say nothing of it."""
    return sum(abs(one.apart) > FAR and not one.is_said and not one.holds for one in found)


def share(found: Sequence[Found]) -> float:
    """Of the standard's time."""
    return sum(one.seconds for one in found) / len(found) / STANDARD_S


def _reach(found: Sequence[Found]) -> float | None:
    given = [one.reach for one in found if one.reach is not None]
    return median(given) if given else None


def _percent(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}%}"


def row(one: Studied) -> tuple[str, ...]:
    """A drive's line in its table."""
    if one.found is None:
        return (str(one.number), "", "", "not steady", "", "", "")
    points = one.found[Rule.ADAPTIVE]
    held, given = sum(point.holds for point in points), sum(point.reach is not None for point in points)
    return (
        str(one.number),
        one.kind,
        one.label,
        f"{held} of {given}",
        f"{median(abs(point.apart) for point in points):.2%}",
        _percent(_reach(points), 2),
        f"{share(points):.0%}",
    )


def page(rows: Sequence[Studied]) -> str:
    """The whole page."""
    parts = []
    together: dict[Population, dict[Rule, list[Found]]] = {}
    for population in Population:
        of = [one for one in rows if one.population is population and one.found is not None]
        together[population] = {rule: [point for one in of for point in (one.found or {})[rule]] for rule in Rule}
        lines = [_summary(rule.value, found) for rule, found in together[population].items()]
        kinds = sorted({one.kind for one in of})
        by_kind = [
            _summary(kind, [point for one in of if one.kind == kind for point in (one.found or {})[Rule.ADAPTIVE]])
            for kind in kinds
        ]
        parts.append(
            f"### {population.value}\n\n{table(_TITLES, lines)}\nThe adaptive points, ± 3 %, by kind:\n\n{table(('kind', *_TITLES[1:]), by_kind)}"
        )
    quick = sum(share(one.found[Rule.ADAPTIVE]) <= 1 / 4 for one in rows if one.found is not None)
    drives = [
        f"### {population.value}\n\n{table(_DRIVE_TITLES, (row(one) for one in rows if one.population is population))}"
        for population in Population
    ]
    return _PAGE.format(
        summaries="\n".join(parts),
        drives="\n".join(drives),
        quick=quick,
        all=len(rows),
        meaning="\n".join(_meaning(together)),
        suite=section(kept()),
    )


def _meaning(together: Mapping[Population, Mapping[Rule, Sequence[Found]]]) -> Iterator[str]:
    """What the numbers come to."""
    model, restless = together[Population.MODEL], together[Population.RHYTHMIC]
    everything = [*model[Rule.ADAPTIVE], *restless[Rule.ADAPTIVE]]
    held = [coverage(found[Rule.ADAPTIVE]) for found in (model, restless)]
    yield (
        f"- **Intervals** of ± 3 % hold in {_percent(held[0], 1)} of the points of model drives and {_percent(held[1], 1)} of restless ones; 93 to 97 %"
        f" were asked for. The error is {median(abs(one.apart) for one in everything):.2%} in the median."
    )
    yield (
        f"- **Said**: off by more than 5 % without a word are {unsaid(model[Rule.ADAPTIVE])} points of model drives and {unsaid(restless[Rule.ADAPTIVE])} of restless ones"
        f" at ± 3 %, {unsaid(model[Rule.WIDER])} and {unsaid(restless[Rule.WIDER])} at ± 5 %; by the naive rule {unsaid(model[Rule.NAIVE])} and"
        f" {unsaid(restless[Rule.NAIVE])}, at the standard's fixed length {unsaid(model[Rule.STANDARD])} and {unsaid(restless[Rule.STANDARD])},"
        f" by fio's slope {unsaid(model[Rule.FIO_SLOPE])} and {unsaid(restless[Rule.FIO_SLOPE])}."
    )
    times = ", ".join(f"{share(model[rule]):.0%} at {rule.value.removeprefix('adaptive ')}" for rule in _ADAPTIVE)
    yield f"- **Time** of points that write, of the standard's, on model drives: {times}."
    none = sum(one.reach is None for one in restless[Rule.ADAPTIVE]) / len(restless[Rule.ADAPTIVE])
    yield (
        f"- **No interval**: on restless drives {none:.0%} of the points give none, because they drift or the drive did before. What drifts will be elsewhere"
        " hours later; a point of minutes cannot see that and does not claim it."
    )


_DRIVE_TITLES = (
    "drive",
    "kind",
    "what it does",
    "intervals that hold",
    "error, median",
    "half of the interval",
    "share of the time",
)

_PAGE = """\
<!-- Written by `uv run python -m tests.study.time_to_truth_study`; do not edit. -->

# How long is long enough?

A point of a suite lasts as long as its method says, 30 s of ramp and 5 minutes in the enterprise suites, whatever the drive does. A point
with `until = "1%"` ends when its mean rate is known to ± 1 %, and at its limit at the latest. This page asks how often its 95 % intervals
hold the truth, and what they cost, of random writes alone: they are what is hard.

## The rule

- **Ramp**: found in the data (MSER-5), and not counted.
- **Floor**: 10 s, and twice the ramp; four periods of the longest rhythm where the drive's past is known for less than three times as long as the point.
- **Interval**: of how much stretches as long as the point differ in the drive's past, which is preconditioning and earlier points that wrote;
  and of what the point scatters more than those did. Where no past is known, or none longer than the point: of the means of
  128 batches or more, whose correlation widens it. Where the point drifts, or the drive did before, there is none.
- **Enough**: the interval within what was asked for, the halves alike, no drift; at two looks in a row, of which each sees a quarter
  more than the one before, where the point alone says so.
- **No use**: a point also ends where its interval is wider than asked for, and the drive's past tells that it would still be so at the limit, and by
  no more than 15 % narrower than now: the speed varies more slowly than that.
- **Said**: that the limit came first, that going on was of no use, that the speed drifts or did before, that the interval is wider than asked for.
- A point that writes to a drive whose writes before are known for less than three times its limit goes on to its limit, and is known itself to those
  that follow. *Its past not known* shows what would happen otherwise.

*Naive* asks each second whether 100 ms windows, taken as independent, have a mean known to ± 1 %. The fixed lengths have the interval that
the lab gives any point; *30 s + 300 s* is the standard. *fio* is its `steadystate`, asked each second after 30 s (`ss_ramp`) of the last 60 s
(`ss_dur`): `iops_slope:0.3%`, whether the line through them moves by at most 0.3 % of their mean a second, and `iops:5%`, whether none
of them is further than 5 % from their mean. It tells that mean, and no interval.

## What comes of it

Each drive has 16 points. The truth is the mean of the next 8 capacities: of the [64 drives of "Is it steady?"](concepts/is-it-steady.md), which
stand for drives of 1 TB, from where `held` called them steady. The other 64 are speeds made to be hard (`tests/kit/rhythmic_points.py`): cache rhythms of
3 to 200 s, thermal cycles of 30 s to half an hour, bursts and changes between two speeds that come by chance, drift; of an hour of their past
the lab knows, and the truth is the mean of the next 12,000 s. *Unsaid* are points off by more than 5 % whose interval does not hold the truth and which say nothing of it.

{summaries}
On {quick} of {all} drives the points of ± 3 % take a quarter of the standard's time or less.

## What it means

{meaning}
- Without a known past the rule is blind, as any rule is that sees its own minute alone. That is why a point that writes to a drive never
  seen steady takes all of its limit.

{suite}## Every drive

Of the adaptive points of ± 3 %.

{drives}"""


def main(arguments: Sequence[str]) -> int:
    """Study all drives and write the page."""
    processes = int(arguments[0]) if arguments else 2
    with ProcessPoolExecutor(processes) as pool:
        asked = [pool.submit(studied, population, number) for population in Population for number in range(DRIVES)]
        rows = [one.result() for one in asked]
    PAGE.write_text(page(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
