"""Placement: how many pages lie side by side on a channel, and over how many channels (METHODS B3; P7).

Single reads of every size start at fresh places, more of them where they are noisy, and their times are fitted by
`alpha + pages x T + synchronisations x eps` for every page size, unit and number of channels. A fit counts only if it beats a
straight line and leaves no more than the noise; which of the two kinds of placement it is needs the management block, for reads
look the same in both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Issue, TimedCommands, Verb
from ssdlab.message import message, number, size
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
from ssdlab.probe.probes.placement_law import Fit, Law, ReadTimes, Sizes, fitted, fitted_to, takes_more
from ssdlab.probe.probes.read_page import SIZE as READ_PAGE
from ssdlab.probe.probes.shift_write import SIZE as BLOCK_SIZE
from ssdlab.probe.probes.statistics import Floats
from ssdlab.probe.probes.stripe import WIDTH
from ssdlab.probe.probes.units import COUNT
from ssdlab.probe.script import (
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

UNIT = "placement.unit"
PAGE = "placement.page"
CHANNELS = "placement.channels"
PAGE_TIME = "placement.page_time"
CHANNEL_TIME = "placement.channel_time"
KIND = "placement.kind"

ROUNDS = 31
_PAIRS = 400
_PAIR_BYTES = 4 * KIB
_SERIAL_MIN = 1.6
"""Least ratio of the slower of two reads at once to the slower of the same two alone that speaks for a drive that does one after the other."""
_UNDISTURBED = 0.2
"""Of the pairs, in ascending order, the one looked at: where reads are often repeated, hardly half of them neither wait nor are."""
_LARGEST_BYTES = 256 * KIB
_ALIGNMENT_BYTES = MIB
_STEPS_BYTES = (KIB, 2 * KIB)
"""Sizes grow by the first up to 64 KiB: finer than any page, or a line could not be told from pages; then by the second."""
_FINE_TO_BYTES = 64 * KIB
MORE_ROUNDS = 90
MORE_TO_BYTES = 64 * KIB
"""Where like laws differ most, in shares of the time a read takes."""
_MISFIT_MAX = 2.5
"""Residuals of a law that holds, in standard errors of the readings."""
_MISFIT_FLOOR = 0.003
_COUNT_OFF = 0.1
"""Share by which as many units as fit into the stripe may lie outside the interval of their count."""
_NEAR_MARGINS = 10
"""Of a law that is only near the truth, as many times as far ahead of every other as one that holds."""


def _design(drive: KnownDrive) -> Design:
    fine, coarse = (max(step, drive.logical_block_bytes) for step in _STEPS_BYTES)
    steps = [np.arange(fine, _FINE_TO_BYTES, fine), np.arange(_FINE_TO_BYTES, _LARGEST_BYTES + 1, coarse)]
    sizes = np.concatenate(steps).astype(np.int64)
    region = working_region(drive, READ_REGION_BYTES)
    places = region.length_bytes // _ALIGNMENT_BYTES - 1
    if places < ROUNDS:
        raise ProbeError(message("probe-too-small-for-fresh-places"), message("probe-takes", size=number(ROUNDS + 1)))
    random = np.random.default_rng(drive.seed)
    chosen = np.concatenate([random.permutation(sizes) for _ in range(ROUNDS)])
    again = np.concatenate([random.permutation(sizes[sizes <= MORE_TO_BYTES]) for _ in range(MORE_ROUNDS)])

    def at_fresh_places(lengths: Sizes) -> Commands:
        return Commands.one_by_one(Verb.READ, random.integers(0, places, len(lengths)) * _ALIGNMENT_BYTES, lengths)

    pairs = random.integers(0, region.length_bytes // _PAIR_BYTES, 2 * _PAIRS) * _PAIR_BYTES
    one_by_one = Commands.one_by_one(Verb.READ, pairs, _PAIR_BYTES)
    issue = np.tile(np.array([Issue.ALONE, Issue.WHEN_ROOM], dtype=np.uint8), _PAIRS)
    acts = (
        Ask("reads", at_fresh_places(chosen)),
        Ask("more reads", at_fresh_places(again), lambda evidence: takes_more(read_times(evidence))),
        Ask("single", one_by_one),
        Ask("pairs", replace(one_by_one, issue=issue, queue_depth=2)),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        # Of two reads one may be repeated by the drive rather than wait: so may one of the same two alone, and either in a drive of few units.
        single, together = (
            float(np.quantile(evidence.asked[name].latency_ns.reshape(_PAIRS, 2).max(axis=1), _UNDISTURBED))
            for name in ("single", "pairs")
        )
        return placement(read_times(evidence), together / single, drive.answers)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def read_times(evidence: ProbeEvidence) -> ReadTimes:
    """The samples of the reads in the order of their sizes."""
    size_bytes, time_ns = _by_size(evidence.asked["reads"], ROUNDS)
    if "more reads" not in evidence.asked:
        return ReadTimes(size_bytes, time_ns)
    return ReadTimes(size_bytes, time_ns, _by_size(evidence.asked["more reads"], MORE_ROUNDS)[1])


def _by_size(samples: TimedCommands, rounds: int) -> tuple[Sizes, Floats]:
    lengths = samples.commands.length_bytes.reshape(rounds, -1)
    time_ns = np.take_along_axis(samples.latency_ns.reshape(lengths.shape), np.argsort(lengths, axis=1), axis=1)
    return np.sort(lengths[0]).astype(np.int64), time_ns


def staircase_ns(times: ReadTimes) -> Floats | None:
    """Times of the law that fits best, a value a size; None where none could be that of a drive."""
    fit = fitted(times)
    return None if fit is None else fit.fitted_ns


def placement(times: ReadTimes, waits: float, known: Mapping[str, Answer]) -> tuple[Answer, ...]:
    """Page, unit and channels from read times, and the kind of placement where the management block is known.

    Args:
        times: Of reads of every size.
        waits: Slower of two reads at once over the slower of the two alone. The equations are of drives that do one command at a time; of others
            only the unit is told, which is what is read from one place.
        known: Answers of other probes: the management block; the page that small reads straddle, which is the same; and the stripe and the
            units, which a unit of a drive that does several reads at once has to agree with.
    """
    noise, error = times.noise(), times.error()
    fit = fitted(times)
    if fit is None or fit.line_score - fit.score < DECISIVE:
        return (not_identifiable(UNIT, Reason.FLAT, message("probe-placement-line"), "B"),)
    if fit.residual > _MISFIT_MAX * error + _MISFIT_FLOOR:
        why = message("probe-placement-misfit", off=number(fit.residual, ".1%"), noise=number(error, ".1%"))
        return (not_identifiable(UNIT, Reason.OTHER_LAW, why, "B"),)
    others = [fitted(times.half(start)) for start in (0, 1)]
    if waits < _SERIAL_MIN:
        # Parts that are read at once take as long as the slowest, so reads of one size may be of two kinds.
        others.append(fitted_to(times, times.medians_ns()))
        unit = _answers(fit, others, noise, known)[0]
        why = message("probe-placement-parallel")
        far_ahead = (unit.separation or 0.0) ** 2 > _NEAR_MARGINS * DECISIVE
        if unit.grade is not Grade.A or not far_ahead or takes_more(times):
            # Here the law is only near the truth: another unit may be where it wins by little, or where noise hides how near it is.
            unit = not_identifiable(UNIT, Reason.AMBIGUOUS, why, "B")
        else:
            unit = _held_against_stripe(unit, known)
        return (unit, *(not_identifiable(name, Reason.OTHER_LAW, why) for name in (PAGE, CHANNELS, KIND)))
    return _answers(fit, others, noise, known)


def _held_against_stripe(unit: Answer, known: Mapping[str, Answer]) -> Answer:
    """However far ahead: transfers on a few channels, and pages that data lies across, look like larger units.

    As many units as work side by side make up the stripe, and both are known by themselves. Without them it is a hint.
    """
    width, count = known.get(WIDTH), known.get(COUNT)
    if width is None or count is None or count.interval is None:
        return replace(unit, grade=Grade.C)
    if not isinstance(width.value, int) or not isinstance(unit.value, int):
        return replace(unit, grade=Grade.C)
    side_by_side = width.value / unit.value
    low, high = count.interval.low * (1 - _COUNT_OFF), count.interval.high * (1 + _COUNT_OFF)
    if low <= side_by_side <= high:
        return replace(unit, grade=max(Grade.B, width.grade, count.grade, key=list(Grade).index))
    why = message(
        "probe-placement-other-units",
        unit=size(unit.value),
        width=size(width.value),
        low=number(count.interval.low, ".1f"),
        high=number(count.interval.high, ".1f"),
    )
    return not_identifiable(UNIT, Reason.AMBIGUOUS, why, "B")


def _answers(fit: Fit, others: Sequence[Fit | None], noise: float, known: Mapping[str, Answer]) -> tuple[Answer, ...]:
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
        same = all(other is not None and value_of(other.law) == best for other in others)
        separation = float(np.sqrt(max(0.0, margin)))
        if best is None:
            answers.append(not_identifiable(name, Reason.FLAT, message("probe-placement-no-return"), unit))
            continue
        if name == PAGE and best == fit.smallest_bytes:
            answers.append(not_identifiable(name, Reason.FLAT, message("probe-placement-no-page"), unit))
            continue
        if not same and margin < DECISIVE:
            answers.append(not_identifiable(name, Reason.NOISY, message("probe-parts-differ"), unit))
            continue
        numbers = [value for value in values if value is not None]
        replicated = Replicated.YES if same else Replicated.NO
        grade = grade_of(Support(separation=separation, margin=margin, replicated=replicated, noise=noise))
        if grade is Grade.NONE:
            value = size(best) if unit else number(best, "")
            why = message("probe-placement-rivals", value=value, others=len(set(values)) - 1)
            answers.append(not_identifiable(name, Reason.AMBIGUOUS, why, unit))
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
            )
        )
    of_unit, of_page, of_channels = answers
    of_page = _held_against_straddled(of_page, known.get(READ_PAGE))
    of_law = (of_unit, of_page, of_channels)
    return (*of_law, *_times(fit, of_law), _kind(of_unit, of_page, known.get(BLOCK_SIZE)))


def _held_against_straddled(page: Answer, straddled: Answer | None) -> Answer:
    """Memory and links that move data piece by piece look like pages, but a read that straddles two of their pieces takes no longer."""
    if not isinstance(page.value, int) or straddled is None or not isinstance(straddled.value, int):
        return page
    if page.value == straddled.value:
        return page
    why = message("probe-placement-other-page", page=size(page.value), straddled=size(straddled.value))
    return not_identifiable(PAGE, Reason.AMBIGUOUS, why, "B")


def _times(fit: Fit, of_law: Sequence[Answer]) -> tuple[Answer, ...]:
    """What a further page and a further channel take: of a law, so that they are known only as well as all of it is."""
    grade = max((one.grade for one in of_law), key=list(Grade).index)
    if grade is Grade.NONE:
        return ()
    found = ((PAGE_TIME, fit.page_ns), (CHANNEL_TIME, fit.synchronisation_ns))
    return tuple(
        Answer(name=name, value=value, unit="ns", grade=max(grade, Grade.B, key=list(Grade).index))
        for name, value in found
    )


_VALUE_OF: dict[str, Callable[[Law], int | None]] = {
    UNIT: lambda law: law.unit_bytes,
    PAGE: lambda law: law.page_bytes,
    CHANNELS: lambda law: law.layout.channels,
}


def _kind(unit: Answer, page: Answer, block: Answer | None) -> Answer:
    """1-channel where the unit is the whole management block, multi-channel where it is a part."""
    if block is None or not isinstance(block.value, int):
        return not_identifiable(KIND, Reason.AMBIGUOUS, message("probe-placement-no-block"))
    if not isinstance(unit.value, int) or unit.value > block.value:
        return not_identifiable(KIND, Reason.AMBIGUOUS, message("probe-placement-no-unit"))
    asked = [unit, block]
    if unit.value == block.value:
        kind = message("probe-placement-one-channel")
    elif isinstance(page.value, int):
        kind = message("probe-placement-multi-channel", pages=unit.value // page.value)
        asked.append(page)
    else:
        return not_identifiable(KIND, Reason.AMBIGUOUS, message("probe-placement-no-k"))
    return Answer(
        name=KIND,
        value=kind,
        separation=min(one.separation or 0.0 for one in asked),
        replicated=unit.replicated,
        grade=max((one.grade for one in asked), key=list(Grade).index),
        note=message("probe-placement-kind-note", unit=size(unit.value), block=size(block.value)),
    )


PLACEMENT = Probe(
    name="placement",
    question=message("probe-placement-question"),
    limits=message("probe-placement-limits"),
    design=_design,
    after=("shift-write", "read-page"),
)
