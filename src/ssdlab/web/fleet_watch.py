"""What the pages know of a fleet: asked of its database once for all who look, and of an outage no more than that there is one."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from ssdlab.errors import SsdlabError
from ssdlab.fleet.database import connected, require_address
from ssdlab.fleet.seen import FleetSeen, look_at

_LOOK_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class FleetNews:
    """What is known.

    Attributes:
        seen: As the last look that came to its end found it; None before that.
        trouble: Why a later look did not.
    """

    seen: FleetSeen | None
    trouble: SsdlabError | None


class FleetWatch:
    """Looks when somebody asks, and not more often than needed."""

    def __init__(self, look: Callable[[], FleetSeen], now_s: Callable[[], float] = time.monotonic) -> None:
        """Ask for nothing yet.

        Args:
            look: Asks the database; may raise SsdlabError.
            now_s: A clock.
        """
        self._look, self._now_s = look, now_s
        self._lock = Lock()
        self._news: FleetNews | None = None
        self._looked_s = 0.0

    def news(self) -> FleetNews:
        """What is known now. While one looks, which takes seconds where the database is away, all others are told what was known before."""
        before = self._news
        if before is not None and (self._now_s() - self._looked_s < _LOOK_AGAIN_S or self._lock.locked()):
            return before
        with self._lock:
            if self._news is before:
                self._news = self._asked(before)
                self._looked_s = self._now_s()
            assert self._news is not None  # noqa: S101 - it was just put there
            return self._news

    def _asked(self, before: FleetNews | None) -> FleetNews:
        try:
            return FleetNews(self._look(), None)
        except SsdlabError as error:
            return FleetNews(None if before is None else before.seen, error)


def watch_of(database: str) -> FleetWatch:
    """Of a fleet; whether its database answers is found out by looking.

    Raises:
        DatabaseError: The text is no address.
    """
    require_address(database)

    def look() -> FleetSeen:
        with connected(database) as connection:
            return look_at(connection)

    return FleetWatch(look)
