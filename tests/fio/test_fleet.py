"""A fleet: agents are killed, PostgreSQL goes and comes, and each run is one complete bundle in the store all the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.fleet_room import FleetRoom, fleet_room
from tests.kit.postgres import postgres_programs
from tests.kit.processes import wait_until

from ssdlab.bundle.manifest import require_as_listed
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.fleet.records import RunState

pytestmark = [
    pytest.mark.fio,
    pytest.mark.skipif(postgres_programs() is None, reason="PostgreSQL is missing"),
]

SUITE = """
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "measure"
name = "write"
job = { pattern = "sequential", bs = "1MiB", amount = "64MiB" }
sweep = { read = ["0%"], qd = [4] }
[[step]]
kind = "measure"
name = "read"
job = { pattern = "random", bs = "64KiB", amount = "64MiB", limit = "2s" }
sweep = { read = ["100%"], qd = [1, 2, 4] }
"""


@pytest.fixture
def room(vdrive_binary: Path) -> Iterator[FleetRoom]:
    """Two hosts, two drives; their agents are alive."""
    with fleet_room((str(vdrive_binary),)) as made:
        for number in (1, 2):
            made.add_host(f"host{number}", {f"VD-{number}": "demo?capacity=256MiB"}).start()
        made.wait_for_drives(2)
        yield made


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Some seconds on each drive."""
    path = tmp_path / "short.toml"
    path.write_text(SUITE)
    return path


def require_one_whole_bundle_each(room: FleetRoom, count: int) -> None:
    runs = room.runs()
    assert [run.state for run in runs] == [RunState.DONE] * count, runs
    stored = sorted(path.name for path in (room.store / "runs").iterdir())
    assert stored == sorted(run.bundle or "" for run in runs)
    for name in stored:
        path = room.store / "runs" / name
        require_as_listed(path)
        bundle = open_bundle(path)
        assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
        assert bundle.metrics


def test_runs_whose_agents_are_killed_end_as_one_whole_bundle_each(room: FleetRoom, suite: Path) -> None:
    first, second = room.hosts
    room.submit(suite, "--drives", "serial=VD-*")
    wait_until(lambda: bool(first.processes()) and bool(second.processes()), "both runs have begun")
    # Of one host the agent alone, of the other all of it, as by a power cut.
    first.kill()
    second.kill_all()
    assert len(first.processes()) == 1
    for host in room.hosts:
        host.start()
    room.wait_for_runs()
    require_one_whole_bundle_each(room, 2)
    for host in room.hosts:
        for drive in host.drives.values():
            assert (drive.overlaps, len(drive.runs)) == ([], 1)
