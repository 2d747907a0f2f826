"""The language that the command line speaks: of `--lang`, else of the locale. What is written to bundles and as JSON has none."""

import re
from collections.abc import Mapping, Sequence

from ssdlab.message import Message
from ssdlab.words.language import Language

OPTION = "--lang"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set counts."""
_spoken = [Language.ENGLISH]


def speak(language: Language) -> None:
    """From now on."""
    _spoken[0] = language


def spoken() -> Language:
    """The reader's."""
    return _spoken[0]


def sentence(told: object) -> str:
    """A message in the reader's language; whatever else as the text it is."""
    from ssdlab.words import in_language

    return in_language(told, spoken()) if isinstance(told, Message) else str(told)


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """What a command line asks for, also one that is wrong elsewhere; else what the locale says."""
    asked, _ = without_language(arguments)
    for option in reversed(asked):
        if (value := option.partition("=")[2]) in {one.value for one in Language}:
            return Language(value)
    return language_of_locale(environment)


def language_of_locale(environment: Mapping[str, str]) -> Language:
    """Korean where the locale is (`ko`, `ko_KR.UTF-8`), else English."""
    locale = next(filter(None, (environment.get(name) for name in _LOCALE)), "")
    tag = re.match("[a-z]*", locale.lower())
    return Language.KOREAN if tag is not None and tag[0] == Language.KOREAN.value else Language.ENGLISH


def without_language(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options of that name, each with its value after an equals sign, and the arguments without them."""
    taken: list[str] = []
    others: list[str] = []
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        if argument == "--":
            others += arguments[position:]
            break
        if argument == OPTION and position + 1 < len(arguments):
            position += 1
            taken.append(f"{OPTION}={arguments[position]}")
        elif argument.startswith(f"{OPTION}="):
            taken.append(argument)
        else:
            others.append(argument)
        position += 1
    return taken, others
