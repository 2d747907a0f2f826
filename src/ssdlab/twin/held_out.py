"""Which steps a twin is fitted to, and which are kept to see how well it predicts."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ssdlab.twin.acts import Act, Deed

_HELD_OUT_EVERY = 3
_FITTED_MAX = 12
_HELD_MAX = 5


@dataclass(frozen=True, slots=True)
class Division:
    """Places of acts.

    Attributes:
        passes: Writes of the drive, compared.
        points: Points, compared.
        held: Points that the fit never sees.
    """

    passes: tuple[int, ...]
    points: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def fitted(self) -> tuple[int, ...]:
        """All that the fit sees."""
        return (*self.passes, *self.points)


def divided(acts: Sequence[Act]) -> Division:
    """Every third point of each step of a suite is held out; of long sweeps some of the others are left aside, evenly."""
    passes = tuple(_passes(acts))
    points: list[int] = []
    held: list[int] = []
    for group in groups_of(acts, {Deed.MEASURE}):
        kept = [place for number, place in enumerate(group) if number % _HELD_OUT_EVERY == 1]
        others = [place for place in group if place not in kept]
        points += thinned(others, _FITTED_MAX)
        held += thinned(kept, _HELD_MAX)
    return Division(passes, tuple(sorted(points)), tuple(sorted(held)))


def _passes(acts: Sequence[Act]) -> Iterator[int]:
    """Up to the second purge of a run: what comes after it repeats the first passes."""
    purges: dict[int, int] = {}
    for place, act in enumerate(acts):
        purges[act.run] = purges.get(act.run, 0) + (act.deed is Deed.PURGE)
        whole = act.deed is Deed.PREPARE and act.seen is not None and act.seen.written_ns is not None
        if whole and purges[act.run] <= 1:
            yield place


def groups_of(acts: Sequence[Act], deeds: Collection[Deed]) -> Iterator[list[int]]:
    """Places of those acts whose speed was seen, by run and step of the suite, in the order in which they were done."""
    found: dict[tuple[int, str], list[int]] = {}
    for place, act in enumerate(acts):
        if act.deed in deeds and act.seen is not None and act.seen.iops:
            found.setdefault((act.run, act.group), []).append(place)
    yield from found.values()


def thinned(places: Sequence[int], most: int) -> list[int]:
    """So many of them (two at least), evenly, with the first and the last."""
    if len(places) <= most:
        return list(places)
    return [places[round(number * (len(places) - 1) / (most - 1))] for number in range(most)]
