"""A sustained write: what is asked, what is written, what it means."""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.old_bundle import as_of_schema
from tests.kit.sample_bundle import series_of
from tests.kit.sustain_kill import killed_after
from typer.testing import CliRunner, Result

from ssdlab import cli
from ssdlab.analysis.metrics.sustain import Seconds, seconds_of
from ssdlab.analysis.metrics.sustain_words import sentences
from ssdlab.bundle import layout
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.own_files import Keep, OwnFiles
from ssdlab.errors import UsageError
from ssdlab.job import StepKind
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.run import conclude_again
from ssdlab.lab.sustain import thinning as sustain_thinning
from ssdlab.lab.sustain.ground import Before, Choice, open_ground
from ssdlab.lab.sustain.live import Live
from ssdlab.lab.sustain.run import sustain
from ssdlab.message import Message, message
from ssdlab.method import sustain as method
from ssdlab.method.sustain import SustainSettings, Verify, length_of
from ssdlab.units import GIB, MIB
from ssdlab.unknown import Unknown


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, ["sustain", *map(str, arguments)])


def test_the_drive_is_trimmed_before_the_passes_if_asked(tmp_path: Path) -> None:
    made = bundle_of(
        run("model:demo?capacity=64MiB", "--record", "64MiB", "--passes", "1", "--trim", "--lab", tmp_path)
    )
    assert [(step.name, step.kind) for step in made.steps] == [
        ("sustain.trim", StepKind.PURGE),
        ("sustain.pass1", StepKind.FILL),
    ]


def bundle_of(result: Result) -> Bundle:
    return open_bundle(Path(result.stdout.strip().splitlines()[-1]))


def metrics_of(result: Result) -> dict[str, object]:
    return {metric.name: metric.value for metric in bundle_of(result).metrics}


# In virtual time


def test_a_flat_drive_is_flat_in_each_of_six_passes(tmp_path: Path) -> None:
    result = run("model:flat-cfexpress-800gb", "--passes", "6", "--record", "100GiB", "--lab", tmp_path)
    metrics = metrics_of(result)
    for number in range(1, 7):
        assert metrics[f"sustain.pass{number}.bandwidth_mean"] == pytest.approx(1353e6, rel=0.005)
        assert metrics[f"sustain.pass{number}.bandwidth_min"] == pytest.approx(1353e6, rel=0.005)
        assert metrics[f"sustain.pass{number}.flat"] is True
    bundle = bundle_of(result)
    written = sum(step.job.amount_bytes or 0 for step in bundle.steps if step.job is not None)
    assert written / GIB == pytest.approx(4470, abs=2)


def test_a_drive_with_a_cache_is_not_flat_and_says_where_it_falls(tmp_path: Path) -> None:
    result = run("model:pm9e1-1tb", "--record", "100GiB", "--need", "1350MB/s", "--lab", tmp_path)
    metrics = metrics_of(result)
    assert metrics["sustain.pass1.flat"] is False
    assert metrics["sustain.pass1.cache_bytes"] == pytest.approx(250e9, rel=0.01)
    assert isinstance(met := metrics["sustain.pass1.need_met"], float)
    assert 20 < met < 60
    assert "pass 1: fell after 233.1 GiB (250.3 GB)" in result.stderr


def test_a_model_holds_no_data_and_says_so(tmp_path: Path) -> None:
    result = run("model:demo", "--verify", "after", "--record", "1GiB", "--lab", tmp_path)
    assert "verified: not known: a drive model holds no data to compare" in result.stderr
    bad = metrics_of(result)["sustain.verify.bad_bytes"]
    assert isinstance(bad, Unknown)
    assert str(bad.reason) == "a drive model holds no data to compare"


# What a pass means


def seconds(*mb_per_s: float) -> Seconds:
    return Seconds(np.array(mb_per_s))


def test_flat_is_steady_within_five_per_cent_and_without_a_trend() -> None:
    assert seconds(*[100.0] * 50).within == 1
    assert seconds(*[100.0] * 50).excursion == pytest.approx(0)
    assert seconds(*[100.0] * 90, *[90.0] * 10).within == pytest.approx(0.9)
    assert seconds(*np.linspace(98, 102, 100)).excursion == pytest.approx(0.04)


def test_shares_of_time_below_the_median() -> None:
    one = seconds(*[100.0] * 8, 60.0, 40.0)
    assert [one.share_below(share * one.median) for share in (0.5, 0.8, 0.95)] == pytest.approx([0.1, 0.2, 0.2])


def test_seconds_keep_all_bytes_but_the_last_fraction() -> None:
    bandwidth = np.repeat([10e6, 20e6, 30e6, 40e6, 50e6, 60e6], 10)
    found = seconds_of(series_of(bandwidth[:-3], np.ones(57), np.ones(57)))
    assert isinstance(found, Seconds)
    assert found.bandwidth == pytest.approx([10e6, 20e6, 30e6, 40e6, 50e6])


def test_a_short_pass_says_nothing_of_flatness() -> None:
    assert seconds_of(series_of(np.ones(30), np.ones(30), np.ones(30))) == Unknown(
        message("unknown-short-pass", least_s=5)
    )


# What is asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chunk", "1KiB"], "a chunk of 1.00 KiB cannot be written at once"),
        (["--chunk", "64MiB", "--record", "1MiB"], "a record of 1.00 MiB is less than a chunk of 64.0 MiB"),
        (["--passes", "0"], "0 passes write nothing"),
        (["--passes", "often"], "`--passes often` is no number"),
        (["--verify", "maybe"], "`--verify maybe` is unknown"),
        (["--tag", "T"], "data that is left needs a name, and a name needs data that is left"),
        (["--write-only", "--tag", "../T"], "the tag `../T` cannot be part of a name"),
        (["--write-only", "--tag", 'T"'], 'the tag `T"` cannot be part of a name'),
        (["--verify-tag", "T", "--write-only"], "`--verify-tag` only reads"),
        (["--verify-tag", "T", "--trim"], "`--trim` would do away with the data that `--verify-tag` reads"),
        (["--total", "9TB"], "8.19 TiB cannot be written where 2.00 GiB may be used"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], message: str) -> None:
    result = run("model:demo", *arguments, "--lab", tmp_path)
    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == message


def test_a_pass_ends_on_a_whole_sector_and_leaves_what_it_is_told_to() -> None:
    assert length_of(SustainSettings(leave_bytes=10_000_000), 100 * MIB) == (100 * MIB - 10_000_000) // 4096 * 4096


def test_a_tag_is_all_that_its_seed_is_made_of() -> None:
    assert SustainSettings(tag="shelf").seed == SustainSettings(tag="shelf").seed != SustainSettings(tag="drawer").seed


def test_settings_are_kept_as_toml() -> None:
    assert SustainSettings(passes=None, need_bytes_per_s=10).text == snapshot("""\
[sustain]
version = "2025.12"
work = "write"
chunk_bytes = 67108864
record_bytes = 1073741824
total = "all there is"
leave_bytes = 0
passes = 'forever'
verify = "none"
rest_ns = 0
rest_between_ns = 0
need_bytes_per_s = 10
""")


# In a directory


OPTIONS = ("--total", "6MiB", "--chunk", "1MiB", "--record", "2MiB")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "place"
    path.mkdir()
    (path / "mine.txt").write_text("precious")
    return path


def left_in(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*"))


def test_a_directory_is_left_as_it_was_found(tmp_path: Path, place: Path) -> None:
    result = run(place, *OPTIONS, "--passes", "2", "--verify", "each-pass", "--lab", tmp_path)
    assert "verified: every byte is what was written" in result.stderr
    assert left_in(place) == ["mine.txt"]
    assert (place / "mine.txt").read_text() == "precious"


def test_files_stay_when_they_are_to_be_kept(tmp_path: Path, place: Path) -> None:
    run(place, *OPTIONS, "--keep", "--lab", tmp_path)
    assert left_in(place) == [
        "mine.txt",
        "ssdlab-sustain",
        "ssdlab-sustain/part-000000",
        "ssdlab-sustain/ssdlab-sustain.json",
    ]
    again = run(place, *OPTIONS, "--lab", tmp_path)
    assert isinstance(again.exception, DriveError)
    assert "holds data that was to be kept" in str(again.exception)


class PressesCtrlC:
    """In the middle of the first reading."""

    def begins(self, bundle: Path, length_bytes: int) -> None: ...
    def rests(self, duration_ns: int) -> None: ...
    def note(self, text: Message) -> None: ...

    def record(self, live: Live) -> None:
        if live.record.phase.value == "read":
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize(("whole_first", "later_bits"), [(128, 7), (0, -5)], ids=["whole", "totals"])
def test_a_reading_that_was_stopped_verifies_nothing(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch, whole_first: int, later_bits: int
) -> None:
    for module in (method, sustain_thinning):
        monkeypatch.setattr(module, "WHOLE_FIRST", whole_first)
    monkeypatch.setattr(method, "_WHOLE_LATER_BITS", later_bits)
    settings = SustainSettings(
        chunk_bytes=MIB, record_bytes=MIB, total_bytes=16 * MIB, passes=None, verify=Verify.EACH_PASS
    )
    choice = Choice(target=str(place), erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    with open_ground(choice, settings) as ground:
        bundle = sustain(settings, ground, tmp_path / "lab", PressesCtrlC(), None)
    assert ("sustain.verify" in {one.name for one in bundle.not_whole}) == (whole_first == 0)
    (said,) = [line for line in map(str, sentences(bundle.metrics, bundle.not_whole)) if "verified" in line]
    assert said == "not verified: what was read is what was written, but the reading was stopped before its end"


class TakesItAway:
    """The card is pulled out in the first pass."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def begins(self, bundle: Path, length_bytes: int) -> None: ...
    def rests(self, duration_ns: int) -> None: ...
    def note(self, text: Message) -> None: ...

    def record(self, live: Live) -> None:
        del live
        if self._directory.exists():
            shutil.rmtree(self._directory)


def test_a_file_system_that_went_away_is_what_the_run_fails_with(tmp_path: Path, place: Path) -> None:
    settings = SustainSettings(chunk_bytes=MIB, record_bytes=MIB, total_bytes=4 * MIB, passes=2)
    choice = Choice(target=str(place), erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    watcher = TakesItAway(place / "ssdlab-sustain")
    with pytest.raises(RunFailed) as error, open_ground(choice, settings) as ground:
        sustain(settings, ground, tmp_path / "lab", watcher, None)
    assert str(error.value) == f"`{place}/ssdlab-sustain` is gone"
    assert "was the file system unmounted or the drive taken out?" in hints_of(error.value)


def test_files_that_cannot_be_removed_are_said(tmp_path: Path, place: Path) -> None:
    """A file of somebody else in the place of one of ours is such a file for root, too."""
    files = OwnFiles(place, Keep.REMOVE, None)
    files.grow_to(MIB)
    files.parts[0].unlink()
    files.parts[0].mkdir()
    with pytest.raises(DriveError, match="could not be removed"):
        files.close()


def test_data_of_a_tag_is_read_again_without_its_bundle(tmp_path: Path, place: Path) -> None:
    written = run(place, *OPTIONS, "--write-only", "--tag", "shelf", "--lab", tmp_path / "here")
    assert "verified: every byte is what was written" in written.stderr
    again = run(place, *OPTIONS[2:], "--verify-tag", "shelf", "--lab", tmp_path / "elsewhere")
    assert "verified: every byte is what was written" in again.stderr
    part = place / "ssdlab-sustain-shelf" / "part-000000"
    with part.open("r+b") as file:
        file.seek(MIB)
        file.write(b"rotten")
    rotten = run(place, *OPTIONS[2:], "--verify-tag", "shelf", "--lab", tmp_path / "elsewhere")
    assert "verified: 512 bytes are not what was written" in rotten.stderr


def test_the_verdict_is_a_number_of_the_journal_and_in_older_bundles_in_the_note(tmp_path: Path, place: Path) -> None:
    run(place, *OPTIONS, "--verify", "after", "--lab", tmp_path)
    (path,) = (tmp_path / "runs").iterdir()
    new = {metric.name: metric for metric in conclude_again(path).metrics}
    assert new["sustain.verify.bad_bytes"].value == 0
    older = as_of_schema(path, 3)
    lines = [json.loads(line) for line in (older / layout.JOURNAL).read_text().splitlines()]
    for line in lines:
        line.pop("totals", None)
    (older / layout.JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert {metric.name: metric for metric in conclude_again(older).metrics} == new


def test_a_reading_is_held_against_the_day_of_writing_where_the_lab_knows_it(tmp_path: Path, place: Path) -> None:
    run(place, *OPTIONS, "--write-only", "--tag", "shelf", "--lab", tmp_path / "here")
    (once,) = (tmp_path / "here" / "runs").iterdir()
    day = open_bundle(once).run.started_at[:10]
    again = run(place, *OPTIONS[2:], "--verify-tag", "shelf", "--lab", tmp_path / "here")
    (retained,) = [one for one in bundle_of(again).metrics if one.name == "sustain.verify1.speed_retained"]
    (path,) = (one for one in (tmp_path / "here" / "runs").iterdir() if one != once)
    assert retained.value == pytest.approx(100 * read_speed(path) / read_speed(once))
    assert str(retained.note) == f"of the day of writing ({day})"
    assert f" % of the day of writing ({day})" in again.stderr


def read_speed(path: Path) -> float:
    (speed,) = [one.value for one in open_bundle(path).metrics if one.name == "sustain.verify1.bandwidth_mean"]
    assert isinstance(speed, int | float)
    return speed


@pytest.mark.parametrize(("lab", "chunk"), [("elsewhere", "1MiB"), ("here", "2MiB")])
def test_a_day_of_writing_that_cannot_be_compared_is_not_known(
    tmp_path: Path, place: Path, lab: str, chunk: str
) -> None:
    run(place, *OPTIONS, "--write-only", "--tag", "shelf", "--lab", tmp_path / "here")
    again = run(place, "--chunk", chunk, "--record", "2MiB", "--verify-tag", "shelf", "--lab", tmp_path / lab)
    assert "against the day of writing is not known: this lab has no run that wrote this tag" in again.stderr
    assert isinstance(metrics_of(again)["sustain.verify1.speed_retained"], Unknown)


def test_the_same_data_is_not_written_twice_as_a_lost_second_write_would_not_show(tmp_path: Path, place: Path) -> None:
    leave = ("--write-only", "--tag", "shelf", "--lab", tmp_path / "here")
    first = run(place, *OPTIONS, *leave)
    shutil.rmtree(place / "ssdlab-sustain-shelf")
    again = run(place, *OPTIONS, *leave)
    assert isinstance(again.exception, DriveError)
    assert re.sub(r"\d{4}-\d\d-\d\d", "DATE", str(again.exception)) == (
        f"data of the tag `shelf` was written on DATE already (`{first.stdout.strip()}`): the same data again would hide "
        "a write that was lost"
    )
    assert hints_of(again.exception) == ("take a tag that was never used: `--tag shelf-2`",)
    assert not (place / "ssdlab-sustain-shelf").exists()
    other = run(place, *OPTIONS, "--write-only", "--tag", "shelf-2", "--lab", tmp_path / "here")
    assert "verified: every byte is what was written" in other.stderr


def test_a_refused_run_leaves_no_directory_that_looks_like_kept_data(tmp_path: Path, place: Path) -> None:
    refused = run(
        place,
        "--chunk",
        "1MiB",
        "--record",
        "1MiB",
        "--total",
        "1PB",
        "--write-only",
        "--tag",
        "shelf",
        "--lab",
        tmp_path,
    )
    assert refused.exit_code
    assert not (place / "ssdlab-sustain-shelf").exists()


def test_a_sustained_write_cannot_be_resumed(tmp_path: Path) -> None:
    sustained = run("model:demo", "--record", "1GiB", "--lab", tmp_path)
    (path,) = (tmp_path / "runs").iterdir()
    journal = path / "journal.jsonl"
    # As a kill before the end leaves it.
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-2]))
    result = CliRunner().invoke(cli.app, ["resume", sustained.stdout.strip()])
    assert isinstance(result.exception, CannotResume)
    assert str(result.exception) == "a sustained write cannot be resumed: the drive has rested since"


def test_another_tag_finds_no_data(tmp_path: Path, place: Path) -> None:
    result = run(place, "--verify-tag", "drawer", "--lab", tmp_path)
    assert isinstance(result.exception, DriveError)
    assert "holds no data of the tag `drawer`" in str(result.exception)


def test_what_is_not_ours_in_our_directory_is_not_touched(tmp_path: Path, place: Path) -> None:
    (place / "ssdlab-sustain").mkdir()
    (place / "ssdlab-sustain" / "part-000000").write_text("not of ssdlab")
    result = run(place, *OPTIONS, "--lab", tmp_path)
    assert isinstance(result.exception, DriveError)
    assert "is not ssdlab's alone" in str(result.exception)
    assert (place / "ssdlab-sustain" / "part-000000").read_text() == "not of ssdlab"


def test_every_record_that_was_shown_outlives_a_kill_at_ten_moments(tmp_path: Path, place: Path) -> None:
    random = np.random.default_rng(9)
    for number in range(10):
        csv = tmp_path / f"{number}.csv"
        shown = killed_after(place, tmp_path / "lab", csv, int(random.integers(1, 60)))
        assert len(csv.read_text().splitlines()) - 1 >= len(shown) >= 1
    # What the last one left is removed by the next, and nothing else is.
    result = run(place, *OPTIONS, "--lab", tmp_path / "lab")
    assert "that a run before had left" in result.stderr
    assert left_in(place) == ["mine.txt"]
    bundles = [open_bundle(path) for path in (tmp_path / "lab" / "runs").iterdir()]
    assert len(bundles) == 11
