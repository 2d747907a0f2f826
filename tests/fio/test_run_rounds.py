"""Rounds of SNIA PTS by fio: what the suite says of a cell is in the job file that fio ran."""

import io
from pathlib import Path

from ssdlab.cli.display import PlainDisplay
from ssdlab.job import StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite


def test_each_cell_of_each_round_is_one_fio_with_the_jobs_and_depth_of_the_method(tmp_path: Path) -> None:
    text = load_suite("pts-iops").text.replace("at_most = 25", "at_most = 5").replace("passes = 2", "passes = 1")
    text = text.replace('["100%", "95%", "65%", "50%", "35%", "5%", "0%"]', '["65%", "0%"]')
    text = text.replace('["1MiB", "128KiB", "64KiB", "32KiB", "16KiB", "8KiB", "4KiB", "512B"]', '["64KiB", "4KiB"]')
    text = text.replace(', { read = "100%", bs = "1MiB" }', "")
    with open_bench("virtual:zero?capacity=64MiB") as bench:
        plan = expand(parse_suite(text, "mine.toml"), "quick", bench.drive.identity, seed=1)
        bundle = execute(plan, bench, tmp_path / "lab", PlainDisplay(io.StringIO()))
    measured = [step for step in bundle.finished() if step.kind is StepKind.MEASURE]
    assert [step.name for step in measured] == [
        f"iops.round{place}.r{mix}.b{size}" for place in range(1, 6) for mix in (65, 0) for size in ("64KiB", "4KiB")
    ]
    written = bundle.file(measured[1], "job.fio").decode().splitlines()
    assert {"numjobs=4", "iodepth=32", "rw=randrw", "rwmixread=65", "bs=4096", "norandommap=1"} <= set(written)
    known = {metric.name for metric in bundle.metrics}
    assert {"iops.criterion", "iops.r0.b4KiB.iops", "iops.r65.b64KiB.window_range"} <= known
