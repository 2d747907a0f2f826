"""The languages ssdlab speaks."""

from enum import Enum


class Language(Enum):
    """By its tag (BCP 47)."""

    ENGLISH = "en"
    KOREAN = "ko"
