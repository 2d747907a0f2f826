"""A bundle that was cut off, at whatever byte, opens with everything that was finished; and says what is wrong."""

import io
import json
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.sample_bundle import run_info
from tests.kit.small_bundle import write_small

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import GIB

SAMPLES = 24
"""Cuts tried in each file but the journal, which is cut at every byte."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "run")


def finished_lines(journal: bytes) -> list[int]:
    """Indices of the steps whose last word in the whole lines is that they are finished."""
    events = [json.loads(line) for line in journal.split(b"\n")[:-1]]
    last = {event["index"]: event["event"] for event in events if "index" in event}
    return [index for index, event in last.items() if event == "step_finished"]


def assert_readable(bundle: Bundle) -> None:
    """What is called finished can be read, to the last window."""
    for step in bundle.finished():
        if step.job is not None:
            assert len(bundle.series(step, Direction.WRITE).time_ns) == 30
            assert bundle.histogram(step, Direction.WRITE, LatencyKind.LAT).total > 0
            assert bundle.result(step).error_count == 0


def offsets_in(size: int, seed: int) -> list[int]:
    """The ends, and places between."""
    inner = np.random.default_rng(seed).integers(0, size, SAMPLES).tolist()
    return sorted({0, size - 1, *inner})


def test_the_journal_may_end_at_any_byte(copy: Path) -> None:
    journal = copy / layout.JOURNAL
    content = journal.read_bytes()
    first_line = content.index(b"\n")
    # Inside the first line, by far the longest, every cut is the same: nothing but the line is lost.
    for length in (*range(0, first_line, 32), *range(first_line, len(content))):
        journal.write_bytes(content[:length])
        bundle = open_bundle(copy)
        kept = content[:length]
        assert [step.index for step in bundle.finished()] == finished_lines(kept)
        torn = bool(kept) and not kept.endswith(b"\n")
        assert any("ends in the middle of line" in fault for fault in map(str, bundle.faults)) == torn
        assert (bundle.warnings == ("it was warm",)) == (b"it was warm" in kept and kept.count(b"\n") > 16)
    journal.write_bytes(content)
    assert open_bundle(copy).faults == ()


def test_a_torn_line_is_told(copy: Path) -> None:
    journal = copy / layout.JOURNAL
    journal.write_bytes(journal.read_bytes()[:-9])
    assert tuple(map(str, open_bundle(copy).faults)) == snapshot(
        ("journal.jsonl ends in the middle of line 18: the run stopped while writing it",)
    )


def files_of(whole: Path) -> list[str]:
    return sorted(str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file())


def test_any_file_of_a_step_may_be_cut_off(whole: Path, copy: Path) -> None:
    step_files = [name for name in files_of(whole) if "/" in name]
    assert len(step_files) == 10
    for name in step_files:
        content = (whole / name).read_bytes()
        for length in offsets_in(len(content), seed=len(name)):
            (copy / name).write_bytes(content[:length])
            bundle = open_bundle(copy)
            hurt = int(name[:3])
            assert [step.index for step in bundle.finished()] == [index for index in range(1, 6) if index != hurt]
            assert tuple(map(str, bundle.faults)) == (f"{name} is {length} bytes long instead of {len(content)}",)
            assert bundle.steps[hurt - 1].status is StepStatus.FAILED
            assert bundle.steps[hurt - 1].reason == bundle.faults[0]
        (copy / name).write_bytes(content)
    assert_readable(open_bundle(copy))


def test_a_lost_file_of_a_step_is_told(copy: Path) -> None:
    (copy / "003-fill.pass1" / layout.SERIES).unlink()
    assert tuple(map(str, open_bundle(copy).faults)) == snapshot(("003-fill.pass1/series.parquet is missing",))


@pytest.mark.parametrize("name", [layout.METRICS, layout.AUDIT])
def test_conclusions_that_were_cut_off_can_be_computed_again(copy: Path, name: str) -> None:
    content = (copy / name).read_bytes()
    for length in range(len(content) - 1):
        (copy / name).write_bytes(content[:length])
        said = f"{name} is {length} bytes long instead of {len(content)}"
        assert tuple(map(str, open_bundle(copy).faults)) == (
            f"{said} (it can be computed again: `ssdlab show --again`)",
        )


def test_run_json_may_be_cut_off_or_lost(whole: Path, copy: Path) -> None:
    content = (whole / layout.RUN).read_bytes()
    for length in offsets_in(len(content) - 1, seed=1):
        (copy / layout.RUN).write_bytes(content[:length])
        bundle = open_bundle(copy)
        fault = f"run.json is {length} bytes long instead of {len(content)}"
        assert (bundle.run, tuple(map(str, bundle.faults))) == (run_info(GIB), (fault,))
    (copy / layout.RUN).unlink()
    bundle = open_bundle(copy)
    assert (bundle.run, tuple(map(str, bundle.faults))) == (run_info(GIB), ("run.json is missing",))
    assert len(bundle.finished()) == 5


def test_without_a_journal_the_run_is_known_but_nothing_of_it(copy: Path) -> None:
    (copy / layout.JOURNAL).unlink()
    bundle = open_bundle(copy)
    assert (bundle.run, bundle.steps, tuple(map(str, bundle.faults))) == (
        run_info(GIB),
        (),
        ("journal.jsonl is missing",),
    )


def test_without_run_and_journal_there_is_no_bundle(copy: Path) -> None:
    (copy / layout.RUN).write_bytes(b"{")
    (copy / layout.JOURNAL).write_bytes(b"{")
    with pytest.raises(BundleError) as error:
        open_bundle(copy)
    assert str(error.value).replace(str(copy), "RUN") == snapshot(
        "`RUN` is no bundle: journal.jsonl ends in the middle of line 1: the run stopped while writing it; run.json is damaged"
    )


def tar_of(whole: Path) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in files_of(whole):
            archive.add(whole / name, f"run/{name}")
    return stream.getvalue()


def unpack(stream: bytes, directory: Path) -> set[str]:
    """What `tar x` of a copy that broke off leaves: whole files, which are returned, then one that is cut short."""
    complete: set[str] = set()
    try:
        with tarfile.open(fileobj=io.BytesIO(stream), mode="r|") as archive:
            for member in archive:
                target = directory / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                content = archive.extractfile(member)
                assert content is not None
                with target.open("wb") as file:
                    shutil.copyfileobj(content, file)
                complete.add(member.name.removeprefix("run/"))
    except tarfile.ReadError:
        return complete
    return complete


def test_a_copy_that_broke_off_opens_as_soon_as_there_is_a_journal(whole: Path, tmp_path: Path) -> None:
    stream = tar_of(whole)
    # The steps come first in a sorted copy; cuts before and after the journal are tried alike.
    journal_begins = stream.index(b"run/journal.jsonl")
    late = [journal_begins + offset for offset in offsets_in(len(stream) - journal_begins, seed=6)]
    for offset in [*offsets_in(len(stream), seed=5), *late]:
        directory = tmp_path / str(offset)
        (directory / "run").mkdir(parents=True, exist_ok=True)
        complete = unpack(stream[:offset], directory)
        if not (directory / "run" / layout.JOURNAL).exists():
            with pytest.raises(BundleError):
                open_bundle(directory / "run")
        elif layout.JOURNAL in complete:
            bundle = open_bundle(directory / "run")
            assert_readable(bundle)
            assert len(bundle.finished()) == 5
            assert (bundle.run, bundle.status) == (run_info(GIB), RunStatus.FINISHED)


def test_a_journal_with_a_damaged_line_still_opens(whole: Path, copy: Path) -> None:
    journal = copy / layout.JOURNAL
    lines = (whole / layout.JOURNAL).read_bytes().splitlines(keepends=True)
    for number, _ in enumerate(lines, start=1):
        journal.write_bytes(b"".join([*lines[: number - 1], b"\0\0\0\n", *lines[number:]]))
        bundle = open_bundle(copy)
        assert f"journal.jsonl line {number} is damaged" in map(str, bundle.faults)
        assert_readable(bundle)


def test_a_flipped_byte_anywhere_in_the_journal_never_breaks_opening(whole: Path, copy: Path) -> None:
    content = (whole / layout.JOURNAL).read_bytes()
    chosen = np.random.default_rng(11)
    for offset in chosen.integers(0, len(content), 400).tolist():
        flipped = bytearray(content)
        flipped[offset] ^= 1 << int(chosen.integers(0, 8))
        (copy / layout.JOURNAL).write_bytes(flipped)
        assert {step.index for step in open_bundle(copy).finished()} <= {1, 2, 3, 4, 5}
