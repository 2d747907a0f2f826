"""How late replies of a virtual drive left the host it runs on: time that is the host's and not the drive's."""

from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab.message import message
from ssdlab.unknown import Unknown

_ABOVE_MIN = 10
"""Replies that must lie above a percentile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lateness:
    """Of all replies since the drive's server began, or of some of them.

    Attributes:
        count: Replies.
        total_ns: All of them together.
        bins: Replies by the middle of fio's latency bin, in ns.
    """

    count: int
    total_ns: int
    bins: Mapping[int, int]

    def since(self, earlier: "Lateness") -> "Lateness":
        """Of the replies that left after that look."""
        bins = {middle_ns: count - earlier.bins.get(middle_ns, 0) for middle_ns, count in self.bins.items()}
        return Lateness(count=self.count - earlier.count, total_ns=self.total_ns - earlier.total_ns, bins=bins)

    def and_of(self, others: "Lateness") -> "Lateness":
        """Of both."""
        middles_ns = {*self.bins, *others.bins}
        bins = {middle_ns: self.bins.get(middle_ns, 0) + others.bins.get(middle_ns, 0) for middle_ns in middles_ns}
        return Lateness(count=self.count + others.count, total_ns=self.total_ns + others.total_ns, bins=bins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Of the replies of one job.

    Attributes:
        p50_ns: Unknown with fewer than ten replies above it, like every percentile.
    """

    count: int
    mean_ns: float
    p50_ns: int | Unknown
    p99_ns: int | Unknown


def between(before: Lateness | Unknown, after: Lateness | Unknown) -> Lateness | Unknown:
    """Of the replies that left between two looks."""
    if isinstance(before, Unknown):
        return before
    return after if isinstance(after, Unknown) else after.since(before)


def together(some: Lateness | Unknown | None, others: Lateness | Unknown) -> Lateness | Unknown:
    """Of both; of the others alone where there are none yet."""
    if some is None or isinstance(others, Unknown):
        return others
    return some if isinstance(some, Unknown) else some.and_of(others)


def late_of(replies: Lateness | Unknown) -> Late | Unknown:
    """How late they were."""
    if isinstance(replies, Unknown):
        return replies
    if not replies.count:
        return Unknown(message("unknown-no-reply-left"))
    bins = dict(sorted(replies.bins.items()))
    return Late(
        count=replies.count,
        mean_ns=replies.total_ns / replies.count,
        p50_ns=_percentile_ns(bins, 50),
        p99_ns=_percentile_ns(bins, 99),
    )


def _percentile_ns(bins: Mapping[int, int], percent: int) -> int | Unknown:
    """Nearest rank."""
    total = sum(bins.values())
    rank = -(-total * percent // 100)
    if total - rank < _ABOVE_MIN:
        return Unknown(message("unknown-few-replies-above", least=_ABOVE_MIN, replies=total))
    below = 0
    for middle_ns, count in bins.items():
        below += count
        if below >= rank:
            return middle_ns
    raise ValueError("a rank lies within its total")
