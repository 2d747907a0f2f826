"""What is to be told: the id of a message with typed values. Sentences are written where they are read, in the reader's language.

A message may be made anywhere, kept in a bundle and compared; only the command line, the report and what a bundle shows beside the
values turn it into words (`ssdlab.words`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from operator import itemgetter
from typing import TypeAlias


class QuantityForm(Enum):
    """How a quantity is shown; its value is in the base unit."""

    BYTES = "bytes"
    """`1.50 GiB`."""
    BYTES_DECIMAL = "bytes_decimal"
    """`1.00 TB`."""
    BANDWIDTH = "bandwidth"
    """Bytes a second as `1,290 MiB/s`."""
    BANDWIDTH_DECIMAL = "bandwidth_decimal"
    """Bytes a second as `1,353.0 MB/s`."""
    DURATION = "duration"
    """Nanoseconds as `21.1 ms`."""
    SI = "si"
    """`1.25 M`."""

    # Of a member there is one; that of Enum is a function of Python, and an import of many jobs asks for millions.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class ShownQuantity:
    """A number with the unit that its form implies."""

    value: float
    form: QuantityForm


@dataclass(frozen=True, slots=True)
class Number:
    """A number of no unit, or of one that the sentence names.

    Attributes:
        format: How it is shown, a format specification of Python such as `.3g` or `,`.
    """

    value: float
    format: str


class Separator(Enum):
    """What stands between the items of a list."""

    COMMA = "comma"
    SEMICOLON = "semicolon"
    AND = "and"
    """A comma, and the language's word for it before the last."""
    OR = "or"
    SENTENCE = "sentence"
    """A full stop after each but the last."""
    SLASH = "slash"
    COLON = "colon"
    DOT = "dot"
    """A dot in the middle of the line."""
    SPACE = "space"
    LINE = "line"
    """Each on a line of its own."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Several values in one place of a sentence."""

    items: "tuple[Value, ...]"
    mark: Separator


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be told.

    Attributes:
        id: Of the sentence in the catalogues of all languages.
        pairs: Values by the names the sentence has for them, in the order of the names. Text is a name, or of foreign origin: it is
            the same in each language.
        english: As it was written down, for a reader whose catalogue does not have the id; empty of a message made by this program.
    """

    id: str
    pairs: "tuple[tuple[str, Value], ...]" = ()
    english: str = field(default="", compare=False)

    @property
    def values(self) -> "Mapping[str, Value]":
        """The values by their names."""
        return dict(self.pairs)

    def __str__(self) -> str:
        """In English: for logs, and whoever reads a traceback."""
        # The catalogue stands above the errors and units that it needs, and these are told by messages themselves.
        from ssdlab.words.catalogue import in_english

        return in_english(self)


_BY_NAME = itemgetter(0)

Value: TypeAlias = str | int | ShownQuantity | Number | Listed | Message

AS_WRITTEN = "as-written"
"""The message of a sentence that an older ssdlab wrote down as a text."""
VERBATIM = "verbatim"
"""The message that is a text of foreign origin and nothing else."""


def message(id_: str, /, **values: Value) -> Message:
    """What is to be told by a sentence of the catalogues."""
    return message_of(id_, values) if values else _bare(id_)


@cache
def _bare(id_: str) -> Message:
    """A message without values: the audit of many jobs tells the same few of each."""
    return Message(id_)


def message_of(id_: str, values: "Mapping[str, Value]", english: str = "") -> Message:
    """A message whose id or names of values are not known to the code: of a bundle, of a template."""
    return Message(id_, tuple(sorted(values.items(), key=_BY_NAME)), english)


def verbatim(text: str) -> Message:
    """A text that is the same in each language: what another program said, or a name."""
    return message(VERBATIM, text=text)


def as_written(text: str) -> Message:
    """A sentence of ssdlab that is there as an English text: of a bundle of an older version, or of a layer that has no messages."""
    return message(AS_WRITTEN, text=text)


def listed(items: Listed) -> Message:
    """A list that is all there is to tell."""
    return message("listed", items=items)


def size(count_bytes: float) -> ShownQuantity:
    """Bytes, in binary units."""
    return ShownQuantity(count_bytes, QuantityForm.BYTES)


def size_decimal(count_bytes: float) -> ShownQuantity:
    """Bytes, in the units of a drive's label."""
    return ShownQuantity(count_bytes, QuantityForm.BYTES_DECIMAL)


def bandwidth(bytes_per_s: float) -> ShownQuantity:
    """Bytes a second, in MiB/s."""
    return ShownQuantity(bytes_per_s, QuantityForm.BANDWIDTH)


def bandwidth_decimal(bytes_per_s: float) -> ShownQuantity:
    """Bytes a second, in MB/s."""
    return ShownQuantity(bytes_per_s, QuantityForm.BANDWIDTH_DECIMAL)


def duration(duration_ns: float) -> ShownQuantity:
    """Nanoseconds, in the unit a reader would choose."""
    return ShownQuantity(duration_ns, QuantityForm.DURATION)


def si(value: float) -> ShownQuantity:
    """A count with a decimal prefix."""
    return ShownQuantity(value, QuantityForm.SI)


def number(value: float, format_: str = ",") -> Number:
    """A number as a format specification of Python shows it; whole ones are grouped by thousands."""
    return Number(value, format_)


def commas(*items: Value) -> Listed:
    """With commas between them."""
    return Listed(items, Separator.COMMA)


def semicolons(*items: Value) -> Listed:
    """With semicolons between them."""
    return Listed(items, Separator.SEMICOLON)
