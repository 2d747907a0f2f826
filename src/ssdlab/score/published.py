"""The formulas that others have published for replayed traces, of the same replays.

- Columns as AnandTech prints for "The Destroyer": data rate, mean and 99 % latency of reads, of writes and of both.
- UL's score of 3DMark Storage and PCMark 10 (support.benchmarks.ul.com, article 44002277780): the geometric mean of bandwidth and of the
  reciprocal of the mean access time, of reads and writes alone. UL's bandwidth is that of the busy time, in which at least one I/O
  is in flight; its units and scale are not public.
- The phases of PCMark 8's Storage Consistency Test, where a run has them (`ssdlab.score.rounds`): the same columns for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from ssdlab.analysis.statistics.percentile import latency_percentile_ns, merged
from ssdlab.engine.result import Direction, Histogram
from ssdlab.message import message
from ssdlab.score.replayed import TraceReplay
from ssdlab.score.rounds import ConsistencyPhase
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_MB = 1e6


@dataclass(frozen=True, slots=True)
class DataColumns:
    """What some of the I/Os did."""

    data_rate_bytes_per_s: float
    """Over the whole time, think times too."""
    latency_ns_mean: float
    latency_ns_p99: int | Unknown


@dataclass(frozen=True, slots=True)
class PhaseColumns:
    """One phase of a test of consistency, all its rounds and traces together."""

    phase: ConsistencyPhase
    rounds: int
    both: DataColumns | Unknown
    """Reads and writes."""
    slowest_round: DataColumns | Unknown
    """That of the lowest data rate."""


@dataclass(frozen=True, slots=True)
class PublishedColumns:
    """Of all replays of a drive together; Unknown where there were no such I/Os."""

    both: DataColumns | Unknown
    """Reads and writes."""
    read: DataColumns | Unknown
    write: DataColumns | Unknown
    index_min: float | Unknown
    """UL's formula with MB/s and seconds, which is no less than this.

    Single I/Os are not kept, so that of the busy time only a bound is known: neither more than all of the time nor more than all access
    times one after the other.
    """
    phases: tuple[PhaseColumns, ...]
    """In their order in time; none of a run that is no such test."""


def published_columns(replays: Sequence[TraceReplay]) -> PublishedColumns:
    """Distributions are added up, so that each I/O counts the same."""
    return PublishedColumns(
        both=_columns(replays, (Direction.READ, Direction.WRITE)),
        read=_columns(replays, (Direction.READ,)),
        write=_columns(replays, (Direction.WRITE,)),
        index_min=_index_min(replays),
        phases=tuple(_phases(replays)),
    )


def _phases(replays: Sequence[TraceReplay]) -> Iterator[PhaseColumns]:
    both = (Direction.READ, Direction.WRITE)
    for phase in ConsistencyPhase:
        rounds: dict[int, list[TraceReplay]] = {}
        for one in replays:
            if one.round_of is not None and one.round_of.phase is phase:
                rounds.setdefault(one.round_of.number, []).append(one)
        if not rounds:
            continue
        each = [_columns(of_round, both) for of_round in rounds.values()]
        known = [one for one in each if not isinstance(one, Unknown)]
        yield PhaseColumns(
            phase=phase,
            rounds=len(rounds),
            both=_columns([one for of_round in rounds.values() for one in of_round], both),
            slowest_round=min(known, key=lambda one: one.data_rate_bytes_per_s, default=each[0]),
        )


def _columns(replays: Sequence[TraceReplay], directions: Sequence[Direction]) -> DataColumns | Unknown:
    latency = _latency(replays, directions)
    if isinstance(latency, Unknown):
        return latency
    moved_bytes = sum(one.io_bytes.get(direction, 0) for one in replays for direction in directions)
    elapsed_ns = sum(one.elapsed_ns for one in replays)
    return DataColumns(moved_bytes / elapsed_ns * NS_PER_S, latency.mean_ns, latency_percentile_ns(latency, "99"))


def _latency(replays: Sequence[TraceReplay], directions: Sequence[Direction]) -> Histogram | Unknown:
    found = [one.latency[direction] for one in replays for direction in directions if direction in one.latency]
    if not any(one.total for one in found):
        return Unknown(message("unknown-score-no-such-ios"))
    return merged(found)


def _index_min(replays: Sequence[TraceReplay]) -> float | Unknown:
    latency = _latency(replays, (Direction.READ, Direction.WRITE))
    if isinstance(latency, Unknown):
        return latency
    busy_ns_max = sum(min(one.elapsed_ns, _access_ns(one)) for one in replays)
    if not busy_ns_max:
        return Unknown(message("unknown-score-no-access-time"))
    moved_bytes = sum(count for one in replays for count in one.io_bytes.values())
    bandwidth_mb_per_s = moved_bytes / busy_ns_max * NS_PER_S / _MB
    return sqrt(bandwidth_mb_per_s / (latency.mean_ns / NS_PER_S))


def _access_ns(replay: TraceReplay) -> float:
    """All access times one after the other."""
    return sum(one.total * one.mean_ns for one in replay.latency.values())
