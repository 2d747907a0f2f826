"""A display that nobody sees any more: the run goes on, and its journal says so."""

from enum import Enum
from typing import Protocol, runtime_checkable


class Lost(Enum):
    """How a display was lost."""

    HUNG_UP = "hung up"
    """The terminal was closed (SIGHUP)."""
    TERMINAL_GONE = "terminal gone"
    """It cannot be written to any more (EIO)."""
    BROKEN_PIPE = "broken pipe"
    """Whoever read it has ended."""
    CANNOT_BE_WRITTEN = "cannot be written"
    """Such as a file on a disk that is full."""


@runtime_checkable
class Audience(Protocol):
    """Whoever watches by a way that can be lost."""

    @property
    def lost(self) -> Lost | None:
        """Why nobody sees it any more; None while somebody may."""
