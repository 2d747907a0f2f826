"""Files that people published, read by `ssdlab import` and held against what a second reader found in them.

The files are not part of this repository: most of their repositories name no licence. What is kept (`tests/data/foreign/corpus/files.jsonl`) is where each file is,
its hash, and what it says by `tests.study.corpus_reference`, which shares nothing with the readers. To take the files and check all of them:

    uv run python -m tests.study.corpus                 # downloads them from raw.githubusercontent.com
    uv run python -m tests.study.corpus --from MIRRORS  # from bare clones, MIRRORS/OWNER+NAME

With `--record` the second reader is asked anew, for a file whose line was added by hand.
"""

import json
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol

from tests.study.corpus_reference import QUANTITIES, READERS, Row, Said, fio_log

from ssdlab.analysis.log.file import LogUnit
from ssdlab.bundle.imported import open_imported
from ssdlab.bundle.model import Metric
from ssdlab.library.foreign.result import ForeignError
from ssdlab.library.take_in import GivenFacts, take_in

LIST = Path(__file__).parents[1] / "data/foreign/corpus/files.jsonl"
_DIGITS = 9
_ROWS_MAX = 40
_RELATIVE = 1e-6
_TIMEOUT_S = 60
_RAW = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFile:
    """A published file and what is in it.

    Attributes:
        version: Of fio, where the file says it.
        licence: Of its repository; empty where it names none.
        unit: What `--unit` says of a log, known from files beside it.
        loads: How many rows the second reader found; none where the file is to be refused.
        every: One of so many of these rows is kept, from the first on.
        rows: Those that are.
        refused: The message that refuses it; empty where it is to be read.
    """

    repository: str
    commit: str
    path: str
    size: int
    sha256: str
    kind: str
    version: str = ""
    licence: str = ""
    unit: str = ""
    loads: int = 0
    every: int = 1
    rows: tuple[Row, ...] = ()
    refused: str = ""

    @property
    def name(self) -> str:
        """The file's own name, by which readers know logs."""
        return self.path.rpartition("/")[2]


class PublishedFile(Protocol):
    """Where a file is, and what it is known by."""

    @property
    def repository(self) -> str: ...
    @property
    def commit(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def sha256(self) -> str: ...


class Verdict(Enum):
    """How a file was read."""

    RIGHT = "read right"
    PARTLY = "read right, without a value whose unit the file leaves open"
    REFUSED = "refused"
    WRONG = "wrong"
    GONE = "not to be had"


_FAULTS = (Verdict.WRONG, Verdict.GONE)


@dataclass(frozen=True, slots=True)
class Found:
    """A file and how it was read; `why` names what was found in place of what."""

    file: CorpusFile
    verdict: Verdict
    why: str = ""


def corpus() -> list[CorpusFile]:
    """All files of the list."""
    return [_file(json.loads(line)) for line in LIST.read_text(encoding="utf-8").splitlines()]


def fio_release(file: CorpusFile) -> str:
    """`3.28`, without what was built between releases; empty where the file does not say it."""
    found = re.match(r"fio-(\d+\.\d+(?:\.\d+)?)", file.version)
    return found[1] if found else ""


def _file(fields: Mapping[str, Any]) -> CorpusFile:
    return CorpusFile(**{**fields, "rows": tuple(_row(cells) for cells in fields.get("rows", []))})


def _row(cells: Sequence[Any]) -> Row:
    """The direction, then for each quantity nothing, a value, or a value and how far it may be off."""
    values = {
        name: Said(*cell) if isinstance(cell, list) else Said(cell)
        for name, cell in zip(QUANTITIES, cells[1:], strict=False)
        if cell is not None
    }
    return Row(cells[0], values)


def _line(file: CorpusFile) -> str:
    names = ("repository", "commit", "path", "size", "sha256", "kind", "version", "licence", "unit", "refused", "loads")
    fields: dict[str, Any] = {name: found for name in names if (found := getattr(file, name))}
    if file.every > 1:
        fields["every"] = file.every
    if file.rows:
        fields["rows"] = [[row.direction, *_cells(row)] for row in file.rows]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _cells(row: Row) -> list[Any]:
    cells = [None if (said := row.values.get(name)) is None else _shown(said) for name in QUANTITIES]
    while cells and cells[-1] is None:
        cells.pop()
    return cells


def _shown(said: Said) -> float | list[float]:
    return [_short(said.value), float(f"{said.off:.3g}")] if said.off else _short(said.value)


def _short(value: float) -> float:
    rounded = float(f"{value:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded


def content_of(file: PublishedFile, mirrors: Path | None) -> bytes:
    """The file, from a clone or from the web.

    Raises:
        ValueError: It is not what the list has.
    """
    if mirrors is None:
        path = urllib.parse.quote(f"{file.repository}/{file.commit}/{file.path}")
        with urllib.request.urlopen(f"{_RAW}/{path}", timeout=_TIMEOUT_S) as answer:  # noqa: S310
            content: bytes = answer.read()
    else:
        clone = mirrors / file.repository.replace("/", "+")
        git = next((one for one in (clone / "repo/.git", clone / "repo", clone) if (one / "HEAD").is_file()), clone)
        command = ["git", "--git-dir", str(git), "show", f"{file.commit}:{file.path}"]
        content = subprocess.run(command, check=True, capture_output=True).stdout
    if sha256(content).hexdigest() != file.sha256:
        raise ValueError(f"{file.repository}: {file.path} is another file")
    return content


def _found(file: CorpusFile, mirrors: Path | None, lab: Path) -> Found:
    """Repositories are deleted: the rest is judged without them."""
    try:
        content = content_of(file, mirrors)
    except (OSError, HTTPException, ValueError, subprocess.CalledProcessError) as error:
        return Found(file, Verdict.GONE, f"not to be had: {error}")
    return judged(file, content, lab)


def recorded(file: CorpusFile, content: bytes) -> CorpusFile:
    """The same with what the second reader finds; a file that is to be refused has nothing."""
    if file.refused:
        return replace(file, loads=0, every=1, rows=())
    ns = {"ns": 1, "us": 1000}.get(file.unit)
    rows = fio_log(content, file.name, ns) if file.kind == "fio-log" else READERS[file.kind](content)
    every = -(-len(rows) // _ROWS_MAX)
    return replace(file, loads=len(rows), every=every, rows=tuple(rows[::every]))


_UNITS = {"ns": LogUnit.NANOSECONDS, "us": LogUnit.MICROSECONDS}


def judged(file: CorpusFile, content: bytes, lab: Path) -> Found:
    """A file as `ssdlab import` takes it in."""
    directory = lab / file.sha256[:16]
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / file.name
    path.write_bytes(content)
    try:
        bundle = take_in(path, directory, GivenFacts(log_unit=_UNITS.get(file.unit)))
    except ForeignError as error:
        if file.refused == error.message.id:
            return Found(file, Verdict.REFUSED, str(error.message).replace(str(path), file.name))
        return Found(file, Verdict.WRONG, f"refused by {error.message.id}: {error}")
    if file.refused:
        return Found(file, Verdict.WRONG, f"read, and not refused by {file.refused}")
    return _compared(file, open_imported(bundle).metrics)


_NAMES = {
    "iops": "iops",
    "iops_mean": "iops",
    "bandwidth": "bytes_per_s",
    "bandwidth_mean": "bytes_per_s",
    "clat_mean": "mean_ns",
    "lat_mean": "lat_mean_ns",
    "slat_mean": "mean_ns",
    "clat_max": "max_ns",
    "slat_max": "max_ns",
    "lat_max": "max_ns",
}


def _loads(metrics: Sequence[Metric]) -> list[tuple[str, dict[str, float]]]:
    """The direction and the values of each load, in the order of the bundle."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for metric in metrics:
        key = metric.key
        mixed = "mixed" if key.point.name.endswith(".mixed") else ""
        values = found.setdefault((key.point.name, key.direction.value if key.direction else mixed), {})
        if key.percent == "99" and key.quantity.word in {"clat", "clat_hist"}:
            name: str | None = "p99_ns"
        else:
            name = _NAMES.get(key.quantity.word) if key.percent is None else None
        if name is not None and isinstance(metric.value, int | float):
            values[name] = metric.value
    return [(direction, values) for (_, direction), values in found.items()]


def _compared(file: CorpusFile, metrics: Sequence[Metric]) -> Found:
    directions = {row.direction for row in file.rows}
    loads = [load for load in _loads(metrics) if load[0] in directions]
    if not file.rows or len(loads) != file.loads:
        return Found(file, Verdict.WRONG, f"{len(loads)} loads in place of {file.loads}")
    pairs = list(zip(loads[:: file.every], file.rows, strict=True))
    faults = [fault for load, row in pairs for fault in _faults(load, row)]
    if not faults:
        return Found(file, Verdict.RIGHT)
    # What a KB of fio 2 is depends on an option that its text does not tell, so a rate may be left out.
    if file.version.startswith("fio-2.") and all(fault == "no bytes_per_s" for fault in faults):
        return Found(file, Verdict.PARTLY, f"{len(faults)} bandwidths left out")
    return Found(file, Verdict.WRONG, "; ".join(faults[:3]))


def _faults(load: tuple[str, Mapping[str, float]], row: Row) -> Iterator[str]:
    direction, values = load
    if direction != row.direction:
        yield f"{direction} in place of {row.direction}"
    for name, said in row.values.items():
        value = values.get(name, values.get("lat_mean_ns") if name == "mean_ns" else None)
        if value is None:
            yield f"no {name}"
        elif abs(value - said.value) > said.off + _RELATIVE * abs(said.value):
            yield f"{name} {value:g} in place of {said.value:g}"


def main() -> int:
    """Check all files, or record what the second reader finds in them."""
    parser = ArgumentParser(description="Hold `ssdlab import` against published files.")
    parser.add_argument("--from", dest="mirrors", type=Path, metavar="DIR", help="bare clones, DIR/OWNER+NAME")
    parser.add_argument("--record", action="store_true", help="write what the second reader finds into the list")
    asked = parser.parse_args()
    if asked.record:
        files = [recorded(file, content_of(file, asked.mirrors)) for file in corpus()]
        LIST.write_text("".join(f"{_line(file)}\n" for file in files), encoding="utf-8")
        return 0
    with tempfile.TemporaryDirectory() as lab:
        results = [_found(file, asked.mirrors, Path(lab)) for file in corpus()]
    for found in results:
        if found.verdict in _FAULTS:
            print(f"{found.file.repository}: {found.file.path}: {found.why}")
    counts = Counter(found.verdict for found in results)
    print(", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict))
    return 1 if any(counts[verdict] for verdict in _FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
