"""Runs as Markdown for a post: the verdict, audit, drives, numbers beside each other, pictures with captions."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ssdlab import version
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.kit.direction import seen
from ssdlab.figure.kit.subject import drive_name
from ssdlab.message import Listed, Message, Separator, message
from ssdlab.report.comparison import Summary, SummaryCell, comparable_groups, method_of, summary
from ssdlab.report.drive_facts import Shown
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.report.language import told_in
from ssdlab.report.method_words import method_words, scaling_words
from ssdlab.report.pictures import PictureFile
from ssdlab.report.post_mark import post_mark
from ssdlab.report.stated.datasheet import datasheet_of
from ssdlab.report.subjects import ReportSubject, drive_rows, run_rows, subjects
from ssdlab.words import Language

_RUN_COLUMNS = (
    message("report-column-drive"),
    message("report-column-suite"),
    message("report-column-run"),
    message("report-column-audit"),
)
_DRIVE_COLUMNS = (
    message("report-column-drive"),
    message("report-column-part"),
    message("report-column-reason"),
    message("report-column-capacity"),
    message("report-column-firmware"),
    message("report-column-kind"),
)
_DATASHEET_COLUMNS = (
    message("stated-datasheet"),
    message("stated-column-stated"),
    message("stated-column-measured"),
    message("stated-column-promise"),
    message("stated-column-of"),
)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")


def write_post(
    bundles: Sequence[Bundle],
    output: Path,
    pictures: Sequence[PictureFile],
    reasons: Mapping[Path, str],
    language: Language = Language.ENGLISH,
) -> None:
    """Write the post.

    Args:
        bundles: At least one; the drive of the first is the one under test.
        output: The Markdown file, replaced as a whole or not at all.
        pictures: Files to link; of them the PNGs are, relative to the post.
        reasons: Why drives were chosen, by the path of one of their runs.
        language: Of its words.

    Raises:
        SsdlabError: A reason is given for what is not among the runs.
        OSError: The file cannot be written.
    """
    write_durably(
        output,
        ("\n".join(_lines(bundles, output.parent, pictures, reasons, language)) + "\n").encode(
            errors="backslashreplace"
        ),
    )


def _lines(
    bundles: Sequence[Bundle],
    place: Path,
    pictures: Sequence[PictureFile],
    reasons: Mapping[Path, str],
    language: Language,
) -> Iterator[str]:
    drives = subjects(bundles, reasons)
    yield f"# {_plain(_title(drives), language)}"
    yield from _first(bundles, language)
    yield from ("", f"## {_plain(message('report-audit'), language)}", "")
    runs = [(one.drive, one.suite, one.status, one.audit) for one in run_rows(bundles)]
    yield from _table(_RUN_COLUMNS, runs, language)
    yield from ("", f"## {_plain(message('report-drives'), language)}", "")
    rows = [(one.name, one.part, one.reason, one.capacity, one.firmware, one.kind) for one in drive_rows(drives)]
    yield from _table(_DRIVE_COLUMNS, rows, language)
    singles = [bundle for bundle in bundles if [method_of(one) for one in bundles].count(method_of(bundle)) == 1]
    for group in [*comparable_groups(bundles), *((one,) for one in singles)]:
        yield from _chapter(group, language)
    links = [file for file in pictures if file.path.suffix == ".png"]
    if links:
        yield from ("", f"## {_plain(message('report-figures'), language)}", "")
    for file in links:
        yield from _picture(file, place)
    yield from ("", _plain(message("report-measured-with", version=version()), language))
    yield from ("", post_mark())


def _title(drives: Sequence[ReportSubject]) -> Message:
    """The drive under test, and what it was tested by."""
    suites = tuple(dict.fromkeys(bundle.run.suite.name for bundle in drives[0].bundles))
    return message("report-post-title", drive=drives[0].name, suites=Listed(suites, Separator.AND))


def _first(bundles: Sequence[Bundle], language: Language) -> Iterator[str]:
    """Who the drive is, whether to trust its numbers, and the verdict, as a page begins."""
    found = first_screen(bundles)
    head = found.masthead
    for told in (head.facts, head.stated, head.trust, *found.verdict, found.repeats, found.datasheet):
        if told is not None:
            yield from ("", _plain(told, language))


def _picture(file: PictureFile, place: Path) -> Iterator[str]:
    """The picture, with words for those who do not see it, and its caption."""
    figure = file.figure
    words = " · ".join((figure.title, *figure.subtitle))
    yield f"![{_plain(words)}](<{Path(os.path.relpath(file.path, place)).as_posix()}>)"
    yield from ("", f"*{_plain(figure.caption)}*", "") if figure.caption else ("",)


def _chapter(bundles: Sequence[Bundle], language: Language) -> Iterator[str]:
    run = bundles[0].run
    yield from ("", f"## {_plain(f'{run.suite.name} {run.suite.version}')}", "")
    found = summary(bundles)
    for warning in found.warnings:
        yield from (f"**{_plain(warning, language)}**", "")
    yield from _table(("", *(drive.label for drive in found.drives)), _numbers(found), language)
    for bundle in bundles:
        yield from _datasheet(bundle, language)
    yield from ("", f"{_plain(message('report-how'), language)}:", "")
    if (scaling := scaling_words(bundles[0])) is not None:
        yield from (_plain(scaling, language), "")
    for number, step in enumerate(method_words(bundles[0]), start=1):
        yield f"{number}. {_plain(step.text, language)}"


def _datasheet(bundle: Bundle, language: Language) -> Iterator[str]:
    found = datasheet_of(bundle)
    if found is None:
        return
    title = message("stated-datasheet-of", drive=drive_name(bundle.run.drive))
    yield from ("", f"### {_plain(title, language)}", "")
    rows = [(line.label, line.stated, line.measured, line.words, line.of or "") for line in found.lines]
    yield from _table(_DATASHEET_COLUMNS, rows, language)


def _numbers(found: Summary) -> Iterator[tuple[Shown, ...]]:
    for row in (*found.facts, *found.rows):
        yield (row.label, *map(_with_standing, row.cells))


def _with_standing(cell: SummaryCell) -> Shown:
    if cell.standing_words is None:
        return cell.text
    return message("report-with-standing", number=cell.text, standing=cell.standing_words)


def _table(
    head: Sequence[Shown], rows: Iterator[tuple[Shown, ...]] | Sequence[tuple[Shown, ...]], language: Language
) -> Iterator[str]:
    yield f"| {' | '.join(_plain(one, language) for one in head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_plain(one, language) for one in row)} |"


def _plain(told: Shown, language: Language = Language.ENGLISH) -> str:
    """A text that means nothing to Markdown or HTML, and turns nothing around."""
    text = seen(told_in(told, language) if isinstance(told, Message) else told)
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("&", "&amp;")
