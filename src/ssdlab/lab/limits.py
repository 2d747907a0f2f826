"""Limits at which a run stops itself: heat, and bytes written."""

from collections.abc import Sequence

from ssdlab.bundle.model import Limits
from ssdlab.drive.access import Purged
from ssdlab.drive.sense import Cadence, Reading
from ssdlab.engine.base import Progress
from ssdlab.engine.result import Direction, RawResult
from ssdlab.errors import SsdlabError
from ssdlab.lab.open import Bench
from ssdlab.method.cost import Cost
from ssdlab.method.plan import PlannedStep
from ssdlab.units import NS_PER_S, format_bytes_decimal, format_duration
from ssdlab.unknown import Unknown


class LimitReached(SsdlabError):  # noqa: N818 - named like what it says
    """The run came to a limit it was given; nothing went wrong."""


class LimitRefused(SsdlabError):  # noqa: N818
    """A limit cannot be kept, so nothing is begun."""


def require_limits(limits: Limits, bench: Bench, left: Sequence[PlannedStep], written_bytes: int | Unknown) -> None:
    """Refuse to begin what must break a limit, or what cannot keep it.

    Args:
        limits: Of the run.
        bench: What it is done on.
        left: The steps to be done.
        written_bytes: What the run wrote before.

    Raises:
        LimitRefused: See above.
    """
    if limits.write_bytes_max is not None:
        _require_budget(limits.write_bytes_max, left, written_bytes)
    if limits.temperature_c_max is not None:
        temperature_c = bench.sensor.read().temperature_c
        if isinstance(temperature_c, Unknown):
            raise LimitRefused(
                f"`--max-temperature` cannot be kept, the drive's temperature is not known: {temperature_c.unknown}",
                "leave it out, or make the temperature known",
            )


def _require_budget(most_bytes: int, left: Sequence[PlannedStep], written_bytes: int | Unknown) -> None:
    if isinstance(written_bytes, Unknown):
        raise LimitRefused(
            f"`--max-write` cannot be kept, what the run wrote before is not known: {written_bytes.unknown}",
            "begin a new run with it",
        )
    least_bytes = written_bytes + Cost(group="", steps=tuple(left)).bytes_to_write_min
    if least_bytes > most_bytes:
        before = f", {format_bytes_decimal(written_bytes)} of it before now" if written_bytes else ""
        raise LimitRefused(
            f"the run writes at least {format_bytes_decimal(least_bytes)}{before}, and `--max-write` allows "
            f"{format_bytes_decimal(most_bytes)}",
            "allow more, or take a suite or profile that writes less (`ssdlab plan` tells)",
        )


def unkept_between(limits: Limits, cadence: Cadence) -> str | None:
    """What a reader must know of a limit that is looked at only before each job."""
    if limits.temperature_c_max is None or cadence.glance_ns is not None or cadence.read_ns is not None:
        return None
    return "this drive cannot be asked under load without holding up its I/O: `--max-temperature` is checked before each job only"


class Watchdog:
    """Counts what a run writes, and raises where a limit is reached."""

    def __init__(self, limits: Limits, written_bytes: int = 0) -> None:
        """Begin with what was written before."""
        self.limits = limits
        self._before_bytes = written_bytes
        self._job_bytes = 0
        self._counter_bytes: int | None = None

    @property
    def job_bytes(self) -> int:
        """Written by the present job, as far as is known."""
        return self._job_bytes

    def begin(self) -> None:
        """A job begins."""
        self._before_bytes += self._job_bytes
        self._job_bytes = 0
        self._counter_bytes = None

    def heed(self, time_ns: int, reading: Reading) -> None:
        """See `ssdlab.engine.sensing.Heed`.

        Raises:
            LimitReached: One is.
        """
        if not isinstance(reading.host_written_bytes, Unknown):
            if self._counter_bytes is None:
                self._counter_bytes = reading.host_written_bytes
            self._written(reading.host_written_bytes - self._counter_bytes)
        self._check_heat(time_ns, reading.temperature_c)

    def watch(self, progress: Progress) -> None:
        """The engine's own count, for drives that do not tell theirs.

        Raises:
            LimitReached: As many were written as may be.
        """
        if progress.written_bytes is not None:
            self._written(progress.written_bytes)

    def purged(self, purged: Purged) -> None:
        """What a purge was proven by counts too; the next job that writes is held to it."""
        self._job_bytes = purged.written_bytes

    def done(self, result: RawResult) -> int:
        """The job is over; bytes it wrote, its ramp included where the drive counts."""
        wrote = result.directions.get(Direction.WRITE)
        self._job_bytes = max(self._job_bytes, 0 if wrote is None else wrote.io_bytes)
        return self._job_bytes

    def _written(self, job_bytes: int) -> None:
        self._job_bytes = max(self._job_bytes, job_bytes)
        total_bytes, most_bytes = self._before_bytes + self._job_bytes, self.limits.write_bytes_max
        if most_bytes is not None and total_bytes > most_bytes:
            raise LimitReached(
                f"{format_bytes_decimal(total_bytes)} are written, and `--max-write` allows {format_bytes_decimal(most_bytes)}",
                "allow more with `--max-write` when you resume it",
            )

    def _check_heat(self, time_ns: int, temperature_c: float | Unknown) -> None:
        most_c = self.limits.temperature_c_max
        if most_c is None:
            return
        if isinstance(temperature_c, Unknown):
            if time_ns == 0:
                raise LimitReached(
                    f"`--max-temperature` cannot be kept any more: {temperature_c.unknown}",
                    "look at `dmesg`, then resume the run",
                )
        elif temperature_c > most_c:
            at = format_duration(time_ns // NS_PER_S * NS_PER_S)
            when = f"{at} into the job" if time_ns >= NS_PER_S else "before the job"
            raise LimitReached(
                f"the drive was at {temperature_c:.1f} °C, {when}, and `--max-temperature` allows {most_c:g} °C",
                "cool the drive better, let it rest, then resume the run",
            )
