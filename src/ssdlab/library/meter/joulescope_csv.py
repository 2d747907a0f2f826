"""CSV that Joulescope's program exports: `#time (s),current (A),voltage (V)`, and a sample a line.

Form: the heading its export plug-in writes where it is asked for one. Without a heading nothing tells current from voltage, so it is refused.
"""

from pathlib import Path

from ssdlab.library.meter.text_log import TextLog, columns_of_heading, first_lines, text_log


def is_joulescope_csv(begin: bytes) -> bool:
    """Whether a file begins with such a heading."""
    return begin.removeprefix(b"\xef\xbb\xbf").lower().startswith((b"#time (s),", b"#time,"))


def read_joulescope_csv(path: Path, period_s: float | None) -> TextLog:
    """Open it; raises PowerLogError."""
    (head,) = first_lines(path, 1)
    names = head.decode("utf-8-sig", "replace").strip().split(",")
    return text_log(path, len(head), ",", columns_of_heading(path, names), period_s)
