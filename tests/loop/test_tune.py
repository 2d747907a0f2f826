"""The host is set up and put back on the real kernel, on the queue of a loop device."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.kit.processes import COMMAND, LIMIT_S, wait_until
from tests.loop.conftest import Loop, tool

from ssdlab.bundle.read import open_bundle
from ssdlab.host import restore
from ssdlab.host.kernel import Kernel
from ssdlab.host.restore import Back, Restoration
from ssdlab.host.settings import NO_POLL_QUEUES, Knob
from ssdlab.host.tune import SetOutcome, tuned

pytestmark = [pytest.mark.loop, pytest.mark.fio]


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
        assert (during["scheduler"], during["nomerges"], during["rq_affinity"]) == ("none", "2", "1")
        (poll,) = [one for one in host.tuning.applied if one.knob is Knob.IO_POLL]
        # A loop device has no queues to poll, which the kernel says by refusing.
        assert (poll.outcome, poll.reason) == (SetOutcome.REFUSED, NO_POLL_QUEUES)
    assert queue(loop) == other


def test_a_killed_run_is_undone_by_the_next(loop: Loop, other: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, loop.name, str(tmp_path / "restore")], check=False, timeout=240
    )
    assert done.returncode == -signal.SIGKILL
    assert queue(loop)["nomerges"] == "2"
    with tuned(loop.name, directory=tmp_path / "restore") as host:
        assert len(host.tuning.recovered) == 1
        assert queue(loop)["nomerges"] == "2"
    assert queue(loop) == other
    assert [path.name for path in (tmp_path / "restore").iterdir()] == ["lock"]


KILLED = (
    "import os, pathlib, signal, sys; from ssdlab.host.tune import tuned\n"
    "with tuned(sys.argv[1], directory=pathlib.Path(sys.argv[2])): os.kill(os.getpid(), signal.SIGKILL)"
)


def test_a_killed_run_that_nobody_has_asked_after_is_undone(loop: Loop, other: dict[str, str], tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, loop.name, str(tmp_path / "restore")]) as zombie:
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        assert queue(loop)["nomerges"] == "2"
        with tuned(loop.name, directory=tmp_path / "restore") as host:
            assert len(host.tuning.recovered) == 1
    assert queue(loop) == other


def test_a_loop_device_whose_file_was_taken_off_is_put_back_too(
    loop: Loop, other: dict[str, str], tmp_path: Path
) -> None:
    subprocess.run([sys.executable, "-c", KILLED, loop.name, str(tmp_path / "restore")], check=False, timeout=240)
    tool("losetup", "--detach", loop.path)
    assert queue(loop)["nomerges"] == "2"
    with restore.locked(tmp_path / "restore"):
        restore.put_back_stale(Kernel(), tmp_path / "restore")
    assert queue(loop) == other


def apart(state: Path, *arguments: str) -> tuple[str, ...]:
    """A command that keeps root's state in a directory of its own, so that no other run of this host puts back what it left."""
    state.mkdir(exist_ok=True)
    script = 'mkdir -p /var/lib/ssdlab && mount --bind "$0" /var/lib/ssdlab && exec "$@"'
    return ("unshare", "--mount", "sh", "-c", script, str(state), *COMMAND, *arguments)


def doctor(state: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        apart(state, "doctor", *arguments), check=False, capture_output=True, text=True, timeout=LIMIT_S
    )


@contextmanager
def resting(loop: Loop, lab: Path, state: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A run on the drive that has set the host up and rests for the minutes that its method wants after a purge."""
    command = apart(state, "run", "fill", str(loop.path), "--erase", str(loop.file), "--lab", str(lab))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until(
            lambda: any('"step_started"' in path.read_text() for path in lab.rglob("journal.jsonl")),
            "the host is set up",
        )
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_puts_the_host_back_and_says_so(
    loop: Loop, other: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    with resting(loop, tmp_path / "lab", tmp_path / "state") as process:
        assert queue(loop)["nomerges"] == "2"
        process.send_signal(number)
        assert process.wait(LIMIT_S) == 130
    assert queue(loop) == other
    (host,) = open_bundle(next((tmp_path / "lab/runs").iterdir())).hosts
    assert isinstance(host.restoration, Restoration)
    assert {one.knob: one.outcome for one in host.restoration.settings} == {
        Knob.SCHEDULER: Back.RESTORED,
        Knob.NOMERGES: Back.RESTORED,
        Knob.RQ_AFFINITY: Back.RESTORED,
        Knob.IO_POLL: Back.UNCHANGED,
    }


def of_an_earlier_boot(record: Path) -> str:
    """The record with the number of another start of the kernel."""
    return json.dumps(json.loads(record.read_text()) | {"boot_id": "00000000-0000-0000-0000-000000000000"})


def test_what_a_killed_run_left_is_found_and_put_back_by_the_doctor(
    loop: Loop, other: dict[str, str], tmp_path: Path
) -> None:
    state = tmp_path / "state"
    with resting(loop, tmp_path / "lab", state) as process:
        live = doctor(state, str(loop.path)).stdout
        process.kill()
        process.wait(LIMIT_S)
    assert f"(process {process.pid}) is measuring on this host" in live
    left = f"(process {process.pid}) ended without putting the host back"
    assert left in doctor(state).stdout
    (record,) = state.rglob("*.json")
    content = record.read_text()
    record.write_text(of_an_earlier_boot(record))
    assert f"{left}; the start of the kernel since then did\n" in doctor(state).stdout
    record.write_text(content)
    assert queue(loop)["nomerges"] == "2"
    restored = doctor(state, "--restore")
    assert (restored.returncode, restored.stderr) == (0, "")
    assert f"    block/{loop.name}/queue/scheduler: mq-deadline restored" in restored.stdout.splitlines()
    assert queue(loop) == other
    assert doctor(state, "--restore").stdout == "no run left anything to put back\n"
