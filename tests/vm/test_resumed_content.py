"""What somebody else wrote to the drive of a stopped run is not overwritten, by drives that count what is written and by those that do not."""

import shlex
from dataclasses import dataclass

import pytest
from tests.kit.processes import Ended
from tests.vm.guest import SSDLAB, Guest

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

SUITE = """\
[suite]
name = "left"
version = "1"
description = "A fill, and reads that take a while"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 4 }

[[step]]
kind = "measure"
name = "reads"
job = { pattern = "random", read = "100%", bs = "4KiB", qd = 1, amount = "1TiB", limit = "3s" }
"""
BEGIN = """\
{run} & RUN=$!
until [ "$(cat {lab}/runs/*/journal.jsonl | grep -c step_started)" = 2 ]; do kill -0 $RUN || exit 1; sleep 0.1; done 2>/dev/null
kill -TERM $RUN; wait $RUN; [ $? = 130 ]
"""


@dataclass(frozen=True, slots=True)
class Left:
    """A run that was stopped in its reads."""

    guest: Guest
    drive: str
    lab: str

    def resumed(self) -> Ended:
        return self.guest.run(f"{SSDLAB} resume {self.lab}/runs/*", limit_s=1800)

    def copy(self, source: str, destination: str) -> None:
        """Four hundred kilobytes, less than a counter of units of 512,000 bytes must show."""
        self.guest.must(f"dd if={source} of={destination} bs=4096 count=100 conv=fsync,notrunc status=none")


@pytest.fixture(scope="module", params=[("/dev/nvme0n1", "NVME-ONE"), ("/dev/sda", "SATA-ONE")], ids=lambda one: one[1])
def left(request: pytest.FixtureRequest, machine: Guest) -> Left:
    drive, serial = request.param
    lab = f"/run/left-{serial}"
    (machine.share / "left.toml").write_text(SUITE)
    run = shlex.join([SSDLAB, "run", "/mnt/left.toml", drive, "--erase", serial, "--lab", lab])
    machine.must(BEGIN.format(run=run, lab=lab), limit_s=1800)
    return Left(machine, drive, lab)


def test_foreign_content_is_not_overwritten_and_the_runs_own_is_gone_on_with(left: Left) -> None:
    left.copy(left.drive, "/run/own")
    left.copy("/dev/urandom", "/run/foreign")
    left.copy("/run/foreign", left.drive)
    refused = left.resumed()
    assert refused.status == 1
    assert "may not be the run's own: blocks that the run noted at its end hold something else now" in refused.stderr
    left.guest.must(f"cmp -n 409600 /run/foreign {left.drive}")
    left.copy("/run/own", left.drive)
    resumed = left.resumed()
    assert resumed.status in {0, 3}, resumed.stderr
    assert "all blocks that the run noted at its end are as it left them" in resumed.stderr
