"""New files out of traces, and traces out of files of others; each is written whole or not at all."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ssdlab import _core
from ssdlab.durable import make_durable
from ssdlab.errors import UsageError
from ssdlab.message import commas, message, number
from ssdlab.place import require_file
from ssdlab.trace.damage import in_words, unknown_format
from ssdlab.trace.look import META_ADAPTER, TraceMeta, meta_of, require_readable

_BEGINNING_BYTES = 1 << 16
_SPEED_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an import is told beside the files; `None` is what nobody said.

    Attributes:
        format: Of all files.
        device: Whose I/Os are wanted, where the files have those of several.
        device_bytes: Its size.
        licence: Under what the trace may be shared.
    """

    format: str | None = None
    device: str | None = None
    device_bytes: int | None = None
    licence: str | None = None


def import_trace(files: Sequence[Path], wanted: Wanted, out: Path) -> tuple[int, TraceMeta]:
    """Make a trace of files of one format, compressed with gzip or zstd or not; how many I/Os it has, and its metadata.

    Raises:
        UsageError: There is no such format.
        TraceFileError: A file is damaged, of an unknown format, or of another than the first.
        OSError: A file cannot be read, or the trace not be written.
    """
    known = _core.trace_formats()
    if wanted.format is not None and wanted.format not in known:
        raise UsageError(
            message("trace-no-format", name=wanted.format), message("trace-formats", formats=commas(*known))
        )
    form = wanted.format or _format_of(files)
    told = [(path, path.stat().st_size, _sha256(path)) for path in files]
    with _written(out) as partial, in_words():
        ios, meta = _core.trace_import(told, form, wanted.device, wanted.device_bytes, wanted.licence, partial)
        found = META_ADAPTER.validate_json(meta)
        if wanted.device is not None and ios == 0:
            raise UsageError(message("trace-no-device", device=wanted.device), message("trace-device-as-named"))
    return ios, found


def cut_trace(path: Path, from_ns: int, to_ns: int, out: Path) -> int:
    """Make a trace of the I/Os that arrived within a span of time; how many those are.

    Raises:
        UsageError: There are none.
        TraceFileError: It is no trace, or one without times.
        OSError: It cannot be read, or the new one not be written.
    """
    with _written(out) as partial, in_words():
        require_readable(path)
        ios = _core.trace_cut(path, from_ns, to_ns, partial)
        if ios == 0:
            raise UsageError(message("trace-cut-empty", path=str(path)), message("trace-show-times", path=str(path)))
    return ios


def merge_traces(paths: Sequence[Path], out: Path) -> int:
    """Make a trace of all I/Os of several, as if all had begun at once; how many those are.

    Each keeps its places on the device. No stream is of two traces, and a trace that tells no streams becomes one.

    Raises:
        TraceFileError: One is no trace, or one without times.
        OSError: One cannot be read, or the new one not be written.
    """
    with _written(out) as partial, in_words():
        for path in paths:
            require_readable(path)
        return _core.trace_merge(list(paths), partial)


def scale_trace(path: Path, speed: float, out: Path) -> int:
    """Make a trace whose I/Os arrive `speed` times as fast, without latencies, which are not known of that speed; how many those are.

    Raises:
        UsageError: That is no speed.
        TraceFileError: It is no trace, or one without times.
        OSError: It cannot be read, or the new one not be written.
    """
    if not 1 / _SPEED_MAX <= speed <= _SPEED_MAX:
        raise UsageError(
            message("trace-no-speed", speed=number(speed, "g")), message("trace-speeds", most=number(_SPEED_MAX, ",d"))
        )
    with _written(out) as partial, in_words():
        require_readable(path)
        return _core.trace_scale(path, speed, partial)


def export_trace(path: Path, iolog_file: str | None, out: Path) -> tuple[int, int]:
    """Write a trace as fio's log for a file of that name, or as `blkparse` prints; the I/Os written, and those that the format lacks.

    Raises:
        TraceFileError: It is no trace, or one without times.
        OSError: It cannot be read, or the new file not be written.
    """
    with _written(out) as partial, in_words():
        require_readable(path)
        return _core.trace_export(path, iolog_file, partial)


def anonymise_trace(path: Path, out: Path) -> TraceMeta:
    """Make a trace without what tells whose it is; its metadata.

    Raises:
        TraceFileError: It is no trace.
        OSError: It cannot be read, or the new one not be written.
    """
    meta_of(path)
    with _written(out) as partial, in_words():
        return META_ADAPTER.validate_json(_core.trace_anonymise(path, partial))


def _format_of(files: Sequence[Path]) -> str:
    for path in files:
        require_readable(path)
    with in_words():
        for path in files:
            form = _core.trace_format_of(_core.read_fio_file(path, _BEGINNING_BYTES))
            if form is not None:
                return form
    raise unknown_format(str(files[0]))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _written(out: Path) -> Iterator[Path]:
    """A name to write to, which becomes the final one once the file is whole."""
    require_file(out)
    partial = out.with_name(out.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        yield partial
        make_durable(partial, out)
    finally:
        partial.unlink(missing_ok=True)
