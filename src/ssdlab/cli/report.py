"""`ssdlab report`."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.arguments import Runs


class PageLanguage(Enum):
    """As typed."""

    EN = "en"
    KO = "ko"


def report(
    runs: Runs,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The page; report.html in the first RUN if not given."),
    ] = None,
    reason: Annotated[
        list[str] | None,
        typer.Option(
            "--reason", metavar="RUN=WORDS", help="Why the drive of that RUN was chosen; once for each drive."
        ),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="DIR", help="Also write each figure as PNG and SVG, and its data as CSV."),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Also write a post: audit, tables, method, links to the PNGs."),
    ] = None,
    language: Annotated[
        PageLanguage, typer.Option("--lang", help="Language of page, pictures and post: English or Korean.")
    ] = PageLanguage.EN,
) -> None:
    """Write runs as one self-contained HTML page.

    The drive of the first RUN is the one under test. Several runs of one suite stand beside each other, runs of one drive
    with several suites are its chapters. Results of other programs have a section a program.
    """
    from ssdlab.bundle.imported import is_imported, open_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.errors import SsdlabError
    from ssdlab.report.forum import write_post
    from ssdlab.report.language import Language
    from ssdlab.report.page import write_report
    from ssdlab.report.pictures import write_import_pictures, write_pictures

    bundles = [open_bundle(path) for path in runs if not is_imported(path)]
    imported = [open_imported(path) for path in runs if is_imported(path)]
    said = Language(language.value)
    reasons = dict(_reason(text) for text in reason or ())
    page = output or runs[0] / "report.html"
    write_report(bundles, page, imported, reasons, said)
    print(page)
    pictures = (
        []
        if png is None
        else [*write_pictures(bundles, png, said), *write_import_pictures(imported, bundles, png, said)]
    )
    for picture in pictures:
        print(picture)
    if markdown is not None:
        if not bundles:
            raise SsdlabError(
                "there is no run of ssdlab to write a post on", "name at least one beside the imported results"
            )
        write_post(bundles, markdown, pictures, reasons, said)
        print(markdown)


def _reason(text: str) -> tuple[Path, str]:
    run, equals, words = text.partition("=")
    if not (run and equals and words.strip()):
        raise typer.BadParameter(f"`{text}` is no reason: write `RUN=WORDS`", param_hint="--reason")
    return Path(run), words.strip()
