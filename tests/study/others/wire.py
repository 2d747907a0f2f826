"""The wire between Python and the process in which a simulator runs: what its adapter is asked, and what it answers.

All numbers are little-endian. The adapter begins with the number of sectors (u64). A request is a kind (u32) and what belongs to it:

- 1, commands: most in flight (u32), none to be submitted from that time on (u64, ns), how many (u64), then columns: verb (u8, 0 read, 1 write),
  issue (u8, 1: once everything before it has completed), first sector (u64), sectors (u32), silence before it (u64, ns). Answered as
  soon as the last one is submitted, or the time is over: those in flight stay so, and the next commands go on at that moment.
- 2, drain: answered when nothing is in flight.
- 3, rest: for so long (u64, ns).
- 4, counters: answered by the time and what the simulator counts, each u64.

The others are answered by a state (u64, 1: the simulator has nothing more to do although commands are in flight), its time, how many commands
were submitted so far, how many completed since the last answer, and of these columns of u64: number, submission and completion.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Protocol

import numpy as np
from numpy.typing import NDArray

SECTOR_BYTES = 512
FOREVER_NS = 1 << 60
NOW_NS = "now_ns"
_COMMANDS, _DRAIN, _REST, _COUNTERS = 1, 2, 3, 4
_RUNS = 0


class SimulatorError(Exception):
    """The simulator ended, or has stopped to go on."""


class Pipes(Protocol):
    """A process to talk to."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Commands in columns of one length; see the wire."""

    verb: NDArray[np.uint8]
    issue: NDArray[np.uint8]
    sector: NDArray[np.uint64]
    sectors: NDArray[np.uint32]
    pause_ns: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.verb)


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What completed since the last answer, in order of completion; int64.

    Attributes:
        now_ns: Time of the simulator.
        submitted: Commands submitted since the process began; `number` counts them from 0.
    """

    now_ns: int
    submitted: int
    number: NDArray[np.int64]
    submitted_ns: NDArray[np.int64]
    completed_ns: NDArray[np.int64]


def joined(parts: Sequence[Answered]) -> Answered:
    """All that completed in several answers, the last of which tells the time."""
    return Answered(
        parts[-1].now_ns,
        parts[-1].submitted,
        np.concatenate([one.number for one in parts]),
        np.concatenate([one.submitted_ns for one in parts]),
        np.concatenate([one.completed_ns for one in parts]),
    )


class Wire:
    """One end of it."""

    def __init__(self, process: Pipes, counted: Sequence[str] = ()) -> None:
        """Hear how large the drive is.

        Args:
            process: In which the adapter runs.
            counted: Names of what it counts, in its order; the time comes before them.

        Raises:
            SimulatorError: It ended at once.
        """
        if process.stdin is None or process.stdout is None:
            raise SimulatorError("a process without pipes")
        self._to, self._from = process.stdin, process.stdout
        self._counted = (NOW_NS, *counted)
        (sectors,) = struct.unpack("<Q", self._read(8))
        self.capacity_bytes: int = sectors * SECTOR_BYTES
        """Of the drive, for the host."""

    def commands(self, asked: Asked, queue_depth: int, until_ns: int = FOREVER_NS) -> Answered:
        """Have commands submitted as soon as there is room, at most until a time of the simulator."""
        parts = [
            struct.pack("<IIQQ", _COMMANDS, queue_depth, until_ns, len(asked)),
            asked.verb.astype("u1").tobytes(),
            asked.issue.astype("u1").tobytes(),
            asked.sector.astype("<u8").tobytes(),
            asked.sectors.astype("<u4").tobytes(),
            asked.pause_ns.astype("<u8").tobytes(),
        ]
        self._send(b"".join(parts))
        return self._answer()

    def drain(self) -> Answered:
        """Wait until nothing is in flight."""
        self._send(struct.pack("<I", _DRAIN))
        return self._answer()

    def rest(self, duration_ns: int) -> Answered:
        """Let simulated time pass."""
        self._send(struct.pack("<IQ", _REST, duration_ns))
        return self._answer()

    def counters(self) -> dict[str, int]:
        """Ask what was done so far, by name; takes no simulated time."""
        self._send(struct.pack("<I", _COUNTERS))
        values = struct.unpack(f"<{len(self._counted)}Q", self._read(8 * len(self._counted)))
        return dict(zip(self._counted, values, strict=True))

    def _answer(self) -> Answered:
        state, now_ns, submitted, count = struct.unpack("<4Q", self._read(32))
        columns = [np.frombuffer(self._read(8 * count), dtype="<i8").astype(np.int64) for _ in range(3)]
        if state != _RUNS:
            raise SimulatorError(f"the simulator stands still at {now_ns} ns, with commands in flight")
        return Answered(now_ns, submitted, *columns)

    def _send(self, content: bytes) -> None:
        try:
            self._to.write(content)
            self._to.flush()
        except BrokenPipeError as error:
            raise SimulatorError("the simulator has ended") from error

    def _read(self, length: int) -> bytes:
        found = self._from.read(length)
        if len(found) < length:
            raise SimulatorError("the simulator has ended")
        return found
