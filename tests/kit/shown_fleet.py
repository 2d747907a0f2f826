"""A fleet with something of everything in its database, without an agent: what a page shows of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from tests.kit.postgres import Cluster

from ssdlab.fleet import queue, records
from ssdlab.fleet.database import connected, make_fleet
from ssdlab.fleet.records import AnnouncedDrive, Database, FleetRunState, Standing, WantedRun
from ssdlab.fleet.rules import Manner
from ssdlab.message import message
from ssdlab.method.builtin import load_suite

NEAR, AWAY = UUID(int=1), UUID(int=2)
"""Hosts."""


@contextmanager
def fleet_database() -> Iterator[Cluster]:
    """A database with an empty fleet in it, gone at the end."""
    with TemporaryDirectory(prefix="fleet-") as directory:
        # PostgreSQL runs as another user than root, who must reach it.
        Path(directory).chmod(0o755)
        cluster = Cluster(Path(directory) / "postgres")
        try:
            make_fleet(cluster.url)
            yield cluster
        finally:
            cluster.stop("immediate")


def fill(url: str) -> None:
    """Two hosts, of which one is silent; five drives; runs 1 to 6: done, failed, running, waiting for it, waiting, of the silent host."""
    with connected(url) as connection:
        records.announce_host(connection, NEAR, "bench1", Manner.SHARED)
        records.announce_host(connection, AWAY, "bench2", Manner.QUIET)
        connection.execute("UPDATE host SET seen_at = now() - interval '1 hour' WHERE id = %s", (AWAY,))
        refused = (message("fleet-no-such-drive", serial="VD-4"),)
        near = [drive(f"VD-{number}") for number in (1, 2, 3)]
        records.announce_drives(connection, NEAR, [*near, drive("VD-4", Standing.ABSENT, refused)])
        records.announce_drives(connection, AWAY, [drive("VD-5")])
        ids = [
            submitted(connection, number, serial)
            for number, serial in enumerate(("VD-1", "VD-2", "VD-1", "VD-1", "VD-2"), start=1)
        ]
        submitted(connection, 6, "VD-5", AWAY)
        records.set_bundle(connection, ids[0], "20260101T000000Z-fill-first")
        records.set_state(connection, ids[0], FleetRunState.DONE, message("fleet-over"))
        records.set_state(connection, ids[1], FleetRunState.FAILED, message("fleet-not-allowed", serial="VD-2"))
        records.take_up(connection, ids[2])
        records.set_progress(connection, ids[2], 2, 5)
        # Its agent is at it; those of the two runs before are over.
        connection.execute(
            "UPDATE procrastinate_jobs AS job SET status = CASE run.state WHEN 'running' THEN 'doing' WHEN 'queued' THEN 'todo' ELSE"
            " 'succeeded' END::procrastinate_job_status FROM run WHERE run.job = job.id"
        )


def drive(serial: str, standing: Standing = Standing.FREE, reasons: tuple[object, ...] = ()) -> AnnouncedDrive:
    """One of a host."""
    return AnnouncedDrive(
        serial=serial,
        model="Model <One>",
        firmware="1",
        capacity_bytes=10**12,
        temperature_c=41.0,
        standing=standing,
        reasons=reasons,  # type: ignore[arg-type]
    )


def submitted(connection: Database, number: int, serial: str, host: UUID = NEAR) -> UUID:
    """A run that waits, by the number it is given."""
    suite, run = load_suite("fill"), UUID(int=100 + number)
    wanted = WantedRun(
        host=host,
        serial=serial,
        suite_name=suite.name,
        suite_text=suite.text,
        profile="quick",
        write_bytes_max=None,
        priority=0,
    )
    assert queue.submit(connection, run, wanted) == number
    return run


def states(url: str) -> dict[int, FleetRunState]:
    """How far each run is."""
    with connected(url) as connection:
        return {run.number: run.state for run in records.runs(connection)}
