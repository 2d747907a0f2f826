"""What the code says of the attributes of a class: the string below each, and the `Attributes:` part of its docstring."""

import ast
import inspect
import re
import textwrap
from typing import Any

_LISTED = re.compile(r"^ {4}(\w+(?:, \w+)*): (.+(?:\n {8}.+)*)", re.MULTILINE)


def words_of(cls: type[Any]) -> dict[str, str]:
    """Meaning by attribute, those of the classes it extends included; attributes without words are absent."""
    found: dict[str, str] = {}
    for one in reversed([base for base in cls.__mro__ if base.__module__.startswith("ssdlab.")]):
        found |= _own_words(one)
    return found


def _own_words(cls: type[Any]) -> dict[str, str]:
    docstring = cls.__doc__ or ""
    found: dict[str, str] = {}
    for names, words in _LISTED.findall(docstring.partition("Attributes:")[2]):
        found |= dict.fromkeys(names.split(", "), " ".join(words.split()))
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - it is the source of a class
    for statement, following in zip(body.body, body.body[1:], strict=False):
        name = _assigned(statement)
        if name and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            found[name] = " ".join(str(following.value.value).split())
    return found


def first_line(thing: object) -> str:
    """The first line of a docstring, without the name of the thing in front and references for readers of the code behind."""
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    sentence = re.sub(r" \((?:METHODS|DESIGN) [^)]*\)", "", re.sub(r"^`[^`]*`: ", "", line))
    return sentence[:1].upper() + sentence[1:]


def _assigned(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None
