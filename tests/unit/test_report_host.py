"""The host of a run on a drive, as its report describes it."""

from pathlib import Path

from tests.unit.fake_host import DRIVE, fake_host

from ssdlab.bundle.model import HostRecord
from ssdlab.drive.host_state import look
from ssdlab.drive.tune import Tuning, tuned
from ssdlab.report.host_facts import host_rows
from ssdlab.unknown import Unknown

NOTHING = Unknown("nothing was put back")


def test_a_report_says_what_the_host_was_and_what_was_set(tmp_path: Path) -> None:
    with tuned(DRIVE, fake_host(tmp_path), tmp_path / "restore") as host:
        record = HostRecord(since_ns=0, tuning=host.tuning, restoration=NOTHING)
    assert dict(host_rows((record,))) == {
        "Board": "ACME Board [2]",
        "BIOS": "1.02",
        "SMT": "on",
        "Boost": "on",
        "Link of the drive": "16.0 GT/s x4",
        "Link power saving": "off",
        "Set for the run": "governor performance (was powersave), energy preference performance (was balance_power), "
        "scheduler none (was mq-deadline), nomerges 2 (was 0), rq_affinity 2 (was 1), io_poll 0",
    }


def test_a_target_that_is_no_drive_has_only_what_holds_for_the_host(tmp_path: Path) -> None:
    found = look(Unknown("no block device"), fake_host(tmp_path))
    record = HostRecord(since_ns=0, tuning=Tuning(found=found, applied=(), recovered=()), restoration=NOTHING)
    assert [name for name, _ in host_rows((record,))] == ["Board", "BIOS", "SMT", "Boost"]


def test_a_bundle_that_does_not_say_has_no_rows() -> None:
    assert list(host_rows(())) == []
