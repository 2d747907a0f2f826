"""Runs as Markdown for a post: audit, drives, numbers beside each other, links to the pictures."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ssdlab import version
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.report.comparison import Summary, comparable_groups, method_of, summary
from ssdlab.report.language import Language
from ssdlab.report.method_words import method_words, scaling_words
from ssdlab.report.subjects import drive_rows, run_rows, subjects

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")


def write_post(
    bundles: Sequence[Bundle],
    output: Path,
    pictures: Sequence[Path],
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
    write_durably(output, ("\n".join(_lines(bundles, output.parent, pictures, reasons, language)) + "\n").encode())


def _lines(
    bundles: Sequence[Bundle], place: Path, pictures: Sequence[Path], reasons: Mapping[Path, str], language: Language
) -> Iterator[str]:
    drives = subjects(bundles, reasons)
    yield f"# {_plain(drives[0].name)}"
    yield from ("", f"## {_plain('Audit', language)}", "")
    runs = [(one.drive, one.suite, one.status, one.audit) for one in run_rows(bundles)]
    yield from _table(("Drive", "Suite", "Run", "Audit"), runs, language)
    yield from ("", f"## {_plain('Drives', language)}", "")
    rows = [(one.name, one.part, one.reason, one.capacity, one.firmware, one.kind) for one in drive_rows(drives)]
    yield from _table(("Drive", "Part", "Reason", "Capacity", "Firmware", "Kind"), rows, language)
    singles = [bundle for bundle in bundles if [method_of(one) for one in bundles].count(method_of(bundle)) == 1]
    for group in [*comparable_groups(bundles), *((one,) for one in singles)]:
        yield from _chapter(group, language)
    links = [path for path in pictures if path.suffix == ".png"]
    if links:
        yield from ("", f"## {_plain('Figures', language)}", "")
    for path in links:
        yield f"![{_plain(path.stem.replace('-', ' '))}](<{Path(os.path.relpath(path, place)).as_posix()}>)"
        yield ""
    yield _plain(f"Measured with ssdlab {version()}.", language)


def _chapter(bundles: Sequence[Bundle], language: Language) -> Iterator[str]:
    run = bundles[0].run
    yield from ("", f"## {_plain(f'{run.suite.name} {run.suite.version}')}", "")
    found = summary(bundles)
    for warning in found.warnings:
        yield from (f"**{_plain(warning, language)}**", "")
    yield from _table(("", *(drive.label for drive in found.drives)), _numbers(found), language)
    yield from ("", f"{_plain('How it was measured', language)}:", "")
    if scaling := scaling_words(bundles[0]):
        yield from (_plain(scaling, language), "")
    for number, step in enumerate(method_words(bundles[0]), start=1):
        yield f"{number}. {_plain(step.text, language)}"


def _numbers(found: Summary) -> Iterator[tuple[str, ...]]:
    for row in (*found.facts, *found.rows):
        yield (
            row.label,
            *(f"{one.text}{f' ({one.standing.value})' if one.standing.value else ''}" for one in row.cells),
        )


def _table(
    head: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]], language: Language
) -> Iterator[str]:
    yield f"| {' | '.join(_plain(one, language) for one in head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_plain(one, language) for one in row)} |"


def _plain(text: str, language: Language = Language.ENGLISH) -> str:
    """A text that means nothing to Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", language.words(" ".join(text.split()))).replace("&", "&amp;")
