"""Names in whichever script, beside numbers: neither turns the other around."""

import re
import unicodedata

_STEERING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that are not seen and set the direction of what follows."""
_FROM_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_ISOLATED = "\u2068{}\u2069"
_CLASS = "".join(map(chr, _STEERING))
_ISOLATED_OR_STEERING = re.compile(f"\u2068(?P<apart>[^{_CLASS}]+)\u2069|[{_CLASS}]")


def plain(name: str) -> str:
    """Without the characters that steer: as data, and on a terminal, which shows them."""
    return name.translate(_STEERING)


def apart(name: str) -> str:
    """A name that leaves the order of all that stands around it alone: without what steers, and if it runs from right to left set apart.

    Pages, pictures and titles of windows all obey the two characters that set it apart; a name in Latin or Korean letters needs none.
    """
    letters = plain(name)
    if any(unicodedata.bidirectional(letter) in _FROM_RIGHT_TO_LEFT for letter in letters):
        return _ISOLATED.format(letters)
    return letters


def seen(text: str) -> str:
    r"""A text of anybody's with all that steers written as an escape, `\\u202e`, as on a terminal; a name that was set apart stays so."""
    return _ISOLATED_OR_STEERING.sub(_as_seen, text)


def _as_seen(found: re.Match[str]) -> str:
    return found[0] if found["apart"] else found[0].encode("unicode_escape").decode()
