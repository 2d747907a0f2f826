"""Allocation: do pages lie in the order in which they were written, or where their address says (METHODS B2; P8).

The same windows are read four pages at a time, after the region was written in random order (T1) and after it was written in
order (T2). Data that lies in the order of writing is spread at random by the first: some of four pages then wait for each other,
or no longer come from the same place. Each read begins where no other ended, so that no read-ahead sets in.

No difference says `address-like` only on a drive on which spread pages would have shown: where placement follows a known law, or
where four single reads of scattered pages take another time than four of neighbours.
"""

from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Samples, Verb
from ssdlab.job import Draw, Pattern, Region
from ssdlab.probe.answer import (
    NOISE_MAX,
    STRONG,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.placement import UNIT as PLACEMENT_UNIT
from ssdlab.probe.script import (
    Ask,
    Design,
    Estimator,
    Evidence,
    Load,
    Need,
    Probe,
    ProbeError,
    Rest,
    Subject,
    sequential_fill,
)
from ssdlab.probe.statistics import MEDIAN_EFFICIENCY, Floats, hodges_lehmann, sign_flip_share, spread
from ssdlab.units import GIB, KIB, MIB, NS_PER_S

KIND = "allocation.kind"
RATIO = "allocation.time_ratio"

_PAGE_BYTES = 4 * KIB
_READ_BYTES = 4 * _PAGE_BYTES
_WINDOWS = 64
_READS = 128
"""Of each window."""
_BATCHES = 1000
_REGION_BYTES_MAX = 4 * GIB
_REST_NS = 60 * NS_PER_S
_ORDER_MIN = 1.05
"""Least ratio that counts as slower reads."""
_SURE = 0.001
"""Largest share of sign flips as extreme as what was seen."""
_PAPER_MIN = 1.10
"""The paper calls 15 % a clear gap and `almost none` none; it gives no threshold."""


@dataclass(frozen=True, slots=True, eq=False)
class WindowTimes:
    """Response times of reads: a row a window, a column a read; and of batches of four single pages, the slowest of each."""

    after_random_ns: Floats
    after_sequential_ns: Floats
    scattered_ns: Floats
    neighbours_ns: Floats


def _design(subject: Subject) -> Design:
    length = min(subject.capacity_bytes // 2, _REGION_BYTES_MAX) // MIB * MIB
    window_bytes = length // _WINDOWS // _READ_BYTES * _READ_BYTES
    reads = min(_READS, window_bytes // _READ_BYTES // 2)
    if reads < _READS // 4:
        least = 2 * _WINDOWS * _READS // 2 * _READ_BYTES
        raise ProbeError("the drive is too small for windows to compare", f"it takes {least // MIB} MiB")
    region = Region(0, length)
    random = np.random.default_rng(subject.seed)
    offsets = np.concatenate([at * window_bytes + _scattered(random, window_bytes, reads) for at in range(_WINDOWS)])
    commands = Commands.one_by_one(Verb.READ, offsets, _READ_BYTES)
    in_order = sequential_fill("in order", region, subject.seed, _PAGE_BYTES)
    at_random = replace(in_order.job, name="at random", pattern=Pattern.RANDOM, draw=Draw.PERMUTATION)
    acts = (
        Load("at random", at_random),
        Rest(_REST_NS),
        Ask("after random", commands),
        in_order,
        Rest(_REST_NS),
        Ask("after sequential", commands),
        Ask("scattered", _batches(random.integers(0, length // _PAGE_BYTES, (_BATCHES, 4)))),
        Ask("neighbours", _batches(random.integers(0, length // _READ_BYTES, (_BATCHES, 1)) * 4 + np.arange(4))),
    )

    def estimate(evidence: Evidence, estimator: Estimator) -> tuple[Answer, ...]:
        after_random, after_sequential = (
            evidence.asked[name].latency_ns.reshape(_WINDOWS, reads) for name in ("after random", "after sequential")
        )
        scattered, neighbours = (_slowest(evidence.asked[name]) for name in ("scattered", "neighbours"))
        times = WindowTimes(after_random, after_sequential, scattered, neighbours)
        if estimator is Estimator.PAPER:
            return allocation_by_paper(times)
        return allocation(times, subject.answers.get(PLACEMENT_UNIT))

    return Design(need=Need.ANY, region=region, acts=acts, estimate=estimate)


def _scattered(random: np.random.Generator, window_bytes: int, reads: int) -> np.typing.NDArray[np.int64]:
    """Reads of a window in random order, every second place left out so that none follows another."""
    places = random.permutation(window_bytes // _READ_BYTES // 2)[:reads]
    return places.astype(np.int64) * 2 * _READ_BYTES


def _batches(pages: np.typing.NDArray[np.int64]) -> Commands:
    """Reads of single pages, those of a row at once."""
    commands = Commands.one_by_one(Verb.READ, pages.ravel() * _PAGE_BYTES, _PAGE_BYTES)
    issue = np.where(np.arange(pages.size) % pages.shape[1] == 0, Issue.ALONE, Issue.WHEN_ROOM).astype(np.uint8)
    return replace(commands, issue=issue, queue_depth=pages.shape[1])


def _slowest(samples: Samples) -> Floats:
    """Time of each batch: that of its slowest read."""
    return np.asarray(samples.latency_ns.reshape(-1, samples.commands.queue_depth).max(axis=1), dtype=np.float64)


def allocation(times: WindowTimes, unit: Answer | None = None) -> tuple[Answer, ...]:
    """Ratio of the two read times over the windows, with its Hodges-Lehmann interval, and what it means.

    `order-like`: reads after random writes take surely at least 5 % more, or less. `address-like`: surely less than that apart, on
    a drive on which spread pages would show.

    Args:
        times: Of all reads.
        unit: What placement found; a law that holds there says that spread pages would show.
    """
    after_random, after_sequential = (_level(one) for one in (times.after_random_ns, times.after_sequential_ns))
    ratios = np.log(after_random / after_sequential)
    noise = spread(
        np.log(times.after_sequential_ns / np.median(times.after_sequential_ns, axis=1, keepdims=True)).ravel()
    )
    centre, error = hodges_lehmann(ratios), max(spread(ratios), 1e-4) / np.sqrt(len(ratios))
    low, high = np.exp(centre - 1.96 * error), np.exp(centre + 1.96 * error)
    kind = _kind(float(low), float(high))
    ratio = Answer(
        name=RATIO,
        value=float(np.exp(centre)),
        interval=Interval(float(low), float(high)),
        separation=abs(centre) / error,
        replicated=Replicated.YES if _halves_agree(ratios) else Replicated.NO,
        grade=Grade.B if noise <= NOISE_MAX else Grade.C,
        note="time of a read of four pages after random writes, over that after sequential ones",
    )
    if kind is None:
        words = f"the ratio may be anything from {low:.3f} to {high:.3f}, and {_ORDER_MIN:g} parts the two"
        return (not_identifiable(KIND, Reason.NOISY, words), ratio)
    if kind == _ADDRESS and not (_scatter_shows(times) or _is_known(unit)):
        words = "four scattered pages take as long as four neighbours, so spread data would not show"
        return (not_identifiable(KIND, Reason.FLAT, words), ratio)
    distance = abs(abs(centre) - np.log(_ORDER_MIN)) / error
    certain = kind == _ADDRESS or sign_flip_share(ratios) < _SURE
    good = distance >= STRONG and certain and ratio.replicated is Replicated.YES and noise <= NOISE_MAX
    return (
        Answer(
            name=KIND,
            value=kind,
            separation=float(distance),
            replicated=ratio.replicated,
            grade=Grade.A if good else Grade.B if ratio.replicated is Replicated.YES else Grade.C,
            note="of the pages within 16 KiB; it says nothing of how larger blocks are placed",
        ),
        ratio,
    )


_ORDER = "order-like"
_ADDRESS = "address-like"


def _level(times_ns: Floats) -> Floats:
    """Mean of each window without its slowest reads, which are other work of the drive: the waits that count are of a few reads."""
    kept = np.sort(times_ns, axis=1)[:, : max(1, round(0.95 * times_ns.shape[1]))]
    return np.asarray(kept.mean(axis=1), dtype=np.float64)


def _kind(low: float, high: float) -> str | None:
    if low > _ORDER_MIN or high < 1 / _ORDER_MIN:
        return _ORDER
    return _ADDRESS if low > 1 / _ORDER_MIN and high < _ORDER_MIN else None


def _halves_agree(ratios: Floats) -> bool:
    """Whether even and odd windows lie on the same side."""
    sides = {abs(hodges_lehmann(ratios[start::2])) > np.log(_ORDER_MIN) for start in (0, 1)}
    return len(sides) == 1


def _scatter_shows(times: WindowTimes) -> bool:
    """Whether scattered pages surely take at least 5 % more, or less, than neighbours."""
    scattered, neighbours = np.log(times.scattered_ns), np.log(times.neighbours_ns)
    difference = float(np.median(scattered) - np.median(neighbours))
    error = MEDIAN_EFFICIENCY * np.hypot(spread(scattered), spread(neighbours)) / np.sqrt(len(scattered))
    return bool(abs(difference) - STRONG * error > np.log(_ORDER_MIN))


def _is_known(unit: Answer | None) -> bool:
    return unit is not None and unit.grade in {Grade.A, Grade.B}


def allocation_by_paper(times: WindowTimes) -> tuple[Answer, ...]:
    """The paper's: two mean times, and a clear gap between them or none."""
    ratio = float(times.after_random_ns.mean() / times.after_sequential_ns.mean())
    return (
        Answer(
            name=KIND,
            value=_ORDER if ratio > _PAPER_MIN else _ADDRESS,
            grade=Grade.C,
            note=f"the paper's estimator; T1 / T2 = {ratio:.3f}",
        ),
    )


ALLOCATION = Probe(
    name="allocation",
    question="Do pages lie in the order of writing, or by address?",
    limits="a drive with hundreds of units that read at once hides the waits; so does a link that is slower than the flash",
    design=_design,
    by_paper=True,
    after=("shift-write", "placement"),
)
