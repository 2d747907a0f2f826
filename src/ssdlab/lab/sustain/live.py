"""What whoever watches a sustained write is told, as it goes on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ssdlab.lab.sustain.records import SustainRecord
from ssdlab.message import Message, message
from ssdlab.method.sustain import SustainSettings, amount_of
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What there is to see when a record is durable.

    Attributes:
        length_bytes: Of the pass.
        worst_bytes_per_s: Slowest record of the pass so far.
        temperature_c: Of the drive, as last heard.
        left_ns: Of the pass, at its mean speed so far.
        left_in_all_ns: Of the run, rests included, at its mean speed so far; Unknown of a run without an end.
    """

    record: SustainRecord
    length_bytes: int
    worst_bytes_per_s: float
    temperature_c: float | Unknown
    left_ns: int
    left_in_all_ns: int | Unknown


class Watcher(Protocol):
    """Somebody watching; must return at once and never raise."""

    def begins(self, bundle: Path, length_bytes: int) -> None:
        """The bundle exists."""

    def record(self, live: Live) -> None:
        """A record is durable."""

    def rests(self, duration_ns: int) -> None:
        """The drive is left alone for so long."""

    def note(self, text: Message) -> None:
        """Something the reader must know."""


class Outlook:
    """Adds up what is done, and says how long the rest of it will take."""

    def __init__(self, settings: SustainSettings, length_bytes: int) -> None:
        amount = amount_of(settings, length_bytes)
        self._in_all = amount
        self._rest_ns = amount.rest_ns if isinstance(amount.rest_ns, int) else 0
        self._length_bytes = length_bytes
        self._bytes = 0
        self._time_ns = 0
        self._pass_bytes = 0
        self._pass_time_ns = 0
        self._worst = float("inf")
        self.temperature_c: float | Unknown = Unknown(message("unknown-not-asked-yet"))

    def pass_begins(self, length_bytes: int) -> None:
        """Of writing, or of reading."""
        self._length_bytes = length_bytes
        self._pass_bytes = self._pass_time_ns = 0
        self._worst = float("inf")

    def rested(self, duration_ns: int) -> None:
        """A rest is over."""
        self._rest_ns = max(0, self._rest_ns - duration_ns)

    def take(self, record: SustainRecord) -> Live:
        """A record is over."""
        self._worst = min(self._worst, record.bytes_per_s)
        self._bytes += record.total_bytes - self._pass_bytes
        self._time_ns += record.interval_ns
        self._pass_bytes = record.total_bytes
        self._pass_time_ns += record.interval_ns
        left_bytes = max(0, self._length_bytes - self._pass_bytes)
        return Live(
            record=record,
            length_bytes=self._length_bytes,
            worst_bytes_per_s=self._worst,
            temperature_c=self.temperature_c,
            left_ns=round(left_bytes * self._pass_time_ns / self._pass_bytes),
            left_in_all_ns=self._left_in_all_ns(),
        )

    def _left_in_all_ns(self) -> int | Unknown:
        amount = self._in_all
        if isinstance(amount.bytes, Unknown):
            return amount.bytes
        left_bytes = max(0, amount.bytes - self._bytes)
        return round(left_bytes * self._time_ns / self._bytes) + self._rest_ns
