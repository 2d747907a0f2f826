"""A speed that changes by the hour: the clock of a drive that drifts, as a specification has it (`pace.drift_per_hour`), and of one that dips.

All that a drive does takes part in a drift, so the drive's own time runs faster and slower than the host's: by a share of its first
speed each hour, down to a tenth and up to ten times of it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.twin.draft import Draft

Floats = NDArray[np.float64]
HOUR_NS = 3_600e9
_SLOWEST, _FASTEST = 0.1, 10.0
"""Times the first speed: a drift goes no further."""
_SECTION, _KEY = "pace", "drift_per_hour"
_OF_CLOCK = frozenset({_KEY, "dip_every", "dip_length", "dip_speed"})


@dataclass(frozen=True, slots=True)
class Clock:
    """The host's time, and the drive's.

    Attributes:
        lost: Share of its first speed that the drive loses each hour; less than 0 where it gets faster.
        dip_speed: Times what it is otherwise, in a dip; 1 of a drive that has none.
    """

    lost: float
    dip_speed: float = 1.0

    def speed(self, host_ns: float) -> float:
        """Times what it is when the run begins, so long after that."""
        return float(np.clip(1 - self.lost * host_ns / HOUR_NS, _SLOWEST, _FASTEST))

    def pace(self, dipped: float) -> float:
        """Times the speed otherwise, over a time of which that share was in dips."""
        return 1 - dipped * (1 - self.dip_speed)

    def own_ns(self, host_ns: Floats) -> Floats:
        """What of the drive's time has passed."""
        if self.lost == 0:
            return host_ns
        until = np.minimum(host_ns, self._turn_ns)
        return until - self.lost / HOUR_NS * until**2 / 2 + self._last * (host_ns - until)

    def host_ns(self, own_ns: Floats) -> Floats:
        """What of the host's time has passed when so much of the drive's has."""
        if self.lost == 0:
            return own_ns
        turn = float(self.own_ns(np.array([self._turn_ns]))[0])
        until = np.minimum(own_ns, turn)
        root = np.sqrt(np.maximum(1 - 2 * self.lost * until / HOUR_NS, 0.0))
        return (1 - root) / self.lost * HOUR_NS + (own_ns - until) / self._last

    def own_since(self, begin_ns: float, later_ns: Floats) -> Floats:
        """The drive's time from one moment of the host's to others, which are so much later."""
        return self.own_ns(begin_ns + later_ns) - self.own_ns(np.array([begin_ns]))

    def host_since(self, begin_ns: float, own_ns: Floats) -> Floats:
        """The host's time, from a moment of it until so much of the drive's has passed."""
        if self.lost == 0:
            return own_ns
        return self.host_ns(self.own_ns(np.array([begin_ns])) + own_ns) - begin_ns

    @property
    def _last(self) -> float:
        return _SLOWEST if self.lost > 0 else _FASTEST

    @property
    def _turn_ns(self) -> float:
        """When it changes no more."""
        return (1 - self._last) / self.lost * HOUR_NS


EVEN = Clock(0.0)
"""Of a drive that does not drift."""


def clock_of(draft: Draft) -> Clock:
    """The drift that a draft has, and how slow it is in dips."""
    dips = draft.number(_SECTION, "dip_every") > 0
    return Clock(draft.number(_SECTION, _KEY), draft.number(_SECTION, "dip_speed") if dips else 1.0)


def drifting(draft: Draft, lost: float) -> Draft:
    """A draft with another drift, no further than a drive can have one."""
    return draft.having(_SECTION, **{_KEY: float(np.clip(lost, -1.0, 1.0))})


def in_own_time(draft: Draft) -> Draft:
    """A draft whose own time is the host's, but for what its speed wanders."""
    kept = {key: value for key, value in draft.sections.get(_SECTION, {}).items() if key not in _OF_CLOCK}
    return draft.with_section(_SECTION, kept) if kept else draft.without(_SECTION)
