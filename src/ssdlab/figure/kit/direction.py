"""Names in whichever script, beside numbers: neither turns the other around."""

import unicodedata

_STEERING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that are not seen and set the direction of what follows."""
_FROM_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_ISOLATED = "\u2068{}\u2069"


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
