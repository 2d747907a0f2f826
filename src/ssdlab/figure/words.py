"""Sentences and limits the figures of a long series share."""

from collections.abc import Sequence

from ssdlab.figure.fill import FillPass, window_text
from ssdlab.figure.style import Shape

TABLE_ROWS = 40
"""Rows of a figure's table a pass: enough to see the shape, few enough to read."""

LONG_LIMIT = 40_000
"""Points a line of a zoomable chart may have: 1 h of 100 ms windows untouched, and a page of at most a few MB."""


def band_note(passes: tuple[FillPass, ...], shape: Shape) -> str:
    """What line and band are."""
    if max(len(one.series.time_ns) for one in passes) <= shape.columns // 2:
        return f"One point a {window_text(passes)} window."
    return f"Line: mean; band: slowest to fastest {window_text(passes)} window, none left out."


def table_note(passes: Sequence[FillPass]) -> str:
    """What a row of the table is."""
    windows = sum(len(one.series.time_ns) for one in passes)
    return f"{windows:,} windows of {window_text(tuple(passes))} summed up in at most {TABLE_ROWS} rows a pass"


def long_note(passes: Sequence[FillPass]) -> str:
    """Whether a zoomable chart shows every window."""
    windows = max(len(one.series.time_ns) for one in passes)
    if windows <= LONG_LIMIT:
        return f"every {window_text(tuple(passes))} window"
    slices = LONG_LIMIT // 2
    return f"slowest and fastest {window_text(tuple(passes))} window of each of {slices:,} slices of a pass"


def three_digits(value: float) -> str:
    """A cell of a table: three digits, so that a column of like values lines up."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{decimals}f}"
