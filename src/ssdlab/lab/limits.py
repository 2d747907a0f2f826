"""Limits at which a run stops itself: heat, and bytes written."""

from ssdlab.bundle.model import Limits
from ssdlab.drive.access import Purged
from ssdlab.drive.sense.reading import Cadence, Sensor, SensorReading
from ssdlab.engine.base import Progress
from ssdlab.engine.result import Direction, RawResult
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, duration, message, number, size_decimal
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


class LimitReached(SsdlabError):  # noqa: N818 - named like what it says
    """The run came to a limit it was given; nothing went wrong."""


class LimitRefused(SsdlabError):  # noqa: N818
    """A limit cannot be kept, so nothing is begun."""


def require_limits(limits: Limits, sensor: Sensor, least_bytes: int, written_bytes: int | Unknown = 0) -> None:
    """Refuse to begin what must break a limit, or what cannot keep it.

    Args:
        limits: Of the run.
        sensor: Of the drive.
        least_bytes: What is to be written at least.
        written_bytes: What the run wrote before.

    Raises:
        LimitRefused: See above.
    """
    if limits.write_bytes_max is not None:
        _require_budget(limits.write_bytes_max, least_bytes, written_bytes)
    if limits.temperature_c_max is not None:
        temperature_c = sensor.read().temperature_c
        if isinstance(temperature_c, Unknown):
            raise LimitRefused(
                message("lab-temperature-limit-unknown", why=temperature_c.reason),
                message("lab-hint-temperature-unknown"),
            )


def _require_budget(most_bytes: int, least_bytes: int, written_bytes: int | Unknown) -> None:
    if isinstance(written_bytes, Unknown):
        raise LimitRefused(message("lab-write-limit-unknown", why=written_bytes.reason), message("lab-hint-new-run"))
    if written_bytes + least_bytes > most_bytes:
        least, most = size_decimal(written_bytes + least_bytes), size_decimal(most_bytes)
        low = message("lab-write-limit-low", least=least, most=most)
        if written_bytes:
            before = size_decimal(written_bytes)
            low = message("lab-write-limit-low-resumed", least=least, before=before, most=most)
        raise LimitRefused(low, message("lab-hint-write-limit-low"))


def unkept_between(limits: Limits, cadence: Cadence) -> Message | None:
    """What a reader must know of a limit that is looked at only before each job."""
    if limits.temperature_c_max is None or cadence.glance_ns is not None or cadence.read_ns is not None:
        return None
    return message("lab-temperature-between-jobs")


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

    @property
    def total_bytes(self) -> int:
        """Written by the run, as far as is known."""
        return self._before_bytes + self._job_bytes

    @property
    def left_bytes(self) -> int | None:
        """So much may the run write from now on, as far as is known; None without a limit."""
        most_bytes = self.limits.write_bytes_max
        return None if most_bytes is None else max(0, most_bytes - self.total_bytes)

    def wrote(self, written_bytes: int) -> None:
        """The present job is over without a result; it wrote so much at least."""
        self._job_bytes = max(self._job_bytes, written_bytes)

    def discarded(self, written_bytes: int) -> None:
        """A job that has not been the present one wrote so much, for nothing."""
        self._before_bytes += written_bytes

    def begin(self) -> None:
        """A job begins."""
        self._before_bytes += self._job_bytes
        self._job_bytes = 0
        self._counter_bytes = None

    def heed(self, time_ns: int, reading: SensorReading) -> None:
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

    def foresee(self, length_bytes: int, sensor: Sensor) -> None:
        """What follows is worth nothing if it ends halfway, or cannot: all of it may be done, or none.

        Args:
            length_bytes: What it writes.
            sensor: Of the drive; asked only where its temperature is limited, because asking wakes it.

        Raises:
            LimitReached: It would write more than may be, or the drive is too warm.
        """
        if self.limits.temperature_c_max is not None:
            self._check_heat(0, sensor.read().temperature_c)
        total_bytes, most_bytes = self.total_bytes + length_bytes, self.limits.write_bytes_max
        if most_bytes is not None and total_bytes > most_bytes:
            raise LimitReached(
                message("lab-write-limit-ahead", total=size_decimal(total_bytes), most=size_decimal(most_bytes)),
                message("lab-hint-write-limit"),
            )
        self._job_bytes += length_bytes

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
                message("lab-write-limit-reached", total=size_decimal(total_bytes), most=size_decimal(most_bytes)),
                message("lab-hint-write-limit"),
            )

    def _check_heat(self, time_ns: int, temperature_c: float | Unknown) -> None:
        most_c = self.limits.temperature_c_max
        if most_c is None:
            return
        if isinstance(temperature_c, Unknown):
            if time_ns == 0:
                raise LimitReached(message("lab-temperature-lost", why=temperature_c.reason), message("lab-hint-dmesg"))
        elif temperature_c > most_c:
            now, most = number(temperature_c, ".1f"), number(most_c, "g")
            time = duration(time_ns // NS_PER_S * NS_PER_S)
            raise LimitReached(
                message("lab-too-warm", now=now, time=time, most=most)
                if time_ns >= NS_PER_S
                else message("lab-too-warm-before", now=now, most=most),
                message("lab-hint-cool"),
            )
