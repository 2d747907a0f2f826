"""What `ssdlab log` writes: Parquet against a naive reader, figures, and the status it ends with."""

import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.log_command import piped, printed

from ssdlab.analysis.log import parquet as log_parquet
from ssdlab.analysis.log.file import LogError, identify
from ssdlab.analysis.log.parquet import write_parquet

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33"
DIRECTIONS = ("read", "write", "trim")


def rows(path: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    with duckdb.connect() as connection:
        found = connection.execute("select * from read_parquet(?)", [str(path)])
        return [column[0] for column in found.description or []], found.fetchall()


def written(tmp_path: Path, *logs: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    target = tmp_path / "out.parquet"
    write_parquet([identify(log, None) for log in logs], target)
    return rows(target)


@settings(max_examples=20)
@given(
    ios=st.lists(
        st.tuples(
            st.integers(0, 2**40),
            st.integers(0, 2**62),
            st.integers(0, 2),
            st.integers(1, 2**30),
            st.integers(0, 2**62),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_every_io_is_a_row_with_all_its_columns(tmp_path: Path, ios: list[tuple[int, int, int, int, int]]) -> None:
    log = tmp_path / "a_clat.log"
    log.write_text(
        "".join(f"{time}, {value}, {way}, {block}, {offset}, 0, 7\n" for time, value, way, block, offset in ios)
    )
    names, found = written(tmp_path, log)
    expected_names = "log time_ns direction latency_ns block_bytes offset_bytes priority issue_ns"
    assert names == expected_names.split()
    assert found == [
        (str(log), time * 1_000_000, DIRECTIONS[way], value, block, offset, 0, 7)
        for time, value, way, block, offset in ios
    ]


def test_a_long_log_is_written_in_parts_and_read_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_parquet, "_PART_ROWS", 1)
    log = tmp_path / "a_clat.log"
    # The reader hands over 4 MiB at a time.
    log.write_text("".join(f"{number}, {number}, 0, 512, {10**18 + number}, 0\n" for number in range(250_000)))
    names, found = written(tmp_path, log)
    assert [row[names.index("latency_ns")] for row in found] == list(range(250_000))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a_clat.log", "out.parquet"]


@pytest.mark.parametrize(("kind", "unit"), [("lat", "latency_ns"), ("bw", "bandwidth_kib_per_s"), ("iops", "iops")])
def test_a_window_of_an_averaged_log_is_a_row(tmp_path: Path, kind: str, unit: str) -> None:
    log = tmp_path / f"a_{kind}.log"
    log.write_text("100, 50, 90, 1, 0, 0\n200, 60, 70, 0, 0, 0\n")
    names, found = written(tmp_path, log)
    assert names == ["log", "time_ns", "direction", f"{unit}_mean", f"{unit}_max"]
    assert found == [(str(log), 100_000_000, "write", 50, 90), (str(log), 200_000_000, "read", 60, 70)]


def test_a_bin_of_a_histogram_log_is_a_row_with_its_edges(tmp_path: Path) -> None:
    log = DATA / "mixed" / "log_clat_hist.1.log"
    names, found = written(tmp_path, log)
    assert names == ["log", "time_ns", "direction", "bin_low_ns", "bin_high_ns", "count"]
    expected = []
    for line in log.read_text().splitlines():
        time_ms, way, _, *counts = map(int, line.split(","))
        expected += [(time_ms * 1_000_000, DIRECTIONS[way], count) for count in counts if count]
    assert [(row[1], row[2], row[5]) for row in found] == expected
    assert all(row[3] <= row[4] for row in found)


def test_the_last_bin_has_no_upper_edge(tmp_path: Path) -> None:
    log = tmp_path / "a_clat_hist.log"
    log.write_text(f"100, 0, 4096, {'0, ' * 1855}3\n")
    _, ((*_, high, count),) = written(tmp_path, log)
    assert (high, count) == (None, 3)


def test_a_bin_of_json_is_a_row_of_its_job(tmp_path: Path) -> None:
    log = tmp_path / "a.json"
    latency = {"max": 1, "N": 5, "bins": {"110": 2, "18304": 3}}
    log.write_text(json.dumps({"jobs": [{"jobname": "it's", "read": {"total_ios": 5, "clat_ns": latency}}]}))
    names, found = written(tmp_path, log)
    assert names == ["log", "job", "kind", "direction", "bin_low_ns", "bin_high_ns", "count"]
    assert found == [
        (str(log), "it's", "clat", "read", 110, 110, 2),
        (str(log), "it's", "clat", "read", 18_176, 18_431, 3),
    ]


def test_logs_with_other_columns_share_a_file_and_lack_what_they_lack(tmp_path: Path) -> None:
    one, other = tmp_path / "a_lat.log", tmp_path / "b_lat.log"
    one.write_text("1, 5, 0, 512, 0\n")
    other.write_text("2, 6, 0, 512, 8192, 0\n")
    names, found = written(tmp_path, one, other)
    assert names == ["log", "time_ns", "direction", "latency_ns", "block_bytes", "priority", "offset_bytes"]
    assert [row[6] for row in found] == [None, 8192]


def test_rows_that_stand_for_different_things_are_not_put_into_one_file(tmp_path: Path) -> None:
    one, other = tmp_path / "a_lat.log", tmp_path / "b_lat.log"
    one.write_text("1, 5, 0, 512, 0\n")
    other.write_text("100, 6, 0, 0, 0\n")
    with pytest.raises(LogError, match=r"rows of `.*b_lat.log` are windows, of the logs before I/Os"):
        written(tmp_path, one, other)
    assert not (tmp_path / "out.parquet").exists()


def test_a_directory_gets_a_file_for_each_log(tmp_path: Path) -> None:
    log = DATA / "every_io" / "log_lat.1.log"
    packed = tmp_path / "again_lat.log.gz"
    packed.write_bytes(gzip.compress(log.read_bytes()))
    ended = printed(log, packed, "--parquet", tmp_path / "columns")
    assert ended.stdout.decode().splitlines() == [
        str(tmp_path / "columns" / "log_lat.1.parquet"),
        str(tmp_path / "columns" / "again_lat.parquet"),
    ]
    one, other = (rows(Path(line))[1] for line in ended.stdout.decode().splitlines())
    assert [row[1:] for row in one] == [row[1:] for row in other]
    assert len(one) == 200


def test_logs_that_would_become_one_file_are_refused(tmp_path: Path) -> None:
    log = DATA / "every_io" / "log_lat.1.log"
    with pytest.raises(LogError, match="two logs would both become"):
        write_parquet([identify(log, None)] * 2, tmp_path / "columns")


def test_a_log_without_lines_is_a_table_without_rows(tmp_path: Path) -> None:
    log = tmp_path / "a_slat.log"
    log.write_text("")
    assert written(tmp_path, log) == (["log", "time_ns", "direction", "latency_ns", "block_bytes"], [])


def test_a_cut_off_log_is_written_up_to_the_cut_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "a_lat.log"
    log.write_text("1, 5, 0, 512, 0\n2, 6, 0, 5")
    ended = printed(log, "--parquet", tmp_path / "out.parquet")
    assert (ended.returncode, len(rows(tmp_path / "out.parquet")[1])) == (0, 1)
    assert b"is cut off inside line 2, which is not counted" in ended.stderr


def test_a_damaged_log_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    log, target = tmp_path / "a_lat.log", tmp_path / "out.parquet"
    target.write_bytes(b"older")
    log.write_text("1, 5, 0, 512, 0\n2, six, 0, 512, 0\n")
    ended = printed(log, "--parquet", target)
    assert ended.returncode == 1
    assert f"`{log}`, line 2: the value is not a whole number".encode() in ended.stderr
    assert target.read_bytes() == b"older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a_lat.log", "out.parquet"]


@pytest.mark.parametrize("suffix", [".svg", ".png"])
@pytest.mark.parametrize("kind", ["tail", "series", "heatmap"])
def test_each_figure_is_written_as_its_name_says(tmp_path: Path, kind: str, suffix: str) -> None:
    target = tmp_path / f"a{suffix}"
    ended = printed(DATA / "every_io" / "log_lat.1.log", "--figure", kind, "-o", target)
    assert (ended.returncode, ended.stdout.decode()) == (0, f"{target}\n")
    content = target.read_bytes()
    assert content.startswith(b"<svg" if suffix == ".svg" else b"\x89PNG")


def test_a_figure_replaces_one_of_ssdlab_and_nothing_else(tmp_path: Path) -> None:
    log = DATA / "every_io" / "log_lat.1.log"
    for name in ("a.png", "a.svg"):
        for _ in ("new", "again"):
            assert printed(log, "--figure", "tail", "-o", tmp_path / name).returncode == 0
    (tmp_path / "tail.png").write_text("mine")
    ended = printed(log, "--figure", "tail", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"`tail.png` was not written by ssdlab, and would be replaced" in ended.stderr
    assert (tmp_path / "tail.png").read_text() == "mine"


def test_the_tail_of_every_form_of_log_has_a_line_for_each_direction(tmp_path: Path) -> None:
    logs = [DATA / "every_io" / "log_lat.1.log", DATA / "write" / "log_clat_hist.1.log", DATA / "mixed" / "fio.json"]
    printed(*logs, "--figure", "tail", "-o", tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text()
    for label in (
        "log_lat.1.log, read, lat",
        "log_lat.1.log, write, lat",
        "log_clat_hist.1.log, write, clat",
        "fio.json, read, clat",
        "fio.json, write, clat",
    ):
        assert f">{label}" in svg
    assert ">latency (log scale)<" in svg


def test_the_extremes_of_a_log_are_drawn(tmp_path: Path) -> None:
    for latency_ns in (0, 2**64 - 1):
        log = tmp_path / "a_clat.log"
        log.write_text("".join(f"{time}, {latency_ns}, 0, 4096, 0\n" for time in range(0, 500, 10)))
        for figure in ("tail", "series", "heatmap"):
            ended = printed(log, "--figure", figure, "-o", tmp_path / "a.svg")
            assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_log_without_a_value_over_time_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "a_clat.log"
    log.write_text("".join(f"{time}, 0, 0, 4096, 0\n" for time in range(50)))
    ended = printed(log, "--figure", "series", "-o", tmp_path / "a.svg")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"these logs are too short: no window is whole, and there are no latencies above 0" in ended.stderr


def test_a_figure_has_a_name_of_its_own_if_none_is_given(tmp_path: Path) -> None:
    ended = piped(
        "-", "--kind", "lat", "--unit", "ns", "--figure", "tail", stdin=b"1, 5000, 0, 512, 0\n" * 50, cwd=tmp_path
    )
    assert (ended.returncode, ended.stdout) == (0, b"tail.png\n")
    assert (tmp_path / "tail.png").exists()


LOG = str(DATA / "every_io" / "log_lat.1.log")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((LOG, "--figure", "pie"), 2, "`pie` is no figure"),
        ((LOG, "--figure", "tail", "-o", "a.pdf"), 2, "`a.pdf` is neither .svg nor .png"),
        ((LOG, "-o", "a.png"), 2, "`-o` names the file of a figure, but none is asked for"),
        ((LOG, "--window", "fast"), 2, "`fast` is not a duration"),
        ((LOG, "--window", "1500us"), 2, "`1500us` is not a whole number of milliseconds"),
        ((LOG, "--json", "--parquet", "a"), 2, "`--json` prints what is counted"),
        ((LOG, "--parquet", "/proc/nowhere/a.parquet"), 1, "`/proc/nowhere/a.parquet` cannot be written"),
        ((LOG, "--figure", "tail", "-o", "/proc/nowhere/a.svg"), 1, "there is no directory `/proc/nowhere`"),
        ((str(DATA / "mixed" / "log_lat.1.log"), "--figure", "tail"), 1, "holds averages, which have no percentiles"),
        ((LOG, "--kind", "bw", "--figure", "tail"), 1, "holds rates and no latencies"),
        ((str(DATA / "mixed" / "fio.json"), "--figure", "series"), 1, "is JSON, which says nothing over time"),
        ((str(Path(__file__)), "--kind", "lat", "--figure", "series"), 1, "line 1: "),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is(
    tmp_path: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    ended = printed(*arguments, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (status, b"")
    assert message in ended.stderr.decode()
    assert list(tmp_path.iterdir()) == []
