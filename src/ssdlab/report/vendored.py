"""uPlot, the chart library for zooming: put into this package at set-up time, pasted into each page."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.errors import SsdlabError
from ssdlab.message import message

DIRECTORY = Path(__file__).parent / "vendor"


class VendorMissingError(SsdlabError):
    """The chart library was not fetched."""


@dataclass(frozen=True, slots=True)
class ChartLibrary:
    """Everything of uPlot a page needs."""

    script: str
    style: str
    licence: str


def chart_library(directory: Path = DIRECTORY) -> ChartLibrary:
    """Read uPlot.

    Raises:
        VendorMissingError: A file is not there.
    """
    try:
        return ChartLibrary(
            script=(directory / "uPlot.iife.min.js").read_text(encoding="utf-8"),
            style=(directory / "uPlot.min.css").read_text(encoding="utf-8"),
            licence=(directory / "LICENSE").read_text(encoding="utf-8").strip(),
        )
    except FileNotFoundError as error:
        raise VendorMissingError(
            message("report-no-charts", file=str(error.filename)), message("report-hint-setup")
        ) from error
