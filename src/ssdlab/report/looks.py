"""The names of the looks of pages and pictures, which the command line needs before anything is drawn."""

from enum import Enum


class Theme(Enum):
    """On white or on black."""

    LIGHT = "light"
    DARK = "dark"
