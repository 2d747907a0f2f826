"""The figures of a run as files of their own, for papers and posts: on white, PNG at twice the size and SVG."""

from pathlib import Path

from ssdlab.bundle.layout import write_durably
from ssdlab.bundle.read import Bundle
from ssdlab.figure.registry import figures_for
from ssdlab.report.render import render_png, render_svg
from ssdlab.report.theme import standalone


def write_pictures(bundle: Bundle, directory: Path) -> list[Path]:
    """Write one PNG and one SVG a figure.

    Args:
        bundle: The run; also one that was cut off.
        directory: Made when it is not there.

    Returns:
        The files, in the order of the figures; empty when no step that has a figure was finished.

    Raises:
        BrokenPictureError: A figure could not be rendered.
        OSError: A file cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for figure in figures_for(bundle):
        svg = standalone(render_svg(figure.spec))
        for suffix, content in ((".png", render_png(svg)), (".svg", svg.encode())):
            path = directory / f"{figure.name}{suffix}"
            write_durably(path, content)
            written.append(path)
    return written
