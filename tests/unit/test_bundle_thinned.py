"""Steps of which only the totals stay: sums are exact, and a cut at any moment leaves each step in one place."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.sample_bundle import run_info
from tests.kit.small_bundle import small_result

from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.journal import Event, Journal, RunBusyError
from ssdlab.bundle.model import Step, StepStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.totals import Extreme, StepTotals, added_up
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter
from ssdlab.job import DriveState, StepKind
from ssdlab.message import verbatim
from ssdlab.units import GIB
from ssdlab.unknown import Unknown

SHORT = Unknown(verbatim("too short"))


def totals(number: int, moved_bytes: int = 1000, bad_bytes: int | Unknown = 0) -> StepTotals:
    speed = Extreme(step=f"w.pass{number}", bytes_per_s=float(number % 7))
    return StepTotals(
        name="w.pass",
        count=1,
        cut_short=0,
        moved_bytes=moved_bytes,
        written_bytes=moved_bytes,
        duration_ns=number,
        slowest=speed,
        fastest=speed,
        slowest_second=speed if number % 2 else SHORT,
        judged=number % 2,
        flat=0,
        need_met_percent_min=float(number),
        bad_bytes=bad_bytes,
    )


def write_passes(writer: BundleWriter, numbers: range) -> None:
    """Each second one has files of its own."""
    for number in numbers:
        step = Step(
            index=writer.next_index,
            name=f"w.pass{number}",
            group="w",
            point=point_of_name(f"w.pass{number}"),
            kind=StepKind.FILL,
            status=StepStatus.PLANNED,
            state=DriveState.UNKNOWN,
            job=None,
            rest_ns=0,
            started_ns=None,
            ended_ns=None,
            reason=None,
        )
        writer.steps_added(number, [step])
        writer.step_started(step.index, number, step.state)
        result = small_result(number) if number % 2 else None
        size = 1000 if result is None else sum(one.io_bytes for one in result.directions.values())
        writer.step_finished(step.index, number, result, written_bytes=size, totals=totals(number, size))


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[BundleWriter]:
    with closing(BundleWriter(tmp_path / "run", run_info(GIB), ())) as writer:
        writer.warning(1, Warned(WarningKind.OTHER, verbatim("it was warm")))
        yield writer


# Sums


@given(st.lists(st.integers(1, 1000), min_size=1), st.data())
def test_totals_are_the_same_however_they_are_added_up(numbers: list[int], data: st.DataObject) -> None:
    ones = [totals(number) for number in numbers]
    cut = data.draw(st.integers(0, len(ones)))
    (whole,) = added_up(ones)
    (parts,) = added_up([*added_up(ones[:cut]), *added_up(ones[cut:])])
    assert whole == parts
    assert (whole.count, whole.moved_bytes, whole.duration_ns) == (len(ones), 1000 * len(ones), sum(numbers))
    assert not isinstance(whole.slowest, Unknown)
    assert whole.slowest.bytes_per_s == min(number % 7 for number in numbers)
    assert whole.need_met_percent_min == min(numbers)
    odd = [number for number in numbers if number % 2]
    assert whole.judged == len(odd)
    assert isinstance(whole.slowest_second, Unknown) == (not odd)


def test_a_sum_with_a_part_that_is_not_known_is_not_known() -> None:
    (both,) = added_up([totals(1, bad_bytes=5), totals(2, bad_bytes=Unknown(verbatim("a model holds no data")))])
    assert both.bad_bytes == Unknown(verbatim("a model holds no data"))


# In a bundle


def test_of_what_was_thinned_out_the_totals_stay(writer: BundleWriter) -> None:
    write_passes(writer, range(1, 9))
    before = open_bundle(writer.path)
    writer.thin_out(9, {3, 4, 5})
    writer.thin_out(10, {2, 6})
    write_passes(writer, range(9, 10))
    writer.run_ended(11, Event.RUN_FINISHED, None)
    bundle = open_bundle(writer.path)
    assert [step.name for step in bundle.steps] == ["w.pass1", "w.pass7", "w.pass8", "w.pass9"]
    assert (bundle.faults, bundle.warnings) == ((), ("it was warm",))
    (thinned,) = bundle.thinned
    assert (thinned.count, thinned.duration_ns) == (5, 2 + 3 + 4 + 5 + 6)
    assert not isinstance(before.written_bytes, Unknown)
    last = bundle.result(bundle.step("w.pass9")).directions
    assert bundle.written_bytes == before.written_bytes + sum(one.io_bytes for one in last.values())
    directories = sorted(path.name for path in writer.path.iterdir() if path.is_dir())
    assert directories == ["001-w.pass1", "007-w.pass7", "009-w.pass9"]


def test_a_run_that_is_thinned_out_is_still_nobody_elses(writer: BundleWriter) -> None:
    write_passes(writer, range(1, 3))
    writer.thin_out(3, {2})
    with pytest.raises(RunBusyError, match="is being written by another ssdlab"):
        Journal(writer.path / layout.JOURNAL)


def test_a_cut_at_any_moment_leaves_each_step_once(
    writer: BundleWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_passes(writer, range(1, 9))
    written = open_bundle(writer.path).written_bytes
    moments: list[Path] = []

    def moment() -> None:
        moments.append(shutil.copytree(writer.path, tmp_path / f"cut-{len(moments)}"))

    sync, remove, rename = os.fsync, os.unlink, os.rename

    def fsync(descriptor: int) -> None:
        moment()
        sync(descriptor)
        moment()

    def unlink(path: str, *, dir_fd: int | None = None) -> None:
        moment()
        remove(path, dir_fd=dir_fd)
        moment()

    def replace(path: Path, target: Path) -> Path:
        moment()
        rename(path, target)
        moment()
        return target

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "unlink", unlink)
        patch.setattr(Path, "replace", replace)
        writer.thin_out(9, {3, 4, 5})
    moment()
    assert len(moments) > 10
    for one in (*moments, *torn(moments, tmp_path)):
        bundle = open_bundle(one)
        left = [int(step.name.removeprefix("w.pass")) for step in bundle.finished()]
        gone = sum(totals.duration_ns for totals in bundle.thinned)
        assert (left, gone) in (([1, 2, 3, 4, 5, 6, 7, 8], 0), ([1, 2, 6, 7, 8], 3 + 4 + 5))
        assert (bundle.written_bytes, bundle.faults) == (written, ())


def torn(moments: list[Path], place: Path) -> Iterator[Path]:
    """As if of the journal that is to come not all had reached the medium, which counts for nothing before it has its name."""
    name = f"{layout.JOURNAL}.partial"
    for path in (one for one in moments if (one / name).exists()):
        content = (path / name).read_bytes()
        for length in range(0, len(content), max(1, len(content) // 20)):
            copy = shutil.copytree(path, place / f"{path.name}-torn-{length}")
            (copy / name).write_bytes(content[:length])
            yield copy


def test_a_full_disk_leaves_the_journal_as_it_was(writer: BundleWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    write_passes(writer, range(1, 5))
    before = (writer.path / layout.JOURNAL).read_bytes()

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            writer.thin_out(5, {2, 3})
    assert (writer.path / layout.JOURNAL).read_bytes() == before
    assert not (writer.path / f"{layout.JOURNAL}.partial").exists()
    writer.warning(6, Warned(WarningKind.OTHER, verbatim("and on it goes")))
    assert len(open_bundle(writer.path).finished()) == 4


def test_ctrl_c_just_after_the_new_journal_took_its_place_loses_no_line_after_it(
    writer: BundleWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_passes(writer, range(1, 5))
    replace = Path.replace

    def replaced_then_stopped(path: Path, target: Path) -> None:
        replace(path, target)
        raise KeyboardInterrupt

    with monkeypatch.context() as one_time:
        one_time.setattr(Path, "replace", replaced_then_stopped)
        with pytest.raises(KeyboardInterrupt):
            writer.thin_out(5, {2, 3})
    write_passes(writer, range(5, 6))
    assert [step.name for step in open_bundle(writer.path).steps] == ["w.pass1", "w.pass4", "w.pass5"]


def test_damaged_totals_are_a_damaged_line(writer: BundleWriter) -> None:
    write_passes(writer, range(1, 5))
    writer.thin_out(5, {2, 3})
    journal = writer.path / layout.JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    said = json.loads(lines[-1])
    said["totals"][0]["count"] = "many"
    journal.write_bytes(b"".join((*lines[:-1], layout.one_line_json(said))))
    assert tuple(map(str, open_bundle(writer.path).faults)) == (f"journal.jsonl line {len(lines)} is damaged",)
