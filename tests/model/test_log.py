"""`ssdlab log` on logs of every form: what it prints, what it leaves out and why, what it refuses."""

import gzip
import json
import os
import signal
import subprocess
import sys
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssdlab import _core
from ssdlab.analysis.log.file import LogError, LogFormat, LogKind, identify
from ssdlab.analysis.log.summary import DirectionSummary, LogSummary, summarise
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.engine.fio.document import split_output
from ssdlab.unknown import Unknown

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33"
SSDLAB = Path(sys.executable).with_name("ssdlab")


def summary_of(*paths: Path, kind: LogKind | None = None) -> LogSummary:
    (summary,) = summarise([identify(path, kind) for path in paths])
    return summary


def every_io(path: Path, values: list[int], block: int = 4096) -> Path:
    path.write_text("".join(f"{number}, {value}, 0, {block}, 0, 0\n" for number, value in enumerate(values)))
    return path


def percentile(direction: DirectionSummary, percent: str) -> object:
    return direction.percentiles[PERCENTS.index(percent)]


def printed(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SSDLAB, "log", *arguments], input=stdin, capture_output=True, check=False)


@settings(max_examples=30)
@given(values=st.lists(st.one_of(st.integers(0, 3_000_000), st.integers(0, 2**63)), min_size=1, max_size=300))
def test_every_statistic_is_that_of_its_definition(tmp_path: Path, values: list[int]) -> None:
    (direction,) = summary_of(every_io(tmp_path / "a_lat.log", values)).directions
    ordered = sorted(values)
    assert (direction.io_count, direction.io_bytes) == (len(values), 4096 * len(values))
    assert direction.mean == sum(values) / len(values)
    assert direction.largest == ordered[-1]
    for percent, per_million in (("50", 500_000), ("90", 900_000), ("99", 990_000)):
        rank = ceil(per_million * len(values) / 1_000_000)
        found = percentile(direction, percent)
        assert isinstance(found, Unknown) if len(values) - rank < 10 else found == ordered[rank - 1]


def test_the_series_has_every_io_in_its_window(tmp_path: Path) -> None:
    (direction,) = summary_of(every_io(tmp_path / "a_lat.log", [7] * 250, block=512)).directions
    assert direction.windows is not None
    assert direction.windows.window_ms == 100
    assert direction.windows.ios.tolist() == [100, 100, 50]
    assert direction.windows.length_bytes.tolist() == [51_200, 51_200, 25_600]


def test_logs_of_one_kind_are_counted_as_one(tmp_path: Path) -> None:
    paths = [every_io(tmp_path / f"a_lat.{number}.log", list(range(number, 1000, 2))) for number in (0, 1)]
    (direction,) = summary_of(*paths).directions
    assert (direction.io_count, percentile(direction, "50")) == (1000, 499)


@pytest.mark.parametrize("kind", ["bw", "iops"])
def test_the_command_adds_up_rates_of_several_jobs(tmp_path: Path, kind: str) -> None:
    """`ssdlab log *_bw.*.log` once told the mean of the logs, a 64th of what a run of 64 jobs did."""
    logs = [tmp_path / f"x_{kind}.{job}.log" for job in (1, 2, 3)]
    for job, log in enumerate(logs, start=1):
        log.write_text(f"1000, {100 * job}, 1, 0, 0\n2000, {300 * job}, 1, 0, 0\n")
    (summary,) = json.loads(printed("--json", *logs).stdout)
    found = summary["directions"]["write"]
    assert (found["mean"], found["largest"]) == (1200, 1800)
    words = printed(*logs)
    assert b"3 logs" in words.stdout + words.stderr


def test_kinds_are_kept_apart(tmp_path: Path) -> None:
    files = [identify(every_io(tmp_path / f"a_{kind}.1.log", [1]), None) for kind in ("lat", "clat", "slat")]
    assert {one.kind for one in summarise(files)} == {
        LogKind.LATENCY,
        LogKind.COMPLETION_LATENCY,
        LogKind.SUBMISSION_LATENCY,
    }


def test_averages_have_no_percentiles() -> None:
    for direction in summary_of(DATA / "mixed" / "log_lat.1.log").directions:
        assert direction.window_count == 3
        assert all(isinstance(one, Unknown) and "averaged" in str(one.reason) for one in direction.percentiles)
        assert isinstance(direction.io_count, Unknown)


def test_averages_and_single_ios_are_not_mixed(tmp_path: Path) -> None:
    single = every_io(tmp_path / "a_lat.1.log", [5] * 20)
    with pytest.raises(LogError, match="holds averages, other logs every I/O"):
        summary_of(single, DATA / "mixed" / "log_lat.1.log")


@pytest.mark.parametrize("kind", ["bw", "iops"])
def test_a_rate_of_a_single_io_is_not_shown(tmp_path: Path, kind: str) -> None:
    (direction,) = summary_of(every_io(tmp_path / f"a_{kind}.1.log", [1] * 100)).directions
    assert direction.io_count == 100
    for value in (direction.mean, direction.largest, *direction.percentiles):
        assert isinstance(value, Unknown)
        assert "every single I/O" in str(value.reason)


def test_a_histogram_log_gives_percentiles_of_all_its_windows() -> None:
    log = _core.parse_fio_hist_log((DATA / "write" / "log_clat_hist.1.log").read_bytes())
    bins, counts = log.bins(1)
    (direction,) = summary_of(DATA / "write" / "log_clat_hist.1.log").directions
    assert direction.io_count == sum(counts) > 0
    assert percentile(direction, "50") == _core.histogram_percentiles(bins, counts, [50])[0]


def test_a_histogram_log_of_merged_bins_says_how_wide_they_are() -> None:
    summary = summary_of(DATA / "mixed" / "log_clat_hist.1.log")
    assert summary.form is LogFormat.HISTOGRAM
    assert any("merged 4 bins into one, so a percentile is within 3.2 %" in str(note) for note in summary.notes)


def test_bins_of_json_are_merged_over_files() -> None:
    one, other = DATA / "write" / "fio.json", DATA / "mixed" / "fio.json"

    def samples(path: Path) -> int:
        text, _ = split_output(path.read_bytes())
        return int(json.loads(text)["jobs"][0]["write"]["total_ios"])

    summaries = summarise([identify(one, None), identify(other, None)])
    (write,) = (part for part in summaries[0].directions if part.direction.value == "write")
    assert (summaries[0].kind, write.io_count) == (LogKind.LATENCY, samples(one) + samples(other))
    assert isinstance(percentile(write, "90"), int)


def json_of_jobs(path: Path, jobs: int) -> Path:
    latency = {"min": 1, "max": 9000, "mean": 100.0, "N": 5000, "percentile": {"50.000000": 96, "99.000000": 120}}
    part = {"total_ios": 5000, "io_bytes": 5000, "clat_ns": latency}
    path.write_text(json.dumps({"jobs": [{"read": part} for _ in range(jobs)]}))
    return path


def test_percentiles_that_fio_printed_are_repeated_but_never_merged(tmp_path: Path) -> None:
    (one,) = summary_of(json_of_jobs(tmp_path / "one.json", 1)).directions
    assert (percentile(one, "50"), percentile(one, "99")) == (96, 120)
    assert all(isinstance(percentile(one, percent), Unknown) for percent in ("90", "99.9999"))
    (two,) = summary_of(json_of_jobs(tmp_path / "two.json", 2)).directions
    assert two.io_count == 10_000
    assert all(isinstance(value, Unknown) and "json+" in str(value.reason) for value in two.percentiles)


def test_json_with_other_bins_than_fio_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    part = {"total_ios": 50, "io_bytes": 50, "lat_ns": {"max": 1, "N": 50, "bins": {"18305": 50}}}
    path.write_text(json.dumps({"jobs": [{"read": part}]}))
    with pytest.raises(LogError, match="18305 ns is not the middle"):
        summarise([identify(path, None)])


@pytest.mark.parametrize("odd", [-1, -(2**70), 2**64, 10**400, float("inf"), float("nan")])
@pytest.mark.parametrize("place", ["total_ios", "io_bytes", "bin", "count", "max"])
def test_json_with_numbers_that_fio_never_writes_is_refused_in_words(tmp_path: Path, place: str, odd: float) -> None:
    latency: dict[str, Any] = {"N": 100, "mean": 9.0, "max": 9, "bins": {"9": 100}}
    read: dict[str, Any] = {"io_bytes": 4096, "total_ios": 100, "iops": 1.0, "lat_ns": latency}
    if place == "bin":
        latency["bins"] = {str(odd): 100}
    elif place == "count":
        latency["bins"] = {"9": odd}
    else:
        (latency if place == "max" else read)[place] = odd
    path = tmp_path / "fio.json"
    path.write_text(json.dumps({"jobs": [{"jobname": "a", "read": read}]}))
    with pytest.raises(LogError, match=r"is not fio's JSON: jobs\."):
        summarise([identify(path, None)])


def test_a_compressed_log_and_a_pipe_give_what_the_file_gives(tmp_path: Path) -> None:
    content = (DATA / "every_io" / "log_lat.1.log").read_bytes()
    (tmp_path / "packed_lat.log.gz").write_bytes(gzip.compress(content))
    table = printed(DATA / "every_io" / "log_lat.1.log").stdout.splitlines()[1:]
    assert printed(tmp_path / "packed_lat.log.gz").stdout.splitlines()[1:] == table
    assert printed("-", "--kind", "lat", "--unit", "ns", stdin=content).stdout.splitlines()[1:] == table


def test_json_says_why_something_is_not_known() -> None:
    (entry,) = json.loads(printed("--json", DATA / "every_io" / "log_lat.1.log").stdout)
    read: dict[str, Any] = entry["directions"]["read"]
    assert (entry["kind"], entry["unit"], entry["percentile_precision"]) == ("lat", "ns", "exact")
    assert read["percentiles"]["99"] == {"unknown": "fewer than 10 I/Os lie above it"}
    assert sum(read["series"]["ios"]) == read["io_count"] == 98


def test_a_log_that_is_cut_off_is_counted_up_to_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "a_lat.log"
    path.write_bytes((DATA / "every_io" / "log_lat.1.log").read_bytes()[:-5])
    summary = summary_of(path)
    assert sum(int(str(one.io_count)) for one in summary.directions) == 199
    assert "is cut off inside line 200" in str(summary.notes[0])


def test_damage_names_file_line_expectation_and_finding(tmp_path: Path) -> None:
    path = tmp_path / "a_lat.log"
    path.write_text("0, 5, 0, 4096, 0, 0\n0, five, 0, 4096, 0, 0\n")
    ended = printed(path)
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith(
        f'error: `{path}`, line 2: the value is not a whole number of at least 0, found "0, five, 0, 4096, 0, 0"\n'
    )


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("nowhere_lat.log",), 1, "there is no file `nowhere_lat.log`"),
        (("-",), 1, "the name of `-` does not say what it logs"),
        (("-", "--kind", "latency"), 2, "`latency` is no kind of log"),
        ((str(DATA), "--kind", "lat"), 1, "cannot be read: "),
    ],
)
def test_what_cannot_be_read_is_refused(arguments: tuple[str, ...], status: int, message: str) -> None:
    ended = printed(*arguments)
    assert (ended.returncode, ended.stdout) == (status, b"")
    assert message in ended.stderr.decode()


def test_ctrl_c_ends_the_wait_for_a_pipe() -> None:
    script = "from ssdlab import _core; print('waiting', flush=True); _core.scan_fio_logs(['-'], [50])"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"waiting\n"
        os.kill(process.pid, signal.SIGINT)
        assert b"KeyboardInterrupt" in process.stderr.read()
