"""The figures of runs as files of their own, for papers and posts: PNG at twice the size and SVG; their data as CSV."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.imported.registry import by_program, figures_of_imports
from ssdlab.figure.kit.model import Figure, VegaLite
from ssdlab.figure.kit.say import HANGUL_FONT
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.report.comparison import comparable_groups
from ssdlab.report.figure_csv import sheets
from ssdlab.report.picture_style import PLAIN, PictureStyle, coverage, standalone
from ssdlab.report.render import check_hangul, render_png, render_svg
from ssdlab.words import Language

_NAME_BYTES_MAX = 240
"""File systems take 255, of which the end of the name needs some."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFile:
    """A file that was written."""

    path: Path
    figure: Figure


def write_pictures(
    bundles: Sequence[Bundle],
    directory: Path,
    language: Language = Language.ENGLISH,
    style: PictureStyle = PLAIN,
) -> list[PictureFile]:
    """Write one PNG and one SVG a figure, and its data as CSV.

    Args:
        bundles: The runs; also ones that were cut off.
        directory: Made when it is not there. Several runs have a directory each in it, named like the run, and one
            `comparison-SUITE-VERSION-PROFILE` for all that can be compared.
        language: Of the words in the pictures.
        style: Their size and look.

    Returns:
        The files, in the order of the report; empty when no step that has a figure was finished.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    if len(bundles) == 1:
        return write_figures(figures_for(bundles[0], language), directory, language, style)
    written = []
    for group in comparable_groups(bundles):
        run = group[0].run
        place = directory / _safe(f"comparison-{run.suite.name}-{run.suite.version}-{run.profile}")
        written += write_figures(figures_comparing(group, language), place, language, style)
    for bundle in bundles:
        written += write_figures(figures_for(bundle, language), directory / bundle.path.name, language, style)
    return written


def write_import_pictures(
    imported: Sequence[ImportedRun],
    bundles: Sequence[Bundle],
    directory: Path,
    language: Language = Language.ENGLISH,
    style: PictureStyle = PLAIN,
) -> list[PictureFile]:
    """Likewise the figures of results of other programs, right in the directory: each names its program.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    return [
        file
        for runs in by_program(imported)
        for file in write_figures(figures_of_imports(runs, bundles, language), directory, language, style)
    ]


def write_figures(
    figures: Iterable[Figure],
    directory: Path,
    language: Language = Language.ENGLISH,
    style: PictureStyle = PLAIN,
) -> list[PictureFile]:
    """Write one PNG and one SVG a figure; the directory is made when it is not there.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        OSError: A file cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    if language is Language.KOREAN or style.has_hangul:
        check_hangul(HANGUL_FONT)
    for figure in figures:
        for name, specs in _specs(figure):
            svg = _svg(specs, style)
            for suffix, content in (
                (".png", render_png(svg, style.png_scale)),
                (".svg", svg.encode(errors="backslashreplace")),
            ):
                path = directory / f"{_safe(name)}{suffix}"
                write_durably(path, content)
                written.append(PictureFile(path, figure))
        for name, text in sheets(figure):
            path = directory / f"{_safe(name)}.csv"
            write_durably(path, text.encode(errors="backslashreplace"))
            written.append(PictureFile(path, figure))
    return written


def _safe(name: str) -> str:
    """A name of one file in the directory, whatever a bundle of somebody else calls its suite or its steps."""
    return re.sub(r"[^\w.+-]", "-", name).lstrip(".").encode()[:_NAME_BYTES_MAX].decode(errors="ignore")


_WideAndNarrow = tuple[VegaLite, VegaLite]


def _svg(specs: _WideAndNarrow, style: PictureStyle) -> str:
    """The wide figure; of an asked size the one that fills it better."""
    if style.size is None:
        return standalone(render_svg(specs[0]), style)
    return standalone(max(map(render_svg, specs), key=lambda svg: coverage(svg, style)), style)


def _specs(figure: Figure) -> Iterator[tuple[str, _WideAndNarrow]]:
    """The figure, and the other way it is drawn."""
    yield figure.name, (figure.spec, figure.narrow_spec)
    if figure.variant is not None:
        yield figure.variant.name, (figure.variant.spec, figure.variant.narrow_spec)
