"""What `ssdlab analyse` says of a built-in drive that somebody else recorded: the same as the lab says of its own run."""

import json
import lzma
import os
import threading
from pathlib import Path

import pytest
from tests.kit.five_drives import shared_run
from tests.kit.log_command import printed_by

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.units import KIB, NS_PER_MS
from ssdlab.unknown import Unknown

DRIVES = ("folding-tlc-1tb", "qlc-dramless-1tb", "flat-cfexpress-800gb")
WORDS = ("cache_bytes", "cache_bandwidth", "folding_bandwidth", "direct_bandwidth", "bandwidth_mean", "bandwidth_p1")


def as_fio_log(bundle: Bundle, path: Path) -> Path:
    """The first pass of a fill as fio would have logged it: whole milliseconds, whole KiB/s."""
    step = next(one for one in bundle.finished() if one.name == "fill.pass1")
    series = bundle.series(step, Direction.WRITE)
    rates = zip(series.time_ns // NS_PER_MS, series.bandwidth_bytes_per_s / KIB, strict=True)
    path.write_text("".join(f"{time}, {rate:.0f}, 1, 0, 0\n" for time, rate in rates))
    return path


@pytest.mark.parametrize("name", DRIVES)
def test_a_foreign_log_of_a_drive_gets_the_answers_of_the_labs_own_run(name: str, tmp_path: Path) -> None:
    bundle = shared_run(name, "fill", "64GiB")
    log = as_fio_log(bundle, tmp_path / "fill_bw.log")
    capacity = f"{bundle.run.drive.capacity_bytes}B"
    ended = printed_by("analyse", log, "--as", "fill", "--capacity", capacity, "--purged", "--json")
    assert ended.returncode == 0, ended.stderr
    said = {one["name"]: one["value"] for one in json.loads(ended.stdout)["metrics"]}
    own = {one.name: one.value for one in bundle.metrics}
    for key in ("fill.after_cache", *(f"fill.pass1.{word}" for word in WORDS)):
        match own[key]:
            case Unknown(reason):
                assert said[key] == {"unknown": str(reason)}
            case str():
                assert said[key] == own[key]
            case _:
                assert said[key] == pytest.approx(own[key], rel=2e-3), key


def test_a_packed_log_is_named_as_it_was_given(tmp_path: Path) -> None:
    """Not by its copy that was unpacked for a while."""
    rows = "".join(f"{1000 * at}, {1_000_000 if at < 60 else 400_000}, 1, 0, 0\n" for at in range(1, 300))
    log = tmp_path / "fill_bw.log.xz"
    log.write_bytes(lzma.compress(rows.encode()))
    ended = printed_by("analyse", log, "--as", "fill", "--capacity", "1TB", "--json")
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert [series["files"] for series in said["series"]] == [[str(log)]]
    assert b"ssdlab-" not in ended.stdout


def test_a_figure_is_drawn_beside_the_answer(tmp_path: Path) -> None:
    log = as_fio_log(shared_run(DRIVES[0], "fill", "64GiB"), tmp_path / "fill_bw.log")
    picture = tmp_path / "fill.svg"
    ended = printed_by("analyse", log, "--as", "fill", "--capacity", "1TB", "-o", picture)
    assert ended.returncode == 0, ended.stderr
    assert "not known to have been purged" in picture.read_text()
    assert b"was the drive purged before?" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--as", "cache", "--capacity", "1TB"], 2, b"no analysis cache"),
        (["--as", "fill"], 2, b"capacity"),
        (["--as", "reclaim", "--capacity", "1TB"], 2, b"needs `--rests`"),
        (["--as", "reclaim", "--capacity", "1TB", "--rests", "5s,10s"], 2, b"2 rests, 1 files"),
        (["--as", "steady", "--capacity", "1TB", "--purged"], 2, b"`--purged` is for"),
        (["--as", "fill", "--capacity", "1TB", "--unit", "Mb/s"], 2, b"no unit Mb/s"),
        (["--as", "fill", "--capacity", "1TB", "--time", "days"], 2, b"no unit of time days"),
        (["--as", "fill", "--capacity", "1TB", "--columns", "a"], 2, b"takes two"),
        (["--as", "fill", "--capacity", "0B"], 2, b"`--capacity` must be at least 1 B"),
        (["--as", "fill", "--capacity", "1TB", "--block", "0B"], 2, b"`--block` must be at least 1 B"),
        (["--as", "fill", "--capacity", "1TB"], 1, b"does not say the unit"),
    ],
)
def test_what_does_not_fit_is_refused_before_or_after_reading(
    tmp_path: Path, arguments: list[str], status: int, words: bytes
) -> None:
    path = tmp_path / "given.csv"
    path.write_text("1,5\n2,5\n3,5\n")
    ended = printed_by("analyse", path, *arguments)
    assert ended.returncode == status
    assert words in ended.stderr


def test_a_rest_stands_once_and_pipes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a_bw.1.log"
    path.write_text("".join(f"{at * 1000}, {2000000 if at <= 40 else 500000}, 1, 0, 0\n" for at in range(1, 401)))
    ended = printed_by("analyse", path, path, "--as", "reclaim", "--capacity", "1TB", "--rests", "5s,5s")
    assert ended.returncode == 2
    assert b"stands twice" in ended.stderr
    pipe = tmp_path / "piped_bw.1.log"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()), daemon=True)
    writer.start()
    ended = printed_by("analyse", pipe, "--as", "fill", "--capacity", "266GB", "--purged")
    assert ended.returncode == 0, ended.stderr
    assert b"82 GB" in ended.stdout
