"""What could be chosen, for messages about what could not."""

import difflib

from ssdlab.message import Message, commas, message


def one_of(found: str, known: list[str]) -> Message:
    """What there is, with the likely one first."""
    near = difflib.get_close_matches(found, known, n=1)
    if near:
        return message("suite-did-you-mean", guess=near[0], known=commas(*known))
    return message("suite-choose", known=commas(*known))
