"""How well an engine that generates the load itself kept to its own times."""

from dataclasses import dataclass

from ssdlab import _core
from ssdlab.drive.lateness import Lateness, late_of
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Punctuality:
    """Of all I/Os of a job.

    Attributes:
        late_mean_ns: From when an I/O was due and had room to its submission: what the host lost, and not the drive.
        late_p99_ns: Unknown with fewer than ten I/Os above it.
        unsubmitted: I/Os of an open loop that were due before its end, found no room and were never submitted: latencies say nothing of them.
    """

    late_mean_ns: float
    late_p99_ns: int | Unknown
    late_max_ns: int
    unsubmitted: int


def virtual_punctuality(unsubmitted: int) -> Punctuality:
    """Of a job in virtual time, where the host takes none."""
    return Punctuality(late_mean_ns=0.0, late_p99_ns=0, late_max_ns=0, unsubmitted=unsubmitted)


def punctuality_of(done: _core.LoadResult) -> Punctuality:
    """Of a job of the load engine."""
    told = done.lateness
    bins, counts = (memoryview(column).cast("q").tolist() for column in (told.bin_index, told.count))
    total = sum(counts)
    middles = {_core.bin_mid(index): count for index, count in zip(bins, counts, strict=True)}
    mean_ns = told.mean_ns or 0.0
    late = late_of(Lateness(count=total, total_ns=round(mean_ns * total), bins=middles))
    return Punctuality(
        late_mean_ns=mean_ns,
        late_p99_ns=late if isinstance(late, Unknown) else late.p99_ns,
        late_max_ns=told.max_ns or 0,
        unsubmitted=done.result.unsubmitted,
    )
