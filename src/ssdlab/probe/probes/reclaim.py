"""Idle reclaim: after how much silence, and how fast, an SLC cache comes back (P13, METHODS C8)."""

from dataclasses import replace

from ssdlab.analysis.infer.reclaim import Reclaim, ReclaimAfterRest, reclaim_of
from ssdlab.engine.result import Direction
from ssdlab.job import Region
from ssdlab.message import message
from ssdlab.probe.answer import Answer, Grade, Reason, not_identifiable
from ssdlab.probe.script import (
    Act,
    BulkLoad,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    Purge,
    Rest,
    sequential_fill,
    too_small,
)
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

DELAY = "reclaim.delay"
RATE = "reclaim.rate"

_BLOCK_BYTES = 128 * KIB
_DEPTH = 256
_RESTS_S = (0.5, 5, 10, 15, 30, 60, 120, 240, 480)
_PURGED_NS = 900 * NS_PER_S
_WRITE_NS = 60 * NS_PER_S
_USUAL_BYTES = 10**12
"""The ladder of the method is for drives of this size; smaller ones get theirs back as much sooner."""


def _design(drive: KnownDrive) -> Design:
    half = drive.capacity_bytes // 2 // _BLOCK_BYTES * _BLOCK_BYTES
    if not half:
        raise too_small(MIB)
    share = min(1.0, drive.capacity_bytes / _USUAL_BYTES)
    rests_ns = [round(seconds * NS_PER_S * share) for seconds in _RESTS_S]
    fill = sequential_fill("half", Region(0, half), drive.seed, _BLOCK_BYTES, _DEPTH)
    minute = replace(fill.job, name="minute", amount_bytes=None, duration_ns=max(NS_PER_S, round(_WRITE_NS * share)))
    acts: list[Act] = []
    for rest_ns in rests_ns:
        acts += [
            Purge(),
            Rest(_PURGED_NS),
            BulkLoad(f"half {rest_ns}", fill.job),
            Rest(rest_ns),
            BulkLoad(f"{rest_ns}", minute),
        ]

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        series = [(rest_ns, evidence.loaded[f"{rest_ns}"].directions[Direction.WRITE].series) for rest_ns in rests_ns]
        return reclaim(reclaim_of([ReclaimAfterRest(rest_ns, one) for rest_ns, one in series]))

    return Design(need=Need.FRESH, region=Region(0, half), acts=tuple(acts), estimate=estimate)


def reclaim(found: Reclaim) -> tuple[Answer, ...]:
    """Delay and rate as answers; the ladder is done once, so neither is better than B."""
    answers = []
    for name, unit, value, interval in (
        (DELAY, "s", found.delay_s, found.delay),
        (RATE, "B/s", found.rate_bytes_per_s, found.rate),
    ):
        if isinstance(value, Unknown):
            answers.append(not_identifiable(name, Reason.FLAT, value.reason, unit))
        else:
            answers.append(Answer(name=name, value=value, unit=unit, interval=interval, grade=Grade.B))
    return tuple(answers)


RECLAIM = Probe(
    name="reclaim",
    question=message("probe-reclaim-question"),
    limits=message("probe-reclaim-limits"),
    design=_design,
)
