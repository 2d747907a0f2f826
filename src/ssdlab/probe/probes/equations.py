"""Read time against request size for the two ways of placing a management block (Ryu and Park, equations 1 and 2).

Everything is counted in pages, the only reading in which both equations are dimensionally consistent. They then are one function
of the pages that lie side by side on a channel: all pages of a management block for 1-channel placement, k for multi-channel
placement. Reads alone cannot tell the two apart.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class PartialStripe(Enum):
    """How the last, partly read stripe is synchronised."""

    FLOOR = "floor"
    """As printed: each further channel that is read whole."""
    CEIL = "ceil"
    """Each further channel that is touched, which is what a queue of pages for each channel does."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How pages lie on channels.

    Attributes:
        unit_pages: Side by side on one channel.
        channels: Absent where there are more than any read touches.
    """

    unit_pages: int
    channels: int | None


def sensed_and_synchronised(pages: Integers, layout: Layout, partial: PartialStripe) -> tuple[Integers, Integers]:
    """Pages the busiest channel reads, and synchronisations with further channels, for reads of so many pages."""
    unit = layout.unit_pages
    if layout.channels is None:
        full, rest = np.zeros_like(pages), pages
        channels = 1
    else:
        full, rest = pages // (layout.channels * unit), pages % (layout.channels * unit)
        channels = layout.channels
    further = rest // unit if partial is PartialStripe.FLOOR else -(-rest // unit)
    part = np.where(rest > 0, np.maximum(further - 1, 0), 0)
    return full * unit + np.minimum(rest, unit), full * (channels - 1) + part


def response_time(
    pages: Integers, layout: Layout, page_time: float, synchronisation: float, partial: PartialStripe
) -> Floats:
    """Equations (1) and (2) without the constant of the system, in the unit of the two times."""
    sensed, synchronised = sensed_and_synchronised(pages, layout, partial)
    return sensed * page_time + synchronised * synchronisation
