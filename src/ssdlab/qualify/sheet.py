"""Qualified drives as CSV: a row for each number held against a limit, and for each by which a drive is odd."""

from collections.abc import Iterator

from ssdlab.qualify.batch import OddNumber
from ssdlab.qualify.judge import JudgedNumber
from ssdlab.qualify.qualification import Qualification, QualifiedDrive
from ssdlab.report.figure_csv import words_cell, written
from ssdlab.unknown import Unknown

COLUMNS = (
    "serial", "model", "firmware", "capacity_bytes", "verdict", "metric", "unit", "value", "interval_low", "interval_high",
    "suite", "profile", "limit", "bound", "margin_percent", "outcome", "reason", "failed_checks", "ratio_to_median", "deviations", "runs",
)  # fmt: skip
"""Of the sheet. Numbers are in the units of metrics, as `ssdlab show --json` has them."""


def sheet(found: Qualification) -> str:
    """The sheet, the worst drive first."""
    rows = (row for one in found.drives for row in _rows(one))
    return first_line() + written([row.get(name, "") for name in COLUMNS] for row in rows)


def first_line() -> str:
    """What every sheet begins with, and nobody else's file."""
    return written([COLUMNS])


def _rows(one: QualifiedDrive) -> Iterator[dict[str, str]]:
    drive = _of_drive(one)
    for judged in one.judged.numbers:
        yield drive | _of_judged(judged)
    for odd in one.odd:
        yield drive | _of_odd(odd)


def _of_drive(one: QualifiedDrive) -> dict[str, str]:
    entry = one.drive.first
    capacity = entry.drive.capacity_bytes
    return {
        "serial": _known(one.serial),
        "model": words_cell(entry.drive.model),
        "firmware": _known(entry.firmware),
        "capacity_bytes": str(capacity) if isinstance(capacity, int) else "",
        "verdict": one.verdict.value,
        "runs": words_cell(" ".join(run.name for run in one.drive.entries)),
    }


def _known(text: str | Unknown) -> str:
    return "" if isinstance(text, Unknown) else words_cell(text)


def _of_judged(one: JudgedNumber) -> dict[str, str]:
    limit = one.limit
    cells = {
        "metric": words_cell(one.metric),
        "unit": one.unit,
        "suite": words_cell(limit.suite),
        "profile": words_cell(limit.profile),
        "limit": limit.side.value,
        "bound": f"{one.bound:.12g}",
        "margin_percent": "" if isinstance(one.margin, Unknown) else f"{100 * one.margin:.3f}",
        "outcome": one.verdict.value,
        "failed_checks": " ".join(one.failed_checks),
    }
    if isinstance(one.number, Unknown):
        return cells | {"reason": words_cell(str(one.number.reason))}
    low, high = one.number.interval or (None, None)
    return cells | {
        "value": f"{one.number.median:.12g}",
        "interval_low": "" if low is None else f"{low:.12g}",
        "interval_high": "" if high is None else f"{high:.12g}",
    }


def _of_odd(odd: OddNumber) -> dict[str, str]:
    return {
        "metric": words_cell(odd.key.name),
        "unit": odd.unit,
        "value": f"{odd.value:.12g}",
        "outcome": "odd",
        "ratio_to_median": f"{odd.ratio:.6g}",
        "deviations": f"{odd.deviations:.4g}",
    }
