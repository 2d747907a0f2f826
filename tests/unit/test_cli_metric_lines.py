"""`ssdlab show` of a run of hundreds of points: lines where there are few, tables where there are many."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.metric_names import key
from tests.kit.sample_client import Made, client_bundle

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.cli.metric_lines import metric_lines, step_lines
from ssdlab.engine.result import Direction
from ssdlab.lab.begin import BY_OPERATOR


def test_a_sweep_is_shown_as_a_matrix() -> None:
    lines = list(metric_lines(client_bundle()))

    first = lines.index("rw_ratio (drive state: preconditioned): I/Os a second (IOPS)")
    assert lines[first + 1 : first + 6] == snapshot(
        [
            "  reads         0 %     10 %     20 %     30 %     40 %     50 %     60 %     70 %    80 %    90 %   100 %",
            "  QD1        60,000   55,500   51,000   46,500   42,000   37,500   33,000   28,500  24,000  19,500  15,000",
            "  QD2       120,000  111,000  102,000   93,000   84,000   75,000   66,000   57,000  48,000  39,000  30,000",
            "  QD4       240,000  222,000  204,000  186,000  168,000  150,000  132,000  114,000  96,000  78,000  60,000",
            "  weighted   78,000   72,150   66,300   60,450   54,600   48,750   42,900   37,050  31,200  25,350  19,500",
        ]
    )
    assert lines[first + 6] == snapshot(
        "  also measured: bandwidth (MiB/s), relative standard error (%) (`--json` has them)"
    )


def test_what_is_single_keeps_its_line_with_state_and_interval() -> None:
    lines = list(metric_lines(client_bundle()))

    (sync,) = [line for line in lines if line.startswith("sync_write.rnd.iops")]
    assert sync.split() == snapshot(
        ["sync_write.rnd.iops", "1,200", "IOPS", "[1,180", "to", "1,220", "IOPS]", "preconditioned"]
    )
    (reach,) = [line for line in lines if line.startswith("active_range.reach_bytes")]
    assert reach.endswith("filled twice    no drop within the drive: the speed falls by less than 10%")


def test_a_failed_check_is_named_in_lines_and_marked_in_tables() -> None:
    failed = {"sync_write.rnd.iops": ("io.errors",), "rw_ratio.rnd.q1.r0.iops": ("io.errors",)}

    lines = list(metric_lines(client_bundle(Made(failed=failed))))

    assert any(line.startswith("sync_write.rnd.iops") and "FAILED io.errors" in line for line in lines)
    assert any(line.startswith("  QD1") and "60,000 ✗" in line for line in lines)


def test_all_of_it_fits_a_screen() -> None:
    lines = list(metric_lines(client_bundle()))

    assert len(lines) < 50
    assert max(len(line) for line in lines) < 140


def test_a_run_that_was_cut_off_counts_what_is_many_and_names_where_it_ended() -> None:
    bundle = client_bundle()
    cut = next(step.index for step in bundle.steps if step.name == "rw_ratio.rnd.q2.r0.run1")
    steps = tuple(
        replace(step, status=StepStatus.INTERRUPTED, reason=BY_OPERATOR)
        if step.index == cut
        else replace(step, status=StepStatus.PLANNED)
        if step.index > cut
        else step
        for step in bundle.steps
    )

    lines = list(step_lines(replace(bundle, status=RunStatus.INTERRUPTED, steps=steps)))

    assert [line for line in lines if "rw_ratio" in line] == snapshot(
        [
            "  24-683/718 rw_ratio: 221 finished, 1 interrupted, 438 planned",
            "  245/718 rw_ratio.rnd.q2.r0.run1: interrupted: stopped by the operator",
        ]
    )
    assert "  1/718 purge: finished" in lines
    assert len(lines) < 20


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("rnd.r70w30.q1.iops", "I/Os a second"),
        ("rnd.r70w30.q1.read.iops", "reads: I/Os a second"),
        ("rnd.r70w30.q1.write.clat_p99_9", "writes: completion latency at 99.9 %"),
        ("rnd.read.q1.lat_p99_99", "total latency at 99.99 %"),
        ("precondition.rnd.steady_at_bytes.snia", "written until steady by snia"),
        ("wsat.transition_at_bytes", "written when the fresh speed was lost"),
    ],
)
def test_a_metric_has_words(name: str, label: str) -> None:
    assert str(key(name).label) == label


def test_what_there_is_of_each_direction_is_said_once() -> None:
    bundle = client_bundle()
    mixed = [metric for metric in bundle.metrics if metric.step.startswith("rw_ratio.rnd.q1.r50")]
    parts = [
        replace(metric, key=replace(metric.key, direction=direction))
        for metric in mixed
        for direction in (Direction.READ, Direction.WRITE)
    ]
    lines = list(metric_lines(replace(bundle, metrics=(*bundle.metrics, *parts))))
    (line,) = [line for line in lines if line.startswith("  also measured") and "relative" in line]
    assert line == snapshot(
        "  also measured: bandwidth (MiB/s), relative standard error (%), reads and writes apart (`--json` has them)"
    )
