"""What a report says, in Korean: sentences by a table of patterns, figures before they are drawn, the page after it is laid out.

Numbers, units, names of drives, metrics, steps and files stay as they are.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape, unescape
from importlib.resources import files
from typing import Any

from ssdlab.figure.model import Cell, Column, Figure, LongChart, Table, Variant, VegaLite
from ssdlab.figure.style import HEADING, Heading, heading

FONT = "Noto Sans KR, Noto Sans CJK KR, NanumGothic, Malgun Gothic, Apple SD Gothic Neo"
"""Families with Hangul, behind those of all figures."""
_NUMBER = r"[+\u2212-]?\d(?:[\d,.]*\d)?"
_HOLES = re.compile(r"(#|\{\*?\})")
_SAID = {"#": rf"({_NUMBER})", "{}": r"((?:(?!\. [A-Z]|; ).)+?)", "{*}": "(.+?)"}
"""What a hole of the table takes in; a part of a sentence ends at a semicolon."""
_TABLES = ("korean.toml", "korean_probes.toml", "korean_imports.toml", "korean_drives.toml", "korean_audit.toml")
_PLACE = re.compile(r"\{(\d+)\}")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z“\d])")
_LISTS = ("; ", " · ", " + ", ": ", ", then ", ", ")
"""Between what is translated piece by piece where no pattern has the whole."""
_LATIN = re.compile(r"[A-Za-z]")
_SPOKEN = {"text", "label", "words", "count", "title", "description", "subtitle", "domain", "values"}
"""Keys of a specification whose strings a reader sees or hears."""
_OPAQUE = re.compile(r"(<(?:script|style|pre|code)\b.*?</(?:script|style|pre|code)>)", re.DOTALL)
_PIECES = re.compile(r"<[^>]*>|[^<]+")
_ATTRIBUTES = re.compile(r'(?<= )(aria-label|title|data-keys)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of the table."""

    english: str
    korean: str
    found: re.Pattern[str]

    def fill(self, parts: tuple[str, ...]) -> str:
        """The Korean with what stood in the holes of the English."""
        return _PLACE.sub(lambda match: korean(parts[int(match[1]) - 1]), self.korean)


@cache
def patterns() -> tuple[Pattern, ...]:
    """The tables as one, those that say most of their own first."""
    texts = [files("ssdlab.report").joinpath(name).read_text(encoding="utf-8") for name in _TABLES]
    pairs = [pair for text in texts for section in tomllib.loads(text).values() for pair in section.items()]
    return tuple(
        Pattern(english, said, _compiled(english))
        for english, said in sorted(pairs, key=lambda pair: -len(_HOLES.sub("", pair[0])))
    )


@cache
def _exact() -> dict[str, Pattern]:
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


def in_korean(figure: Figure) -> Figure:
    """A figure with all its words in Korean; the names of its files stay."""
    figure = figure if figure.retold is None else figure.retold(korean)
    variant = figure.variant
    return replace(
        figure,
        title=korean(figure.title),
        subtitle=tuple(korean(one) for one in figure.subtitle),
        caption=korean(figure.caption),
        spec=_spec(figure.spec),
        narrow_spec=_spec(figure.narrow_spec),
        table=_table(figure.table),
        long_chart=None if figure.long_chart is None else _chart(figure.long_chart),
        variant=None
        if variant is None
        else Variant(variant.name, korean(variant.summary), _spec(variant.spec), _spec(variant.narrow_spec)),
    )


def _table(table: Table) -> Table:
    def cell(value: Cell) -> Cell:
        return korean(value) if isinstance(value, str) else value

    return Table(
        korean(table.caption),
        tuple(_column(one) for one in table.columns),
        tuple(tuple(cell(one) for one in row) for row in table.rows),
    )


def _column(column: Column) -> Column:
    """The list knows most titles with their unit, which follows them."""
    if not column.unit:
        return Column(korean(column.title), "")
    title, _, unit = korean(f"{column.title} ({column.unit})").rpartition(" (")
    return Column(title, unit.removesuffix(")"))


def _chart(chart: LongChart) -> LongChart:
    return replace(
        chart,
        x_title=korean(chart.x_title),
        y_title=korean(chart.y_title),
        note=korean(chart.note),
        series=tuple(replace(one, label=korean(one.label)) for one in chart.series),
    )


def _spec(spec: VegaLite) -> VegaLite:
    said: dict[str, Any] = _spoken(dict(spec))
    if HEADING in spec.get("usermeta", {}):
        was = Heading(**spec["usermeta"][HEADING])
        said["title"] = heading(
            replace(was, title=korean(was.title), subtitle=tuple(korean(one) for one in was.subtitle))
        )
    config = dict(spec["config"])
    config["font"] = f"{config['font'].removesuffix(', sans-serif')}, {FONT}, sans-serif"
    return {**said, "config": config}


def _spoken(part: Any, key: str = "") -> Any:
    if isinstance(part, str):
        return korean(part) if key in _SPOKEN else part
    if isinstance(part, Mapping):
        return {
            name: _spoken(value, name) if name not in {"config", "usermeta"} else value for name, value in part.items()
        }
    if isinstance(part, list | tuple):
        return [_spoken(one, key) for one in part]
    return part


def in_korean_page(page: str) -> str:
    """A page with its texts and what a screen reader says in Korean; scripts, styles and listings as they were."""
    return "".join(_said(part) for part in _OPAQUE.split(page))


def _said(part: str) -> str:
    if _OPAQUE.fullmatch(part):
        return part
    return "".join(_piece(one) for one in _PIECES.findall(part))


def _piece(piece: str) -> str:
    if piece.startswith("<"):
        return _ATTRIBUTES.sub(lambda match: f'{match[1]}="{escape(_translated(unescape(match[2])))}"', piece)
    bare = piece.strip()
    if not bare:
        return piece
    begin = piece.index(bare)
    return f"{piece[:begin]}{escape(_translated(unescape(bare)), quote=False)}{piece[begin + len(bare) :]}"


def _translated(text: str) -> str:
    return korean(" ".join(text.split()))
