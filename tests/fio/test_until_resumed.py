"""A run that is killed in the midst of a point that ends by itself: the points before stay, and the point is measured anew."""

import re
from pathlib import Path

import pytest
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import OVER, memory_export, ssdlab, ssdlab_started, wait_until

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle

pytestmark = pytest.mark.fio

SUITE = load_suite("until", random_ios("known", 'limit = "3s", until = "5%"', 'read = ["100%"], qd = [1, 2]'))


def results(bundle: Bundle) -> dict[str, bytes]:
    return {step.name: bundle.file(step, "result.json") for step in bundle.finished() if step.group == "known"}


def test_a_run_killed_in_an_adaptive_point_keeps_the_one_before_and_measures_this_one_again(tmp_path: Path) -> None:
    suite, lab = tmp_path / "until.toml", tmp_path / "lab"
    suite.write_text(SUITE)

    def begun() -> int:
        texts = [journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}")]
        return len({index for text in texts for index in re.findall(r'"step_started".*?"index":(\d+)', text)})

    with memory_export(tmp_path, "64M") as (socket, _):
        target = f"nbd+unix:///?socket={socket}"
        with ssdlab_started("run", suite, target, "--erase", socket.name, "--lab", lab) as process:
            wait_until(lambda: begun() == 4 or process.poll() is not None, "the second point is measured")
            assert process.poll() is None, process.communicate()
            process.kill()
            process.wait(timeout=240)
        killed = open_bundle(newest_run(lab))
        before = results(killed)
        second = killed.steps[-1]
        assert (len(before), second.status) == (1, StepStatus.STARTED)
        done = ssdlab("resume", killed.path, "--erase", socket.name)
    bundle = open_bundle(killed.path)
    assert (done.status in OVER, bundle.status, bundle.faults) == (True, RunStatus.FINISHED, ()), done.stderr
    (resumption,) = bundle.resumptions
    assert resumption.redone == (second.name,)
    after = results(bundle)
    assert {name: after[name] for name in before} == before
    end = bundle.result(bundle.step(second.name)).point_end
    assert end is not None
    assert end.low <= end.bytes_per_s <= end.high
