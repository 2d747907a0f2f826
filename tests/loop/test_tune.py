"""The host is set up and put back on the real kernel, on the queue of a loop device."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.loop.conftest import Loop

from ssdlab.drive.host_settings import NO_POLL_QUEUES, Knob
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.tune import SetOutcome, tuned

pytestmark = pytest.mark.loop


def queue(loop: Loop) -> dict[str, str]:
    """All settings of the queue and of its scheduler that can be read."""
    directory = Path("/sys/block") / loop.name / "queue"
    return {
        str(path.relative_to(directory)): str(Kernel().chosen(path))
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


_OWN = {"scheduler": "mq-deadline", "nr_requests": "77", "iosched/fifo_batch": "5", "nomerges": "1", "rq_affinity": "0"}
"""In the order in which the kernel must be told."""


@pytest.fixture
def other(loop: Loop) -> Iterator[dict[str, str]]:
    """The queue set up by its owner for something else than measuring, as it then reads."""
    kernel, directory = Kernel(), Path("/sys/block") / loop.name / "queue"
    before = {
        name: str(kernel.chosen(directory / name)) for name in ("scheduler", "nr_requests", "nomerges", "rq_affinity")
    }
    for name, value in _OWN.items():
        kernel.tell(directory / name, value)
    yield queue(loop)
    # A loop device keeps its queue when its file is taken off.
    for name, value in before.items():
        kernel.tell(directory / name, value)


def test_a_queue_is_set_up_and_is_as_before_at_the_end(loop: Loop, other: dict[str, str], tmp_path: Path) -> None:
    with tuned(loop.name, directory=tmp_path / "restore") as host:
        during = queue(loop)
        assert (during["scheduler"], during["nomerges"], during["rq_affinity"]) == ("none", "2", "2")
        (poll,) = [one for one in host.tuning.applied if one.knob is Knob.IO_POLL]
        # A loop device has no queues to poll, which the kernel says by refusing.
        assert (poll.outcome, poll.reason) == (SetOutcome.REFUSED, NO_POLL_QUEUES)
    assert queue(loop) == other


def test_a_killed_run_is_undone_by_the_next(loop: Loop, other: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import os, pathlib, signal, sys; from ssdlab.drive.tune import tuned\n"
        "with tuned(sys.argv[1], directory=pathlib.Path(sys.argv[2])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, loop.name, str(tmp_path / "restore")], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert queue(loop)["nomerges"] == "2"
    with tuned(loop.name, directory=tmp_path / "restore") as host:
        assert len(host.tuning.recovered) == 1
        assert queue(loop)["nomerges"] == "2"
    assert queue(loop) == other
    assert [path.name for path in (tmp_path / "restore").iterdir()] == ["lock"]
