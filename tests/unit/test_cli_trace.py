"""`ssdlab trace` as its user types it: what stands on the screen, what goes to stdout, how a slip ends."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.log_command import Ended, printed_by
from tests.kit.traces import SAMPLES, rows

from ssdlab.trace.look import profile_of
from ssdlab.trace.words import place_words


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Of blkparse's text, which has flags, latencies of all but one I/O, and processes."""
    out = tmp_path / "work.ssdtrace"
    ended = printed_by("trace", "import", SAMPLES / "blkparse.txt", "-o", out)
    assert (ended.returncode, ended.stdout.decode()) == (0, f"{out}\n")
    assert ended.stderr.decode().splitlines()[1:] == [
        "device 8,16",
        "note: I/Os without a completion, and so of unknown latency: 1",
    ]
    return out


def lines(ended: Ended) -> list[str]:
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout.decode().splitlines()


def test_show_says_what_is_known_and_why_the_rest_is_not(trace: Path) -> None:
    shown = lines(printed_by("trace", "show", trace.name, cwd=trace.parent))
    assert shown[:2] == [
        "work.ssdtrace: 3 I/Os from blkparse, seen when they were given to the driver",
        "arrivals over 196 µs, to 1 ns",
    ]
    table = [line.split() for line in shown[5:9]]
    assert table[1][:4] == ["read", "1", "33.3", "%"]
    assert table[3][0] == "flush"
    # The write is of one page of 4 KiB and lies across two blocks.
    assert "working set 16.0 KiB: read 8.00 KiB, written 8.00 KiB" in shown
    assert "in flight and think time: unknown, because the source has no latency of every I/O" in shown


def test_json_has_the_same_as_values(trace: Path) -> None:
    told = json.loads("\n".join(lines(printed_by("trace", "show", trace, "--json"))))
    assert (told["ios"], told["arrivals_ns"], told["in_flight_mean"]) == (3, 196_000, None)
    assert told["trace"]["captured_at"] == "issue"
    assert [(one["op"], one["latency_ns_max"]) for one in told["ops"]] == [
        ("read", None),
        ("write", 100_500),
        ("flush", 1000),
    ]


def test_a_recording_without_ios_is_said_to_have_none(tmp_path: Path) -> None:
    log, trace = tmp_path / "log", tmp_path / "X.ssdtrace"
    log.write_text("fio version 3 iolog\n0 /dev/sda add\n0 /dev/sda open\n9 /dev/sda close\n")
    said = "note: there is no I/O in it: none was recorded, or nothing there is known as one"
    ended = printed_by("trace", "import", log, "-o", trace)
    assert ended.returncode == 0
    assert ended.stderr.decode().splitlines()[1:] == [said]
    assert lines(printed_by("trace", "show", trace))[1:] == [said]


@pytest.mark.parametrize(
    ("arrivals_us", "rates"),
    [
        # The last one a moment after a window began, and half a window after it.
        ([0, 1000, 2001], ["1,000", "1,000", "-"]),
        ([0, 1000, 2500], ["1,000", "1,000", "2,000"]),
        # A whole trace within a moment.
        ([0, 1], ["-"]),
        ([10 * at for at in range(11)], ["110,000"]),
        ([0], ["1,000"]),
    ],
)
def test_a_moment_has_no_rate(tmp_path: Path, arrivals_us: list[int], rates: list[str]) -> None:
    log, trace = tmp_path / "log", tmp_path / "X.ssdtrace"
    log.write_text("fio version 3 iolog\n" + "".join(f"{at} f read 0 4096\n" for at in arrivals_us))
    assert printed_by("trace", "import", log, "-o", trace).returncode == 0
    table = lines(printed_by("trace", "show", trace))[-len(rates) :]
    assert [line.split()[2] for line in table] == rates


def test_too_many_touches_to_follow_are_said_to_be(trace: Path) -> None:
    said = [one.id for one in place_words(replace(profile_of(trace), reused_share=None, reuse_bytes_p50=None))]
    assert said == ["trace-working-set", "trace-reuse-unknown"]


def test_a_cut_begins_at_zero(trace: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.ssdtrace"
    assert printed_by("trace", "cut", trace, "--from", "1us", "--to", "1ms", "-o", part).returncode == 0
    assert [(one[0], one[1]) for one in rows(part)] == [(0, "flush"), (195_000, "read")]


def test_merged_traces_begin_at_once_with_streams_of_their_own(trace: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.ssdtrace"
    assert printed_by("trace", "merge", trace, trace, "-o", both).returncode == 0
    one = rows(trace)
    found = rows(both)
    assert [row[:6] for row in found] == [row[:6] for row in one for _ in range(2)]
    assert len({row[6] for row in found}) == 2 * len({row[6] for row in one})


def test_a_scaled_trace_arrives_so_many_times_as_fast_and_tells_no_latency(trace: Path, tmp_path: Path) -> None:
    fast = tmp_path / "fast.ssdtrace"
    assert printed_by("trace", "scale", trace, "--speed", "2", "-o", fast).returncode == 0
    assert [(one[0], one[5]) for one in rows(fast)] == [(0, None), (500, None), (98_000, None)]


def test_an_export_to_blkparse_is_the_same_trace_again(trace: Path, tmp_path: Path) -> None:
    text, again = tmp_path / "text", tmp_path / "again.ssdtrace"
    assert printed_by("trace", "export", trace, "--format", "blkparse", "-o", text).returncode == 0
    assert printed_by("trace", "import", text, "-o", again).returncode == 0
    assert rows(again) == rows(trace)


def test_an_io_without_a_word_in_fios_log_is_counted(tmp_path: Path) -> None:
    text, trace, log = tmp_path / "text", tmp_path / "X.ssdtrace", tmp_path / "log"
    text.write_text("  8,0  0  1  0.000000000  1  D  WZ 0 + 8 [a]\n  8,0  0  2  0.000001000  1  D  R 8 + 8 [a]\n")
    assert printed_by("trace", "import", text, "-o", trace).returncode == 0
    ended = printed_by("trace", "export", trace, "-o", log)
    assert ended.stderr.decode().splitlines() == ["1 I/O", "note: 1 I/O left out, for which fio-iolog has no word"]
    assert log.read_text().splitlines()[3:] == ["1 trace read 4096 4096", "1 trace close"]


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["show", "nothing.ssdtrace"], 1, "there is no such file or directory"),
        (["show", SAMPLES / "spc.csv"], 1, "is no trace, or a damaged one"),
        (["import", SAMPLES / "README.md", "-o", "X"], 1, "begins like none of the formats of traces"),
        (["import", SAMPLES / "spc.csv", "--format", "csv", "-o", "X"], 2, "`csv` is no format of traces"),
        (["import", SAMPLES / "spc.csv", "--device", "7", "-o", "X"], 2, "there is no I/O of device `7`"),
        (["cut", "work.ssdtrace", "--from", "2s", "--to", "1s", "-o", "X"], 2, "is not before"),
        (["cut", "work.ssdtrace", "--from", "2s", "-o", "X"], 2, "no I/O of `work.ssdtrace` arrived in that time"),
        (["merge", "work.ssdtrace", "nothing.ssdtrace", "-o", "X"], 1, "nothing.ssdtrace"),
        (["merge", "work.ssdtrace", SAMPLES / "spc.csv", "-o", "X"], 1, "is no trace, or a damaged one"),
        (["scale", "work.ssdtrace", "--speed", "0", "-o", "X"], 2, "`--speed 0` is no speed"),
        (["scale", "work.ssdtrace", "--speed", "nan", "-o", "X"], 2, "`--speed nan` is no speed"),
        (["export", "work.ssdtrace", "--format", "csv", "-o", "X"], 2, "`csv` is no format"),
        (["export", "work.ssdtrace", "--file-name", "two words", "-o", "X"], 2, "no name that fio reads"),
    ],
)
def test_a_slip_is_told_with_what_to_do(trace: Path, arguments: list[str | Path], status: int, told: str) -> None:
    ended = printed_by("trace", *arguments, cwd=trace.parent)
    assert ended.returncode == status
    assert told in ended.stderr.decode()
    assert "hint: " in ended.stderr.decode()
    assert not (trace.parent / "X").exists()


def test_a_trace_without_times_can_be_shown_and_not_cut(tmp_path: Path) -> None:
    trace = tmp_path / "X.ssdtrace"
    assert printed_by("trace", "import", SAMPLES / "fio-iolog-2.log", "-o", trace).returncode == 0
    assert "no times: the source has an order only" in lines(printed_by("trace", "show", trace))
    ended = printed_by("trace", "cut", trace, "-o", tmp_path / "part")
    assert (ended.returncode, "has an order and no times" in ended.stderr.decode()) == (1, True)
