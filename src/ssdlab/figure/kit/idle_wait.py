"""How long a drive was left alone before each burst of writes (SNIA PTS, host idle recovery)."""

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import SILENCE
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.readings import reading
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep, wait_point
from ssdlab.units import NS_PER_S

_LIKE_ASKED = 1.1
"""A wait of 5 s is called that, though a job takes 300 ms to start; one of 50 ms is not."""


def waited_s(bundle: Bundle, step: IdleRecoveryStep, wait_ns: int) -> float:
    """As the profile scaled the wait, or as it was measured where the start of the next job has made it another one.

    Args:
        bundle: A run.
        step: Of its suite.
        wait_ns: As the suite says it.
    """
    point = wait_point(step, wait_ns)
    asked_ns = next((one.rest_ns for one in bundle.steps if one.rest_ns and point.holds(one.point)), wait_ns)
    measured = reading(bundle, MetricKey(point, SILENCE))
    if measured is None or measured.value <= _LIKE_ASKED * asked_ns / NS_PER_S:
        return asked_ns / NS_PER_S
    return measured.value
