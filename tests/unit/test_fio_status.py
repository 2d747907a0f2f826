"""fio's status lines, as they come: what the display and the judge are told."""

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from ssdlab.engine.base import Progress
from ssdlab.engine.fio.status import StatusLines
from ssdlab.engine.result import EarlyStop
from ssdlab.units import KIB, MIB, NS_PER_S

NOTHING_YET = b"Jobs: 1 (f=1), 0-20000 IOPS\n"
MOVING = b"Jobs: 1 (f=1): [w(1)][12.5%][w=78.0MiB/s][w=20.0k IOPS][eta 22m:58s]\r"
MIXED = b"Jobs: 2 (f=2): [m(2)][50.0%][r=1024KiB/s,w=3.0MiB/s][r=256,w=768 IOPS][eta 01m:00s]\n"
STILL = b"Jobs: 1 (f=1): [w(1)][12.5%][eta 22m:58s]\n"
STOP = EarlyStop("enough", 1, 1)


class Listener:
    def __init__(self, patience: int = 1000) -> None:
        self.time_ns: list[int] = []
        self.done_bytes: list[float] = []
        self.patience = patience

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        self.time_ns += time_ns.tolist()
        self.done_bytes += done_bytes.tolist()
        return STOP if len(self.time_ns) >= self.patience else None

    @property
    def rates(self) -> list[float]:
        lengths_ns = np.diff(np.array([0, *self.time_ns]))
        return [float(rate) for rate in np.array(self.done_bytes) / lengths_ns * NS_PER_S]


def told(*pieces: bytes, listener: Listener) -> tuple[StatusLines, list[Progress]]:
    seen: list[Progress] = []
    lines = StatusLines(seen.append, listener)
    for piece in pieces:
        lines.read(piece)
    return lines, seen


def test_the_judge_hears_the_rate_since_the_line_before() -> None:
    listener = Listener()
    told(NOTHING_YET, MOVING, MOVING, MIXED, listener=listener)
    assert listener.rates[1:] == pytest.approx([77.95 * MIB, 1023.5 * KIB + 2.95 * MIB])


def test_until_the_first_rate_nothing_is_known_and_nothing_is_assumed() -> None:
    listener = Listener()
    told(NOTHING_YET, NOTHING_YET, listener=listener)
    assert listener.time_ns == []
    told(NOTHING_YET, MOVING, listener=listener)
    assert listener.done_bytes == [0]


def test_the_judge_is_told_the_least_that_is_printed_like_that() -> None:
    listener = Listener()
    told(MOVING, MOVING.replace(b"78.0MiB", b"100MiB"), MOVING.replace(b"78.0MiB", b"0KiB"), listener=listener)
    assert listener.rates[1:] == pytest.approx([99.5 * MIB, 0])


def test_a_line_without_rates_says_that_nothing_moved() -> None:
    listener = Listener()
    told(MOVING, MOVING, STILL, listener=listener)
    assert listener.rates[1:] == pytest.approx([77.95 * MIB, 0])


def test_lines_may_come_in_pieces() -> None:
    whole = MOVING + MIXED
    listener = Listener()
    told(*(whole[at : at + 1] for at in range(len(whole))), listener=listener)
    assert len(listener.rates) == 2
    assert listener.rates[1] == pytest.approx(1023.5 * KIB + 2.95 * MIB)


def test_the_display_hears_share_and_rate() -> None:
    _, seen = told(NOTHING_YET, MOVING, MIXED, listener=Listener())
    assert [(one.share_done, one.bandwidth_bytes_per_s) for one in seen] == [(0.125, 78 * MIB), (0.5, 4 * MIB)]


def test_writes_are_added_up_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_ns = [0]
    monkeypatch.setattr(time, "monotonic_ns", lambda: clock_ns[0])
    seen: list[Progress] = []
    status = StatusLines(seen.append, None)
    for second, line in ((2, MIXED), (3, MIXED), (4, STILL), (5, MIXED)):
        clock_ns[0] = second * NS_PER_S
        status.read(line)
    assert [one.written_bytes for one in seen] == [6 * MIB, 9 * MIB, 12 * MIB]


def test_after_its_verdict_the_judge_is_not_asked_again() -> None:
    listener = Listener(patience=1)
    lines, seen = told(MOVING, MOVING, listener=listener)
    assert lines.stopped == STOP
    assert len(listener.time_ns) == 1
    assert len(seen) == 2
