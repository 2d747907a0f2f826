"""The catalogues: from a message to a sentence."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ssdlab import units
from ssdlab.message import Listed, Message, Number, QuantityForm, Separator, ShownQuantity, Value, message
from ssdlab.words.language import Language

if TYPE_CHECKING:
    from ssdlab._core import Catalogue

_SHOWN = {
    QuantityForm.BYTES: units.format_bytes,
    QuantityForm.BYTES_DECIMAL: units.format_bytes_decimal,
    QuantityForm.BANDWIDTH: units.format_bandwidth,
    QuantityForm.BANDWIDTH_DECIMAL: units.format_bandwidth_decimal,
    QuantityForm.DURATION: units.format_duration,
    QuantityForm.SI: units.format_si,
}
_BETWEEN = {
    Separator.COMMA: ", ",
    Separator.SEMICOLON: "; ",
    Separator.SENTENCE: ". ",
    Separator.SLASH: " / ",
    Separator.COLON: ": ",
    Separator.DOT: " · ",
    Separator.SPACE: " ",
    Separator.LINE: "\n",
}
_SPOKEN = {Separator.AND: "list-and", Separator.OR: "list-or"}
"""Marks that are words, by the message that joins the last two items."""


@cache
def _catalogue(language: Language) -> "Catalogue":
    # Whoever has nothing to tell, such as `--version`, does not wait for the library.
    from ssdlab._core import Catalogue

    folder = files("ssdlab.words") / language.value
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".ftl"))
    return Catalogue(language.value, [(folder / name).read_text(encoding="utf-8") for name in names])


def ids(language: Language) -> frozenset[str]:
    """All messages of a language."""
    return frozenset(_catalogue(language).ids())


def in_language(told: Message, language: Language) -> str:
    """The sentence; what the catalogues cannot tell is told as it was written down, or by its id and values.

    Raises:
        ValueError: A value is missing that the sentence needs, and no sentence was written down.
    """
    try:
        return _formed(told, language)
    except (ValueError, ArithmeticError):
        # The values are those of another version's sentence of this id.
        if not told.english:
            raise
        return told.english


def _formed(told: Message, language: Language) -> str:
    return _formed_of_values(told, language) if told.pairs or told.english else _bare(told.id, language)


@cache
def _bare(id_: str, language: Language) -> str:
    """A sentence without values, of which the audit of many jobs has thousands that are the same."""
    return _formed_of_values(message(id_), language)


def _formed_of_values(told: Message, language: Language) -> str:
    shown = tuple((name, _shown(value, language)) for name, value in told.pairs)
    sentence = _sentence(told.id, shown, language)
    if sentence is not None:
        return sentence
    if language is not Language.ENGLISH:
        return in_language(told, Language.ENGLISH)
    return told.english or " ".join((told.id, *(f"{name}={value}" for name, value in shown)))


@lru_cache(maxsize=2000)
def _sentence(id_: str, shown: tuple[tuple[str, str | int], ...], language: Language) -> str | None:
    """Numbers are shown by few digits, so that of many jobs many sentences are the same."""
    return _catalogue(language).sentence(id_, dict(shown))


def in_english(told: Message) -> str:
    """The sentence in English."""
    return in_language(told, Language.ENGLISH)


def _shown(value: Value, language: Language) -> str | int:
    match value:
        case str():
            # Halves of surrogate pairs stand for bytes of a path that are no UTF-8; the formatter would put one mark for all of them.
            return value if value.isascii() else value.encode(errors="backslashreplace").decode()
        case int():
            return value
        case ShownQuantity():
            return _SHOWN[value.form](value.value)
        case Number():
            return format(value.value, value.format)
        case Listed():
            return _listed(value, language)
        case Message():
            return in_language(value, language)


def _listed(listed: Listed, language: Language) -> str:
    items = [str(_shown(item, language)) for item in listed.items]
    if listed.mark not in _SPOKEN:
        return _BETWEEN[listed.mark].join(items)
    if len(items) < 2:
        return "".join(items)
    return in_language(message(_SPOKEN[listed.mark], before=", ".join(items[:-1]), last=items[-1]), language)
