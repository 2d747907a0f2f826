"""The four corners in the words of a figure."""

from ssdlab.figure.kit.say import say
from ssdlab.message import message
from ssdlab.probe.probes.corners import Corner


def corner_words(corner: Corner) -> str:
    """`random read`."""
    match corner:
        case Corner.SEQUENTIAL_READ:
            return say(message("figure-corner-sequential-read"))
        case Corner.RANDOM_READ:
            return say(message("figure-corner-random-read"))
        case Corner.SEQUENTIAL_WRITE:
            return say(message("figure-corner-sequential-write"))
        case Corner.RANDOM_WRITE:
            return say(message("figure-corner-random-write"))
