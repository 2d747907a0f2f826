"""What a bundle keeps of a power meter: the marks a run made for it, and, once its log was laid on the run's time, what it said."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import TypeAdapter

from ssdlab.unknown import Unknown

POWER = "power/power.json"
POWER_SERIES = "power/series.parquet"


class MarkPlace(Enum):
    """Where in a run marks stand."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class PowerBurst:
    """A short load with idle time around it, on the run's clock."""

    begin_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class PowerMarks:
    """Bursts at one end of a run, in order."""

    place: MarkPlace
    bursts: tuple[PowerBurst, ...]

    def later(self, by_ns: int) -> "PowerMarks":
        """The same on a clock that began earlier."""
        return PowerMarks(
            self.place, tuple(PowerBurst(one.begin_ns + by_ns, one.end_ns + by_ns) for one in self.bursts)
        )


MARKS_ADAPTER = TypeAdapter(PowerMarks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFit:
    """The meter's clock as a function of the run's: `meter = offset + (1 + drift) * run`.

    Attributes:
        offset_s: What the meter's clock said when the run's was 0.
        drift_ppm: How much faster the meter's clock goes.
        error_s: Half of the 95 % interval of the time of anything between the marks.
        drift_error_ppm: Half of the 95 % interval of the drift.
        edges_used: Beginnings and ends of bursts that agree with the fit.
        edges: All that were made.
        asymmetry_s: How much later ends of bursts are seen than beginnings; half of it is part of the error.
    """

    offset_s: float
    drift_ppm: float
    error_s: float
    drift_error_ppm: float
    edges_used: int
    edges: int
    asymmetry_s: float

    def meter_s(self, run_s: float) -> float:
        """What the meter's clock says at a moment of the run."""
        return self.offset_s + (1 + self.drift_ppm * 1e-6) * run_s

    def run_s(self, meter_s: float) -> float:
        """The moment of the run at which the meter's clock says that."""
        return (meter_s - self.offset_s) / (1 + self.drift_ppm * 1e-6)


class Timed(Enum):
    """Which time of a step was taken."""

    IO = "io"
    """From its first submission to its last completion."""
    STEP = "step"
    """As the journal has it, with the start and end of the engine in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPower:
    """What a step drew.

    Attributes:
        step: Its name.
        begin_ns: On the run's clock.
        energy_j: Over the whole of it; where samples are missing, as if those had been like the others.
        energy_low_j, energy_high_j: What the time of the step is not known for, and missing samples, may make of it.
        covered_share: Of its time, for which there are samples; 0..1.
        highest_share: Of its samples, that have the very highest value of the whole log.
        mean_w: Over the samples there are.
        max_1s_w, max_100us_w: Highest mean over so long a time.
    """

    step: str
    timed: Timed
    begin_ns: int
    end_ns: int
    energy_j: float | Unknown
    energy_low_j: float
    energy_high_j: float
    covered_share: float
    highest_share: float
    mean_w: float | Unknown
    max_1s_w: float | Unknown
    max_100us_w: float | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterLog:
    """The file that was read; it is not in the bundle, which may be sent to others and would be many times larger by it."""

    name: str
    sha256: str
    size_bytes: int
    meter: str
    """Kind of file, such as `Joulescope JLS`."""
    period_s: float
    sample_count: int
    missing_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRecord:
    """`power/power.json`."""

    log: MeterLog
    added_at: str
    """UTC, ISO 8601."""
    ssdlab_version: str
    fit: ClockFit
    steps: tuple[StepPower, ...]


POWER_ADAPTER = TypeAdapter(PowerRecord)


def marks_as_json(marks: PowerMarks) -> dict[str, Any]:
    """As the journal has them."""
    return dict(MARKS_ADAPTER.dump_python(marks, mode="json"))


def marks_from_json(fields: Mapping[str, Any]) -> PowerMarks:
    """Read back; raises ValueError where they are none."""
    return MARKS_ADAPTER.validate_python(dict(fields))
