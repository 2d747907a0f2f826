"""What a metric is of, as values; its dotted name (METHODS M) is derived from them here alone."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Any

from pydantic import TypeAdapter

from ssdlab.bundle.quantities import (
    CLAT,
    FIRST_AT_BYTES,
    IOPS_WITHIN,
    LAT,
    LATE,
    RESPONSE,
    STEADY_AFTER,
    STEADY_AT_BYTES,
    TIME_BELOW,
    Better,
    Quantity,
    ShownWhen,
    quantity_of,
)
from ssdlab.engine.result import Direction
from ssdlab.message import Message, message, verbatim
from ssdlab.point import Aggregate, CoordinateAxis, Point


class Aspect(Enum):
    """What of a quantity: by which criterion of steadiness, or how far inside its limit."""

    HELD = "held"
    WINDOW = "window"
    SNIA = "snia"
    FIO = "fio"
    MARGIN = "margin"


_OF_PERCENT: Mapping[str, Callable[[str], Message]] = {
    CLAT.word: lambda percent: message("metric-label-clat", percent=percent),
    LAT.word: lambda percent: message("metric-label-lat", percent=percent),
    TIME_BELOW.word: lambda percent: message("metric-label-time-below", percent=percent),
    RESPONSE.word: lambda percent: message("metric-label-response", percent=percent),
    LATE.word: lambda percent: message("metric-label-late", percent=percent),
    IOPS_WITHIN.word: lambda percent: message("metric-label-iops-within", percent=percent),
}
"""Labels of percentiles and shares, by the word of the quantity."""
_BY_CRITERION: Mapping[str, Callable[[str], Message]] = {
    STEADY_AT_BYTES.word: lambda by: message("metric-label-steady-at-bytes", by=by),
    STEADY_AFTER.word: lambda by: message("metric-label-steady-after", by=by),
    FIRST_AT_BYTES.word: lambda by: message("metric-label-first-at-bytes", by=by),
}
"""Labels by a criterion of steadiness."""


@dataclass(frozen=True, slots=True)
class MetricKey:
    """What a metric is of."""

    point: Point
    quantity: Quantity
    percent: str | None = None
    """Of percentiles and shares: `99.9`, as text because no binary fraction is as exact."""
    direction: Direction | None = None
    """Of a mixed point, where it is that of one direction alone."""
    aspect: Aspect | None = None

    @property
    def name(self) -> str:
        """`rnd.r70w30.q4.read.clat_p99_9`: stable and dotted."""
        direction = () if self.direction is None else (self.direction.value,)
        aspect = () if self.aspect is None else (self.aspect.value,)
        words = (self.point.name, *direction, self.quantity_word, *aspect)
        return ".".join(word for word in words if word)

    @property
    def quantity_word(self) -> str:
        """`clat_p99_9`: the quantity in the name."""
        quantity, percent = self.quantity, self.percent
        return (
            quantity.word if percent is None else f"{quantity.word}{quantity.percent_mark}{percent.replace('.', '_')}"
        )

    @property
    def range(self) -> tuple[float, float]:
        """Between which numbers its values lie; how far something is inside a limit may have either sign."""
        return (-inf, inf) if self.aspect is Aspect.MARGIN else (self.quantity.least, self.quantity.most)

    @property
    def of_any_point(self) -> "MetricKey":
        """The same wherever it is measured."""
        return replace(self, point=Point(""))

    @property
    def label(self) -> Message:
        """What it is, in words."""
        if self.quantity.word == "iops" and self.point.value(CoordinateAxis.AGGREGATE) is Aggregate.RANK:
            return message("metric-label-rank")
        if self.aspect is Aspect.MARGIN:
            return message("metric-label-margin")
        if self.aspect is not None and self.quantity.word in _BY_CRITERION:
            return _BY_CRITERION[self.quantity.word](self.aspect.value)
        return self._of_direction(self._quantity_label)

    @property
    def _quantity_label(self) -> Message:
        if self.percent is not None and self.quantity.word in _OF_PERCENT:
            return _OF_PERCENT[self.quantity.word](self.percent)
        own = self.quantity.label if self.percent is None else None
        return own or verbatim(self.quantity_word.replace("_", " "))

    def _of_direction(self, label: Message) -> Message:
        """Of pure reads and writes, too, where nothing follows them in the name."""
        words = [coordinate.word for coordinate in self.point.coordinates[-1:]]
        if self.direction is not None:
            words = [self.direction.value]
        if words == ["read"]:
            return message("metric-label-reads", quantity=label)
        return message("metric-label-writes", quantity=label) if words == ["write"] else label

    @property
    def is_detail(self) -> bool:
        """Whether comparisons leave it out unless it is asked for."""
        return self.quantity.shown is ShownWhen.IF_ASKED and self.aspect is not Aspect.MARGIN

    def better(self, unit: str) -> Better:
        """Which end of it is good."""
        return Better.HIGHER if self.aspect is Aspect.MARGIN else self.quantity.better(unit)


_POINT_ADAPTER: TypeAdapter[Point] = TypeAdapter(Point)


def key_as_json(key: MetricKey) -> dict[str, Any]:
    """Its fields as a bundle keeps them; what does not apply is left out."""
    return key_at_point(key, point_as_json(key.point))


def point_as_json(point: Point) -> dict[str, Any]:
    """The fields of a point as a bundle keeps them."""
    fields: dict[str, Any] = _POINT_ADAPTER.dump_python(point, mode="json")
    return fields


def key_at_point(key: MetricKey, point: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a key of whose point they are known: many keys share one."""
    fields = {
        "point": point,
        "direction": None if key.direction is None else key.direction.value,
        "quantity": key.quantity.word,
        "percent": key.percent,
        "aspect": None if key.aspect is None else key.aspect.value,
    }
    return {name: value for name, value in fields.items() if value is not None}


def key_as_text(key: MetricKey) -> str:
    """The same on one line, for tables."""
    return json.dumps(key_as_json(key), separators=(",", ":"), ensure_ascii=False)


def key_from_text(text: str) -> MetricKey:
    """What a table keeps, read again."""
    return key_from_json(json.loads(text))


def key_from_json(fields: Any) -> MetricKey:
    """What a bundle keeps, read again.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(fields, dict):
        raise ValueError("no key")  # noqa: TRY004 - one error for all that is no key
    quantity, percent = fields.get("quantity"), fields.get("percent")
    if not isinstance(quantity, str) or not isinstance(percent, str | None):
        raise ValueError("no quantity")  # noqa: TRY004 - one error for all that is no key
    return MetricKey(
        point=_POINT_ADAPTER.validate_python(fields.get("point")),
        quantity=quantity_of(quantity),
        percent=percent,
        direction=None if fields.get("direction") is None else Direction(fields["direction"]),
        aspect=None if fields.get("aspect") is None else Aspect(fields["aspect"]),
    )
