"""The agent of a host: tells the fleet of its drives, takes jobs from its queue, and takes up again what it was killed at.

It may be killed at any moment: what is at a drive is a process of its own, what is to be done is in the queue, and how far it came is in
the bundle. So there is no orderly end, only the next start.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

import psycopg
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from procrastinate.worker import Worker
from psycopg_pool import PoolTimeout

from ssdlab import os_errors
from ssdlab.errors import SsdlabError
from ssdlab.fleet import catalogue, queue, records
from ssdlab.fleet.announce import announced
from ssdlab.fleet.database import DatabaseAway, connected, connection_options, require_fleet, unreachable
from ssdlab.fleet.place import HostPlace
from ssdlab.fleet.progress import StepsDone, finished_directories, progress_of
from ssdlab.fleet.records import FleetRun, FleetRunState
from ssdlab.fleet.rules import Manner, read_rules
from ssdlab.fleet.store.location import store_at
from ssdlab.fleet.work import End, RunCancelled, RunEnded, RunInStore, RunOver, carry_out
from ssdlab.lab.run import conclude_where_missing
from ssdlab.message import Message, message, verbatim

_HEARTBEAT_S = 15
_LOOK_AT_DRIVES_S = 60
_LOOK_BESIDE_RUNS_S = 900
"""A look asks the drives, which a run on one of them may notice."""
_PROGRESS_S = 10
"""A look takes some hundredths of a second of a processor, beside a measurement."""
_POLL_S = 1
"""How long a job may wait at most for a drive that has just become free."""
_IDLE_POLL_S = 5
"""The same of a host at which nothing goes on: of new jobs it is told at once."""
_AGAIN_S = 2
"""Until a database that was not there is tried again."""
_STORE_AGAIN_S_MAX = 60
_STALE_S = 45
_OUTAGES = (DatabaseAway, ConnectorException, psycopg.OperationalError, PoolTimeout, OSError)


def _is_told_to_end() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _in_words(error: Exception) -> Message:
    if isinstance(error, SsdlabError):
        return error.message
    return os_errors.in_words(error).message if isinstance(error, OSError) else unreachable(error).message


def _unforeseen(error: Exception) -> Message:
    return error.message if isinstance(error, SsdlabError) else verbatim(f"{type(error).__name__}: {error}")


_BEGUN = {FleetRunState.RUNNING, FleetRunState.STOPPING}


class LetGo(Exception):  # noqa: N818 - named like what it says
    """The agent has lost the database: the job is taken up again as soon as that is back."""


class _Clock:
    """The database's, by which jobs are due: that of the host may be wrong by hours."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def hear(self, now: datetime) -> None:
        """The database says what time it is."""
        self._ahead = now - datetime.now(UTC)

    def after_s(self, pause_s: int) -> datetime:
        """That moment, as the database will see it."""
        return datetime.now(UTC) + self._ahead + timedelta(seconds=pause_s)


class _PatientConnection(psycopg.AsyncConnection[Any]):
    """Sleeps until something comes: that others look ten times a second for Ctrl-C is most of what an idle agent would take."""

    async def wait(self, gen: Any, interval: float = _HEARTBEAT_S, *rest: Any, **named: Any) -> Any:
        """See psycopg, which wakes each `interval` seconds."""
        return await super().wait(gen, interval, *rest, **named)


async def _each_by_itself(connection: psycopg.AsyncConnection) -> None:
    """Each statement of a worker is whole by itself: a transaction around it is half of what an idle agent asks the database."""
    await connection.set_autocommit(True)


class _AgentWorker(Worker):
    """Asks for jobs as often as there may be one that it is not told of, such as one whose drive has become free."""

    def __init__(self, app: App, poll_s: Callable[[], float], **options: Any) -> None:
        """See `Worker`.

        Args:
            app: Of the queue.
            poll_s: How long to wait now.
            options: Of the worker.
        """
        self._poll_s = poll_s
        super().__init__(app, **options)

    @property
    def fetch_job_polling_interval(self) -> float:
        """Asked for before each pause."""
        return self._poll_s()

    @fetch_job_polling_interval.setter
    def fetch_job_polling_interval(self, _: float) -> None:
        """What the base says is not heeded."""


class _GoOn(BaseRetryStrategy):
    """A job whose agent has lost the database or was stopped goes on, before others of its drive."""

    def __init__(self, clock: _Clock) -> None:
        self._clock = clock

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002 - of the base
        """See `BaseRetryStrategy`."""
        if isinstance(exception, (LetGo, *_OUTAGES)):
            return RetryDecision(retry_at=self._clock.after_s(_AGAIN_S), priority=queue.ADOPTED_PRIORITY)
        return None


class _StoreAgain(BaseRetryStrategy):
    """A bundle is brought to the store however long that is away; pauses double up to a minute."""

    def __init__(self, clock: _Clock) -> None:
        self._clock = clock

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """See `BaseRetryStrategy`."""
        if isinstance(exception, (LetGo, *_OUTAGES)):
            return RetryDecision(retry_at=self._clock.after_s(min(_STORE_AGAIN_S_MAX, 1 << min(job.attempts, 10))))
        return None


class Agent:
    """One host of a fleet."""

    def __init__(self, rules_file: Path, tell: Callable[[Message], None]) -> None:
        """Read what the operator allows, and take the host's place.

        Args:
            rules_file: See `ssdlab.fleet.rules`; it is read again before each run.
            tell: Shows what goes on to whoever watches the agent.

        Raises:
            SsdlabError: The file cannot be used, or another agent is there.
            OSError: The directory of the agent cannot be used.
        """
        self._rules_file, self._tell = rules_file, tell
        self._rules = read_rules(rules_file)
        self._place = HostPlace(self._rules.state)
        self._busy: set[int] = set()
        """Jobs that are being done."""
        self._astray: set[int] = set()
        """Jobs that the queue says we do, and we do not."""
        self._stops: dict[UUID, asyncio.Event] = {}
        """By which runs that are carried out are told to stop."""
        self._bringing = Lock()
        """A thread that brings what finished steps left outlives the task that waits for it: it must not add to a bundle that is being made whole."""
        self._poll_s: float = _POLL_S
        """How often a job is asked for."""
        self._clock = _Clock()
        self._looked_s = -float(_LOOK_BESIDE_RUNS_S)
        self._faulty: str | None = None
        """What is wrong with the rules, once told."""

    def serve(self) -> None:
        """Serve the fleet until killed; an outage of the database is waited for, while runs go on.

        Raises:
            DatabaseError: The database is none of a fleet this ssdlab knows.
        """
        # What it says of an outage is a page of traceback a second.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        told: str | None = None
        while True:
            try:
                await asyncio.to_thread(self._adopt)
                self._tell(message("fleet-agent-ready", host=str(self._place.host)))
                told = None
                await self._work()
            except _OUTAGES as error:
                why = _in_words(error)
                if str(why) != told:
                    self._tell(message("fleet-agent-waits", why=why))
                    told = str(why)
            if _is_told_to_end():
                # What the worker met while it ended hid that it was told to.
                raise asyncio.CancelledError
            await asyncio.sleep(_AGAIN_S)

    async def _work(self) -> None:
        """Take jobs until the database is lost."""
        connector = PsycopgConnector(
            conninfo=self._rules.database,
            kwargs=connection_options(),
            connection_class=_PatientConnection,
            configure=_each_by_itself,
            min_size=1,
            max_size=4,
            timeout=10,
        )
        app = App(connector=connector)
        app.task(name=queue.MEASURE, pass_context=True, retry=_GoOn(self._clock))(self._measure)
        app.task(name=queue.STORE, pass_context=True, retry=_StoreAgain(self._clock))(self._store)
        async with app.open_async():
            sides = (asyncio.create_task(self._stay_known()), asyncio.create_task(self._heed(connector)))
            try:
                await _AgentWorker(  # type: ignore[no-untyped-call]
                    app,
                    lambda: self._poll_s,
                    queues=[queue.queue_of(self._place.host)],
                    concurrency=1 if self._rules.manner is Manner.QUIET else len(self._rules.drives) + 2,
                    abort_job_polling_interval=_HEARTBEAT_S,
                    shutdown_graceful_timeout=0,
                    install_signal_handlers=False,
                    update_heartbeat_interval=_HEARTBEAT_S,
                    stalled_worker_timeout=_STALE_S,
                ).run()
            finally:
                for side in sides:
                    side.cancel()

    def _announce(self, connection: records.Database) -> None:
        """Say that the host is there; which drives it has only now and then, and beside runs more rarely."""
        self._clock.hear(records.clock(connection))
        records.announce_host(connection, self._place.host, self._rules.name, self._rules.manner)
        if time.monotonic() - self._looked_s < (_LOOK_BESIDE_RUNS_S if self._is_measuring() else _LOOK_AT_DRIVES_S):
            return
        try:
            self._rules, self._faulty = read_rules(self._rules_file), None
        except SsdlabError as error:
            if str(error) != self._faulty:
                self._tell(error.message)
                self._faulty = str(error)
            return
        records.announce_drives(connection, self._place.host, announced(self._rules))
        self._looked_s = time.monotonic()

    def _is_measuring(self) -> bool:
        for drive in self._rules.drives:
            with self._place.held(drive.serial) as held:
                if held is None:
                    return True
        return False

    def _adopt(self) -> None:
        """Say that the host is there, put back into the queue what it was at, and tidy up."""
        with connected(self._rules.database) as connection:
            require_fleet(connection)
            self._announce(connection)
        # Rows that somebody else holds for long must not make the host look dead.
        with connected(self._rules.database) as connection:
            for job in queue.doing(connection, self._place.host):
                queue.put_back(connection, job)
            queue.bring_forward(connection, self._place.host)
            queue.stop_lost(connection, self._place.host)
            for run in records.storing(connection, self._place.host):
                queue.defer_store(connection, run, self._place.host)
            known = [records.run_of_id(connection, run) for run in self._place.runs()]
        for found in known:
            if found is not None and found.state is FleetRunState.DONE:
                self._tidy(found)

    def _tidy(self, run: FleetRun) -> None:
        """Remove what the host has of a run that is in the store: there, and not only by what the database says."""
        place = self._place.run(run.id)
        with self._place.held(run.serial) as drive:
            if drive is None:
                return
            bundle = place.bundle
            if bundle is None or store_at(self._rules.store).has(bundle, run.id):
                place.remove()

    async def _stay_known(self) -> None:
        """The host's heartbeat; an outage is the worker's to notice."""
        while True:
            await asyncio.sleep(_HEARTBEAT_S)
            with suppress(*_OUTAGES):
                await asyncio.to_thread(self._look_around)

    async def _heed(self, connector: PsycopgConnector) -> None:
        """Tell runs to stop that were cancelled; an outage is the worker's to notice."""
        while True:
            await asyncio.sleep(self._poll_s)
            if not self._stops:
                continue
            with suppress(*_OUTAGES):
                for row in await connector.execute_query_all_async(records.TO_STOP, host=self._place.host):
                    if (stop := self._stops.get(row["id"])) is not None:
                        stop.set()

    def _look_around(self) -> None:
        with connected(self._rules.database) as connection:
            self._announce(connection)
            # Rows that somebody else holds for long must not make the host look dead.
            connection.commit()
            self._put_back_astray(connection)
            queue.stop_lost(connection, self._place.host)

    def _put_back_astray(self, connection: records.Database) -> None:
        """Jobs whose end could not be noted, or that were handed to us over a connection that broke: seen twice, they are put back."""
        astray = set(queue.doing(connection, self._place.host)) - self._busy
        for job in astray & self._astray:
            queue.put_back(connection, job)
        self._poll_s = _POLL_S if astray or self._busy else _IDLE_POLL_S
        self._astray = astray - self._astray

    async def _measure(self, context: JobContext, run: str) -> None:
        """The task of measuring."""
        job = context.job.id
        assert job is not None  # noqa: S101 - it was fetched
        self._busy.add(job)
        self._poll_s = _POLL_S
        stop = self._stops[UUID(run)] = asyncio.Event()
        watch: asyncio.Task[None] | None = None
        try:
            found = await asyncio.to_thread(self._begin, UUID(run))
            if found is None:
                return
            if found.state is FleetRunState.STOPPING:
                stop.set()
            watch = asyncio.create_task(self._watch(found))
            end = await carry_out(
                found, self._place, lambda: read_rules(self._rules_file), lambda told: self._note(found, told), stop
            )
            await asyncio.to_thread(self._end, found, end)
        except _OUTAGES:
            raise
        except asyncio.CancelledError:
            raise LetGo from None
        except Exception as error:  # noqa: BLE001 - the run must not be left in the air by what nobody foresaw
            await asyncio.to_thread(self._fail, UUID(run), _unforeseen(error))
        finally:
            if watch is not None:
                watch.cancel()
            self._stops.pop(UUID(run), None)
            self._busy.discard(job)

    def _begin(self, run: UUID) -> FleetRun | None:
        """What is to be done; None where it is done."""
        with connected(self._rules.database) as connection:
            found = records.take_up(connection, run)
        return found if found is not None and found.state in _BEGUN else None

    def _note(self, run: FleetRun, told: Message) -> None:
        self._tell(message("fleet-agent-run", number=run.number, told=told))
        with connected(self._rules.database) as connection:
            records.tell_of(connection, run.id, told)

    def _end(self, run: FleetRun, end: End) -> None:
        with connected(self._rules.database) as connection:
            match end:
                case RunOver():
                    progress = progress_of(self._place.run(run.id))
                    if progress is not None:
                        records.set_progress(connection, run.id, progress.done, progress.steps)
                    records.set_state(connection, run.id, FleetRunState.STORING, message("fleet-over"))
                    queue.defer_store(connection, run.id, self._place.host)
                case RunEnded():
                    records.set_state(connection, run.id, FleetRunState.FAILED, end.why)
                case RunInStore():
                    with store_at(self._rules.store).opened(end.name) as path:
                        self._note_stored(connection, run.id, end.name, path)
                case RunCancelled():
                    records.set_state(connection, run.id, FleetRunState.CANCELLED, message("fleet-cancelled"))

    def _fail(self, run: UUID, why: Message) -> None:
        with connected(self._rules.database) as connection:
            records.set_state(connection, run, FleetRunState.FAILED, why)

    async def _watch(self, run: FleetRun) -> None:
        """Tell the fleet how many steps are over, as often as that changes, and bring what they left to the store."""
        before: StepsDone | None = None
        brought: frozenset[str] = frozenset()
        while True:
            await asyncio.sleep(_PROGRESS_S)
            now = await asyncio.to_thread(progress_of, self._place.run(run.id))
            if now is None or now == before:
                continue
            with suppress(*_OUTAGES):
                await asyncio.to_thread(self._note_progress, run.id, now)
                before = now
            # A store that is away gets all of it when the run is over.
            with suppress(SsdlabError, OSError):
                brought = await asyncio.to_thread(self._bring_finished, run.id, brought)

    def _bring_finished(self, run: UUID, brought: frozenset[str]) -> frozenset[str]:
        """What finished steps left, but what was brought already; all that is there then."""
        place = self._place.run(run)
        finished = finished_directories(place)
        if place.bundle is not None and finished - brought:
            with self._bringing:
                store_at(self._rules.store).bring(place.bundle, run, sorted(finished - brought))
        return finished

    def _note_progress(self, run: UUID, progress: StepsDone) -> None:
        with connected(self._rules.database) as connection:
            records.set_progress(connection, run, progress.done, progress.steps)

    async def _store(self, context: JobContext, run: str) -> None:
        """The task of bringing a bundle to the store."""
        job = context.job.id
        assert job is not None  # noqa: S101 - it was fetched
        self._busy.add(job)
        self._poll_s = _POLL_S
        try:
            await asyncio.to_thread(self._bring, UUID(run))
        except _OUTAGES:
            raise
        except asyncio.CancelledError:
            raise LetGo from None
        except Exception as error:  # noqa: BLE001 - as above: whoever waits for the run hears why, and may ask for it again
            await asyncio.to_thread(self._fail, UUID(run), _unforeseen(error))
        finally:
            self._busy.discard(job)

    def _bring(self, run: UUID) -> None:
        with connected(self._rules.database) as connection:
            found = records.run_of_id(connection, run)
        if found is None or found.state is FleetRunState.DONE:
            return
        place = self._place.run(run)
        try:
            bundle, name = self._stored(place.bundle, run)
        except OSError as error:
            with connected(self._rules.database) as connection:
                records.tell_of(connection, run, message("fleet-store-away", why=os_errors.reason_of(error)))
            raise
        with connected(self._rules.database) as connection:
            self._note_stored(connection, run, name, bundle)
        place.remove()

    def _note_stored(self, connection: records.Database, run: UUID, name: str, path: Path) -> None:
        catalogue.note(connection, path, name)
        records.set_bundle(connection, run, name)
        records.set_state(connection, run, FleetRunState.DONE, message("fleet-stored", name=name))

    def _stored(self, bundle: Path | None, run: UUID) -> tuple[Path, str]:
        """Conclude a run where it was killed before it could, and bring it to the store; it, and its name there.

        Raises:
            SsdlabError: There is no bundle, it cannot be read, or the store has another of its name.
            OSError: The store is away.
        """
        if bundle is None:
            raise SsdlabError(message("fleet-no-bundle"))
        conclude_where_missing(bundle)
        with self._bringing:
            return bundle, store_at(self._rules.store).put(bundle, run)
