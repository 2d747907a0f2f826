"""One program on one drive, nearly empty and three quarters full: when both numbers are shown (METHODS C9)."""

from enum import Enum

from ssdlab.message import message, number
from ssdlab.unknown import Unknown

DIFFERENCE_MAX = 0.10
"""Share of the larger number by which two differ at most for the larger to stand for both."""
_EMPTY_PERCENT_MAX = 1.0
_THREE_QUARTERS_PERCENT = (74.0, 76.0)


class FillLevel(Enum):
    """How full a drive is where METHODS C9 compares."""

    EMPTY = "0 % full"
    THREE_QUARTERS = "75 % full"


def fill_level(fill_percent: float | Unknown) -> FillLevel | Unknown:
    """Which of both it is; programs say whole percent, and a file system is never quite empty."""
    if isinstance(fill_percent, Unknown):
        return fill_percent
    if fill_percent <= _EMPTY_PERCENT_MAX:
        return FillLevel.EMPTY
    low, high = _THREE_QUARTERS_PERCENT
    return (
        FillLevel.THREE_QUARTERS
        if low <= fill_percent <= high
        else Unknown(message("unknown-fill", percent=number(fill_percent, "g")))
    )


def differ(empty: float, three_quarters: float) -> bool:
    """Whether both must be shown."""
    larger = max(empty, three_quarters)
    return larger - min(empty, three_quarters) > DIFFERENCE_MAX * larger
