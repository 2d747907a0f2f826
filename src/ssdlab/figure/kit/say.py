"""The words of a figure: how much room they take decides where they stand, so a figure is laid out in one language.

Whoever asks for figures names the language once (`drawn_in`); what draws them says messages (`say`).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ssdlab.figure.kit.model import Column
from ssdlab.message import Message
from ssdlab.words import Language, in_language

_FONT = "Liberation Sans, Arial, Helvetica"
HANGUL_FONT = "Noto Sans KR, Noto Sans CJK KR, NanumGothic, Malgun Gothic, Apple SD Gothic Neo"
"""Families with Hangul, behind those of all figures."""
FOREIGN_FONT = f"{_FONT}, {HANGUL_FONT}, sans-serif"
"""For words of any language."""
_LANGUAGE: ContextVar[Language] = ContextVar("language of the figures that are drawn", default=Language.ENGLISH)


@contextmanager
def drawn_in(language: Language) -> Iterator[None]:
    """Figures drawn meanwhile speak the language; all others speak English."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def say(told: Message) -> str:
    """The sentence in the language of the figure."""
    return in_language(told, _LANGUAGE.get())


def sentences(*said: str) -> str:
    """One after the other; those that are empty are left out."""
    return " ".join(sentence for sentence in said if sentence)


def listed(words: Iterable[str]) -> str:
    """With commas between them."""
    return ", ".join(words)


def font() -> str:
    """The families of the letters, the first that is there counts."""
    return FOREIGN_FONT if _LANGUAGE.get() is Language.KOREAN else f"{_FONT}, sans-serif"


def column(title: Message, unit: str = "") -> Column:
    """A column of a table; without a unit one of text."""
    return Column(say(title), unit)


def first_upper(text: str) -> str:
    """The text as the beginning of a sentence."""
    return f"{text[0].upper()}{text[1:]}"
