"""Stopping a run of this host from a browser: a page that names run and drive, and what its answer does."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.stop_asked import AskedIn
from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.subject import drive_name
from ssdlab.lab.resume import way_on
from ssdlab.lab.stop_other import stop_other, writer_of
from ssdlab.message import message
from ssdlab.web.acts import Question, Questions, StopRun, fields_of, token_in
from ssdlab.web.site import Site


class NotRunning(SsdlabError):  # noqa: N818 - the error is the state
    """There is nothing to stop."""


class StopPages:
    """What each address gives."""

    def __init__(self, site: Site, questions: Questions, path_of: Callable[[str], Path]) -> None:
        """Offer it.

        Args:
            site: All pages.
            questions: Those of all pages.
            path_of: A run of the lab by its name; raises HTTPException where there is none.
        """
        self._site, self._questions, self._path_of = site, questions, path_of

    @property
    def routes(self) -> list[Route]:
        """Of all of it."""
        place = "/runs/{name}/stop"
        return [Route(place, self.asks), Route(place, self.stops, methods=["POST"])]

    async def asks(self, request: Request) -> Response:
        """Whether to stop it."""
        path = self._path_of(request.path_params["name"])
        act, question = await run_in_threadpool(_asked, path)
        token = self._questions.ask(act)
        language = self._site.language_of(request)
        return HTMLResponse(self._site.page("asks.html.j2", language, question=question, token=token, here="run"))

    async def stops(self, request: Request) -> Response:
        """Do it; the run itself ends some moments later."""
        path = self._path_of(request.path_params["name"])
        act = self._questions.answered(token_in(await fields_of(request)), StopRun)
        if act.name != path.name:
            raise HTTPException(403)
        await run_in_threadpool(stop_other, path, act.process_id, AskedIn.BROWSER)
        return RedirectResponse(f"{self._site.root}/runs/{quote(path.name)}?asked", 303)


def _asked(path: Path) -> tuple[StopRun, Question]:
    """What is asked of a run.

    Raises:
        NotRunning: No process does it, or none says so.
        BundleError: It cannot be read.
        CannotStop: It is another user's.
    """
    process_id = writer_of(path)
    if process_id is None:
        raise NotRunning(message("web-not-running"))
    return StopRun(path.name, process_id), _question(open_bundle(path))


def _question(bundle: Bundle) -> Question:
    info = bundle.run
    serial = info.drive.serial if isinstance(info.drive.serial, str) else message("web-none")
    return Question(
        title=message("web-stop-title", drive=drive_name(info.drive)),
        facts=(
            (message("cli-column-drive"), drive_name(info.drive)),
            (message("cli-column-serial"), serial),
            (message("web-target"), info.drive.target),
            (message("cli-column-run"), bundle.path.name),
            (message("cli-column-suite"), f"{info.suite.name} {info.suite.version}"),
        ),
        told=(message("web-stop-what"), *(message("web-stop-then", way=way) for way in way_on(bundle))),
        answer=message("web-stop-answer"),
        back=f"/runs/{bundle.path.name}",
    )
