"""Sentences and limits the figures of a long series share."""

from collections.abc import Sequence

from ssdlab.figure.kit.passes import FillPass, window_text
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.style import PlotShape
from ssdlab.message import commas, message, number

TABLE_ROWS = 40
"""Rows of a figure's table a pass: enough to see the shape, few enough to read."""

LONG_LIMIT = 40_000
"""Points a line of a zoomable chart may have: 1 h of 100 ms windows untouched, and a page of at most a few MB."""


def band_note(passes: tuple[FillPass, ...], shape: PlotShape) -> str:
    """What line and band are."""
    if max(len(one.series.time_ns) for one in passes) <= shape.columns // 2:
        return say(message("figure-point-a-window", window=window_text(passes)))
    return say(message("figure-band-whole", window=window_text(passes)))


def table_note(passes: Sequence[FillPass]) -> str:
    """What a row of the table is."""
    windows = sum(len(one.series.time_ns) for one in passes)
    window = window_text(tuple(passes))
    return say(message("figure-table-windows", windows=number(windows), window=window, rows=TABLE_ROWS))


def long_note(passes: Sequence[FillPass]) -> str:
    """Whether a zoomable chart shows every window."""
    windows = max(len(one.series.time_ns) for one in passes)
    window = window_text(tuple(passes))
    if windows <= LONG_LIMIT:
        return say(message("figure-every-window-of", window=window))
    return say(message("figure-slices-of-a-pass", window=window, slices=number(LONG_LIMIT // 2)))


def with_iops(line: str, iops: float) -> str:
    """What a legend says of a line whose rate matters: `Drive: 12,345 IOPS`."""
    return f"{line}: {iops:,.0f} IOPS"


def missing_note(drives: Sequence[str]) -> str:
    """Which drives have no value; empty where all have one."""
    return say(message("figure-no-value", drives=commas(*drives))) if drives else ""


def three_digits(value: float) -> str:
    """A cell of a table: three digits, so that a column of like values lines up."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{decimals}f}"
