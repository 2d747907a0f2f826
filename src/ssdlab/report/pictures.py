"""The figures of runs as files of their own, for papers and posts: on white, PNG at twice the size and SVG; their data as CSV."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.imported import by_program, figures_of_imports
from ssdlab.figure.model import Figure, VegaLite
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.report import korean
from ssdlab.report.comparison import comparable_groups
from ssdlab.report.language import Language
from ssdlab.report.render import check_hangul, render_png, render_svg
from ssdlab.report.sheet import sheets
from ssdlab.report.theme import standalone


def write_pictures(bundles: Sequence[Bundle], directory: Path, language: Language = Language.ENGLISH) -> list[Path]:
    """Write one PNG and one SVG a figure, and its data as CSV.

    Args:
        bundles: The runs; also ones that were cut off.
        directory: Made when it is not there. Several runs have a directory each in it, named like the run, and one
            `comparison-SUITE-VERSION-PROFILE` for all that can be compared.
        language: Of the words in the pictures.

    Returns:
        The files, in the order of the report; empty when no step that has a figure was finished.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    if len(bundles) == 1:
        return write_figures(figures_for(bundles[0]), directory, language)
    written = []
    for group in comparable_groups(bundles):
        run = group[0].run
        place = directory / f"comparison-{run.suite.name}-{run.suite.version}-{run.profile}"
        written += write_figures(figures_comparing(group), place, language)
    for bundle in bundles:
        written += write_figures(figures_for(bundle), directory / bundle.path.name, language)
    return written


def write_import_pictures(
    imported: Sequence[ImportedRun],
    bundles: Sequence[Bundle],
    directory: Path,
    language: Language = Language.ENGLISH,
) -> list[Path]:
    """Likewise the figures of results of other programs, right in the directory: each names its program.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    return [
        path
        for runs in by_program(imported)
        for path in write_figures(figures_of_imports(runs, bundles), directory, language)
    ]


def write_figures(figures: Iterable[Figure], directory: Path, language: Language = Language.ENGLISH) -> list[Path]:
    """Write one PNG and one SVG a figure; the directory is made when it is not there.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    if language is Language.KOREAN:
        check_hangul(korean.FONT)
    for figure in map(language.figure, figures):
        for name, spec in _specs(figure):
            svg = standalone(render_svg(spec))
            for suffix, content in ((".png", render_png(svg)), (".svg", svg.encode())):
                path = directory / f"{name}{suffix}"
                write_durably(path, content)
                written.append(path)
        for name, text in sheets(figure):
            path = directory / f"{name}.csv"
            write_durably(path, text.encode())
            written.append(path)
    return written


def _specs(figure: Figure) -> Iterator[tuple[str, VegaLite]]:
    """The figure, and the other way it is drawn."""
    yield figure.name, figure.spec
    if figure.variant is not None:
        yield figure.variant.name, figure.variant.spec
