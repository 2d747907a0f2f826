"""Traces of others are read in the units of their formats, what they lack stays unknown, and damage is named by its line."""

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from tests.kit.traces import MSR_EPOCH, SAMPLES, desktop, rows, write_msr

from ssdlab.errors import SsdlabError, UsageError
from ssdlab.trace.damage import TraceFileError
from ssdlab.trace.look import TraceMeta, meta_of, profile_of
from ssdlab.trace.make import Wanted, import_trace


def imported(tmp_path: Path, *names: str, wanted: Wanted | None = None) -> tuple[list[tuple[object, ...]], TraceMeta]:
    out = tmp_path / "X.ssdtrace"
    ios, meta = import_trace([SAMPLES / name for name in names], wanted or Wanted(), out)
    found = rows(out)
    assert (ios, meta) == meta_of(out)
    assert len(found) == ios
    return found, meta


def test_fios_log_of_version_3_has_microseconds_from_its_first_io(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "fio-iolog-3.log")
    assert found == [
        (0, "read", 0, 4096, None, None, None),
        (1_000_000_000, "write", 8192, 4096, None, None, None),
        (1_000_050_000, "flush", 0, 0, None, None, None),
        (2_000_100_000, "discard", 1_048_576, 1_048_576, None, None, None),
    ]
    assert (meta.format, meta.device, meta.captured_at) == ("fio-iolog", "/dev/nvme1n1", "application")
    assert (meta.time_resolution_ns, meta.started_unix_ns, meta.lost) == (1000, None, None)
    source = SAMPLES / "fio-iolog-3.log"
    # By sha256sum.
    sha256 = "7622609908d718f9dc80c952c18e319f8f5e158f278451163c2a5a8c409ce908"
    assert [(one.name, one.bytes, one.sha256) for one in meta.files] == [(source.name, source.stat().st_size, sha256)]


def test_fios_log_of_version_2_has_an_order_and_no_times(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "fio-iolog-2.log")
    assert [one[:4] for one in found] == [
        (None, "read", 0, 4096),
        (None, "flush", 0, 0),
        (None, "discard", 8192, 4096),
    ]
    assert (meta.time_resolution_ns, meta.left_out) == (None, {"waits": 1})


def test_blkparse_gives_what_was_issued_and_its_time_to_completion(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "blkparse.txt")
    assert found == [
        (0, "write", 223_490 * 512, 4096, 2, 100_500, 0),
        (1000, "flush", 0, 0, 2, 1000, 1),
        (196_000, "read", 0, 8192, 8, None, 0),
    ]
    assert (meta.captured_at, meta.device) == ("issue", "8,16")
    assert meta.left_out == {"latencies-without-completion": 1}


def test_blktrace_files_of_two_processors_are_one_trace(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "sdb.blktrace.1", "sdb.blktrace.0")
    assert found == [(0, "write", 4096, 4096, 3, 4000, 0), (8000, "flush", 0, 0, 0, 3000, 0)]
    assert (meta.format, meta.lost, meta.captured_at) == ("blktrace", 2, "issue")


def test_msr_cambridge_counts_from_1601_and_may_be_out_of_order(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "msr-cambridge.csv")
    assert found == [
        (0, "read", 7_014_609_920, 24_576, None, 4_128_600, None),
        (1_332_052_600, "write", 1_317_441_536, 8192, None, 196_300, None),
    ]
    assert meta.started_unix_ns == (128_166_372_003_061_629 - MSR_EPOCH) * 100
    assert (meta.device, meta.time_resolution_ns) == ("usr,0", 100)


def test_systor_has_lines_without_operation_and_ios_without_latency(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "systor17.csv")
    assert found == [
        (0, "read", 899_056_122_368, 131_072, None, 806_000, None),
        (67_924_000, "write", 512, 512, None, None, None),
    ]
    assert meta.left_out == {"operation-unnamed": 1}
    assert meta.started_unix_ns == 1_456_095_145_133_076_000


def test_alibaba_has_neither_latencies_nor_flags(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "alibaba.csv")
    assert found == [
        (0, "write", 8_792_731_648, 16_384, None, None, None),
        (1_000_000, "read", 8_792_731_648, 4096, None, None, None),
    ]
    assert (meta.device, meta.time_resolution_ns) == ("419", 1000)


def test_tencent_counts_sectors_and_whole_seconds(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "tencent.csv")
    assert found == [
        (0, "write", 65_536, 4096, None, None, None),
        (1_000_000_000, "read", 69_632, 8192, None, None, None),
    ]
    assert meta.time_resolution_ns == 1_000_000_000


def test_fiu_numbers_processes(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "fiu.txt")
    assert found == [
        (0, "write", 904_265_560 * 512, 4096, None, None, 0),
        (8700, "read", 904_265_568 * 512, 8192, None, None, 1),
    ]
    assert meta.device == "6,0"


def test_spc_counts_sectors_for_places_and_bytes_for_lengths(tmp_path: Path) -> None:
    found, _ = imported(tmp_path, "spc.csv")
    assert found == [
        (0, "read", 21_741_712 * 512, 24_576, None, None, None),
        (1_499_226_000, "write", 512, 512, None, None, None),
    ]


def test_btrecord_has_one_time_a_bunch_and_more_ios_than_its_header_says(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "sdb.replay.0", "sdb.replay.1")
    assert found == [
        (0, "read", 4096, 4096, None, None, None),
        (0, "write", 8192, 8192, None, None, None),
        (0, "flush", 0, 0, None, None, None),
        (3_000_000, "write", 4096 * 512, 131_072, None, None, None),
        (12_000_000, "read", 80 * 512, 4096, None, None, None),
        (25_000_000, "write", 512 << 20, 1 << 20, None, None, None),
        (25_000_000, "read", 96 * 512, 512, None, None, None),
    ]
    assert (meta.format, meta.captured_at, meta.device) == ("btrecord", "queue", None)
    assert (meta.time_resolution_ns, meta.started_unix_ns) == (10_000_000, None)


def test_tectonics_blocks_get_places_as_they_appear_and_users_are_streams(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "tectonic-2019.txt")
    assert found == [
        (0, "write", 16 << 20, 65_536, None, None, 1),
        (1_078_060_000, "read", 262_144, 4_325_376, None, None, 0),
        (2_750_000_000, "write", 8_257_536, 131_072, None, None, 0),
    ]
    assert (meta.format, meta.device, meta.left_out) == ("tectonic", None, {"operation-unnamed": 1})
    assert meta.started_unix_ns == 1_572_074_460_500_000_000


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tectonic-2021.txt", [(0, "read", 4096, 8192, 0), (1_000_000_000, "write", 4096, 8192, 0)]),
        (
            "tectonic-2023.txt",
            [
                (0, "read", 0, 131_072, 0),
                (100_000_000, "read", 16 << 20, 131_072, 0),
                (200_000_000, "read", 131_072, 4096, 1),
            ],
        ),
    ],
)
def test_tectonic_has_other_columns_each_year(tmp_path: Path, name: str, expected: list[tuple[object, ...]]) -> None:
    found, _ = imported(tmp_path, name)
    assert [(*one[:4], one[6]) for one in found] == expected


def test_windows_events_are_at_the_end_of_ios_in_columns_that_they_name(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "etw.csv")
    # The write began 100 us before the trace.
    assert found == [
        (0, "write", 1 << 20, 131_072, None, 150_000, 1),
        (8_429_000, "read", 0x18F0B8000, 4096, None, 283_000, 0),
        (9_000_000, "flush", 0, 0, None, 800_000, 0),
    ]
    assert (meta.format, meta.device, meta.lost) == ("etw-csv", "0", 3)
    assert meta.started_unix_ns == (131_777_972_134_992_100 - MSR_EPOCH) * 100 - 100_000
    found, meta = imported(tmp_path, "etw-of-no-date.csv")
    assert found == [(0, "read", 32_768, 4096, None, 100_000, 0)]
    assert (meta.device, meta.lost, meta.started_unix_ns) == ("2", None, None)


def test_what_is_compressed_is_unpacked(tmp_path: Path) -> None:
    packed = tmp_path / "alibaba.csv.gz"
    packed.write_bytes(gzip.compress((SAMPLES / "alibaba.csv").read_bytes()))
    ios, meta = import_trace([packed], Wanted(), tmp_path / "X.ssdtrace")
    assert (ios, meta.format, meta.files[0].name) == (2, "alibaba", "alibaba.csv.gz")


def refusal(tmp_path: Path, content: bytes, wanted: Wanted | None = None) -> SsdlabError:
    source, out = tmp_path / "source", tmp_path / "X.ssdtrace"
    source.write_bytes(content)
    with pytest.raises(SsdlabError) as refused:
        import_trace([source], wanted or Wanted(), out)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
    assert refused.value.hints
    return refused.value


def test_a_damaged_line_is_named_and_nothing_is_left_behind(tmp_path: Path) -> None:
    found = refusal(tmp_path, b"419,W,0,512,1\n419,W,zero,512,2\n")
    assert str(found) == (
        f"`{tmp_path}/source`, line or record 2: a number that is none, or too large: `419,W,zero,512,2`"
    )


def test_two_devices_in_one_file_are_told_apart_by_name(tmp_path: Path) -> None:
    two = b"1,W,0,512,1\n2,W,0,512,2\n1,R,512,512,3\n"
    assert "`--device 1`" in str(refusal(tmp_path, two).hints[0])
    chosen, out = tmp_path / "source", tmp_path / "one.ssdtrace"
    ios, meta = import_trace([chosen], Wanted(device="1"), out)
    assert (ios, meta.device) == (2, "1")


def test_logs_with_times_and_without_are_not_made_one_trace(tmp_path: Path) -> None:
    timed, timeless, out = tmp_path / "timed", tmp_path / "timeless", tmp_path / "X.ssdtrace"
    timed.write_text("fio version 3 iolog\n0 f read 0 4096\n")
    timeless.write_text("fio version 2 iolog\nf read 0 4096\n")
    with pytest.raises(TraceFileError) as refused:
        import_trace([timed, timeless], Wanted(), out)
    assert (refused.value.message.id, refused.value.hints[0].id) == ("trace-damaged", "trace-hint-apart")
    assert not out.exists()


def test_a_device_that_is_not_there_is_a_fault_of_the_command_line(tmp_path: Path) -> None:
    assert isinstance(refusal(tmp_path, b"1,W,0,512,1\n", Wanted(device="3")), UsageError)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"", Wanted()),
        (b"\0" * 4096, Wanted()),
        (b"hello\n", Wanted()),
        (b"hello\n", Wanted(format="spc")),
        (b"\x07tae" + b"\xff" * 200, Wanted()),
        (b"fio version 3 iolog\n9 f read 18446744073709551615 4096\n", Wanted()),
        (b"fio version 3 iolog\n99999999999999999999 f read 0 4096\n", Wanted()),
        (b"fio version 3 iolog\n" + b"x" * 200_000, Wanted()),
        (b"0,0,512,R," + b"9" * 400 + b"\n", Wanted()),
        (b"\x1f\x8b\x08\0garbage", Wanted(format="spc")),
        (b"1 0 512 9 9 1 1 1\n", Wanted(format="tectonic")),
        (b"1 16777215 512 9 1 1 1 1\n", Wanted(format="tectonic")),
        (b"1 0 512 9 1 1 1\n", Wanted(format="tectonic")),
        (b"BeginHeader\nEndHeader\nDiskRead, 1, a ( 1), 1, 0x0, 0x0, 0x200, 1, 0\n", Wanted()),
        (b"BeginHeader\nDiskRead, TimeStamp, ByteOffset, IOSize\nEndHeader\nDiskRead, 1, 0x0, 0x200\n", Wanted()),
        (b"BeginHeader\nEndHeader\nOS Version: 10, Trace Start: 1\n", Wanted()),
        (b"\0\0\1" + b"\0" * 29 + b"\xff" * 16, Wanted(format="btrecord")),
        (b"\0\0\1" + b"\0" * 29 + b"\1" + b"\0" * 31, Wanted(format="btrecord")),
        (b"\0" * 5 + b"\1" + b"\0" * 26, Wanted(format="btrecord")),
        (b"1,W,0,512,1\n", Wanted(format="no-such")),
    ],
)
def test_what_is_no_recording_is_refused_with_a_hint(tmp_path: Path, content: bytes, wanted: Wanted) -> None:
    refusal(tmp_path, content, wanted)


def test_anything_but_a_trace_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "X.ssdtrace"
    import_trace([SAMPLES / "spc.csv"], Wanted(), out)
    whole = out.read_bytes()
    for number, content in enumerate([b"", b"PAR1", whole[:-1], whole[: len(whole) // 2], b"PAR1" * 100]):
        other = tmp_path / f"{number}.ssdtrace"
        other.write_bytes(content)
        with pytest.raises(TraceFileError):
            profile_of(other)


def test_of_a_damaged_trace_nothing_reaches_the_screen_but_its_refusal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "X.ssdtrace"
    import_trace([SAMPLES / "drive.ioreq"], Wanted(), out)
    whole = out.read_bytes()
    for place in range(len(whole)):
        out.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with suppress(TraceFileError):
            profile_of(out)
    # The decoder of Parquet panics at some of them.
    assert capfd.readouterr() == ("", "")


def test_a_trace_of_a_desktop_takes_less_than_10_bytes_an_io_and_without_latencies_less_than_6(tmp_path: Path) -> None:
    ios = list(desktop(100_000, seed=1))
    with_latencies, without = tmp_path / "with.ssdtrace", tmp_path / "without.ssdtrace"
    import_trace([write_msr(tmp_path / "msr.csv", iter(ios))], Wanted(), with_latencies)
    log = tmp_path / "log"
    lines = (f"{at // 1000} f {op} {offset} {length}\n" for at, op, offset, length, _ in ios)
    log.write_text("fio version 3 iolog\n" + "".join(lines))
    import_trace([log], Wanted(), without)
    assert with_latencies.stat().st_size / len(ios) <= 10
    assert without.stat().st_size / len(ios) <= 6


def test_a_profile_says_what_the_desktop_does(tmp_path: Path) -> None:
    ios = list(desktop(20_000, seed=2))
    out = tmp_path / "X.ssdtrace"
    import_trace([write_msr(tmp_path / "msr.csv", iter(ios))], Wanted(), out)
    profile = profile_of(out)
    assert {one.op: (one.ios, one.bytes) for one in profile.ops} == {
        op: (sum(one[1] == op for one in ios), sum(one[3] for one in ios if one[1] == op)) for op in ("read", "write")
    }
    touched = {block for _, _, offset, length, _ in ios for block in range(offset // 4096, (offset + length) // 4096)}
    assert profile.working_set_bytes == len(touched) * 4096
    at = [(one[0] // 100 - ios[0][0] // 100) * 100 for one in ios]
    ends = [begin + latency // 100 * 100 for begin, (*_, latency) in zip(at, ios, strict=True)]
    assert profile.arrivals_ns == at[-1]
    busy = sum(end - begin for begin, end in zip(at, ends, strict=True))
    assert profile.in_flight_mean == pytest.approx(busy / max(ends))
    last, idle = ends[0], 0
    for begin, end in zip(at[1:], ends[1:], strict=True):
        idle += max(begin - last, 0)
        last = max(last, end)
    assert profile.idle_share == pytest.approx(idle / max(ends))
    assert sum(window.ios for window in profile.windows) == len(ios)
    assert sum(length * runs for length, runs in profile.run_lengths.items()) == len(ios)


def test_a_second_device_is_told_by_both_names_whatever_blanks_are_in_them(tmp_path: Path) -> None:
    source = tmp_path / "two.csv"
    source.write_text(
        f"{MSR_EPOCH},file server 1,0,Read,0,4096,100\n{MSR_EPOCH},file server 2,0,Read,4096,4096,100\n",
        encoding="utf-8",
    )
    with pytest.raises(TraceFileError) as refused:
        import_trace([source], Wanted(), tmp_path / "X.ssdtrace")
    told = dict(refused.value.message.pairs)
    assert (told["first"], told["other"]) == ("file server 1,0", "file server 2,0")


def test_a_recording_of_ours_tells_date_size_durability_and_what_is_missing(tmp_path: Path) -> None:
    found, meta = imported(tmp_path, "drive.ioreq")
    assert [one[:4] + one[5:6] for one in found] == [
        (0, "read", 4096, 4096, 50_000),
        (10_000, "write", 0, 131_072, 9_000),
        (20_000, "flush", 0, 0, 1_000),
        (30_000, "discard", 1 << 20, 1 << 20, 2_000),
        (40_000, "write_zeroes", 0, 65_536, 2_000),
        (60_000, "read", 8192, 512, 51_000),
    ]
    assert [one[4] for one in found] == [0, 1, 0, 0, 0, 0]
    assert (meta.device, meta.device_bytes, meta.started_unix_ns) == ("demo", 64 << 20, 1_700_000_000_000_000_000)
    assert (meta.lost, meta.left_out) == (7, {"cut-off-record": 1})
