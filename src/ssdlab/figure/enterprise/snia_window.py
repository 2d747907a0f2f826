"""The measurement window of SNIA PTS: what the method asks to be printed of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from ssdlab.analysis.infer.snia import SniaWindow
from ssdlab.analysis.infer.steady import SNIA_EXCURSION_MAX, SNIA_ROUNDS, SNIA_SPREAD_MAX
from ssdlab.figure.kit.model import Cell, FigureTable
from ssdlab.figure.kit.readings import SpeedUnit
from ssdlab.figure.kit.say import column, say
from ssdlab.job import DriveState
from ssdlab.message import message, number


@dataclass(frozen=True, slots=True)
class ToldWindow:
    """The last five rounds of what is tracked."""

    tracked: str
    last: int
    """Number of the last of them; the first round of the run is 1."""
    window: SniaWindow
    """In the unit of metrics."""


def window_caption(rounds: int, state: DriveState) -> str:
    """Whether the last five rounds were steady, and what that means."""
    if rounds < SNIA_ROUNDS:
        return say(message("figure-rounds-too-few", rounds=rounds))
    spread, excursion = number(SNIA_SPREAD_MAX, ".0%"), number(SNIA_EXCURSION_MAX, ".0%")
    first = rounds - SNIA_ROUNDS + 1
    if state is DriveState.STEADY:
        return say(message("figure-rounds-steady", first=first, last=rounds, spread=spread, excursion=excursion))
    return say(message("figure-rounds-not-steady", first=first, last=rounds, spread=spread, excursion=excursion))


def window_table(windows: Iterable[ToldWindow], unit: SpeedUnit) -> FigureTable:
    """A row for each; rounds of the line count from the first of the run."""
    label = unit.label
    columns = (
        column(message("figure-column-cell")),
        column(message("figure-column-rounds")),
        column(message("figure-column-average"), label),
        column(message("figure-column-window-range-allowed"), label),
        column(message("figure-column-window-range"), label),
        column(message("figure-column-excursion-allowed"), label),
        column(message("figure-column-excursion"), label),
        column(message("figure-column-best-line"), label),
    )
    return FigureTable(say(message("figure-table-window")), columns, tuple(_row(one, unit.factor) for one in windows))


def _row(told: ToldWindow, factor: float) -> tuple[Cell, ...]:
    window, first = told.window, told.last - SNIA_ROUNDS + 1
    at_zero = window.intercept - window.slope * first
    return (
        told.tracked,
        f"{first}..{told.last}",
        f"{window.mean / factor:,.1f}",
        f"{SNIA_SPREAD_MAX * window.mean / factor:,.1f}",
        f"{window.spread / factor:,.1f}",
        f"{SNIA_EXCURSION_MAX * window.mean / factor:,.1f}",
        f"{window.excursion / factor:,.1f}",
        f"{window.slope / factor:+,.4g} R {at_zero / factor:+,.4g}",
    )
