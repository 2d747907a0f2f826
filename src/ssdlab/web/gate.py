"""Who may ask: this host's own pages, by an address that cannot be another's, with the secret that the server told its operator.

A page of any site can send requests to 127.0.0.1, and by a name of its own that leads there (DNS rebinding) read the answers, too. So
even what only reads asks for all three: the host's own name, no foreign origin, and the secret.

A browser sends a cookie to all ports of a host, and has one for all of them, unless the paths below which it is sent differ. So all
pages are below a path that no other server can have, and the cookie is for that path alone.
"""

import hmac
import secrets
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PARAMETER = "token"
_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""Of this host; ports may differ, as through a tunnel of ssh."""
_READS = {"GET", "HEAD"}
_OWN_SITES = {"same-origin", "none"}
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # With `no-referrer` a form that is sent has no origin either.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the operator is told, what a browser that has shown it is given in its place, and the path that it is sent to."""

    told: str = field(default_factory=_secret)
    given: str = field(default_factory=_secret)
    root: str = field(default_factory=lambda: f"/{secrets.token_urlsafe(16)}")

    @property
    def cookie(self) -> str:
        """Its name: no server on another port can set one of the same name in its way."""
        return f"ssdlab-{self.root.removeprefix('/')}"


class Gate:
    """Lets requests pass to an application; those that may not are answered with 403, whatever they ask for."""

    def __init__(self, app: ASGIApp, known: Secrets, refusal: str) -> None:
        """Stand before an application.

        Args:
            app: The application.
            known: What requests must know.
            refusal: What whoever may not pass is told.
        """
        self._app = app
        self._known = known
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            return

        async def sent(told: Message) -> None:
            if told["type"] == "http.response.start":
                own = {name for name, _ in told["headers"]}
                more = [(name.encode(), text.encode()) for name, text in _HEADERS.items() if name.encode() not in own]
                told = {**told, "headers": [*told["headers"], *more]}
            await send(told)

        request = Request(scope)
        await (self._answer(request) or self._app)(scope, receive, sent)

    def _answer(self, request: Request) -> Response | None:
        """What is answered in place of the application; None for what may pass."""
        if not (is_own_host(request) and is_own_origin(request)):
            return PlainTextResponse(self._refusal, 403)
        shown, path = request.query_params.getlist(PARAMETER), request.scope["path"]
        if path == "/" and len(shown) == 1 and _same(shown[0], self._known.told):
            entry = RedirectResponse(f"{self._known.root}/", 303)
            entry.set_cookie(
                self._known.cookie, self._known.given, path=self._known.root, httponly=True, samesite="strict"
            )
            return entry
        root = "/".join(path.split("/")[:2])
        knows = _same(request.cookies.get(self._known.cookie, ""), self._known.given)
        return None if knows and _same(root, self._known.root) else PlainTextResponse(self._refusal, 403)


def is_own_host(request: Request) -> bool:
    """Whether the request was sent to this host by a name that only this host has."""
    hosts = request.headers.getlist("host")
    if len(hosts) != 1:
        return False
    name, colon, port = hosts[0].rpartition(":") if not hosts[0].endswith("]") else (hosts[0], "", "")
    if not colon:
        name = hosts[0]
    elif not (port.isascii() and port.isdigit()):
        return False
    return name.lower() in _NAMES


def is_own_origin(request: Request) -> bool:
    """Whether no page of another site caused the request, as far as browsers say."""
    origins, sites = request.headers.getlist("origin"), request.headers.getlist("sec-fetch-site")
    if request.method not in _READS:
        # No browser leaves the origin out of what may change something.
        return origins == [_own(request)] and sites in ([], ["same-origin"])
    is_own = not origins or origins == [_own(request)]
    return is_own and (not sites or (len(sites) == 1 and sites[0] in _OWN_SITES))


def _own(request: Request) -> str:
    return f"http://{request.headers['host']}"


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="surrogateescape"), other.encode())
