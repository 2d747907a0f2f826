"""Allocation: do pages lie in the order in which they were written, or where their address says (METHODS B2; P8).

The same windows are read four pages at a time, after the region was written in random order (T1) and after it was written in
order (T2), the second before and after the first, so that what changes with time is not taken for what writing did. Data that lies in
the order of writing is spread at random by random writing: some of four pages then wait for each other, others do not. Where every
read takes as much longer, or others each time, it is something else. Each read begins where no other ended, so that no read-ahead sets in.

No difference says `address-like` only where it is surely less than what spread pages would make by the law of placement, or where blocks
of 16 KiB and more keep them together. By that law they need not make any: two on one channel wait for a page, two on two for a
channel, and where both take as long nothing is seen.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.engine.result import Direction
from ssdlab.job import Draw, Pattern, Region
from ssdlab.message import message, number
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
from ssdlab.probe.probes.equations import Layout, PartialStripe, sensed_and_synchronised
from ssdlab.probe.probes.placement import CHANNEL_TIME, CHANNELS, PAGE, PAGE_TIME, UNIT
from ssdlab.probe.probes.shift_write import SIZE as BLOCK_SIZE
from ssdlab.probe.probes.statistics import Floats, hodges_lehmann, sign_flip_share, spread
from ssdlab.probe.script import (
    Act,
    Ask,
    BulkLoad,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeError,
    ProbeEvidence,
    Rest,
    sequential_fill,
)
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
_CURVED = 0.25
"""Of the change between the first reading and the last, what may lie beside the straight line between them."""
_OUTLIER = 5.0
"""A read of four pages waits for three others at most; beyond so many medians it is other work."""
_UNEVEN = (0.1, 0.95)
"""Shares of reads between which they scatter more where some of them wait and others do not."""
_UNEVEN_MIN = 0.05
_SHARED = (0.02, 0.95)
"""Shares of reads beyond which outliers count no more than what is there."""
_SHARED_MIN = 0.08
"""Standard deviation, in logarithm, of what the same reads take longer in both turns: pages that wait for each other do so each time, and
reads are repeated now and then, the more often the more senses they take."""
_REST_NS = 60 * NS_PER_S
"""After writing the largest region; as much shorter as a region is smaller, but at least 2 s."""
_REST_NS_MIN = 2 * NS_PER_S
_ORDER_MIN = 1.05
"""Least ratio that counts as slower reads."""
_SPREAD_MIN = 1.02
"""Least ratio by the law of placement that counts: the times in it are fitted."""
_SPREAD_SURE = 0.8
"""Share of its logarithm that is sure: readings of a noisy drive leave a tenth of doubt about the times that are fitted to them."""
_SPREADS = 2000
"""Ways drawn at random in which blocks may lie on channels; their mean is known to a percent or two of what they differ."""
_LEAST_BLOCKS = 2
"""In a read where the block is not known: of fewer it would keep all pages together, and of more there are more waits."""
_SURE = 0.001
"""Largest share of sign flips as extreme as what was seen."""
_PAPER_MIN = 1.10
"""The paper calls 15 % a clear gap and `almost none` none; it gives no threshold."""


class Allocation(Enum):
    """What decides where a page lies."""

    BY_ORDER = message("probe-allocation-by-order")
    BY_ADDRESS = message("probe-allocation-by-address")


@dataclass(frozen=True, slots=True, eq=False)
class WindowTimes:
    """Response times of reads, each state read through twice: turns x windows x reads.

    Attributes:
        after_random_ns: Both turns between those of the other state.
        midway: Where they lie between them, as a share of the time.
    """

    after_random_ns: Floats
    after_sequential_ns: Floats
    midway: float = 0.5


def _design(drive: KnownDrive) -> Design:
    length = min(drive.capacity_bytes // 2, _REGION_BYTES_MAX) // MIB * MIB
    window_bytes = length // _WINDOWS // _READ_BYTES * _READ_BYTES
    reads = min(_READS, window_bytes // _READ_BYTES // 2)
    if reads < _READS_MIN:
        least = 2 * _WINDOWS * 2 * _READS_MIN * _READ_BYTES
        raise ProbeError(message("probe-allocation-too-small"), message("probe-takes", size=number(least // MIB)))
    region = Region(0, length)
    random = np.random.default_rng(drive.seed)
    offsets = np.concatenate([at * window_bytes + _scattered(random, window_bytes, reads) for at in range(_WINDOWS)])
    commands = Commands.one_by_one(Verb.READ, offsets, _READ_BYTES)
    in_order = sequential_fill("in order", region, drive.seed, _PAGE_BYTES)
    at_random = replace(in_order.job, name="at random", pattern=Pattern.RANDOM, draw=Draw.PERMUTATION)
    rest = Rest(max(_REST_NS_MIN, _REST_NS * length // _REGION_BYTES_MAX))
    acts: tuple[Act, ...] = (
        in_order,
        rest,
        Ask("after sequential 0", commands),
        BulkLoad("at random", at_random),
        rest,
        *(Ask(f"after random {turn}", commands) for turn in range(_TURNS)),
        replace(in_order, name="in order again"),
        rest,
        Ask("after sequential 1", commands),
    )

    def estimate(evidence: ProbeEvidence, estimator: Estimator) -> tuple[Answer, ...]:
        def turns(name: str) -> Floats:
            each = [evidence.asked[f"{name} {turn}"].latency_ns for turn in range(_TURNS)]
            return np.stack(each).reshape(_TURNS, _WINDOWS, reads)

        before, after = (
            rest.duration_ns + evidence.loaded[name].directions[Direction.WRITE].runtime_ns
            for name in ("at random", "in order again")
        )
        times = WindowTimes(turns("after random"), turns("after sequential"), before / (before + after))
        if estimator is Estimator.PAPER:
            return allocation_by_paper(times)
        return allocation(times, spread_ratio(drive.answers, float(np.median(times.after_sequential_ns))))

    return Design(need=Need.ANY, region=region, acts=acts, estimate=estimate)


def _scattered(random: np.random.Generator, window_bytes: int, reads: int) -> np.typing.NDArray[np.int64]:
    """Reads of a window in random order, every second place left out so that none follows another."""
    places = random.permutation(window_bytes // _READ_BYTES // 2)[:reads]
    return places.astype(np.int64) * 2 * _READ_BYTES


def allocation(times: WindowTimes, if_spread: float | None) -> tuple[Answer, ...]:
    """Ratio of the two read times over the windows, with its Hodges-Lehmann interval, and what it means.

    The interval is wider by what the two readings of one state differ, and by a part of what changed between the first and the last.

    `order-like`: reads after random writes take surely at least 5 % more, or less, and some of them much more than others, the same ones in
    both turns.
    `address-like`: surely less than that apart and less than spread pages would be, and nearer to none than to them.

    Neither where the border between the two is less than three standard errors away.

    Args:
        times: Of all reads.
        if_spread: What spread pages would make; None where it is not known or hardly any.
    """
    random, sequential = _levels(times.after_random_ns), _levels(times.after_sequential_ns)
    change = sequential[1] - sequential[0]
    ratios = random.mean(axis=0) - sequential[0] - times.midway * hodges_lehmann(change)
    mood = abs(hodges_lehmann(random[0] - random[1]))
    drift = mood + _CURVED * abs(hodges_lehmann(change))
    logs = np.log(times.after_sequential_ns)
    noise = spread((logs - np.median(logs, axis=2, keepdims=True)).ravel())
    centre, error = hodges_lehmann(ratios), max(spread(ratios), 1e-4) / np.sqrt(len(ratios))
    low, high = np.exp(centre - 1.96 * error - drift), np.exp(centre + 1.96 * error + drift)
    border = math.log(_ORDER_MIN) if abs(centre) > math.log(_ORDER_MIN) else _border(if_spread)
    kind = _kind(float(low), float(high), math.exp(border))
    ratio = Answer(
        name=RATIO,
        value=float(np.exp(centre)),
        interval=Interval(float(low), float(high)),
        separation=abs(centre) / error,
        replicated=Replicated.YES if _halves_agree(ratios) else Replicated.NO,
        grade=Grade.B if noise <= NOISE_MAX else Grade.C,
        note=message("probe-allocation-ratio-note"),
    )
    distance = max(0.0, abs(abs(centre) - border) - drift) / error
    nearer_to_none = if_spread is None or abs(centre) < abs(math.log(if_spread)) / 2
    if kind is None or distance < VISIBLE or (kind is Allocation.BY_ADDRESS and not nearer_to_none):
        why = message(
            "probe-ratio-undecided",
            low=number(float(low), ".3f"),
            high=number(float(high), ".3f"),
            border=number(math.exp(border), ".3g"),
        )
        return (not_identifiable(KIND, Reason.NOISY, why), ratio)
    if kind is Allocation.BY_ORDER and _uneven(times) < _UNEVEN_MIN:
        why = message("probe-allocation-all-alike", ratio=number(float(np.exp(centre)), ".2f"))
        return (not_identifiable(KIND, Reason.OTHER_LAW, why), ratio)
    if kind is Allocation.BY_ORDER and not _same_ones_wait(times):
        why = message("probe-allocation-others-each-time", ratio=number(float(np.exp(centre)), ".2f"))
        return (not_identifiable(KIND, Reason.OTHER_LAW, why), ratio)
    if kind is Allocation.BY_ADDRESS and if_spread is None:
        return (not_identifiable(KIND, Reason.FLAT, message("probe-allocation-insensitive")), ratio)
    certain = kind is Allocation.BY_ADDRESS or sign_flip_share(ratios) < _SURE
    good = distance >= STRONG and certain and ratio.replicated is Replicated.YES and noise <= NOISE_MAX
    return (
        Answer(
            name=KIND,
            value=kind.value,
            separation=float(distance),
            replicated=ratio.replicated,
            grade=Grade.A if good else Grade.B if ratio.replicated is Replicated.YES else Grade.C,
            note=message("probe-allocation-note"),
        ),
        ratio,
    )


def _levels(times_ns: Floats) -> Floats:
    """Log of the mean of each window without outliers, which are other work; the waits that count are in it."""
    kept = times_ns < _OUTLIER * np.median(times_ns, axis=2, keepdims=True)
    return np.asarray(np.log(np.mean(times_ns, axis=2, where=kept)), dtype=np.float64)


def _uneven(times: WindowTimes) -> float:
    """How much further apart the logs of reads are after random writing; each turn by itself, for their levels may differ."""

    def apart(times_ns: Floats) -> Floats:
        low, high = np.quantile(np.log(times_ns).reshape(_TURNS, -1), _UNEVEN, axis=1)
        return np.asarray(high - low)

    return float(apart(times.after_random_ns).mean() - apart(times.after_sequential_ns).mean())


def _same_ones_wait(times: WindowTimes) -> bool:
    """Whether the same reads take longer in both turns after random writing, more than they do after writing in order."""
    return _shared(times.after_random_ns) - _shared(times.after_sequential_ns) >= _SHARED_MIN**2


def _shared(times_ns: Floats) -> float:
    """Covariance of the logs of the same reads in both turns, each window's own level aside."""
    logs = np.log(times_ns)
    centred = logs - np.median(logs, axis=2, keepdims=True)
    low, high = np.quantile(centred, _SHARED, axis=(1, 2), keepdims=True)
    kept = np.clip(centred, low, high)
    first, second = kept - kept.mean(axis=2, keepdims=True)
    return float((first * second).mean())


def _border(if_spread: float | None) -> float:
    """Largest logarithm of a ratio that is none: where spread pages make less than 5 %, less than they do."""
    spread = math.inf if if_spread is None else _SPREAD_SURE * abs(math.log(if_spread))
    return min(math.log(_ORDER_MIN), spread)


def _kind(low: float, high: float, border: float) -> Allocation | None:
    if low > _ORDER_MIN or high < 1 / _ORDER_MIN:
        return Allocation.BY_ORDER
    return Allocation.BY_ADDRESS if low > 1 / border and high < border else None


def _halves_agree(ratios: Floats) -> bool:
    """Whether even and odd windows lie on the same side."""
    sides = {abs(hodges_lehmann(ratios[start::2])) > np.log(_ORDER_MIN) for start in (0, 1)}
    return len(sides) == 1


def spread_ratio(known: Mapping[str, Answer], in_order_ns: float) -> float | None:
    """How many times as long reads would take, had their blocks been spread at random over the channels.

    Args:
        known: The law of placement and the management block.
        in_order_ns: Time of a read of blocks that lie in order.

    Returns:
        Infinity where blocks keep the pages of a read together: then any order would be one of larger blocks. None where the law is
        not known, or would hardly make a difference.
    """
    found = {name: answer.value for name, answer in known.items() if answer.grade in _GOOD}
    block = found.get(BLOCK_SIZE)
    if isinstance(block, int) and block >= _READ_BYTES:
        return math.inf
    unit, page, channels, page_ns, channel_ns = (
        found.get(name) for name in (UNIT, PAGE, CHANNELS, PAGE_TIME, CHANNEL_TIME)
    )
    if not isinstance(unit, int) or not isinstance(page, int) or not isinstance(channels, int):
        return None
    if not isinstance(page_ns, float) or not isinstance(channel_ns, float):
        return None
    pages, unit_pages = -(-_READ_BYTES // page), unit // page
    blocks = min(pages, _READ_BYTES // max(block, _PAGE_BYTES) if isinstance(block, int) else _LEAST_BLOCKS)
    sensed, synchronised = sensed_and_synchronised(np.array([pages]), Layout(unit_pages, channels), PartialStripe.CEIL)
    in_order = float(sensed[0] * page_ns + synchronised[0] * channel_ns)
    starts = np.random.default_rng(1).integers(0, channels, (_SPREADS, blocks, 1))
    on_channel = (starts + np.arange(pages // blocks) // unit_pages) % channels
    held = (on_channel.reshape(_SPREADS, -1, 1) == np.arange(channels)).sum(axis=1)
    at_random = float((held.max(axis=1) * page_ns + ((held > 0).sum(axis=1) - 1) * channel_ns).mean())
    else_ns = max(0.0, in_order_ns - in_order)
    ratio = (else_ns + at_random) / (else_ns + in_order)
    return ratio if abs(math.log(ratio)) >= math.log(_SPREAD_MIN) else None


_GOOD = {Grade.A, Grade.B}


def allocation_by_paper(times: WindowTimes) -> tuple[Answer, ...]:
    """The paper's: two mean times, and a clear gap between them or none."""
    ratio = float(times.after_random_ns.mean() / times.after_sequential_ns.mean())
    return (
        Answer(
            name=KIND,
            value=(Allocation.BY_ORDER if ratio > _PAPER_MIN else Allocation.BY_ADDRESS).value,
            grade=Grade.C,
            note=message("probe-allocation-paper-note", ratio=number(ratio, ".3f")),
        ),
    )


ALLOCATION = Probe(
    name="allocation",
    question=message("probe-allocation-question"),
    limits=message("probe-allocation-limits"),
    design=_design,
    by_paper=True,
    after=("shift-write", "placement"),
)
