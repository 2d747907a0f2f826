"""The host is set up for measuring, noted before, and put back by whoever comes next, whatever ended the run."""

import fcntl
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.kit.fake_host import DRIVE, FakeKernel, fake_host, put

from ssdlab.host.kernel import Kernel
from ssdlab.host.restore import Back, find, locked, put_back_stale
from ssdlab.host.settings import NO_POLL_QUEUES, Knob, settings
from ssdlab.host.state import look
from ssdlab.host.tune import SetOutcome, TunedHost, tuned
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown


class Deaf(Kernel):
    """A kernel that takes every word and does nothing, as newer ones do with some of their files."""

    def tell(self, path: Path, value: str) -> None:
        """See `Kernel.tell`."""


@pytest.fixture
def kernel(tmp_path: Path) -> FakeKernel:
    return fake_host(tmp_path)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "state/restore"


def tree(kernel: Kernel) -> dict[str, str]:
    """Every file of sysfs with its content."""
    return {
        str(path.relative_to(kernel.sysfs)): path.read_text()
        for path in sorted(kernel.sysfs.rglob("*"))
        if path.is_file()
    }


def queue(kernel: Kernel) -> dict[str, str]:
    directory = kernel.sysfs / "block" / DRIVE / "queue"
    return {path.name: str(kernel.chosen(path)) for path in sorted(directory.iterdir()) if path.is_file()}


def governors(kernel: Kernel) -> list[str]:
    return [str(one.governor) for one in look(DRIVE, kernel).policies]


def killed(kernel: Kernel, records: Path, device: str = DRIVE) -> None:
    """A run that has set everything and ends without undoing it."""
    with tuned(device, kernel, records):
        (path,) = records.glob("*.json")
        # What is left of it is what it does not find again at its end.
        path.rename(path.with_name("killed.json"))


@contextmanager
def running(records: Path) -> Iterator[None]:
    """What was killed goes on: it holds its record."""
    with (records / "killed.json").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def outcomes(kernel: Kernel, records: Path) -> dict[Knob, set[Back]]:
    """What became of each setting of the one run that is put back."""
    with locked(records):
        (restoration,) = put_back_stale(kernel, records)
    return {knob: {one.outcome for one in restoration.settings if one.knob is knob} for knob in Knob}


def test_all_of_the_method_is_set_and_read_back(kernel: FakeKernel, records: Path) -> None:
    with tuned(DRIVE, kernel, records) as host:
        assert governors(kernel) == ["performance", "performance"]
        assert queue(kernel) == {
            "scheduler": "none",
            "nomerges": "2",
            "rq_affinity": "1",
            "io_poll": "0",
            "wbt_lat_usec": "2000",
            "nr_requests": "1023",
        }
        applied = host.tuning.applied
    assert {one.knob: (one.before, one.after, one.outcome) for one in applied if one.outcome is SetOutcome.SET} == {
        Knob.GOVERNOR: ("powersave", "performance", SetOutcome.SET),
        Knob.PREFERENCE: ("balance_power", "performance", SetOutcome.SET),
        Knob.SCHEDULER: ("mq-deadline", "none", SetOutcome.SET),
        Knob.NOMERGES: ("0", "2", SetOutcome.SET),
        Knob.RQ_AFFINITY: ("2", "1", SetOutcome.SET),
    }


def test_what_could_not_be_set_says_why(kernel: FakeKernel, records: Path) -> None:
    policy = kernel.sysfs / "devices/system/cpu/cpufreq/policy0/scaling_available_governors"
    put(policy, "powersave schedutil")
    with tuned(DRIVE, kernel, records) as host:
        refused = {str(one.path): str(one.reason) for one in host.tuning.applied if one.outcome is SetOutcome.REFUSED}
    assert refused == {
        "devices/system/cpu/cpufreq/policy0/scaling_governor": "the kernel offers only powersave, schedutil",
        "block/nvme0n1/queue/io_poll": str(NO_POLL_QUEUES),
    }


def test_every_file_is_as_before_at_the_end(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    with tuned(DRIVE, kernel, records):
        assert tree(kernel) != before
    assert tree(kernel) == before
    assert list(records.glob("*.json")) == []


def test_every_file_is_as_before_after_an_error(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    with pytest.raises(KeyboardInterrupt), tuned(DRIVE, kernel, records):
        raise KeyboardInterrupt
    assert tree(kernel) == before


def test_every_file_is_as_before_where_ctrl_c_came_while_it_was_set_up(kernel: FakeKernel, records: Path) -> None:
    class Interrupting(FakeKernel):
        def tell(self, path: Path, value: str) -> None:
            FakeKernel.tell(self, path, value)
            if not list(records.glob("signalled")):
                (records / "signalled").touch()
                signal.raise_signal(signal.SIGINT)

    before = tree(kernel)
    with pytest.raises(KeyboardInterrupt), tuned(DRIVE, Interrupting(sysfs=kernel.sysfs, proc=kernel.proc), records):
        raise AssertionError("the run must not begin")
    assert (records / "signalled").exists()
    assert tree(kernel) == before
    assert list(records.glob("*.json")) == []


def test_what_the_kernel_resets_with_the_scheduler_comes_back_too(kernel: FakeKernel, records: Path) -> None:
    with tuned(DRIVE, kernel, records):
        assert queue(kernel)["nr_requests"] == "1023"
    assert queue(kernel)["nr_requests"] == "256"


def test_a_host_that_is_as_wanted_is_left_alone(kernel: FakeKernel, records: Path) -> None:
    for one in settings(look(DRIVE, kernel)):
        put(kernel.sysfs / one.path, one.wanted)
    with tuned(DRIVE, kernel, records) as host:
        assert {one.outcome for one in host.tuning.applied} == {SetOutcome.ALREADY}
        assert list(records.glob("*.json")) == []


def test_nothing_is_changed_that_could_not_be_noted(kernel: FakeKernel, tmp_path: Path) -> None:
    before = tree(kernel)
    (tmp_path / "file").touch()
    with tuned(DRIVE, kernel, tmp_path / "file/restore") as host:
        assert tree(kernel) == before
        reasons = {str(one.reason) for one in host.tuning.applied}
    assert reasons == {
        f"nothing was changed, because it could not be noted in {tmp_path}/file/restore: Not a directory"
    }


def test_the_next_run_puts_back_what_a_killed_one_left(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    killed(kernel, records)
    assert tree(kernel) != before
    with tuned(DRIVE, kernel, records) as host:
        (recovered,) = host.tuning.recovered
        assert {one.outcome for one in recovered.settings} == {Back.RESTORED, Back.UNCHANGED}
        # What it found is what was before the killed run, not what that one had set.
        assert {one.before for one in host.tuning.applied if one.knob is Knob.GOVERNOR} == {"powersave"}
    assert tree(kernel) == before


def test_a_run_stopped_between_two_settings_is_undone_as_far_as_it_came(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    killed(kernel, records)
    put(kernel.sysfs / "block" / DRIVE / "queue/nomerges", "0")
    assert outcomes(kernel, records)[Knob.NOMERGES] == {Back.UNCHANGED}
    assert tree(kernel) == before


def test_after_a_restart_of_the_kernel_only_the_record_is_removed(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    put(kernel.proc / "sys/kernel/random/boot_id", "22222222-2222-2222-2222-222222222222")
    before = tree(kernel)
    with locked(records):
        (restoration,) = put_back_stale(kernel, records)
    assert (restoration.settings, tree(kernel), list(records.glob("*.json"))) == ((), before, [])


def test_a_record_of_a_running_process_is_left_alone(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    with running(records), locked(records):
        assert put_back_stale(kernel, records) == ()
    assert governors(kernel) == ["performance", "performance"]


def test_what_somebody_else_changed_meanwhile_stays(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    kernel.tell(kernel.sysfs / "block" / DRIVE / "queue/scheduler", "kyber")
    assert outcomes(kernel, records)[Knob.SCHEDULER] == {Back.CHANGED}
    assert (queue(kernel)["scheduler"], queue(kernel)["nr_requests"]) == ("kyber", "1023")


def test_another_drive_under_the_same_name_is_not_touched(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    queue = kernel.sysfs / "block" / DRIVE / "queue"
    shutil.copytree(queue, queue.with_name("new"))
    queue.rename(queue.with_name("old"))
    queue.with_name("new").rename(queue)
    assert outcomes(kernel, records) == {
        Knob.GOVERNOR: {Back.RESTORED},
        Knob.PREFERENCE: {Back.RESTORED},
        Knob.SCHEDULER: {Back.GONE},
        Knob.NOMERGES: {Back.GONE},
        Knob.RQ_AFFINITY: {Back.GONE},
        Knob.IO_POLL: {Back.GONE},
    }


def test_a_record_stays_as_long_as_something_could_not_be_put_back(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    with locked(records):
        (restoration,) = put_back_stale(Deaf(kernel.sysfs, kernel.proc), records)
    assert {str(one.reason) for one in restoration.failed} == {"the kernel accepted it and did not do it"}
    assert len(list(records.glob("*.json"))) == 1
    assert outcomes(kernel, records)[Knob.NOMERGES] == {Back.RESTORED}


def test_a_shared_setting_is_put_back_by_the_last_run_that_needs_it(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    killed(kernel, records)
    with ExitStack() as second:
        with running(records):
            second.enter_context(tuned(DRIVE, kernel, records))
        # The first of the two has ended, here by being killed and put back by a third.
        assert outcomes(kernel, records)[Knob.GOVERNOR] == {Back.NEEDED}
        assert governors(kernel) == ["performance", "performance"]
    assert tree(kernel) == before


def test_a_damaged_record_is_reported_and_kept(kernel: FakeKernel, records: Path) -> None:
    put(records / "x.json", "{")
    found, unreadable = find(kernel, records)
    assert (found, [one.path.name for one in unreadable]) == ((), ["x.json"])
    with tuned(DRIVE, kernel, records):
        assert governors(kernel) == ["performance", "performance"]
    assert [path.name for path in records.glob("*.json")] == ["x.json"]


TAMPERED = {
    "another file": ('"block/nvme0n1/queue/nomerges"', '"block/nvme0n1/queue/read_ahead_kb"'),
    "another drive's": ('"block/nvme0n1/queue/nomerges"', '"block/sda/queue/nomerges"'),
    "outside of sysfs": ('"block/nvme0n1/queue/nomerges"', '"/etc/passwd"'),
    "by way of a parent": ('"block/nvme0n1/queue/nomerges"', '"block/nvme0n1/queue/../queue/nomerges"'),
    "a drive that is none": ("nvme0n1", ".."),
    "with the scheduler": ('"block/nvme0n1/queue/wbt_lat_usec"', '"block/nvme0n1/queue/../../../../etc/passwd"'),
    "the scheduler's own": ('"block/nvme0n1/queue/iosched/read_expire"', '"block/nvme0n1/queue/iosched/.."'),
    "another processor's file": ("policy0/scaling_governor", "policy0/../../online"),
    "another word": ('"before": "0"', '"before": "0\\n1"'),
}


@pytest.mark.parametrize(("old", "new"), TAMPERED.values(), ids=TAMPERED)
def test_a_record_that_names_what_no_run_sets_is_reported_and_does_nothing(
    kernel: FakeKernel, records: Path, old: str, new: str
) -> None:
    killed(kernel, records)
    record = records / "killed.json"
    assert old in record.read_text()
    record.write_text(record.read_text().replace(old, new))
    before = tree(kernel)
    with locked(records):
        assert put_back_stale(kernel, records) == ()
    assert tree(kernel) == before
    assert [str(one.reason) for one in find(kernel, records)[1]] == ["it names what no run sets"]


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_record_that_others_can_write_is_reported_and_does_nothing(
    kernel: FakeKernel, records: Path, mode: int
) -> None:
    killed(kernel, records)
    (records / "killed.json").chmod(mode)
    with locked(records):
        assert put_back_stale(kernel, records) == ()
    assert [str(one.reason) for one in find(kernel, records)[1]] == ["others can write there"]


def test_a_link_in_the_place_of_a_record_is_reported_and_does_nothing(kernel: FakeKernel, records: Path) -> None:
    killed(kernel, records)
    (records / "killed.json").rename(records / "elsewhere")
    (records / "killed.json").symlink_to("elsewhere")
    assert find(kernel, records)[0] == ()
    assert len(find(kernel, records)[1]) == 1


def test_nothing_is_changed_that_is_noted_where_others_can_write(kernel: FakeKernel, records: Path) -> None:
    before = tree(kernel)
    records.mkdir(parents=True)
    records.chmod(0o777)
    with tuned(DRIVE, kernel, records) as host:
        assert tree(kernel) == before
        reasons = {str(one.reason) for one in host.tuning.applied}
    assert reasons == {f"nothing was changed, because it could not be noted in {records}: others can write there"}


def test_restoring_twice_does_nothing_more(kernel: FakeKernel, records: Path) -> None:
    with tuned(DRIVE, kernel, records) as host:
        assert isinstance(host, TunedHost)
        assert host.restore() is not None
        put(kernel.sysfs / "block" / DRIVE / "queue/nomerges", "2")
    assert queue(kernel)["nomerges"] == "2"


def test_a_stopping_signal_waits_until_the_block_is_done() -> None:
    done: list[str] = []

    def block() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest of the block")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert done == ["the rest of the block"]


def test_the_host_is_described_as_its_kernel_tells(kernel: FakeKernel) -> None:
    state = look(DRIVE, kernel)
    assert (state.board, state.bios, state.smt, state.boost) == ("ACME Board [2]", "1.02", "on", "on")
    assert (state.nvme_poll_queues, state.aspm_policy) == (0, "default")
    assert not isinstance(state.attachment, Unknown)
    assert state.attachment.aspm_active == ()
    assert state.attachment.link == state.attachment.slot


def test_an_empty_host_is_unknown_in_every_respect(tmp_path: Path) -> None:
    state = look(Unknown(verbatim("no drive")), Kernel(sysfs=tmp_path, proc=tmp_path))
    assert settings(state) == ()
    assert isinstance(state.smt, Unknown)
    path = tmp_path / "devices/system/cpu/smt/control"
    assert str(state.smt.reason) == f"`{path}` cannot be read: No such file or directory"
    assert (state.policies, state.attachment) == ((), Unknown(verbatim("no drive")))
