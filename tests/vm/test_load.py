"""The load engine on NVMe drives: one stays, one is pulled out, and one is let go of by the kernel's own switch."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import Ended
from tests.vm.conftest import short_directory
from tests.vm.disks import NvmeDisk, empty_file
from tests.vm.guest import SSDLAB, Guest, booted

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.journal import Event, read_journal
from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.units import MIB

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

SUITE = load_suite(
    "goes",
    random_ios("before", 'amount = "4MiB"', 'mix = ["r50w50"], qd = [1, 4]'),
    random_ios("meanwhile", 'qd = 4, limit = "LIMIT"', 'mix = ["r50w50"]'),
)
LIMITS = {"STAYS": "2s", "PULLED": "900s", "REMOVED": "900s"}
"""Of the last step, by serial number: what goes away meanwhile would go on for long."""
NAMES = "cd /sys/block && for name in nvme*; do echo $(cat $name/device/serial) $name; done"
IN_LAST_STEP = "until [ -d /mnt/{serial}/runs/*/*meanwhile* -o -e /mnt/{serial}.ended ]; do sleep 0.2; done"
WRITES = (
    "read -a before </sys/block/{name}/stat; until [ -e /mnt/{serial}.ended ] || "
    "{{ read -a now </sys/block/{name}/stat && [ ${{now[4]}} -gt $((before[4] + 100)) ]; }}; do sleep 0.05; done"
)
"""Until a hundred more are done, or the run ended early."""
MOVES = f"{IN_LAST_STEP}; {WRITES}"


@dataclass(frozen=True, slots=True)
class End:
    """A run that came to its end."""

    ended: Ended
    bundle: Bundle
    path: str
    """Of the drive."""


@pytest.fixture(scope="module")
def ends() -> Iterator[dict[str, End]]:
    """By serial number: all runs at the same time."""
    with short_directory() as place:
        disks = {serial: NvmeDisk(serial, empty_file(place / serial, 64 << 20)) for serial in LIMITS}
        with booted(place, list(disks.values())) as guest:
            names = dict(line.split() for line in guest.must(NAMES).splitlines())
            yield _ended(guest, disks, names)


def _ended(guest: Guest, disks: dict[str, NvmeDisk], names: dict[str, str]) -> dict[str, End]:
    commands = {}
    for serial, limit in LIMITS.items():
        (guest.share / f"{serial}.toml").write_text(SUITE.replace("LIMIT", limit))
        commands[serial] = guest.start(
            f"{SSDLAB} run /mnt/{serial}.toml /dev/{names[serial]} --erase {serial} --lab /mnt/{serial}; "
            f"status=$?; touch /mnt/{serial}.ended; exit $status"
        )
    guest.must(MOVES.format(serial="PULLED", name=names["PULLED"]))
    guest.unplug(disks["PULLED"])
    guest.must(MOVES.format(serial="REMOVED", name=names["REMOVED"]))
    guest.must(f"echo 1 >/sys/block/{names['REMOVED']}/device/device/remove")
    done = {serial: command.ended() for serial, command in commands.items()}
    without_run = [ended for serial, ended in done.items() if not (guest.share / serial / "runs").is_dir()]
    assert not without_run
    return {
        serial: End(ended, open_bundle(newest_run(guest.share / serial)), f"/dev/{names[serial]}")
        for serial, ended in done.items()
    }


def _read_before(bundle: Bundle) -> int:
    """Bytes of the points that were measured first."""
    total_bytes = 0
    for step in bundle.steps[2:4]:
        assert (step.name.startswith("before"), step.status) == (True, StepStatus.FINISHED)
        directions = bundle.result(step).directions
        assert {direction for direction, one in directions.items() if one.io_count} == {Direction.READ, Direction.WRITE}
        total_bytes += sum(one.io_bytes for one in directions.values())
    return total_bytes


def _gaps_ns(bundle: Bundle) -> list[float]:
    """Between points, as the audit tells them."""
    told = [number.value for one in bundle.audit if one.name == "points.gap" for number in one.numbers]
    return [value for value in told if isinstance(value, int | float)]


@pytest.mark.parametrize("serial", ["PULLED", "REMOVED"])
def test_a_drive_that_goes_away_ends_the_run_and_leaves_what_was_measured(ends: dict[str, End], serial: str) -> None:
    end = ends[serial]
    assert (end.ended.status, end.ended.stdout, "Traceback" in end.ended.stderr) == (1, "", False), end.ended.stderr
    assert (end.bundle.status, end.bundle.faults) == (RunStatus.FAILED, ())
    assert "the drive went away: " in str(end.bundle.reason)
    assert f"`{end.path}`" in str(end.bundle.reason)
    assert f"error: {end.bundle.reason}\n" in end.ended.stderr
    assert [step.status for step in end.bundle.steps] == [*[StepStatus.FINISHED] * 4, StepStatus.FAILED]
    assert _read_before(end.bundle) == 8 * MIB


def test_a_drive_beside_them_is_measured_to_the_end(ends: dict[str, End]) -> None:
    end = ends["STAYS"]
    assert end.ended.status in {0, 3}, end.ended.stderr
    assert (end.bundle.status, end.bundle.faults) == (RunStatus.FINISHED, ())
    assert end.bundle.run.engine.startswith("load-")
    assert _read_before(end.bundle) == 8 * MIB


def test_the_gap_between_points_is_in_every_run(ends: dict[str, End]) -> None:
    gaps_ns = {serial: _gaps_ns(end.bundle) for serial, end in ends.items()}
    # From the first point to the second in all of them, and from there to the last where that came to its end.
    assert {serial: len(found) for serial, found in gaps_ns.items()} == {"STAYS": 2, "PULLED": 1, "REMOVED": 1}


def test_each_point_after_the_first_was_announced_while_one_before_it_was_measured(ends: dict[str, End]) -> None:
    """So that the drive need not wait for what is written down, nor for its own sensors."""
    for end in ends.values():
        happenings, _ = read_journal(end.bundle.path / layout.JOURNAL)
        told = [(one.event, one.data["index"]) for one in happenings if "index" in one.data]
        first, *others = [step.index for step in end.bundle.steps[2:]]
        announced = [told.index((Event.STEP_ANNOUNCED, index)) for index in others]
        assert max(announced) < told.index((Event.STEP_FINISHED, first))


def test_the_kernel_counts_what_each_point_did_and_nothing_of_the_next(ends: dict[str, End]) -> None:
    checks = [one for one in ends["STAYS"].bundle.audit if one.name in {"device.bytes", "device.other_io"}]
    assert {one.outcome for one in checks if one.step.startswith("before")} == {Outcome.PASS}, checks
