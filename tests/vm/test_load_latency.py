"""The suite `load-latency` in the profile for a look, on an NVMe drive so slow that a guest keeps up with it."""

from collections.abc import Iterator

import pytest
from tests.kit.late_generator import late_loads, silent_of_lateness
from tests.kit.load_drives import constant_drive, metrics_of, number
from tests.kit.up_to_the_host import failed_whatever_the_host
from tests.vm.conftest import short_directory
from tests.vm.disks import NvmeDisk, served
from tests.vm.guest import SSDLAB, Guest, booted

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.method.builtin import load_suite
from ssdlab.units import NS_PER_MS, NS_PER_S

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

SERIAL = "SLOW"
DIES = 4
SENSE_NS = 20 * NS_PER_MS
SPEC = (
    constant_drive(DIES)
    .replace('sense = ["20us"]', f'sense = ["{SENSE_NS // NS_PER_MS}ms"]')
    .replace('raw = "96 MiB"', 'raw = "512 MiB"')
)
"""With so much spare flash that nothing is moved to make room."""
CHANGES = {
    'job = { pattern = "random", bs = "4KiB", qd = 256 }': 'job = { pattern = "random", bs = "128KiB", qd = 16 }',
    'mix = ["read", "r70w30", "write"]': 'mix = ["read"]',
    'qd = "1..1024 doubling"': 'qd = "1..32 doubling"',
    "ios = 1_000_000": "ios = 10_000",
    'p99_9 = ["200us", "1ms", "10ms"]': 'p99_9 = ["100ms"]',
}
"""Of the built-in suite, for a drive of 200 I/Os a second."""
READS = "load_latency.read"


def suite() -> str:
    """The built-in one, with the changes."""
    text = load_suite("load-latency").text
    for before, after in CHANGES.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def run() -> Iterator[Bundle]:
    with short_directory() as place:
        spec = place / "slow.toml"
        spec.write_text(SPEC)
        with served(str(spec), place) as drive, booted(place, [NvmeDisk(SERIAL, drive.uri)]) as guest:
            yield _ran(guest)


def _ran(guest: Guest) -> Bundle:
    (guest.share / "load-latency.toml").write_text(suite())
    # In the guest's memory, where each file takes no questions on the shared directory.
    ended = guest.run(
        f"{SSDLAB} run /mnt/load-latency.toml /dev/nvme0n1 --erase {SERIAL} --profile quick --seed 1 --lab /run/lab"
    )
    guest.must("cp -r /run/lab/runs/* /mnt/run")
    bundle = open_bundle(guest.share / "run")
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ()), ended.stderr
    return bundle


def test_it_runs_to_its_end_with_a_clean_audit(run: Bundle) -> None:
    assert run.run.engine.startswith("load-")
    assert failed_whatever_the_host(run) == []


def test_saturation_is_what_the_dies_can_do(run: Bundle) -> None:
    found = number(metrics_of(run), f"{READS}.saturation_iops")
    assert 0.5 * DIES < found * SENSE_NS / NS_PER_S <= 1.02 * DIES


def test_rates_that_leave_the_drive_time_are_reached_with_nothing_left_out(run: Bundle) -> None:
    known = metrics_of(run)
    for load in (10, 20):
        offered = number(known, f"{READS}.load{load}.offered_iops")
        assert number(known, f"{READS}.load{load}.iops") == pytest.approx(offered, rel=0.3), load
        assert number(known, f"{READS}.load{load}.response_mean") >= SENSE_NS
        assert number(known, f"{READS}.load{load}.unsubmitted") == 0


def test_where_the_guest_was_late_audit_and_numbers_say_so(run: Bundle) -> None:
    assert len(late_loads(run)) >= 13
    assert silent_of_lateness(run) == []
