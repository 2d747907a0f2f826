"""Which of two drafts that differ in the bits in a cell the drive is like."""

from dataclasses import dataclass

from ssdlab.twin.draft import Draft

_TOLD, _ALIKE = 10.0, 1e-3
"""How many times as much a wrong number of bits costs, by how writes for good wait, and what the right one is taken to cost at least."""
_TOLD_BY_PASSES = 5.0
"""The same of passes, of a drive that writes all through its cache."""
_BETTER = 0.9
"""Share of the remaining squares that another number of bits has to leave at most: three is the usual one, unless a cache of the whole drive tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfBits:
    """A draft with a number of bits in a cell, and what is left of residuals, as half a sum of squares.

    Attributes:
        draft: Of the drive.
        passes: Left in its passes.
        points: Left in its points.
        waiting: Left in how its writes for good wait; 0 where that was not seen.
    """

    draft: Draft
    passes: float
    points: float
    waiting: float

    @property
    def cost(self) -> float:
        """All that is left."""
        return self.passes + self.points + self.waiting

    def is_told_from(self, other: "OfBits") -> bool:
        """Whether writes that wait, or else passes, tell that the drive is as this draft and not as the other, whatever points say.

        What the cache holds takes so many times its size of the flash as there are bits in a cell. If all is written through it, too many
        bits leave too little spare flash: then passes come out of order, and no other quantity mends that.
        """
        if is_told(self.waiting, other.waiting):
            return True
        return (
            self.draft.writes_through_cache
            and not is_told(other.waiting, self.waiting)
            and other.passes > _TOLD_BY_PASSES * max(self.passes, _ALIKE)
        )

    def is_better_than(self, best: "OfBits") -> bool:
        """Told from it, or else with clearly less left in all."""
        return self.is_told_from(best) or (self.cost < _BETTER * best.cost and not best.is_told_from(self))


def is_told(right: float, wrong: float) -> bool:
    """Whether costs of waiting tell that one draft waits as the drive does, and the other in another way."""
    return wrong > _TOLD * max(right, _ALIKE)
