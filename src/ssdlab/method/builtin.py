"""Suites from where they are kept: those that come with ssdlab by name, anybody's own by path."""

import os
from importlib import resources
from pathlib import Path

from ssdlab import os_errors
from ssdlab.message import commas, message, number
from ssdlab.method.choices import one_of
from ssdlab.method.faults import SuiteError
from ssdlab.method.suite import Suite, parse_suite

_SUFFIX = ".toml"
_BYTES_MAX = 1_000_000
"""The longest that comes with ssdlab has a few thousand; what has no end must not be read to it."""


def builtin_names() -> tuple[str, ...]:
    """Names of the suites that come with ssdlab."""
    return tuple(sorted(file.name.removesuffix(_SUFFIX) for file in _directory().iterdir() if _is_suite(file.name)))


def load_suite(name_or_path: str) -> Suite:
    """Read a built-in suite by its name, or a file by its path (which has a `/` in it or ends in `.toml`).

    Raises:
        SuiteError: There is no such suite, the file cannot be read, or it has faults.
    """
    if os.sep in name_or_path or name_or_path.endswith(_SUFFIX):
        return parse_suite(_file_text(Path(name_or_path)), name_or_path)
    names = builtin_names()
    if name_or_path not in names:
        raise SuiteError(
            message("suite-none-such", name=name_or_path),
            one_of(name_or_path, list(names)),
            message("suite-own-file"),
        )
    file = f"{name_or_path}{_SUFFIX}"
    return parse_suite(_directory().joinpath(file).read_text(encoding="utf-8"), file)


def _directory() -> resources.abc.Traversable:
    return resources.files("ssdlab.method") / "suites"


def _is_suite(name: str) -> bool:
    return name.endswith(_SUFFIX)


def _file_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_BYTES_MAX + 1)
        if len(content) > _BYTES_MAX:
            raise SuiteError(message("suite-too-long", path=str(path), most=number(_BYTES_MAX)))
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SuiteError(message("suite-no-utf-8", path=str(path), why=error.reason, at=error.start)) from error
    except OSError as error:
        raise SuiteError(
            message("suite-unreadable", path=str(path), why=os_errors.reason_of(error)),
            message("suite-builtin-are", names=commas(*builtin_names())),
        ) from error
