"""The languages a report can be in."""

from enum import Enum

from ssdlab.figure.model import Figure
from ssdlab.report.korean import in_korean, in_korean_page, korean


class Language(Enum):
    """By its tag (BCP 47)."""

    ENGLISH = "en"
    KOREAN = "ko"

    def figure(self, figure: Figure) -> Figure:
        """A figure with its words in this language."""
        return in_korean(figure) if self is Language.KOREAN else figure

    def page(self, page: str) -> str:
        """A page of HTML likewise."""
        return in_korean_page(page) if self is Language.KOREAN else page

    def words(self, text: str) -> str:
        """A text likewise."""
        return korean(text) if self is Language.KOREAN else text
