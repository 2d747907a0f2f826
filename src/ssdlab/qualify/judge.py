"""Numbers held against limits: inside or outside, by how much, or not measured, which is never inside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from math import inf

from ssdlab.errors import SsdlabError
from ssdlab.library.groups import Group
from ssdlab.message import Listed, Message, Separator, message
from ssdlab.qualify.limits import NumberLimit, Side
from ssdlab.qualify.measured import MeasuredDrive
from ssdlab.unknown import Unknown


class Verdict(Enum):
    """Of a number, or of a drive by all its numbers; the worst first."""

    FAILED = "failed"
    NOT_MEASURED = "not_measured"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class JudgedNumber:
    """A number of a drive against a limit."""

    limit: NumberLimit
    metric: str
    unit: str
    bound: float
    """In the unit of the metric."""
    number: Group | Unknown
    """What was measured; or why it was not."""

    @property
    def verdict(self) -> Verdict:
        """What is on the limit is inside."""
        inside = self.inside
        if isinstance(inside, Unknown):
            return Verdict.NOT_MEASURED
        return Verdict.PASSED if inside >= 0 else Verdict.FAILED

    @property
    def inside(self) -> float | Unknown:
        """By how much it is inside the limit, in the unit of the metric; outside it is negative."""
        if isinstance(self.number, Unknown):
            return self.number
        apart = self.number.median - self.bound
        return apart if self.limit.side is Side.AT_LEAST else -apart

    @property
    def margin(self) -> float | Unknown:
        """The same as a share of the limit."""
        if isinstance(self.inside, Unknown):
            return self.inside
        return self.inside / abs(self.bound) if self.bound else Unknown(message("qualify-limit-zero"))

    @property
    def is_told(self) -> bool:
        """Whether the number is farther from the limit than its 95 % interval reaches; also where it has none."""
        if isinstance(self.number, Unknown) or self.number.interval is None:
            return True
        low, high = self.number.interval
        return not low < self.bound < high

    @property
    def failed_checks(self) -> tuple[str, ...]:
        """Of the audit of the number."""
        return () if isinstance(self.number, Unknown) else self.number.failed_checks


@dataclass(frozen=True, slots=True)
class JudgedDrive:
    """A drive against all limits."""

    drive: MeasuredDrive
    numbers: tuple[JudgedNumber, ...]
    """In the order of the limits; of a pattern a number for each metric that any drive of the runs has."""

    @property
    def verdict(self) -> Verdict:
        """That of its worst number."""
        found = {one.verdict for one in self.numbers}
        return next(verdict for verdict in Verdict if verdict in found)

    @property
    def worst(self) -> JudgedNumber:
        """Farthest outside, or least inside; not measured before inside."""
        return min(self.numbers, key=from_worst)


def from_worst(number: JudgedNumber) -> tuple[int, float]:
    """Ascending from the worst; a limit of 0 is missed by any margin."""
    margin, inside = number.margin, number.inside
    if isinstance(margin, Unknown):
        margin = 0.0 if isinstance(inside, Unknown) or inside >= 0 else -inf
    return list(Verdict).index(number.verdict), margin


def judged(drives: Sequence[MeasuredDrive], limits: Sequence[NumberLimit]) -> tuple[JudgedDrive, ...]:
    """Each drive against all limits, in the order of the drives.

    Raises:
        SsdlabError: No run of a suite has a metric that a limit names, or it has another unit.
    """
    wanted = [(limit, _concerned(limit, drives)) for limit in limits]
    return tuple(JudgedDrive(drive, tuple(_numbers(drive, wanted))) for drive in drives)


_Bounds = dict[str, tuple[str, float]]
"""By the name of a metric its unit, and the limit in it."""
_Wanted = tuple[NumberLimit, _Bounds]


def _numbers(drive: MeasuredDrive, wanted: Sequence[_Wanted]) -> Iterator[JudgedNumber]:
    for limit, metrics in wanted:
        if not metrics:
            # Nobody ran the suite: what its metrics are is not known, and their limits are not kept.
            number = _number(drive, limit, limit.pattern)
            yield JudgedNumber(limit, limit.pattern, limit.amount.unit, limit.amount.value, number)
        for name, (unit, bound) in metrics.items():
            yield JudgedNumber(limit, name, unit, bound, _number(drive, limit, name))


def _number(drive: MeasuredDrive, limit: NumberLimit, name: str) -> Group | Unknown:
    method = drive.methods.get(limit.method)
    if method is None:
        return Unknown(message("qualify-no-run", suite=limit.suite, profile=limit.profile))
    found = method.numbers.get(name)
    return Unknown(message("qualify-no-such-number")) if found is None else found.group


def _concerned(limit: NumberLimit, drives: Sequence[MeasuredDrive]) -> _Bounds:
    """The metrics of any drive that the limit is for; none where no drive ran the suite."""
    methods = [method for drive in drives if (method := drive.methods.get(limit.method)) is not None]
    units = {name: number.unit for method in methods for name, number in method.numbers.items()}
    concerned = {name: _bound(limit, name, unit) for name, unit in units.items() if limit.concerns(name)}
    if units and not concerned:
        raise _no_such_metric(limit, list(units))
    return concerned


def _bound(limit: NumberLimit, name: str, unit: str) -> tuple[str, float]:
    bound = limit.amount.in_unit(unit)
    if bound is None:
        raise _other_unit(limit, name, unit)
    return unit, bound


def _no_such_metric(limit: NumberLimit, known: list[str]) -> SsdlabError:
    found = message(
        "qualify-no-metric", line=limit.line, metric=limit.pattern, suite=limit.suite, profile=limit.profile
    )
    near = get_close_matches(limit.pattern, known, n=3, cutoff=0.5)
    hints: list[Message] = []
    if near:
        names = Listed(tuple(f"`{name}`" for name in near), Separator.OR)
        hints.append(message("library-did-you-mean", names=names))
    return SsdlabError(found, *hints, message("library-show-lists"))


def _other_unit(limit: NumberLimit, name: str, unit: str) -> SsdlabError:
    return SsdlabError(
        message("qualify-other-unit", line=limit.line, metric=name, unit=unit or "none", amount=limit.amount.text),
        message("qualify-say-unit", unit=unit or "none"),
    )
