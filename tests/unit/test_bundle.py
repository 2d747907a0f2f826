"""What goes into a bundle comes out of it."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.old_bundle import as_of_schema
from tests.kit.sample_bundle import (
    PASS_1,
    fill_plan,
    fill_result,
    run_info,
    windows_of,
    write_interrupted,
    write_whole,
)
from tests.kit.sample_fio import sequential_fill

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.find import newest_run, runs_below
from ssdlab.bundle.imported import IMPORT
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import SCHEMA_VERSION, Check, Compared, Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.upgrade import UPGRADES
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.identity import Memory
from ssdlab.engine.result import Direction, EveryIo, LatencyKind, LatencyWindows, RawResult
from ssdlab.job import DriveState
from ssdlab.lab.begin import BY_OPERATOR
from ssdlab.message import as_written, message, verbatim
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return open_bundle(write_whole(tmp_path_factory.mktemp("bundle") / "run"))


@contextmanager
def writer_at(path: Path) -> Iterator[BundleWriter]:
    with closing(BundleWriter(path, run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        yield writer


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[BundleWriter]:
    with writer_at(tmp_path / "run") as writer:
        yield writer


def result_of(count: int = 20) -> RawResult:
    series = windows_of(PASS_1, seed=3)
    short = replace(series, **{name: getattr(series, name)[:count] for name in series.__slots__ if name != "window_ns"})
    return fill_result(sequential_fill(), short)


def test_a_finished_run_says_so(whole: Bundle) -> None:
    assert (whole.status, whole.reason, whole.faults) == (RunStatus.FINISHED, None, ())
    assert whole.warnings == ("the drive reached 71 °C in fill.pass2",)


def test_the_run_is_read_as_it_was_written(whole: Bundle) -> None:
    assert whole.run == run_info(whole.run.drive.capacity_bytes)


def test_the_steps_stand_in_order_with_their_times_and_states(whole: Bundle) -> None:
    assert [(step.name, step.status) for step in whole.steps] == [
        ("purge", StepStatus.FINISHED),
        ("purge.rest", StepStatus.FINISHED),
        ("fill.pass1", StepStatus.FINISHED),
        ("fill.rest", StepStatus.FINISHED),
        ("fill.pass2", StepStatus.FINISHED),
    ]
    clock = [moment for step in whole.steps for moment in (step.started_ns, step.ended_ns)]
    assert clock == sorted(moment for moment in clock if moment is not None)
    assert whole.step("fill.pass1").state is DriveState.FOB
    with pytest.raises(KeyError):
        whole.step("fill.pass3")


def test_a_job_is_read_as_it_was_planned(whole: Bundle) -> None:
    planned = fill_plan(whole.run.drive.capacity_bytes, 300 * NS_PER_S)
    assert [step.job for step in whole.steps] == [step.job for step in planned]


def test_a_series_is_read_to_the_last_bit(writer: BundleWriter) -> None:
    result = result_of()
    result.directions[Direction.WRITE].series.latency_ns_mean[3] = np.nan
    writer.step_finished(3, 1, result)
    bundle = open_bundle(writer.path)
    written, read = result.directions[Direction.WRITE].series, bundle.series(bundle.steps[2], Direction.WRITE)
    assert read.window_ns == written.window_ns
    for column in ("time_ns", "bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max"):
        np.testing.assert_array_equal(getattr(read, column), getattr(written, column))
        assert getattr(read, column).dtype == getattr(written, column).dtype


def test_a_latency_that_was_never_known_stays_unknown(writer: BundleWriter) -> None:
    result = result_of()
    result.directions[Direction.WRITE].series.latency_ns_max[:] = np.nan
    writer.step_finished(3, 1, result)
    bundle = open_bundle(writer.path)
    read = bundle.series(bundle.steps[2], Direction.WRITE)
    assert np.isnan(read.latency_ns_max).all()
    assert read.latency_ns_max.dtype == np.float64


def test_a_histogram_is_read_with_its_exact_statistics(writer: BundleWriter) -> None:
    result = result_of()
    writer.step_finished(3, 1, result)
    bundle = open_bundle(writer.path)
    written = result.directions[Direction.WRITE].latency[LatencyKind.LAT]
    read = bundle.histogram(bundle.steps[2], Direction.WRITE, LatencyKind.LAT)
    assert (read.bin_index.tolist(), read.count.tolist()) == (written.bin_index.tolist(), written.count.tolist())
    assert (read.mean_ns, read.min_ns, read.max_ns, read.stddev_ns) == (
        written.mean_ns,
        written.min_ns,
        written.max_ns,
        written.stddev_ns,
    )


def test_all_histograms_of_a_step_are_those_read_one_by_one(whole: Bundle) -> None:
    step = whole.step("fill.pass1")
    together = whole.histograms(step)
    assert together.keys() == {Direction.WRITE}
    for kind, read in together[Direction.WRITE].items():
        alone = whole.histogram(step, Direction.WRITE, kind)
        assert (read.bin_index.tolist(), read.count.tolist()) == (alone.bin_index.tolist(), alone.count.tolist())
        assert (read.total, read.max_ns) == (alone.total, alone.max_ns)


def test_a_direction_that_did_nothing_has_no_windows_and_no_latency(whole: Bundle) -> None:
    step = whole.step("fill.pass1")
    assert len(whole.series(step, Direction.READ).time_ns) == 0
    with pytest.raises(KeyError):
        whole.histogram(step, Direction.READ, LatencyKind.LAT)


def test_every_io_is_read_as_it_was_written(writer: BundleWriter) -> None:
    every = EveryIo(*(np.arange(5, dtype=np.int64) * factor for factor in (1000, 77, 4096)))
    result = result_of()
    one = replace(result.directions[Direction.WRITE], every_io=every)
    writer.step_finished(3, 1, replace(result, directions={Direction.WRITE: one}))
    bundle = open_bundle(writer.path)
    read = bundle.every_io(bundle.steps[2], Direction.WRITE)
    for column in ("time_ns", "latency_ns", "offset_bytes"):
        np.testing.assert_array_equal(getattr(read, column), getattr(every, column))


def test_the_distribution_of_each_window_is_read_as_it_was_written(writer: BundleWriter) -> None:
    ends, bins, counts = (np.array(column, dtype=np.int64) for column in ([100, 100, 200], [80, 84, 80], [3, 1, 4]))
    windows = LatencyWindows(100, ends, bins, counts)
    result = result_of()
    one = replace(result.directions[Direction.WRITE], latency_windows=windows)
    writer.step_finished(3, 1, replace(result, directions={Direction.WRITE: one}))
    bundle = open_bundle(writer.path)
    read = bundle.latency_windows(bundle.steps[2], Direction.WRITE)
    assert isinstance(read, LatencyWindows)
    assert read.window_ns == 100
    for column in ("time_ns", "bin_index", "count"):
        np.testing.assert_array_equal(getattr(read, column), getattr(windows, column))
    trims = bundle.latency_windows(bundle.steps[2], Direction.TRIM)
    assert trims == Unknown(message("unknown-no-io-of", direction="trim"))


def test_where_no_distribution_over_time_was_asked_for_there_is_none(whole: Bundle) -> None:
    found = whole.latency_windows(whole.step("fill.pass1"), Direction.WRITE)
    assert found == Unknown(message("unknown-no-distribution"))


def test_the_scalars_of_a_step_are_read_as_they_were_written(writer: BundleWriter) -> None:
    result = result_of()
    writer.step_finished(3, 1, replace(result, notes=("fio said so",)))
    bundle = open_bundle(writer.path)
    read, written = bundle.result(bundle.steps[2]), result.directions[Direction.WRITE]
    assert (read.engine, read.elapsed_ns, read.error_count) == (result.engine, result.elapsed_ns, result.error_count)
    assert (read.dropped, read.notes) == (result.dropped, ("fio said so",))
    totals = read.directions[Direction.WRITE]
    assert (totals.io_count, totals.io_bytes) == (written.io_count, written.io_bytes)


def test_files_of_the_engine_are_kept_as_they_are(writer: BundleWriter) -> None:
    writer.step_finished(3, 1, replace(result_of(), files={"fio.json": b"\x00as fio wrote it\n"}))
    bundle = open_bundle(writer.path)
    assert (bundle.directory(bundle.steps[2]) / "fio.json").read_bytes() == b"\x00as fio wrote it\n"


def test_no_unfinished_file_is_left_behind(whole: Bundle) -> None:
    assert not list(whole.path.rglob("*.partial"))


def test_an_interrupted_run_says_where_and_why(tmp_path: Path) -> None:
    bundle = open_bundle(write_interrupted(tmp_path / "run"))
    assert (bundle.status, str(bundle.reason)) == (RunStatus.INTERRUPTED, "stopped by the operator")
    assert [step.name for step in bundle.finished()] == ["purge", "purge.rest", "fill.pass1", "fill.rest"]
    assert (bundle.steps[4].status, str(bundle.steps[4].reason)) == (StepStatus.INTERRUPTED, "stopped by the operator")


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (Event.STEP_FAILED, StepStatus.FAILED),
        (Event.STEP_SKIPPED, StepStatus.SKIPPED),
        (Event.STEP_INTERRUPTED, StepStatus.INTERRUPTED),
    ],
)
def test_a_step_that_ended_early_is_not_finished(writer: BundleWriter, event: Event, status: StepStatus) -> None:
    writer.step_started(1, 0, DriveState.UNKNOWN)
    writer.step_ended_early(1, 5, event, verbatim("why"))
    step = open_bundle(writer.path).steps[0]
    assert (step.status, step.reason, step.ended_ns) == (status, verbatim("why"), 5)


def test_a_run_that_is_killed_is_unfinished(writer: BundleWriter) -> None:
    writer.step_started(1, 0, DriveState.UNKNOWN)
    writer.checkpoint(1, 4, 1000)
    bundle = open_bundle(writer.path)
    assert (bundle.status, bundle.steps[0].status) == (RunStatus.UNFINISHED, StepStatus.STARTED)


def test_how_much_a_job_has_moved_that_ends_by_time_is_not_known_before_its_end(writer: BundleWriter) -> None:
    writer.step_started(1, 3, DriveState.FOB)
    writer.checkpoint(1, 4, None)
    bundle = open_bundle(writer.path)
    assert (bundle.faults, bundle.steps[0].bytes_done) == ((), None)


def test_a_killed_step_was_as_far_as_its_last_checkpoint(writer: BundleWriter) -> None:
    writer.step_started(1, 3, DriveState.FOB)
    writer.checkpoint(1, 4, 1000)
    writer.checkpoint(1, 5, 2000)
    assert open_bundle(writer.path).steps[0].bytes_done == 2000


def test_a_stopped_step_says_how_far_it_was(writer: BundleWriter) -> None:
    writer.step_started(1, 3, DriveState.FOB)
    writer.checkpoint(1, 4, 1000)
    writer.step_ended_early(1, 5, Event.STEP_INTERRUPTED, verbatim("why"), 1500)
    assert open_bundle(writer.path).steps[0].bytes_done == 1500


def test_a_step_that_was_begun_again_counts_as_the_last_time(writer: BundleWriter) -> None:
    writer.step_started(1, 0, DriveState.UNKNOWN)
    writer.step_ended_early(1, 5, Event.STEP_INTERRUPTED, verbatim("power"))
    writer.step_started(1, 7, DriveState.UNKNOWN)
    writer.step_finished(1, 9, None, verbatim("trimmed"))
    step = open_bundle(writer.path).steps[0]
    assert (step.status, step.reason, step.started_ns, step.ended_ns, step.note) == (
        StepStatus.FINISHED,
        None,
        7,
        9,
        verbatim("trimmed"),
    )


def test_sentences_of_an_older_journal_are_told_as_they_were_written(tmp_path: Path) -> None:
    path = write_interrupted(tmp_path / "run")
    now = open_bundle(path)
    assert (now.reason, now.steps[4].reason, now.steps[0].note) == (
        BY_OPERATOR,
        BY_OPERATOR,
        message("drive-purged-model"),
    )
    old = open_bundle(as_of_schema(path, 3))
    stopped = as_written("stopped by the operator")
    assert (old.reason, old.steps[4].reason) == (stopped, stopped)
    assert (old.steps[0].note, old.steps[2].note) == (as_written("the model's format command"), None)
    assert (old.warnings, old.faults) == (now.warnings, ())


def test_a_step_without_a_reason_has_null_and_one_without_a_note_an_empty_text(writer: BundleWriter) -> None:
    plan = json.loads((writer.path / layout.JOURNAL).read_text().splitlines()[0])
    assert {(step["reason"], step["note"]) for step in plan["steps"]} == {(None, "")}
    (empty, *_) = layout.STEPS_ADAPTER.validate_python([plan["steps"][0] | {"reason": ""}])
    assert empty.reason is None


_NO_CHARACTER = {"id": "verbatim", "values": {"text": {"number": 1114112, "format": "c"}}, "english": ""}


@pytest.mark.parametrize("reason", [{"id": 7}, _NO_CHARACTER])
def test_a_line_of_the_journal_that_tells_no_message_is_damaged(writer: BundleWriter, reason: object) -> None:
    writer.run_ended(1, Event.RUN_FAILED, verbatim("why"))
    journal = as_of_schema(writer.path, 3) / layout.JOURNAL
    *lines, last = [json.loads(line) for line in journal.read_text().splitlines()]
    journal.write_text("".join(json.dumps(line) + "\n" for line in (*lines, last | {"reason": reason})))
    bundle = open_bundle(writer.path)
    assert (bundle.status, bundle.reason) == (RunStatus.UNFINISHED, None)
    assert "journal.jsonl line 2 is damaged" in map(str, bundle.faults)


def test_two_runs_never_share_a_bundle(writer: BundleWriter) -> None:
    with pytest.raises(FileExistsError), writer_at(writer.path):
        pass


def test_a_bundle_can_be_moved(tmp_path: Path) -> None:
    write_whole(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    bundle = open_bundle(tmp_path / "there")
    assert bundle.faults == ()
    assert len(bundle.series(bundle.step("fill.pass2"), Direction.WRITE).time_ns)


def message_of(path: Path) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(BundleError) as error:
        open_bundle(path)
    return str(error.value).replace(str(path), "RUN"), hints_of(error.value)


def test_a_bundle_of_a_newer_ssdlab_is_left_alone(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    as_of_schema(path, SCHEMA_VERSION + 1)
    assert message_of(path) == snapshot(("`RUN` has bundle schema 7, this ssdlab reads up to 6", ("update ssdlab",)))


def test_a_bundle_of_an_older_schema_is_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_whole(tmp_path / "run")
    as_of_schema(path, SCHEMA_VERSION - 1)
    upgrade = UPGRADES[SCHEMA_VERSION - 1]
    monkeypatch.setitem(UPGRADES, SCHEMA_VERSION - 1, lambda old: {**upgrade(old), "seed": 99})
    bundle = open_bundle(path)
    assert (bundle.run.schema, bundle.run.seed) == (SCHEMA_VERSION, 99)


def test_up_to_schema_5_there_were_sentences_where_messages_are(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    now = open_bundle(path).run

    def older(run: dict[str, Any]) -> dict[str, Any]:
        return {**run, "drive": {**run["drive"], "description": run["drive"]["description"]["english"]}}

    then = open_bundle(as_of_schema(path, 5, older)).run
    assert (now.schema, then.schema) == (6, 6)
    assert then.drive.description == as_written(str(now.drive.description))


def test_directories_sort_as_the_steps_ran(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    assert (path / "003-fill.pass1").is_dir()


def test_up_to_schema_2_they_were_numbered_with_two_digits(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    for directory in path.glob("0*-*"):
        directory.rename(path / directory.name.removeprefix("0"))
    as_of_schema(path, 2, lambda run: {key: value for key, value in run.items() if key != "index_digits"})
    bundle = open_bundle(path)
    assert bundle.faults == ()
    assert bundle.directory(bundle.step("fill.pass1")) == path / "03-fill.pass1"
    assert len(bundle.series(bundle.step("fill.pass1"), Direction.WRITE).time_ns)


@pytest.mark.parametrize(
    ("target", "memory"),
    [("model:demo", Memory.FORGETS), ("file:/mnt", Memory.FORGETS), ("nbd+unix:///a?socket=b", Memory.KEEPS)],
)
def test_schema_1_knew_by_the_target_alone_what_a_drive_keeps(tmp_path: Path, target: str, memory: Memory) -> None:
    path = write_whole(tmp_path / "run")

    def older(run: dict[str, Any]) -> dict[str, Any]:
        drive = {key: value for key, value in run["drive"].items() if key != "memory"}
        return {**run, "drive": {**drive, "target": target}}

    assert open_bundle(as_of_schema(path, 1, older)).run.drive.memory is memory


def test_a_newer_schema_is_recognised_whatever_else_has_changed(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    as_of_schema(path, SCHEMA_VERSION + 1, lambda _: {"renamed": True})
    assert message_of(path)[1] == ("update ssdlab",)


def test_a_schema_that_never_was_is_damage(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    as_of_schema(path, -1)
    assert "run.json is damaged" in message_of(path)[0]


def test_what_is_no_bundle_is_told(tmp_path: Path) -> None:
    assert message_of(tmp_path / "nothing") == snapshot(
        ("`RUN` is no bundle: there is no such directory", ("`ssdlab run` prints the path of its bundle",))
    )
    (tmp_path / "empty").mkdir()
    assert message_of(tmp_path / "empty") == snapshot(
        (
            "`RUN` is no bundle: journal.jsonl is missing; run.json is missing",
            ("give the directory that holds run.json and journal.jsonl",),
        )
    )


def test_the_newest_run_is_the_one_begun_last_whatever_it_is_called(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    begun = {"20260101T000000Z-fill-b": "2026-01-01T00:00:00+00:00", "drive-of-a-friend": "2025-07-01T00:00:00+00:00"}
    for name, started_at in {**begun, "a-name": "2026-03-01T00:00:00+00:00"}.items():
        with closing(BundleWriter(runs / name, replace(run_info(GIB), started_at=started_at), ())):
            pass
    for name, content in {"undated": b"{", "another": b'{"started_at": "yesterday"}'}.items():
        shutil.copytree(runs / "a-name", runs / name)
        (runs / name / layout.RUN).write_bytes(content)
    (runs / "no-bundle").mkdir()
    assert newest_run(tmp_path).name == "a-name"
    assert [path.name for path in runs_below(tmp_path)] == ["another", "undated", *reversed(begun), "a-name"]


def test_runs_begun_at_one_moment_stand_by_their_names(tmp_path: Path) -> None:
    for name in ("b", "a"):
        with writer_at(tmp_path / "runs" / name):
            pass
    assert newest_run(tmp_path).name == "b"


def test_a_lab_without_runs_says_so(tmp_path: Path) -> None:
    with pytest.raises(BundleError) as error:
        newest_run(tmp_path)
    assert (str(error.value).replace(str(tmp_path), "LAB"), hints_of(error.value)) == snapshot(
        ("there is no run under `LAB`", ("name a bundle, or the lab it is in with `--lab DIR`",))
    )


def test_a_lab_that_holds_imported_results_alone_names_one_of_them(tmp_path: Path) -> None:
    for name in ("a-fio", "b-fio"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / IMPORT).touch()
    with pytest.raises(BundleError) as error:
        newest_run(tmp_path)
    assert (str(error.value).replace(str(tmp_path), "LAB"), hints_of(error.value)[0].replace(str(tmp_path), "LAB")) == (
        "there is no run of ssdlab under `LAB`, only 2 imported results",
        "look at one of them: `ssdlab show LAB/runs/b-fio`",
    )


def test_up_to_schema_4_checks_had_sentences_in_english(tmp_path: Path) -> None:
    path = as_of_schema(write_whole(tmp_path / "run"), 3)
    older: dict[str, Any] = {
        "name": "coverage.fill",
        "step": "fill.pass2",
        "outcome": "warn",
        "finding": "931 GiB of 932 GiB were written",
        "meaning": "the drive was not written whole: it is not in the state later steps take it to be in",
        "mend": "fill it in some way that there was once",
        "numbers": [{"name": "written", "value": 3, "unit": "B"}],
    }
    quiet = {
        "name": "fio.polling",
        "step": "fill.pass2",
        "outcome": "pass",
        "finding": "none",
        "meaning": "",
        "mend": "",
    }
    (path / layout.AUDIT).write_text(json.dumps([older, quiet]))
    bundle = open_bundle(path)
    checks = {check.name: check for check in bundle.audit}
    assert checks["coverage.fill"] == Check(
        name="coverage.fill",
        step="fill.pass2",
        outcome=Outcome.WARN,
        finding=message("as-written", text=older["finding"]),
        meaning=message("audit-coverage-fill-fail"),
        remedy=message("as-written", text=older["mend"]),
        numbers=(Compared(name="written", value=3, unit="B"),),
    )
    assert (checks["fio.polling"].meaning, checks["fio.polling"].remedy) == (None, None)
    assert bundle.faults == ()


def test_steps_of_the_first_schema_have_their_group_as_first_word(tmp_path: Path) -> None:
    path = as_of_schema(write_whole(tmp_path / "one"), 3)
    plan, *others = (path / layout.JOURNAL).read_text().splitlines()
    line = json.loads(plan)
    for step in line["steps"]:
        del step["group"], step["point"], step["run"]
    (path / layout.JOURNAL).write_text("\n".join([json.dumps(line), *others, ""]))
    bundle = open_bundle(path)
    assert bundle.faults == ()
    assert [(step.group, step.point.name, step.run) for step in bundle.steps] == [
        ("purge", "purge", 1),
        ("purge", "purge.rest", 1),
        ("fill", "fill.pass1", 1),
        ("fill", "fill.rest", 1),
        ("fill", "fill.pass2", 1),
    ]
