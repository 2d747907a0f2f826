"""Power logs that are lines of numbers, read piece by piece."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ssdlab.analysis.power.samples import Floats, PowerChunk, PowerLogError
from ssdlab.message import message

LINE_BYTES_MAX = 4096
_PIECE_BYTES = 1 << 20
_COLUMNS_MAX = 64
_POWER_W_MAX = 100_000.0
_TIME_S_MAX = 1e10
_PERIODS_OF = 4096
"""Samples whose distances tell the period."""
_FACTORS = {"": 1.0, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "k": 1e3}


@dataclass(frozen=True, slots=True)
class Product:
    """A voltage times a current."""

    volts: int
    amperes: int
    factor: float


@dataclass(frozen=True, slots=True)
class PowerColumns:
    """How a line is a sample.

    Attributes:
        count: Of columns.
        time: The column of the time, or of the number of the sample.
        time_factor_s: One unit of the time column.
        watts: Columns of power, each with its unit in watts; all of them together are the power.
        products: Pairs of columns, likewise.
    """

    count: int
    time: int
    time_factor_s: float
    watts: tuple[tuple[int, float], ...]
    products: tuple[Product, ...] = ()


@dataclass(frozen=True, slots=True)
class TextLog:
    """A log whose samples are lines behind a head of so many bytes."""

    path: Path
    head_bytes: int
    separator: str | None
    columns: PowerColumns
    period_s: float

    def chunks(self) -> Iterator[PowerChunk]:
        """See `PowerLog.chunks`."""
        last_s = -math.inf
        for first_line, lines in _pieces(self.path, self.head_bytes):
            rows = _numbers(self.path, lines, self.separator, self.columns.count, first_line)
            if not len(rows):
                continue
            power_w = _power_of(rows, self.columns)
            time_s = rows[:, self.columns.time] * self.columns.time_factor_s
            _require_order(self.path, time_s, last_s, first_line)
            _require_possible(self.path, power_w, first_line)
            last_s = float(time_s[-1])
            yield PowerChunk(time_s, power_w)


def text_log(
    path: Path, head_bytes: int, separator: str | None, columns: PowerColumns, period_s: float | None
) -> TextLog:
    """A log whose period is told, or is seen from its first samples.

    Raises:
        PowerLogError: It has fewer than three samples, or they are in no order.
    """
    whole = TextLog(path, head_bytes, separator, columns, period_s or 1.0)
    first = next(whole.chunks(), None)
    if first is None or len(first.time_s) < 3:
        raise PowerLogError(message("power-log-empty"), message("power-hint-whole-run"))
    if period_s is None:
        period_s = float(np.median(np.diff(first.time_s[:_PERIODS_OF])))
        if period_s <= 0:
            raise PowerLogError(message("power-no-order", file=path.name, line=1), message("power-hint-as-saved"))
    return TextLog(path, head_bytes, separator, columns, period_s)


def first_lines(path: Path, count: int) -> list[bytes]:
    """The first lines of a file, with their ends."""
    with path.open("rb") as file:
        return [line for _ in range(count) if (line := file.readline(LINE_BYTES_MAX))]


def _pieces(path: Path, head_bytes: int) -> Iterator[tuple[int, list[str]]]:
    """Lines of about a mebibyte at a time, with the number of the first of them behind the head."""
    line_number = 1
    with path.open("rb") as file:
        file.seek(head_bytes)
        left = b""
        while piece := file.read(_PIECE_BYTES):
            *lines, left = (left + piece).split(b"\n")
            if len(left) > LINE_BYTES_MAX:
                raise _damaged(path, line_number + len(lines))
            yield line_number, [line.decode("ascii", "replace") for line in lines]
            line_number += len(lines)
        # What follows the last end of a line may be half of one: a meter that was stopped while it wrote.


def _numbers(path: Path, lines: Sequence[str], separator: str | None, columns: int, first_line: int) -> Floats:
    kept = [line for line in lines if line.strip() and line.strip() not in {"eof", ">"}]
    if not kept:
        return np.zeros((0, columns))
    try:
        rows = np.array([[float(cell) for cell in line.rstrip(", \r").split(separator)] for line in kept])
    except ValueError:
        rows = np.zeros(0)
    if rows.ndim != 2 or rows.shape[1] != columns:
        wrong = next((at for at, line in enumerate(lines) if line.strip() and not _fits(line, separator, columns)), 0)
        raise _damaged(path, first_line + wrong)
    return rows


def _fits(line: str, separator: str | None, columns: int) -> bool:
    try:
        return len([float(cell) for cell in line.rstrip(", \r").split(separator)]) == columns
    except ValueError:
        return False


def _damaged(path: Path, line: int) -> PowerLogError:
    return PowerLogError(message("power-line-damaged", file=path.name, line=line), message("power-hint-as-saved"))


def _power_of(rows: Floats, columns: PowerColumns) -> Floats:
    power_w = np.zeros(len(rows))
    # What is no number or far too large becomes so in the sum, too, and is refused there.
    with np.errstate(over="ignore", invalid="ignore"):
        for column, factor in columns.watts:
            power_w += rows[:, column] * factor
        for pair in columns.products:
            power_w += rows[:, pair.volts] * rows[:, pair.amperes] * pair.factor
    return power_w


def _require_order(path: Path, time_s: Floats, last_s: float, first_line: int) -> None:
    # Between two infinite times there is no difference, and numpy would say so to whoever reads the terminal.
    with np.errstate(invalid="ignore"):
        ascends = np.diff(time_s, prepend=last_s) > 0
    if not (np.isfinite(time_s).all() and ascends.all() and abs(time_s).max() < _TIME_S_MAX):
        wrong = int(np.argmin(np.isfinite(time_s) & ascends))
        raise PowerLogError(
            message("power-no-order", file=path.name, line=first_line + wrong), message("power-hint-as-saved")
        )


def _require_possible(path: Path, power_w: Floats, first_line: int) -> None:
    wrong = np.flatnonzero(np.abs(power_w) > _POWER_W_MAX)
    if len(wrong) or np.isinf(power_w).any():
        line = first_line + (int(wrong[0]) if len(wrong) else 0)
        raise PowerLogError(message("power-impossible", file=path.name, line=line), message("power-hint-as-saved"))


_NO_CHANNEL = {
    *("voltage", "current", "power", "v", "i", "p", ""),
    *("mean", "avg", "average", "min", "minimum", "max", "maximum", "peak", "rms"),
}
_EXTREMES = {"min", "minimum", "max", "maximum", "peak", "rms"}
"""What a column has of each moment that is not its mean, of which alone energies can be computed."""
_UNIT = re.compile(r"^(?P<what>.*?)[\s_]*[\[(]?\s*(?P<prefix>[numkµμ]?)(?P<unit>[sVAW])\s*[\])]?$")


@dataclass(frozen=True, slots=True)
class _Column:
    at: int
    what: str
    factor: float
    unit: str


def columns_of_heading(path: Path, names: Sequence[str]) -> PowerColumns:
    """What the names of columns say, such as `Time us`, `12V voltage mV`, `Tot power uW` or `current (A)`.

    The power is that of a column of the whole, else the sum of all channels: of each its column of power, or its voltage times its current.

    Raises:
        PowerLogError: They name no time, or nothing that makes power, or do not tell which columns make it.
    """
    if len(names) > _COLUMNS_MAX:
        raise _no_columns(path)
    found = [_column(at, name) for at, name in enumerate(names)]
    if (time := found[0]) is None or time.unit != "s" or not time.what.lower().lstrip("#").strip().startswith("time"):
        raise _no_columns(path)
    known = [one for one in found[1:] if one is not None]
    whole = [one for one in known if one.unit == "W" and {"tot", "total"} & _words(one.what)]
    if len(whole) > 1:
        raise PowerLogError(message("power-two-totals", file=path.name), message("power-hint-one-channel"))
    if whole:
        _require_mean(path, whole)
        return PowerColumns(len(names), 0, time.factor, ((whole[0].at, whole[0].factor),))
    watts, products = _of_channels(path, known)
    if not watts and not products:
        raise _no_columns(path)
    return PowerColumns(len(names), 0, time.factor, watts, products)


def _of_channels(path: Path, known: Sequence[_Column]) -> tuple[tuple[tuple[int, float], ...], tuple[Product, ...]]:
    channels: dict[str, dict[str, list[_Column]]] = {}
    for one in known:
        channels.setdefault(_channel(one.what), {}).setdefault(one.unit, []).append(one)
    watts, products = [], []
    for of_unit in channels.values():
        taken = [of_unit["W"]] if "W" in of_unit else [of_unit[unit] for unit in "VA" if unit in of_unit]
        if len(taken) < 2 and "W" not in of_unit:
            # Half of a power, or times beside that of the sample.
            continue
        if any(len(columns) > 1 for columns in taken):
            raise columns_unclear(path)
        for columns in taken:
            _require_mean(path, columns)
        if "W" in of_unit:
            watts.append((of_unit["W"][0].at, of_unit["W"][0].factor))
        else:
            (volts,), (amperes,) = taken
            products.append(Product(volts.at, amperes.at, volts.factor * amperes.factor))
    # Power of no channel beside channels may be one more of them, or that of all.
    if "W" in channels.get("", {}) and len(watts) + len(products) > 1:
        raise columns_unclear(path)
    return tuple(watts), tuple(products)


def _require_mean(path: Path, columns: Sequence[_Column]) -> None:
    extreme = next((column.what for column in columns if _words(column.what) & _EXTREMES), None)
    if extreme is not None:
        raise PowerLogError(
            message("power-no-mean", file=path.name, column=extreme.strip()), message("power-hint-mean")
        )


def columns_unclear(path: Path) -> PowerLogError:
    """A heading that does not tell which columns make the power."""
    return PowerLogError(message("power-columns-unclear", file=path.name), message("power-hint-one-power"))


def _channel(what: str) -> str:
    """`12V` of `12V voltage` and of `current 12V`; what has no channel has all the same."""
    return " ".join(sorted(_words(what) - _NO_CHANNEL))


def _words(what: str) -> set[str]:
    return set(re.split(r"[\s_]+", what.strip().lower()))


def _column(at: int, name: str) -> _Column | None:
    found = _UNIT.match(name.strip().lstrip("#").strip())
    if found is None:
        return None
    return _Column(at, found["what"], _FACTORS[found["prefix"]], found["unit"])


def _no_columns(path: Path) -> PowerLogError:
    return PowerLogError(message("power-no-columns", file=path.name), message("power-hint-channels"))
