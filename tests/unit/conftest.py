"""The host that runs of tests say they were made on, and the language a test may have the command line speak."""

import pytest
from tests.kit.bench import bench

from ssdlab.cli.language import speak
from ssdlab.words import Language

__all__ = ["bench"]


@pytest.fixture
def korean() -> None:
    """The command line speaks Korean."""
    speak(Language.KOREAN)
