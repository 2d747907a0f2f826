"""What other programs measured, as the texts of a section of the page: where numbers come from, what to be wary of, all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.publication import PrivateKind
from ssdlab.figure.imported.drives import import_name
from ssdlab.message import Message, as_written, commas, listed, message, number, semicolons, verbatim
from ssdlab.report.drive_facts import Row, Shown, whose, words
from ssdlab.report.metric_tables import in_decimal, marked, metric_row, tip_of
from ssdlab.report.view import CheckRow, FactTable, check_rows
from ssdlab.units import format_bytes_decimal
from ssdlab.unknown import Unknown

TABLE_ROWS_MAX = 40
"""A longer table is folded."""


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A number of one result."""

    text: Shown
    exact: str
    """As in `metrics.json`; empty where there is none."""
    tip: Message | None = None
    decimal: Shown | None = None
    """The same with a speed in MB/s."""


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
    headline: Shown
    cautions: tuple[Message, ...]
    facts: tuple[FactTable, ...]
    """Of each result."""
    names: tuple[Shown, ...]
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


def import_section(place: int, runs: Sequence[ImportedRun]) -> ImportSection:
    """The results of one program beside each other; `place` is theirs among the programs, from 1."""
    program = runs[0].info.program
    metrics = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    names = tuple(_result_names(runs))
    return ImportSection(
        id=f"import{place}",
        program=program,
        headline=import_headline(runs[0])
        if len(runs) == 1
        else message("report-results", program=program, count=len(runs)),
        cautions=tuple(import_cautions(runs)),
        facts=tuple(FactTable(_message(name), tuple(import_facts(run))) for name, run in zip(names, runs, strict=True)),
        names=names,
        rows=tuple(NumberRow(name, tuple(_cell(run, name) for run in runs)) for name in metrics),
        checks=tuple(row for run in runs for row in check_rows(run)),
    )


def _message(told: Shown) -> Message:
    return told if isinstance(told, Message) else verbatim(told)


def import_cautions(runs: Sequence[ImportedRun]) -> Iterator[Message]:
    """What must be known of the program's ways, and that results were not measured alike."""
    methods = dict.fromkeys(run.info.method for run in runs)
    if len(methods) > 1:
        yield message("report-not-alike", methods=semicolons(*map(as_written, methods)))
    yield from map(as_written, dict.fromkeys(caution for run in runs for caution in run.info.cautions))


def import_facts(run: ImportedRun) -> Iterator[Row]:
    """Where a result comes from: names and values."""
    info, drive = run.info, run.info.drive
    yield message("report-fact-program"), program_words(info.program, info.program_version)
    yield message("report-facts-method"), as_written(info.method)
    yield message("report-fact-model"), words(drive.model)
    yield message("report-fact-serial"), whose(drive.serial, PrivateKind.SERIAL, info.published)
    yield message("report-fact-firmware"), words(drive.firmware)
    yield message("report-column-capacity"), words(drive.capacity_bytes, format_bytes_decimal)
    yield message("report-fact-in-use"), words(drive.fill_percent, lambda percent: f"{percent:g} %")
    yield message("report-fact-measured"), words(info.measured_at)
    yield message("report-facts-host"), words(info.host)
    yield message("report-fact-imported"), info.imported_at
    files = (f"{file.name} (SHA-256 {file.sha256[:12]}…)" for file in info.originals[:_FILES_NAMED])
    yield message("report-fact-files"), ", ".join(files)
    if len(info.originals) > _FILES_NAMED:
        yield message("report-fact-file-count"), f"{len(info.originals):,}"


_FILES_NAMED = 4


def program_words(program: str, version: str | Unknown) -> Message:
    """A program with its version: `KDiskMark 3.2.0`."""
    if isinstance(version, Unknown):
        return message("report-program-of-unknown-version", program=program, version=words(version))
    return verbatim(f"{program} {version}")


def _result_names(runs: Sequence[ImportedRun]) -> Iterator[Shown]:
    """The drive, with how full it was where one stands there several times."""
    names = [import_name(run) for run in runs]
    for name, run in zip(names, runs, strict=True):
        fill = run.info.drive.fill_percent
        several = names.count(name) > 1
        yield listed(commas(name, words(fill, _full))) if several else name


def _full(percent: float) -> Message:
    return message("report-percent-full", percent=number(percent, "g"))


def _cell(run: ImportedRun, name: str) -> NumberCell:
    metric = next((one for one in run.metrics if one.name == name), None)
    if metric is None:
        return NumberCell(message("report-not-measured"), "")
    row = metric_row(metric)
    text, decimal = (marked(one.value, row.failed_checks) for one in (row, metric_row(in_decimal(metric))))
    return NumberCell(text, row.exact, tip_of(row.note, row.failed), decimal)
