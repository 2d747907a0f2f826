"""The one way by which text reaches a terminal: whatever is in a name, it cannot steer the terminal or begin a line of its own."""

import json
import math
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from ssdlab.cli.language import sentence

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of Unicode that steer instead of being seen: controls, formats such as the turn of direction, halves of
surrogate pairs (bytes of a path that are no UTF-8), ends of lines."""


def visible(text: str) -> str:
    """A text in one line, with everything that a terminal would obey in place of showing it written as an escape."""
    if text.isprintable():
        return text
    return "".join(_escaped(letter) if unicodedata.category(letter) in _UNSEEN else letter for letter in text)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def columns_of(text: str) -> int:
    """How many columns of a terminal a visible text takes: letters of Korean take two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1
        for letter in text
    )


def cut_to(text: str, columns: int) -> str:
    """As much of a visible text as fits."""
    while columns_of(text) > columns:
        text = text[:-1]
    return text


def width() -> int | None:
    """Columns of the terminal that data goes to; None where it goes elsewhere and lines are as long as they are."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(text: str) -> Iterator[str]:
    """A visible text in lines that fit the terminal, broken between words; what follows the first is indented by two more."""
    columns = width()
    if columns is None or columns_of(text) <= columns:
        yield text
        return
    words = text.lstrip(" ").split(" ")
    indent = " " * (len(text) - len(text.lstrip(" ")))
    line = indent + words[0]
    for word in words[1:]:
        if columns_of(f"{line} {word}") > columns:
            yield line
            line = f"{indent}  {word}"
        else:
            line = f"{line} {word}"
    yield line


def say(line: object = "") -> None:
    """A line of data, to stdout."""
    print(visible(sentence(line)))


def say_wrapped(line: object) -> None:
    """A line of data that may be broken to fit the terminal, to stdout."""
    for part in wrapped(visible(sentence(line))):
        print(part)


def _hand_on_data() -> None:
    """What stdout does not take stays where it is; the end of the command tells why, and no run ends for it."""
    with suppress(OSError):
        sys.stdout.flush()


def tell(line: object = "") -> None:
    """A line about what is going on, to stderr; behind what was said before, also where both go into one pipe."""
    _hand_on_data()
    print(visible(sentence(line)), file=sys.stderr)


def ask(question: object) -> None:
    """What is answered on the same line, to stderr."""
    _hand_on_data()
    print(visible(sentence(question)), end="", file=sys.stderr, flush=True)


def rewrite(line: str) -> None:
    """A line on stderr, which must be a terminal, that the next one is written over."""
    print(f"\r{visible(line)}\033[K", end="\r", file=sys.stderr, flush=True)


def say_text(text: str, stream: TextIO | None = None) -> None:
    """Text of several lines, each on its own; to stdout unless said otherwise."""
    for line in text.removesuffix("\n").split("\n"):
        print("\t".join(map(visible, line.split("\t"))), file=stream)


def say_json(value: object) -> None:
    """JSON in ASCII, so that nothing in it can steer a terminal either."""
    say_text(json.dumps(_speakable(value), indent=2, allow_nan=False, default=str).replace("\x7f", "\\u007f"))


def _speakable(value: object) -> object:
    """JSON has no word for what is no number and for what has no end."""
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {key: _speakable(one) for key, one in value.items()}
        case list() | tuple():
            return [_speakable(one) for one in value]
        case _:
            return value


def never_fail_on_letters() -> None:
    """What an output cannot encode is written as an escape there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
