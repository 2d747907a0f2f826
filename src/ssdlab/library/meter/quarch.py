"""CSV of Quarch's programs: as their Python package writes streams of QIS, and as Quarch Power Studio exports recordings.

Form: the heading that quarchpy makes of a stream's header, `Time us,<channel> <group> <unit>,...`. Quarch Power Studio writes the same
columns, some with units in brackets. Means are of the time that follows the stamp, or that precedes it; a clock that is fitted to the
log takes either for the same.
"""

from pathlib import Path

from ssdlab.library.meter.text_log import TextLog, columns_of_heading, first_lines, text_log

_HEAD = (b"time us", b"time(us)", b"time (us)", b"time ms", b"time(ms)", b"time ns", b"time(s)", b"time s", b"time (s)")


def is_quarch(begin: bytes) -> bool:
    """Whether a file begins with such a heading."""
    return begin.removeprefix(b"\xef\xbb\xbf").lstrip(b'"').lower().startswith(_HEAD)


def read_quarch(path: Path, period_s: float | None) -> TextLog:
    """Open it; raises PowerLogError."""
    (head,) = first_lines(path, 1)
    names = head.decode("utf-8-sig", "replace").strip().rstrip(",").replace('"', "").split(",")
    return text_log(path, len(head), ",", columns_of_heading(path, names), period_s)
