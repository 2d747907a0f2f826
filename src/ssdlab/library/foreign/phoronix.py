"""The `composite.xml` of the Phoronix Test Suite.

Form: its own writer, `pts_result_file.php` of 10.8. Each result has the scale that its test profile gives it. `MB/s` there may be 10^6 or
2^20 bytes, according to the profile and what it takes the number from, so such numbers keep the unit that is written and are no bandwidth.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, DURATION, IOPS, Quantity
from ssdlab.library.foreign.rates import decimal, told_apart, word
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.library.foreign.xml import xml_root
from ssdlab.message import message
from ssdlab.point import Point, labelled
from ssdlab.units import GIB, KIB, MIB

_EXACT = {
    "IOPS": (IOPS, 1.0),
    "B/s": (BANDWIDTH, 1.0),
    "KiB/s": (BANDWIDTH, float(KIB)),
    "MiB/s": (BANDWIDTH, float(MIB)),
    "GiB/s": (BANDWIDTH, float(GIB)),
    "Seconds": (DURATION, 1.0),
    "seconds": (DURATION, 1.0),
}
"""Scales that mean one thing only; a small b is a bit."""
_RESULT = Quantity("result")
_LONGEST = 200
_NAMED_MAX = 20


def _is_phoronix(begin: bytes) -> bool:
    head = begin.replace(b"\0", b"")
    return b"<PhoronixTestSuite>" in head and (b"<Generated>" in head or b"<Result>" in head)


def _read(name: str, content: bytes) -> Foreign:
    root = xml_root(name, content)
    systems = dict.fromkeys(
        element.text.strip() for element in root.iterfind("Result/Data/Entry/Identifier") if element.text
    )
    if len(systems) > 1:
        raise ForeignError(
            message("import-phoronix-systems", name=name, systems=len(systems)), message("import-phoronix-one")
        )
    found = [number for result in root.iterfind("Result") for number in _numbers(result)]
    numbers = told_apart(name, (number for number in found if isinstance(number, ForeignNumber)))
    left_out = [point.name for point in found if isinstance(point, Point)]
    if not numbers:
        raise ForeignError(message("import-phoronix-no-result", name=name), message("foreign-whole"))
    client = root.findtext("Generated/TestClient", "") or root.findtext("System/TestClientVersion", "")
    software = _words(root.findtext("System/Software", ""))
    return Foreign(
        program="Phoronix Test Suite",
        program_version=next(iter(re.findall(r"\d+\.\d+[\w.]*", client[:_LONGEST])), NOT_SAID),
        method=", ".join(
            dict.fromkeys(_words(found.text or "") for found in root.iterfind("Result/Identifier") if found.text)
        )[:_LONGEST],
        numbers=numbers,
        measured_at=_words(root.findtext("System/TimeStamp", "")) or NOT_SAID,
        host=software or NOT_SAID,
        settings=(("hardware", hardware),) if (hardware := _words(root.findtext("System/Hardware", ""))) else (),
        cautions=(
            "its MB/s may be 10^6 or 2^20 bytes a second, so they stay as they are written",
            *(f"left out, for its value is no plain number: {point}" for point in left_out[:_NAMED_MAX]),
        ),
    )


def _words(text: str) -> str:
    return " ".join(text.split())[:1000]


def _numbers(result: Element) -> Iterator[ForeignNumber | Point]:
    """One of each result, or the point whose value is no plain number; what failed has none, and curves over time have several."""
    profile = re.sub(r"-\d[\d.]*$", "", _words(result.findtext("Identifier", "")).rpartition("/")[2])
    scale, low = _words(result.findtext("Scale", "")), result.findtext("Proportion") == "LIB"
    graph, value = result.findtext("DisplayFormat", "BAR_GRAPH"), _words(result.findtext("Data/Entry/Value", ""))
    if graph != "BAR_GRAPH" or not value or not profile:
        return
    description = _words(result.findtext("Description", ""))
    point = labelled("phoronix", word(profile), *([word(description)] if description else []))
    runs = [run for run in result.findtext("Data/Entry/RawString", "").split(":") if run]
    quantity, factor = _EXACT.get(scale, (_RESULT, 1.0))
    said = [f"mean of {len(runs)} runs" if len(runs) > 1 else "", "less is better" if low else ""]
    key = MetricKey(point, quantity)
    try:
        plain = decimal(value)
    except ValueError:
        if scale in _EXACT or scale.endswith("/s"):
            # No rate and no time is like that: the file is damaged.
            raise
        yield point
        return
    yield ForeignNumber(
        key=key, value=plain * factor, unit=quantity.unit or scale[:30], note="; ".join(filter(None, said))
    )


READERS = (Reader("Phoronix Test Suite, composite.xml", _is_phoronix, _read),)
