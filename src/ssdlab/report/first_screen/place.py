"""Where a drive stands among others by one number, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.analysis.statistics.standing import Estimate, Places, over_runs, places
from ssdlab.bundle.quantities import Better
from ssdlab.message import Message, message
from ssdlab.report.first_screen.quoted import QuotedMetric


@dataclass(frozen=True, slots=True)
class PlaceAmong:
    """The places a drive may have: drives whose numbers are tied share theirs."""

    places: Places

    @property
    def words(self) -> Message:
        """`place 2 of 5`, or `place 1 to 3 of 5, tied`."""
        found = self.places
        if found.first == found.last:
            return message("verdict-place", place=found.first, count=found.count)
        return message("verdict-places", first=found.first, last=found.last, count=found.count)


def place_among(
    own: Sequence[QuotedMetric], others: Sequence[Sequence[QuotedMetric]], better: Better
) -> PlaceAmong | None:
    """The places of a drive; None where it is alone, or where a drive has no such number.

    Args:
        own: The numbers of its runs.
        others: Those of each other drive.
        better: Which end of the scale is first.
    """
    drives = [_estimates(runs) for runs in (own, *others)]
    if len(drives) == 1 or not all(drives):
        return None
    first, *rest = map(over_runs, drives)
    return PlaceAmong(places(first, rest, better))


def _estimates(runs: Sequence[QuotedMetric]) -> list[Estimate]:
    return [Estimate(run.value, run.low, run.high) for run in runs if isinstance(run.value, int | float)]
