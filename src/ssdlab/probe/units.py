"""Independent read units: how many dies or planes read at once (P4).

Pairs of random pages are read at the same moment. Two of them that lie in the same unit wait for each other, which happens to one
pair in as many as there are units. Each page is also read alone, for pages of a cell take different times: what counts is how much
longer the slower of a pair takes than the slower of its two pages alone. Medians of several reads keep noise from looking like waiting.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Verb
from ssdlab.probe.answer import (
    NOISE_MAX,
    STRONG,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    Evidence,
    Need,
    Probe,
    Subject,
    working_region,
)
from ssdlab.probe.statistics import Floats, spread
from ssdlab.units import KIB

COUNT = "units.count"

_PAGE_BYTES = 4 * KIB
_PAIRS = 6000
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


def _design(subject: Subject) -> Design:
    region = working_region(subject, READ_REGION_BYTES)
    random = np.random.default_rng(subject.seed)
    pages = random.integers(0, region.length_bytes // _PAGE_BYTES, (_PAIRS, 2))
    pages[:, 1] = np.where(
        pages[:, 0] == pages[:, 1], (pages[:, 1] + 1) % (region.length_bytes // _PAGE_BYTES), pages[:, 1]
    )
    # All pairs once, then all again: repeats far apart, so that a busy moment does not hit the same pair each time.
    offsets = np.tile(pages.ravel(), _REPEATS) * _PAGE_BYTES
    commands = Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)
    issue = np.tile(np.array([Issue.ALONE, Issue.WHEN_ROOM], dtype=np.uint8), _PAIRS * _REPEATS)
    acts = (Ask("alone", commands), Ask("pairs", replace(commands, issue=issue, queue_depth=2)))

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        return (read_units(*pair_times(evidence)),)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def pair_times(evidence: Evidence) -> tuple[Floats, Floats]:
    """Response times in ns: of both pages of each pair alone, repeats x pairs x 2; of the slower read together, repeats x pairs."""
    alone, pairs = (evidence.asked[name].latency_ns.reshape(_REPEATS, _PAIRS, 2) for name in ("alone", "pairs"))
    return alone, pairs.max(axis=2)


def log_waits(alone_ns: Floats, slower_ns: Floats) -> Floats:
    """Log of how much longer the slower of each pair takes than the slower of its two pages alone; medians of the repeats."""
    waits: Floats = np.log(np.median(slower_ns, axis=0) / _slower_alone_ns(alone_ns))
    return waits


def _slower_alone_ns(alone_ns: Floats) -> Floats:
    """Of each pair, read by themselves: median of the repeats."""
    slower: Floats = np.median(alone_ns, axis=0).max(axis=1)
    return slower


def read_units(alone_ns: Floats, slower_ns: Floats) -> Answer:
    """Number of units.

    Args:
        alone_ns: Response times of both pages of each pair, read by themselves: repeats x pairs x 2.
        slower_ns: Of the slower read of each pair, read together: repeats x pairs.
    """
    logs = log_waits(alone_ns, slower_ns)
    noise = spread(np.log(slower_ns / np.median(slower_ns, axis=0)).ravel())
    levels = _two_levels(logs)
    if levels is None:
        words = "all pairs take the same time: every read waits for the last, or none does"
        return not_identifiable(COUNT, Reason.FLAT, words)
    share, apart = levels.share, levels.apart
    if apart < _APART_MIN or not _SHARE[0] <= share <= _SHARE[1] or levels.step < np.log(_SLOWER_MIN):
        words = f"{share:.1%} of the pairs take longer, {apart:.1f} standard deviations apart: no two clear kinds"
        return not_identifiable(COUNT, Reason.AMBIGUOUS, words)
    chance = _share_by_chance(alone_ns, slower_ns, levels.middle)
    if share < max(chance / _CHANCE_MAX, chance + STRONG * np.sqrt(chance / len(logs))):
        words = f"{share:.1%} of the pairs take longer each time, and by chance alone {chance:.1%} would"
        return not_identifiable(COUNT, Reason.NOISY, words)
    if _is_of_the_host(alone_ns, logs > levels.middle, levels.step):
        words = f"{share:.1%} of the pairs take longer, those of some moments or of pages that were read fast alone: not by place"
        return not_identifiable(COUNT, Reason.NOISY, words)
    error = float(np.sqrt(share * (1 - share) / len(logs)))
    interval = Interval(1 / (share + 1.96 * error), 1 / max(share - 1.96 * error, 1e-9))
    halves = [_two_levels(logs[start::2]) for start in (0, 1)]
    same = all(half is not None and abs(half.share - share) < 3 * np.sqrt(2) * error for half in halves)
    strong = same and apart >= STRONG and noise <= NOISE_MAX
    return Answer(
        name=COUNT,
        value=1 / share,
        interval=interval,
        separation=apart,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if strong else Grade.B if same else Grade.C,
        note="that read at once: dies, or planes where planes read by themselves",
    )


def _share_by_chance(alone_ns: Floats, slower_ns: Floats, middle: float) -> float:
    """Share of pairs above the middle when the repeats of each are those of any pairs: slow moments that met in one pair."""
    random, logs = np.random.default_rng(0), np.log(slower_ns / _slower_alone_ns(alone_ns))
    waits = [np.median(random.permuted(logs, axis=1), axis=0) > middle for _ in range(_SHUFFLES)]
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
    question="How many reads can the flash do at once?",
    limits="a drive that serves one command at a time, or whose flash is faster than its link, shows no two kinds of pairs",
    design=_design,
)
