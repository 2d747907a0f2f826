"""The first point of a step once more at its end: whether the drive has stayed what it was."""

from collections.abc import Mapping
from math import hypot

from ssdlab.engine.result import PointEnd
from ssdlab.message import Message, message, number
from ssdlab.method.plan import PlannedStep


class FirstPoints:
    """How points ended, by the names of their steps, for those that are measured again."""

    def __init__(self, ends: Mapping[str, PointEnd] | None = None) -> None:
        self._ends = dict(ends or {})

    def take(self, step: PlannedStep, end: PointEnd | None) -> Message | None:
        """Remember how a point ended; what is to be said where it is one measured again that is not what it was."""
        if end is None:
            return None
        self._ends[step.name] = end
        first = self._ends.get(step.again_of or "")
        change = None if first is None else change_between(first, end)
        if change is None:
            return None
        return message("lab-drifts", step=step.group, first=step.again_of or "", change=number(change, "+.1%"))


def change_between(first: PointEnd, again: PointEnd) -> float | None:
    """By how much the mean rate differs, as a share of the first; None where that is within both intervals, as far as there are any, or within what was asked for."""
    apart = again.bytes_per_s - first.bytes_per_s
    reach = first.bytes_per_s * hypot(first.reach or 0.0, again.reach or 0.0)
    is_more = abs(apart) > max(reach, first.within * first.bytes_per_s)
    return apart / first.bytes_per_s if is_more else None
