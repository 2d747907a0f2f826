"""Digests of the lines of a journal: each covers its own line and, by way of the digest before it, all lines above.

A line is a JSON object whose last key is `sha256`. So a flipped bit, a line that is missing and one that was put in are all found,
and the lines that are sound still count.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

_KEY = b',"sha256":"'
_END = b'"}'
_DIGEST = re.compile(rb"[0-9a-f]{64}")
FIRST = ""
"""What comes before the first line."""


class LineState(Enum):
    """What is known of a line."""

    SOUND = "sound"
    UNSEALED = "written before there were digests"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class SealedLine:
    """A line as it was found."""

    text: bytes
    """Whole, without the end of the line."""
    body: bytes
    """JSON, without the digest."""
    standing: LineState


def sealed(body: bytes, before: str) -> bytes:
    """A line with its digest.

    Args:
        body: A JSON object that is not empty, on one line.
        before: Digest of the line above.
    """
    return body.removesuffix(b"}") + _KEY + _digest(body, before).encode() + _END


def digest_of(line: bytes) -> str:
    """What the next line goes on from."""
    parts = _parts(line)
    return FIRST if parts is None else parts[1]


def opened(lines: Iterable[bytes]) -> Iterator[SealedLine]:
    """Tell what each line is; lines without a digest are as they should be only before all that have one."""
    before: Collection[str] = {FIRST}
    without = LineState.UNSEALED
    for line in lines:
        parts = _parts(line)
        if parts is None:
            yield SealedLine(line, line, without)
            # Where a line is hurt just there, its digest may still stand in it.
            before = {*before, FIRST, *(found.decode() for found in _DIGEST.findall(line))}
            continue
        body, digest = parts
        without = LineState.DAMAGED
        computed = {_digest(body, one) for one in before}
        yield SealedLine(line, body, LineState.SOUND if digest in computed else LineState.DAMAGED)
        # Where the digest itself was hurt, the next line knows what it was.
        before = {digest, *computed}


def sealed_again(lines: Iterable[SealedLine]) -> Iterator[bytes]:
    """What is left of a journal, with new digests; what was damaged stays so."""
    before = FIRST
    for line in lines:
        text = sealed(line.body, before) if line.standing is LineState.SOUND else line.text
        before = digest_of(text)
        yield text


def _parts(line: bytes) -> tuple[bytes, str] | None:
    """What was said and its digest; None of a line that has none."""
    head, key, tail = line.rpartition(_KEY)
    if not key or not tail.endswith(_END) or not _DIGEST.fullmatch(tail.removesuffix(_END)):
        return None
    return head + b"}", tail.removesuffix(_END).decode()


def _digest(body: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()
