"""Names of metrics and points, as bundles up to schema 4 keep them, read as values: the only place that takes such a name apart."""

import re
from collections.abc import Callable, Mapping

from ssdlab.bundle.metric_key import Aspect, MetricKey
from ssdlab.bundle.quantities import QUANTITIES, TIME_BELOW, Quantity, quantity_of
from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.method.probes import NAME as PROBES
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.point import Aggregate, Coordinate, CoordinateAxis, Load, Point, labelled
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S

_FACTORS = {"B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "k": KIB, "m": MIB}
_PATTERNS = {"seq": Pattern.SEQUENTIAL, "rnd": Pattern.RANDOM}
_NUMBER = r"(0|[1-9][0-9]*)"
_SIZE = rf"{_NUMBER}(B|KiB|MiB|GiB)"


def _whole(found: re.Match[str]) -> int:
    return int(found[1])


def _size_bytes(found: re.Match[str]) -> int:
    return int(found[1]) * _FACTORS[found[2]]


_Value = int | str | Aggregate | Load
_FORMS: Mapping[CoordinateAxis, tuple[str, Callable[[re.Match[str]], _Value]]] = {
    CoordinateAxis.NAMED_READ_PERCENT: (
        rf"(read)|(write)|r{_NUMBER}w{_NUMBER}",
        lambda found: 100 if found[1] else 0 if found[2] else int(found[3]),
    ),
    CoordinateAxis.BLOCK: (rf"b{_SIZE}", _size_bytes),
    CoordinateAxis.QUEUE_DEPTH: (rf"q{_NUMBER}", _whole),
    CoordinateAxis.READ_PERCENT: (rf"r{_NUMBER}", _whole),
    CoordinateAxis.RANGE: (_SIZE, _size_bytes),
    CoordinateAxis.REST: (rf"t{_NUMBER}(ms)?", lambda found: int(found[1]) * (NS_PER_MS if found[2] else NS_PER_S)),
    CoordinateAxis.PASS: (rf"pass{_NUMBER}", _whole),
    CoordinateAxis.READING: (rf"verify{_NUMBER}", _whole),
    CoordinateAxis.STAGE: (r"double|bisect|confirm", lambda found: found[0]),
    CoordinateAxis.JOBS: (rf"n{_NUMBER}", _whole),
    CoordinateAxis.RUN: (rf"run{_NUMBER}", _whole),
    CoordinateAxis.AGGREGATE: (r"weighted|rank|verify", lambda found: Aggregate(found[0])),
    CoordinateAxis.PROFILE: (
        rf"(seq|rnd){_NUMBER}([km])_q{_NUMBER}t{_NUMBER}",
        lambda found: Load(_PATTERNS[found[1]], int(found[2]) * _FACTORS[found[3]], int(found[4]), int(found[5])),
    ),
}
_BEYOND_STEPS = (CoordinateAxis.AGGREGATE, CoordinateAxis.PROFILE)
"""Coordinates of metrics that no step of a run has."""
_OF_STEPS = tuple(axis for axis in _FORMS if axis not in _BEYOND_STEPS)


def point_of_name(name: str) -> Point:
    """The point of a step of a run; what has the form of no coordinate is a label."""
    step, *words = name.split(".")
    axes = (*_OF_STEPS, CoordinateAxis.AGGREGATE) if step == SUSTAIN else _OF_STEPS
    point = Point(step, tuple(_coordinate(word, axes) for word in words))
    return point if point.name == name else labelled(step, *words)


def key_of_name(name: str, step: str) -> MetricKey:
    """What a metric is of, from its name and the step it came from, of which the name often is a part."""
    if name.startswith(f"{PROBES}."):
        return MetricKey(Point(PROBES), quantity_of(name.removeprefix(f"{PROBES}.")))
    inside = name.startswith(f"{step}.")
    point = point_of_name(step) if inside else Point("")
    words = (name.removeprefix(f"{step}.") if inside else name).split(".")
    if not inside and len(words) > 1:
        point, words = Point(words[0]), words[1:]
    key = _key(point, words)
    if key.name == name:
        return key
    *words, last = name.split(".")
    return MetricKey(labelled(*words) if words else Point(""), Quantity(last))


def _key(point: Point, words: list[str]) -> MetricKey:
    aspect = Aspect(words.pop()) if len(words) > 1 and words[-1] in _ASPECTS else None
    word = words.pop()
    direction = Direction(words.pop()) if words and words[-1] in _DIRECTIONS else None
    coordinates = list(point.coordinates)
    for one in words:
        after_aggregate = bool(coordinates) and coordinates[-1].axis is CoordinateAxis.AGGREGATE
        axes = (
            (CoordinateAxis.READ_PERCENT,) if after_aggregate else (*_BEYOND_STEPS, CoordinateAxis.NAMED_READ_PERCENT)
        )
        coordinates.append(_coordinate(one, axes))
    quantity, percent = _quantity(word)
    return MetricKey(Point(point.step, tuple(coordinates)), quantity, percent, direction, aspect)


_ASPECTS = {aspect.value for aspect in Aspect}
_DIRECTIONS = {direction.value for direction in Direction}


def _coordinate(word: str, axes: tuple[CoordinateAxis, ...]) -> Coordinate:
    for axis in axes:
        form, value = _FORMS[axis]
        if (found := re.fullmatch(form, word)) is not None:
            return Coordinate(axis, value(found))
    return Coordinate(CoordinateAxis.LABEL, word)


def _quantity(word: str) -> tuple[Quantity, str | None]:
    below = re.fullmatch(rf"{TIME_BELOW.word}_([0-9]+)", word)
    if below is not None:
        return TIME_BELOW, below[1]
    found = None if word in QUANTITIES else re.fullmatch(r"(\w+)_p([0-9]+(?:_[0-9]+)?)", word, re.ASCII)
    return (quantity_of(word), None) if found is None else (quantity_of(found[1]), found[2].replace("_", "."))
