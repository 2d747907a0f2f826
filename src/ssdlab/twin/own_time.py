"""What was measured of a drive that drifts, as it was on the drive's own clock; and what a twin did on its own, as the host sees it."""

from dataclasses import replace

import numpy as np

from ssdlab import _core
from ssdlab.engine.result import Histogram, Series
from ssdlab.twin.acts import Act
from ssdlab.twin.drift import EVEN, Clock
from ssdlab.twin.seen import PointSeen


def act_in_own_time(act: Act, clock: Clock) -> Act:
    """An act with what was seen of it as if the drive had kept its first speed."""
    if act.seen is None or clock == EVEN:
        return act
    seen, when, pace = act.seen, act.seen.written_ns, clock.pace(act.dipped)
    if when is not None:
        return replace(act, seen=replace(seen, written_ns=pace * clock.own_since(act.begin_ns, when)))
    return replace(act, seen=_faster(seen, 1 / clock.speed(act.begin_ns), 1 / pace))


def seen_by_host(act: Act, seen: PointSeen, clock: Clock) -> PointSeen:
    """What a drive did in its own time, as it looks when it is done at the time of that act."""
    if clock == EVEN:
        return seen
    pace = clock.pace(act.dipped)
    if seen.written_ns is not None:
        return replace(seen, written_ns=clock.host_since(act.begin_ns, seen.written_ns / pace))
    return _faster(seen, clock.speed(act.begin_ns), pace)


def series_in_own_time(series: Series, begin_ns: float, clock: Clock) -> Series:
    """A series that begins at that time of its run; its windows are no longer of one length."""
    if clock == EVEN:
        return series
    own = np.round(clock.own_since(begin_ns, series.time_ns.astype(np.float64))).astype(np.int64)
    # A drive that slows down to a tenth has windows of a tenth; none is empty.
    longer = np.maximum(np.diff(own, prepend=np.int64(0)), 1)
    share = longer / np.maximum(series.duration_ns, 1)
    return replace(
        series,
        window_ns=max(1, round(series.window_ns * float(np.median(share)))),
        time_ns=np.cumsum(longer),
        bandwidth_bytes_per_s=series.bandwidth_bytes_per_s / share,
        iops=series.iops / share,
        latency_ns_mean=series.latency_ns_mean * share,
        latency_ns_max=series.latency_ns_max * share,
    )


def histogram_in_own_time(histogram: Histogram, host_ns: float, clock: Clock) -> Histogram:
    """Latencies at that time of a run."""
    if clock == EVEN or histogram.total == 0:
        return histogram
    return longer(histogram, clock.speed(host_ns))


def longer(histogram: Histogram, factor: float) -> Histogram:
    """All latencies times a factor."""
    bins = np.array([_core.bin_index(max(0, round(_core.bin_mid(int(one)) * factor))) for one in histogram.bin_index])
    kept, places = np.unique(bins, return_inverse=True)
    count = np.bincount(places, weights=histogram.count).astype(histogram.count.dtype)
    return Histogram(
        bin_index=kept.astype(histogram.bin_index.dtype),
        count=count,
        mean_ns=histogram.mean_ns * factor,
        min_ns=round(histogram.min_ns * factor),
        max_ns=round(histogram.max_ns * factor),
        stddev_ns=histogram.stddev_ns * factor,
    )


def _faster(seen: PointSeen, factor: float, pace: float) -> PointSeen:
    """Latencies are those of I/Os that were not in dips, or already have theirs."""
    iops = {direction: rate * factor * pace for direction, rate in seen.iops.items()}
    latency = {
        direction: {name: value / factor for name, value in found.items()}
        for direction, found in seen.latency_ns.items()
    }
    return replace(seen, iops=iops, latency_ns=latency)
