"""From when on a twin collects, and how long its erases take: turned until random writes for good wait as they were seen to wait."""

from collections.abc import Callable, Iterable, Iterator
from math import log

import numpy as np
from numpy.typing import NDArray

from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.steady import LastingWrites, turned_for

Floats = NDArray[np.float64]
Seen = Callable[[Draft], LastingWrites | None]
"""What writes for good come to on the drive of a draft; None where it is no possible drive."""
Mapped = Callable[[Callable[[Draft], Floats | None], Iterable[Draft]], Iterator[Floats | None]]
_APART, _ALIKE = 0.02, 0.007
"""By how much two passes of a drive differ if what they tell counts as much as a point, and the least by which they are taken to."""
_PRIOR = 0.1
"""Weight of a logarithm of how far a quantity is from where it was: of two that differ a little in either, one may by chance wait by two or three per cent longer."""
_STEP = log(4 / 3)
_BEGUN = (1.0, 4 / 3, 2.0)
"""Times where it was that collection may begin when turning begins: too far off, writes wait in a way that leads nowhere."""
_FACTOR = 8.0
"""By which both may be turned, either way."""
_START_MIN = 4
"""More than where the host has to wait for it."""
_TRIALS = 5
_NEAR = 0.02
"""Share of a change below which nothing more is sought: a beginning is a whole number of superblocks."""
_FALLEN_OUT, _IMPOSSIBLE = 5.0, 5.0
"""In place of every logarithm, of a drive whose writes do not wait, and of one that cannot be."""


def waiting_off(seen: LastingWrites, wanted: LastingWrites) -> Floats:
    """By how much a twin's writes wait longer, in logarithms: as much as the drive's own passes are alike."""
    off = np.array(seen.waits) - np.array(wanted.waits) if seen.waits else np.full(len(wanted.waits), _FALLEN_OUT)
    return np.asarray(off * _APART / max(wanted.apart, _ALIKE), dtype=np.float64)


def with_collection(draft: Draft, wanted: LastingWrites, seen: Seen, mapped: Mapped) -> Draft:
    """The draft with another beginning of collection, and longer or shorter erases, and as fast as it should be with these.

    Args:
        draft: As fast as it should be.
        wanted: Of the drive.
        seen: Rehearses a draft.
        mapped: As `map`, several at once.
    """
    from scipy.optimize import least_squares

    if not wanted.waits:
        return draft
    start, erase = draft.number("collection", "start"), draft.number("timing", "erase")
    usual = np.log([start, erase])

    def turned(x: Floats) -> Draft:
        start, erase = np.exp(x)
        return draft.having("collection", start=max(_START_MIN, round(start))).having("timing", erase=as_time(erase))

    def off(tried: Draft) -> Floats | None:
        found = seen(tried)
        return None if found is None else waiting_off(found, wanted)

    def away(x: Floats, found: Floats | None) -> Floats:
        return np.concatenate(
            [np.full(len(wanted.waits), _IMPOSSIBLE) if found is None else found, _PRIOR * (x - usual)]
        )

    begins = [np.log([factor * start, erase]) for factor in _BEGUN]
    begun = [away(x, found) for x, found in zip(begins, mapped(off, map(turned, begins)), strict=True)]
    first = min(range(len(begins)), key=lambda place: float(np.abs(begun[place]).sum()))
    last = (begins[first], begun[first])

    def here(x: Floats) -> Floats:
        """Asked twice of where the solver is: by itself and for a Jacobian."""
        nonlocal last
        if not np.array_equal(last[0], x):
            last = (x.copy(), away(x, off(turned(x))))
        return last[1]

    def jacobian(x: Floats) -> Floats:
        ways = [x + _STEP * (np.arange(len(x)) == place) for place in range(len(x))]
        there = list(mapped(off, map(turned, ways)))
        return np.array([(away(way, found) - here(x)) / _STEP for way, found in zip(ways, there, strict=True)]).T

    reach = log(_FACTOR)
    solved = least_squares(
        here,
        begins[first],
        jac=jacobian,
        bounds=(usual - reach, usual + reach),
        max_nfev=_TRIALS,
        loss="soft_l1",
        f_scale=0.1,
        xtol=_NEAR,
    )
    best = turned(solved.x)
    found = seen(best)
    return draft if found is None else turned_for(best, found, wanted)
