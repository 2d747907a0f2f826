"""The host of a run on a drive, as its report describes it."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.fake_host import DRIVE, fake_host
from tests.kit.reported_drives import NVME, bundle_of, run_on

from ssdlab.bundle.model import HostRecord
from ssdlab.host.findings import smt_words
from ssdlab.host.state import look
from ssdlab.host.tune import Tuning, tuned
from ssdlab.message import verbatim
from ssdlab.report.host_facts import bench_rows, host_rows
from ssdlab.unknown import Unknown

NOTHING = Unknown(verbatim("nothing was put back"))


def test_a_report_says_what_the_host_was_and_what_was_set(tmp_path: Path) -> None:
    with tuned(DRIVE, fake_host(tmp_path), tmp_path / "restore") as host:
        record = HostRecord(since_ns=0, tuning=host.tuning, restoration=NOTHING)
    assert {str(name): str(value) for name, value in host_rows((record,))} == {
        "Board": "ACME Board [2]",
        "BIOS": "1.02",
        "SMT": "on",
        "Boost": "on",
        "Link of the drive": "16.0 GT/s x4",
        "Link power saving": "off",
        "Set for the run": "governor performance (was powersave), energy preference performance (was balance_power), "
        "scheduler none (was mq-deadline), nomerges 2 (was 0), rq_affinity 1 (was 2), io_poll 0",
    }


def test_the_bench_names_the_processor(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, run_on("nvme0n1", dict(NVME)))
    assert str(dict(bench_rows(bundle))[verbatim("CPU")]).startswith(bundle.run.host.cpu)


@pytest.mark.parametrize(
    ("kernel_says", "shown"),
    [
        ("on", "on"),
        ("off", "off"),
        ("forceoff", "off until the next boot"),
        ("notsupported", "none, one thread a core"),
        ("notimplemented", "unknown: this kernel cannot switch it"),
        ("4", "on, 4 threads a core"),
        ("a word of later kernels", "a word of later kernels"),
    ],
)
def test_multithreading_is_told_in_other_words_than_the_kernels(tmp_path: Path, kernel_says: str, shown: str) -> None:
    found = replace(look(Unknown(verbatim("no block device")), fake_host(tmp_path)), smt=kernel_says)
    assert str(smt_words(found)) == shown


def test_a_host_without_multithreading_says_so(tmp_path: Path) -> None:
    found = replace(look(Unknown(verbatim("no block device")), fake_host(tmp_path)), smt="notsupported")
    record = HostRecord(since_ns=0, tuning=Tuning(found=found, applied=(), recovered=()), restoration=NOTHING)
    assert str(dict(host_rows((record,)))[verbatim("SMT")]) == "none, one thread a core"


def test_a_target_that_is_no_drive_has_only_what_holds_for_the_host(tmp_path: Path) -> None:
    found = look(Unknown(verbatim("no block device")), fake_host(tmp_path))
    record = HostRecord(since_ns=0, tuning=Tuning(found=found, applied=(), recovered=()), restoration=NOTHING)
    assert [str(name) for name, _ in host_rows((record,))] == ["Board", "BIOS", "SMT", "Boost"]


def test_a_bundle_that_does_not_say_has_no_rows() -> None:
    assert list(host_rows(())) == []
