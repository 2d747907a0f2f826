"""The text that HD Tune and HD Tune Pro copy or save of their benchmark.

Form: results that were published. Whether an `MB/sec` is 10^6 or 2^20 bytes the text does not say, nor does the program document it, so
transfer rates keep the unit that is written and are no bandwidth.
"""

import re
from collections.abc import Iterator

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import LAT_MEAN, Quantity
from ssdlab.engine.result import Direction
from ssdlab.library.foreign.encodings import text_in_any_encoding
from ssdlab.library.foreign.rates import marked_decimal, told_apart
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.message import message
from ssdlab.point import Point
from ssdlab.units import NS_PER_MS
from ssdlab.unknown import Unknown

_HEAD = re.compile(
    r"^\s*HD Tune(?P<pro> Pro)?(?: (?P<version>\d[\d.]*))?: (?P<model>.{1,200}?) (?P<kind>Benchmark|File Benchmark)$"
)
_DIRECTION = re.compile(
    r"^\s*(?:Test mode\s*: (?P<mode>Read|Write)|(?P<rates>Read|Write) transfer rate\s*$)", re.IGNORECASE
)
_BEGINS_ROW = re.compile(
    r"^\s*(?P<what>Transfer Rate Minimum|Transfer Rate Maximum|Transfer Rate Average|Access Time|Burst Rate)\s*:"
)
_ROW_ENDS = re.compile(r"\s*(?P<value>[\d.,]{1,20}) ?(?P<unit>MB/sec|MB/s|ms)\s*$")
_UNCLEAR = re.compile(r"\d{1,3}[.,]\d{3}")
"""A rate has one decimal: three digits after a mark may be thousands."""
_RATES = {
    "Transfer Rate Minimum": Quantity("transfer_rate_min"),
    "Transfer Rate Maximum": Quantity("transfer_rate_max"),
    "Transfer Rate Average": Quantity("transfer_rate_mean"),
    "Burst Rate": Quantity("burst_rate"),
}
_METHODS = {Direction.READ: "read benchmark", Direction.WRITE: "write benchmark", None: "benchmark"}
_LONGEST_LINE = 1_000


def _is_hd_tune(begin: bytes) -> bool:
    head = begin.replace(b"\0", b"")[:2000]
    return re.search(rb"^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)?\s*HD Tune(?: Pro)?[ :]", head) is not None


def _read(name: str, content: bytes) -> Foreign:
    lines = [line for line in text_in_any_encoding(name, content).split("\n") if len(line) < _LONGEST_LINE]
    heads = [found for line in lines if (found := _HEAD.match(line))]
    head = heads[0] if heads else None
    if head is None or head["kind"] != "Benchmark":
        raise ForeignError(message("import-hd-tune-heading", name=name), message("import-hd-tune-benchmark"))
    said = {Direction((found["mode"] or found["rates"]).lower()) for line in lines if (found := _DIRECTION.match(line))}
    # Only Pro writes.
    direction = next(iter(said), None if head["pro"] else Direction.READ)
    if len(said) > 1:
        raise ForeignError(message("import-hd-tune-several", name=name), message("import-one-run-a-file"))
    numbers = told_apart(name, (found for line in lines for found in _numbers(line, direction)))
    if len(heads) > 1:
        raise ForeignError(message("import-hd-tune-several", name=name), message("import-one-run-a-file"))
    if not numbers:
        raise ForeignError(message("foreign-nothing-above-zero", name=name), message("foreign-save-after-test"))
    return Foreign(
        program="HD Tune",
        program_version=head["version"] or NOT_SAID,
        method=_METHODS[direction],
        numbers=numbers,
        model=head["model"],
        capacity_bytes=NOT_SAID,
        cautions=("its MB/s may be 10^6 or 2^20 bytes a second, so they stay as they are written",),
    )


def _numbers(line: str, direction: Direction | None) -> Iterator[ForeignNumber]:
    row = _BEGINS_ROW.match(line)
    if row is None:
        return
    value = _value(row, line)
    point = Point("hd_tune")
    if row["what"] == "Access Time":
        latency = value * NS_PER_MS or Unknown(message("import-rounded-to-zero"))
        yield ForeignNumber(key=MetricKey(point, LAT_MEAN, direction=direction), value=latency, unit="ns")
    elif value:
        yield ForeignNumber(key=MetricKey(point, _RATES[row["what"]], direction=direction), value=value, unit="MB/s")


def _value(row: re.Match[str], line: str) -> float:
    """What a row says.

    Raises:
        ValueError: It is not written as the program does, or may be thousands or thousandths.
    """
    end = _ROW_ENDS.match(line, row.end())
    is_latency = row["what"] == "Access Time"
    if end is None or (end["unit"] == "ms") != is_latency or (not is_latency and _UNCLEAR.fullmatch(end["value"])):
        raise ValueError(f"no row: {line.strip()[:80]!r}")
    return marked_decimal(end["value"])


READERS = (Reader("HD Tune, text of its benchmark", _is_hd_tune, _read),)
