"""What other programs measured, as the texts of a section of the page: where numbers come from, what to be wary of, all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.imported import ImportedRun
from ssdlab.figure.imported_drives import import_name
from ssdlab.figure.readings import FAILED_MARK
from ssdlab.report.drive_facts import words
from ssdlab.report.metric_tables import metric_row
from ssdlab.report.view import CheckRow, Facts, check_rows
from ssdlab.units import format_bytes_decimal
from ssdlab.unknown import Unknown

TABLE_ROWS_MAX = 40
"""A longer table is folded."""


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A number of one result."""

    text: str
    exact: str
    """As in `metrics.json`; empty where there is none."""
    tip: str


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One number of all results."""

    name: str
    cells: tuple[NumberCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSection:
    """The results of one program, but for its figures."""

    id: str
    program: str
    headline: str
    cautions: tuple[str, ...]
    facts: tuple[Facts, ...]
    """Of each result."""
    names: tuple[str, ...]
    """Of the results, in the order of the cells."""
    rows: tuple[NumberRow, ...]
    checks: tuple[CheckRow, ...]

    @property
    def folded(self) -> bool:
        """Whether the table of numbers is too long to stand open."""
        return len(self.rows) > TABLE_ROWS_MAX


def import_headline(run: ImportedRun) -> str:
    """Title of a result: `Lab PM1 1TB: CrystalDiskMark`."""
    return f"{import_name(run)}: {run.info.program}"


def import_section(number: int, runs: Sequence[ImportedRun]) -> ImportSection:
    """The results of one program beside each other."""
    program = runs[0].info.program
    metrics = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    names = tuple(_result_names(runs))
    return ImportSection(
        id=f"import{number}",
        program=program,
        headline=import_headline(runs[0]) if len(runs) == 1 else f"{program}, {len(runs)} results",
        cautions=tuple(import_cautions(runs)),
        facts=tuple(Facts(name, tuple(import_facts(run))) for name, run in zip(names, runs, strict=True)),
        names=names,
        rows=tuple(NumberRow(name, tuple(_cell(run, name) for run in runs)) for name in metrics),
        checks=tuple(row for run in runs for row in check_rows(run)),
    )


def import_cautions(runs: Sequence[ImportedRun]) -> Iterator[str]:
    """What must be known of the program's ways, and that results were not measured alike."""
    methods = dict.fromkeys(run.info.method for run in runs)
    if len(methods) > 1:
        yield f"not measured alike: {'; '.join(methods)}"
    yield from dict.fromkeys(caution for run in runs for caution in run.info.cautions)


def import_facts(run: ImportedRun) -> Iterator[tuple[str, str]]:
    """Where a result comes from: names and values."""
    info, drive = run.info, run.info.drive
    yield "Program", program_words(info.program, info.program_version)
    yield "Method", info.method
    yield "Model", words(drive.model)
    yield "Serial number", words(drive.serial)
    yield "Firmware", words(drive.firmware)
    yield "Capacity", words(drive.capacity_bytes, format_bytes_decimal)
    yield "In use", words(drive.fill_percent, lambda percent: f"{percent:g} %")
    yield "Measured", words(info.measured_at)
    yield "Host", words(info.host)
    yield "Imported", info.imported_at
    yield "Files", ", ".join(f"{one.name} (SHA-256 {one.sha256[:12]}…)" for one in info.originals[:_FILES_NAMED])
    if len(info.originals) > _FILES_NAMED:
        yield "Files in all", f"{len(info.originals):,}"


_FILES_NAMED = 4


def program_words(program: str, version: str | Unknown) -> str:
    """A program with its version: `KDiskMark 3.2.0`."""
    return f"{program}, version {words(version)}" if isinstance(version, Unknown) else f"{program} {version}"


def _result_names(runs: Sequence[ImportedRun]) -> Iterator[str]:
    """The drive, with how full it was where one stands there several times."""
    names = [import_name(run) for run in runs]
    for name, run in zip(names, runs, strict=True):
        fill = run.info.drive.fill_percent
        several = names.count(name) > 1
        yield f"{name}, {words(fill, lambda percent: f'{percent:g} % full')}" if several else name


def _cell(run: ImportedRun, name: str) -> NumberCell:
    metric = next((one for one in run.metrics if one.name == name), None)
    if metric is None:
        return NumberCell("not measured", "", "")
    row = metric_row(metric)
    mark = f" {FAILED_MARK}" if row.failed_checks else ""
    failed = f"failed {', '.join(row.failed_checks)}" if row.failed_checks else ""
    return NumberCell(f"{row.value}{mark}", row.exact, "; ".join(text for text in (row.note, failed) if text))
