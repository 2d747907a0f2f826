"""Sentences of `audit.json` and `metrics.json` as they were up to schema 4, when they were texts in English."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from ssdlab.message import Message
from ssdlab.message_json import message_as_json
from ssdlab.words import Language, ids, in_english

_AUDIT, _METRIC = "audit-", "metric-"
"""Domains of messages."""


def upgraded_check(found: Any) -> Any:
    """What was `mend` is `remedy`, an empty text is none, and a sentence that is a message without values is that message."""
    if not isinstance(found, dict) or "remedy" in found:
        return found
    told = {key: _told(text, _AUDIT) for key, text in found.items() if key in {"finding", "meaning", "mend"}}
    return {**found, **told, "meaning": told.get("meaning") or None, "remedy": told.get("mend") or None}


def upgraded_note(text: Any) -> Any:
    """A note of a metric that is a message without values is that message."""
    return _told(text, _METRIC)


def _told(text: Any, domain: str) -> Any:
    known = _sentences(domain).get(text) if isinstance(text, str) else None
    return text if known is None else message_as_json(known)


@cache
def _sentences(domain: str) -> Mapping[str, Message]:
    """Messages of a domain that need no values, by what they say."""
    found: dict[str, Message] = {}
    for id_ in ids(Language.ENGLISH):
        # A message that needs values cannot be told without them.
        with suppress(ValueError):
            if id_.startswith(domain):
                found[in_english(Message(id_))] = Message(id_)
    return found
