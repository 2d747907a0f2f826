"""A run that is killed in the midst of a point that ends by itself: the points before stay, and the point is measured anew."""

from pathlib import Path

import pytest
from tests.kit.killed_run import killed_in_step
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import OVER, memory_export, ssdlab

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle

pytestmark = pytest.mark.fio

SUITE = load_suite("until", random_ios("known", 'limit = "3s", until = "5%"', 'read = ["100%"], qd = [1, 2]'))


def results(bundle: Bundle) -> dict[str, bytes]:
    return {step.name: bundle.file(step, "result.json") for step in bundle.finished() if step.group == "known"}


def test_a_run_killed_in_an_adaptive_point_keeps_the_one_before_and_measures_this_one_again(tmp_path: Path) -> None:
    suite, lab = tmp_path / "until.toml", tmp_path / "lab"
    suite.write_text(SUITE)

    with memory_export(tmp_path, "64M") as (socket, _):
        target = f"nbd+unix:///?socket={socket}"
        killed = killed_in_step(4, lab, ("run", suite, target, "--erase", socket.name))
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
    assert end.low is not None
    assert end.high is not None
    assert end.low <= end.bytes_per_s <= end.high
