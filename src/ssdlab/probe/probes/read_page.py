"""Read page: where a small read has to sense twice (P2, after Li et al., SYSTOR 2022).

Reads of two logical blocks begin at every block of 256 KiB, each at a fresh place. One that straddles a page's end takes longer; the
distance of such places is the page. Where the second page lies on another unit the two are read side by side, and that end does
not show: three of four ends of pages have to. Of two pages to a unit every second one does, at a distance of two pages, the first after
one: pages that begin at half of their own size may be those, and are no answer.
"""

from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import message, number, size
from ssdlab.probe.answer import (
    Answer,
    Grade,
    Reason,
    Replicated,
    Support,
    grade_of,
    not_identifiable,
)
from ssdlab.probe.probes.statistics import MEDIAN_EFFICIENCY, Floats, information_criterion, spread
from ssdlab.probe.script import (
    COLLECTED_BYTES_MIN,
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeError,
    ProbeEvidence,
    working_region,
)
from ssdlab.units import KIB, MIB

SIZE = "read_page.size"

_SPAN_BYTES = 256 * KIB
_ROUNDS = 61
_PERIODS_BYTES = tuple(KIB * size for size in (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128))
_OUTSTANDING = 4.0
"""Standard errors above the others at which one place stands out."""
_EFFECT_MIN = 0.03
"""Share by which it takes longer."""
_ENDS_MIN = 0.7
"""Share of the ends of pages that stand out."""
_ELSEWHERE_MAX = 0.1
"""Share of what stands out that may lie elsewhere."""
_FINER_MAX = 0.25
"""Share of the time at the ends of pages that may be seen between them, or the pages may be smaller ones."""
_ERROR_FLOOR = 0.002


@dataclass(frozen=True, slots=True, eq=False)
class ShiftTimes:
    """Response times: a row a round, a column a shift, each `step_bytes` after the one before."""

    step_bytes: int
    time_ns: Floats


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, READ_REGION_BYTES)
    step = drive.logical_block_bytes
    bases = region.length_bytes // _SPAN_BYTES - 1
    if bases < _ROUNDS:
        raise ProbeError(
            message("probe-too-small-for-fresh-places"),
            message("probe-takes", size=number(_ROUNDS * _SPAN_BYTES // MIB + 1)),
        )
    random = np.random.default_rng(drive.seed)
    shifts = np.arange(_SPAN_BYTES // step, dtype=np.int64)
    chosen = np.concatenate([random.permutation(shifts) for _ in range(_ROUNDS)])
    offsets = random.integers(0, bases, len(chosen)) * _SPAN_BYTES + chosen * step
    acts = (Ask("reads", Commands.one_by_one(Verb.READ, offsets, 2 * step)),)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return (as_sure_as(read_page(shift_times(evidence, step)), drive.capacity_bytes),)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def as_sure_as(answer: Answer, capacity_bytes: int) -> Answer:
    """A size that is a hint alone on a small drive, which may read units of its mapping one by one though they lie in one page."""
    if answer.interval is None or capacity_bytes >= COLLECTED_BYTES_MIN:
        return answer
    return replace(answer, grade=Grade.C, note=message("probe-read-page-small-drive", least=size(COLLECTED_BYTES_MIN)))


def shift_times(evidence: ProbeEvidence, step_bytes: int) -> ShiftTimes:
    """The samples in the order of their shifts."""
    samples = evidence.asked["reads"]
    shifts = (samples.commands.offset_bytes % _SPAN_BYTES // step_bytes).reshape(_ROUNDS, -1)
    times = np.take_along_axis(samples.latency_ns.reshape(shifts.shape), np.argsort(shifts, axis=1), axis=1)
    return ShiftTimes(step_bytes, times)


@dataclass(frozen=True, slots=True)
class _Found:
    """Pages of `period_bytes`, the first of which ends where a read of shift `phase` straddles."""

    period_bytes: int
    phase: int

    def may_be_of_halves(self, step_bytes: int) -> bool:
        """Whether they begin where every second end of pages of half the size lies, counted from the first."""
        return 2 * (self.phase + 1) * step_bytes == self.period_bytes


def read_page(times: ShiftTimes) -> Answer:
    """The smallest distance at which reads that straddle take longer, and no others."""
    logs = np.log(times.time_ns)
    centred = logs - np.median(logs, axis=1, keepdims=True)
    medians = np.median(centred, axis=0)
    noise = spread((centred - medians).ravel())
    found = _page(medians, noise, len(logs), times.step_bytes)
    if found is None:
        return not_identifiable(SIZE, Reason.FLAT, message("probe-read-page-flat"), "B")
    halves = [_page(np.median(centred[start::2], axis=0), noise, len(logs) // 2, times.step_bytes) for start in (0, 1)]
    if halves != [found, found]:
        return not_identifiable(SIZE, Reason.NOISY, message("probe-halves-differ-in-distance"), "B")
    if found.may_be_of_halves(times.step_bytes):
        why = message("probe-read-page-halves", distance=size(found.period_bytes), half=size(found.period_bytes // 2))
        return not_identifiable(SIZE, Reason.AMBIGUOUS, why, "B")
    ends = _is_end(len(medians), found.period_bytes // times.step_bytes, found.phase)
    longer = float(np.median(medians[ends]) - np.median(medians[~ends]))
    if _finer_ends(medians, found, noise / np.sqrt(len(logs)), times.step_bytes) > _FINER_MAX * longer:
        why = message("probe-read-page-finer", distance=size(found.period_bytes))
        return not_identifiable(SIZE, Reason.AMBIGUOUS, why, "B")
    error = MEDIAN_EFFICIENCY * max(noise, _ERROR_FLOOR) / np.sqrt(len(logs) * ends.sum())
    support = Support(
        separation=longer / float(error), margin=_margin(medians, ends), replicated=Replicated.YES, noise=noise
    )
    return Answer(
        name=SIZE,
        value=found.period_bytes,
        unit="B",
        interval=Interval(float(found.period_bytes), float(found.period_bytes)),
        separation=support.separation,
        replicated=Replicated.YES,
        grade=grade_of(support),
        note=message("probe-read-page-note", longer=number(float(np.expm1(longer)), ".0%")),
    )


def _is_end(count: int, period: int, phase: int) -> np.typing.NDArray[np.bool_]:
    return np.asarray(np.arange(count) % period == phase)


def _page(medians: Floats, noise: float, rounds: int, step_bytes: int) -> _Found | None:
    error = max(MEDIAN_EFFICIENCY * noise / np.sqrt(rounds), _ERROR_FLOOR)
    above = medians - np.median(medians)
    # Where every place stands out from few that do not, those few are no ends of pages.
    stands_out = above > max(_OUTSTANDING * error, _EFFECT_MIN)
    for period_bytes in _PERIODS_BYTES:
        period = period_bytes // step_bytes
        if period < 3:
            continue
        counts = np.bincount(np.flatnonzero(stands_out) % period, minlength=period)
        phase = int(counts.argmax())
        ends = _is_end(len(medians), period, phase)
        if counts[phase] >= _ENDS_MIN * ends.sum() and counts[phase] >= (1 - _ELSEWHERE_MAX) * stands_out.sum() > 1:
            return _Found(period_bytes, phase)
    return None


def _finer_ends(medians: Floats, found: _Found, error: float, step_bytes: int) -> float:
    """How much longer reads may take at ends of smaller pages that are no ends of this one: the largest upper limit."""
    limits = [0.0]
    period = found.period_bytes // step_bytes
    ends = _is_end(len(medians), period, found.phase)
    for finer_bytes in _PERIODS_BYTES:
        finer = finer_bytes // step_bytes
        if finer < 3 or finer >= period or period % finer:
            continue
        between = _is_end(len(medians), finer, found.phase % finer) & ~ends
        rest = ~between & ~ends
        longer = float(np.median(medians[between]) - np.median(medians[rest]))
        limits.append(longer + 2 * MEDIAN_EFFICIENCY**2 * error / float(np.sqrt(between.sum())))
    return max(limits)


def _margin(medians: Floats, ends: np.typing.NDArray[np.bool_]) -> float:
    """How much better two levels explain the times than one, by the information criterion."""
    levels = np.where(ends, medians[ends].mean(), medians[~ends].mean())
    squares = [float(((medians - one) ** 2).sum()) for one in (medians.mean(), levels)]
    scores = [
        information_criterion(each, len(medians), parameters, _ERROR_FLOOR)
        for each, parameters in zip(squares, (1, 3), strict=True)
    ]
    return scores[0] - scores[1]


READ_PAGE = Probe(
    name="read-page",
    question=message("probe-read-page-question"),
    limits=message("probe-read-page-limits"),
    design=_design,
)
