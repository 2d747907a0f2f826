"""The keys of a virtual drive's specification, as its own reader names them when it is given a wrong one."""

import re

from sources.markdown import code, table
from sources.spec_words import FAULTS, MEANING, SECTIONS
from ssdlab import _core

_NOBODY = "no_key_is_called_like_this_one"
_ALLOWED = re.compile(r"allowed here: (.+)")
_FOUND = re.compile(r", found .*| \(?found .*")
_HEADS = ("key", "value", "if left out", "meaning")
_OF_FAULTS = """## `[[fault]]`

What is wrong with the drive on purpose, any number of tables. Errors, stalls and write protection act in virtual time too; all
others spoil data, which only a served drive holds. Which blocks they hit follows from the seed and the address alone.
`{"do":"faults"}` on the control socket says what each has done so far
([a drive that is not well](../guide/virtual-drives.md#a-drive-that-is-not-well)).
"""
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
    for section in ("", *SECTIONS, *FAULTS):
        keys = section_keys(section)
        known |= {(section, key) for key in keys}
        rows = [(code(key), _value(section, key), *_words(section, key)) for key in keys]
        if section == next(iter(FAULTS)):
            parts.append(_OF_FAULTS)
        parts.append(f"{_title(section)}\n\n{_meaning(section)}\n" + (f"\n{table(_HEADS, rows)}" if rows else ""))
    if surplus := MEANING.keys() - known:
        raise KeyError(f"the reader knows no {surplus}")
    if unknown := FAULTS.keys() ^ set(_fault_kinds()):
        raise KeyError(f"kinds of fault without words, or words without a kind: {unknown}")
    return "\n".join(parts)


def _title(section: str) -> str:
    if section in FAULTS:
        return f'### `kind = "{section}"`'
    return f"## `[{section}]`" if section else "## Top level"


def _meaning(section: str) -> str:
    return FAULTS[section] if section in FAULTS else SECTIONS.get(section, "Before the first section.")


def _fault_kinds() -> list[str]:
    message = next(text for _, key, text in _core.spec_check("[[fault]]\nkind = 1\n") if key == "fault[0].kind")
    return re.findall(r'"(\w+)"', message)


def _header(section: str) -> str:
    """What stands before a key of the section."""
    if section in FAULTS:
        return f'[[fault]]\nkind = "{section}"\n'
    return f"[{section}]\n{_SWITCH.get(section, '')}" if section else ""


def _path(section: str, key: str) -> str:
    """How the reader names the key."""
    return f"{'fault[0]' if section in FAULTS else section}.{key}".removeprefix(".")


def section_keys(section: str) -> tuple[str, ...]:
    """Every key the reader knows in a section; at top level those that are no section, of a fault those but its kind."""
    where = _path(section, _NOBODY)
    message = next(text for _, key, text in _core.spec_check(f"{_header(section)}{_NOBODY} = 1\n") if key == where)
    keys = _ALLOWED.search(message)
    if keys is None:
        raise ValueError(f"the reader does not list the keys of `{section}`: {message}")
    others = ("kind",) if section in FAULTS else () if section else (*SECTIONS, "fault")
    return tuple(key for key in keys[1].split(", ") if key not in others)


def _is_needed(section: str, key: str) -> bool:
    where = _path(section, key)
    return any(found == where and "is missing" in text for _, found, text in _core.spec_check(_header(section)))


def _value(section: str, key: str) -> str:
    """What the reader says may stand there, asked with what fits nowhere."""
    header = f"[{section}]\n" if key == "cache" and section in _SWITCH else _header(section)
    faults = _core.spec_check(f"{header}{key} = [[]]\n")
    message = next(text for _, found, text in faults if found == _path(section, key))
    return _FOUND.sub("", message).removeprefix("must be ").removeprefix("one of ")


def _words(section: str, key: str) -> tuple[str, str]:
    default, meaning = MEANING[section, key]
    needed = _is_needed(section, key)
    if needed != (default == ""):
        raise ValueError(f"`{section}.{key}` is {'needed' if needed else 'not needed'}, the page says otherwise")
    return "**needed**" if needed else default, meaning
