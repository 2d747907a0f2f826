"""Drives that go away under the load engine: the run says so, ends, and has kept what was measured before."""

import time
from pathlib import Path

import pytest
from tests.kit.cutting_relay import Cut, CuttingRelay
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import LIMIT_S, memory_export, ssdlab_started, wait_until
from tests.kit.sample_fio import LONG
from tests.kit.watches import once_it_moves

from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.target import NbdTarget
from ssdlab.engine.load import LoadEngine, LoadFailed, LoadHung
from ssdlab.engine.real_time import StallLimit
from ssdlab.engine.result import Direction
from ssdlab.errors import ExitStatus
from ssdlab.units import MIB, NS_PER_S

pytestmark = pytest.mark.fio

SUITE = load_suite(
    "short",
    random_ios("before", 'qd = 4, amount = "8MiB"', 'mix = ["read"]'),
    random_ios("meanwhile", 'qd = 4, limit = "240s"', 'mix = ["read"]'),
)


@pytest.mark.parametrize("cut", [Cut.CLOSED, Cut.RESET, Cut.HALF_ANSWER])
def test_a_connection_that_is_cut_fails_the_run_and_leaves_what_was_measured_before(cut: Cut, tmp_path: Path) -> None:
    suite, lab = tmp_path / "short.toml", tmp_path / "lab"
    suite.write_text(SUITE)
    with (
        memory_export(tmp_path, "64M") as (server, _),
        CuttingRelay(tmp_path / "link", server, cut) as link,
        ssdlab_started(
            "run", suite, f"nbd+unix:///?socket={link.path}", "--erase", link.path.name, "--lab", lab
        ) as run,
    ):
        wait_until(lambda: any(lab.glob("runs/*/*-meanwhile*")) or run.poll() is not None, "the last step begins")
        assert run.poll() is None, run.communicate()
        link.cut()
        cut_s = time.monotonic()
        stdout, stderr = run.communicate(timeout=240)
        assert time.monotonic() - cut_s < LIMIT_S
    assert (run.returncode, stdout, "Traceback" in stderr) == (ExitStatus.REFUSED, "", False), stderr
    bundle = open_bundle(newest_run(lab))
    assert (bundle.status, bundle.faults) == (RunStatus.FAILED, ())
    assert f"error: {bundle.reason}\n" in stderr
    assert "no NBD export" in str(bundle.reason)
    *whole, last = bundle.steps
    assert [step.status for step in whole] == [StepStatus.FINISHED] * 3
    assert last.status is StepStatus.FAILED
    read = bundle.result(whole[-1]).directions[Direction.READ]
    assert (read.io_bytes, read.io_count) == (8 * MIB, 2048)


@pytest.mark.parametrize(
    ("cut", "error"),
    [
        pytest.param(Cut.CLOSED, LoadFailed, id="closed"),
        pytest.param(Cut.RESET, LoadFailed, id="reset"),
        pytest.param(Cut.HALF_ANSWER, LoadFailed, id="half an answer"),
        pytest.param(Cut.HALF_ANSWER_KEPT_OPEN, LoadHung, id="half an answer and then silence"),
    ],
)
def test_a_job_never_counts_the_answers_that_a_cut_connection_owes(
    cut: Cut, error: type[Exception], tmp_path: Path
) -> None:
    with memory_export(tmp_path, "64M") as (server, _), CuttingRelay(tmp_path / "link", server, cut) as link:
        drive = NbdDrive(f"nbd+unix:///?socket={link.path}", NbdTarget(link.path, ""), erase=link.path.name)
        engine = LoadEngine(drive, StallLimit(2 * NS_PER_S))
        began_s = time.monotonic()
        with pytest.raises(error):
            engine.run(LONG, tmp_path, once_it_moves(link.cut))
        assert time.monotonic() - began_s < LIMIT_S
