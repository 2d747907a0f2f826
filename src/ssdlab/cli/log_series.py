"""A series of `ssdlab log --window`, as a table and for programs."""

from typing import TYPE_CHECKING, Any

from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say
from ssdlab.message import message, number

if TYPE_CHECKING:
    from ssdlab.analysis.log.series import DirectionSeries, LogSeries

_ABSENT = "-"
_COLUMNS = (
    ("iops", "IOPS", 1.0, 0),
    ("bandwidth_bytes_per_s", "MiB/s", float(1024**2), 1),
    ("latency_ns_mean", "mean µs", 1000.0, 3),
    ("latency_ns_max", "largest µs", 1000.0, 3),
)
"""Attribute of a series, title, how many of its unit make one of the title's, decimals."""


def print_series(series: "LogSeries") -> None:
    """Print a row for each window, `-` for what is not known in it."""
    columns = [_column(one, *column) for one in series.directions for column in _COLUMNS]
    shown = [one for one in columns if one]
    say(message("log-in-windows", kind=series.kind.value, window_ms=number(series.window_ms)))
    count = max((len(one) - 1 for one in shown), default=0)
    times = ["from ms", *(f"{number * series.window_ms:,}" for number in range(count))]
    head, *rows = zip(times, *shown, strict=True)
    for line in table_lines(head, rows, [Alignment.RIGHT] * len(head)):
        say(line)


def _column(one: "DirectionSeries", name: str, title: str, divisor: float, decimals: int) -> list[str]:
    """Title and cells; nothing if no window has a value."""
    import numpy as np

    values = getattr(one, name)
    if values is None or not np.isfinite(values).any():
        return []
    cells = [f"{value / divisor:,.{decimals}f}" if np.isfinite(value) else _ABSENT for value in values]
    return [f"{one.direction.value} {title}", *cells]


def series_fields(series: "LogSeries") -> dict[str, Any]:
    """The same for programs: a list a value, null in a window in which it is not known."""
    return {
        "window_ms": series.window_ms,
        **{one.direction.value: _direction_fields(one) for one in series.directions},
    }


def _direction_fields(one: "DirectionSeries") -> dict[str, list[float | None]]:
    import numpy as np

    fields = {}
    for name, _, _, _ in _COLUMNS:
        values = getattr(one, name)
        if values is not None:
            fields[name] = [float(value) if np.isfinite(value) else None for value in values]
    return fields
