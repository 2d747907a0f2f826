"""The application: which address gives which page."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from ssdlab import os_errors
from ssdlab.bundle import layout
from ssdlab.bundle.imported import ImportedRun, is_imported, open_imported
from ssdlab.bundle.live import is_being_written
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.lab.resume import way_on
from ssdlab.library.catalogue import LibraryError, open_catalogue
from ssdlab.library.entry import Entry
from ssdlab.message import Message, message
from ssdlab.report.page import page as report_page
from ssdlab.report.view import headline
from ssdlab.web import words
from ssdlab.web.acts import Questions
from ssdlab.web.bench import drives, running, running_run
from ssdlab.web.events import event_stream
from ssdlab.web.gate import Gate, Secrets
from ssdlab.web.language import LANGUAGE_COOKIE, asked_language
from ssdlab.web.pages import chart_words, rendered, sentence, static_files, strip_key
from ssdlab.web.phases import RunState, RunStates
from ssdlab.web.site import Power, Site
from ssdlab.web.stream import place_in
from ssdlab.web.together import Together, Viewer, page_events, run_events
from ssdlab.words import Language

COMPARED_MAX = 20
_REPORTS_KEPT = 8
_REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:"
)
"""A report is written from what strangers may have put into a bundle: in its sandbox it is no page of the lab's."""


@dataclass(frozen=True, slots=True)
class Lab:
    """What is served: a folder of runs, and what was read of it.

    Attributes:
        directory: The lab.
        language: Of whom a browser asks for none that is known.
        database: Of the fleet that is shown beside it; None where there is none.
        power: What may be done from a browser.
    """

    directory: Path
    language: Language
    database: str | None = None
    power: Power = Power.LOOK
    states: RunStates = field(default_factory=RunStates)
    questions: Questions = field(default_factory=Questions)
    reports: "Reports" = field(default_factory=lambda: Reports())  # noqa: PLW0108 - it is defined below

    def path_of(self, name: str) -> Path:
        """The run of that name.

        Raises:
            HTTPException: There is none; nothing outside the folder of runs is one.
        """
        runs = self.directory / "runs"
        path = runs / name
        is_inside = name not in {"", ".", ".."} and "/" not in name and "\0" not in name
        if not (is_inside and path.is_dir() and not path.is_symlink()):
            raise HTTPException(404)
        return path


def application(lab: Lab, known: Secrets) -> ASGIApp:
    """All of it, behind its gate."""
    site = Site(known.root, lab.language, lab.database, lab.power)
    pages = Pages(lab, site)
    routes = [
        Route("/", pages.bench),
        Route("/stream", pages.bench_stream),
        Route("/library", pages.library),
        Route("/compare", pages.compare),
        Route("/runs/{name}", pages.run),
        Route("/runs/{name}/stream", pages.run_stream),
        Route("/runs/{name}/report", pages.report),
        Route("/static/{name}", static),
        Route("/language/{name}", choose_language),
        *_control_routes(lab, site),
        *_fleet_routes(lab, site),
    ]
    app = Starlette(
        routes=[Mount(known.root, routes=routes)],
        exception_handlers={HTTPException: pages.not_found, SsdlabError: pages.refused, OSError: pages.refused},
    )
    return Gate(app, known, sentence(message("web-may-not"), lab.language))


def _control_routes(lab: Lab, site: Site) -> list[Route]:
    """None where nothing may be changed."""
    if lab.power is Power.LOOK:
        return []
    from ssdlab.web.stop_pages import StopPages

    return StopPages(site, lab.questions, lab.path_of).routes


def _fleet_routes(lab: Lab, site: Site) -> list[Route]:
    """None where there is no fleet: whatever it needs is not even looked for."""
    if lab.database is None:
        return []
    from ssdlab.web.fleet_pages import FleetPages
    from ssdlab.web.fleet_watch import watch_of

    shown = FleetPages(site, watch_of(lab.database), lab.directory).routes
    if lab.power is Power.LOOK:
        return shown
    from ssdlab.web.fleet_control import FleetControl

    return [*shown, *FleetControl(site, lab.questions, lab.database).routes]


async def static(request: Request) -> Response:
    """Styles and scripts."""
    found = static_files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    kind, content = found
    return Response(content, media_type=kind, headers={"cache-control": "private, max-age=60"})


async def choose_language(request: Request) -> Response:
    """Remember the language, and go back to the bench."""
    chosen = asked_language(request.path_params["name"])
    if chosen is None:
        raise HTTPException(404)
    answer = RedirectResponse("../", 303)
    answer.set_cookie(LANGUAGE_COOKIE, chosen.value, httponly=True, samesite="strict")
    return answer


class Pages:
    """What each address gives."""

    def __init__(self, lab: Lab, site: Site) -> None:
        self._lab = lab
        self._site = site
        self._together = Together()
        self._made: dict[tuple[Language, Path], tuple[RunState, dict[str, object]]] = {}

    async def bench(self, request: Request) -> Response:
        """The runs that go on, and this host's drives."""
        language = self._site.language_of(request)
        parts = await run_in_threadpool(self._bench_parts, language)
        return HTMLResponse(self._site.page("bench.html.j2", language, parts=parts, here="bench"))

    async def bench_stream(self, request: Request) -> Response:
        """The same as it changes."""
        language = self._site.language_of(request)
        return event_stream(page_events(self._together, ("bench", language), lambda: self._bench_parts(language)))

    def _bench_parts(self, language: Language) -> dict[str, object]:
        runs = running(self._lab.directory, self._lab.states)
        rows = [(one.name, words.now_of(one)) for one in runs]
        table = self._site.page("bench_parts.html.j2", language, runs=rows, drives=drives(runs))
        return {"part-bench": table}

    async def library(self, request: Request) -> Response:
        """All runs."""
        language = self._site.language_of(request)
        entries, problems = await run_in_threadpool(self._entries)
        told = message("web-choose-runs") if "few" in request.query_params else None
        return HTMLResponse(
            self._site.page("library.html.j2", language, entries=entries, problems=problems, told=told, here="library")
        )

    def _entries(self) -> tuple[Sequence[Entry], Sequence[str]]:
        try:
            catalogue = open_catalogue(self._lab.directory)
        except LibraryError:
            return (), ()
        return tuple(reversed(catalogue.entries)), tuple(one.name for one in catalogue.problems)

    async def run(self, request: Request) -> Response:
        """One run: as it goes on, or what it came to."""
        language, path = self._site.language_of(request), self._lab.path_of(request.path_params["name"])
        if is_imported(path):
            return RedirectResponse(f"{request.url.path}/report", 303)
        state = await run_in_threadpool(self._lab.states.of, path)
        goes_on = await run_in_threadpool(is_being_written, path)
        is_over = state.bundle.status is RunStatus.FINISHED or bool(state.bundle.metrics)
        if is_over and not goes_on:
            return RedirectResponse(f"{request.url.path}/report", 303)
        parts = await run_in_threadpool(self._run_parts, path, language)
        return HTMLResponse(
            self._site.page(
                "run.html.j2",
                language,
                title=headline(state.bundle),
                name=path.name,
                way_on=way_on(state.bundle),
                asked="asked" in request.query_params,
                goes_on=goes_on,
                parts=parts,
                strip_key=strip_key(),
                chart_words=chart_words(language),
                here="run",
            )
        )

    async def run_stream(self, request: Request) -> Response:
        """What goes on in it."""
        language, path = self._site.language_of(request), self._lab.path_of(request.path_params["name"])
        # A browser that lost its connection says it by the header, a page that is seen again by the address.
        told = request.headers.get("last-event-id") or request.query_params.get("place", "")
        viewer = Viewer(language, place_in(told))
        return event_stream(run_events(self._together, path, lambda one: self._run_parts(path, one), viewer))

    def _run_parts(self, path: Path, language: Language) -> dict[str, object]:
        one = running_run(path, self._lab.states)
        return {
            "part-now": rendered("now.html.j2", language, now=words.now_of(one)),
            **self._journal_parts(one.state, language),
        }

    def _journal_parts(self, state: RunState, language: Language) -> dict[str, object]:
        """What changes with the journal alone: made once for all who look."""
        key = language, state.bundle.path
        made_of, parts = self._made.get(key, (None, {}))
        if made_of is not state:
            parts = {
                "part-steps": rendered("steps.html.j2", language, rows=words.phase_rows(state)),
                "part-audit": rendered("audit.html.j2", language, audit=words.audit_so_far(state)),
                "phases": _bands(state),
            }
            self._made[key] = state, parts
        return parts

    async def report(self, request: Request) -> Response:
        """The report of one run."""
        return await self._report([self._lab.path_of(request.path_params["name"])], self._site.language_of(request))

    async def compare(self, request: Request) -> Response:
        """The report of several; the drive of the first is the one under test."""
        names = list(dict.fromkeys(request.query_params.getlist("run")))
        if not 2 <= len(names) <= COMPARED_MAX:
            return RedirectResponse("library?few", 303)
        return await self._report([self._lab.path_of(name) for name in names], self._site.language_of(request))

    async def _report(self, paths: Sequence[Path], language: Language) -> Response:
        text = await run_in_threadpool(self._lab.reports.of, paths, language)
        content = text.encode(errors="backslashreplace")
        return HTMLResponse(content, headers={"content-security-policy": _REPORT_POLICY})

    async def not_found(self, request: Request, error: Exception) -> Response:
        """What is not there."""
        status = error.status_code if isinstance(error, HTTPException) else 404
        told = message("web-not-answered") if status == 403 else message("web-not-found")
        return HTMLResponse(self._told(request, told), status)

    async def refused(self, request: Request, error: Exception) -> Response:
        """What cannot be shown, and why."""
        status = 409 if request.method == "POST" else 404
        if not isinstance(error, SsdlabError | OSError):
            return HTMLResponse(self._told(request, message("web-not-found")), status)
        found = error if isinstance(error, SsdlabError) else os_errors.in_words(error)
        return HTMLResponse(self._told(request, *found.lines, *found.hints), status)

    def _told(self, request: Request, *told: Message) -> str:
        return self._site.page("told.html.j2", self._site.language_of(request), told=told, here="")


def _bands(state: RunState) -> dict[str, object]:
    """What the chart draws behind and above its line, in seconds of the run's clock."""
    begun = [one for one in state.phases if one.step.started_ns is not None]
    return {
        "bands": [
            [_seconds(one.step.started_ns), _seconds(one.step.ended_ns), one.step.name, one.step.group] for one in begun
        ],
        "strip": [[_seconds(cell.begin_ns), _seconds(cell.end_ns), cell.level] for one in begun for cell in one.cells],
    }


def _seconds(time_ns: int | None) -> float | None:
    return None if time_ns is None else round(time_ns / 1e9, 3)


class Reports:
    """Reports that were asked for lately; one is made at a time, for it takes all processors there are."""

    def __init__(self, make: Callable[..., str] = report_page) -> None:
        self._make = make
        self._lock = Lock()
        self._kept: OrderedDict[tuple[object, ...], str] = OrderedDict()

    def of(self, paths: Sequence[Path], language: Language) -> str:
        """The report of these runs.

        Raises:
            SsdlabError: One cannot be opened.
        """
        key = (language, *((path, _moment(path)) for path in paths))
        with self._lock:
            if key not in self._kept:
                bundles: list[Bundle] = [open_bundle(path) for path in paths if not is_imported(path)]
                imported: list[ImportedRun] = [open_imported(path) for path in paths if is_imported(path)]
                self._kept[key] = self._make(bundles, imported, language=language)
            self._kept.move_to_end(key)
            while len(self._kept) > _REPORTS_KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _moment(path: Path) -> tuple[int, ...]:
    """What tells whether a bundle is as it was."""
    names = (layout.JOURNAL, layout.METRICS, layout.AUDIT)
    return tuple((path / name).stat().st_mtime_ns for name in names if (path / name).exists())
