"""Sizes, times and shares as options: one that cannot be read is a fault of the command line, like any other option's."""

from collections.abc import Callable
from typing import TypeVar

from ssdlab.message import message

T = TypeVar("T")

SEED_MAX = 2**63 - 1
"""What every part of ssdlab that draws numbers can take."""


def typed(read: Callable[[str], T], text: str) -> T:
    """What an option says.

    Raises:
        UsageError: It cannot be read.
    """
    from ssdlab.errors import UsageError
    from ssdlab.units import UnitError

    try:
        return read(text)
    except UnitError as error:
        raise UsageError(error.message, *error.hints) from error


def typed_or_none(read: Callable[[str], T], text: str | None) -> T | None:
    """Likewise of one that may be left out."""
    return None if text is None else typed(read, text)


def bandwidth(text: str) -> int:
    """Bytes a second; the `/s` may be left out.

    Raises:
        UnitError: It is none.
    """
    from ssdlab.units import UnitError, clipped, parse_bytes

    try:
        return parse_bytes(text.removesuffix("/s"))
    except UnitError as error:
        raise UnitError(message("unit-no-bandwidth", text=clipped(text)), message("unit-add-unit")) from error
