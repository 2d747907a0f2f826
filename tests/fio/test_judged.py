"""A running fio under a judge: it is fed what fio says, ends fio at its verdict, and the result is as whole as any."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kit.processes import memory_export
from tests.kit.sample_fio import sequential_fill
from tests.kit.watches import unwatched

from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.target import NbdTarget
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.result import Direction, EarlyStop, LatencyKind
from ssdlab.job import Job, Pattern
from ssdlab.units import KIB, NS_PER_S

pytestmark = pytest.mark.fio

RATE_IOPS = 2000
JOB: Job = sequential_fill(
    name="endless",
    pattern=Pattern.RANDOM,
    block_bytes=4 * KIB,
    queue_depth=4,
    amount_bytes=None,
    duration_ns=120 * NS_PER_S,
    rate_iops=RATE_IOPS,
)


@dataclass
class Patient:
    """Says stop after so much time and remembers what it was told."""

    until_ns: int
    time_ns: list[int] = field(default_factory=list)
    done_bytes: list[float] = field(default_factory=list)

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        self.time_ns += time_ns.tolist()
        self.done_bytes += done_bytes.tolist()
        if self.time_ns[-1] < self.until_ns:
            return None
        return EarlyStop("patience", round(sum(self.done_bytes)), self.time_ns[-1])


def test_the_judge_ends_fio_and_the_result_is_whole(tmp_path: Path) -> None:
    judge = Patient(4 * NS_PER_S)
    with memory_export(tmp_path, "64M") as (socket, _):
        drive = NbdDrive(f"nbd+unix:///?socket={socket}", NbdTarget(socket, ""), erase=socket.name)
        result = FioEngine(find_fio(), drive).run(JOB, tmp_path, unwatched, judge)
    stopped, written = result.stopped, result.directions[Direction.WRITE]
    assert stopped is not None
    assert stopped.criterion == "patience"
    # What was in flight at the verdict completed after it, none of it slower than the slowest I/O.
    slowest_ns = written.latency[LatencyKind.LAT].max_ns
    assert written.runtime_ns - slowest_ns <= stopped.at_ns < written.runtime_ns
    assert sum(judge.done_bytes) <= stopped.at_bytes <= written.io_bytes
    assert judge.time_ns == sorted(set(judge.time_ns))
    # The judge knows nothing of the first two seconds, and fio goes on for a moment after the verdict.
    assert 0 < sum(judge.done_bytes) < written.io_bytes
    assert written.series.bytes_done[-1] == pytest.approx(written.io_bytes)
    assert written.series.time_ns[-1] == written.runtime_ns < 100 * NS_PER_S
    assert result.notes == ("fio: connected to NBD server",)
