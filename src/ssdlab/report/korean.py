"""What older bundles say, and layers that have no messages yet, in Korean: sentences by a table of patterns.

Numbers, units, names of drives, metrics, steps and files stay as they are.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_NUMBER = r"[+\u2212-]?\d(?:[\d,.]*\d)?"
_HOLES = re.compile(r"(#|\{[*:]?\})")
_SAID = {"#": rf"({_NUMBER})", "{}": r"((?:(?!\. [A-Z]|; ).)+?)", "{*}": "(.+?)", "{:}": r"((?:(?!\. |; |: ).)+?)"}
"""What a hole of the table takes in; a part of a sentence ends at a semicolon, and one that begins it at a colon, too."""
_TABLES = (
    "korean.toml",
    "korean_probes.toml",
    "korean_imports.toml",
    "korean_drives.toml",
    "korean_audit.toml",
    "korean_earlier.toml",
)
_CATALOGUES = ("probe.ftl",)
_MESSAGE = re.compile(r"^(?P<id>[a-z][a-z0-9-]*) = (?P<text>.+)$", re.MULTILINE)
_VARIABLE = re.compile(r"\{ \$(\w+) \}")
_PLACE = re.compile(r"\{(\d+)\}")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z“\d])")
_LISTS = ("; ", " · ", " + ", ": ", ", then ", ", ")
"""Between what is translated piece by piece where no pattern has the whole."""
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class KoreanPattern:
    """One line of the table."""

    english: str
    korean: str
    found: re.Pattern[str]

    def fill(self, parts: tuple[str, ...]) -> str:
        """The Korean with what stood in the holes of the English."""
        return _PLACE.sub(lambda match: korean(parts[int(match[1]) - 1]), self.korean)


@cache
def patterns() -> tuple[KoreanPattern, ...]:
    """The tables as one, those that say most of their own first."""
    texts = [files("ssdlab.report").joinpath(name).read_text(encoding="utf-8") for name in _TABLES]
    told = [pair for text in texts for section in tomllib.loads(text).values() for pair in section.items()]
    # Of two lines for one word that of the tables counts, which know where it stands.
    pairs = [*_messages(), *told]
    return tuple(
        KoreanPattern(english, said, _compiled(english))
        for english, said in sorted(pairs, key=lambda pair: -len(_HOLES.sub("", pair[0])))
    )


def _messages() -> Iterator[tuple[str, str]]:
    """The messages that reach the page as English texts, as lines of the tables: bundles of older schemas have nothing else."""
    english, said = (
        {
            found["id"]: found["text"]
            for name in _CATALOGUES
            for found in _MESSAGE.finditer((files("ssdlab.words") / language / name).read_text(encoding="utf-8"))
        }
        for language in ("en", "ko")
    )
    for id_, text in english.items():
        yield from _lines(text, said[id_])
        parts, said_parts = text.split("; "), said[id_].split("; ")
        if 1 < len(parts) == len(said_parts):
            for part, said_part in zip(parts, said_parts, strict=True):
                yield from _lines(part, said_part)


def _lines(text: str, said: str) -> Iterator[tuple[str, str]]:
    """A message, or part of one, as a line of the tables; none where only values stand in it."""
    places = {name: f"{{{place}}}" for place, name in enumerate(_VARIABLE.findall(text), start=1)}
    if _LATIN.search(_VARIABLE.sub("", text)) and set(_VARIABLE.findall(said)) <= places.keys():
        holes = _VARIABLE.sub("{}", text)
        yield (
            f"{{:}}{holes[2:]}" if holes.startswith("{}") else holes,
            _VARIABLE.sub(lambda match: places[match[1]], said),
        )


@cache
def _exact() -> dict[str, KoreanPattern]:
    """Those without holes, by what they stand for."""
    return {one.english: one for one in patterns() if not _HOLES.search(one.english)}


def _compiled(english: str) -> re.Pattern[str]:
    return re.compile("".join(_SAID.get(part, re.escape(part)) for part in _HOLES.split(english)))


@cache
def korean(text: str) -> str:
    """The text in Korean as far as the table knows it; the rest as it was."""
    if not _LATIN.search(text):
        return text
    said = _whole(text)
    if said is not None:
        return said
    sentences = _SENTENCES.split(text)
    if len(sentences) > 1:
        return " ".join(korean(one) for one in sentences)
    if text.endswith("."):
        return f"{korean(text[:-1])}."
    for mark in _LISTS:
        if mark in text:
            between = ", " if mark == ", then " else mark
            # What a name introduces may have a colon of its own.
            parts = text.split(mark, maxsplit=1 if mark == ": " else -1)
            return between.join(korean(one) for one in parts)
    return text


def _whole(text: str) -> str | None:
    exact = _exact().get(text)
    if exact is not None:
        return exact.fill(())
    # The tables have parts of sentences as they stand inside one.
    inside = text[:1].lower() + text[1:]
    for one in patterns():
        match = one.found.fullmatch(text) or one.found.fullmatch(inside)
        if match is not None:
            return one.fill(match.groups())
    return None
