"""The page of a fleet. It alone needs what a fleet needs, so it is loaded only where there is one."""

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ssdlab.web.events import event_stream
from ssdlab.web.fleet_watch import FleetNews, FleetWatch
from ssdlab.web.fleet_words import drive_row, host_row, run_row, trouble_of
from ssdlab.web.site import Site
from ssdlab.web.together import Together, page_events
from ssdlab.words import Language

_OF_THE_SEEN = ("part-queue", "part-over", "part-hosts", "part-drives")
"""Parts of the page that are empty until the fleet was seen once."""


class FleetPages:
    """What each address gives."""

    def __init__(self, site: Site, watch: FleetWatch, lab: Path) -> None:
        """Show a fleet.

        Args:
            site: All pages.
            watch: Knows the fleet.
            lab: Whose runs are linked to.
        """
        self._site, self._watch, self._lab = site, watch, lab
        self._together = Together()
        self._made: dict[Language, tuple[FleetNews, dict[str, object]]] = {}

    @property
    def routes(self) -> list[Route]:
        """Of all of it."""
        return [Route("/fleet", self.fleet), Route("/fleet/stream", self.fleet_stream)]

    async def fleet(self, request: Request) -> Response:
        """Queue, runs, hosts and drives."""
        language = self._site.language_of(request)
        parts = await run_in_threadpool(self._parts, language)
        return HTMLResponse(self._site.page("fleet.html.j2", language, parts=parts, here="fleet"))

    async def fleet_stream(self, request: Request) -> Response:
        """The same as it changes."""
        language = self._site.language_of(request)
        return event_stream(page_events(self._together, language, lambda: self._parts(language)))

    def _parts(self, language: Language) -> dict[str, object]:
        """Made once for all who look."""
        news = self._watch.news()
        made_of, parts = self._made.get(language, (None, {}))
        if made_of is not news:
            parts = self._made_of(news, language)
            self._made[language] = news, parts
        return parts

    def _made_of(self, news: FleetNews, language: Language) -> dict[str, object]:
        seen, page = news.seen, self._site.page
        trouble = page("fleet_trouble.html.j2", language, trouble=trouble_of(news))
        if seen is None:
            return {"part-trouble": trouble, **dict.fromkeys(_OF_THE_SEEN, "")}
        waiting = [run_row(seen, run, self._lab) for run in seen.open]
        over = [run_row(seen, run, self._lab) for run in seen.over]
        more = seen.open_count - len(waiting)
        made = (
            page("fleet_queue.html.j2", language, rows=waiting, more=more),
            page("fleet_over.html.j2", language, rows=over),
            page("fleet_hosts.html.j2", language, rows=[host_row(seen, one) for one in seen.hosts]),
            page("fleet_drives.html.j2", language, rows=[drive_row(seen, one) for one in seen.drives]),
        )
        return {"part-trouble": trouble, **dict(zip(_OF_THE_SEEN, made, strict=True))}
