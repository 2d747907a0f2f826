"""Noise floor: how much like commands scatter, and whether reads of blocks never written are fast (P0).

The region was just filled, and a drive may still be writing out its buffer: the first reads wait behind its programs and would be
counted as scatter. Reads are taken from where their times are those of the last half.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb, joined
from ssdlab.message import message, number
from ssdlab.probe.answer import STRONG, VISIBLE, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import MEDIAN_EFFICIENCY, Floats, spread
from ssdlab.probe.script import Ask, Design, Estimator, KnownDrive, Medium, Need, Probe, ProbeEvidence, working_region
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS

SIGMA = "noise.sigma"
CORRELATION = "noise.correlation"
OUTLIERS = "noise.outlier_share"
UNMAPPED = "noise.unmapped_reads"

_PAGE_BYTES = 4 * KIB
_FIXED = 8000
_BLOCK = 250
"""Reads whose median is held against that of the last half."""
_SETTLED = 5.0
"""Standard errors within which the two agree."""
_SETTLED_SHARE = 0.01
"""Likewise, by this share: a quiet drive that drifts differs by many errors, and waiting for a program takes far longer than that."""
_SPREAD_MIN = 1e-4
"""Spread of the logarithm below which times count as equal."""
_EACH = 1000
_TRIMMED_BYTES = 8 * MIB
_AGREE = 0.15
"""Halves that differ by less, in share of the value, say the same."""
_OUTLIER = 5.0
"""Beyond so many standard deviations of log latency; normal noise has three in ten million there."""
_NOT_NORMAL = 0.06
"""Share by which the spread is off where noise is not quite normal: outliers of 2 % give half of this."""
_FAST = 0.7
_NORMAL_95 = 1.96


class UnmappedReads(Enum):
    """What reads of blocks never written cost."""

    FAST = message("probe-noise-unmapped-fast")
    AS_SLOW_AS_WRITTEN = message("probe-noise-unmapped-slow")


@dataclass(frozen=True, slots=True, eq=False)
class NoiseTimes:
    """Response times of reads of one page, and of pages that were written or trimmed; the last two None without trim."""

    fixed_ns: Floats
    written_ns: Floats | None
    trimmed_ns: Floats | None


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, GIB)
    random = np.random.default_rng(drive.seed)
    acts = [Ask("fixed", Commands.one_by_one(Verb.READ, np.zeros(_FIXED, dtype=np.int64), _PAGE_BYTES, NS_PER_MS))]
    beyond = region.end_bytes
    can_trim = beyond + _TRIMMED_BYTES <= drive.capacity_bytes
    if can_trim:
        trim = Commands.one_by_one(Verb.TRIM, np.array([beyond], dtype=np.int64), _TRIMMED_BYTES)
        places = _TRIMMED_BYTES // _PAGE_BYTES
        trimmed = beyond + random.integers(0, places, _EACH) * _PAGE_BYTES
        written = random.integers(0, region.length_bytes // _PAGE_BYTES, _EACH) * _PAGE_BYTES
        reads = Commands.one_by_one(Verb.READ, np.stack([trimmed, written], axis=1).ravel(), _PAGE_BYTES)
        acts.append(Ask("trimmed", joined([trim, reads])))

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return noise(noise_times(evidence))

    return Design(need=Need.MAPPED, region=region, acts=tuple(acts), estimate=estimate)


def noise_times(evidence: ProbeEvidence) -> NoiseTimes:
    """Response times of each kind of read, in the order in which they were done."""
    fixed_ns = evidence.asked["fixed"].latency_ns
    if "trimmed" not in evidence.asked:
        return NoiseTimes(fixed_ns, None, None)
    pairs_ns = evidence.asked["trimmed"].latency_ns[1:].reshape(-1, 2)
    return NoiseTimes(fixed_ns, pairs_ns[:, 1], pairs_ns[:, 0])


def noise(times: NoiseTimes) -> tuple[Answer, ...]:
    """Spread and correlation of log latency, share of outliers, and what trimmed blocks cost."""
    logs = _settled(np.log(times.fixed_ns))
    if not len(logs):
        why = message("probe-noise-unsettled")
        unsaid = (not_identifiable(name, Reason.NOISY, why) for name in (SIGMA, CORRELATION, OUTLIERS))
        return (*unsaid, _unmapped(times))
    sigma = spread(logs)
    halves = [spread(logs[start::2]) for start in (0, 1)]
    # The standard error of a spread by median absolute deviation is 1.17 sigma / sqrt(n) (Rousseeuw and Croux 1993).
    reach = max(1.96 * 1.17 / np.sqrt(len(logs)), _NOT_NORMAL) * sigma
    same = abs(halves[0] - halves[1]) <= _AGREE * sigma
    return (
        Answer(
            name=SIGMA,
            value=sigma,
            interval=Interval(sigma - reach, sigma + reach),
            replicated=Replicated.YES if same else Replicated.NO,
            grade=Grade.A if same else Grade.C,
            note=message("probe-noise-sigma-note"),
        ),
        _correlation(logs, sigma),
        Answer(
            name=OUTLIERS,
            value=float((np.abs(logs - np.median(logs)) > _OUTLIER * max(sigma, _SPREAD_MIN)).mean()),
            grade=Grade.B,
            note=message("probe-noise-outliers-note", deviations=number(_OUTLIER, "g")),
        ),
        _unmapped(times),
    )


def _settled(logs: Floats) -> Floats:
    """The reads from where blocks of them have the median of the last half, without the block in which that begins; none where half do not."""
    half = len(logs) // _BLOCK // 2
    last = logs[half * _BLOCK :]
    error = MEDIAN_EFFICIENCY * max(spread(last), _SPREAD_MIN) * np.sqrt(1 / _BLOCK + 1 / len(last))
    medians = np.median(logs[: half * _BLOCK].reshape(half, _BLOCK), axis=1)
    agree = np.flatnonzero(np.abs(medians - np.median(last)) <= max(_SETTLED * error, _SETTLED_SHARE))
    if not half or (len(agree) and agree[0] == 0):
        return logs
    return logs[(agree[0] + 1) * _BLOCK :] if len(agree) else logs[:0]


def _correlation(logs: Floats, sigma: float) -> Answer:
    if sigma == 0:
        return not_identifiable(CORRELATION, Reason.FLAT, message("probe-noise-none"))
    kept = np.clip((logs - np.median(logs)) / sigma, -_OUTLIER, _OUTLIER)
    value = float(np.corrcoef(kept[:-1], kept[1:])[0, 1])
    reach = 1.96 / np.sqrt(len(kept))
    return Answer(
        name=CORRELATION,
        value=value,
        interval=Interval(value - reach, value + reach),
        grade=Grade.B,
        note=message("probe-noise-correlation-note"),
    )


def _unmapped(times: NoiseTimes) -> Answer:
    if times.trimmed_ns is None or times.written_ns is None:
        return not_identifiable(UNMAPPED, Reason.NOT_SUPPORTED, message("probe-noise-no-room"))
    trimmed, written = np.log(times.trimmed_ns), np.log(times.written_ns)
    difference = float(np.median(trimmed) - np.median(written))
    scatter = max(float(np.hypot(spread(trimmed), spread(written))), _SPREAD_MIN)
    error = float(MEDIAN_EFFICIENCY * scatter / np.sqrt(len(trimmed)))
    separation = float(abs(difference - np.log(_FAST))) / error
    if separation < VISIBLE:
        low, high = (number(float(np.exp(difference + side * _NORMAL_95 * error)), ".2f") for side in (-1, 1))
        why = message("probe-ratio-undecided", low=low, high=high, border=number(_FAST, "g"))
        return not_identifiable(UNMAPPED, Reason.NOISY, why)
    fast, same = difference < np.log(_FAST), _same_side(trimmed - written)
    return Answer(
        name=UNMAPPED,
        value=(UnmappedReads.FAST if fast else UnmappedReads.AS_SLOW_AS_WRITTEN).value,
        separation=separation,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=(Grade.A if separation >= STRONG else Grade.B) if same else Grade.C,
        note=message("probe-noise-unmapped-note", share=number(float(np.exp(difference)), ".2f")),
    )


def _same_side(differences: Floats) -> bool:
    return len({float(np.median(differences[start::2])) < np.log(_FAST) for start in (0, 1)}) == 1


NOISE = Probe(
    name="noise",
    question=message("probe-noise-question"),
    limits=message("probe-noise-limits"),
    design=_design,
    medium=Medium.FILE,
)
