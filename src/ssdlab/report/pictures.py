"""The figures of runs as files of their own, for papers and posts: PNG at twice the size and SVG; their data as CSV."""

import re
from collections.abc import Iterator, Sequence
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
from ssdlab.report.own_files import require_place_of_picture, require_place_of_sheet
from ssdlab.report.picture_mark import digest_of, marked_png, marked_svg
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


@dataclass(frozen=True, slots=True, eq=False)
class PlacedFigures:
    """Figures and the directory in which each is to be a PNG, an SVG and sheets."""

    directory: Path
    figures: tuple[Figure, ...]


def placed_figures(
    bundles: Sequence[Bundle], directory: Path, language: Language = Language.ENGLISH
) -> tuple[PlacedFigures, ...]:
    """The figures of runs, also of ones that were cut off.

    Args:
        bundles: The runs.
        directory: Of one run it has the figures. Several runs have a directory each in it, named like the run, and one
            `comparison-SUITE-VERSION-PROFILE` for all that can be compared.
        language: Of the words in the figures.
    """
    if len(bundles) == 1:
        return (PlacedFigures(directory, figures_for(bundles[0], language)),)
    placed = []
    for group in comparable_groups(bundles):
        run = group[0].run
        place = directory / _safe(f"comparison-{run.suite.name}-{run.suite.version}-{run.profile}")
        placed.append(PlacedFigures(place, figures_comparing(group, language)))
    placed += [PlacedFigures(directory / one.path.name, figures_for(one, language)) for one in bundles]
    return tuple(placed)


def placed_import_figures(
    imported: Sequence[ImportedRun], bundles: Sequence[Bundle], directory: Path, language: Language = Language.ENGLISH
) -> tuple[PlacedFigures, ...]:
    """Likewise the figures of results of other programs, right in the directory: each names its program."""
    return tuple(
        PlacedFigures(directory, tuple(figures_of_imports(runs, bundles, language))) for runs in by_program(imported)
    )


def require_places(placed: Sequence[PlacedFigures]) -> None:
    """That all of it can be written, in place of nothing but what ssdlab wrote.

    Raises:
        SsdlabError: Somebody else's file is there, or evidence of a run.
        OSError: What is there cannot be read.
    """
    for one in placed:
        if not one.directory.is_dir():
            continue
        for figure in one.figures:
            for name, _ in _specs(figure):
                for path in _drawn_as(one.directory, name):
                    require_place_of_picture(path)
            for path, sheet in _sheets(figure, one.directory):
                require_place_of_sheet(path, sheet, _svg_of(figure, one.directory))


def write_pictures(
    placed: Sequence[PlacedFigures], language: Language = Language.ENGLISH, style: PictureStyle = PLAIN
) -> list[PictureFile]:
    """Write one PNG and one SVG a figure, and its data as CSV: all, or nothing where somebody else's file would be replaced.

    Args:
        placed: What is to be written where; directories are made when they are not there.
        language: Of the words in the pictures.
        style: Their size and look.

    Returns:
        The files, in the order of the report; empty when no step that has a figure was finished.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        NoHangulError: The language is Korean, and no font has its letters.
        SsdlabError: Somebody else's file is there, or evidence of a run.
        OSError: A file cannot be written.
    """
    require_places(placed)
    if placed and (language is Language.KOREAN or style.has_hangul):
        check_hangul(HANGUL_FONT)
    written: list[PictureFile] = []
    for one in placed:
        one.directory.mkdir(parents=True, exist_ok=True)
        for figure in one.figures:
            written += _written(figure, one.directory, style)
    return written


def _written(figure: Figure, directory: Path, style: PictureStyle) -> Iterator[PictureFile]:
    """The sheets first: a picture that was cut off from its sheets would have marks of sheets that are not there."""
    held = list(_sheets(figure, directory))
    for path, sheet in held:
        write_durably(path, sheet)
    digests = {path.name: digest_of(sheet) for path, sheet in held}
    for name, specs in _specs(figure):
        svg = _svg(specs, style)
        png = marked_png(render_png(svg, style.png_scale))
        for path, content in zip(
            _drawn_as(directory, name), (png, marked_svg(svg, digests).encode(errors="backslashreplace")), strict=True
        ):
            write_durably(path, content)
            yield PictureFile(path, figure)
    for path, _ in held:
        yield PictureFile(path, figure)


def _drawn_as(directory: Path, name: str) -> tuple[Path, Path]:
    """The PNG and the SVG."""
    return directory / f"{_safe(name)}.png", directory / f"{_safe(name)}.svg"


def _svg_of(figure: Figure, directory: Path) -> Path:
    return _drawn_as(directory, figure.name)[1]


def _sheets(figure: Figure, directory: Path) -> Iterator[tuple[Path, bytes]]:
    for name, text in sheets(figure):
        yield directory / f"{_safe(name)}.csv", text.encode(errors="backslashreplace")


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
