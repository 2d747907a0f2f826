"""Whole consumer runs on a model: every metric the method names, from the bundle alone."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from tests.kit.five_drives import shared_run

from ssdlab.analysis.conclude import conclude
from ssdlab.bundle.model import Metric, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import DriveState, StepKind
from ssdlab.message import message, number
from ssdlab.unknown import Unknown

SHARES = range(0, 101, 10)


def run(suite: str) -> Bundle:
    return shared_run("demo", suite, None)


@cache
def metrics(suite: str) -> dict[str, Metric]:
    return {metric.name: metric for metric in run(suite).metrics}


FILL = (
    "duration",
    "cache_bytes",
    "cache_bandwidth",
    "folding_bandwidth",
    "direct_bandwidth",
    "bandwidth_mean",
    "bandwidth_p1",
)
NAMED = {
    "client": {
        *(f"fill.pass{number}.{what}" for number in (1, 2) for what in FILL),
        *(
            f"fill.{what}"
            for what in ("bandwidth_mean", "latency_mean_over_time", "latency_mean_over_ios", "after_cache")
        ),
        *("active_range.2GiB.iops", "active_range.reach_bytes", "sync_write.rnd.iops", "rw_ratio.rnd.rank.iops"),
        *(
            f"rw_ratio.rnd.q{depth}.r{share}.{what}"
            for depth in (1, 2, 4)
            for share in SHARES
            for what in ("iops", "rse")
        ),
        *(f"rw_ratio.rnd.weighted.r{share}.iops" for share in SHARES),
        *(f"reclaim.t{rest}.bytes" for rest in (5, 10, 15, 30, 60, 120, 240)),
        *("reclaim.delay", "reclaim.rate"),
    },
    "client-2025.07": {
        *("sync_write.rnd.iops", "sync_write.seq.bandwidth", "rw_ratio.rnd.rank.iops", "rw_ratio.seq.rank.iops"),
        *(f"rw_ratio.{pattern}.weighted.r{share}.iops" for pattern in ("seq", "rnd") for share in SHARES),
        *("rw_ratio.rnd.q1.r0.clat_p50", "rw_ratio.rnd.q1.r100.clat_p50"),
    },
}


@pytest.mark.parametrize("suite", NAMED)
def test_every_metric_of_the_method_is_there(suite: str) -> None:
    assert NAMED[suite] - metrics(suite).keys() == set()


@pytest.mark.parametrize("suite", NAMED)
def test_every_metric_has_a_value_or_a_reason(suite: str) -> None:
    for metric in metrics(suite).values():
        assert not isinstance(metric.value, Unknown) or len(str(metric.value.reason)) > 10


def test_what_the_demo_drive_is_comes_out() -> None:
    found = metrics("client")
    assert found["fill.after_cache"].value == "class B"
    assert found["active_range.reach_bytes"].value == Unknown(message("unknown-no-drop", least=number(0.1, ".0%")))
    assert found["rw_ratio.rnd.rank.iops"].state is DriveState.PRECONDITIONED


def test_the_mean_latencies_say_which_is_which() -> None:
    found = metrics("client")
    assert found["fill.latency_mean_over_time"].value != found["fill.latency_mean_over_ios"].value
    assert "every moment counts the same" in str(found["fill.latency_mean_over_time"].note)
    assert "every I/O counts the same" in str(found["fill.latency_mean_over_ios"].note)


def test_crystal_disk_mark_profiles_show_the_best_run() -> None:
    found = metrics("cdm")
    best = [metric for name, metric in found.items() if name.endswith(".bandwidth")]
    assert best
    assert all(str(metric.note).startswith(("best of", "one run")) for metric in best)


def test_the_same_bundle_gives_the_same_metrics() -> None:
    bundle = run("client")
    assert conclude(bundle)[0] == conclude(open_bundle(bundle.path))[0] == bundle.metrics


def test_a_run_cut_anywhere_gives_metrics_of_what_is_finished(tmp_path: Path) -> None:
    bundle = open_bundle(shutil.copytree(run("client").path, tmp_path / "run"))
    journal = bundle.path / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    complete = {metric.name for metric in bundle.metrics}
    for kept in range(len(lines) // 5, len(lines), len(lines) // 5):
        journal.write_bytes(b"".join(lines[:kept]))
        cut = open_bundle(bundle.path)
        found = conclude(cut)[0]
        measured = {
            step.point.name
            for step in cut.steps
            if step.status is StepStatus.FINISHED and step.kind is StepKind.MEASURE
        }
        assert {metric.name for metric in found} <= complete
        assert measured <= {metric.step for metric in found}
