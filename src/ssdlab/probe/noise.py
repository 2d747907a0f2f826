"""Noise floor: how much like commands scatter, and whether reads of blocks never written are fast (P0)."""

from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Verb, joined
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.script import Ask, Design, Estimator, Evidence, Medium, Need, Probe, Subject, working_region
from ssdlab.probe.statistics import MEDIAN_EFFICIENCY, Floats, spread
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS

SIGMA = "noise.sigma"
CORRELATION = "noise.correlation"
OUTLIERS = "noise.outlier_share"
UNMAPPED = "noise.unmapped_reads"

_PAGE_BYTES = 4 * KIB
_FIXED = 8000
_EACH = 1000
_TRIMMED_BYTES = 8 * MIB
_AGREE = 0.15
"""Halves that differ by less, in share of the value, say the same."""
_OUTLIER = 5.0
"""Beyond so many standard deviations of log latency; normal noise has three in ten million there."""
_NOT_NORMAL = 0.06
"""Share by which the spread is off where noise is not quite normal: outliers of 2 % give half of this."""
_FAST = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class NoiseTimes:
    """Response times of reads of one page, and of pages that were written or trimmed; the last two None without trim."""

    fixed_ns: Floats
    written_ns: Floats | None
    trimmed_ns: Floats | None


def _design(subject: Subject) -> Design:
    region = working_region(subject, GIB)
    random = np.random.default_rng(subject.seed)
    acts = [Ask("fixed", Commands.one_by_one(Verb.READ, np.zeros(_FIXED, dtype=np.int64), _PAGE_BYTES, NS_PER_MS))]
    beyond = region.end_bytes
    can_trim = beyond + _TRIMMED_BYTES <= subject.capacity_bytes
    if can_trim:
        trim = Commands.one_by_one(Verb.TRIM, np.array([beyond], dtype=np.int64), _TRIMMED_BYTES)
        places = _TRIMMED_BYTES // _PAGE_BYTES
        trimmed = beyond + random.integers(0, places, _EACH) * _PAGE_BYTES
        written = random.integers(0, region.length_bytes // _PAGE_BYTES, _EACH) * _PAGE_BYTES
        reads = Commands.one_by_one(Verb.READ, np.stack([trimmed, written], axis=1).ravel(), _PAGE_BYTES)
        acts.append(Ask("trimmed", joined([trim, reads])))

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        fixed = evidence.asked["fixed"].latency_ns
        if not can_trim:
            return noise(NoiseTimes(fixed, None, None))
        pairs = evidence.asked["trimmed"].latency_ns[1:].reshape(-1, 2)
        return noise(NoiseTimes(fixed, pairs[:, 1], pairs[:, 0]))

    return Design(need=Need.MAPPED, region=region, acts=tuple(acts), estimate=estimate)


def noise(times: NoiseTimes) -> tuple[Answer, ...]:
    """Spread and correlation of log latency, share of outliers, and what trimmed blocks cost."""
    logs = np.log(times.fixed_ns)
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
            note="spread of the logarithm of the response time of one read, repeated; outliers do not count",
        ),
        _correlation(logs, sigma),
        Answer(
            name=OUTLIERS,
            value=float((np.abs(logs - np.median(logs)) > _OUTLIER * max(sigma, 1e-6)).mean()),
            grade=Grade.B,
            note=f"beyond {_OUTLIER:g} standard deviations",
        ),
        _unmapped(times),
    )


def _correlation(logs: Floats, sigma: float) -> Answer:
    if sigma == 0:
        return not_identifiable(CORRELATION, Reason.FLAT, "all reads take the same time")
    kept = np.clip((logs - np.median(logs)) / sigma, -_OUTLIER, _OUTLIER)
    value = float(np.corrcoef(kept[:-1], kept[1:])[0, 1])
    reach = 1.96 / np.sqrt(len(kept))
    return Answer(
        name=CORRELATION,
        value=value,
        interval=Interval(value - reach, value + reach),
        grade=Grade.B,
        note="of neighbours",
    )


def _unmapped(times: NoiseTimes) -> Answer:
    if times.trimmed_ns is None or times.written_ns is None:
        return not_identifiable(UNMAPPED, Reason.NOT_SUPPORTED, "the drive has no room beside the region to be trimmed")
    trimmed, written = np.log(times.trimmed_ns), np.log(times.written_ns)
    difference = float(np.median(trimmed) - np.median(written))
    scatter = max(float(np.hypot(spread(trimmed), spread(written))), 1e-4)
    separation = abs(difference - np.log(_FAST)) / (MEDIAN_EFFICIENCY * scatter / np.sqrt(len(trimmed)))
    fast = difference < np.log(_FAST)
    return Answer(
        name=UNMAPPED,
        value="fast" if fast else "as slow as written",
        separation=float(separation),
        replicated=Replicated.YES if _same_side(trimmed - written) else Replicated.NO,
        grade=Grade.A if separation > 5 and _same_side(trimmed - written) else Grade.C,
        note=f"{np.exp(difference):.2f} of the time of a written block; probes of reads then need a written drive",
    )


def _same_side(differences: Floats) -> bool:
    return len({float(np.median(differences[start::2])) < np.log(_FAST) for start in (0, 1)}) == 1


NOISE = Probe(
    name="noise",
    question="How much do like commands scatter, and are unwritten blocks fast?",
    limits="it holds for reads of a quiet drive; writes scatter more",
    design=_design,
    medium=Medium.FILE,
)
