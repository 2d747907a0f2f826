"""The queue of a fleet: Procrastinate's, whose jobs are as durable as the database.

Three rules make it one of drives. A job that measures has the lock of its drive, so that no other one of that drive begins, on whatever
host. Each host has a queue of its own, and its agent alone takes jobs from it. A job that lost its agent is taken up again before all
others of its drive, because a run goes on only on a drive as it left it.
"""

from uuid import UUID

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued

from ssdlab.fleet import records
from ssdlab.fleet.records import Database, FleetRun, FleetRunState, WantedRun
from ssdlab.message import message

MEASURE, STORE = "measure", "store"
"""Names of tasks."""
PRIORITY_MAX = 1000
ADOPTED_PRIORITY = PRIORITY_MAX + 1
"""Before whatever anybody may ask for."""


def queue_of(host: UUID) -> str:
    """Of jobs for one host; PostgreSQL's channels, which are called after queues, have names of 63 bytes at most."""
    return f"host:{host.hex}"


def lock_of(serial: str) -> str:
    """One job at a time has it."""
    return f"drive:{serial}"


def _client() -> App:
    """Puts jobs into the queue by a connection that it is given, so that a run and its job are there both or not at all."""
    return App(connector=SyncPsycopgConnector())


def submit(connection: Database, run: UUID, wanted: WantedRun) -> int:
    """Put a run into the queue of its host; its number."""
    number = records.add_run(connection, run, wanted)
    records.tell_of(connection, run, message("fleet-submitted"))
    _defer(connection, run, wanted.host, wanted.serial, wanted.priority)
    return number


def retry(connection: Database, run: FleetRun) -> bool:
    """Put a run that failed or was cancelled into the queue again; False where it is neither by now."""
    if not records.take_again(connection, run.id):
        return False
    records.tell_of(connection, run.id, message("fleet-asked-again"))
    _defer(connection, run.id, run.host, run.serial, run.priority)
    return True


def _defer(connection: Database, run: UUID, host: UUID, serial: str, priority: int) -> None:
    task = _client().configure_task(
        MEASURE, queue=queue_of(host), lock=lock_of(serial), priority=priority, connection=connection
    )
    records.set_job(connection, run, task.defer(run=str(run)))


def cancel(connection: Database, run: FleetRun) -> FleetRunState | None:
    """Cancel a run: at once where it waits, else its agent is asked to stop it. None where it is over.

    The job of one that was begun keeps the lock of its drive until the agent of its host has found nobody there.
    """
    if run.job is None:
        return None
    if run.state is FleetRunState.QUEUED and _client().job_manager.cancel_job_by_id(run.job, connection=connection):
        records.set_state(connection, run.id, FleetRunState.CANCELLED, message("fleet-cancelled"))
        return FleetRunState.CANCELLED
    return FleetRunState.STOPPING if records.ask_to_stop(connection, run.id) else None


def defer_store(connection: Database, run: UUID, host: UUID) -> None:
    """Have the bundle of a run brought into the store, once, however often it is asked."""
    # Before runs that wait, or a host that does one thing at a time would come to it only when its queue is empty.
    task = _client().configure_task(
        STORE,
        queue=queue_of(host),
        queueing_lock=f"store:{run}",
        priority=ADOPTED_PRIORITY,
        connection=connection,
    )
    try:
        with connection.transaction():
            task.defer(run=str(run))
    except AlreadyEnqueued:
        return


def doing(connection: Database, host: UUID) -> tuple[int, ...]:
    """Jobs of a host's queue that somebody is at, as far as the queue knows."""
    rows = connection.execute(
        "SELECT id FROM procrastinate_jobs WHERE queue_name = %s AND status = 'doing'", (queue_of(host),)
    )
    return tuple(row[0] for row in rows)


def put_back(connection: Database, job: int) -> None:
    """Have a job that nobody is at taken up again."""
    connection.execute("SELECT procrastinate_retry_job_v2(%s, now(), %s, NULL, NULL)", (job, ADOPTED_PRIORITY))


def bring_forward(connection: Database, host: UUID) -> None:
    """Have jobs of a host that were begun taken up again before all others, and at once, whatever clock said when."""
    connection.execute(
        "UPDATE procrastinate_jobs AS job SET priority = %s FROM run WHERE job.id = run.job AND job.status = 'todo'"
        " AND run.host = %s AND run.state IN ('running', 'stopping')",
        (ADOPTED_PRIORITY, host),
    )
    connection.execute(
        "UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE queue_name = %s AND status = 'todo'", (queue_of(host),)
    )


def stop_lost(connection: Database, host: UUID) -> None:
    """Have the agent stop runs whose job is over though they are not, as where somebody ended it by the queue's own means."""
    rows = connection.execute(
        "SELECT run.id, run.serial FROM run JOIN procrastinate_jobs AS job ON job.id = run.job WHERE run.host = %s"
        " AND run.state IN ('queued', 'running', 'stopping') AND job.status NOT IN ('todo', 'doing') FOR UPDATE OF run",
        (host,),
    )
    for run, serial in rows.fetchall():
        records.ask_to_stop(connection, run)
        _defer(connection, run, host, serial, ADOPTED_PRIORITY)
