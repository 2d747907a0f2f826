"""What IOzone prints: the table of its automatic and single tests, and the summary of its throughput test (`-t`).

Form: `iozone.c` of 3.4, and outputs that were published. `Output is in` tells the unit: Kbytes/sec are 2^10 bytes a second, and
operations a second or microseconds an operation where `-O` or `-N` was given. A test that was not asked for leaves its column empty, so
columns are known by where they end.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.bundle.quantities import BANDWIDTH, IOPS, LAT_MEAN, Quantity
from ssdlab.library.foreign.rates import Measured, decimal, numbers_of, told_apart
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import message, number
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.units import KIB, NS_PER_US

_HEADING = re.compile(r"Iozone: Performance Test of File I/O\b")
_VERSION = re.compile(r"Version \$Revision: (?P<version>[\d.]+) \$")
_UNIT = re.compile(r"Output is in (?P<unit>[A-Za-z/ ]{1,60})\.?$", re.MULTILINE)
_INVALID = re.compile(r"Performance measurements are invalid in this mode")
_COMMAND = re.compile(r"^[ \t]*Command line used: (?P<text>.+)$", re.MULTILINE)
_TITLES = re.compile(r"^ +[Kk]B +reclen(?P<tests>(?: +(?:write|rewrite|read|reread|fwrite|frewrite|fread|freread))+)$")
_ROW = re.compile(r"^ +\d{1,15} +\d{1,9}(?: +\d{1,15})+$")
_CHILDREN = re.compile(
    r"^\s*Children see throughput for +(?P<jobs>\d{1,6}) (?P<test>[a-z-]+(?: [a-z-]+)?)\s*=\s*(?P<value>[\d.]+) (?P<unit>[A-Za-z]+/sec)$"
)
_RECORD = re.compile(
    r"^[ \t]*(?:Record Size|Each process writes .{1,60} in) (?P<size>\d{1,9}) ?[Kk]?(?:byte|B)", re.MULTILINE
)
_IN_COLUMNS = (
    "write", "rewrite", "read", "reread", "random_read", "random_write", "backward_read", "record_rewrite", "stride_read",
    "fwrite", "frewrite", "fread", "freread",
)  # fmt: skip
"""In the order of the columns, of which several have one title."""
_OF_CHILDREN: Mapping[str, str] = MappingProxyType(
    {
        "initial writers": "write",
        "rewriters": "rewrite",
        "readers": "read",
        "re-readers": "reread",
        "reverse readers": "backward_read",
        "stride readers": "stride_read",
        "random readers": "random_read",
        "random writers": "random_write",
        "pwrite writers": "pwrite",
        "pread readers": "pread",
        "mixed workload": "mixed",
        "fwriters": "fwrite",
        "freaders": "fread",
    }
)
_MEANT: Mapping[str, Quantity] = MappingProxyType(
    {
        "kbytes/sec": BANDWIDTH,
        "kb/sec": BANDWIDTH,
        "ops/sec": IOPS,
        "operations per second": IOPS,
        "microseconds/op": LAT_MEAN,
        "microseconds per operation": LAT_MEAN,
    }
)
_STEP = "iozone"
_FURTHEST_OFF = 3
"""Characters by which a wide number may shift its column."""
_ROWS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class _Column:
    test: str
    end: int


def _is_iozone(begin: bytes) -> bool:
    return re.search(rb"Iozone: Performance Test of File I/O|Command line used: \S*iozone", begin) is not None


def _read(name: str, content: bytes) -> Foreign:
    text = text_of(name, content)
    runs = _runs(text)
    if _INVALID.search(text):
        raise ForeignError(message("import-iozone-invalid", name=name), message("import-iozone-not-verified"))
    numbers = told_apart(
        name, (found for run in runs for found in (*_of_table(name, run, _unit(name, run)), *_of_children(run)))
    )
    if not numbers:
        raise ForeignError(message("import-iozone-no-rows", name=name), message("import-iozone-whole"))
    version, commands = _VERSION.search(text), [found["text"][:500] for found in _COMMAND.finditer(text)]
    return Foreign(
        program="IOzone",
        program_version=NOT_SAID if version is None else version["version"],
        method="throughput" if _CHILDREN.search(text) else "table",
        numbers=numbers,
        settings=tuple(
            ("command" if order == 1 else f"command{order}", command) for order, command in enumerate(commands, 1)
        ),
        cautions=(
            "a file in a file system",
            *(
                ()
                if all("O_DIRECT feature enabled" in run for run in runs)
                else ("through the cache of the operating system, so it is not the drive alone",)
            ),
        ),
    )


def _runs(text: str) -> list[str]:
    """Each run from its heading on: its record size, its unit and its cache are its own."""
    first, *others = _HEADING.split(text)
    return [first + others[0], *others[1:]] if others else [first]


def _unit(name: str, run: str) -> Quantity:
    units = {_meant(found["unit"]) for found in _UNIT.finditer(run)}
    if len(units) != 1:
        raise ForeignError(message("import-iozone-no-unit", name=name), message("import-iozone-whole"))
    return units.pop()


def _of_table(name: str, text: str, quantity: Quantity) -> Iterator[ForeignNumber]:
    columns: Sequence[_Column] = ()
    rows = 0
    for line in text.split("\n"):
        spread = line.expandtabs()
        if _TITLES.match(spread):
            columns = _columns(spread)
        elif columns and _ROW.match(spread):
            rows += 1
            if rows > _ROWS_MAX:
                raise ForeignError(message("import-too-many-rows", name=name, most=number(_ROWS_MAX)))
            yield from _row(spread, columns, quantity)


def _columns(line: str) -> tuple[_Column, ...]:
    ends = [found.end() for found in re.finditer(r"\S+", line)][2:]
    return tuple(_Column(test, end) for test, end in zip(_IN_COLUMNS, ends, strict=False))


def _row(line: str, columns: Sequence[_Column], quantity: Quantity) -> Iterator[ForeignNumber]:
    cells = list(re.finditer(r"\d+", line))
    point = Point(_STEP)
    for cell, column in _matched(cells[2:], columns):
        of_test = point.at(CoordinateAxis.LABEL, column.test).at(CoordinateAxis.RANGE, int(cells[0][0]) * KIB)
        yield from _number(of_test.at(CoordinateAxis.BLOCK, int(cells[1][0]) * KIB), cell[0], quantity)


def _matched(cells: Sequence[re.Match[str]], columns: Sequence[_Column]) -> Iterator[tuple[re.Match[str], _Column]]:
    """Each number with the column it stands in.

    Raises:
        ValueError: A number stands between columns, or two in one.
    """
    if len(cells) == len(columns):
        yield from zip(cells, columns, strict=True)
        return
    taken: set[str] = set()
    for cell in cells:
        column = min(columns, key=lambda column: abs(column.end - cell.end()))
        if abs(column.end - cell.end()) > _FURTHEST_OFF or column.test in taken:
            raise ValueError(f"{cell[0]} stands in no column")
        taken.add(column.test)
        yield cell, column


def _meant(unit: str) -> Quantity:
    """What numbers in a unit are.

    Raises:
        ValueError: It is none of IOzone's.
    """
    quantity = _MEANT.get(unit.strip().lower())
    if quantity is None:
        raise ValueError(f"unit {unit[:40]!r}")
    return quantity


def _number(point: Point, value: str, quantity: Quantity) -> Iterator[ForeignNumber]:
    measured = decimal(value)
    yield from numbers_of(
        Measured(
            point=point,
            bandwidth_bytes_per_s=measured * KIB if quantity is BANDWIDTH else None,
            iops=measured if quantity is IOPS else None,
            lat_mean_ns=measured * NS_PER_US if quantity is LAT_MEAN else None,
        )
    )


def _of_children(text: str) -> Iterator[ForeignNumber]:
    """Sums over all processes or threads, while all of them ran."""
    record = _RECORD.search(text)
    for line in text.split("\n"):
        found = _CHILDREN.match(line)
        if found is None or found["test"].strip() not in _OF_CHILDREN:
            continue
        point = labelled(_STEP, _OF_CHILDREN[found["test"].strip()])
        if record is not None:
            point = point.at(CoordinateAxis.BLOCK, int(record["size"]) * KIB)
        yield from _number(point.at(CoordinateAxis.JOBS, int(found["jobs"])), found["value"], _meant(found["unit"]))


READERS = (Reader("IOzone, printed text", _is_iozone, _read),)
