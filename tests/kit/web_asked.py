"""Requests to the pages of a lab, and their answers, without any network."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.types import ASGIApp

from ssdlab.web.app import Lab, application
from ssdlab.web.gate import Secrets
from ssdlab.words import Language

HOST = "127.0.0.1:8417"
KNOWN = Secrets(told="told-secret", given="given-secret", root="/root-secret")
ROOT, NAME = KNOWN.root, KNOWN.cookie
COOKIE = ("cookie", f"{NAME}={KNOWN.given}")
Headers = Sequence[tuple[str, str]]
OWN: Headers = [("host", HOST), COOKIE]
"""Of a page of the lab's own that reads."""
SENDS: Headers = [
    *OWN,
    ("origin", f"http://{HOST}"),
    ("sec-fetch-site", "same-origin"),
    ("content-type", "application/x-www-form-urlencoded"),
]
"""Of one that sends a form."""
NO_DATABASE = "postgresql:///fleet?host=/there/is/no/such/socket"


def asked(
    lab: Path,
    path: str,
    headers: Headers,
    query: str = "",
    method: str = "GET",
    language: Language = Language.ENGLISH,
    database: str | None = None,
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer of a lab that was just started."""
    return answer(application(Lab(lab, language, database), KNOWN), Asking(path, headers, query, method))


@dataclass(frozen=True, slots=True)
class Asking:
    """A request."""

    path: str
    headers: Headers = tuple(OWN)
    query: str = ""
    method: str = "GET"
    body: bytes = b""


def answer(app: ASGIApp, one: Asking) -> tuple[int, dict[str, str], str]:
    """Status, headers and text."""
    sent: list[dict[str, object]] = []
    parts = [{"type": "http.request", "body": one.body, "more_body": False}]

    async def receive() -> dict[str, object]:
        return parts.pop() if parts and one.method != "GET" else {"type": "http.disconnect"}

    async def send(part: dict[str, object]) -> None:
        sent.append(part)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": one.method,
        "scheme": "http",
        "path": one.path,
        "raw_path": one.path.encode(),
        "query_string": one.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in one.headers],
        "server": ("127.0.0.1", 8417),
        "client": ("127.0.0.1", 50000),
    }
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    head = sent[0]
    found = {name.decode(): text.decode() for name, text in head["headers"]}  # type: ignore[attr-defined]
    body = b"".join(part.get("body", b"") for part in sent[1:])  # type: ignore[misc]
    return head["status"], found, body.decode()  # type: ignore[return-value]


WRONG_HOSTS: Sequence[Headers] = [
    [],
    [("host", "")],
    [("host", "evil.example")],
    [("host", "evil.example:8417")],
    [("host", "127.0.0.1.evil.example:8417")],
    [("host", "localhost.evil.example")],
    [("host", "evil.example@127.0.0.1")],
    [("host", "127.0.0.1:8417@evil.example")],
    [("host", "127.0.0.1:http")],
    [("host", "127.0.0.1:")],
    [("host", "127.0.0.2:8417")],
    [("host", "0.0.0.0:8417")],
    [("host", "[::]:8417")],
    [("host", "2130706433:8417")],
    [("host", "127.1:8417")],
    [("host", HOST), ("host", "evil.example")],
]
WRONG_ORIGINS: Sequence[Headers] = [
    [("origin", "null")],
    [("origin", "")],
    [("origin", "http://evil.example")],
    [("origin", "http://127.0.0.1:9999")],
    [("origin", "http://127.0.0.1")],
    [("origin", "http://localhost:8417")],
    [("origin", "https://127.0.0.1:8417")],
    [("origin", "http://127.0.0.1:8417.evil.example")],
    [("origin", f"http://{HOST}"), ("origin", "http://evil.example")],
    [("sec-fetch-site", "cross-site")],
    [("sec-fetch-site", "same-site")],
    [("origin", f"http://{HOST}"), ("sec-fetch-site", "cross-site")],
]
WRONG_SECRETS: Sequence[Headers] = [
    [],
    [("cookie", "")],
    [("cookie", f"{NAME}=")],
    [("cookie", f"{NAME}=wrong")],
    [("cookie", f"{NAME}={KNOWN.told}")],
    [("cookie", f"{NAME}={KNOWN.given}x")],
    [("cookie", f"other={KNOWN.given}")],
    [("cookie", f"ssdlab={KNOWN.given}")],
    [("cookie", f"{Secrets().cookie}={KNOWN.given}")],
    [("cookie", f"{NAME}={KNOWN.given[:-1]}")],
    [("cookie", f"{NAME}={KNOWN.given}\xff")],
    [("authorization", f"Bearer {KNOWN.given}")],
]
WRONG = [
    *([*headers, COOKIE] for headers in WRONG_HOSTS),
    *([("host", HOST), COOKIE, *headers] for headers in WRONG_ORIGINS),
    *([("host", HOST), *headers] for headers in WRONG_SECRETS),
]
