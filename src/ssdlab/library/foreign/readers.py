"""Which reader a file is for."""

import io
import lzma
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from ssdlab import _core, os_errors
from ssdlab.analysis.log.file import XZ, LogUnit, why_not_unpacked
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.stored import StoredBytes
from ssdlab.engine.fio.stored_document import SMALL_BYTES
from ssdlab.library.foreign import (
    as_ssd,
    crystaldiskmark,
    crystaldiskmark_old,
    dirty_test,
    diskspd,
    elbencho,
    fio_logs,
    fio_result,
    fio_text,
    hd_tune,
    iozone,
    phoronix,
    specworkstation,
    ssd_iq,
    sysbench,
    threedmark,
    tkperf,
    vdbench,
)
from ssdlab.library.foreign.result import Foreign, ForeignError, Reader, checked
from ssdlab.message import message, number, semicolons, size
from ssdlab.scratch import scratch

READERS: tuple[Reader, ...] = (
    *crystaldiskmark_old.READERS,
    *crystaldiskmark.READERS,
    *as_ssd.READERS,
    *fio_result.READERS,
    *fio_text.READERS,
    *tkperf.READERS,
    *threedmark.READERS,
    *specworkstation.READERS,
    *diskspd.READERS,
    *sysbench.READERS,
    *elbencho.READERS,
    *iozone.READERS,
    *vdbench.READERS,
    *phoronix.READERS,
    *hd_tune.READERS,
    *ssd_iq.READERS,
    # Its logs have no heading, so all that have one are recognised before.
    *dirty_test.READERS,
)
FOLDER = "bench-fio, the folder it wrote"
FILE_BYTES_MAX = 256 << 20
"""No other result is larger; what is larger is refused before it is read, as is what a packed file or a pipe comes to."""
FIO_BYTES_MAX = 4 << 30
"""Of plain files of fio's JSON, which are read job by job; of a folder of them together."""
_BEGIN_BYTES = 64 << 10
_PART_BYTES = 1 << 20
_MARK_BYTES = 4 << 10
"""What a file is recognised by is shorter."""
_FIO_BEGIN_BYTES = 4 << 20
"""In which fio's JSON begins: errors that fio printed may stand before it."""
_SEARCHED_BYTES = 64 << 20
"""In which fio's JSON or text is looked for where nothing is known of a file by its first bytes: a week of progress, a line each second."""
_FILES_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a result as it was given."""

    name: str
    content: StoredBytes


def gathered(paths: Sequence[Path]) -> tuple[tuple[Path, ...], ...]:
    """The files that make one result each: logs of fio go with its JSON, or, where there is none, together.

    Raises:
        ForeignError: There are logs and several JSON files of fio.
    """
    is_log = {path: fio_logs.is_fio_log(path) for path in paths}
    logs = tuple(path for path in paths if is_log[path])
    if not logs:
        return tuple((path,) for path in paths)
    others = [path for path in paths if not is_log[path]]
    reports = {path for path in others if path.is_file() and _is_fio(path)}
    if len(reports) > 1:
        raise ForeignError(message("foreign-logs-of-many", count=len(reports)), message("foreign-one-json-then-next"))
    if not reports:
        return (*((path,) for path in others), logs)
    return tuple((path, *logs) if path in reports else (path,) for path in others)


def read_foreign(path: Path, *logs: Path, log_unit: LogUnit | None = None) -> tuple[Foreign, tuple[Source, ...]]:
    """Read a file of another program, or a folder of bench-fio, and return what was read too.

    Args:
        path: The file.
        logs: Of fio's, of the same run.
        log_unit: In what logs have their latencies, where neither they nor a JSON beside them say so.

    Raises:
        ForeignError: It is of no known program, too large, damaged or hostile.
    """
    if path.is_dir():
        return _read_folder(path)
    sources = tuple(_sources((path, *logs), lambda one: one.name))
    if fio_logs.is_fio_log(path):
        return checked(path.name, fio_logs.read_fio_logs((path, *logs), log_unit)), sources
    content = sources[0].content
    with _explained(path):
        begin = next(content.parts(), b"")[:_BEGIN_BYTES]
    reader = next((reader for reader in READERS if reader.recognises(begin)), None)
    if reader is None:
        # Errors that fio prints come before its JSON, and its progress before its text, and there may be much of them.
        of_fio = (*fio_result.READERS, *fio_text.READERS)
        with _explained(path):
            reader = next((reader for reader in of_fio if _recognised_in(content, reader)), None)
    if reader is None:
        raise _unknown(path, begin, content.size_bytes)
    if reader in fio_result.READERS:
        return _read_report(path, content, logs, log_unit), sources
    if content.size_bytes > FILE_BYTES_MAX:
        raise _too_long(path, FILE_BYTES_MAX)
    with _explained(path):
        whole = content.whole()
    return reader.read(path.name, whole), sources


def _read_report(path: Path, content: StoredBytes, logs: Sequence[Path], log_unit: LogUnit | None) -> Foreign:
    def parse(name: str, _: bytes) -> Foreign:
        return fio_result.read_with_logs(name, content, logs, log_unit)

    (reader,) = fio_result.READERS
    with _explained(path):
        return replace(reader, parse=parse).read(path.name, b"")


def _recognised_in(content: StoredBytes, reader: Reader) -> bool:
    """Whether any part of its beginning is recognised."""
    before, left_bytes = b"", _SEARCHED_BYTES
    for part in content.parts():
        if reader.recognises(before + part):
            return True
        before = part[-_MARK_BYTES:]
        left_bytes -= len(part)
        if left_bytes <= 0:
            return False
    return False


def _read_folder(path: Path) -> tuple[Foreign, tuple[Source, ...]]:
    files = _json_files(path)
    sources = tuple(_sources(files, lambda one: "-".join(one.relative_to(path).parts)))
    foreign = fio_result.read_bench_fio(path.name, [(one.name, one.content) for one in sources])
    return replace(foreign, cautions=(*foreign.cautions, *_rest_of(path, files))), sources


def _rest_of(directory: Path, read: Sequence[Path]) -> tuple[str, ...]:
    """What to say of the files of a folder that are no JSON: somebody may think that they count."""
    known = set(read)
    rest = sorted(path for path in directory.rglob("*") if path not in known and not path.is_dir())
    if not rest:
        return ()
    return (str(message("foreign-folder-rest", count=len(rest), first=str(rest[0].relative_to(directory)))),)


def _is_fio(path: Path) -> bool:
    try:
        begin = _core.read_fio_file(path, _FIO_BEGIN_BYTES)
    except (_core.FioLogError, OSError, ValueError):
        return False
    return any(reader.recognises(begin) for reader in fio_result.READERS)


_ELBENCHO_TABLE = re.compile(rb"^OPERATION +RESULT TYPE +FIRST DONE", re.MULTILINE)
_ATTO = re.compile(rb"ATTO ?Disk ?Benchmark|<atto", re.IGNORECASE)


def _unknown(path: Path, begin: bytes, size_bytes: int) -> ForeignError:
    if path.suffix.casefold() == ".bmk" or _ATTO.search(begin.replace(b"\0", b"")):
        return ForeignError(
            message("foreign-atto", path=str(path)),
            message("foreign-atto-instead"),
        )
    if _ELBENCHO_TABLE.search(begin):
        return ForeignError(
            message("foreign-elbencho-table", path=str(path)),
            message("foreign-elbencho-table-instead"),
        )
    if fio_text.is_without_result(begin):
        return ForeignError(
            message("foreign-fio-no-result", path=str(path)),
            message("foreign-fio-no-result-instead"),
        )
    return ForeignError(
        message("foreign-unknown-program", path=str(path)),
        message(
            "foreign-known-programs",
            programs=semicolons(*(reader.program for reader in READERS), fio_logs.FILES, FOLDER),
        ),
        *([message("foreign-looked-at", size=size(_SEARCHED_BYTES))] if size_bytes > _SEARCHED_BYTES else ()),
    )


def _json_files(directory: Path) -> list[Path]:
    """Those below a directory."""
    paths = sorted(path for path in directory.rglob("*.json") if path.is_file() and not path.is_symlink())
    if len(paths) > _FILES_MAX:
        raise ForeignError(message("foreign-too-many-files", directory=str(directory), count=number(len(paths))))
    return paths


def _sources(paths: Sequence[Path], name: Callable[[Path], str]) -> Iterator[Source]:
    """The files whole, together no larger than a result may be."""
    left_bytes, left_plain_bytes, left_small_bytes = FILE_BYTES_MAX, FIO_BYTES_MAX, SMALL_BYTES
    for path in paths:
        with _explained(path):
            plain = _plain(path, left_small_bytes)
        if plain is None:
            content = StoredBytes(_content(path, left_bytes))
            left_bytes -= content.size_bytes
        else:
            content = plain
            left_plain_bytes -= content.size_bytes
            left_small_bytes -= len(content.content) if isinstance(content.content, bytes) else 0
            if left_plain_bytes < 0:
                raise _too_long(path, FIO_BYTES_MAX)
        yield Source(name(path), content)


def _plain(path: Path, small_bytes: int) -> StoredBytes | None:
    """A file that can be read where it is: neither packed, nor a pipe or a device, nor one whose size is not known.

    A small one is read at once: to open each of many files again for all that is done with it takes longer than the rest.
    """
    if not path.is_file():
        return None
    with path.open("rb") as file:
        size_bytes = os.fstat(file.fileno()).st_size
        begin = file.read(len(XZ))
        if not size_bytes or begin.startswith(XZ) or _core.is_compressed(begin):
            return None
        if size_bytes <= small_bytes:
            return StoredBytes(begin + file.read(small_bytes - len(begin)))
    return StoredBytes.of_file(path)


def _content(path: Path, bytes_max: int) -> bytes:
    """What is in a file, unpacked if it is packed: limited by what is read, for the size of a device or a pipe is 0."""
    with _explained(path):
        if path.stat().st_size > bytes_max:
            # That of a device or a pipe is 0, so this spares the reading and limits nothing.
            raise _too_long(path, bytes_max)
        if path.is_fifo():
            # What is packed is looked at twice, and a pipe passes once.
            with scratch() as directory:
                copy = directory / "piped"
                with path.open("rb") as pipe:
                    copy.write_bytes(pipe.read(bytes_max + 1))
                content = _unpacked(copy, bytes_max)
        else:
            content = _unpacked(path, bytes_max)
    if len(content) > bytes_max:
        raise _too_long(path, bytes_max)
    return content


def _too_long(path: Path, bytes_max: int) -> ForeignError:
    return ForeignError(message("foreign-too-long", path=str(path), most=number(bytes_max)))


def _unpacked(path: Path, bytes_max: int) -> bytes:
    """As much as there is, or one byte more than is allowed."""
    with path.open("rb") as file:
        begin = file.peek(len(XZ))
        if begin.startswith(XZ):
            with lzma.open(file) as unpacked:
                return _begin_of(unpacked, bytes_max + 1)
        if not _core.is_compressed(begin):
            return _begin_of(file, bytes_max + 1)
    return _core.read_fio_file(path, bytes_max + 1)


def _begin_of(stream: IO[bytes], bytes_max: int) -> bytes:
    """What such streams give of a size that they are asked for at once is for a moment in memory twice."""
    whole = io.BytesIO()
    while part := stream.read(min(_PART_BYTES, bytes_max - whole.tell())):
        whole.write(part)
    return whole.getvalue()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except EngineError as error:
        raise ForeignError(error.message, *error.hints) from error
    except _core.PackedError as error:
        raise ForeignError(*why_not_unpacked(path, error)) from error
    except (lzma.LZMAError, EOFError, _core.FioLogError, ValueError) as error:
        raise ForeignError(
            message("foreign-cannot-unpack", path=str(path), reason=str(error)), message("foreign-whole")
        ) from error
    except OSError as error:
        if error.errno is None:
            # So an archive ends that was cut off.
            raise ForeignError(message("foreign-ends-early", path=str(path)), message("foreign-whole")) from error
        raise ForeignError(
            message("foreign-unreadable", path=str(path), reason=os_errors.reason_of(error)), message("os-check-path")
        ) from error
