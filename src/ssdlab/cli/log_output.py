"""What `ssdlab log` writes to files: figures and columns."""

from collections.abc import Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from ssdlab.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ssdlab.analysis.log_file import LogFile
    from ssdlab.figure.model import Figure


class FigureKind(Enum):
    """The figures of logs."""

    TAIL = "tail"
    SERIES = "series"
    HEATMAP = "heatmap"


class PictureFormat(Enum):
    """What a picture is written as, by the end of its name."""

    SVG = ".svg"
    PNG = ".png"


def figure_kind(name: str) -> FigureKind:
    """The figure of that name.

    Raises:
        UsageError: There is none.
    """
    if name not in {kind.value for kind in FigureKind}:
        raise UsageError(f"`{name}` is no figure", f"figures are {', '.join(kind.value for kind in FigureKind)}")
    return FigureKind(name)


def picture_format(path: Path) -> PictureFormat:
    """The format that the name of a picture says.

    Raises:
        UsageError: It says none.
    """
    if path.suffix not in {one.value for one in PictureFormat}:
        raise UsageError(f"`{path}` is neither .svg nor .png", "end its name in one of the two")
    return PictureFormat(path.suffix)


def write_figure(kind: FigureKind, files: Sequence["LogFile"], window_ms: int | None, path: Path) -> tuple[str, ...]:
    """Draw a figure of logs and write it; what its reader must know comes back.

    Raises:
        LogError: A log cannot be read, or has not what the figure shows.
        BrokenPictureError: The figure could not be rendered.
        OSError: The file cannot be written.
    """
    from ssdlab.durable import write_durably
    from ssdlab.report.render import render_png, render_svg
    from ssdlab.report.theme import standalone

    form = picture_format(path)
    figure, notes = _figure(kind, files, window_ms)
    svg = standalone(render_svg(figure.spec))
    write_durably(path, svg.encode() if form is PictureFormat.SVG else render_png(svg))
    return notes


def _figure(kind: FigureKind, files: Sequence["LogFile"], window_ms: int | None) -> "tuple[Figure, tuple[str, ...]]":
    from ssdlab.figure.log_figures import log_heat_figure, log_series_figure, log_tail_figure

    match kind:
        case FigureKind.TAIL:
            from ssdlab.analysis.log_tail import tails_of
            from ssdlab.figure.tail import percent_grid

            tails = tails_of(files, percent_grid())
            return log_tail_figure(tails), _unique(note for one in tails for note in one.notes)
        case FigureKind.SERIES:
            from ssdlab.analysis.log_series import series_of

            series = series_of(files, window_ms)
            return log_series_figure(series), _unique(note for one in series for note in one.notes)
        case FigureKind.HEATMAP:
            from ssdlab.analysis.log_heat import heat_of

            heats = heat_of(files, window_ms)
            return log_heat_figure(heats), _unique(note for one in heats for note in one.notes)


def _unique(notes: "Iterator[str]") -> tuple[str, ...]:
    return tuple(dict.fromkeys(notes))


@contextmanager
def writable(path: Path) -> "Iterator[None]":
    """Name what could not be written; faults of the logs that are read meanwhile have been named already.

    Raises:
        LogError: The file system refused.
    """
    from ssdlab.analysis.log_file import LogError

    try:
        yield
    except OSError as error:
        raise LogError(f"`{path}` cannot be written: {error.strerror or error}") from error


@contextmanager
def rereadable(paths: Sequence[Path]) -> "Iterator[list[Path]]":
    """The same files, with a copy in place of each pipe, which could be read only once."""
    import shutil
    import sys
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ssdlab-log-") as directory:
        kept = []
        for number, path in enumerate(paths):
            if str(path) != "-" and not path.is_fifo():
                kept.append(path)
                continue
            copy = Path(directory) / ("standard input" if str(path) == "-" else f"{number}-{path.name}")
            with copy.open("wb") as to:
                if str(path) == "-":
                    shutil.copyfileobj(sys.stdin.buffer, to)
                else:
                    with path.open("rb") as pipe:
                        shutil.copyfileobj(pipe, to)
            kept.append(copy)
        yield kept
