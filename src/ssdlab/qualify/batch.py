"""Batches: drives of one model, by one suite and profile, and which of them is not like its siblings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.bundle.metric_key import Aspect, MetricKey
from ssdlab.bundle.quantities import CLAT_MAX
from ssdlab.library.entry import Entry, MethodKey, Nature
from ssdlab.library.groups import Group
from ssdlab.message import Message, message
from ssdlab.qualify.limits import NumberLimit
from ssdlab.qualify.measured import MeasuredDrive
from ssdlab.qualify.outliers import DRIVES_MIN, LEVEL, outliers, reach


@dataclass(frozen=True, slots=True)
class BatchKey:
    """What drives have in common that can be siblings."""

    model: str
    capacity_bytes: int | None
    nature: Nature
    method: MethodKey


@dataclass(frozen=True, slots=True)
class OddNumber:
    """A number by which a drive is not like its siblings."""

    key: MetricKey
    unit: str
    value: float
    middle: float
    """Median of the batch."""
    deviations: float
    """Standard deviations of the others from their mean, of logarithms; has a sign."""

    @property
    def ratio(self) -> float:
        """To the median of the batch."""
        return self.value / self.middle


@dataclass(frozen=True, slots=True)
class BatchNumber:
    """A number of all drives of a batch."""

    key: MetricKey
    unit: str
    values: Mapping[int, Group]
    """By the place of the drive among all."""
    not_judged: Message | None
    """Why nothing is said of it; None where it was judged."""
    odd: Mapping[int, OddNumber]
    """By the place of the drive."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Drives that can be siblings."""

    key: BatchKey
    drives: tuple[int, ...]
    """Their places among all."""
    numbers: tuple[BatchNumber, ...]
    """Those with odd drives first."""

    @property
    def judged(self) -> tuple[BatchNumber, ...]:
        """Those that something is said of."""
        return tuple(one for one in self.numbers if one.not_judged is None)


@dataclass(frozen=True, slots=True)
class Siblings:
    """All batches of some drives, judged as one family: the level is of everything said of any."""

    batches: tuple[Batch, ...]
    level_of_one: float
    """Probability that one healthy number has an odd drive: the level over how many were judged (Bonferroni)."""

    def odd_of(self, place: int) -> tuple[OddNumber, ...]:
        """By what a drive is odd, the farthest first."""
        found = [one.odd[place] for batch in self.batches for one in batch.numbers if place in one.odd]
        return tuple(sorted(found, key=lambda odd: -abs(odd.deviations)))

    def reach_of(self, batch: Batch) -> float:
        """How many standard deviations of the others a drive of a batch must be away from them to be called odd."""
        return reach(len(batch.drives), self.level_of_one)


_Values = dict[int, Group]


def siblings(drives: Sequence[MeasuredDrive], limits: Sequence[NumberLimit]) -> Siblings:
    """The batches of some drives, and which drives are odd.

    Looked at are the numbers that comparisons show and those that have a limit; not the longest latencies, which are single events.

    Args:
        drives: In the order of their places.
        limits: Whose metrics are looked at, too.
    """
    batches = {key: dict(_values(drives, places, key, limits)) for key, places in _by_key(drives).items()}
    count = sum(_not_judged(values) is None for numbers in batches.values() for values in numbers.values())
    level = LEVEL / max(1, count)
    made = (_batch(key, _by_key(drives)[key], numbers, level) for key, numbers in batches.items())
    return Siblings(tuple(made), level)


def _by_key(drives: Sequence[MeasuredDrive]) -> dict[BatchKey, tuple[int, ...]]:
    found: dict[BatchKey, list[int]] = {}
    for place, drive in enumerate(drives):
        for measured in drive.methods.values():
            found.setdefault(_key(measured.entries[0]), []).append(place)
    return {key: tuple(places) for key, places in found.items()}


def _key(entry: Entry) -> BatchKey:
    capacity = entry.drive.capacity_bytes
    return BatchKey(entry.drive.model, capacity if isinstance(capacity, int) else None, entry.nature, entry.method)


_Number = tuple[MetricKey, str, str]
"""Metric, state of the drive, unit: what values must have in common."""


def _values(
    drives: Sequence[MeasuredDrive], places: Sequence[int], key: BatchKey, limits: Sequence[NumberLimit]
) -> Iterator[tuple[_Number, _Values]]:
    method = (key.method.suite, key.method.profile)
    patterns = [limit for limit in limits if limit.method == method]
    found: dict[_Number, _Values] = {}
    for place in places:
        for name, number in drives[place].methods[method].numbers.items():
            if isinstance(number.group, Group) and _is_looked_at(number.key, name, patterns):
                of = (number.key, number.group.first.state, number.unit)
                found.setdefault(of, {})[place] = number.group
    return iter(found.items())


def _is_looked_at(key: MetricKey, name: str, limits: Sequence[NumberLimit]) -> bool:
    if any(limit.concerns(name) for limit in limits):
        return True
    return not key.is_detail and key.quantity != CLAT_MAX and key.aspect is not Aspect.MARGIN


def _not_judged(values: _Values) -> Message | None:
    if len(values) < DRIVES_MIN:
        return message("qualify-too-few", count=len(values), least=DRIVES_MIN)
    if any(group.median <= 0 for group in values.values()):
        return message("qualify-has-zeros")
    return None


def _batch(key: BatchKey, places: tuple[int, ...], numbers: Mapping[_Number, _Values], level: float) -> Batch:
    made = [_judged(of, values, level) for of, values in numbers.items()]
    return Batch(key, places, tuple(sorted(made, key=_from_oddest)))


def _judged(of: _Number, values: _Values, level: float) -> BatchNumber:
    key, _, unit = of
    reason = _not_judged(values)
    odd: dict[int, OddNumber] = {}
    if reason is None:
        places, medians = list(values), [group.median for group in values.values()]
        middle = sorted(medians)[len(medians) // 2]
        for one in outliers(medians, level):
            odd[places[one.place]] = OddNumber(key, unit, medians[one.place], middle, one.deviations)
    return BatchNumber(key, unit, values, reason, odd)


def _from_oddest(number: BatchNumber) -> tuple[bool, float]:
    return number.not_judged is not None, -max((abs(one.deviations) for one in number.odd.values()), default=0.0)
