"""One page of a trace: what it is and where from, and what it looks like."""

from pathlib import Path

from ssdlab.durable import write_durably
from ssdlab.figure.kit.say import drawn_in
from ssdlab.figure.trace_figures import trace_figures
from ssdlab.message import message
from ssdlab.report.drawn import Making, drawn_figure
from ssdlab.report.frame import environment, page_frame
from ssdlab.report.render_pool import RenderPool
from ssdlab.report.zoom import Room
from ssdlab.trace.look import meta_of, picture_of, profile_of
from ssdlab.trace.words import OPERATION_COLUMNS, flight_words, head_words, operation_rows, place_words
from ssdlab.words import Language


def write_trace_page(trace: Path, output: Path, language: Language = Language.ENGLISH) -> None:
    """Write the page.

    Args:
        trace: What is shown.
        output: The HTML file, replaced as a whole or not at all.
        language: Of all words.

    Raises:
        TraceFileError: It is no trace, or damaged.
        VendorMissingError: The chart library was not fetched.
        BrokenPictureError: A figure could not be rendered.
        OSError: The trace cannot be read, or the file not be written.
    """
    write_durably(output, trace_page(trace, language).encode(errors="backslashreplace"))


def trace_page(trace: Path, language: Language = Language.ENGLISH) -> str:
    """The page as text; raises like `write_trace_page`."""
    _, meta = meta_of(trace)
    profile = profile_of(trace)
    picture = picture_of(trace)
    with RenderPool() as pool, drawn_in(language):
        making = Making(pool, Room(None), language)
        figures = [
            drawn_figure(f"trace{place}-{figure.name}", figure, making)
            for place, figure in enumerate(trace_figures(profile, picture), start=1)
        ]
        text = (
            environment(language)
            .get_template("trace.html.j2")
            .render(
                title=message("trace-page-title", name=trace.name),
                said=[*head_words(trace.name, meta, profile), *(place_words(profile) if profile.ios else ())],
                flight=list(flight_words(profile)) if profile.ios else [],
                files=meta.files,
                columns=OPERATION_COLUMNS,
                rows=operation_rows(profile),
                figures=figures,
                **page_frame(language),
            )
        )
    return text.strip() + "\n"
