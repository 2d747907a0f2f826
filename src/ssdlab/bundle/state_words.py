"""States of a drive in words."""

from collections.abc import Iterable, Mapping
from functools import reduce

from ssdlab.job import DriveState
from ssdlab.message import Message, message

STATE_WORDS: Mapping[DriveState, Message] = {
    DriveState.FOB: message("state-fob"),
    DriveState.FILLED_ONCE: message("state-filled-once"),
    DriveState.FILLED_TWICE: message("state-filled-twice"),
    DriveState.PARTLY_FILLED: message("state-partly-filled"),
    DriveState.RANDOM_WRITTEN: message("state-random-written"),
    DriveState.PRECONDITIONED: message("state-preconditioned"),
    DriveState.STEADY: message("state-steady"),
    DriveState.NOT_STEADY: message("state-not-steady"),
    DriveState.THREE_QUARTERS_FULL: message("state-three-quarters-full"),
    DriveState.AS_FOUND: message("state-as-found"),
    DriveState.REGION_IN_ORDER: message("state-region-in-order"),
    DriveState.LEFT_BY_PROBES: message("state-left-by-probes"),
    DriveState.UNKNOWN: message("state-unknown"),
}


def states_words(states: Iterable[DriveState]) -> Message | None:
    """The known states in the order in which they came; None where none is known."""
    known = [STATE_WORDS[state] for state in dict.fromkeys(states) if state is not DriveState.UNKNOWN]
    return reduce(_then, known) if known else None


def _then(before: Message, after: Message) -> Message:
    return message("state-then", before=before, after=after)
