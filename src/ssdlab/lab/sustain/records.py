"""Records of a sustained write: a pass cut into lines, each on the medium of the host before the next begins."""

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from ssdlab.engine.sustain.writer import Done
from ssdlab.units import NS_PER_MS, NS_PER_S

RECORDS = "records.csv"
CSV_HEAD = "interval,phase,total_bytes,interval_ms,MB_per_s\n"


class Phase(Enum):
    """What a record is of."""

    WRITE = "write"
    READ = "read"


@dataclass(frozen=True, slots=True)
class SustainRecord:
    """One line: so many bytes since the record before it.

    Attributes:
        interval: Number in the pass, from 1.
        number: Of the pass.
        total_bytes: Since the pass began.
    """

    interval: int
    phase: Phase
    number: int
    total_bytes: int
    interval_ns: int
    bytes_per_s: float

    @property
    def line(self) -> str:
        """As CSV; MB are millions of bytes."""
        return f"{self.interval},{self.phase.value}{self.number},{self.total_bytes},{self.interval_ns / NS_PER_MS:.3f},{self.bytes_per_s / 1e6:.3f}\n"


class RecordFile:
    """A file of records."""

    def __init__(self, path: Path) -> None:
        """Open it; what it holds stays.

        Raises:
            OSError: It cannot be written.
        """
        new = not path.exists() or not path.stat().st_size
        self._file = path.open("a", encoding="utf-8")
        if new:
            self._add(CSV_HEAD)

    def add(self, record: SustainRecord) -> None:
        """Add a line, and return once it is on the medium."""
        self._add(record.line)

    def _add(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class Recorder:
    """Cuts a pass into records."""

    def __init__(self, phase: Phase, number: int, record_bytes: int) -> None:
        self.phase = phase
        self._number = number
        self._record_bytes = record_bytes
        self._interval = 0
        self._last = Done(0, 0)

    def take(self, done: Done) -> SustainRecord | None:
        """The record that is over with this chunk, if one is."""
        return self._close(done) if done.bytes - self._last.bytes >= self._record_bytes else None

    def finish(self, done: Done) -> SustainRecord | None:
        """What is left at the end of the pass, if anything."""
        return self._close(done) if done.bytes > self._last.bytes else None

    def _close(self, done: Done) -> SustainRecord:
        self._interval += 1
        took_ns = max(done.time_ns - self._last.time_ns, 1)
        speed = (done.bytes - self._last.bytes) * NS_PER_S / took_ns
        self._last = done
        return SustainRecord(self._interval, self.phase, self._number, done.bytes, took_ns, speed)
