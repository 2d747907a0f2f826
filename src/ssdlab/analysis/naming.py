"""What all metrics of one step or point have in common."""

from dataclasses import dataclass

from ssdlab.analysis.interval import Interval
from ssdlab.bundle.model import Metric
from ssdlab.job import DriveState
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Naming:
    """Prefix of the names, which is also the step they come from, and the state the drive was in."""

    prefix: str
    state: DriveState
    part: str = ""
    """Which part of the step alone they are about, between the prefix and the quantity; empty where it is all of it."""

    def metric(
        self,
        what: str,
        value: float | str | Unknown,
        unit: str,
        interval: Interval | None = None,
        note: str = "",
    ) -> Metric:
        """The metric `<prefix>.<what>`, or `<prefix>.<part>.<what>`; what is Unknown has no interval."""
        known = None if isinstance(value, Unknown) else interval
        return Metric(
            name=".".join(word for word in (self.prefix, self.part, what) if word),
            value=value,
            unit=unit,
            state=self.state,
            step=self.prefix,
            low=None if known is None else known.low,
            high=None if known is None else known.high,
            note=note,
        )
