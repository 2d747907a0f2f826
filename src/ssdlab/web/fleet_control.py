"""Changing the queue of a fleet from a browser: what `ssdlab fleet` cancels, asks for again and submits, and nothing more.

Whether a drive may be erased is said by a file on its host alone, which nothing here reads or writes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ssdlab.errors import SsdlabError
from ssdlab.fleet import queue, records
from ssdlab.fleet.database import connected, require_fleet
from ssdlab.fleet.records import Database, FleetDrive, FleetRun, FleetRunState
from ssdlab.fleet.submit import Wish, submit_to
from ssdlab.message import Message, commas, listed, message
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.units import parse_bytes
from ssdlab.web.acts import Question, Questions, fields_of, token_in
from ssdlab.web.site import Site

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CancelRun:
    """Cancel a run of the fleet that was so far when it was asked about."""

    number: int
    state: FleetRunState


@dataclass(frozen=True, slots=True)
class RetryRun:
    """Ask for a run of the fleet again."""

    number: int


@dataclass(frozen=True, slots=True)
class SubmitRuns:
    """Submit a suite that comes with ssdlab to these drives."""

    suite: str
    serials: tuple[str, ...]


def _limit(text: object) -> int | None:
    return parse_bytes(text) if isinstance(text, str) and text.strip() else None


class _Sent(BaseModel):
    """What the form of a submission says beside its token."""

    profile: str = Field(max_length=100)
    repeat: int = Field(ge=1, le=1000)
    priority: int = Field(ge=-queue.PRIORITY_MAX, le=queue.PRIORITY_MAX)
    max_write: Annotated[int | None, BeforeValidator(_limit)]


class ChangedMeanwhile(SsdlabError):  # noqa: N818 - the error is the state
    """What was asked about is not so any more; nothing was done."""


class FleetControl:
    """What each address gives."""

    def __init__(self, site: Site, questions: Questions, database: str) -> None:
        """Offer it.

        Args:
            site: All pages.
            questions: Those of all pages.
            database: Of the fleet.
        """
        self._site, self._questions, self._database = site, questions, database

    @property
    def routes(self) -> list[Route]:
        """Of all of it."""
        one = "/fleet/runs/{number:int}"
        return [
            Route(f"{one}/cancel", self.asks_to_cancel),
            Route(f"{one}/cancel", self.cancels, methods=["POST"]),
            Route(f"{one}/retry", self.asks_to_retry),
            Route(f"{one}/retry", self.retries, methods=["POST"]),
            Route("/fleet/submit", self.asks_to_submit),
            Route("/fleet/submit", self.submits, methods=["POST"]),
        ]

    async def asks_to_cancel(self, request: Request) -> Response:
        """Whether to cancel a run."""
        run = await self._run(request)
        if run.state not in {FleetRunState.QUEUED, FleetRunState.RUNNING}:
            raise ChangedMeanwhile(message("fleet-is-over", number=run.number))
        return self._asks(request, CancelRun(run.number, run.state), _to_cancel(run))

    async def cancels(self, request: Request) -> Response:
        """Do it."""
        act = self._questions.answered(token_in(await fields_of(request)), CancelRun)
        if act.number != request.path_params["number"]:
            raise HTTPException(403)
        await self._with_database(lambda connection: _cancel(connection, act))
        return self._to_fleet()

    async def asks_to_retry(self, request: Request) -> Response:
        """Whether to ask for a run again."""
        run = await self._run(request)
        if not run.state.may_be_retried:
            raise ChangedMeanwhile(message("fleet-not-to-retry", number=run.number))
        return self._asks(request, RetryRun(run.number), _to_retry(run))

    async def retries(self, request: Request) -> Response:
        """Do it."""
        act = self._questions.answered(token_in(await fields_of(request)), RetryRun)
        if act.number != request.path_params["number"]:
            raise HTTPException(403)
        await self._with_database(lambda connection: _retry(connection, act))
        return self._to_fleet()

    async def asks_to_submit(self, request: Request) -> Response:
        """Which suite is for which drives; once that is said, whether to submit it."""
        free = await self._with_database(_free)
        chosen_serials = set(request.query_params.getlist("drive"))
        chosen = [one for one in free if one.drive.serial in chosen_serials]
        suite, language = request.query_params.get("suite", ""), self._site.language_of(request)
        if suite not in builtin_names() or not chosen:
            told = message("web-choose-drives") if request.query_params else None
            return HTMLResponse(
                self._site.page(
                    "fleet_choose.html.j2",
                    language,
                    suites=builtin_names(),
                    suite=suite,
                    drives=free,
                    told=told,
                    here="fleet",
                )
            )
        token = self._questions.ask(SubmitRuns(suite, tuple(one.drive.serial for one in chosen)))
        profiles = tuple(load_suite(suite).profiles)
        values = {"question": _to_submit(suite, chosen), "profiles": profiles, "most": queue.PRIORITY_MAX}
        return HTMLResponse(self._site.page("fleet_submit.html.j2", language, token=token, here="fleet", **values))

    async def submits(self, request: Request) -> Response:
        """Do it."""
        fields = await fields_of(request)
        act = self._questions.answered(token_in(fields), SubmitRuns)
        try:
            sent = _Sent.model_validate({name: texts[-1] for name, texts in fields.items()})
        except ValidationError as error:
            field = str(error.errors()[0]["loc"][0])
            raise SsdlabError(message("web-field-wrong", field=field)) from error
        wish = Wish(
            suite=load_suite(act.suite),
            profile=sent.profile,
            repeat=sent.repeat,
            priority=sent.priority,
            write_bytes_max=sent.max_write,
        )
        await self._with_database(lambda connection: _submit(connection, wish, act))
        return self._to_fleet()

    async def _run(self, request: Request) -> FleetRun:
        number = request.path_params["number"]
        run = await self._with_database(lambda connection: records.run_of_number(connection, number))
        if run is None:
            raise HTTPException(404)
        return run

    def _asks(self, request: Request, act: object, question: Question) -> Response:
        token, language = self._questions.ask(act), self._site.language_of(request)
        return HTMLResponse(self._site.page("asks.html.j2", language, question=question, token=token, here="fleet"))

    def _to_fleet(self) -> Response:
        return RedirectResponse(f"{self._site.root}/fleet", 303)

    async def _with_database(self, act: Callable[[Database], T]) -> T:
        """In one transaction, which an error takes back."""

        def done() -> T:
            with connected(self._database) as connection:
                require_fleet(connection)
                return act(connection)

        return await run_in_threadpool(done)


def _cancel(connection: Database, act: CancelRun) -> None:
    run = _again(connection, act.number)
    records.tell_of(connection, run.id, message("fleet-cancel-in-browser"))
    came_to = queue.cancel(connection, run)
    if came_to is None:
        raise ChangedMeanwhile(message("fleet-is-over", number=act.number))
    if run.state is not act.state or (act.state is FleetRunState.QUEUED and came_to is FleetRunState.STOPPING):
        # Whoever agreed to take it out of the queue has not agreed to stop it at its drive: all of it is taken back.
        raise ChangedMeanwhile(message("web-changed-meanwhile", number=act.number))


def _retry(connection: Database, act: RetryRun) -> None:
    run = _again(connection, act.number)
    records.tell_of(connection, run.id, message("fleet-retry-in-browser"))
    if not queue.retry(connection, run):
        raise ChangedMeanwhile(message("fleet-not-to-retry", number=act.number))


def _submit(connection: Database, wish: Wish, act: SubmitRuns) -> None:
    free = {one.drive.serial: one for one in _free(connection)}
    gone = [serial for serial in act.serials if serial not in free]
    if gone:
        raise ChangedMeanwhile(message("web-not-free", serials=commas(*gone)))
    for one in submit_to(connection, wish, [free[serial] for serial in act.serials]):
        run = _again(connection, one.number)
        records.tell_of(connection, run.id, message("fleet-submit-in-browser"))


def _again(connection: Database, number: int) -> FleetRun:
    run = records.run_of_number(connection, number)
    if run is None:
        raise ChangedMeanwhile(message("fleet-no-such-run", number=number))
    return run


def _free(connection: Database) -> Sequence[FleetDrive]:
    """Drives whose operators let the fleet test them."""
    return records.chosen(records.drives(connection), ())


def _facts(run: FleetRun) -> tuple[tuple[Message, str | Message], ...]:
    return (
        (message("fleet-column-number"), str(run.number)),
        (message("cli-column-drive"), run.serial),
        (message("fleet-column-host"), run.host_name),
        (message("cli-column-suite"), run.suite_name),
        (message("cli-column-profile"), run.profile),
        (message("fleet-column-state"), message("fleet-state", state=run.state.value)),
    )


def _to_cancel(run: FleetRun) -> Question:
    waits = run.state is FleetRunState.QUEUED
    return Question(
        title=message("web-cancel-title", number=run.number, serial=run.serial),
        facts=_facts(run),
        told=(message("web-cancel-waiting") if waits else message("web-cancel-running"),),
        answer=message("web-cancel-answer", number=run.number),
        back="/fleet",
    )


def _to_retry(run: FleetRun) -> Question:
    why = () if run.why is None else (run.why,)
    return Question(
        title=message("web-retry-title", number=run.number, serial=run.serial),
        facts=_facts(run),
        told=(*why, message("web-retry-what"), message("web-host-decides")),
        answer=message("web-retry-answer", number=run.number),
        back="/fleet",
    )


def _to_submit(suite: str, chosen: Sequence[FleetDrive]) -> Question:
    return Question(
        title=message("web-submit-title", suite=suite, count=len(chosen)),
        facts=tuple((message("cli-column-drive"), _called(one)) for one in chosen),
        told=(message("web-submit-what"), message("web-host-decides")),
        answer=message("web-submit-answer"),
        back="/fleet",
    )


def _called(one: FleetDrive) -> Message:
    """A drive with its host."""
    return listed(commas(one.drive.serial, one.drive.model or message("web-none"), one.host_name))
