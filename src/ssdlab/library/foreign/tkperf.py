"""The XML TKperf 2 writes: rounds of fio, of which those of its steady window count.

Form: TKperf's own writer (`perfTest/DeviceTests.py`, `StdyState.py`); the sample in the tests was written by it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, IOPS, LAT_MEAN, Quantity
from ssdlab.engine.result import Direction
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.library.foreign.xml import xml_root
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, labelled
from ssdlab.units import KIB, NS_PER_US

_IOPS_READ_PERCENTS = (100, 95, 65, 50, 35, 5, 0)
_IOPS_BLOCKS = ("1m", "128k", "64k", "32k", "16k", "8k", "4k", "512b")
_LATENCY_READ_PERCENTS = (100, 65, 0)
_LATENCY_BLOCKS = ("8k", "4k", "512b")
_THROUGHPUT_BLOCKS = ("1m", "64k", "8k", "4k", "512b")


def _is_tkperf(begin: bytes) -> bool:
    return b"<ioperfversion>" in begin or (b"<devinfo>" in begin and begin.startswith(b"<"))


def _read(name: str, content: bytes) -> Foreign:
    root = xml_root(name, content)
    numbers = (*_iops(root), *_latency(root), *_throughput(root), *_saturation(root))
    if not numbers:
        raise ForeignError(message("foreign-tkperf-no-tests", name=name))
    fields = {key: _text(root, key) for key in ("cmdline", "kernel", "lsb", "devinfo", "testdate", "ioperfversion")}
    return Foreign(
        program="TKperf",
        program_version=fields["ioperfversion"] or NOT_SAID,
        method="fio rounds of SNIA PTS",
        numbers=numbers,
        measured_at=fields["testdate"] or NOT_SAID,
        host=", ".join(text for text in (fields["lsb"].removeprefix("Description: "), fields["kernel"]) if text)
        or NOT_SAID,
        settings=tuple((key, text) for key, text in fields.items() if text),
        cautions=(
            "every round begins with the same seed and so writes the same blocks in the same order",
            "mixed latencies are weighted means of fio's means, largest and smallest included",
        ),
    )


def _text(root: Element, key: str) -> str:
    found = root.findtext(key)
    if not found:
        return ""
    try:
        said = json.loads(found)
    except json.JSONDecodeError:
        return ""
    return " ".join(said.split()) if isinstance(said, str) else ""


def _rounds(test: Element) -> list[int]:
    """The rounds of the steady window; all of them where there is none."""
    said = json.loads(test.findtext("stdyrounds") or "[]")
    return [int(one) for one in said]


def _note(test: Element) -> str:
    steady = json.loads(test.findtext("reachstdystate") or "false") is True
    return f"mean of {len(_rounds(test))} rounds" + ("" if steady else ", not steady after all of TKperf's rounds")


def _mean(values: Sequence[float]) -> float:
    numbers = [float(value) for value in values]
    return sum(numbers) / len(numbers)


def _chosen(test: Element) -> list[Any]:
    """Round by round what TKperf measured: a matrix of numbers, or of triples."""
    matrices: list[Any] = json.loads(test.findtext("roundmat") or "[]")
    return [matrices[number] for number in _rounds(test) or range(len(matrices))]


def _key(test: str, block: str, read_percent: int, quantity: Quantity) -> MetricKey:
    point, pure = labelled("tkperf", test, block), {100: Direction.READ, 0: Direction.WRITE}
    if read_percent in pure:
        return MetricKey(point, quantity, direction=pure[read_percent])
    return MetricKey(point.at(CoordinateAxis.NAMED_READ_PERCENT, read_percent), quantity)


def _iops(root: Element) -> Iterator[ForeignNumber]:
    for test in root.iterfind("iops"):
        rounds = _chosen(test)
        for row, read_percent in enumerate(_IOPS_READ_PERCENTS):
            # A drive with 4 KiB sectors has no column of 512 bytes.
            for column, block in enumerate(_IOPS_BLOCKS[: len(rounds[0][row])]):
                value = _mean([one[row][column] for one in rounds])
                yield ForeignNumber(
                    key=_key("iops", block, read_percent, IOPS), value=value, unit="1/s", note=_note(test)
                )


def _latency(root: Element) -> Iterator[ForeignNumber]:
    for test in root.iterfind("lat"):
        rounds = _chosen(test)
        for row, read_percent in enumerate(_LATENCY_READ_PERCENTS):
            for column, block in enumerate(_LATENCY_BLOCKS[: len(rounds[0][row])]):
                value = _mean([one[row][column][2] for one in rounds]) * NS_PER_US
                yield ForeignNumber(
                    key=_key("lat", block, read_percent, LAT_MEAN), value=value, unit="ns", note=_note(test)
                )


def _throughput(root: Element) -> Iterator[ForeignNumber]:
    for test in root.iterfind("tp"):
        by_block: list[list[list[float]]] = json.loads(test.findtext("roundmat") or "[]")
        chosen = _rounds(test)
        for block, both in zip(_THROUGHPUT_BLOCKS, by_block, strict=False):
            for direction, rounds in zip((Direction.READ, Direction.WRITE), both, strict=True):
                kept = [rounds[number] for number in chosen if number < len(rounds)] or rounds
                yield ForeignNumber(
                    key=MetricKey(labelled("tkperf", "tp", block), BANDWIDTH, direction=direction),
                    value=_mean(kept) * KIB,
                    unit="B/s",
                    note=_note(test),
                )


def _saturation(root: Element) -> Iterator[ForeignNumber]:
    for test in root.iterfind("writesat"):
        rates, _ = json.loads(test.findtext("roundmat") or "[]")
        note = f"{len(rates)} rounds"
        point = labelled("tkperf", "writesat")
        yield ForeignNumber(key=MetricKey(point, Quantity("first_iops")), value=float(rates[0]), unit="1/s", note=note)
        yield ForeignNumber(key=MetricKey(point, Quantity("last_iops")), value=float(rates[-1]), unit="1/s", note=note)


READERS = (Reader("TKperf 2, XML", _is_tkperf, _read),)
