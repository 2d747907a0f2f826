"""Time in which measuring stood still, and not because of the drive: fio stopped, the host suspended, a machine paused.

A drive that stalls must never be taken for that, so nothing here looks at the I/O: only at the clocks, at the state of fio's
process, and at how late a thread is that has nothing else to do than to wake.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from ssdlab.message import Message, commas, duration, listed, message
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

TICK_NS = 100 * NS_PER_MS
HELD_UP_NS = NS_PER_S
"""A busy host wakes a thread late by tenths of a second; one that is later by this was not run at all."""
SUSPENDED_NS = 200 * NS_PER_MS
"""Less than any host sleeps, and more than lay between two readings of clocks on the busiest one seen (95 ms)."""

NOT_WATCHED = Unknown(message("unknown-unwatched"))


class Cause(Enum):
    """Why it stood still."""

    ENGINE_STOPPED = "fio was stopped"
    HOST_SUSPENDED = "the host was suspended"
    HELD_UP = "ssdlab was not run"
    """It was stopped itself, its virtual machine was paused, or the host had no time for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standstill:
    """All of a job's time that was lost to one cause."""

    cause: Cause
    duration_ns: int


def stood_still(standstills: tuple[Standstill, ...] | Unknown) -> tuple[Standstill, ...]:
    """Those that are known."""
    return () if isinstance(standstills, Unknown) else standstills


def standstill_words(standstills: tuple[Standstill, ...]) -> Message:
    """What stood still, and for how long."""
    return listed(
        commas(
            *(
                message(
                    "engine-stood-still", cause=standstill.cause.name.lower(), time=duration(standstill.duration_ns)
                )
                for standstill in standstills
            )
        )
    )


@dataclass(frozen=True, slots=True)
class Suspended:
    """How long the host has been suspended since it was started: two clocks cannot be read at once, so within bounds."""

    least_ns: int
    most_ns: int


@dataclass(frozen=True, slots=True)
class Tick:
    """One look.

    Attributes:
        at_ns: On the monotonic clock.
        suspended: By then.
        is_stopped: Whether a signal or a debugger holds the engine's process.
    """

    at_ns: int
    suspended: Suspended
    is_stopped: bool


class Ticks:
    """Adds up, from look to look, what stood still."""

    def __init__(self, first: Tick) -> None:
        self._last = first
        self._lost_ns: Counter[Cause] = Counter()
        self._lossy: list[tuple[Tick, Tick]] = []

    def take(self, tick: Tick) -> None:
        """Take in the next look."""
        if lost_ns := _lost_between(self._last, tick):
            self._lost_ns += lost_ns
            self._lossy.append((self._last, tick))
        self._last = tick

    @property
    def standstills(self) -> tuple[Standstill, ...]:
        """One a cause that there was."""
        return _by_cause(self._lost_ns)

    def between(self, begin: Tick, end: Tick) -> tuple[Standstill, ...]:
        """What stood still from one moment to another, of looks by somebody else; what was lost before and after is not in it."""
        lost_ns: Counter[Cause] = Counter()
        for first, last in (*self._lossy, (self._last, end)):
            since = first if first.at_ns >= begin.at_ns else begin
            until = last if last.at_ns <= end.at_ns else end
            if since.at_ns < until.at_ns:
                lost_ns += _lost_between(since, until)
        return _by_cause(lost_ns)


def _lost_between(before: Tick, tick: Tick) -> Counter[Cause]:
    """Of two looks that follow each other."""
    lost_ns: Counter[Cause] = Counter()
    since_ns = tick.at_ns - before.at_ns
    if tick.is_stopped:
        lost_ns[Cause.ENGINE_STOPPED] = since_ns
    if since_ns - TICK_NS > HELD_UP_NS:
        lost_ns[Cause.HELD_UP] = since_ns - TICK_NS
    if (slept_ns := tick.suspended.least_ns - before.suspended.most_ns) > SUSPENDED_NS:
        lost_ns[Cause.HOST_SUSPENDED] = slept_ns
    return lost_ns


def _by_cause(lost_ns: Counter[Cause]) -> tuple[Standstill, ...]:
    return tuple(Standstill(cause=cause, duration_ns=lost_ns[cause]) for cause in Cause if lost_ns[cause])


class Vigil:
    """Looks ten times a second whether measuring goes on, on a thread of its own."""

    def __init__(self, look: Callable[[int | None], Tick] | None = None) -> None:
        """`look` is given the number of the engine's process, as soon as there is one."""
        self._look = look or _look
        self._process_id: int | None = None
        self._ticks = Ticks(self._look(None))
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="vigil", daemon=True)

    def watch_over(self, process_id: int) -> None:
        """The engine runs as this process."""
        self._process_id = process_id

    def __enter__(self) -> Self:
        self._ticks = Ticks(self._look(None))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    @property
    def standstills(self) -> tuple[Standstill, ...]:
        """What there was, once it is over."""
        return self._ticks.standstills

    def between(self, begin: Tick, end: Tick) -> tuple[Standstill, ...]:
        """What there was from one moment to another, whenever this is asked; see `Ticks.between`."""
        with self._lock:
            return self._ticks.between(begin, end)

    def _watch(self) -> None:
        while not self._over.wait(TICK_NS / NS_PER_S):
            self._take()
        # What has come since the last look belongs to the job too.
        self._take()

    def _take(self) -> None:
        with self._lock:
            self._ticks.take(self._look(self._process_id))


def _look(process_id: int | None) -> Tick:
    at_ns = time.monotonic_ns()
    return Tick(at_ns, _suspended(), process_id is not None and _is_stopped(process_id))


def _suspended() -> Suspended:
    """Of one clock read between two readings of the other; who is interrupted there knows less, and the best of three counts."""
    readings = [
        (time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.monotonic_ns()) for _ in range(3)
    ]
    return Suspended(
        least_ns=max(boot_ns - after_ns for _, boot_ns, after_ns in readings),
        most_ns=min(boot_ns - before_ns for before_ns, boot_ns, _ in readings),
    )


def _is_stopped(process_id: int) -> bool:
    """By a signal (`T`), or by a debugger (`t`): proc(5). A process that waits for its drive is neither."""
    try:
        said = Path(f"/proc/{process_id}/stat").read_bytes()
    except OSError:
        # It has ended.
        return False
    return said.rpartition(b")")[2].split()[0] in {b"T", b"t"}
