"""Unknown: a value that could not be had, with the reason; never `False`, `0` or `None` pretending."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that could not be had, and why."""

    unknown: str
