"""The files of stated facts, `bench.toml` and `drives/SERIAL.toml`: their keys, and values read from their texts."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.stated import DriveClass, StatedLoad, StatedQuantity, StatedState
from ssdlab.job import Pattern
from ssdlab.message import Message, message
from ssdlab.method.values import DEPTH_MAX, BlockSize, RunTime, Size
from ssdlab.units import UnitError, clipped, parse_bytes

_WORDS_MAX = 200
_KIB4 = 4096
_T = TypeVar("_T")


class UnusableFactError(SsdlabError, ValueError):
    """A value of these files that cannot be used."""


def _printable(text: str) -> str:
    """Without line breaks, and without what reverses or hides letters."""
    if not text.isprintable():
        raise UnusableFactError(message("stated-not-printable"))
    return text


Words = Annotated[str, Field(min_length=1, max_length=_WORDS_MAX), AfterValidator(_printable)]


def _read(parse: Callable[[str], _T], example: str) -> BeforeValidator:
    """A value that is text in the file, so that its unit stands there."""

    def read(value: object) -> _T:
        if not isinstance(value, str):
            raise UnitError(
                message("unit-has-none", text=clipped(str(value))), message("unit-write-in-quotes", example=example)
            )
        return parse(value)

    return BeforeValidator(read)


def _refused(text: str, example: str) -> UnitError:
    return UnitError(message("stated-unreadable", text=clipped(text)), message("unit-write-like", example=example))


def _bandwidth(text: str) -> int:
    size, slash, _ = text.partition("/s")
    if not slash or text != f"{size}/s":
        raise _refused(text, "7450 MB/s")
    return _positive(parse_bytes(size), text, "7450 MB/s")


_IOPS = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([kKM]?) ?IOPS")
_THOUSANDS = {"": 1, "k": 1000, "K": 1000, "M": 1_000_000}
_PERCENT = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,7})?(?= ?%$)")
_MONEY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,2})?) ([A-Z]{3})")


def _iops(text: str) -> float:
    match = _IOPS.fullmatch(text)
    if match is None:
        raise _refused(text, "1400K IOPS")
    return _positive(float(Decimal(match[1]) * _THOUSANDS[match[2]]), text, "1400K IOPS")


def _percent(text: str) -> str:
    match = _PERCENT.match(text)
    if match is None:
        raise _refused(text, "99.99 %")
    _positive(Decimal(match[0]), text, "99.99 %")
    return _without_zeros(match[0])


def _without_zeros(number: str) -> str:
    """`99.90` is the percentile `99.9`."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _money(text: str) -> tuple[Decimal, str]:
    match = _MONEY.fullmatch(text)
    if match is None:
        raise _refused(text, "129.90 EUR")
    return _positive(Decimal(match[1]), text, "129.90 EUR"), match[2]


_Number = TypeVar("_Number", int, float, Decimal)


def _positive(value: _Number, text: str, example: str) -> _Number:
    if value <= 0:
        raise _refused(text, example)
    return value


def _share(text: str) -> float:
    return float(_percent(text))


class StatedTable(BaseModel):
    """Any table of these files: unknown keys are faults, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)


class BenchTable(StatedTable):
    """`bench.toml`."""

    since: date | None = None
    """Runs that began before this day were measured on another bench, of which nothing is said."""
    cooling: Words | None = None
    ambient_c: Annotated[float, Field(ge=-60, le=120)] | None = None
    power_supply: Words | None = None
    case: Words | None = None
    slot: Words | None = None
    adapter: Words | None = None
    memory: Words | None = None
    boot_drive: Words | None = None
    driver: Words | None = None
    notes: Words | None = None


class DatasheetValueTable(StatedTable):
    """`[[datasheet.value]]`: a load, and one of the four quantities."""

    load: Annotated[StatedLoad, Field(strict=False)]
    speed: Annotated[int, _read(_bandwidth, "7450 MB/s")] | None = None
    iops: Annotated[float, _read(_iops, "1400K IOPS")] | None = None
    consistency: Annotated[float, _read(_share, "90 %")] | None = None
    latency: RunTime | None = None
    percentile: Annotated[str, _read(_percent, "99.99 %")] | None = None
    block: BlockSize | None = None
    queue_depth: Annotated[int, Field(ge=1, le=DEPTH_MAX)] | None = None
    state: Annotated[StatedState, Field(strict=False)] | None = None

    @model_validator(mode="after")
    def _coherent(self) -> "DatasheetValueTable":
        fault = self._fault()
        if fault is not None:
            raise UnusableFactError(fault)
        return self

    def _fault(self) -> Message | None:
        """What does not go together."""
        count = sum(value is not None for value in self._quantities.values())
        if count != 1:
            return message("stated-one-quantity", count=count)
        is_random = self.load.pattern is Pattern.RANDOM
        if (is_random and self.speed is not None) or (not is_random and self.iops is not None):
            return message("stated-speed-or-iops")
        if self.percentile is not None and self.latency is None:
            return message("stated-percentile-of-latency")
        if self.state is not None and (self.load.read_percent or (self.speed is None and self.iops is None)):
            return message("stated-state-of-writes")
        return None

    @property
    def _quantities(self) -> dict[StatedQuantity, float | None]:
        return {
            StatedQuantity.SPEED: self.speed,
            StatedQuantity.IOPS: self.iops,
            StatedQuantity.CONSISTENCY: self.consistency,
            StatedQuantity.LATENCY: self.latency,
        }

    @property
    def stated(self) -> tuple[StatedQuantity, float]:
        """The one quantity that is stated."""
        return next((quantity, value) for quantity, value in self._quantities.items() if value is not None)

    @property
    def block_bytes(self) -> int | None:
        """Of random I/Os 4 KiB where nothing is said, as in all datasheets."""
        return self.block or (_KIB4 if self.load.pattern is Pattern.RANDOM else None)


class DatasheetTable(StatedTable):
    """`[datasheet]`."""

    source: Words | None = None
    endurance: Size | None = None
    values: Annotated[tuple[DatasheetValueTable, ...], Field(alias="value", strict=False, max_length=100)] = ()


class DriveTable(StatedTable):
    """`drives/SERIAL.toml`."""

    drive_class: Annotated[DriveClass | None, Field(alias="class", strict=False)] = None
    controller: Words | None = None
    flash: Words | None = None
    heatsink: Words | None = None
    purged_by: Words | None = None
    price: Annotated[tuple[Decimal, str], _read(_money, "129.90 EUR")] | None = None
    paid_on: date | None = None
    photo: Words | None = None
    notes: Words | None = None
    datasheet: DatasheetTable | None = None
