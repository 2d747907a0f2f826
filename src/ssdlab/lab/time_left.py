"""How long a running step will take."""

from ssdlab.step_spec import StepSpec
from ssdlab.units import NS_PER_S


def left_ns(step: StepSpec, share_done: float, bandwidth_bytes_per_s: float | None, elapsed_ns: float) -> float | None:
    """Time left if the drive goes on as it does now; the speed so far is misleading after a cache has ended.

    Args:
        step: That runs.
        share_done: Of it, 0..1.
        bandwidth_bytes_per_s: Now; None while unknown.
        elapsed_ns: Since it began.

    Returns:
        None while it cannot be told.
    """
    job = step.job
    if step.rest_ns:
        return step.rest_ns * (1 - share_done)
    if job is not None and job.amount_bytes is not None and bandwidth_bytes_per_s:
        return job.amount_bytes * (1 - share_done) / bandwidth_bytes_per_s * NS_PER_S
    if job is not None and job.amount_bytes is None and job.duration_ns is not None:
        return job.duration_ns * (1 - share_done)
    if not share_done:
        return None
    return elapsed_ns * (1 - share_done) / share_done
