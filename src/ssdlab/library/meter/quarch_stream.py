"""What QIS answers to `stream text header` and `stream text all`, kept in one file: an XML header, then a line a stripe.

Form: the header of versions 2 and 3 has `devicePeriod` (or `devicePerioduS`, `mainPeriod`) and channels with `group`, `name`, `units` and
`dataPosition`; a stripe is its numbers with spaces between, the first of them the time in microseconds.
"""

import re
from pathlib import Path
from xml.etree.ElementTree import Element

from ssdlab.analysis.power.samples import PowerLogError
from ssdlab.library.foreign.result import ForeignError
from ssdlab.library.foreign.xml import xml_root
from ssdlab.library.meter.text_log import TextLog, columns_of_heading, text_log
from ssdlab.message import message

_HEAD_BYTES_MAX = 1 << 18
_PERIOD = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ns|us|ms|s|uS|mS|S)?")
_UNITS_S = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_POSITION_MAX = 63


def is_quarch_stream(begin: bytes) -> bool:
    """Whether a file begins with an XML header of a stream."""
    head = begin[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return (
        head.startswith((b"<?xml", b"<header"))
        and re.search(rb"<(devicePeriod|devicePerioduS|mainPeriod)>", begin) is not None
    )


def read_quarch_stream(path: Path, period_s: float | None) -> TextLog:
    """Open it; raises PowerLogError."""
    with path.open("rb") as file:
        begin = file.read(_HEAD_BYTES_MAX)
    opened = re.search(rb"<([A-Za-z]{1,32})[\s>]", begin)
    end = -1 if opened is None else begin.find(b"</" + opened[1] + b">")
    if opened is None or end < 0:
        raise _damaged(path)
    head = begin[: end + len(opened[1]) + 3]
    try:
        root = xml_root(path.name, head.removeprefix(b"\xef\xbb\xbf").lstrip())
    except ForeignError as error:
        raise PowerLogError(error.message, *error.hints) from error
    rest = begin[len(head) :]
    skipped = len(rest) - len(rest.lstrip(b"\r\n >"))
    return text_log(
        path, len(head) + skipped, None, columns_of_heading(path, _names(path, root)), period_s or _period_s(path, root)
    )


def _names(path: Path, root: Element) -> list[str]:
    """As the heading of a CSV would have them, by their places in a stripe."""
    names: dict[int, str] = {0: "Time us"}
    for channel in root.iter("channel"):
        name, group, units = (channel.findtext(part, "").strip() for part in ("name", "group", "units"))
        place = channel.findtext("dataPosition", "").strip()
        if not re.fullmatch(r"[0-9]{1,2}", place) or not 0 < int(place) <= _POSITION_MAX or int(place) in names:
            raise _damaged(path)
        names[int(place)] = f"{group} {name} {units}"
    return [names.get(place, "") for place in range(max(names) + 1)]


def _period_s(path: Path, root: Element) -> float:
    for tag in ("devicePeriod", "devicePerioduS", "mainPeriod"):
        found = _PERIOD.fullmatch((root.findtext(f".//{tag}") or "").strip())
        if found is not None and float(found[1]) > 0:
            return float(found[1]) * _UNITS_S[(found[2] or "us").lower()]
    raise _damaged(path)


def _damaged(path: Path) -> PowerLogError:
    return PowerLogError(message("power-head-damaged", file=path.name), message("power-hint-as-saved"))
