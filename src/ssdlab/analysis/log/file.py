"""What a file that fio wrote is: told from its content, its kind from its name."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ssdlab import _core
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message, verbatim
from ssdlab.units import NS_PER_US

XZ = b"\xfd7zXZ\0"
"""What a file begins with that is packed with xz, which the readers of logs do not know."""
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


class LogFormat(Enum):
    """How it is written."""

    LINES = "log"
    HISTOGRAM = "histogram log"
    JSON = "json"


RATES = (LogKind.BANDWIDTH, LogKind.IOPS)


class LogUnit(Enum):
    """What latencies are logged in: microseconds before fio 2.99."""

    NANOSECONDS = "ns"
    MICROSECONDS = "us"

    @property
    def in_ns(self) -> int:
        """Nanoseconds in one of it."""
        return NS_PER_US if self is LogUnit.MICROSECONDS else 1


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file and what it is; JSON holds several kinds and ignores the one here."""

    path: Path
    kind: LogKind
    form: LogFormat
    unit: LogUnit = LogUnit.NANOSECONDS
    """Of its latencies; rates have one unit in every fio."""


def identify(path: Path, kind: LogKind | None, unit: LogUnit | None = None) -> LogFile:
    """Tell what a file is; a pipe (also `-`) is taken for a log of lines, of which nothing can be read beforehand.

    Args:
        path: The file.
        kind: What it logs, if its name does not say so.
        unit: Of its latencies, if something beside it says so.

    Raises:
        LogError: It cannot be read, or nothing says what it logs, or in which unit.
    """
    if str(path) != "-" and not path.exists():
        raise LogError(message("log-no-file", path=str(path)), message("os-check-path"))
    form = LogFormat.LINES
    # That a directory cannot be read is said by what reads it.
    head = b"" if path.is_dir() else None
    if path.is_file():
        with explained(path):
            head = _core.read_fio_file(path, _HEAD_BYTES)
        if head.startswith(XZ):
            # What is whole has been unpacked by now.
            raise LogError(message("foreign-cannot-unpack", path=str(path), reason="xz"), message("foreign-whole"))
        form = _form(head)
    if form is LogFormat.JSON:
        return LogFile(path, LogKind.COMPLETION_LATENCY, form)
    found = kind or kind_of_name(path.name)
    if found is None and path.is_dir():
        raise LogError(message("log-is-directory", path=str(path)), message("log-name-files", path=str(path)))
    if found is None:
        raise LogError(message("log-kind-unsaid", path=str(path)), message("log-say-kind"))
    if unit is None and form is LogFormat.LINES and found not in RATES and _may_be_of_fio_2(head):
        raise LogError(message("log-unit-unsaid", path=str(path)), message("log-say-unit"))
    # The number of its bins tells what a histogram counts, and it is read in nanoseconds.
    return LogFile(path, found, form, (form is LogFormat.LINES and unit) or LogUnit.NANOSECONDS)


def require_nanoseconds(files: Sequence[LogFile]) -> None:
    """For what is made of the numbers as they stand in the file.

    Raises:
        LogError: A log is in microseconds.
    """
    other = next((one.path for one in files if one.unit is not LogUnit.NANOSECONDS), None)
    if other is not None:
        raise LogError(message("log-microseconds-counted-only", path=str(other)), message("log-count-microseconds"))


def _may_be_of_fio_2(head: bytes | None) -> bool:
    """Whether the lines lack the priority that fio writes since 3.17, or cannot be seen, so that they may be of any fio before."""
    if head is None:
        return True
    # A file of one line need not end it.
    lines = head.split(b"\n")[:-1] or [head]
    columns = {line.count(b",") + 1 for line in lines}
    if columns == {4}:
        return True
    # The fifth is a priority, 0 or 1 or hexadecimal, or with `log_offset` an offset.
    return (
        columns == {5}
        and any(line.rpartition(b",")[2].strip() not in {b"0", b"1"} for line in lines)
        and not any(b"x" in line for line in lines)
    )


def _form(head: bytes) -> LogFormat:
    if (
        head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
        or b"\n{" in head
        or b'"fio version"' in head.replace(b"\0", b"")
    ):
        return LogFormat.JSON
    first, _, _ = head.partition(b"\n")
    return LogFormat.HISTOGRAM if first.count(b",") >= _COLUMNS_MAX else LogFormat.LINES


def kind_of_name(name: str) -> LogKind | None:
    """What is in a log that fio has named so; None of other names."""
    found = _KIND.findall(name)
    return LogKind(found[-1]) if found else None


def why_not_unpacked(path: Path, error: _core.PackedError) -> tuple[Message, Message]:
    """What is wrong with a packed file, and what to do about it."""
    if isinstance(error, _core.FollowedError):
        return message("foreign-followed", path=str(path)), message("foreign-followed-remedy")
    return message("foreign-cannot-unpack", path=str(path), reason=str(error)), message("foreign-whole")


@contextmanager
def explained(path: Path | None = None) -> Iterator[None]:
    """Turn what Rust says of a file into an error for the user.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    try:
        yield
    except _core.FioLogError as error:
        raise LogError(
            message("log-damaged", path=str(path or error.file), error=str(error)), message("log-whole-of-one-run")
        ) from error
    except _core.PackedError as error:
        raise LogError(*why_not_unpacked(path or Path(error.filename), error)) from error
    except OSError as error:
        named = path or error.filename
        if error.errno is None and named is not None and Path(named).is_file():
            # So an archive ends that was cut off, and a file that became shorter while it was read.
            raise LogError(message("foreign-ends-early", path=str(named)), message("foreign-whole")) from error
        raise LogError(
            message("log-unreadable", path=str(path or error.filename), reason=error.strerror or str(error))
        ) from error
    except ValueError as error:
        raise LogError(verbatim(str(error))) from error
