"""Mixes from where they are kept: those that come with ssdlab by name, anybody's own by path."""

import os
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from ssdlab import _core, os_errors
from ssdlab.job import Region
from ssdlab.message import Message, message, number, semicolons, verbatim
from ssdlab.method.choices import one_of
from ssdlab.method.faults import Fault, SuiteError, faulty_suite, schema_faults
from ssdlab.method.kinds.mixes import is_path, mix_name
from ssdlab.method.mix import Mix, MixOrigin

_SUFFIX = ".toml"
_BYTES_MAX = 100_000
"""What comes with ssdlab has a few thousand; a suite may name what has no end."""


def mix_names() -> tuple[str, ...]:
    """Names of the mixes that come with ssdlab."""
    return tuple(sorted(one.name.removesuffix(_SUFFIX) for one in _directory().iterdir() if one.name.endswith(_SUFFIX)))


@lru_cache
def load_mix(name_or_path: str) -> Mix:
    """Read a mix that comes with ssdlab by its name, or a file by its path (which has a `/` in it or ends in `.toml`).

    Raises:
        SuiteError: There is no such mix, the file cannot be read, or it has faults, each with its line.
    """
    if is_path(name_or_path):
        return parse_mix(_file_text(Path(name_or_path)), name_or_path)
    if name_or_path not in mix_names():
        raise SuiteError(message("mix-none-such", name=name_or_path), one_of(name_or_path, list(mix_names())))
    file = f"{name_or_path}{_SUFFIX}"
    return parse_mix(_directory().joinpath(file).read_text(encoding="utf-8"), file)


def title_of_mix(name_or_path: str) -> Message:
    """What readers call it: the title of one that comes with ssdlab, with a word where it is ours; of anybody's own the name of its file.

    A file of one's own may not be where the run was made, and is not looked for.
    """
    if name_or_path not in mix_names():
        return verbatim(mix_name(name_or_path))
    mix = load_mix(name_or_path)
    return message("mix-title-ours", title=mix.title) if mix.origin is MixOrigin.OURS else verbatim(mix.title)


def parse_mix(text: str, source: str) -> Mix:
    """Read the text of a mix; `source` names it in errors.

    Raises:
        SuiteError: All faults of the text at once, each with its line.
    """
    try:
        lines = {tuple(path): line for path, line in _core.toml_key_lines(text)}
        document = tomllib.loads(text)
    # Of nesting and of numbers without end `tomllib` raises what Python does.
    except (_core.TomlError, ValueError, RecursionError) as error:
        line = error.line if isinstance(error, _core.TomlError) else 0
        raise faulty_suite(source, [Fault(line, message("suite-syntax"), verbatim(str(error)))]) from error
    try:
        return Mix.model_validate(document)
    except ValidationError as error:
        raise faulty_suite(source, [*schema_faults(error, lines, Mix)]) from error


def mix_faults(name_or_path: str, region: Region) -> Iterator[Message]:
    """Why a mix cannot be done in a region."""
    try:
        mix = load_mix(name_or_path)
    except SuiteError as error:
        yield (
            message("suite-with-hints", fault=error.message, hints=semicolons(*error.hints))
            if error.hints
            else error.message
        )
        return
    for part in mix.parts(region):
        longest = max(size.block_bytes for size in part.sizes)
        if part.region.length_bytes < longest:
            yield message("mix-too-little-room", mix=name_or_path, length=number(longest, "d"))
            return


def _file_text(path: Path) -> str:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            content = file.read(_BYTES_MAX + 1)
        if len(content) > _BYTES_MAX:
            raise SuiteError(message("mix-too-long", path=str(path), most=number(_BYTES_MAX)))
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SuiteError(message("suite-no-utf-8", path=str(path), why=error.reason, at=error.start)) from error
    except OSError as error:
        raise SuiteError(message("suite-unreadable", path=str(path), why=os_errors.reason_of(error))) from error


def _without_waiting(path: str, flags: int) -> int:
    """A pipe that a stranger's suite names is empty, where opening it would wait for somebody to write into it."""
    return os.open(path, flags | os.O_NONBLOCK)


def _directory() -> resources.abc.Traversable:
    return resources.files("ssdlab.method") / "mixes"
