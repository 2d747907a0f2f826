"""What every reader makes of a file of another program."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from ssdlab.bundle.model import Check
from ssdlab.errors import SsdlabError
from ssdlab.unknown import Unknown

NOT_SAID = Unknown("the file does not say")
_LONGEST_REASON = 160


class ForeignError(SsdlabError):
    """A file is no result ssdlab can read, or it is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a result.

    Attributes:
        name: Dotted, as the metric will be called.
        note: How the program came by it, where that is not the plain mean of one run.
        subject: What the audit calls the job it is of; empty where nothing is audited.
    """

    name: str
    value: float | int | str | Unknown
    unit: str
    note: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A result of another program; what the file lacks is unknown."""

    program: str
    program_version: str | Unknown
    method: str
    numbers: tuple[Number, ...]
    measured_at: str | Unknown = NOT_SAID
    model: str | Unknown = NOT_SAID
    serial: str | Unknown = NOT_SAID
    firmware: str | Unknown = NOT_SAID
    capacity_bytes: int | Unknown = NOT_SAID
    fill_percent: float | Unknown = NOT_SAID
    host: str | Unknown = NOT_SAID
    settings: tuple[tuple[str, str], ...] = ()
    cautions: tuple[str, ...] = ()
    audit: tuple[Check, ...] = ()


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
                f"`{name}` is not as its program writes it: {str(error)[:_LONGEST_REASON]}", "is it whole?"
            ) from error


def checked(name: str, foreign: Foreign) -> Foreign:
    """The same result; a moment that is none is unknown.

    Raises:
        ForeignError: A number is not finite or negative, or more than all of the drive is in use.
    """
    for number in foreign.numbers:
        if isinstance(number.value, int | float) and not (math.isfinite(number.value) and number.value >= 0):
            raise ForeignError(f"`{name}` says {number.value:g} for `{number.name}`, which cannot be", "is it whole?")
    if not isinstance(foreign.fill_percent, Unknown) and not 0 <= foreign.fill_percent <= 100:
        raise ForeignError(f"`{name}` says that {foreign.fill_percent:g} % of the volume are in use, which cannot be")
    return replace(foreign, measured_at=_moment(foreign.measured_at))


def _moment(said: str | Unknown) -> str | Unknown:
    if isinstance(said, Unknown):
        return said
    try:
        datetime.fromisoformat(said)
    except ValueError:
        return Unknown(f"the file says `{said[:40]}`, which is no date")
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
        raise ForeignError(f"`{name}` is no text: {error.reason} at byte {error.start}") from error
    lines = (line.removeprefix("> ").rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return "\n".join(lines)
