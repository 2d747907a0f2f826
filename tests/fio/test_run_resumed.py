"""A run that was killed goes on with `ssdlab resume`, with real fio, and ends with what it would have ended with."""

import random
from pathlib import Path

import pytest
from tests.kit.processes import OVER, fio_below, memory_export, ssdlab, ssdlab_started, wait_until

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle

pytestmark = pytest.mark.fio

SUITE = """\
[suite]
name = "short"
version = "1"
description = "A used drive, without the long rests"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }

[[step]]
kind = "precondition"
random = { amount = "64MiB", bs = "4KiB", qd = 32 }
trim = "25%"

[[step]]
kind = "measure"
name = "mixed"
job.rnd = { region = "random", pattern = "random", bs = "4KiB", qd = 4, amount = "64MiB" }
sweep = { read = ["0%", "100%"] }
repeat = { times = 2 }
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "short.toml"
    path.write_text(SUITE)
    return path


def kill_in_step(number: int, arguments: list[str | Path], lab: Path, resumptions: int = 0) -> Path:
    """Start a command and kill it, without a word, while fio works on that step or once it is past it."""

    def reached() -> bool:
        texts = [journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}")]
        parts = [text.split("run_resumed") for text in texts]
        return any(len(one) > resumptions and one[-1].count("step_started") >= number for one in parts)

    with ssdlab_started(*arguments) as process:
        wait_until(lambda: reached() or process.poll() is not None, f"step {number} begins")
        if number % 2:
            wait_until(lambda: fio_below(process.pid) is not None or process.poll() is not None, "fio works")
        assert process.poll() is None
        process.kill()
        process.wait(timeout=240)
    return newest_run(lab)


def opened(path: Path) -> Bundle:
    bundle = open_bundle(path)
    assert bundle.faults == ()
    return bundle


def test_a_virtual_drive_killed_at_random_steps_ends_with_all_metrics(suite: Path, tmp_path: Path) -> None:
    target, lab = "virtual:demo?capacity=256MiB", tmp_path / "lab"
    whole = ssdlab("run", suite, target, "--lab", tmp_path / "whole")
    assert whole.status in OVER, whole.stderr
    expected = {metric.name for metric in opened(Path(whole.stdout.strip())).metrics}
    draw = random.Random(7)  # noqa: S311 - which steps are hit is no secret
    path = kill_in_step(draw.randint(2, 8), ["run", suite, target, "--lab", lab], lab)
    for resumptions in (1, 2):
        kill_in_step(draw.randint(1, 8), ["resume", path], lab, resumptions)
    done = ssdlab("resume", path)
    assert (done.status in OVER, done.stdout) == (True, f"{path}\n"), done.stderr
    bundle = opened(path)
    assert bundle.status is RunStatus.FINISHED
    assert {metric.name for metric in bundle.metrics} == expected
    assert [one.redone[0] for one in bundle.resumptions] == ["purge"] * 3


def test_a_drive_that_keeps_its_data_repeats_only_the_point_it_was_killed_in(suite: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    with memory_export(tmp_path, "256M") as (socket, _):
        target = f"nbd+unix:///?socket={socket}"
        path = kill_in_step(7, ["run", suite, target, "--erase", "nbd", "--lab", lab], lab)
        before = {step.name: step.started_ns for step in opened(path).finished()}
        done = ssdlab("resume", path, "--erase", "nbd")
    assert done.status in OVER, done.stderr
    bundle = opened(path)
    (resumption,) = bundle.resumptions
    (again,) = resumption.redone
    assert again.startswith("mixed.")
    assert {step.name: step.started_ns for step in bundle.steps if step.name in before} == before


def test_a_run_that_is_over_is_left_alone(suite: Path, tmp_path: Path) -> None:
    path = Path(ssdlab("run", suite, "model:demo?capacity=256MiB", "--lab", tmp_path / "lab").stdout.strip())
    journal = (path / layout.JOURNAL).read_bytes()
    again = ssdlab("resume", path)
    assert (again.status, again.stdout) == (0, f"{path}\n")
    assert again.stderr == "nothing is left to do: every step of this run is over\n"
    assert (path / layout.JOURNAL).read_bytes() == journal


def test_what_is_no_bundle_cannot_be_resumed(tmp_path: Path) -> None:
    ended = ssdlab("resume", tmp_path / "nothing")
    assert (ended.status, ended.stdout) == (1, "")
    with pytest.raises(BundleError):
        open_bundle(tmp_path / "nothing")


def test_a_run_that_still_goes_on_cannot_be_resumed(suite: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    # However long a busy host takes to refuse it.
    suite.write_text(SUITE.replace('qd = 4, amount = "64MiB"', 'qd = 4, limit = "1h"'))
    with ssdlab_started("run", suite, "virtual:demo?capacity=256MiB", "--lab", lab) as process:
        wait_until(lambda: fio_below(process.pid) is not None and any(lab.glob("runs/*/journal.jsonl")), "fio works")
        refused = ssdlab("resume", newest_run(lab))
        assert process.poll() is None
    assert refused.status == 1
    assert "is being written by another ssdlab" in refused.stderr
    assert any(step.status is not StepStatus.FINISHED for step in open_bundle(newest_run(lab)).steps)
