"""Damaged bundles among others: found by `ssdlab library check`, listed with their reason, and never in the way of the rest."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.kit.library_runs import METRIC, Made, write_run
from tests.kit.old_bundle import as_of_schema
from tests.kit.sample_bundle import write_whole
from tests.kit.small_bundle import flip
from typer.testing import CliRunner, Result

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.examine import INTACT, examined
from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app
from ssdlab.engine.result import Direction
from ssdlab.lab.run import conclude_again
from ssdlab.library.catalogue import cache_file, open_catalogue
from ssdlab.library.groups import values_of

DATA = Path(__file__).parents[1] / "data" / "bundles"
SERIES = f"003-fill.pass1/{layout.SERIES}"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three runs that can be read."""
    lab = tmp_path / "lab"
    for number in range(3):
        write_run(lab, f"run-{number}", Made(serial=f"S{number}", value=float(number)))
    return lab


# Checking


def test_a_lab_of_sound_bundles_is_sound(lab: Path) -> None:
    done = run("library", "check", str(lab))
    assert (done.exit_code, [line.split()[0] for line in done.stdout.splitlines()]) == (0, ["sound"] * 3)


def test_each_damaged_file_is_named(lab: Path) -> None:
    path = write_whole(lab / "runs" / "whole")
    flip(path / SERIES, 999)
    (path / "003-fill.pass1" / layout.HISTOGRAM).unlink()
    flip(path / layout.METRICS, 50)
    done = run("library", "check", "--lab", str(lab))
    assert done.exit_code == 3
    assert done.stdout.replace(str(lab), "LAB").splitlines()[3:] == snapshot(
        [
            "damaged  LAB/runs/whole",
            "         003-fill.pass1/histogram.parquet is missing",
            "         metrics.json is not as it was written: its SHA-256 is another (it can be computed again: `ssdlab show --again`)",
            "         003-fill.pass1/series.parquet is not as it was written: its SHA-256 is another",
        ]
    )
    (said,) = json.loads(run("library", "check", str(path), "--json").stdout)
    assert len(said["damaged"]) == 3
    assert said["unchecked"] is None


@pytest.mark.parametrize("name", ["schema-3", "import-1"])
def test_what_was_written_before_checksums_is_not_called_sound(name: str) -> None:
    done = run("library", "check", str(DATA / name))
    assert done.exit_code == 0
    assert done.stdout.startswith("unknown  ")
    assert done.stdout.endswith("not checked: written before checksums\n")


def test_what_is_no_bundle_is_damaged(tmp_path: Path) -> None:
    assert run("library", "check", str(tmp_path)).exit_code == 3
    assert "no directory" in str(run("library", "check", str(tmp_path / "nothing")).exception)


def test_a_lab_without_runs_is_not_damaged(tmp_path: Path) -> None:
    done = run("library", "check", "--lab", str(tmp_path))
    assert (done.exit_code, done.stdout) == (1, "")
    assert "there is no run under" in str(done.exception)


# What depends on a damaged file


def test_numbers_of_damaged_data_are_marked_and_not_computed_from_it(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    conclude_again(path)
    before = (path / layout.METRICS).read_bytes()
    flip(path / SERIES, 999)
    bundle = examined(open_bundle(path))
    marked = {metric.name for metric in bundle.metrics if INTACT in metric.failed_checks}
    assert "fill.bandwidth_mean" in marked
    assert not {name for name in marked if name.startswith("fill.pass2")}
    assert tuple(map(str, bundle.faults)) == (f"{SERIES} is not as it was written: its SHA-256 is another",)
    again = conclude_again(path)
    assert not [metric.name for metric in again.metrics if metric.name.startswith("fill.pass1")]
    assert again.faults == bundle.faults
    assert (path / layout.METRICS).read_bytes() == before
    assert run("show", str(path), "--again").exit_code == 3


def test_damaged_conclusions_are_computed_again(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    sound = conclude_again(path)
    flip(path / layout.METRICS, 99)
    assert open_bundle(path).metrics == ()
    assert conclude_again(path).metrics == sound.metrics
    assert open_bundle(path).faults == ()


# One among others


def test_a_parquet_file_that_breaks_its_reader_does_not_break_the_next(tmp_path: Path) -> None:
    """Files without checksums, so that nothing is found before they are read."""
    bad = as_of_schema(write_whole(tmp_path / "bad"), 3)
    series = bad / SERIES
    content = series.read_bytes()
    good = open_bundle(write_whole(tmp_path / "good"))
    for offset in range(4, len(content), 97):
        series.write_bytes(content[:offset] + bytes([content[offset] ^ 0x55]) + content[offset + 1 :])
        bundle = open_bundle(bad)
        try:
            bundle.series(bundle.step("fill.pass1"), Direction.WRITE)
        except DamagedFile as error:
            assert error.name == SERIES  # noqa: PT017 - some of these bytes decide nothing
        assert len(good.series(good.step("fill.pass1"), Direction.WRITE).time_ns)


def changed(**what: object) -> Any:
    """A change of `run.json` as nobody measured it."""
    return lambda run: {**run, "drive": {**run["drive"], **what}}


@pytest.mark.parametrize(
    "change",
    [
        changed(capacity_bytes=10**400),
        changed(capacity_bytes=10**19),
        changed(capacity_bytes=-1),
        changed(model="\ud800"),
        lambda run: {**run, "started_at": "once"},
    ],
)
def test_a_run_that_no_table_can_hold_is_listed_with_its_reason(lab: Path, change: Any) -> None:
    as_of_schema(lab / "runs" / "run-1", 3, change)
    found = open_catalogue(lab)
    assert [entry.name for entry in found.entries] == ["run-0", "run-2"]
    assert [problem.name for problem in found.problems] == ["run-1"]
    assert found.problems[0].what
    assert [value.number for value in values_of(found, METRIC)] == [0.0, 2.0]
    assert run("library", "list", "--lab", str(lab)).exit_code == 0


def test_a_cache_that_has_changed_is_made_anew(lab: Path) -> None:
    open_catalogue(lab)
    content = cache_file(lab, "metrics").read_bytes()
    for bit in range(0, 8 * len(content), 511):
        flip(cache_file(lab, "metrics"), bit)
        assert [value.number for value in values_of(open_catalogue(lab), METRIC)] == [0.0, 1.0, 2.0]


def test_an_import_can_be_added_and_is_checked(tmp_path: Path) -> None:
    shutil.copytree(DATA / "import-1", tmp_path / "import-1")
    assert run("library", "add", str(tmp_path / "import-1"), "--lab", str(tmp_path / "lab")).exit_code == 0
    flip(tmp_path / "import-1" / "original" / "as-ssd.txt", 99)
    done = run("library", "add", str(tmp_path / "import-1"), "--lab", str(tmp_path / "other"))
    assert "damaged: original/as-ssd.txt is not as it was written" in done.stderr
