"""The figures of anyone's logs, without a bundle."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.log.file import LogError, LogKind
from ssdlab.analysis.log.heat import LogHeat
from ssdlab.analysis.log.series import DirectionSeries, LogSeries
from ssdlab.analysis.log.tail import Known, LogTail
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.axis import axis_title, log_title
from ssdlab.figure.kit.heat_map import HeatPart, HeatWords, heat_map_figure, length_text
from ssdlab.figure.kit.model import AxisScale, Figure
from ssdlab.figure.kit.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.kit.say import first_upper, listed, say
from ssdlab.figure.kit.subject import direction_message
from ssdlab.figure.kit.tail import CURVES_MAX, TailCurve, TailWords, curve_of_bins, curve_of_percentiles, tail_figure
from ssdlab.message import Listed, Message, Separator, commas, message, number, verbatim
from ssdlab.units import MIB, NS_PER_MS

TIME = message("figure-time-since-log")
_SLOTS = {Direction.READ: 1, Direction.WRITE: 2, Direction.TRIM: 3}
_WORDS = {
    LogKind.LATENCY: message("figure-latency"),
    LogKind.COMPLETION_LATENCY: message("figure-completion-latency"),
    LogKind.SUBMISSION_LATENCY: message("figure-submission-latency"),
    LogKind.BANDWIDTH: message("figure-bandwidth"),
    LogKind.IOPS: verbatim("IOPS"),
}


def log_tail_figure(tails: Sequence[LogTail]) -> Figure:
    """Latency by percentile, a line for each file and direction.

    Raises:
        LogError: There is nothing to draw, or more lines than a reader can tell apart.
    """
    drawn = [one for one in tails if one.io_count > 10]
    if not drawn:
        raise LogError(message("figure-no-percentile"))
    if len(drawn) > CURVES_MAX:
        raise LogError(
            message("figure-too-many-lines", count=len(drawn)), message("figure-hint-fewer-logs", most=CURVES_MAX)
        )
    kinds = {one.kind for one in drawn}
    words = TailWords(
        name="tail",
        title=say(message("figure-log-tail-title")),
        subtitle=(say(_precision(drawn)), say(message("figure-log-tail-hint"))),
        caption=say(message("figure-log-tail-caption")),
        latency=_WORDS[kinds.pop()] if len(kinds) == 1 else message("figure-latency"),
    )
    return tail_figure([_curve(one, label) for one, label in zip(drawn, _labels(drawn), strict=True)], words)


def log_series_figure(logs: Sequence[LogSeries]) -> Figure:
    """Rates and latencies over time, one plot each.

    Raises:
        LogError: No value is known.
    """
    plots = _plots(logs)
    if not plots:
        raise LogError(message("figure-logs-short"))
    names = tuple(dict.fromkeys(name for one in logs for name in one.names))
    lengths = sorted({one.window_ms for one in logs})
    windows = Listed(tuple(length_text(length * NS_PER_MS) for length in lengths), Separator.AND)
    first = message("figure-log-windows", files=_files(names), windows=windows)
    has_peaks = any(line.largest is not None for plot in plots for line in plot.lines)
    return over_time_figure(
        plots,
        OverTimeWords(
            name="series",
            title=_series_title(plots),
            subtitle=(say(message("figure-log-peaks", windows=first) if has_peaks else first),),
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
        raise LogError(message("figure-logs-empty"))
    kinds = {one.kind for one in heats}
    several = len(kinds) > 1
    total = sum(int(one.windows.count.sum()) for one in heats)
    names = tuple(dict.fromkeys(name for one in heats for name in one.names))
    words = HeatWords(
        name="heatmap",
        title=say(message("figure-log-heat-title")),
        subtitle=(_heat_subtitle(_files(names), total, heats),),
        caption="",
        latency=_WORDS[heats[0].kind],
        time=TIME,
    )
    parts = [
        HeatPart(
            _heat_title(one) if several else direction_message(one.direction),
            one.windows,
            one.bins_merged,
        )
        for one in heats
    ]
    return heat_map_figure(parts, words)


def _heat_title(heat: LogHeat) -> Message:
    return message("listed", items=commas(direction_message(heat.direction), _WORDS[heat.kind]))


def _heat_subtitle(files: str, total: int, heats: Sequence[LogHeat]) -> str:
    parts = [files, say(message("figure-log-ios", count=number(total)))]
    parts += [say(direction_message(heats[0].direction))] if len(heats) == 1 else []
    return " · ".join(parts)


def _precision(tails: Sequence[LogTail]) -> Message:
    """How many I/Os, and how exactly they are known."""
    count = number(sum(one.io_count for one in tails))
    known = {one.known for one in tails}
    if known == {Known.PERCENT}:
        return message("figure-log-every-one", count=count)
    if known == {Known.BIN}:
        return message("figure-log-in-bins", count=count)
    return message("figure-log-some-in-bins", count=count)


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
        parts += [say(direction_message(one.direction))] if len(directions) > 1 else []
        parts += [one.kind.value] if len(kinds) > 1 else []
        labels.append(listed(parts))
    return labels


def _files(names: Sequence[str]) -> str:
    first = Path(names[0]).name
    return first if len(names) == 1 else say(message("figure-files-and-more", file=first, count=len(names) - 1))


def _plots(logs: Sequence[LogSeries]) -> list[OverTimePlot]:
    """IOPS and bandwidth from the first kind that has them, a rate log before others, and every latency."""
    rates_first = sorted(logs, key=lambda one: one.kind not in {LogKind.IOPS, LogKind.BANDWIDTH})
    plots = [
        _first_plot(rates_first, verbatim("IOPS"), "IOPS", "iops", 1.0),
        _first_plot(
            rates_first,
            message("figure-bandwidth"),
            axis_title(message("figure-bandwidth"), "MiB/s"),
            "bandwidth_bytes_per_s",
            float(MIB),
        ),
        *(_latency_plot(one) for one in logs),
    ]
    return [plot for plot in plots if plot is not None]


def _first_plot(
    logs: Sequence[LogSeries], title: Message, y_title: str, column: str, factor: float
) -> OverTimePlot | None:
    for log in logs:
        lines = tuple(
            _line(log, one, getattr(one, column) / factor)
            for one in log.directions
            if getattr(one, column) is not None and np.isfinite(getattr(one, column)).any()
        )
        if lines:
            return OverTimePlot(title, y_title, AxisScale.LINEAR, lines)
    return None


def _latency_plot(log: LogSeries) -> OverTimePlot | None:
    lines = tuple(
        _line(log, one, one.latency_ns_mean, one.latency_ns_max)
        for one in log.directions
        if one.latency_ns_mean is not None and (one.latency_ns_mean > 0).any()
    )
    words = _WORDS[log.kind]
    return OverTimePlot(words, log_title(words), AxisScale.LOG, lines) if lines else None


def _line(
    log: LogSeries, one: DirectionSeries, value: NDArray[np.float64], largest: NDArray[np.float64] | None = None
) -> OverTimeLine:
    middle_ns = np.asarray((np.arange(len(value)) + 0.5) * log.window_ms * NS_PER_MS, dtype=np.float64)
    return OverTimeLine(say(direction_message(one.direction)), _SLOTS[one.direction], middle_ns, value, largest)


def _series_title(plots: Sequence[OverTimePlot]) -> str:
    titles = Listed(tuple(plot.title for plot in plots), Separator.AND)
    return first_upper(say(message("figure-over-time", what=titles)))
