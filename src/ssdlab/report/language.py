"""A report in a language."""

from ssdlab.message import Message
from ssdlab.report.earlier import in_korean_as_written
from ssdlab.words import Language, in_language


def told_in(told: Message, language: Language) -> str:
    """A message in the language."""
    return in_language(in_korean_as_written(told) if language is Language.KOREAN else told, language)
