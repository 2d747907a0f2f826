"""Whether the trace that a job replays is the one that was planned."""

from pathlib import Path

from ssdlab import os_errors
from ssdlab.engine.base import EngineError
from ssdlab.job import Job
from ssdlab.message import message
from ssdlab.trace.load import trace_sha256


def require_its_trace(job: Job) -> None:
    """Make sure of it; of other jobs there is nothing to be sure of.

    Raises:
        EngineError: It is not there any more, or another one lies in its place.
    """
    if job.replay is None:
        return
    path = Path(job.replay.path)
    try:
        found = trace_sha256(path)
    except OSError as error:
        why = os_errors.reason_of(error)
        raise EngineError(message("engine-trace-unreadable", job=job.name, path=str(path), why=why)) from error
    if found != job.replay.sha256:
        hint = message("engine-hint-other-trace")
        raise EngineError(message("engine-other-trace", job=job.name, path=str(path)), hint)
