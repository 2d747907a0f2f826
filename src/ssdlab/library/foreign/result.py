"""What every reader makes of a file of another program."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import overload

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Check
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message
from ssdlab.message import number as shown_number
from ssdlab.unknown import Unknown

NOT_SAID = Unknown(message("unknown-file-silent"))
_LONGEST_REASON = 160


class ForeignError(SsdlabError):
    """A file is no result ssdlab can read, or it is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignNumber:
    """One number of a result.

    Attributes:
        key: What the metric will be of.
        note: How the program came by it, where that is not the plain mean of one run.
        subject: What the audit calls the job it is of; empty where nothing is audited.
    """

    key: MetricKey
    value: float | int | str | Unknown
    unit: str
    note: str | Message = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class NumbersOnDemand(Sequence[ForeignNumber]):
    """Numbers that are made, and held to be possible, whenever they are gone through: of a large file all would not fit into memory.

    Attributes:
        name: Of the file.
        made: Makes them.
    """

    name: str
    made: Callable[[], Iterator[ForeignNumber]]

    def __iter__(self) -> Iterator[ForeignNumber]:
        """In the order of the file.

        Raises:
            ForeignError: A number is not finite or negative.
        """
        for number in self.made():
            _require_possible(self.name, number)
            yield number

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    @overload
    def __getitem__(self, place: int) -> ForeignNumber: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ForeignNumber]: ...
    def __getitem__(self, place: int | slice) -> ForeignNumber | Sequence[ForeignNumber]:
        return tuple(self)[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A result of another program; what the file lacks is unknown."""

    program: str
    program_version: str | Unknown
    method: str
    numbers: Sequence[ForeignNumber]
    measured_at: str | Unknown = NOT_SAID
    model: str | Unknown = NOT_SAID
    serial: str | Unknown = NOT_SAID
    firmware: str | Unknown = NOT_SAID
    capacity_bytes: int | Unknown = NOT_SAID
    fill_percent: float | Unknown = NOT_SAID
    host: str | Unknown = NOT_SAID
    settings: tuple[tuple[str, str], ...] = ()
    cautions: tuple[str, ...] = ()
    audit: Iterable[Check] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of file.

    Attributes:
        program: Whose it is.
        recognises: Whether a file begins as that program's do; gets its first 64 KiB, and never fails.
        parse: Reads it whole; raises ForeignError saying what is wrong with it.
    """

    program: str
    recognises: Callable[[bytes], bool]
    parse: Callable[[str, bytes], Foreign]

    def read(self, name: str, content: bytes) -> Foreign:
        """Read a file whole.

        Raises:
            ForeignError: It is damaged, or has a number that no measurement has.
        """
        try:
            return checked(name, self.parse(name, content))
        except (ValueError, TypeError, ArithmeticError, LookupError, RecursionError) as error:
            raise ForeignError(
                message("foreign-not-as-written", name=name, error=str(error)[:_LONGEST_REASON]),
                message("foreign-whole"),
            ) from error


def checked(name: str, foreign: Foreign) -> Foreign:
    """The same result; a moment that is none is unknown.

    Raises:
        ForeignError: A number is not finite or negative, or more than all of the drive is in use.
    """
    if not isinstance(foreign.numbers, NumbersOnDemand):
        for number in foreign.numbers:
            _require_possible(name, number)
    if not isinstance(foreign.fill_percent, Unknown) and not 0 <= foreign.fill_percent <= 100:
        raise ForeignError(message("foreign-fill-impossible", name=name, fill=shown_number(foreign.fill_percent, "g")))
    return replace(foreign, measured_at=_moment(foreign.measured_at))


def _require_possible(name: str, number: ForeignNumber) -> None:
    if isinstance(number.value, int | float) and not (math.isfinite(number.value) and number.value >= 0):
        raise ForeignError(
            message(
                "foreign-value-impossible", name=name, value=shown_number(number.value, "g"), metric=number.key.name
            ),
            message("foreign-whole"),
        )


def _moment(said: str | Unknown) -> str | Unknown:
    if isinstance(said, Unknown):
        return said
    try:
        datetime.fromisoformat(said)
    except ValueError:
        return Unknown(message("unknown-no-date", text=said[:40]))
    return said


def text_of(name: str, content: bytes) -> str:
    """A text file as text, whatever ends its lines; marks of byte order and quotation in mails are taken off.

    Raises:
        ForeignError: It is no text.
    """
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ForeignError(message("foreign-no-text", name=name, reason=error.reason, start=error.start)) from error
    lines = (line.removeprefix("> ").rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return "\n".join(lines)
