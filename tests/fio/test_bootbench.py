"""BootBench with real fio on a virtual drive: readers, writer and trimmer side by side, and a search that ends."""

from pathlib import Path

import pytest
from tests.kit.processes import OVER, ssdlab
from tests.kit.up_to_the_host import failed_whatever_the_host

from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.job import StepKind
from ssdlab.units import MIB

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes ten times as long

TARGET = "virtual:demo?capacity=256MiB"
SUITE = """\
[suite]
name = "boot"
version = "1"

[profile.quick]
time = "1/60"

[[step]]
kind = "purge"

[[step]]
kind = "search"
procedure = "{procedure}"
fill  = {{ draw = "{draw}", bs = "128KiB", qd = 16 }}
read  = {{ bs = "32KiB", first = 4, last = 8 }}
write = {{ bs = "128KiB", rate = "15MiB/s", floor = "1KiB/s", fsync = 8, caching = "{caching}" }}
trim  = {{ bs = "128KiB", rate = "5MiB/s", floor = "1KiB/s" }}
floor_over = "5s"
time  = {{ double = "60s", bisect = "60s", confirm = "60s", confirm_runs = 2 }}
limit = {{ clat_p99 = "30s", clat_p99_9 = "30s", clat_max = "60s", iops = 1 }}
"""
MENDED = SUITE.format(procedure="mended", draw="permutation", caching="direct")
PUBLISHED = SUITE.format(procedure="published", draw="independent", caching="buffered")


def searched(directory: Path, suite: str) -> Bundle:
    (directory / "boot.toml").write_text(suite)
    ended = ssdlab("run", directory / "boot.toml", TARGET, "--profile", "quick", "--lab", directory)
    assert ended.status in OVER, ended.stderr
    return open_bundle(Path(ended.stdout.strip()))


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return searched(tmp_path_factory.mktemp("mended"), MENDED)


def candidates(bundle: Bundle) -> list[str]:
    return [step.name for step in bundle.steps if step.kind is StepKind.MEASURE]


def test_it_asks_for_one_candidate_after_the_other_and_confirms_the_last(mended: Bundle) -> None:
    assert candidates(mended) == [
        "bootbench.double.n4",
        "bootbench.double.n8",
        "bootbench.confirm.n8.run1",
        "bootbench.confirm.n8.run2",
    ]
    assert {step.status for step in mended.steps} == {StepStatus.FINISHED}
    found = {metric.name: metric.value for metric in mended.metrics}
    assert (found["bootbench.pass"], found["bootbench.jobs"]) == (True, 8)


def test_readers_writer_and_trimmer_are_told_apart(mended: Bundle) -> None:
    for name in candidates(mended):
        directions = mended.result(mended.step(name)).directions
        assert set(directions) == {Direction.READ, Direction.WRITE, Direction.TRIM}
        blocks = {direction: one.io_bytes / one.io_count for direction, one in directions.items()}
        assert blocks == {Direction.READ: 32 * 1024, Direction.WRITE: 128 * 1024, Direction.TRIM: 128 * 1024}
        # Never faster than its pace, but for the one I/O that begins the job.
        assert directions[Direction.WRITE].io_bytes <= 15 * MIB * 1.2 + 128 * 1024
        assert directions[Direction.TRIM].io_bytes <= 5 * MIB * 1.2 + 128 * 1024


def test_the_series_of_each_adds_up_to_what_fio_counts(mended: Bundle) -> None:
    step = mended.step("bootbench.confirm.n8.run1")
    for direction, totals in mended.result(step).directions.items():
        series = mended.series(step, direction)
        assert series.bytes_done[-1] == pytest.approx(totals.io_bytes, rel=0.01)


def test_the_job_file_has_a_section_for_each_and_the_flushes(mended: Bundle) -> None:
    text = (mended.directory(mended.step("bootbench.double.n8")) / "job.fio").read_text()
    sections = [line for line in text.splitlines() if line.startswith("[")]
    assert sections == ["[bootbench.double.n8.write]", "[bootbench.double.n8.trim]", "[bootbench.double.n8]"]
    assert all(option in text.splitlines() for option in ("rw=randtrim", "fsync=8", "rate=15728640", "numjobs=8"))


def test_no_check_of_the_audit_fails_that_the_host_has_no_part_in(mended: Bundle) -> None:
    assert {check.step for check in mended.audit} >= set(candidates(mended))
    assert failed_whatever_the_host(mended) == []


def test_as_published_what_the_path_to_the_drive_cannot_do_is_recorded(tmp_path: Path) -> None:
    bundle = searched(tmp_path, PUBLISHED)
    assert candidates(bundle) == ["bootbench.double.n4", "bootbench.double.n8"]
    dropped = {one.option for one in bundle.result(bundle.step("bootbench.double.n8")).dropped}
    assert {"direct=0", "ioengine=libaio"} <= dropped
