"""Answers of a virtual drive whose host let it wait: what was measured is the host's, so they are hints at most."""

from dataclasses import replace

import numpy as np

from ssdlab.engine.result import LatencyKind
from ssdlab.message import message, number, semicolons
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.script import Design, Estimator, ProbeEvidence
from ssdlab.unknown import Unknown

_SHARE_MAX = 0.1
"""Of the time of the commands. Less does not move an answer by more than its grade allows: intervals of B are as wide."""


def concluded(design: Design, evidence: ProbeEvidence, estimator: Estimator) -> tuple[Answer, ...]:
    """What the estimator says, with grades that the host allows."""
    answers = design.estimate(evidence, estimator)
    share = host_share(evidence)
    if isinstance(share, Unknown) or share <= _SHARE_MAX:
        return answers
    return tuple(_hint(answer, share) if answer.grade in {Grade.A, Grade.B} else answer for answer in answers)


def host_share(evidence: ProbeEvidence) -> float | Unknown:
    """Part of the time of a probe's commands in which the host held replies back.

    Single commands are judged by their medians, so theirs are compared; jobs by their rates, so the means.
    """
    late = evidence.late
    if isinstance(late, Unknown):
        return late
    if evidence.asked:
        median_ns = float(np.median(np.concatenate([one.latency_ns for one in evidence.asked.values()])))
        return late.p50_ns if isinstance(late.p50_ns, Unknown) else late.p50_ns / max(median_ns, 1.0)
    parts = [part for one in evidence.loaded.values() for part in one.directions.values()]
    latencies = [part.latency[LatencyKind.LAT] for part in parts if LatencyKind.LAT in part.latency]
    count = sum(one.total for one in latencies)
    if not count:
        return Unknown(message("unknown-no-latency"))
    return late.mean_ns / (sum(one.total * one.mean_ns for one in latencies) / count)


def _hint(answer: Answer, share: float) -> Answer:
    hint = message("probe-host-held-back", share=number(share, ".0%"))
    note = hint if answer.note is None else message("probe-notes", notes=semicolons(answer.note, hint))
    return replace(answer, grade=Grade.C, note=note)
