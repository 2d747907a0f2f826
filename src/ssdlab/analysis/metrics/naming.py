"""What all metrics of one step or point have in common."""

from dataclasses import dataclass

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.bundle.metric_key import Aspect, MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import Quantity
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState
from ssdlab.message import Message
from ssdlab.point import Point
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Naming:
    """What they are of, and the state the drive was in."""

    point: Point
    state: DriveState
    direction: Direction | None = None
    """Of a mixed point, where they are those of one direction alone."""
    step: str = ""
    """The step they come from, where it has not the name of the point."""

    def metric(
        self,
        quantity: Quantity,
        value: float | str | Unknown,
        interval: Interval | None = None,
        note: Message | None = None,
        *,
        percent: str | None = None,
        aspect: Aspect | None = None,
    ) -> Metric:
        """The metric of that quantity; what is Unknown has no interval."""
        known = None if isinstance(value, Unknown) else interval
        return Metric(
            key=MetricKey(self.point, quantity, percent, self.direction, aspect),
            value=value,
            unit="%" if aspect is Aspect.MARGIN else quantity.unit,
            state=self.state,
            step=self.step or self.point.name,
            low=None if known is None else known.low,
            high=None if known is None else known.high,
            note=note,
        )
