"""The figures of anyone's logs, without a bundle."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.log_file import LogError, LogKind
from ssdlab.analysis.log_heat import LogHeat
from ssdlab.analysis.log_series import DirectionSeries, LogSeries
from ssdlab.analysis.log_tail import Known, LogTail
from ssdlab.engine.result import Direction
from ssdlab.figure.heat_map import HeatPart, HeatWords, heat_map_figure, length_text
from ssdlab.figure.model import Figure, Scale
from ssdlab.figure.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.tail import CURVES_MAX, TailCurve, TailWords, curve_of_bins, curve_of_percentiles, tail_figure
from ssdlab.units import MIB, NS_PER_MS

TIME = "since the log began"
_SLOTS = {Direction.READ: 1, Direction.WRITE: 2, Direction.TRIM: 3}
_WORDS = {
    LogKind.LATENCY: "latency",
    LogKind.COMPLETION_LATENCY: "completion latency",
    LogKind.SUBMISSION_LATENCY: "submission latency",
    LogKind.BANDWIDTH: "bandwidth",
    LogKind.IOPS: "IOPS",
}


def log_tail_figure(tails: Sequence[LogTail]) -> Figure:
    """Latency by percentile, a line for each file and direction.

    Raises:
        LogError: There is nothing to draw, or more lines than a reader can tell apart.
    """
    drawn = [one for one in tails if one.io_count > 10]
    if not drawn:
        raise LogError("no log has more than ten I/Os, so there is no percentile to draw")
    if len(drawn) > CURVES_MAX:
        raise LogError(
            f"{len(drawn)} lines are more than a reader can tell apart", f"give logs with at most {CURVES_MAX}"
        )
    kinds = {one.kind for one in drawn}
    words = TailWords(
        name="tail",
        title="Latency by percentile",
        subtitle=(
            f"{_io_count(drawn)}, {_precision(drawn)}",
            "Each step up is ten times rarer: at 99.9, 1 I/O in 1,000 was slower",
        ),
        caption="Percentiles with fewer than ten I/Os above them are not drawn.",
        latency=_WORDS[kinds.pop()] if len(kinds) == 1 else "latency",
    )
    return tail_figure([_curve(one, label) for one, label in zip(drawn, _labels(drawn), strict=True)], words)


def log_series_figure(logs: Sequence[LogSeries]) -> Figure:
    """Rates and latencies over time, one plot each.

    Raises:
        LogError: No value is known.
    """
    plots = _plots(logs)
    if not plots:
        raise LogError("these logs are too short: no window is whole, and there are no latencies")
    names = tuple(dict.fromkeys(name for one in logs for name in one.names))
    lengths = sorted({one.window_ms for one in logs})
    windows = " and ".join(length_text(length * NS_PER_MS) for length in lengths)
    return over_time_figure(
        plots,
        OverTimeWords(
            name="series",
            title=_series_title(plots),
            subtitle=(f"{_files(names)} · windows of {windows}{_peaks_note(plots)}",),
            caption="",
            time=TIME,
        ),
        max(one.end_ms for one in logs) * NS_PER_MS,
    )


def log_heat_figure(heats: Sequence[LogHeat]) -> Figure:
    """Latency over time with the number of I/Os as colour, a plot for each direction.

    Raises:
        LogError: The logs are empty.
    """
    if not heats:
        raise LogError("these logs are empty")
    kinds = {one.kind for one in heats}
    several = len(kinds) > 1
    total = sum(int(one.windows.count.sum()) for one in heats)
    names = tuple(dict.fromkeys(name for one in heats for name in one.names))
    words = HeatWords(
        name="heatmap",
        title="Latency over time, every I/O",
        subtitle=(f"{_files(names)} · {total:,} I/Os{_only_direction(heats)}",),
        caption="",
        latency=_WORDS[heats[0].kind],
        time=TIME,
    )
    parts = [
        HeatPart(
            f"{one.direction.value}, {_WORDS[one.kind]}" if several else one.direction.value,
            one.windows,
            one.bins_merged,
        )
        for one in heats
    ]
    return heat_map_figure(parts, words)


def _only_direction(heats: Sequence[LogHeat]) -> str:
    return f" · {heats[0].direction.value}" if len(heats) == 1 else ""


def _io_count(tails: Sequence[LogTail]) -> str:
    return f"{sum(one.io_count for one in tails):,} I/Os"


def _precision(tails: Sequence[LogTail]) -> str:
    known = {one.known for one in tails}
    if known == {Known.PERCENT}:
        return "every one logged"
    return (
        "counted in fio's bins (0.8 %)"
        if known == {Known.BIN}
        else "logged one by one, or counted in fio's bins (0.8 %)"
    )


def _curve(tail: LogTail, label: str) -> TailCurve:
    if tail.known is Known.PERCENT:
        at, value = tail.at.astype(np.float64), tail.value.astype(np.float64)
        return curve_of_percentiles(label, tail.iops, at, value)
    return curve_of_bins(label, tail.iops, tail.at.astype(np.int64), tail.value.astype(np.int64))


def _labels(tails: Sequence[LogTail]) -> list[str]:
    """The shortest that tell all lines apart: file, then direction and kind where they differ."""
    paths = [one.path for one in tails]
    short = len({path.name for path in paths}) == len(set(paths))
    directions, kinds = {one.direction for one in tails}, {one.kind for one in tails}
    labels = []
    for one in tails:
        parts = [one.path.name if short else str(one.path)]
        parts += [one.direction.value] if len(directions) > 1 else []
        parts += [one.kind.value] if len(kinds) > 1 else []
        labels.append(", ".join(parts))
    return labels


def _files(names: Sequence[str]) -> str:
    first = Path(names[0]).name
    return first if len(names) == 1 else f"{first} and {len(names) - 1} more"


def _plots(logs: Sequence[LogSeries]) -> list[OverTimePlot]:
    """IOPS and bandwidth from the first kind that has them, a rate log before others, and every latency."""
    rates_first = sorted(logs, key=lambda one: one.kind not in {LogKind.IOPS, LogKind.BANDWIDTH})
    plots = [
        _first_plot(rates_first, "IOPS", "IOPS", "iops", 1.0),
        _first_plot(rates_first, "bandwidth", "bandwidth (MiB/s)", "bandwidth_bytes_per_s", float(MIB)),
        *(_latency_plot(one) for one in logs),
    ]
    return [plot for plot in plots if plot is not None]


def _first_plot(
    logs: Sequence[LogSeries], title: str, axis_title: str, column: str, factor: float
) -> OverTimePlot | None:
    for log in logs:
        lines = tuple(
            _line(log, one, getattr(one, column) / factor)
            for one in log.directions
            if getattr(one, column) is not None and np.isfinite(getattr(one, column)).any()
        )
        if lines:
            return OverTimePlot(title, axis_title, Scale.LINEAR, lines)
    return None


def _latency_plot(log: LogSeries) -> OverTimePlot | None:
    lines = tuple(
        _line(log, one, one.latency_ns_mean, one.latency_ns_max)
        for one in log.directions
        if one.latency_ns_mean is not None and np.isfinite(one.latency_ns_mean).any()
    )
    words = _WORDS[log.kind]
    return OverTimePlot(words, f"{words} (log scale)", Scale.LOG, lines) if lines else None


def _line(
    log: LogSeries, one: DirectionSeries, value: NDArray[np.float64], largest: NDArray[np.float64] | None = None
) -> OverTimeLine:
    middle_ns = np.asarray((np.arange(len(value)) + 0.5) * log.window_ms * NS_PER_MS, dtype=np.float64)
    return OverTimeLine(one.direction.value, _SLOTS[one.direction], middle_ns, value, largest)


def _series_title(plots: Sequence[OverTimePlot]) -> str:
    titles = [plot.title for plot in plots]
    named = titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
    return f"{named[0].upper()}{named[1:]} over time"


def _peaks_note(plots: Sequence[OverTimePlot]) -> str:
    has_peaks = any(line.largest is not None for plot in plots for line in plot.lines)
    return " · latency: mean, and thin the slowest I/O of each window" if has_peaks else ""
