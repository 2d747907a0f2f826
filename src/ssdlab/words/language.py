"""The languages ssdlab speaks."""

from enum import Enum


class Language(Enum):
    """By its tag (BCP 47)."""

    ENGLISH = "en"
    KOREAN = "ko"

    # Of a member there is one; that of Enum is a function of Python, and an import of many jobs asks for millions.
    __hash__ = object.__hash__
