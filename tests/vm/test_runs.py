"""Whole runs on NVMe drives: polled, with the host set up for them, purged by a format, and with nothing to object to."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.vm.conftest import short_directory
from tests.vm.disks import NvmeDisk, served
from tests.vm.guest import Guest, booted

from ssdlab.bundle.model import Outcome, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import ExitStatus
from ssdlab.host.settings import Knob
from ssdlab.host.tune import SetOutcome
from ssdlab.job import Action, Interface, StepKind, Sync

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]
SUITES = ("client", "enterprise")
QUEUE = "/sys/block/nvme0n1/queue"
SETTINGS = f"cd {QUEUE} && grep . scheduler nomerges rq_affinity io_poll"


@dataclass(frozen=True, slots=True)
class Done:
    """A run that has ended, and the settings of the queue before and after it."""

    bundle: Bundle
    status: int
    stderr: str
    before: str
    after: str


@pytest.fixture(scope="module")
def polled() -> Iterator[Guest]:
    """A machine with one drive that takes no time of its own."""
    with (
        short_directory() as path,
        served("zero?capacity=512MiB", path) as drive,
        booted(path, [NvmeDisk("POLLED", drive.uri)]) as guest,
    ):
        guest.must(f"cd {QUEUE} && echo mq-deadline >scheduler && echo 0 >nomerges && echo 2 >rq_affinity")
        yield guest


def run(guest: Guest, suite: str) -> Done:
    before = guest.must(SETTINGS)
    ended = guest.ssdlab(
        *("run", suite, "/dev/nvme0n1", "--profile", "quick", "--erase", "POLLED", "--seed", "1", "--lab", "/run/lab"),
        limit_s=1800,
    )
    assert ended.status in {0, 3}, ended.stderr
    after = guest.must(SETTINGS)
    # Each file takes many questions on the shared directory, and none in the guest's memory.
    guest.must(f"cp -r {ended.stdout.strip()} /mnt/{suite}")
    return Done(open_bundle(guest.share / suite), ended.status, ended.stderr, before, after)


@pytest.fixture(scope="module", params=SUITES)
def done(request: pytest.FixtureRequest, polled: Guest) -> Done:
    return run(polled, request.param)


def test_all_is_done_and_the_audit_has_no_objection(done: Done) -> None:
    assert {step.status for step in done.bundle.steps} <= {StepStatus.FINISHED, StepStatus.SKIPPED}
    failed = {one.name for one in done.bundle.audit if one.outcome is Outcome.FAIL}
    # That the host of the machine had other work for a second is said, and no fault of the run's.
    assert failed <= {"host.uninterrupted"}, done.stderr
    assert done.status == (ExitStatus.AUDIT_FAILED if failed else 0)


def test_the_drive_was_purged_by_a_format_and_that_is_proven(done: Done) -> None:
    purge = next(step for step in done.bundle.steps if step.kind is StepKind.PURGE)
    assert str(purge.note).startswith(
        "NVMe format with user-data erase; of 4,096 sampled blocks that were written before"
    )
    assert str(purge.note).endswith("all read as zeros")


def test_the_queue_was_set_up_for_the_run_and_put_back(done: Done) -> None:
    (host,) = done.bundle.hosts
    assert {one.knob: (one.before, one.after, one.outcome) for one in host.tuning.applied} == {
        Knob.SCHEDULER: ("mq-deadline", "none", SetOutcome.SET),
        Knob.NOMERGES: ("0", "2", SetOutcome.SET),
        Knob.RQ_AFFINITY: ("2", "1", SetOutcome.SET),
        Knob.IO_POLL: ("1", "1", SetOutcome.ALREADY),
    }
    assert done.after == done.before


def test_io_uring_polled_with_fixed_buffers_and_a_thread_of_the_kernel(done: Done) -> None:
    polled = 0
    for step in done.bundle.finished():
        if step.job is None or step.job.interface is not Interface.IO_URING or step.job.action is Action.TRIM:
            continue
        options = set((done.bundle.directory(step) / "job.fio").read_text().splitlines())
        assert options >= {"ioengine=io_uring", "direct=1", "registerfiles=1", "fixedbufs=1", "sqthread_poll=1"}, step
        # A polled queue takes no flushes, which durable writes end with.
        assert ("hipri=1" in options) is (step.job.sync is Sync.NONE), step
        polled += "hipri=1" in options
    assert polled > 40
