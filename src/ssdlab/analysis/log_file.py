"""What a file that fio wrote is: told from its content, its kind from its name."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ssdlab import _core
from ssdlab.errors import SsdlabError

_HEAD_BYTES = 65_536
_COLUMNS_MAX = 8
"""Of a log of lines; a histogram log has at least 29 bins after its first three columns."""
_KIND = re.compile(r"(?:^|[_.-])(slat|clat|lat|bw|iops)(?=[_.-])")


class LogError(SsdlabError):
    """A file is no log of fio, or damaged."""


class LogKind(Enum):
    """What fio logged."""

    LATENCY = "lat"
    COMPLETION_LATENCY = "clat"
    SUBMISSION_LATENCY = "slat"
    BANDWIDTH = "bw"
    IOPS = "iops"


class Form(Enum):
    """How it is written."""

    LINES = "log"
    HISTOGRAM = "histogram log"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file and what it is; JSON holds several kinds and ignores the one here."""

    path: Path
    kind: LogKind
    form: Form


def identify(path: Path, kind: LogKind | None) -> LogFile:
    """Tell what a file is; a pipe (also `-`) is taken for a log of lines.

    Args:
        path: The file.
        kind: What it logs, if its name does not say so.

    Raises:
        LogError: It cannot be read, or nothing says what it logs.
    """
    if str(path) != "-" and not path.exists():
        raise LogError(f"there is no file `{path}`")
    form = Form.LINES
    if path.is_file():
        with explained(path):
            form = _form(_core.read_fio_file(path, _HEAD_BYTES))
    if form is Form.JSON:
        return LogFile(path, LogKind.COMPLETION_LATENCY, form)
    found = kind or _kind(path.name)
    if found is None:
        raise LogError(
            f"the name of `{path}` does not say what it logs", "say it with `--kind lat`, clat, slat, bw or iops"
        )
    return LogFile(path, found, form)


def _form(head: bytes) -> Form:
    if head.lstrip().startswith(b"{") or b"\n{\n" in head:
        return Form.JSON
    first, _, _ = head.partition(b"\n")
    return Form.HISTOGRAM if first.count(b",") >= _COLUMNS_MAX else Form.LINES


def _kind(name: str) -> LogKind | None:
    found = _KIND.findall(name)
    return LogKind(found[-1]) if found else None


@contextmanager
def explained(path: Path | None = None) -> Iterator[None]:
    """Turn what Rust says of a file into an error for the user.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    try:
        yield
    except _core.FioLogError as error:
        raise LogError(f"`{path or error.file}`, {error}", "is it what fio wrote, whole and of one run?") from error
    except OSError as error:
        raise LogError(f"`{path or error.filename}` cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise LogError(str(error)) from error
