"""Commands said one by one in advance, and when a drive did each: what a probe asks of an engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.standstill import NOT_WATCHED, Standstill
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Verb(IntEnum):
    """What the drive is asked."""

    READ = 0
    WRITE = 1
    WRITE_THROUGH = 2
    """A write that may be acknowledged only once it is safe: force unit access."""
    FLUSH = 3
    TRIM = 4


class Issue(IntEnum):
    """When a command is given to the drive."""

    WHEN_ROOM = 0
    """As soon as fewer than the queue's depth are in flight."""
    ALONE = 1
    """Once everything before it has completed: the first of a batch."""


@dataclass(frozen=True, slots=True, eq=False)
class Commands:
    """Columns of the same length, a command a row.

    Attributes:
        verb: Of `Verb`.
        length_bytes: 0 for a flush, as is its offset.
        pause_ns: Silence before each, counted from when it could have been asked.
        issue: Of `Issue`.
        queue_depth: Most commands in flight.
    """

    verb: NDArray[np.uint8]
    offset_bytes: Integers
    length_bytes: Integers
    pause_ns: Integers
    issue: NDArray[np.uint8]
    queue_depth: int = 1

    def __len__(self) -> int:
        return len(self.verb)

    @classmethod
    def one_by_one(cls, verb: Verb, offset_bytes: Integers, length_bytes: Integers | int, pause_ns: int = 0) -> Self:
        """The same command at each offset, one in flight."""
        count = len(offset_bytes)
        return cls(
            verb=np.full(count, verb, dtype=np.uint8),
            offset_bytes=np.asarray(offset_bytes, dtype=np.int64),
            length_bytes=np.broadcast_to(np.asarray(length_bytes, dtype=np.int64), count).copy(),
            pause_ns=np.full(count, pause_ns, dtype=np.int64),
            issue=np.full(count, Issue.WHEN_ROOM, dtype=np.uint8),
        )

    @property
    def written_bytes(self) -> int:
        """Bytes the drive is to write."""
        return int(self.length_bytes[(self.verb == Verb.WRITE) | (self.verb == Verb.WRITE_THROUGH)].sum())


def joined(parts: Sequence[Commands]) -> Commands:
    """Commands one part after the other, at the depth of the first."""
    return Commands(
        verb=np.concatenate([one.verb for one in parts]),
        offset_bytes=np.concatenate([one.offset_bytes for one in parts]),
        length_bytes=np.concatenate([one.length_bytes for one in parts]),
        pause_ns=np.concatenate([one.pause_ns for one in parts]),
        issue=np.concatenate([one.issue for one in parts]),
        queue_depth=parts[0].queue_depth,
    )


class Forced(Enum):
    """Whether writes that were to go through the drive's buffer were asked for so."""

    YES = "yes"
    CANNOT = "the way to the drive has no word for it, so they are plain writes"


@dataclass(frozen=True, slots=True, eq=False)
class TimedCommands:
    """Commands, and when each was submitted and completed since the first could have been; rows as in `commands`."""

    commands: Commands
    submitted_ns: Integers
    completed_ns: Integers
    forced: Forced = Forced.YES
    standstills: tuple[Standstill, ...] | Unknown = NOT_WATCHED

    @property
    def latency_ns(self) -> NDArray[np.float64]:
        """Response time of each."""
        return (self.completed_ns - self.submitted_ns).astype(np.float64)
