"""`ssdlab doctor` as it is printed, and what its exit status says."""

import json
import re
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_host import DRIVE, fake_host
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.cli.doctor import lines, undone_lines
from ssdlab.drive.purge.ata_leftover import Freed
from ssdlab.drive.purge.ata_password import PasswordNote
from ssdlab.host.activity import Activity
from ssdlab.host.findings import HostFinding, Rights, Severity, Topic, state_findings
from ssdlab.host.restore import Back, PutBack, Restoration
from ssdlab.host.settings import Knob
from ssdlab.host.state import look
from ssdlab.lab.doctor import HostExamination, Undone
from ssdlab.message import message, verbatim
from ssdlab.units import GIB
from ssdlab.unknown import Unknown

QUIET = Activity(cpu_busy_percent=3.0, swapped_bytes=0, moved_bytes=0, memory_available_bytes=8 * GIB)


def examined(tmp_path: Path) -> HostExamination:
    state = look(DRIVE, fake_host(tmp_path))
    return HostExamination(
        target=f"/dev/{DRIVE}",
        state=state,
        activity=QUIET,
        fio="fio-3.39",
        findings=state_findings(state, Rights.ROOT),
    )


def test_a_host_is_shown_with_every_finding_and_its_mend(tmp_path: Path) -> None:
    assert "\n".join(lines(examined(tmp_path))) == snapshot("""\
fit to measure, with what is warned of
warning: completions cannot be polled for: its driver made no poll queues (`poll_queues` of the module `nvme` is 0); `hipri` will be dropped
    to do: `nvme.poll_queues=4` on the kernel's command line; no more than there are processors
info: governor is powersave, wanted is performance; a run sets it, and puts it back
info: energy preference is balance_power, wanted is performance; a run sets it, and puts it back
info: scheduler is mq-deadline, wanted is none; a run sets it, and puts it back
info: nomerges is 0, wanted is 2; a run sets it, and puts it back
info: rq_affinity is 2, wanted is 1; a run sets it, and puts it back

target    /dev/nvme0n1
kernel    6.12.0
board     ACME Board [2], BIOS 1.02
cpu       governor powersave, boost on, SMT on
fio       fio-3.39
queue     scheduler mq-deadline, nomerges 0, rq_affinity 2, io_poll 0
link      16.0 GT/s x4\
""")


@pytest.mark.usefixtures("korean")
def test_a_host_is_shown_in_korean(tmp_path: Path) -> None:
    words = " ".join(lines(examined(tmp_path)))
    assert "CPU       거버너 powersave, 부스트 on, SMT 켜짐" in words
    assert "경고한 점이 있지만 측정할 수 있음" in words
    assert re.findall(r"(?<![`\w.])[a-z]{3,} [a-z]{3,}", words) == []


def test_a_processor_of_one_thread_a_core_is_told_so(tmp_path: Path) -> None:
    seen = examined(tmp_path)
    shown = lines(replace(seen, state=replace(seen.state, smt="notsupported")))
    assert "cpu       governor powersave, boost on, SMT none, one thread a core" in shown


def test_a_finding_that_misleads_decides(tmp_path: Path) -> None:
    swapping = HostFinding(topic=Topic.SWAPPING, severity=Severity.ERROR, message=verbatim("the host swaps"))
    seen = replace(examined(tmp_path), findings=(swapping,))
    assert lines(seen)[:2] == ["do not measure now: the numbers would mislead", "error: the host swaps"]
    assert seen.errors == (swapping,)


def test_a_host_without_findings_is_fit(tmp_path: Path) -> None:
    assert lines(replace(examined(tmp_path), findings=()))[0] == "fit to measure"


def test_what_was_put_back_is_shown_setting_by_setting() -> None:
    run = Restoration(
        of=message("host-run", at="2026-01-01T00:00:00+00:00", device="nvme0n1", process=77),
        settings=(
            PutBack(
                knob=Knob.SCHEDULER,
                path=PurePosixPath("block/nvme0n1/queue/scheduler"),
                before="kyber",
                outcome=Back.RESTORED,
            ),
            PutBack(
                knob=Knob.NOMERGES,
                path=PurePosixPath("block/nvme0n1/queue/nomerges"),
                before="0",
                outcome=Back.FAILED,
                reason=verbatim("Permission denied"),
            ),
        ),
    )
    assert "\n".join(
        undone_lines(Undone(hosts=(run, Restoration(of=verbatim("another run"), settings=())), drives=()))
    ) == snapshot("""\
the run of 2026-01-01T00:00:00+00:00 on nvme0n1 (process 77)
    block/nvme0n1/queue/scheduler: kyber restored
    block/nvme0n1/queue/nomerges: 0 could not be restored (Permission denied)
another run
    the kernel was started since, which undid everything\
""")
    nothing = Undone(hosts=(), drives=())
    assert (undone_lines(nothing), nothing.is_whole) == (["no run left anything to put back"], True)
    assert not Undone(hosts=(run,), drives=()).is_whole


def test_a_drive_that_keeps_its_password_is_shown_with_the_way_out() -> None:
    note = PasswordNote(model="ACME", serial="S1", device="/dev/sda", at="2026-01-01T00:00:00+00:00")
    gone = Freed(note, Unknown(verbatim("not here")), message("drive-password-gone"), (message("drive-connect-it"),))
    undone = Undone(hosts=(), drives=(gone, Freed(note, Path("/dev/sdb"), None, ())))
    assert "\n".join(undone_lines(undone)) == snapshot("""\
the interrupted erase of ACME (serial number S1) at 2026-01-01T00:00:00+00:00
    it may have a password: no drive of this host has that serial number
    to do: connect it
the interrupted erase of ACME (serial number S1) at 2026-01-01T00:00:00+00:00
    it has no password\
""")
    assert not undone.is_whole


def test_virtual_time_needs_nothing_of_the_host() -> None:
    ended = CliRunner().invoke(cli.app, ["doctor", "model:demo", "--json"])
    assert (ended.exit_code, ended.stderr) == (0, "")
    seen = json.loads(ended.stdout)
    assert seen["fio"] == {"unknown": "not needed: `model:` measures without fio"}
    assert [one for one in seen["findings"] if one["topic"] != "leftover"] == []


def test_a_file_system_in_memory_is_no_drive() -> None:
    place = Path("/dev/shm")
    ended = CliRunner().invoke(cli.app, ["doctor", f"file:{place}", "--json"])
    assert ended.exit_code == 1
    (finding,) = [one for one in json.loads(ended.stdout)["findings"] if one["topic"] == "file system"]
    assert finding["message"] == "the file system is tmpfs, which is memory and no drive"


def test_a_host_alone_can_be_looked_at() -> None:
    seen = json.loads(CliRunner().invoke(cli.app, ["doctor", "--json"]).stdout)
    assert (seen["target"], seen["state"]["attachment"]) == ({"unknown": "no target was named"},) * 2
