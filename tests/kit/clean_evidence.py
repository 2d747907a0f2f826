"""Evidence of a fill in which no check of the audit finds anything."""

from tests.kit.fill_evidence import evidence_of_fill
from tests.kit.synthetic_fill import Level, bandwidth_of, series_of

from ssdlab.analysis.evidence import StepEvidence

LEVELS = (Level(40e9, 4e9), Level(40e9, 1e9))


def clean(latency_scale: float = 1.0) -> StepEvidence:
    return evidence_of_fill(series_of(bandwidth_of(LEVELS), latency_scale))
