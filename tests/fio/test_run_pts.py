"""The later suites of SNIA PTS by fio and by the load engine: what the suite says is in the job files that ran."""

import io
from pathlib import Path

import pytest
from tests.kit.pts_reports import FIGURES

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.job import EngineName, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.report.page import write_report


def ran(text: str, directory: Path, engine: EngineName = EngineName.FIO) -> Bundle:
    with open_bench("virtual:zero?capacity=64MiB", engine=engine) as bench:
        plan = expand(parse_suite(text, "mine.toml"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(io.StringIO()))


SHORTER = {
    "pts-tp": ("1/100", "1/300"),
    "pts-lat": ("1/100", "1/300"),
    "pts-wsat": ("1/300", "1/900"),
    "pts-xsr": ("1/600", "1/6000"),
}
"""Time in the quick profile, as it is and as it is here."""
ASKED = {
    "pts-tp": ("tp_128kib.round1.r0.b128KiB", {"numjobs=1", "iodepth=32", "rw=write", "bs=131072"}),
    "pts-lat": ("lat.round5.r65.b8KiB", {"numjobs=1", "iodepth=1", "rw=randrw", "rwmixread=65", "bs=8192"}),
    "pts-wsat": ("histogram", {"numjobs=4", "iodepth=32", "rw=randwrite", "bs=4096", "norandommap=1"}),
    "pts-xsr": ("xsr.across", {"numjobs=1", "iodepth=32", "rw=randwrite", "bs=8192"}),
}
"""A step, and what its job file has."""


@pytest.mark.parametrize("suite", ASKED)
def test_the_quick_profile_runs_whole_from_purge_to_report(suite: str, tmp_path: Path) -> None:
    as_it_is, here = SHORTER[suite]
    bundle = ran(load_suite(suite).text.replace(f'time = "{as_it_is}"', f'time = "{here}"'), tmp_path)
    assert (bundle.status, bundle.run.profile) == (RunStatus.FINISHED, "quick")
    assert {step.status for step in bundle.steps} == {StepStatus.FINISHED}
    name, wanted = ASKED[suite]
    (step,) = (one for one in bundle.finished() if one.name == name)
    assert wanted <= set(bundle.file(step, "job.fio").decode().splitlines())
    write_report([bundle], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    # Where 4 x the drive are written in less than half an hour there is none to draw.
    assert [one for one in FIGURES[suite] - {"half-hours-wsat"} if f'id="run1-{one}"' not in page] == []


def test_bursts_are_fios_of_their_own_and_the_drive_is_left_alone_between_them(tmp_path: Path) -> None:
    text = load_suite("pts-hir").text.replace('"5s", "10s", "15s", "25s", "50s"', '"50s"').replace("1/100", "1/600")
    bundle = ran(text.replace("runs = 5 ", "runs = 2 "), tmp_path)
    own = [step for step in bundle.finished() if step.group == "hir"]
    assert [step.name for step in own] == [
        *("hir.t50.run1", "hir.t50.run1.rest", "hir.t50.run2", "hir.t50.run2.rest"),
        "hir.t50.baseline",
    ]
    written = bundle.file(own[0], "job.fio").decode().splitlines()
    assert {"numjobs=4", "iodepth=32", "rw=randwrite", "bs=4096", "norandommap=1"} <= set(written)
    silence = next(metric for metric in bundle.metrics if metric.name == "hir.t50.silence")
    assert isinstance(silence.value, float)
    assert silence.value >= 50 / 600


def test_a_demand_is_so_many_jobs_at_so_deep_a_queue(tmp_path: Path) -> None:
    text = load_suite("pts-dirth").text.replace("[32, 16, 8, 6, 4, 2, 1]", "[2, 1]").replace("1/300", "1/600")
    bundle = ran(text, tmp_path)
    measured = {step.name: step for step in bundle.finished() if step.kind is StepKind.MEASURE}
    written = bundle.file(measured["dirth.round1.n2.q1"], "job.fio").decode().splitlines()
    assert {"numjobs=2", "iodepth=1", "rw=randrw", "rwmixread=65", "bs=8192"} <= set(written)
    before = next(step for step in bundle.finished() if step.name == "dirth.round1.prewrite")
    assert {"numjobs=2", "iodepth=2", "rw=randwrite"} <= set(bundle.file(before, "job.fio").decode().splitlines())
    assert {"dirth.criterion", "dirth.min.iops", "dirth.n2.q2.lat_mean"} <= {metric.name for metric in bundle.metrics}


def test_a_composite_demand_is_issued_by_the_load_engine(tmp_path: Path) -> None:
    text = load_suite("pts-cbw").text.replace("[32, 16, 8, 6, 4, 2, 1]", "[2, 1]").replace("1/300", "1/600")
    bundle = ran(text, tmp_path, EngineName.LOAD)
    assert bundle.run.engine.startswith("load-")
    shares = [one.outcome.value for one in bundle.audit if one.name == "mix.shares" and one.step == "cbw.min"]
    assert shares == ["pass"]
