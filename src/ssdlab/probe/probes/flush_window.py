"""Flush window: after how much silence a drive writes out its buffer by itself (P9).

4 KiB are written, then nothing is asked for a while, then a flush. Once the drive has written out its buffer by itself the flush
costs less: what is left to write are mappings, if anything. Where it begins to is a step in the logarithm of its cost.
"""

from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import message, number
from ssdlab.probe.answer import (
    DECISIVE,
    NOISE_MAX,
    STRONG,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.probes.flush import CHEAP_NS
from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.probe.script import (
    COLLECTED_BYTES_MIN,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    too_small,
    working_region,
)
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S

LENGTH = "flush_window.length"

_WRITE_BYTES = 4 * KIB
"""Less than a page of the flash, so that it waits for more."""
_REGION_BYTES = 256 * MIB
_SILENCES_NS = tuple(16 * NS_PER_MS << power for power in range(10))
"""The shortest outlasts the programs of what was written, which go on after it was answered."""
_ROUNDS = 4
_TRIALS = 2
_CHEAPER = 1.1
"""Least factor by which a flush costs less once the buffer is empty; and what it saves is more than a cheap flush costs in all."""
_NOISE_MIN = 0.01
_OUTLIER = 3.0
_SEEN = 4.0
"""Least effect of any answer, in standard deviations: of 3000 sets of flushes drawn without any window, of which the best of nine steps
counts, one in a thousand had more than 3.8."""
_WIDE = 10.0
"""Factor between the ends of an interval beyond which the length is no more than a hint."""


@dataclass(frozen=True, slots=True, eq=False)
class SilenceTimes:
    """Response times of flushes: silence (which ascend) x round x trial."""

    silence_ns: tuple[int, ...]
    flush_ns: Floats


def _design(drive: KnownDrive) -> Design:
    if drive.capacity_bytes < COLLECTED_BYTES_MIN:
        raise too_small(COLLECTED_BYTES_MIN)
    region = working_region(drive, _REGION_BYTES)
    random = np.random.default_rng(drive.seed)
    places = region.length_bytes // _WRITE_BYTES
    # In an order of its own in each round, so that what the drive does as time goes by is not taken for what silence does.
    acts = tuple(
        Ask(_name(turn, _SILENCES_NS[at]), _written_and_left(random, places, _SILENCES_NS[at]))
        for turn in range(_ROUNDS)
        for at in random.permutation(len(_SILENCES_NS))
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return (flush_window(silence_times(evidence)),)

    return Design(need=Need.MAPPED, region=region, acts=acts, estimate=estimate)


def _written_and_left(random: np.random.Generator, places: int, silence_ns: int) -> Commands:
    """Write, wait, flush, wait; again and again. fio knows pauses of one length only."""
    offsets = np.stack([random.integers(0, places, _TRIALS) * _WRITE_BYTES, np.zeros(_TRIALS, dtype=np.int64)], axis=1)
    lengths = np.tile(np.array([_WRITE_BYTES, 0]), _TRIALS)
    return replace(
        Commands.one_by_one(Verb.WRITE, offsets.ravel(), lengths),
        verb=np.tile(np.array([Verb.WRITE, Verb.FLUSH], dtype=np.uint8), _TRIALS),
        pause_ns=np.full(2 * _TRIALS, silence_ns),
    )


def silence_times(evidence: ProbeEvidence) -> SilenceTimes:
    """The flushes by what came before them."""
    flushes = np.empty((len(_SILENCES_NS), _ROUNDS, _TRIALS))
    for row, silence_ns in enumerate(_SILENCES_NS):
        for turn in range(_ROUNDS):
            samples = evidence.asked[_name(turn, silence_ns)]
            flushes[row, turn] = samples.latency_ns[samples.commands.verb == Verb.FLUSH]
    return SilenceTimes(_SILENCES_NS, flushes)


def _name(turn: int, silence_ns: int) -> str:
    return f"after {silence_ns} in round {turn + 1}"


def flush_window(times: SilenceTimes) -> Answer:
    """The silence after which flushes cost less, with all others that the data does not speak strongly against.

    95 % by the likelihood ratio would leave out the truth of one weak answer in ten: its step is the best of nine, and the noise is
    taken from the same 80 flushes.
    """
    logs = np.log(np.maximum(times.flush_ns, 1.0))
    # A round may lie higher as a whole: the drive was in another state then.
    logs = logs - np.median(logs, axis=(0, 2), keepdims=True) + np.median(logs)
    # Medians were taken out of rows and rounds, so that what is left scatters less than the flushes do.
    free = np.sqrt(logs.size / (logs.size - len(logs) - logs.shape[1]))
    noise = max(free * _scatter((logs - np.median(logs, axis=(1, 2), keepdims=True)).ravel()), _NOISE_MIN)
    misfits = np.array([_misfit(logs, step, noise) for step in range(1, len(logs))])
    step = int(misfits.argmin()) + 1
    # The best of so many silences comes near by chance alone more often than one would.
    separation = float(np.sqrt(max(0.0, _misfit(logs, 0, noise) - misfits.min() - 2 * np.log(len(misfits)))))
    fall = float(np.median(logs[:step]) - np.median(logs[step:]))
    saved_ns = float(np.exp(np.median(logs[:step])) - np.exp(np.median(logs[step:])))
    if separation < _SEEN or fall < np.log(_CHEAPER) or saved_ns < CHEAP_NS:
        why = message("probe-flush-window-flat", silence=number(times.silence_ns[-1] / NS_PER_S, ".0f"))
        return not_identifiable(LENGTH, Reason.FLAT, why, "s")
    possible = np.flatnonzero(misfits < misfits.min() + DECISIVE) + 1
    each = [
        int(np.argmin([_misfit(logs[:, start::2], at, noise) for at in range(1, len(logs))])) + 1 for start in (0, 1)
    ]
    same = all(possible.min() - 1 <= one <= possible.max() + 1 for one in each)
    if not same:
        return not_identifiable(LENGTH, Reason.NOISY, message("probe-flush-window-rounds-differ"), "s")
    low, high = times.silence_ns[possible.min() - 1] / NS_PER_S, times.silence_ns[possible.max()] / NS_PER_S
    sharp = len(possible) == 1 and separation >= STRONG and noise <= NOISE_MAX
    return Answer(
        name=LENGTH,
        value=float(np.sqrt(low * high)),
        unit="s",
        interval=Interval(low, high),
        separation=separation,
        replicated=Replicated.YES,
        grade=Grade.C if high > _WIDE * low else Grade.A if sharp else Grade.B,
        note=message("probe-flush-window-note", saved=number(float(-np.expm1(-fall)), ".0%")),
    )


def _scatter(residuals: Floats) -> float:
    """Standard deviation of all but outliers: half of so few flushes may lie near each other by chance, and all of them hardly."""
    near = spread(residuals)
    kept = residuals[np.abs(residuals) <= _OUTLIER * near]
    return max(near, float(np.sqrt((kept**2).mean())))


def _misfit(logs: Floats, step: int, noise: float) -> float:
    """Squared distance to the medians before and from that row on, in standard deviations; outliers count like three of them."""
    parts = [part for part in (logs[:step], logs[step:]) if part.size]
    return sum(float(np.minimum(((part - np.median(part)) / noise) ** 2, _OUTLIER**2).sum()) for part in parts)


FLUSH_WINDOW = Probe(
    name="flush-window",
    question=message("probe-flush-window-question"),
    limits=message("probe-flush-window-limits"),
    design=_design,
)
