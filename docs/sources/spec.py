"""The keys of a virtual drive's specification, as its own reader names them when it is given a wrong one."""

import re

from sources.markdown import code, table
from sources.spec_words import MEANING, SECTIONS
from ssdlab import _core

_NOBODY = "no_key_is_called_like_this_one"
_ALLOWED = re.compile(r"allowed here: (.+)")
_FOUND = re.compile(r", found .*| \(?found .*")
_SWITCH = {"map": 'cache = "hmb"\n'}
"""What must be said for all keys of a section to be asked for."""


def page() -> str:
    """`spec.md`."""
    parts = [
        (
            "# Specification of a virtual drive\n\nA TOML file. `ssdlab vdrive show demo` prints one, and "
            "[virtual drives](../guide/virtual-drives.md) says how to run your own. All faults are listed at once, each with its "
            "line, and so are keys that contradict each other. What is built in: [builtin-specs.md](builtin-specs.md).\n"
        )
    ]
    known: set[tuple[str, str]] = set()
    for section in ("", *SECTIONS):
        keys = section_keys(section)
        known |= {(section, key) for key in keys}
        rows = [(code(key), _value(section, key), *_words(section, key)) for key in keys]
        title = f"`[{section}]`" if section else "Top level"
        words = SECTIONS.get(section, "Before the first section.")
        parts.append(f"## {title}\n\n{words}\n\n{table(('key', 'value', 'if left out', 'meaning'), rows)}")
    if surplus := MEANING.keys() - known:
        raise KeyError(f"the reader knows no {surplus}")
    return "\n".join(parts)


def section_keys(section: str) -> tuple[str, ...]:
    """Every key the reader knows in a section; at top level those that are no section."""
    header = f"[{section}]\n{_SWITCH.get(section, '')}" if section else ""
    where = f"{section}.{_NOBODY}".removeprefix(".")
    message = next(text for _, key, text in _core.spec_check(f"{header}{_NOBODY} = 1\n") if key == where)
    keys = _ALLOWED.search(message)
    if keys is None:
        raise ValueError(f"the reader does not list the keys of `{section}`: {message}")
    return tuple(key for key in keys[1].split(", ") if section or key not in SECTIONS)


def _is_needed(section: str, key: str) -> bool:
    header = f"[{section}]\n{_SWITCH.get(section, '')}" if section else ""
    where = f"{section}.{key}".removeprefix(".")
    return any(found == where and "is missing" in text for _, found, text in _core.spec_check(header))


def _value(section: str, key: str) -> str:
    """What the reader says may stand there, asked with what fits nowhere."""
    where = f"{section}.{key}".removeprefix(".")
    header = f"[{section}]\n" if section else ""
    switch = "" if key == "cache" else _SWITCH.get(section, "")
    message = next(text for _, found, text in _core.spec_check(f"{header}{switch}{key} = [[]]\n") if found == where)
    return _FOUND.sub("", message).removeprefix("must be ").removeprefix("one of ")


def _words(section: str, key: str) -> tuple[str, str]:
    default, meaning = MEANING[section, key]
    needed = _is_needed(section, key)
    if needed != (default == ""):
        raise ValueError(f"`{section}.{key}` is {'needed' if needed else 'not needed'}, the page says otherwise")
    return "**needed**" if needed else default, meaning
