"""Placement: how many pages lie side by side on a channel, and over how many channels (METHODS B3; P7).

Single reads of every size start at fresh places, and their median times are fitted by `alpha + pages x T + synchronisations x eps`
for every page size, unit and number of channels. A fit counts only if it beats a straight line and leaves no more than the
noise; which of the two kinds of placement it is needs the management block, for reads look the same in both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Verb
from ssdlab.probe.answer import (
    DECISIVE,
    Answer,
    Grade,
    Reason,
    Replicated,
    Support,
    grade_of,
    not_identifiable,
)
from ssdlab.probe.equations import Layout, PartialStripe, sensed_and_synchronised
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    Evidence,
    Need,
    Probe,
    ProbeError,
    Subject,
    working_region,
)
from ssdlab.probe.shift_write import SIZE as BLOCK_SIZE
from ssdlab.probe.statistics import MEDIAN_EFFICIENCY, Floats, information_criterion, spread
from ssdlab.units import KIB, MIB, format_bytes

UNIT = "placement.unit"
PAGE = "placement.page"
CHANNELS = "placement.channels"
KIND = "placement.kind"

_ROUNDS = 31
_PAIRS = 400
_PAIR_BYTES = 4 * KIB
_SERIAL_MIN = 1.6
"""Least ratio of the slower of two reads at once to a single one that speaks for a drive that does one after the other."""
_LARGEST_BYTES = 256 * KIB
_ALIGNMENT_BYTES = MIB
_STEPS_BYTES = (KIB, 2 * KIB)
"""Sizes grow by the first up to 64 KiB: finer than any page, or a line could not be told from pages; then by the second."""
_FINE_TO_BYTES = 64 * KIB
_PAGES_BYTES = (KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB)
_UNITS = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64)
_CHANNELS_MAX = 32
_STEPS_SEEN_MIN = 3
"""Units a read must touch before they are taken for a staircase."""
_ERROR_FLOOR = 0.002
_MISFIT_MAX = 2.5
"""Residuals of a law that holds, in standard errors of the medians."""
_MISFIT_FLOOR = 0.003


@dataclass(frozen=True, slots=True, eq=False)
class ReadTimes:
    """Response times: a row a round, a column a size."""

    size_bytes: np.typing.NDArray[np.int64]
    time_ns: Floats


def _design(subject: Subject) -> Design:
    fine, coarse = (max(step, subject.logical_block_bytes) for step in _STEPS_BYTES)
    steps = [np.arange(fine, _FINE_TO_BYTES, fine), np.arange(_FINE_TO_BYTES, _LARGEST_BYTES + 1, coarse)]
    sizes = np.concatenate(steps).astype(np.int64)
    region = working_region(subject, READ_REGION_BYTES)
    places = region.length_bytes // _ALIGNMENT_BYTES - 1
    if places < _ROUNDS:
        raise ProbeError("the drive is too small for reads at fresh places", f"it takes {_ROUNDS + 1} MiB")
    random = np.random.default_rng(subject.seed)
    chosen = np.concatenate([random.permutation(sizes) for _ in range(_ROUNDS)])
    starts = random.integers(0, places, len(chosen)) * _ALIGNMENT_BYTES
    pairs = random.integers(0, region.length_bytes // _PAIR_BYTES, 2 * _PAIRS) * _PAIR_BYTES
    one_by_one = Commands.one_by_one(Verb.READ, pairs, _PAIR_BYTES)
    issue = np.tile(np.array([Issue.ALONE, Issue.WHEN_ROOM], dtype=np.uint8), _PAIRS)
    acts = (
        Ask("reads", Commands.one_by_one(Verb.READ, starts, chosen)),
        Ask("single", one_by_one),
        Ask("pairs", replace(one_by_one, issue=issue, queue_depth=2)),
    )

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        slower = evidence.asked["pairs"].latency_ns.reshape(_PAIRS, 2).max(axis=1)
        waits = float(np.median(slower) / np.median(evidence.asked["single"].latency_ns))
        return placement(read_times(evidence), waits, subject.answers.get(BLOCK_SIZE))

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def read_times(evidence: Evidence) -> ReadTimes:
    """The samples of the reads in the order of their sizes."""
    samples = evidence.asked["reads"]
    lengths = samples.commands.length_bytes.reshape(_ROUNDS, -1)
    time_ns = np.take_along_axis(samples.latency_ns.reshape(lengths.shape), np.argsort(lengths, axis=1), axis=1)
    return ReadTimes(np.sort(lengths[0]).astype(np.int64), time_ns)


def staircase_ns(times: ReadTimes) -> Floats | None:
    """Times of the law that fits best, a value a size; None where none could be that of a drive."""
    fit = _fitted(times.size_bytes, np.median(times.time_ns, axis=0))
    return None if fit is None else fit.fitted_ns


@dataclass(frozen=True, slots=True)
class _Law:
    """An explanation: a page size and how the pages lie."""

    page_bytes: int
    layout: Layout

    @property
    def unit_bytes(self) -> int:
        return self.page_bytes * self.layout.unit_pages


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """The best law, its score and those of all, and what it leaves."""

    law: _Law
    score: float
    laws: tuple[_Law, ...]
    scores: Floats
    line_score: float
    page_ns: float
    synchronisation_ns: float
    residual: float
    smallest_bytes: int
    fitted_ns: Floats


def placement(times: ReadTimes, waits: float, block: Answer | None) -> tuple[Answer, ...]:
    """Page, unit and channels from read times, and the kind of placement where the management block is known.

    Args:
        times: Of reads of every size.
        waits: Slower of two reads at once over a single one. The equations are of drives that do one command at a time; of others
            only the unit is told, which is what is read from one place.
        block: The management block.
    """
    medians = np.median(times.time_ns, axis=0)
    noise = spread(np.log(times.time_ns / medians).ravel())
    error = MEDIAN_EFFICIENCY * noise / np.sqrt(len(times.time_ns))
    fit = _fitted(times.size_bytes, medians)
    if fit is None or fit.line_score - fit.score < DECISIVE:
        return (not_identifiable(UNIT, Reason.FLAT, "read times grow like a straight line with the size", "B"),)
    if fit.residual > _MISFIT_MAX * error + _MISFIT_FLOOR:
        words = f"read times stay {fit.residual:.1%} off every staircase, and noise explains {error:.1%}"
        return (not_identifiable(UNIT, Reason.OTHER_LAW, words, "B"),)
    halves = [_fitted(times.size_bytes, np.median(times.time_ns[start::2], axis=0)) for start in (0, 1)]
    laws = [half.law for half in halves if half is not None]
    if waits < _SERIAL_MIN:
        unit = _answers(fit, laws, noise, block)[0]
        words = "the drive does several reads at once, and the equations are of one that does not"
        if unit.grade is not Grade.A:
            # Here the law is only near the truth, and where it wins by little another unit may be.
            unit = not_identifiable(UNIT, Reason.AMBIGUOUS, words, "B")
        return (unit, *(not_identifiable(name, Reason.OTHER_LAW, words) for name in (PAGE, CHANNELS, KIND)))
    return _answers(fit, laws, noise, block)


def _answers(fit: _Fit, halves: Sequence[_Law], noise: float, block: Answer | None) -> tuple[Answer, ...]:
    near = [law for law, score in zip(fit.laws, fit.scores, strict=True) if score <= fit.score + DECISIVE]
    answers = []
    for name, unit, values, best in (
        (UNIT, "B", [law.unit_bytes for law in near], fit.law.unit_bytes),
        (PAGE, "B", [law.page_bytes for law in near], fit.law.page_bytes),
        (CHANNELS, "", [law.layout.channels for law in near], fit.law.layout.channels),
    ):
        value_of = _VALUE_OF[name]
        rivals = [score for law, score in zip(fit.laws, fit.scores, strict=True) if value_of(law) != best]
        margin = min([fit.line_score - fit.score, *(score - fit.score for score in rivals)])
        same = len(halves) == 2 and all(value_of(half) == best for half in halves)
        separation = float(np.sqrt(max(0.0, margin)))
        if best is None:
            words = "the largest read does not come back to the first channel"
            answers.append(not_identifiable(name, Reason.FLAT, words, unit))
            continue
        if name == PAGE and best == fit.smallest_bytes:
            words = "inside a unit read times grow with every step of the size"
            answers.append(not_identifiable(name, Reason.FLAT, words, unit))
            continue
        if not same and margin < DECISIVE:
            answers.append(not_identifiable(name, Reason.NOISY, "the halves of the data say different things", unit))
            continue
        numbers = [value for value in values if value is not None]
        replicated = Replicated.YES if same else Replicated.NO
        grade = grade_of(Support(separation=separation, margin=margin, replicated=replicated, noise=noise))
        if grade is Grade.NONE:
            words = f"{format_bytes(best) if unit else best} fits no better than {len(set(values)) - 1} other values"
            answers.append(not_identifiable(name, Reason.AMBIGUOUS, words, unit))
            continue
        answers.append(
            Answer(
                name=name,
                value=best,
                unit=unit,
                interval=Interval(float(min(numbers)), float(max(numbers))),
                separation=separation,
                replicated=replicated,
                grade=grade,
                note=f"a page takes {fit.page_ns / 1000:.1f} us, a further channel {fit.synchronisation_ns / 1000:.1f} us"
                if name == UNIT
                else "",
            )
        )
    return (*answers, _kind(answers[0], answers[1], block))


_VALUE_OF: dict[str, Callable[[_Law], int | None]] = {
    UNIT: lambda law: law.unit_bytes,
    PAGE: lambda law: law.page_bytes,
    CHANNELS: lambda law: law.layout.channels,
}


def _kind(unit: Answer, page: Answer, block: Answer | None) -> Answer:
    """1-channel where the unit is the whole management block, multi-channel where it is a part."""
    if block is None or not isinstance(block.value, int):
        words = "reads look the same in both kinds; it takes the management block, from `shift-write`"
        return not_identifiable(KIND, Reason.AMBIGUOUS, words)
    if not isinstance(unit.value, int) or unit.value > block.value:
        return not_identifiable(KIND, Reason.AMBIGUOUS, "the unit is not known, or larger than the management block")
    asked = [unit, block]
    if unit.value == block.value:
        kind = "1-channel"
    elif isinstance(page.value, int):
        kind = f"multi-channel, k = {unit.value // page.value}"
        asked.append(page)
    else:
        return not_identifiable(KIND, Reason.AMBIGUOUS, "multi-channel, but k takes the page, which is not known")
    return Answer(
        name=KIND,
        value=kind,
        separation=min(one.separation or 0.0 for one in asked),
        replicated=unit.replicated,
        grade=max((one.grade for one in asked), key=list(Grade).index),
        note=f"unit {format_bytes(unit.value)}, management block {format_bytes(block.value)}",
    )


def _laws(size_bytes: np.typing.NDArray[np.int64]) -> Iterator[_Law]:
    smallest, largest = int(size_bytes[0]), int(size_bytes[-1])
    for page_bytes in _PAGES_BYTES:
        if page_bytes < smallest:
            continue
        for unit_pages in _UNITS:
            unit_bytes = page_bytes * unit_pages
            if unit_bytes * _STEPS_SEEN_MIN > largest:
                continue
            for channels in range(2, _CHANNELS_MAX + 1):
                if unit_bytes * (channels + 1) <= largest:
                    yield _Law(page_bytes, Layout(unit_pages, channels))
            yield _Law(page_bytes, Layout(unit_pages, None))


def _fitted(size_bytes: np.typing.NDArray[np.int64], medians: Floats) -> _Fit | None:
    """Weighted least squares of every law; None where none has times a drive could have."""
    laws = tuple(_laws(size_bytes))
    shapes = np.empty((len(laws), len(medians), 4))
    for at, law in enumerate(laws):
        pages = -(-size_bytes // law.page_bytes)
        sensed, synchronised = sensed_and_synchronised(pages, law.layout, PartialStripe.CEIL)
        shapes[at] = np.stack([np.ones(len(medians)), sensed, synchronised, size_bytes / KIB], axis=1)
    # Relative weights: noise of a response time grows with it.
    weighted = shapes / medians[None, :, None]
    # What the equations leave out is the link: every byte takes its time there, too. It counts only where it explains more.
    plain, linked = _solved(weighted[:, :, :3]), _solved(weighted)
    scores = np.minimum(plain.scores, linked.scores)
    if not np.isfinite(scores).any():
        return None
    best = int(np.argmin(scores))
    chosen = plain if plain.scores[best] <= linked.scores[best] else linked
    return _Fit(
        law=laws[best],
        score=float(scores[best]),
        laws=laws,
        scores=scores,
        line_score=_line_score(size_bytes, medians),
        page_ns=float(chosen.parameters[best, 1]),
        synchronisation_ns=float(chosen.parameters[best, 2]),
        residual=float(chosen.residuals[best]),
        smallest_bytes=int(size_bytes[0]),
        fitted_ns=shapes[best, :, : chosen.parameters.shape[1]] @ chosen.parameters[best],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """Least squares of every law: its parameters, the root mean square of what is left, its score."""

    parameters: Floats
    residuals: Floats
    scores: Floats


def _solved(weighted: Floats) -> _Solved:
    """Fit relative times of 1; a law with a negative time scores infinity.

    Args:
        weighted: Law x size x parameter, divided by the times.
    """
    count, parameters = weighted.shape[1:]
    scale = np.sqrt((weighted**2).sum(axis=1, keepdims=True)) + 1e-30
    unit = weighted / scale
    normal = np.einsum("cni,cnj->cij", unit, unit) + 1e-10 * np.eye(parameters)
    solved = np.linalg.solve(normal, unit.sum(axis=1)[:, :, None])[:, :, 0]
    squares = ((np.einsum("cni,ci->cn", unit, solved) - 1.0) ** 2).sum(axis=1)
    found = solved / scale[:, 0, :]
    scores = count * np.log(squares / count + _ERROR_FLOOR**2) + parameters * np.log(count)
    possible = (found[:, 0] >= 0) & (found[:, 1] > 0) & (found[:, 2:] >= 0).all(axis=1)
    return _Solved(found, np.sqrt(squares / count), np.where(possible, scores, np.inf))


def _line_score(size_bytes: np.typing.NDArray[np.int64], medians: Floats) -> float:
    """Of a straight line."""
    shape = np.stack([np.ones(len(medians)), size_bytes.astype(np.float64)], axis=1) / medians[:, None]
    parameters, *_ = np.linalg.lstsq(shape, np.ones(len(medians)), rcond=None)
    squares = float(((shape @ parameters - 1.0) ** 2).sum())
    return information_criterion(squares, len(medians), 2, _ERROR_FLOOR)


PLACEMENT = Probe(
    name="placement",
    question="How are the pages of a read spread over channels?",
    limits="drives that read parts of a request from many places at once show a straight line or another law",
    design=_design,
    after=("shift-write",),
)
