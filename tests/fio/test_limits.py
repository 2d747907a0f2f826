"""Limits hold with the real fio: it is ended, what was finished is kept, and the run can go on."""

import re
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import ssdlab
from tests.kit.suites import write_short

from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import open_bundle

pytestmark = pytest.mark.fio

ENDLESS = """
[[step]]
name = "again"
kind = "measure"
job = { pattern = "sequential", bs = "128KiB", qd = 32, read = "0%", limit = "1h" }
"""


def test_a_drive_that_gets_too_warm_ends_fio_and_the_run(tmp_path: Path) -> None:
    suite, lab = write_short(tmp_path), tmp_path / "lab"
    suite.write_text(suite.read_text() + ENDLESS)
    ended = ssdlab("run", suite, "virtual:chaos?capacity=256MiB", "--lab", lab, "--max-temperature", "57")
    bundle = open_bundle(newest_run(lab))
    assert (ended.status, ended.stdout) == (1, "")
    assert (bundle.status, bundle.faults) == (RunStatus.STOPPED, ())
    assert bundle.step("purge").status is StepStatus.FINISHED
    # How far it comes before depends on the host.
    assert re.sub(
        r"[\d.]+ °C, (before|[\d.]+ s into) the job", "N °C, WHEN", ended.stderr[ended.stderr.index("error") :]
    ).replace(str(bundle.path), "RUN") == snapshot("""\
error: the run was stopped: the drive was at N °C, WHEN, and `--max-temperature` allows 57 °C

hint: cool the drive better, and let it rest
hint: go on with it: `ssdlab resume RUN`
hint: what was finished is in `RUN`
""")


def test_a_run_that_has_written_enough_ends_fio_and_goes_on_when_more_is_allowed(tmp_path: Path) -> None:
    suite, lab = write_short(tmp_path), tmp_path / "lab"
    suite.write_text(suite.read_text() + ENDLESS)
    target = "virtual:demo?capacity=64MiB"
    ended = ssdlab("run", suite, target, "--lab", lab, "--max-write", "300MB")
    bundle = open_bundle(newest_run(lab))
    assert ended.status == 1, ended.stderr
    assert bundle.step("fill.pass2").status is StepStatus.FINISHED
    assert bundle.steps[-1].status is StepStatus.INTERRUPTED
    assert isinstance(bundle.written_bytes, int)
    assert bundle.written_bytes > 300_000_000
    assert "audit" not in ended.stderr
    refused = ssdlab("resume", bundle.path)
    assert (refused.status, refused.stdout) == (1, "")
    assert "`--max-write` allows 300 MB" in refused.stderr


def test_a_plan_says_whether_a_limit_lets_it_end(tmp_path: Path) -> None:
    suite = write_short(tmp_path)

    def said(limit: str) -> str:
        planned = ssdlab("plan", suite, "model:demo?capacity=64MiB", "--max-write", limit)
        assert planned.status == 0, planned.stderr
        answer, _, _ = planned.stdout.partition("\n\n")
        return answer.splitlines()[-1]

    assert [said(limit) for limit in ("1MB", "1GB")] == snapshot(
        [
            "`--max-write` allows 1.00 MB: too little, it writes at least 134 MB",
            "`--max-write` allows 1.00 GB: enough, it writes up to 134 MB",
        ]
    )
