"""Everything that reads files of strangers, with whole samples of what it reads: results, logs, tables, archives, logs of power meters, traces."""

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pyjls
from tests.kit.jls_damage import mutated_jls
from tests.kit.mutations import DATA, SAMPLE_BYTES_MAX, mutated, read_whole, samples
from tests.kit.packed import SKIPPED_FRAME, zstandard
from tests.kit.sample_bundle import write_whole

from ssdlab import _core
from ssdlab.analysis.foreign.series import SeriesSaid, read_series
from ssdlab.analysis.log.file import LogUnit
from ssdlab.errors import SsdlabError
from ssdlab.library.add import add
from ssdlab.library.foreign.archive import unpack
from ssdlab.library.foreign.fio_logs import read_fio_logs
from ssdlab.library.foreign.readers import READERS
from ssdlab.library.foreign.result import Reader
from ssdlab.library.meter.readers import READERS as METERS
from ssdlab.library.meter.readers import open_power_log
from ssdlab.trace.look import profile_of
from ssdlab.trace.make import Wanted, import_trace

FIO = DATA / "fio-3.33"
_ROWS = 100


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A reader.

    Attributes:
        name: What it reads.
        contents: Whole files of it.
        read: Whether it makes something of a file, which is gone through to its end; raises anything but a refusal in words. What is
            taken by a path is written into the directory.
        damage: A copy of a file, with something wrong with it.
    """

    name: str
    contents: Sequence[bytes]
    read: Callable[[bytes, Path], bool]
    damage: Callable[[bytes, Sequence[bytes], Random], bytes] = mutated


def all_fuzzed() -> tuple[Fuzzed, ...]:
    """Every reader of which there are samples."""
    recorded = samples()
    results = (Fuzzed(one.program, recorded[one.program], partial(_result, one)) for one in READERS)
    others = (*_meters(), *_logs(), _archives(), _bundles(), *_traces())
    return tuple(one for one in (*results, *others) if one.contents)


def _result(reader: Reader, content: bytes, _: Path) -> bool:
    return read_whole(reader, content)


def _refused_or(read: Callable[[Path], object], name: str, content: bytes, directory: Path) -> bool:
    path = directory / name
    path.write_bytes(content)
    try:
        read(path)
    except SsdlabError as refusal:
        return not str(refusal)
    finally:
        assert path.read_bytes() == content, "a reader leaves a file as it is"
    return True


def _meters() -> Iterator[Fuzzed]:
    found = {one.meter: [log for log in _power_logs() if one.recognises(log)] for one in METERS}
    for meter, contents in found.items():
        damage = mutated_jls if meter == "Joulescope JLS" else mutated
        yield Fuzzed(meter, contents, partial(_refused_or, _power_read, "power"), damage)


def _power_read(path: Path) -> None:
    log = open_power_log(path, 1e-3).log
    assert log.period_s > 0
    for chunk in log.chunks():
        assert chunk.time_s.shape == chunk.power_w.shape
        assert not np.isinf(chunk.power_w).any()
        assert (np.diff(chunk.time_s) > 0).all()


def _power_logs() -> Sequence[bytes]:
    """Built from what the programs of the meters document; short, for more copies a second."""
    rows = [(at, 12_000 + at % 7, 500_000 + 13 * at, 3_300, 900_000) for at in range(_ROWS)]
    spaced, commas = ("".join(f"{mark.join(map(str, row))}\r\n" for row in rows) for mark in " ,")
    rails = ("12V voltage mV", "12V current uA", "3V3 voltage mV", "3V3 current uA")
    channels = "".join(
        f"<channel><group>{group}</group><name>{name}</name><dataPosition>{place}</dataPosition><units>{unit}</units></channel>"
        for place, (group, name, unit) in enumerate(map(str.split, rails), start=1)
    )
    stream = f"<header><version>V3</version><devicePeriod>16us</devicePeriod><channels>{channels}</channels></header>\r\n{spaced}>"
    texts = (
        stream,
        f"Time us,{','.join(rails)}\n{commas}",
        '"Time (us)","12V Power (mW)","3V3 Power (mW)","a","b"\n' + commas,
        f"StripeNum, Trig, 3V3_V, 12V_V, 12V_I\n{commas}",
        "#time (s),current (A),voltage (V)\n" + "".join(f"{at / 1000},{0.5 + at / 9999},3.3\n" for at in range(_ROWS)),
    )
    return *(text.encode() for text in texts), _jls()


def _jls() -> bytes:
    with TemporaryDirectory() as directory:
        return _jls_at(Path(directory) / "whole.jls")


def _jls_at(path: Path) -> bytes:
    with pyjls.Writer(str(path)) as writer:
        writer.source_def(source_id=1, name="meter", vendor="v", model="m", version="1", serial_number="1")
        kind, data = pyjls.SignalType.FSR, pyjls.DataType.F32
        writer.signal_def(
            signal_id=1, source_id=1, signal_type=kind, data_type=data, sample_rate=1000, name="power", units="W"
        )
        writer.fsr_f32(1, 0, np.linspace(0, 9, 8000, dtype=np.float32))
    return path.read_bytes()


def _logs() -> Iterator[Fuzzed]:
    """fio's, by the names that fio gives them, and the series that `ssdlab analyse` makes of them and of tables."""
    found = {kind: _files(f"*_{kind}.*log") for kind in ("lat", "bw", "iops", "clat_hist")}
    found |= dict.fromkeys(("clat", "slat"), found["lat"])

    def as_logs(path: Path) -> None:
        for number in read_fio_logs((path,), LogUnit.NANOSECONDS).numbers:
            assert number.key.name

    def as_series(path: Path) -> None:
        assert np.isfinite(read_series((path,), SeriesSaid(block_bytes=4096)).series.bytes_done).all()

    for kind, contents in found.items():
        yield Fuzzed(f"fio, {kind} logs", contents, partial(_refused_or, as_logs, f"x_{kind}.1.log"))
    table = "Time (s);Write (MB/s)\n" + "".join(f"{at};{900 - at},5\n" for at in range(200))
    yield Fuzzed("a series in a table", [table.encode()], partial(_refused_or, as_series, "table.csv"))
    log = "".join(f"{1000 * at}, {900_000 - at}, 1, 0, 0\n" for at in range(1, 200))
    yield Fuzzed("a series in a log", [log.encode()], partial(_refused_or, as_series, "y_bw.1.log"))


def _files(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(FIO.rglob(pattern)) if path.stat().st_size <= SAMPLE_BYTES_MAX]


def _archives() -> Fuzzed:
    files = {"a/x.json": (FIO / "audit" / "clean.json").read_bytes(), "b c.txt": b"words\n" * 50}
    packed = [_zip(files), *(_tar(files, mode) for mode in ("w:", "w:gz", "w:xz"))]

    def unpacked(path: Path) -> None:
        with TemporaryDirectory() as into:
            for refusal in unpack(path, Path(into) / "files").refused:
                assert str(refusal)

    framed = zstandard(packed[1])
    return Fuzzed("archives", [*packed, framed, SKIPPED_FRAME + framed], partial(_refused_or, unpacked, "an archive"))


def _bundles() -> Fuzzed:
    """Archives of a run, as they are mailed."""
    with TemporaryDirectory() as directory:
        run = write_whole(Path(directory) / "run")
        files = {f"run/{path.relative_to(run)}": path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}
    packed = [_zip(files), *(_tar(files, mode) for mode in ("w:", "w:gz", "w:xz"))]

    def added(path: Path) -> None:
        with TemporaryDirectory() as lab:
            assert add(path, Path(lab)).path.is_dir()

    return Fuzzed("bundles in archives", packed, partial(_refused_or, added, "an archive"))


_TRACES: Mapping[str, tuple[str, ...]] = {
    "fio-iolog": ("fio-iolog-2.log", "fio-iolog-3.log"),
    "blkparse": ("blkparse.txt",),
    "blktrace": ("sdb.blktrace.0", "sdb.blktrace.1"),
    "msr-cambridge": ("msr-cambridge.csv",),
    "systor17": ("systor17.csv",),
    "alibaba": ("alibaba.csv",),
    "tencent": ("tencent.csv",),
    "fiu": ("fiu.txt",),
    "spc": ("spc.csv",),
    "btrecord": ("sdb.replay.0", "sdb.replay.1"),
    "tectonic": ("tectonic-2019.txt", "tectonic-2021.txt", "tectonic-2023.txt"),
    "etw-csv": ("etw.csv", "etw-of-no-date.csv"),
    "ssdlab-recording": ("drive.ioreq",),
}


def _traces() -> Iterator[Fuzzed]:
    """Each format by its name, and traces of our own."""

    def imported(form: str, path: Path) -> None:
        out = path.with_suffix(".ssdtrace")
        ios, _ = import_trace([path], Wanted(format=form), out)
        assert profile_of(out).ios == ios

    def looked_at(path: Path) -> None:
        profile = profile_of(path)
        assert profile.ios == sum(one.ios for one in profile.ops)

    for form in _core.trace_formats():
        contents = [(DATA / "traces" / name).read_bytes() for name in _TRACES[form]]
        yield Fuzzed(f"trace, {form}", contents, partial(_refused_or, partial(imported, form), "recorded"))
    with TemporaryDirectory() as directory:
        out = Path(directory) / "X.ssdtrace"
        import_trace([DATA / "traces/drive.ioreq"], Wanted(), out)
        yield Fuzzed("trace, ssdtrace", [out.read_bytes()], partial(_refused_or, looked_at, "X.ssdtrace"))


def _zip(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def _tar(files: Mapping[str, bytes], mode: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()
