"""The language of a page: the one chosen on it, else the first that the browser asks for and we have."""

from starlette.requests import Request

from ssdlab.words import Language

LANGUAGE_COOKIE = "ssdlab-language"


def asked_language(tag: str) -> Language | None:
    """The language of a tag such as `ko-KR`."""
    name = tag.strip().lower().partition("-")[0]
    return next((one for one in Language if one.value == name), None)


def language_of(request: Request, otherwise: Language) -> Language:
    """Of a request."""
    chosen = asked_language(request.cookies.get(LANGUAGE_COOKIE, ""))
    if chosen is not None:
        return chosen
    tags = (part.partition(";")[0] for part in request.headers.get("accept-language", "").split(","))
    return next(filter(None, map(asked_language, tags)), otherwise)
