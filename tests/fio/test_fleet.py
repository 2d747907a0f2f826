"""A fleet: agents are killed, PostgreSQL goes and comes, and each run is one complete bundle in the store all the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.bucket_service import BUCKET, bucket_service, use
from tests.kit.fleet_room import FleetRoom, Host, fleet_room
from tests.kit.postgres import postgres_programs
from tests.kit.processes import wait_until

from ssdlab.bundle.manifest import require_as_listed
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.fleet.database import connected
from ssdlab.fleet.records import FleetRunState

pytestmark = [
    pytest.mark.fio,
    pytest.mark.skipif(postgres_programs() is None, reason="PostgreSQL is missing"),
]

SPEC = "demo?capacity=256MiB"
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
    """One host with one drive; its agent is alive."""
    with fleet_room((str(vdrive_binary),)) as made:
        made.add_host("host1", {"VD-1": SPEC}).start()
        made.wait_for_drives(1)
        yield made


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Some seconds on each drive."""
    path = tmp_path / "short.toml"
    path.write_text(SUITE)
    return path


def has_begun(host: Host) -> bool:
    """Whether its drive has been written to, and the journal of the run says so."""
    journals = [path.read_text() for path in host.state.glob("runs/*/runs/*/journal.jsonl")]
    return any('"event":"step_finished"' in journal for journal in journals)


def require_one_whole_bundle_each(room: FleetRoom, count: int) -> None:
    runs = room.runs()
    assert [run.state for run in runs] == [FleetRunState.DONE] * count, runs
    stored = sorted(path.name for path in (room.store / "runs").iterdir())
    assert stored == sorted(run.bundle or "" for run in runs)
    for name in stored:
        path = room.store / "runs" / name
        require_as_listed(path)
        bundle = open_bundle(path)
        assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
        assert bundle.metrics


def test_runs_whose_agents_are_killed_end_as_one_whole_bundle_each(room: FleetRoom, suite: Path) -> None:
    (first,) = room.hosts
    second = room.add_host("host2", {"VD-2": SPEC})
    second.start()
    room.wait_for_drives(2)
    room.submit(suite, "--drives", "serial=VD-*")
    wait_until(lambda: has_begun(first) and has_begun(second), "both runs have begun")
    # Of one host the agent alone, of the other all of it, as by a power cut.
    first.kill()
    second.kill_all()
    for host in room.hosts:
        host.start()
    room.wait_for_runs()
    require_one_whole_bundle_each(room, 2)
    for host in room.hosts:
        for drive in host.drives.values():
            assert (drive.overlaps, len(drive.runs)) == ([], 1)


def test_a_run_outlives_an_outage_of_the_database_and_one_of_the_store(room: FleetRoom, suite: Path) -> None:
    (host,) = room.hosts
    (number,) = room.submit(suite, "--drives", "serial=VD-1")
    wait_until(lambda: has_begun(host), "the run has begun")
    # As of a network that is gone, only its mount point is left.
    away = room.store.rename(room.store.with_name("away"))
    room.store.mkdir()
    room.cluster.stop("immediate")
    wait_until(lambda: not host.processes(), "the run is over")
    room.cluster.start()
    wait_until(lambda: "the store is away" in room.ssdlab("fleet", "logs", str(number)), "the store is missed")
    room.store.rmdir()
    away.rename(room.store)
    room.wait_for_runs()
    require_one_whole_bundle_each(room, 1)
    assert [len(drive.runs) for drive in host.drives.values()] == [1]


def test_a_store_that_is_a_bucket_has_all_of_a_run_once_its_service_is_back(
    vdrive_binary: Path, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bucket_service() as service, fleet_room((str(vdrive_binary),)) as room:
        use(service, monkeypatch)
        room.stored_at = f"s3://{BUCKET}/fleet"
        host = room.add_host("host1", {"VD-1": SPEC})
        host.start()
        room.wait_for_drives(1)
        (number,) = room.submit(suite, "--drives", "serial=VD-1")
        wait_until(lambda: has_begun(host), "the run has begun")
        service.end()
        wait_until(lambda: "the store is away" in room.ssdlab("fleet", "logs", str(number)), "the store is missed")
        service.begin()
        room.wait_for_runs()
        (run,) = room.runs()
        assert (run.state, run.bundle is not None) == (FleetRunState.DONE, True)
        assert room.ssdlab("fleet", "fetch", room.stored_at, run.bundle or "", "--lab", str(tmp_path / "lab"))
        assert "one run" in room.said("fleet", "rebuild", room.stored_at).stderr
    bundle = open_bundle(tmp_path / "lab" / "runs" / (run.bundle or ""))
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())


def test_a_cancelled_run_goes_on_where_it_stopped_and_one_that_waits_never_begins(room: FleetRoom, suite: Path) -> None:
    (host,) = room.hosts
    # Long enough to be cancelled in the middle.
    suite.write_text(SUITE.replace('kind = "purge"', 'kind = "purge"\nrest = "8s"'))
    running, waiting = room.submit(suite, "--drives", "host=*", "--drives", "serial=VD-1", "--repeat", "2")
    wait_until(lambda: has_begun(host), "the first has begun")
    room.ssdlab("fleet", "cancel", str(waiting), str(running))
    assert set(room.wait_for_runs().values()) == {FleetRunState.CANCELLED}
    assert len(host.drives["VD-1"].runs) == 1
    room.ssdlab("fleet", "retry", str(running))
    room.wait_for(running, FleetRunState.DONE, FleetRunState.FAILED)
    (done, _) = room.runs()
    assert (done.state, done.attempt) == (FleetRunState.DONE, 2)
    bundle = open_bundle(room.store / "runs" / (done.bundle or ""))
    assert (bundle.status, len(bundle.resumptions)) == (RunStatus.FINISHED, 1)


def test_a_cancelled_run_keeps_its_drive_from_other_hosts_until_it_has_ended(room: FleetRoom, suite: Path) -> None:
    (first,) = room.hosts
    second = room.add_host("host2", {})
    drive = first.drives["VD-1"]
    target = f'[[drive]]\nserial = "VD-1"\ntarget = "nbd+unix:///?socket={drive.path}"\n'
    second.rules.write_text(second.rules.read_text() + target)
    second.start()
    room.wait_for_drives(2)
    long = suite.with_name("long.toml")
    long.write_text(SUITE.replace('kind = "purge"', 'kind = "purge"\nrest = "90s"'))
    (begun,) = room.submit(long, "--drives", "serial=VD-1", "--drives", "host=host1")
    wait_until(lambda: has_begun(first), "the first has begun")
    # Nobody is there to stop it, and it rests without a connection to its drive.
    first.interrupt()
    room.ssdlab("fleet", "cancel", str(begun))
    (other,) = room.submit(suite, "--drives", "serial=VD-1", "--drives", "host=host2")
    room.wait_for_heartbeat(second)
    assert room.states() == {begun: FleetRunState.STOPPING, other: FleetRunState.QUEUED}
    first.start()
    room.wait_for(other, FleetRunState.DONE, FleetRunState.FAILED)
    assert room.states() == {begun: FleetRunState.CANCELLED, other: FleetRunState.DONE}
    assert (drive.overlaps, len(drive.runs)) == ([], 2)


def jobs_left(room: FleetRoom) -> int:
    """Jobs of the queue that are not over."""
    with connected(room.cluster.url) as connection:
        rows = connection.execute(
            "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
        ).fetchall()
    return int(rows[0][0])


def test_a_bundle_that_no_store_has_outlives_a_row_that_says_so(room: FleetRoom, suite: Path) -> None:
    (host,) = room.hosts
    (number,) = room.submit(suite, "--drives", "serial=VD-1")
    wait_until(lambda: has_begun(host), "the run has begun")
    host.kill_all()
    with connected(room.cluster.url) as connection:
        connection.execute("UPDATE run SET state = 'done'")
    host.start()
    wait_until(lambda: not jobs_left(room), "its job is over, as the row says")
    room.wait_for_heartbeat(host)
    assert has_begun(host)
    with connected(room.cluster.url) as connection:
        connection.execute("UPDATE run SET state = 'running'")
    # Its job was taken for done, so the run is stopped and can be asked for again.
    room.wait_for(number, FleetRunState.CANCELLED)
    room.ssdlab("fleet", "retry", str(number))
    room.wait_for_runs()
    require_one_whole_bundle_each(room, 1)


def test_a_run_that_cannot_be_noted_in_the_catalogue_fails_and_says_why(room: FleetRoom, suite: Path) -> None:
    suite.write_text(SUITE.replace('version = "1"', 'version = "1\\u0000"').partition('[[step]]\nkind = "measure"')[0])
    (number,) = room.submit(suite, "--drives", "serial=VD-1")
    room.wait_for(number, FleetRunState.FAILED, FleetRunState.DONE)
    (run,) = room.runs()
    assert (run.state, "NUL" in str(run.why)) == (FleetRunState.FAILED, True)


def test_a_row_that_somebody_holds_does_not_silence_its_host(room: FleetRoom, suite: Path) -> None:
    (host,) = room.hosts
    long = suite.with_name("long.toml")
    long.write_text(SUITE.replace('kind = "purge"', 'kind = "purge"\nrest = "300s"'))
    (held,) = room.submit(long, "--drives", "serial=VD-1")
    wait_until(lambda: has_begun(host), "it has begun")
    with connected(room.cluster.url) as connection:
        connection.execute("SELECT * FROM run WHERE number = %s FOR UPDATE", (held,))
        # Longer than the agent takes to note how far the run is.
        for _ in range(2):
            room.wait_for_heartbeat(host)


def test_what_the_operator_of_a_host_forbids_no_queue_can_do(room: FleetRoom, suite: Path) -> None:
    (host,) = room.hosts
    allowed = host.rules.read_text()
    host.rules.write_text(allowed.partition("[[drive]]")[0])
    (number,) = room.submit(suite, "--drives", "serial=VD-1")
    room.wait_for(number, FleetRunState.FAILED, FleetRunState.DONE)
    # Of the budget of its life is not enough left for what the suite writes.
    host.rules.write_text(f'{allowed}max_write = "1 MiB"\n')
    (another,) = room.submit(suite, "--drives", "serial=VD-1")
    room.wait_for(another, FleetRunState.FAILED, FleetRunState.DONE)
    forbidden, beyond = room.runs()
    assert forbidden.why is not None
    assert (forbidden.state, forbidden.why.id, beyond.state) == (
        FleetRunState.FAILED,
        "fleet-not-allowed",
        FleetRunState.FAILED,
    )
    assert "1.05 MB" in str(beyond.why)
    assert not list((room.store / "runs").iterdir())
