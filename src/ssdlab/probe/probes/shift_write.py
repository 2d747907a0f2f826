"""Management block: the size below which a write makes the drive read, merge and write back (METHODS B1; P6, first arm).

Writes of a fixed size are shifted through many chunks. A write that covers a block in part costs a copy of the rest, one that
straddles two costs two. What is fitted is just that: for each block size and each place of its boundaries the writes fall into
classes of none, one or two partly covered blocks, and the classes must differ, in this order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Forced, Verb
from ssdlab.job import Region
from ssdlab.message import Message, message, number, semicolons, size
from ssdlab.probe.answer import (
    DECISIVE,
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Reason,
    Replicated,
    Support,
    grade_of,
    not_identifiable,
)
from ssdlab.probe.probes.shift_write_paper import PaperArm, management_block_by_paper
from ssdlab.probe.probes.statistics import MEDIAN_EFFICIENCY, Floats, information_criterion, spread
from ssdlab.probe.script import Ask, Design, Estimator, KnownDrive, Need, Probe, ProbeError, ProbeEvidence
from ssdlab.units import KIB, MIB

SIZE = "management_block.size"
OFFSET = "management_block.offset"

_CHUNKS = 12
_STRIDE_BYTES = 6 * MIB
"""Chunks begin at whole multiples of this, and so at a boundary of blocks of 2^n and 3 x 2^n bytes up to 2 MiB."""
_LAID_BYTES = 128 * KIB
_ERROR_FLOOR = 0.003
"""Two medians of like writes never agree better."""


@dataclass(frozen=True, slots=True)
class Arm:
    """Writes of one size, shifted through a span."""

    name: str
    shift_bytes: int
    span_bytes: int
    write_bytes: int

    @property
    def shifts(self) -> NDArray[np.int64]:
        """Where in a chunk it writes."""
        return np.arange(0, self.span_bytes, self.shift_bytes, dtype=np.int64)


_COARSE = tuple(Arm(f"{size // KIB}KiB by 4KiB", 4 * KIB, 4 * MIB, size) for size in (8 * KIB, 16 * KIB, 64 * KIB))
_FINE = Arm("4KiB by 512B", 512, 64 * KIB, 4 * KIB)
WHOLE = Arm("1MiB by 64KiB", 64 * KIB, 3 * MIB, MIB)
"""Asked where blocks are larger than any of the other writes. A write that begins a further stripe has it filled up, which takes as long
as a copy does; but only one that covers whole blocks saves two copies."""
_SIZES_MAX = 2 * MIB
"""Twice within the span, so that one slow place is not taken for a boundary."""
_SIZES_TRIED_MAX = 3 * MIB
"""The next larger one, or its steps would be taken for those of half of it."""
_COPIES_MIN = 1.5
"""Two blocks covered in part cost at least so many times as much over none as over one. It is twice as much where each is copied, and as
much where nothing is, but a write that crosses a boundary is programmed in two places."""
_BETWEEN_MAX = 0.5
"""The same share up to which it may be there unseen in an answer of grade A."""
_BETWEEN_MIN = 0.1
"""Share of a step at which one that is seen in the middle of blocks, too, makes their size doubtful."""
_ALIKE_MAX = 2.0
"""Ratio of what a second copy costs beside writes of several sizes."""
_LONGER_MIN = 0.25
"""Logarithm by which a second copy makes a write longer than a second program does, which goes on at the same time as the first."""
_TYPICAL_MIN = 0.6
"""Difference between the medians of two classes, of that between their means: a step is in all of a class, an outlier in one."""


def arms_for(logical_block_bytes: int) -> tuple[Arm, ...]:
    """Shifts finer than 4 KiB where the drive takes them."""
    return (_FINE, *_COARSE) if logical_block_bytes == _FINE.shift_bytes else _COARSE


@dataclass(frozen=True, slots=True, eq=False)
class ArmTimes:
    """Log response times of an arm.

    Attributes:
        log_ns: A row a chunk, a column a shift.
    """

    arm: Arm
    log_ns: Floats


def _design(drive: KnownDrive) -> Design:
    arms = arms_for(drive.logical_block_bytes)
    half, length = drive.capacity_bytes // 2, max(arm.span_bytes + arm.write_bytes for arm in arms)
    # The paper keeps to half of the drive, so that collection has room; a small drive has no half to spare.
    room = half if half >= _CHUNKS * _STRIDE_BYTES else drive.capacity_bytes - length
    chunks = min(_CHUNKS, room // _STRIDE_BYTES)
    if chunks < _CHUNKS // 2:
        raise ProbeError(
            message("probe-shift-write-too-small"),
            message("probe-takes", size=number(_CHUNKS // 2 * _STRIDE_BYTES // MIB)),
        )
    starts = np.arange(chunks, dtype=np.int64) * (room // chunks // _STRIDE_BYTES * _STRIDE_BYTES)
    laid = (starts[:, None] + np.arange(0, length, _LAID_BYTES)[None, :]).ravel()
    acts = [Ask("laid", Commands.one_by_one(Verb.WRITE, laid, _LAID_BYTES))]
    acts += [Ask(arm.name, _shifted(arm, starts, drive.seed + at)) for at, arm in enumerate(arms)]

    def none_covered_whole(evidence: ProbeEvidence) -> bool:
        size = management_block([arm_times(arm, evidence) for arm in arms])[0].value
        return isinstance(size, int) and size > max(arm.write_bytes for arm in arms)

    acts.append(Ask(WHOLE.name, _shifted(WHOLE, starts, drive.seed + len(arms)), none_covered_whole))

    def estimate(evidence: ProbeEvidence, estimator: Estimator) -> tuple[Answer, ...]:
        times = [arm_times(arm, evidence) for arm in arms]
        if estimator is Estimator.PAPER:
            return (_by_paper(times),)
        if WHOLE.name in evidence.asked:
            times.append(arm_times(WHOLE, evidence))
        answers = management_block(times)
        if evidence.asked[arms[0].name].forced is Forced.CANNOT and answers[0].grade is Grade.NONE:
            return (not_identifiable(SIZE, Reason.BUFFERED, message("probe-cannot-force"), "B"),)
        return answers

    end = int(laid[-1]) + _LAID_BYTES
    return Design(need=Need.ANY, region=Region(0, end), acts=tuple(acts), estimate=estimate)


def _shifted(arm: Arm, starts: NDArray[np.int64], seed: int) -> Commands:
    """Every shift of every chunk, chunk after chunk in an order drawn anew, so that no rhythm in time looks like one in place."""
    random = np.random.default_rng(seed)
    offsets = np.concatenate([start + random.permutation(arm.shifts) for start in starts])
    return Commands.one_by_one(Verb.WRITE_THROUGH, offsets, arm.write_bytes)


def arm_times(arm: Arm, evidence: ProbeEvidence) -> ArmTimes:
    """The samples of an arm in the order of their shifts."""
    samples = evidence.asked[arm.name]
    offsets = samples.commands.offset_bytes.reshape(-1, len(arm.shifts))
    log_ns = np.log(np.maximum(samples.latency_ns, 1.0)).reshape(offsets.shape)
    return ArmTimes(arm, np.take_along_axis(log_ns, np.argsort(offsets, axis=1), axis=1))


@dataclass(frozen=True, slots=True)
class _Blocks:
    """An explanation: blocks of a size, one of which begins at the offset."""

    size_bytes: int
    offset_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Explanations with what they score; the score of none at all is 0, less is better."""

    blocks: tuple[_Blocks, ...]
    scores: Floats

    @property
    def best(self) -> int:
        return int(np.argmin(self.scores))


def management_block(times: Sequence[ArmTimes]) -> tuple[Answer, ...]:
    """Size and alignment of the management block from shifted writes.

    Explanations are compared by the sum of the arms' information criteria; the interval holds every size whose criterion is within
    10 of the best. Each half of the chunks must give the same size.
    """
    fit = _fitted(times)
    best, score = fit.blocks[fit.best], float(fit.scores[fit.best])
    sizes = np.array([one.size_bytes for one in fit.blocks])
    near = np.unique(sizes[fit.scores <= score + DECISIVE])
    others = fit.scores[sizes != best.size_bytes]
    separation, noise = _separation(times, best), _noise(times)
    if score > -DECISIVE or separation < VISIBLE:
        finest = min(one.arm.shift_bytes for one in times)
        why = message("probe-shift-write-flat", least=number(2 * finest, ""))
        return (not_identifiable(SIZE, Reason.FLAT, why, "B"),)
    if best.size_bytes > _SIZES_MAX:
        return (not_identifiable(SIZE, Reason.AMBIGUOUS, message("probe-shift-write-one-place"), "B"),)
    halves = [_fitted([ArmTimes(one.arm, one.log_ns[start::2]) for one in times]) for start in (0, 1)]
    same = all(half.blocks[half.best].size_bytes == best.size_bytes for half in halves)
    if not same:
        return (not_identifiable(SIZE, Reason.NOISY, message("probe-halves-differ-in-size"), "B"),)
    support = Support(
        separation=separation,
        margin=min(-score, float(others.min()) - score),
        replicated=Replicated.YES,
        noise=noise,
    )
    doubt = _doubt(times, best)
    grade = grade_of(support) if doubt is None else Grade.C
    if grade is Grade.A and (_none_covers_whole(times, best) or _between(times, best).largest > _BETWEEN_MAX):
        grade = Grade.B
    return (
        Answer(
            name=SIZE,
            value=best.size_bytes,
            unit="B",
            interval=Interval(float(near.min()), float(near.max())),
            separation=separation,
            replicated=support.replicated,
            grade=grade,
            note=doubt,
        ),
        Answer(
            name=OFFSET,
            value=best.offset_bytes,
            unit="B",
            separation=separation,
            replicated=support.replicated,
            grade=grade,
            note=message("probe-shift-write-offset-note"),
        ),
    )


def _none_covers_whole(times: Sequence[ArmTimes], blocks: _Blocks) -> bool:
    """Whether the blocks are larger than any write: then none of them saved two copies, which alone tells blocks from what else has borders."""
    return blocks.size_bytes > max(one.arm.write_bytes for one in times)


def _doubt(times: Sequence[ArmTimes], blocks: _Blocks) -> Message | None:
    """Why the blocks may be no blocks, or several."""
    if _may_cross(times, blocks):
        return message("probe-shift-write-crossing")
    if _between(times, blocks).least > _BETWEEN_MIN:
        return message("probe-shift-write-halves", size=size(blocks.size_bytes // 2))
    return None


@dataclass(frozen=True, slots=True)
class _Between:
    """How much longer writes take that cross the middle of a block, in share of the step at its end."""

    least: float
    largest: float


def _between(times: Sequence[ArmTimes], blocks: _Blocks) -> _Between:
    """Over those that lie in one half of it; the limits are of three and of two standard errors, of the arm that shows most."""
    half_bytes = blocks.size_bytes // 2
    halves = _Blocks(half_bytes, blocks.offset_bytes % half_bytes)
    least, largest = [0.0], [0.0]
    for one in times:
        if one.arm.write_bytes > half_bytes or one.arm.shift_bytes >= half_bytes:
            continue
        values, coarse, fine = medians_of(one), _partly_covered(one.arm, blocks), _partly_covered(one.arm, halves)
        inside, crossing, over = (
            values[(coarse == 1) & (fine == 1)],
            values[(coarse == 1) & (fine == 2)],
            values[coarse == 2],
        )
        if len(inside) and len(crossing) and len(over) and over.mean() > inside.mean():
            step, longer = float(over.mean() - inside.mean()), float(crossing.mean() - inside.mean())
            error = float(inside.std() * np.sqrt(1 / len(inside) + 1 / len(crossing)))
            least.append((longer - VISIBLE * error) / step)
            largest.append((longer + 2 * error) / step)
    return _Between(max(least), max(largest))


def _may_cross(times: Sequence[ArmTimes], blocks: _Blocks) -> bool:
    """Whether the steps may be those of writes that are programmed in two places, and nothing is copied.

    Two blocks covered in part then cost no more over none than over one, and where no write is as large as a block, little. A copy costs
    the same beside a short write and a long one.
    """
    over_none, over_one = (_steps(times, blocks, count) for count in (0, 1))
    if not over_one:
        return False
    shortest_ns = min(step.cost_ns + step.error_ns for step in over_one)
    if max(step.cost_ns - step.error_ns for step in over_one) > _ALIKE_MAX * shortest_ns:
        return True
    if not over_none:
        return all(step.longer < _LONGER_MIN for step in over_one)
    (whole_ns, whole_error_ns), (part_ns, part_error_ns) = _mean(over_none), _mean(over_one)
    error_ns = float(np.hypot(whole_error_ns, _COPIES_MIN * part_error_ns))
    return _COPIES_MIN * part_ns - whole_ns > error_ns


@dataclass(frozen=True, slots=True)
class _Step:
    """How much longer writes of an arm take that cover two blocks in part than those that cover fewer.

    Attributes:
        longer: In logarithm.
    """

    cost_ns: float
    error_ns: float
    longer: float


def _steps(times: Sequence[ArmTimes], blocks: _Blocks, fewer: int) -> list[_Step]:
    """Of every arm that has both."""
    found = []
    for one in times:
        values, classes = medians_of(one), _partly_covered(one.arm, blocks)
        low, high = values[classes == fewer], values[classes == 2]
        if len(low) and len(high):
            level_ns = float(np.exp(np.median(one.log_ns)))
            error = max(float(np.hypot(low.std() / np.sqrt(len(low)), high.std() / np.sqrt(len(high)))), _ERROR_FLOOR)
            cost_ns = level_ns * float(np.exp(high.mean()) - np.exp(low.mean()))
            found.append(_Step(cost_ns, level_ns * error, float(high.mean() - low.mean())))
    return found


def _mean(steps: Sequence[_Step]) -> tuple[float, float]:
    """Weighted by how well each is known, and its error."""
    weights = np.array([step.error_ns**-2 for step in steps])
    return float(np.average([step.cost_ns for step in steps], weights=weights)), float(weights.sum() ** -0.5)


def _noise(times: Sequence[ArmTimes]) -> float:
    """Spread of single response times at the same shift."""
    return max(spread((one.log_ns - np.median(one.log_ns, axis=0)).ravel()) for one in times)


def medians_of(one: ArmTimes) -> Floats:
    """Log of the relative response time at each shift: median of the chunks at each shift, each chunk's own level aside."""
    return np.median(one.log_ns - np.median(one.log_ns, axis=1, keepdims=True), axis=0)


def _fitted(times: Sequence[ArmTimes]) -> _Fit:
    medians = [medians_of(one) for one in times]
    explanations = _explanations(min(one.arm.shift_bytes for one in times))
    scores = np.zeros(len(explanations))
    for one, values in zip(times, medians, strict=True):
        nothing = information_criterion(float(((values - values.mean()) ** 2).sum()), len(values), 1, _ERROR_FLOOR)
        scores += [_score(one.arm, values, blocks, nothing) for blocks in explanations]
    # Where the boundaries are is one more thing to choose, and the more so the more places there are.
    scores += [2 * np.log(len(explanations)) if one.offset_bytes else 0.0 for one in explanations]
    for at in np.argsort(scores, kind="stable"):
        if scores[at] > -DECISIVE or _is_typical(times, medians, explanations[at]):
            break
        scores[at] = 0.0
    return _Fit(explanations, scores)


def _is_typical(times: Sequence[ArmTimes], medians: Sequence[Floats], blocks: _Blocks) -> bool:
    """Whether two classes that differ much in the mean do so in most shifts, and at every boundary, of which it takes two."""
    boundaries_seen = 0
    for one, values in zip(times, medians, strict=True):
        classes = _partly_covered(one.arm, blocks)
        boundary = (one.arm.shifts - blocks.offset_bytes + one.arm.write_bytes - 1) // blocks.size_bytes
        scatter = max(spread(values), _ERROR_FLOOR)
        for lower, upper in pairwise(np.unique(classes)):
            low, high = values[classes == lower], values[classes == upper]
            step = float(high.mean() - low.mean())
            if step <= STRONG * scatter * np.sqrt(1 / len(low) + 1 / len(high)):
                continue
            where = boundary[classes == upper]
            places = np.unique(where)
            boundaries_seen = max(boundaries_seen, len(places))
            parts = [high[where == at] for at in places] if len(places) <= _BOUNDARIES_LOOKED_AT else []
            for part in (high, *parts):
                chance = VISIBLE * MEDIAN_EFFICIENCY * scatter / np.sqrt(len(part))
                if np.median(part) - np.median(low) < _TYPICAL_MIN * step - chance:
                    return False
    return boundaries_seen >= 2


_BOUNDARIES_LOOKED_AT = 8
"""Where there are more, none of them alone decides."""


@cache
def _explanations(finest_bytes: int) -> tuple[_Blocks, ...]:
    sizes = sorted({factor * 512 << power for factor in (1, 3) for power in range(14)})
    return tuple(
        _Blocks(size, offset)
        for size in sizes
        if 2 * finest_bytes <= size <= _SIZES_TRIED_MAX
        # Boundaries off the grid of 4 KiB are looked for only where such shifts can still see them.
        for offset in range(0, size, finest_bytes if size <= 16 * KIB else 4 * KIB)
    )


@cache
def _partly_covered(arm: Arm, blocks: _Blocks) -> NDArray[np.int8]:
    """How many blocks the write at each shift covers in part: 0, 1 or 2."""
    first = arm.shifts - blocks.offset_bytes
    end = first + arm.write_bytes
    head, tail = first % blocks.size_bytes != 0, end % blocks.size_bytes != 0
    inside = first // blocks.size_bytes == (end - 1) // blocks.size_bytes
    partly: NDArray[np.int8] = np.where(inside, head | tail, head.astype(np.int8) + tail.astype(np.int8)).astype(
        np.int8
    )
    return partly


def _score(arm: Arm, values: Floats, blocks: _Blocks, nothing: float) -> float:
    """Information criterion over that of no structure; no better than it where classes are not in the order of their cost."""
    classes = _partly_covered(arm, blocks)
    counts = np.bincount(classes, minlength=3)
    sums = np.bincount(classes, weights=values, minlength=3)
    present = counts > 0
    if present.sum() < 2:
        return 0.0
    means = sums[present] / counts[present]
    if (np.diff(means) <= 0).any():
        return 0.0
    squares = float((values**2).sum() - (sums[present] ** 2 / counts[present]).sum())
    return information_criterion(max(squares, 0.0), len(values), int(present.sum()), _ERROR_FLOOR) - nothing


def _separation(times: Sequence[ArmTimes], blocks: _Blocks) -> float:
    """Largest difference between two classes of an arm, in its standard errors."""
    found = [0.0]
    for one in times:
        values, classes = medians_of(one), _partly_covered(one.arm, blocks)
        groups = [values[classes == count] for count in range(3) if (classes == count).any()]
        if len(groups) < 2:
            continue
        low, high = groups[0], groups[-1]
        rest = np.concatenate([group - group.mean() for group in groups])
        error = max(float(rest.std()), _ERROR_FLOOR) * np.sqrt(1 / len(low) + 1 / len(high))
        found.append(float(high.mean() - low.mean()) / error)
    return max(found)


def _by_paper(times: Sequence[ArmTimes]) -> Answer:
    arms = [
        PaperArm(one.arm.shift_bytes, np.exp(one.log_ns)) for one in times if one.arm.span_bytes > one.arm.write_bytes
    ]
    found = [(one.arm, management_block_by_paper(arm)) for one, arm in zip(times, arms, strict=True)]
    each = semicolons(
        *(
            message(
                "probe-shift-write-arm",
                write=_size_of(arm.write_bytes),
                step=_size_of(arm.shift_bytes),
                found=number(size, ""),
            )
            for arm, size in found
        )
    )
    telling = [size for _, size in found if size]
    if not telling:
        return not_identifiable(SIZE, Reason.FLAT, message("probe-shift-write-paper-flat"), "B")
    # The paper does not say which of several write sizes to believe; the largest shows whole blocks best.
    note = message("probe-shift-write-paper-note", each=each)
    return Answer(name=SIZE, value=telling[-1], unit="B", grade=Grade.C, note=note)


def _size_of(count_bytes: int) -> str:
    return f"{count_bytes // KIB}KiB" if count_bytes >= KIB else f"{count_bytes}B"


SHIFT_WRITE = Probe(
    name="shift-write",
    question=message("probe-shift-write-question"),
    limits=message("probe-shift-write-limits"),
    design=_design,
    by_paper=True,
)
