"""A run by the load engine that is stopped by a signal: the point in which it stood still is done again, and no other has anything of it."""

import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import OVER, ssdlab_started, wait_until

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.journal import Event, read_journal
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.standstill import Cause, stood_still
from ssdlab.units import NS_PER_S

pytestmark = pytest.mark.fio

SUITE = load_suite("points", random_ios("points", 'read = "100%", limit = "4s"', "qd = [1, 2, 4]"))
STOPPED_S = 4
LEAST_NS = 2 * NS_PER_S
"""Of one point, if the signal comes as two of them meet."""


def test_a_point_in_which_a_signal_stopped_the_run_is_done_again(tmp_path: Path) -> None:
    suite, lab = tmp_path / "points.toml", tmp_path / "lab"
    suite.write_text(SUITE)

    def is_measuring() -> bool:
        announced = any('"event":"step_announced"' in one.read_text() for one in lab.glob(f"runs/*/{layout.JOURNAL}"))
        return announced and has_waited_for_io(process.pid)

    with ssdlab_started("run", suite, "virtual:demo?capacity=64MiB", "--lab", lab) as process:
        wait_until(lambda: is_measuring() or process.poll() is not None, "a point is measured")
        process.send_signal(signal.SIGSTOP)
        time.sleep(STOPPED_S)
        process.send_signal(signal.SIGCONT)
        _, stderr = process.communicate(timeout=240)
    bundle = open_bundle(newest_run(lab))
    assert (process.returncode in OVER, bundle.status, bundle.faults) == (True, RunStatus.FINISHED, ()), stderr
    repeated_ns = _held_up_ns(bundle)
    assert max(repeated_ns.values()) > LEAST_NS
    for step in bundle.finished():
        # Whoever was done again, and each that was not, stood still no more, unless the host did and the audit says so.
        if step.job is not None and stood_still(bundle.result(step).standstills):
            assert any(one.name == "host.uninterrupted" and one.step == step.name for one in bundle.audit)


def has_waited_for_io(process_id: int) -> bool:
    """Often, in its present chain: announced is what begins in a moment."""
    for task in Path(f"/proc/{process_id}/task").iterdir():
        # It may end meanwhile.
        with suppress(OSError):
            words = (task / "status").read_text().split()
            if words[words.index("Name:") + 1] == "load":
                return int(words[words.index("voluntary_ctxt_switches:") + 1]) > 100
    return False


def _held_up_ns(bundle: Bundle) -> dict[int, int]:
    """By number of the step, as its first attempt was set aside."""
    happenings, _ = read_journal(bundle.path / layout.JOURNAL)
    return {
        one.data["index"]: sum(
            stood.duration_ns
            for stood in stood_still(layout.STANDSTILLS_ADAPTER.validate_python(one.data["standstills"]))
            if stood.cause is Cause.HELD_UP
        )
        for one in happenings
        if one.event is Event.STEP_REPEATED
    }
