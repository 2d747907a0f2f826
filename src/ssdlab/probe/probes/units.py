"""Independent read units: how many dies or planes read at once (P4).

Pairs of random pages are read at the same moment. Two of them that lie in the same unit wait for each other, which happens to one
pair in as many as there are units. Each page is also read alone, for pages of a cell take different times: what counts is how much
longer the slower of a pair takes than the slower of its two pages alone. All is read several times, in another order each time, and the
second shortest time counts: what noise, retries and missing mappings add, they add now and then, and a shared unit each time. Where they
add something often, that happens to all repeats but one of a few pairs, too: how many follows from how often it happens to one.
Reads that have to fetch their mapping wait for that, too: the pages lie so near each other that most drives hold their mappings, and
where a page takes less time after another one near it, nothing is said. Nor is it where pairs that lie near each other wait more often
than others: a region that is not several times as long as the stripe does not hold every unit as often, or not at all. And pages that the
controller still has are read without flash, so that no pair of them waits: where some are, nothing is said either.

Chance decides how many pairs share a unit, and so how sharp the count is. Each page is therefore read alone once a round and then in
several pairs, which leaves more reads for pairs.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Verb
from ssdlab.job import Region
from ssdlab.message import message, number, size
from ssdlab.probe.answer import (
    NOISE_MAX,
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.probe.script import (
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    too_small,
    working_region,
)
from ssdlab.units import KIB, MIB

COUNT = "units.count"

_PAGE_BYTES = 4 * KIB
_REGION_BYTES = 64 * MIB
"""Of which mapping caches hold all, and which holds every unit of large drives several times."""
_NEIGHBOURHOOD_BYTES = 2 * MIB
"""Half of what a page of a table of four-byte entries maps."""
_NEAR_PAGES = _NEIGHBOURHOOD_BYTES // _PAGE_BYTES
_NEAR = 800
_FETCHED_MIN = 0.03
"""Mean of the logarithm by which a page takes longer than one near it that is read next, if some have to fetch their mappings."""
_FETCHED_OFTEN_MIN = 0.15
"""Or share of pages that take far longer, less those that take far less: those that fetch now and then do so in every repeat of few pairs."""
_PAGES = 2000
"""Of which pairs are made: how many of them chance puts on each unit moves the count by less than a fiftieth."""
_PAIRS = 11_000
_REPEATS = 7
_APART_MIN = 3.5
"""Least distance of the two kinds of pairs, in standard deviations."""
_SHARE = (0.002, 0.4)
"""Of pairs that wait: fewer are accidents, more are a drive that does one read after the other."""
_SLOWER_MIN = 1.15
"""A pair that waits takes at least so much longer."""
_CHANCE_MAX = 0.5
"""Of the share of pairs that wait, what slow moments of a busy host may make of it."""
_SHUFFLES = 8
_STRETCHES = 8
_UNEVEN_MAX = 6.0
"""Of how the pairs that wait are spread over the time of the probe, in standard deviations of chi squared."""
_ROUNDS = 60
_BUFFERED = 0.5
"""A read that takes less than this share of the time of its page alone has not asked the flash."""
_BUFFERED_MAX = 0.02
"""Share of pairs with such a read, beyond those by noise: a fiftieth hides one waiting pair in a hundred, for it takes two of the repeats."""
_SHARP = 1.37
"""Ratio of the ends of an interval up to which a count can have grade A: of many units few pairs wait, and chance decides how many.
A count that is a quarter off is then three standard errors away."""
_KNOWN = 1.6
"""The same up to which a count can have grade B: fewer than some seventy pairs wait, and chance makes many such counts a quarter off."""
_CHANCE_KNOWN = 0.25
"""Share of what is taken off for repeated reads by which that may be off."""
_NEAREST = 0.25
"""Share of all pairs that count as near each other."""
_NEAREST_WAIT_MAX = 0.4
"""Share of the waiting pairs that may be among them: half are where the region holds two stripes, all where it holds one."""


def _design(drive: KnownDrive) -> Design:
    # Whole neighbourhoods, so that the page near one is on the drive, too.
    length_bytes = working_region(drive, _REGION_BYTES).length_bytes // _NEIGHBOURHOOD_BYTES * _NEIGHBOURHOOD_BYTES
    if not length_bytes:
        raise too_small(_NEIGHBOURHOOD_BYTES)
    random = np.random.default_rng(drive.seed)
    first = random.integers(0, length_bytes // _PAGE_BYTES, _NEAR)
    near = first - first % _NEAR_PAGES + (first + _NEAR_PAGES // 2) % _NEAR_PAGES
    pages = random.permutation(length_bytes // _PAGE_BYTES)[:_PAGES] * _PAGE_BYTES
    first_of_pair = random.integers(0, len(pages), _PAIRS)
    pairs = np.stack([first_of_pair, (first_of_pair + random.integers(1, len(pages), _PAIRS)) % len(pages)], axis=1)
    # All once, then all again in another order, so that neither a busy moment nor the reads before it meet the same pair each time.
    alone = np.concatenate([random.permutation(pages) for _ in range(_REPEATS)])
    paired = np.concatenate([random.permutation(pages[pairs]).ravel() for _ in range(_REPEATS)])
    together = Commands.one_by_one(Verb.READ, paired, _PAGE_BYTES)
    issue = np.tile(np.array([Issue.ALONE, Issue.WHEN_ROOM], dtype=np.uint8), _PAIRS * _REPEATS)
    acts = (
        Ask("near", Commands.one_by_one(Verb.READ, np.stack([first, near], axis=1).ravel() * _PAGE_BYTES, _PAGE_BYTES)),
        Ask("alone", Commands.one_by_one(Verb.READ, alone, _PAGE_BYTES)),
        Ask("pairs", replace(together, issue=issue, queue_depth=2)),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        times = pair_times(evidence)
        why_not = fetches(*evidence.asked["near"].latency_ns.reshape(_NEAR, 2).T) or buffered(times)
        return (as_sure_as(why_not or read_units(times), length_bytes),)

    return Design(need=Need.SEQUENTIAL, region=Region(0, length_bytes), acts=acts, estimate=estimate)


def as_sure_as(answer: Answer, region_bytes: int) -> Answer:
    """A count that is a hint alone where more than chance can be wrong with it.

    In a small region few pages are in many pairs, and some may be read from a buffer. An interval without a whole number is wrong.
    """
    if answer.interval is None:
        return answer
    if region_bytes < _REGION_BYTES:
        return replace(answer, grade=Grade.C, note=message("probe-units-small-region", least=size(_REGION_BYTES)))
    if np.floor(answer.interval.high) < answer.interval.low:
        return replace(answer, grade=Grade.C, note=message("probe-units-no-whole-number"))
    return answer


@dataclass(frozen=True, slots=True, eq=False)
class PairTimes:
    """Pairs of pages, and their response times.

    Attributes:
        apart_bytes: Distance of the two pages of each pair.
        alone_ns: Of both pages of each pair, read by themselves: repeats x pairs x 2.
        slower_ns: Of the slower read of each pair, read together: repeats x pairs.
        faster_ns: Of the other one.
    """

    apart_bytes: NDArray[np.int64]
    alone_ns: Floats
    slower_ns: Floats
    faster_ns: Floats


def fetches(first_ns: Floats, near_ns: Floats) -> Answer | None:
    """Why there is no answer where reads have to fetch mappings; None where they have not.

    Args:
        first_ns: Of pages anywhere.
        near_ns: Of pages near them, read next.
    """
    logs = np.log(first_ns / near_ns)
    middle, reach = float(np.median(logs)), 3 * spread(logs)
    # Outliers count no more than what is far off.
    kept = np.clip(logs, middle - reach, middle + reach) if reach else logs
    longer, error = float(kept.mean()), float(kept.std()) / np.sqrt(len(kept))
    often = float((logs > middle + reach).mean() - (logs < middle - reach).mean())
    if longer < max(_FETCHED_MIN, VISIBLE * error) and often < _FETCHED_OFTEN_MIN:
        return None
    why = message("probe-units-fetched", longer=number(float(np.expm1(longer)), ".0%"))
    return not_identifiable(COUNT, Reason.OTHER_LAW, why)


def buffered(times: PairTimes) -> Answer | None:
    """Why there is no answer where a buffer holds some of the pages; None where it holds none, or so few that the count stays."""
    usual_ns = np.median(times.alone_ns, axis=0)
    by_noise = 2 * float((times.alone_ns < _BUFFERED * usual_ns).mean())
    share = float((times.faster_ns < _BUFFERED * usual_ns.min(axis=1)).mean()) - by_noise
    if share < _BUFFERED_MAX:
        return None
    return not_identifiable(COUNT, Reason.BUFFERED, message("probe-units-buffered", share=number(share, ".1%")))


def pair_times(evidence: ProbeEvidence) -> PairTimes:
    """The samples by pairs, in the order of their first round."""
    alone, pairs = evidence.asked["alone"], evidence.asked["pairs"]
    offsets = pairs.commands.offset_bytes.reshape(_REPEATS, -1, 2)
    alone_offsets = alone.commands.offset_bytes.reshape(_REPEATS, -1)
    same_pair = _as_in_first_round(offsets[:, :, 0] * _REGION_BYTES + offsets[:, :, 1])
    same_page = _as_in_first_round(alone_offsets)
    alone_ns = np.take_along_axis(alone.latency_ns.reshape(_REPEATS, -1), same_page, axis=1)
    of_pair = pairs.latency_ns.reshape(_REPEATS, -1, 2)
    return PairTimes(
        apart_bytes=np.abs(offsets[0, :, 1] - offsets[0, :, 0]),
        alone_ns=alone_ns[:, _read_alone(offsets[0], alone_offsets[0])],
        slower_ns=np.take_along_axis(of_pair.max(axis=2), same_pair, axis=1),
        faster_ns=np.take_along_axis(of_pair.min(axis=2), same_pair, axis=1),
    )


def _as_in_first_round(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in each round, a row, the keys of the first one are."""
    order = np.argsort(keys, axis=1, kind="stable")
    return np.asarray(order[:, np.argsort(order[0])])


def _read_alone(offsets: NDArray[np.int64], alone_offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where among those read alone the pages of each pair are."""
    if len(alone_offsets) == offsets.size:
        # In bundles of ssdlab 2025.12 and before each page was read alone once for every pair that it is in.
        return np.arange(offsets.size).reshape(offsets.shape)
    order = np.argsort(alone_offsets)
    return np.asarray(order[np.searchsorted(alone_offsets, offsets, sorter=order)])


def log_waits(times: PairTimes) -> Floats:
    """Log of how much longer the slower of each pair takes than the slower of its two pages alone."""
    waits: Floats = np.log(_usual_ns(times.slower_ns) / _slower_alone_ns(times.alone_ns))
    return waits


def _slower_alone_ns(alone_ns: Floats) -> Floats:
    """Of each pair, read by themselves."""
    slower: Floats = _usual_ns(alone_ns).max(axis=1)
    return slower


def _usual_ns(repeats_ns: Floats) -> Floats:
    """The second shortest of the repeats: one alone may have been short by chance."""
    return np.asarray(np.partition(repeats_ns, 1, axis=0)[1])


def read_units(times: PairTimes) -> Answer:
    """Number of units."""
    alone_ns, slower_ns = times.alone_ns, times.slower_ns
    logs = log_waits(times)
    noise = spread(np.log(slower_ns / np.median(slower_ns, axis=0)).ravel())
    levels = _two_levels(logs)
    if levels is None:
        return not_identifiable(COUNT, Reason.FLAT, message("probe-units-flat"))
    share, apart = levels.share, levels.apart
    if apart < _APART_MIN or not _SHARE[0] <= share <= _SHARE[1] or levels.step < np.log(_SLOWER_MIN):
        why = message("probe-units-unclear", share=number(share, ".1%"), apart=number(apart, ".1f"))
        return not_identifiable(COUNT, Reason.AMBIGUOUS, why)
    repeated = _often_by_chance(logs, np.log(slower_ns / _slower_alone_ns(alone_ns)), levels)
    chance = max(_share_by_chance(alone_ns, slower_ns, levels.middle), repeated)
    if share < max(chance / _CHANCE_MAX, chance + STRONG * np.sqrt(chance / len(logs))):
        why = message("probe-units-by-chance", share=number(share, ".1%"), chance=number(chance, ".1%"))
        return not_identifiable(COUNT, Reason.NOISY, why)
    if _is_of_the_host(alone_ns, logs > levels.middle, levels.step):
        why = message("probe-units-not-by-place", share=number(share, ".1%"))
        return not_identifiable(COUNT, Reason.NOISY, why)
    if _is_of_few_stripes(times.apart_bytes, logs > levels.middle):
        return not_identifiable(COUNT, Reason.AMBIGUOUS, message("probe-units-few-stripes", least=round(1 / share)))
    sharing = (share - repeated) / (1 - repeated)
    error = float(np.sqrt(share * (1 - share) / len(logs)))
    reach = float(np.hypot(1.96 * error, _CHANCE_KNOWN * repeated))
    interval = Interval(1 / (sharing + reach), 1 / max(sharing - reach, 1e-9))
    halves = [_two_levels(logs[start::2]) for start in (0, 1)]
    same = all(half is not None and abs(half.share - share) < 3 * np.sqrt(2) * error for half in halves)
    strong = same and apart >= STRONG and noise <= NOISE_MAX and interval.high < _SHARP * interval.low
    return Answer(
        name=COUNT,
        value=1 / sharing,
        interval=interval,
        separation=apart,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if strong else Grade.B if same and interval.high < _KNOWN * interval.low else Grade.C,
        note=message("probe-units-note"),
    )


def _share_by_chance(alone_ns: Floats, slower_ns: Floats, middle: float) -> float:
    """Share of pairs above the middle when the repeats of each are those of any pairs: slow moments that met in one pair."""
    random, logs = np.random.default_rng(0), np.log(slower_ns / _slower_alone_ns(alone_ns))
    waits = [_usual_ns(random.permuted(logs, axis=1)) > middle for _ in range(_SHUFFLES)]
    return float(np.mean(waits))


def _is_of_the_host(alone_ns: Floats, waits: NDArray[np.bool_], step: float) -> bool:
    """Whether pairs wait by when they were read, or because their pages were once read fast alone.

    Pairs are in random order, so those of one unit stand anywhere in it, and their pages are like all others.
    """
    single = np.log(_slower_alone_ns(alone_ns))
    if float(np.median(single[~waits]) - np.median(single[waits])) > step / 2:
        return True
    found = np.array([one.sum() for one in np.array_split(waits, _STRETCHES)])
    expected = waits.sum() / _STRETCHES
    chi_squared, degrees = float(((found - expected) ** 2).sum() / expected), _STRETCHES - 1
    return chi_squared - degrees > _UNEVEN_MAX * float(np.sqrt(2 * degrees))


def _is_of_few_stripes(apart_bytes: NDArray[np.int64], waits: NDArray[np.bool_]) -> bool:
    """Whether pages that lie near each other share a unit more often than others do."""
    nearest = apart_bytes[waits] < np.quantile(apart_bytes, _NEAREST)
    error = float(np.sqrt(_NEAREST * (1 - _NEAREST) / len(nearest)))
    return float(nearest.mean()) > max(_NEAREST_WAIT_MAX, _NEAREST + VISIBLE * error)


@dataclass(frozen=True, slots=True)
class _Levels:
    """Two kinds of pairs.

    Attributes:
        share: Of the slower ones.
        apart: Distance in standard deviations.
        step: Distance in logarithm.
        middle: Between them, in logarithm.
    """

    share: float
    apart: float
    step: float
    middle: float


def _often_by_chance(logs: Floats, each: Floats, levels: _Levels) -> float:
    """Share of the pairs that share no unit whose second shortest repeat is long all the same, for reads are repeated now and then.

    Args:
        logs: Of the second shortest repeat of each pair.
        each: Of every repeat.
        levels: Of all pairs.
    """
    long = float((each > levels.middle).mean())
    sharing = float((logs > levels.middle).mean())
    by_chance = 0.0
    for _ in range(_ROUNDS):
        once = max(0.0, (long - sharing) / (1 - sharing))
        by_chance = once**_REPEATS + _REPEATS * once ** (_REPEATS - 1) * (1 - once)
        sharing = max(0.0, (levels.share - by_chance) / (1 - by_chance))
    return by_chance


def _two_levels(logs: Floats) -> _Levels | None:
    """By two-means from the median and half above."""
    low, high = float(np.median(logs)), float(np.median(logs)) + np.log(1.7)
    for _ in range(_ROUNDS):
        slow = logs > (low + high) / 2
        if not slow.any() or slow.all():
            return None
        new = float(np.median(logs[~slow])), float(np.median(logs[slow]))
        if new == (low, high):
            break
        low, high = new
    scatter = max(spread(logs[~slow]), spread(logs[slow]), 1e-3)
    return _Levels(float(slow.mean()), (high - low) / scatter, high - low, (low + high) / 2)


UNITS = Probe(
    name="units",
    question=message("probe-units-question"),
    limits=message("probe-units-limits"),
    design=_design,
)
