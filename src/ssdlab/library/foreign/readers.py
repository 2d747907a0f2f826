"""Which reader a file is for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.library.foreign import (
    as_ssd,
    crystaldiskmark,
    dirty_test,
    fio_logs,
    fio_result,
    specworkstation,
    threedmark,
    tkperf,
)
from ssdlab.library.foreign.result import Foreign, ForeignError, Reader, checked

READERS: tuple[Reader, ...] = (
    *crystaldiskmark.READERS,
    *as_ssd.READERS,
    *fio_result.READERS,
    *tkperf.READERS,
    *threedmark.READERS,
    *specworkstation.READERS,
    # Its logs have no heading, so all that have one are recognised before.
    *dirty_test.READERS,
)
FOLDER = "bench-fio, the folder it wrote"
FILE_BYTES_MAX = 256 << 20
"""No result is larger; what is larger is refused before it is read."""
_BEGIN_BYTES = 64 << 10
_FILES_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a result as it was given."""

    name: str
    content: bytes


def gathered(paths: Sequence[Path]) -> tuple[tuple[Path, ...], ...]:
    """The files that make one result each: logs of fio go with its JSON, or, where there is none, together.

    Raises:
        ForeignError: There are logs and several JSON files of fio.
    """
    logs = tuple(path for path in paths if fio_logs.is_fio_log(path))
    others = [path for path in paths if path not in logs]
    reports = [path for path in others if path.is_file() and _is_fio(path)]
    if logs and len(reports) > 1:
        raise ForeignError(
            f"the logs may be of any of {len(reports)} JSON files", "give one JSON with its logs, then the next"
        )
    if logs and not reports:
        return (*((path,) for path in others), logs)
    return tuple((path, *logs) if path in reports else (path,) for path in others)


def read_foreign(path: Path, *logs: Path) -> tuple[Foreign, tuple[Source, ...]]:
    """Read a file of another program, or a folder of bench-fio, and return what was read too.

    Args:
        path: The file.
        logs: Of fio's, of the same run.

    Raises:
        ForeignError: It is of no known program, too large, damaged or hostile.
    """
    if path.is_dir():
        return _read_folder(path)
    sources = tuple(_sources((path, *logs), lambda one: one.name))
    if fio_logs.is_fio_log(path):
        return checked(path.name, fio_logs.read_fio_logs((path, *logs))), sources
    begin = sources[0].content[:_BEGIN_BYTES]
    reader = next((reader for reader in READERS if reader.recognises(begin)), None)
    if reader is None:
        raise _unknown(path, begin)
    foreign = reader.read(path.name, sources[0].content)
    return (_with_audit(foreign, path, logs) if reader in fio_result.READERS else foreign), sources


def _read_folder(path: Path) -> tuple[Foreign, tuple[Source, ...]]:
    files = _json_files(path)
    sources = tuple(_sources(files, lambda one: "-".join(one.relative_to(path).parts)))
    foreign = checked(path.name, fio_result.read_bench_fio(path.name, [(one.name, one.content) for one in sources]))
    checks = (
        replace(check, step=f"{source.name}: {check.step}")
        for file, source in zip(files, sources, strict=True)
        for check in fio_logs.audit_of_json(file, ())
    )
    return replace(foreign, audit=tuple(checks)), sources


def _with_audit(foreign: Foreign, path: Path, logs: Sequence[Path]) -> Foreign:
    numbers, notes = fio_logs.log_numbers(logs)
    whole = replace(
        foreign,
        numbers=(*foreign.numbers, *numbers),
        cautions=(*foreign.cautions, *notes),
        audit=fio_logs.audit_of_json(path, logs),
    )
    return checked(path.name, whole)


def _is_fio(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            begin = file.read(_BEGIN_BYTES)
    except OSError:
        return False
    return any(reader.recognises(begin) for reader in fio_result.READERS)


_ATTO = re.compile(rb"ATTO ?Disk ?Benchmark|<atto", re.IGNORECASE)


def _unknown(path: Path, begin: bytes) -> ForeignError:
    if path.suffix.casefold() == ".bmk" or _ATTO.search(begin.replace(b"\0", b"")):
        return ForeignError(
            f"`{path}` is of ATTO Disk Benchmark, which does not document the form of its files",
            "ssdlab measures speed over transfer sizes itself: `ssdlab suite enterprise-sweep`",
        )
    return ForeignError(
        f"`{path}` is of no program whose results ssdlab reads",
        f"known are: {'; '.join(reader.program for reader in READERS)}; {fio_logs.FILES}; {FOLDER}",
    )


def _json_files(directory: Path) -> list[Path]:
    """Those below a directory."""
    paths = sorted(path for path in directory.rglob("*.json") if path.is_file() and not path.is_symlink())
    if len(paths) > _FILES_MAX:
        raise ForeignError(f"`{directory}` has {len(paths):,} JSON files, too many for one result")
    return paths


def _sources(paths: Sequence[Path], name: Callable[[Path], str]) -> Iterator[Source]:
    """The files whole, together no larger than a result may be."""
    left_bytes = FILE_BYTES_MAX
    for path in paths:
        content = _content(path, left_bytes)
        left_bytes -= len(content)
        yield Source(name(path), content)


def _content(path: Path, bytes_max: int) -> bytes:
    try:
        size_bytes = path.stat().st_size
        if size_bytes > bytes_max:
            raise ForeignError(f"`{path}` has {size_bytes:,} bytes, {bytes_max:,} are the most that is read")
        return path.read_bytes()
    except OSError as error:
        raise ForeignError(f"`{path}` cannot be read: {error.strerror}") from error
