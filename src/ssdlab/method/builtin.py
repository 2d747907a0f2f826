"""Suites from where they are kept: those that come with ssdlab by name, anybody's own by path."""

import os
from importlib import resources
from pathlib import Path

from ssdlab.method.faults import SuiteError, one_of
from ssdlab.method.suite import Suite, parse_suite

_SUFFIX = ".toml"


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
            f"there is no suite `{name_or_path}`",
            one_of(name_or_path, list(names)),
            "give the path of a TOML file to run your own",
        )
    file = f"{name_or_path}{_SUFFIX}"
    return parse_suite(_directory().joinpath(file).read_text(encoding="utf-8"), file)


def _directory() -> resources.abc.Traversable:
    return resources.files("ssdlab.method") / "suites"


def _is_suite(name: str) -> bool:
    return name.endswith(_SUFFIX)


def _file_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SuiteError(f"`{path}` is no text in UTF-8: {error.reason} at byte {error.start}") from error
    except OSError as error:
        raise SuiteError(
            f"`{path}` cannot be read: {error.strerror}", f"built-in suites are {', '.join(builtin_names())}"
        ) from error
