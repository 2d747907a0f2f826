"""A profile by the load engine in real time, with fio beside it for a search: killed in the midst of a point, it goes on to its end."""

from pathlib import Path

import pytest
from tests.kit.killed_run import killed_in_step
from tests.kit.processes import OVER, memory_export, ssdlab

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import StepKind

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes ten times as long

SUITE = """\
[suite]
name = "both"
version = "1"
[profile.free]
engine = "load"
until = "5%"
order = "reads_first"
again = "first"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 16 }
[[step]]
kind = "measure"
name = "rnd"
job = { region = "fill", pattern = "random", bs = "4KiB", ramp = "1s", limit = "3s" }
sweep = { read = ["70%", "100%"], qd = [1, 2] }
[[step]]
kind = "search"
procedure = "mended"
fill  = { draw = "permutation", bs = "128KiB", qd = 16 }
read  = { bs = "32KiB", first = 1, last = 1 }
write = { bs = "128KiB", rate = "1MiB/s", floor = "1KiB/s", fsync = 8, caching = "direct" }
trim  = { bs = "128KiB", rate = "1MiB/s", floor = "1KiB/s" }
floor_over = "5s"
time  = { double = "1s", bisect = "1s", confirm = "1s", confirm_runs = 1 }
limit = { clat_p99 = "30s", clat_p99_9 = "30s", clat_max = "60s", iops = 1 }
"""


def measured(bundle: Bundle) -> dict[str, bytes]:
    steps = [step for step in bundle.finished() if step.group == "rnd"]
    return {step.name: bundle.file(step, "result.json") for step in steps}


def test_it_goes_on_where_it_was_killed_and_leaves_the_search_to_fio(tmp_path: Path) -> None:
    suite, lab = tmp_path / "both.toml", tmp_path / "lab"
    suite.write_text(SUITE)

    with memory_export(tmp_path, "64M") as (socket, _):
        target = f"nbd+unix:///?socket={socket}"
        killed = killed_in_step(4, lab, ("run", suite, target, "--profile", "free", "--erase", socket.name))
        before, halfway = measured(killed), [one.name for one in killed.steps if one.status is StepStatus.STARTED]
        assert (list(before), halfway) == (["rnd.q1.r100"], ["rnd.q2.r100"])
        done = ssdlab("resume", killed.path, "--erase", socket.name)
    bundle = open_bundle(killed.path)
    assert (done.status in OVER, bundle.status, bundle.faults) == (True, RunStatus.FINISHED, ()), done.stderr
    after = measured(bundle)
    assert {name: after[name] for name in before} == before
    assert list(after) == ["rnd.q1.r100", "rnd.q2.r100", "rnd.q1.r70", "rnd.q2.r70", "rnd.q1.r100.run2"]
    assert bundle.run.engine.startswith("load-")
    assert ", fio-" in bundle.run.engine
    engines = {
        step.group: bundle.result(step).engine.partition("-")[0]
        for step in bundle.finished()
        if step.kind is StepKind.MEASURE
    }
    assert engines == {"rnd": "load", "bootbench": "fio"}
    for step in bundle.finished():
        if step.kind is StepKind.MEASURE and step.group == "rnd":
            assert bundle.result(step).point_end is not None
