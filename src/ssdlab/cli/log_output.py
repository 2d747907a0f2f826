"""What `ssdlab log` writes to files: figures and columns."""

from collections.abc import Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ssdlab.errors import UsageError
from ssdlab.message import Message, commas, message, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ssdlab.analysis.log.file import LogFile
    from ssdlab.figure.kit.model import Figure


_PART_BYTES = 1 << 20


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
        raise UsageError(
            message("log-no-figure", name=name),
            message("log-figures", figures=commas(*(kind.value for kind in FigureKind))),
        )
    return FigureKind(name)


def picture_format(path: Path) -> PictureFormat:
    """The format that the name of a picture says.

    Raises:
        UsageError: It says none.
    """
    if path.suffix not in {one.value for one in PictureFormat}:
        raise UsageError(message("log-no-picture-format", path=str(path)), message("log-end-in-format"))
    return PictureFormat(path.suffix)


def write_figure(
    kind: FigureKind, files: Sequence["LogFile"], window_ms: int | None, path: Path
) -> tuple[Message, ...]:
    """Draw a figure of logs and write it; what its reader must know comes back.

    Raises:
        LogError: A log cannot be read, or has not what the figure shows.
        BrokenPictureError: The figure could not be rendered.
        OSError: The file cannot be written.
    """
    figure, notes = _figure(kind, files, window_ms)
    write_picture(figure, path)
    return notes


def write_picture(figure: "Figure", path: Path) -> None:
    """Write a figure as the end of its name says.

    Raises:
        BrokenPictureError: The figure could not be rendered.
        OSError: The file cannot be written.
    """
    from ssdlab.durable import write_durably
    from ssdlab.report.picture_mark import marked_png, marked_svg
    from ssdlab.report.picture_style import standalone
    from ssdlab.report.render import render_png, render_svg

    form = picture_format(path)
    svg = standalone(render_svg(figure.spec))
    write_durably(path, marked_svg(svg, {}).encode() if form is PictureFormat.SVG else marked_png(render_png(svg)))


def _figure(
    kind: FigureKind, files: Sequence["LogFile"], window_ms: int | None
) -> "tuple[Figure, tuple[Message, ...]]":
    from ssdlab.figure.log_figures import log_heat_figure, log_series_figure, log_tail_figure

    match kind:
        case FigureKind.TAIL:
            from ssdlab.analysis.log.tail import tails_of
            from ssdlab.figure.kit.tail import percent_grid

            tails = tails_of(files, percent_grid())
            return log_tail_figure(tails), _unique(note for one in tails for note in one.notes)
        case FigureKind.SERIES:
            from ssdlab.analysis.log.series import series_of

            series = series_of(files, window_ms)
            return log_series_figure(series), _unique(note for one in series for note in one.notes)
        case FigureKind.HEATMAP:
            from ssdlab.analysis.log.heat import heat_of

            heats = heat_of(files, window_ms)
            return log_heat_figure(heats), _unique(note for one in heats for note in one.notes)


def _unique(notes: "Iterator[Message]") -> tuple[Message, ...]:
    return tuple(dict.fromkeys(notes))


@contextmanager
def writable(path: Path) -> "Iterator[None]":
    """Name what could not be written; faults of the logs that are read meanwhile have been named already.

    Raises:
        LogError: The file system refused.
    """
    from ssdlab.analysis.log.file import LogError
    from ssdlab.os_errors import reason_of

    try:
        yield
    except OSError as error:
        raise LogError(message("log-cannot-write", path=str(path), reason=reason_of(error))) from error


@contextmanager
def rereadable(paths: Sequence[Path]) -> "Iterator[list[Path]]":
    """The same files, with a copy in place of each pipe, which could be read only once.

    Raises:
        LogError: A pipe holds more than there is room for.
    """
    import sys

    from ssdlab.scratch import scratch

    with scratch() as directory:
        kept = []
        for number, path in enumerate(paths):
            if str(path) != "-" and not path.is_fifo():
                kept.append(path)
                continue
            copy = directory / ("standard input" if str(path) == "-" else f"{number}-{path.name}")
            if str(path) == "-":
                _keep(sys.stdin.buffer, path, copy)
            else:
                with path.open("rb") as pipe:
                    _keep(pipe, path, copy)
            kept.append(copy)
        yield kept


def _keep(pipe: BinaryIO, path: Path, copy: Path) -> None:
    from ssdlab.analysis.log.file import LogError
    from ssdlab.scratch import room_bytes

    most_bytes = left_bytes = room_bytes(copy.parent)
    with copy.open("wb") as to:
        while part := pipe.read(_PART_BYTES):
            left_bytes -= len(part)
            if left_bytes < 0:
                raise LogError(
                    message("log-pipe-too-long", path=str(path), most=size(most_bytes)), message("log-save-first")
                )
            to.write(part)
