"""The file of limits: which number of which suite must be at least or at most how much."""

from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from ssdlab.message import message
from ssdlab.method.faults import line_of
from ssdlab.qualify.amount import Amount, parse_amount
from ssdlab.report.stated.files import faulty, read_table
from ssdlab.report.stated.tables import StatedTable, UnusableFactError, Words
from ssdlab.units import UnitError, clipped

STANDARD = "standard"
_LIMITS_MAX = 1000


class Side(Enum):
    """Which side of a limit is inside."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class NumberLimit:
    """What every drive must keep."""

    suite: str
    profile: str
    pattern: str
    """Name of a metric, or a pattern as a shell matches names: each metric it matches must keep the limit."""
    side: Side
    amount: Amount
    line: int
    """Of the file."""

    @property
    def method(self) -> tuple[str, str]:
        """Suite and profile."""
        return self.suite, self.profile

    def concerns(self, metric: str) -> bool:
        """Whether it is one for the metric of that name."""
        return metric == self.pattern or fnmatchcase(metric, self.pattern)


def _amount(value: object) -> Amount:
    if not isinstance(value, str):
        raise UnitError(
            message("unit-has-none", text=clipped(str(value))), message("unit-write-in-quotes", example="150 MiB/s")
        )
    return parse_amount(value)


_Amount = Annotated[Amount, BeforeValidator(_amount)]


class LimitTable(StatedTable):
    """`[[limit]]`."""

    suite: Words
    profile: Words = STANDARD
    metric: Words
    at_least: _Amount | None = None
    at_most: _Amount | None = None

    @model_validator(mode="after")
    def _bounded(self) -> "LimitTable":
        if self.at_least is None and self.at_most is None:
            raise UnusableFactError(message("qualify-no-bound"))
        return self

    @property
    def bounds(self) -> tuple[tuple[Side, Amount], ...]:
        """One or two."""
        both = ((Side.AT_LEAST, self.at_least), (Side.AT_MOST, self.at_most))
        return tuple((side, amount) for side, amount in both if amount is not None)


class LimitsTable(StatedTable):
    """The whole file."""

    limits: Annotated[tuple[LimitTable, ...], Field(alias="limit", strict=False, max_length=_LIMITS_MAX)] = ()


def read_limits(path: Path) -> tuple[NumberLimit, ...]:
    """The limits of a file, in its order.

    Raises:
        SsdlabError: It cannot be used: all its faults at once, each with its line.
    """
    table, lines = read_table(path, LimitsTable)
    if not table.limits:
        raise faulty(path, 1, "limit", message("qualify-no-limit"))
    return tuple(
        NumberLimit(one.suite, one.profile, one.metric, side, amount, line_of(("limit", place, "metric"), lines))
        for place, one in enumerate(table.limits)
        for side, amount in one.bounds
    )
