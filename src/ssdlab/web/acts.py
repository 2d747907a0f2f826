"""What may be changed from a browser: each act is asked for by a page that names it, and done once somebody answered that page.

A question has a token that only its page has. So no request does anything that was not asked about just so, none does it twice, and a
page of another site, which can send requests and read no page of ours, has no token to send.
"""

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ssdlab.message import Message

TOKEN = "token"  # noqa: S105 - the name of a field
_QUESTIONS_MAX = 1000
"""Of pages that nobody has answered yet; before more of them the oldest are forgotten."""
_FORM = "application/x-www-form-urlencoded"
_FORM_BYTES_MAX = 1 << 16
_FIELDS_MAX = 2000

Act = TypeVar("Act")


@dataclass(frozen=True, slots=True)
class StopRun:
    """Stop a run of this host."""

    name: str
    process_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a page asks before anything is done.

    Attributes:
        title: What is to be done, as a question.
        facts: What it is done to: words before a value, and the value.
        told: What comes of it.
        answer: What the button says that does it.
        back: Where to go instead, below the root.
    """

    title: Message
    facts: Sequence[tuple[Message, str | Message]]
    told: Sequence[Message]
    answer: Message
    back: str


class Questions:
    """Which were asked and not answered yet."""

    def __init__(self) -> None:
        self._acts: OrderedDict[str, object] = OrderedDict()
        self._lock = Lock()

    def ask(self, act: object) -> str:
        """The token of a page that asks whether to do it."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._acts[token] = act
            while len(self._acts) > _QUESTIONS_MAX:
                self._acts.popitem(last=False)
        return token

    def answered(self, token: str, kind: type[Act]) -> Act:
        """What was asked about.

        Raises:
            HTTPException: Nothing of that kind was, or it was answered before.
        """
        with self._lock:
            act = self._acts.pop(token, None)
        if not isinstance(act, kind):
            raise HTTPException(403)
        return act


async def fields_of(request: Request) -> Mapping[str, Sequence[str]]:
    """The fields of a form that was sent.

    Raises:
        HTTPException: It is no form, or a larger one than any of ours.
    """
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() != _FORM:
        raise HTTPException(415)
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _FORM_BYTES_MAX:
            raise HTTPException(413)
    try:
        return parse_qs(content.decode(), keep_blank_values=True, max_num_fields=_FIELDS_MAX)
    except ValueError as error:
        raise HTTPException(400) from error


def token_in(fields: Mapping[str, Sequence[str]]) -> str:
    """The one token of a form; what is none where there are none or several."""
    tokens = fields.get(TOKEN, ())
    return tokens[0] if len(tokens) == 1 else ""
