"""Allocation: do pages lie in the order in which they were written, or where their address says (METHODS B2; P8).

The same windows are read four pages at a time, after the region was written in random order (T1) and after it was written in
order (T2). Data that lies in the order of writing is spread at random by the first: some of four pages then wait for each other,
or no longer come from the same place. Each read begins where no other ended, so that no read-ahead sets in.

No difference says `address-like` only where spread pages would have shown, because placement follows a known law, or where blocks
of 16 KiB and more keep them together.
"""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Verb
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
from ssdlab.probe.placement import CHANNELS as PLACEMENT_CHANNELS
from ssdlab.probe.script import (
    Act,
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
from ssdlab.probe.shift_write import SIZE as BLOCK_SIZE
from ssdlab.probe.statistics import Floats, hodges_lehmann, sign_flip_share, spread
from ssdlab.units import GIB, KIB, MIB, NS_PER_S

KIND = "allocation.kind"
RATIO = "allocation.time_ratio"

_PAGE_BYTES = 4 * KIB
_READ_BYTES = 4 * _PAGE_BYTES
_WINDOWS = 64
_READS = 128
"""Of each window."""
_READS_MIN = 16
_REGION_BYTES_MAX = 4 * GIB
_TURNS = 2
"""How often each state is read: what differs between two readings of one state is the host's or the drive's mood."""
_REST_NS = 60 * NS_PER_S
"""After writing the largest region; as much shorter as a region is smaller, but at least 2 s."""
_REST_NS_MIN = 2 * NS_PER_S
_ORDER_MIN = 1.05
"""Least ratio that counts as slower reads."""
_SURE = 0.001
"""Largest share of sign flips as extreme as what was seen."""
_PAPER_MIN = 1.10
"""The paper calls 15 % a clear gap and `almost none` none; it gives no threshold."""


class Sensitivity(Enum):
    """Whether the reads of a drive would show pages that lie in the order of writing."""

    KNOWN = "known"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class WindowTimes:
    """Response times of reads, each state read through twice: turns x windows x reads."""

    after_random_ns: Floats
    after_sequential_ns: Floats


def _design(subject: Subject) -> Design:
    length = min(subject.capacity_bytes // 2, _REGION_BYTES_MAX) // MIB * MIB
    window_bytes = length // _WINDOWS // _READ_BYTES * _READ_BYTES
    reads = min(_READS, window_bytes // _READ_BYTES // 2)
    if reads < _READS_MIN:
        least = 2 * _WINDOWS * 2 * _READS_MIN * _READ_BYTES
        raise ProbeError("the drive is too small for windows to compare", f"it takes {least // MIB} MiB")
    region = Region(0, length)
    random = np.random.default_rng(subject.seed)
    offsets = np.concatenate([at * window_bytes + _scattered(random, window_bytes, reads) for at in range(_WINDOWS)])
    commands = Commands.one_by_one(Verb.READ, offsets, _READ_BYTES)
    in_order = sequential_fill("in order", region, subject.seed, _PAGE_BYTES)
    at_random = replace(in_order.job, name="at random", pattern=Pattern.RANDOM, draw=Draw.PERMUTATION)
    rest = Rest(max(_REST_NS_MIN, _REST_NS * length // _REGION_BYTES_MAX))
    acts: tuple[Act, ...] = (
        Load("at random", at_random),
        rest,
        *(Ask(f"after random {turn}", commands) for turn in range(_TURNS)),
        in_order,
        rest,
        *(Ask(f"after sequential {turn}", commands) for turn in range(_TURNS)),
    )

    def estimate(evidence: Evidence, estimator: Estimator) -> tuple[Answer, ...]:
        def turns(name: str) -> Floats:
            each = [evidence.asked[f"{name} {turn}"].latency_ns for turn in range(_TURNS)]
            return np.stack(each).reshape(_TURNS, _WINDOWS, reads)

        times = WindowTimes(turns("after random"), turns("after sequential"))
        if estimator is Estimator.PAPER:
            return allocation_by_paper(times)
        known = would_show(subject.answers.get(PLACEMENT_CHANNELS), subject.answers.get(BLOCK_SIZE))
        return allocation(times, Sensitivity.KNOWN if known else Sensitivity.UNKNOWN)

    return Design(need=Need.ANY, region=region, acts=acts, estimate=estimate)


def _scattered(random: np.random.Generator, window_bytes: int, reads: int) -> np.typing.NDArray[np.int64]:
    """Reads of a window in random order, every second place left out so that none follows another."""
    places = random.permutation(window_bytes // _READ_BYTES // 2)[:reads]
    return places.astype(np.int64) * 2 * _READ_BYTES


def allocation(times: WindowTimes, sensitivity: Sensitivity) -> tuple[Answer, ...]:
    """Ratio of the two read times over the windows, with its Hodges-Lehmann interval, and what it means.

    The interval is wider by what the two readings of one state differ.

    `order-like`: reads after random writes take surely at least 5 % more, or less. `address-like`: surely less than that apart, on
    a drive on which spread pages would show.

    Args:
        times: Of all reads.
        sensitivity: Whether spread pages would have shown.
    """
    random, sequential = _levels(times.after_random_ns), _levels(times.after_sequential_ns)
    ratios = (random - sequential).mean(axis=0)
    drift = max(abs(hodges_lehmann(one[0] - one[1])) for one in (random, sequential))
    logs = np.log(times.after_sequential_ns)
    noise = spread((logs - np.median(logs, axis=2, keepdims=True)).ravel())
    centre, error = hodges_lehmann(ratios), max(spread(ratios), 1e-4) / np.sqrt(len(ratios))
    low, high = np.exp(centre - 1.96 * error - drift), np.exp(centre + 1.96 * error + drift)
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
    if kind == _ADDRESS and sensitivity is Sensitivity.UNKNOWN:
        words = "no difference, but it is not known that spread pages would make one on this drive"
        return (not_identifiable(KIND, Reason.FLAT, words), ratio)
    distance = max(0.0, abs(abs(centre) - np.log(_ORDER_MIN)) - drift) / error
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


def _levels(times_ns: Floats) -> Floats:
    """Log of the mean of each window without its slowest fifth, which is other work: the waits that count are of more reads."""
    kept = np.sort(times_ns, axis=2)[:, :, : max(1, round(0.8 * times_ns.shape[2]))]
    return np.asarray(np.log(kept.mean(axis=2)), dtype=np.float64)


def _kind(low: float, high: float) -> str | None:
    if low > _ORDER_MIN or high < 1 / _ORDER_MIN:
        return _ORDER
    return _ADDRESS if low > 1 / _ORDER_MIN and high < _ORDER_MIN else None


def _halves_agree(ratios: Floats) -> bool:
    """Whether even and odd windows lie on the same side."""
    sides = {abs(hodges_lehmann(ratios[start::2])) > np.log(_ORDER_MIN) for start in (0, 1)}
    return len(sides) == 1


def would_show(channels: Answer | None, block: Answer | None) -> bool:
    """Whether pages that lie in the order of writing could not have been missed, or blocks of 16 KiB keep them together."""
    law = channels is not None and channels.grade in _GOOD
    return law or (
        block is not None and block.grade in _GOOD and isinstance(block.value, int) and block.value >= _READ_BYTES
    )


_GOOD = {Grade.A, Grade.B}


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
