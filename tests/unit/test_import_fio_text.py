"""fio's text and terse lines: the numbers of the JSON of the same run, to the digits that are printed."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.library.foreign.fio_result import READERS as JSON_READERS
from ssdlab.library.foreign.fio_text import READERS
from ssdlab.library.foreign.readers import read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError

TEXT = Path(__file__).parent.parent / "data" / "fio-3.33" / "text"
"""Written here by fio 3.33: text and JSON of one run in one file, and terse lines."""

NORMAL, TERSE = READERS
(JSON,) = JSON_READERS

FIO_2 = """\
w: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=32
fio-2.2.10
Starting 1 process

w: (groupid=0, jobs=1): err= 0: pid=120932: Fri Jun 19 01:21:02 2020
  read : io=4000.0MB, bw=409600KB/s, iops=102400, runt= 10000msec
    slat (usec): min=3, max=1700, avg= 4.48, stdev=55.89
    clat (msec): min=11, max=1660, avg=240.35, stdev=325.71
     lat (msec): min=11, max=1660, avg=240.46, stdev=325.71
    clat percentiles (msec):
     |  1.00th=[   18],  5.00th=[   24], 10.00th=[   29], 50.00th=[   90],
     | 99.00th=[ 1369], 99.50th=[ 1434], 99.90th=[ 1565], 99.99th=[ 1663]
    bw (KB  /s): min=61950, max=150051, per=99.82%, avg=135947.08, stdev=8464.48
    lat (msec) : 20=2.33%, 50=25.87%, 100=25.51%, 250=19.29%, 500=11.36%
  cpu          : usr=0.32%, sys=1.54%, ctx=11923, majf=0, minf=14338
     issued    : total=r=1024000/w=0/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0

Run status group 0 (all jobs):
   READ: io=4000.0MB, aggrb=409600KB/s, minb=409600KB/s, maxb=409600KB/s, mint=10000msec, maxt=10000msec
"""
"""After `stat.c` of fio 2.2.10."""


def values(foreign: Foreign) -> dict[str, float]:
    return {one.key.name: float(one.value) for one in foreign.numbers if isinstance(one.value, int | float)}


@pytest.mark.parametrize("name", ["copies.txt", "grouped.txt"])
def test_text_says_what_the_json_beside_it_says(name: str) -> None:
    content = (TEXT / name).read_bytes()
    of_json, of_text = values(JSON.read(name, content)), values(NORMAL.read(name, content))
    assert of_json.keys() == of_text.keys()
    for key, value in of_json.items():
        assert of_text[key] == pytest.approx(value, rel=1e-6 if "iops" in key or "bandwidth" in key else 2e-3)


def test_where_both_stand_in_one_file_json_counts() -> None:
    of_file = values(read_foreign(TEXT / "copies.txt")[0])
    assert of_file == values(JSON.read("copies.txt", (TEXT / "copies.txt").read_bytes()))


@pytest.mark.parametrize("version", [3, 4, 5])
def test_terse_lines_of_every_version_have_the_same_numbers(version: int) -> None:
    path = TEXT / f"terse-{version}.txt"
    fields = path.read_text().split(";")
    found = values(read_foreign(path)[0])
    assert len(found) == 14
    assert found["fio.a_b.read.iops"] == float(fields[7])
    assert found["fio.a_b.read.bandwidth"] == pytest.approx(float(fields[6]) * 1024, rel=1e-3)
    assert found["fio.a_b.read.clat_mean"] == pytest.approx(float(fields[15]) * 1000)
    assert found["fio.a_b.read.clat_p50"] == 1000 * int(
        next(one for one in fields if one.startswith("50.0")).split("=")[1]
    )
    write = 5 + (47 if version == 5 else 41)
    assert found["fio.a_b.write.iops"] == float(fields[write + 2])


def test_terse_lines_of_one_job_are_never_added(tmp_path: Path) -> None:
    """Copies, the snapshots of `--status-interval` and runs appended to one file cannot be told from each other."""
    path = tmp_path / "a.txt"
    line = (TEXT / "terse-3.txt").read_text().strip()
    path.write_text(line)
    alone = values(read_foreign(path)[0])
    path.write_text("\n".join([line] * 5))
    found, _ = read_foreign(path)
    rates = [value for name, value in values(found).items() if name.endswith("read.iops")]
    assert rates == [alone["fio.a_b.read.iops"]] * 5
    assert any("several terse lines are of the job" in caution for caution in found.cautions)


def test_text_of_fio_2(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(FIO_2)
    found = read_foreign(path)[0]
    assert found.program_version == "2.2.10"
    assert values(found) == snapshot(
        {
            "fio.w.read.iops": 102400.0,
            "fio.w.read.bandwidth": 419430400.0,
            "fio.w.read.clat_mean": 240350000.0,
            "fio.w.read.clat_p50": 90000000.0,
            "fio.w.read.clat_p99": 1369000000.0,
            "fio.w.read.clat_p99_9": 1565000000.0,
            "fio.w.read.clat_p99_99": 1663000000.0,
            "fio.w.read.lat_mean": 240460000.0,
        }
    )


def test_kb_of_fio_2_is_no_unit_where_no_count_of_blocks_says_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(FIO_2.replace("bs=4K-4K/4K-4K/4K-4K", "bs=4K-8K/4K-8K/4K-8K"))
    assert "fio.w.read.bandwidth" not in values(read_foreign(path)[0])
    assert "fio.w.read.iops" in values(read_foreign(path)[0])


def test_a_bandwidth_of_fio_2_is_left_out_where_blocks_times_ios_contradict_it(tmp_path: Path) -> None:
    """fio's own bandwidth is 7 % higher there: not all I/Os were of that size, or not all were counted."""
    path = tmp_path / "a.txt"
    path.write_text(FIO_2.replace("io=4000.0MB, bw=409600KB/s", "io=4280.0MB, bw=438272KB/s"))
    assert "fio.w.read.bandwidth" not in values(read_foreign(path)[0])


def test_kb_of_fio_2_may_be_thousands_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(FIO_2.replace("io=4000.0MB, bw=409600KB/s", "io=4194.3MB, bw=419430KB/s"))
    assert values(read_foreign(path)[0])["fio.w.read.bandwidth"] == 419430400.0


_LOST_CARRY = """\
w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) {block}, (T) 4096B-4096B, ioengine=libaio, iodepth=4
fio-3.1
Starting 1 process
w: (groupid=0, jobs=1): err= 0: pid=1: Fri Oct  6 05:21:27 2017
  write: IOPS=3065, BW=11.0MiB/s ({decimal})(3593MiB/300002msec)
    clat (usec): min=359, max=45445, avg=1294.12, stdev=1983.67
     issued rwt: total=0,919738,0, short=0,0,0, dropped=0,0,0
"""
"""Built after what fio 3.1 to 3.25 print for 11.98 MiB/s."""


@pytest.mark.parametrize("decimal", ["12.6MB/s", "12.0MB/s"])
def test_a_bandwidth_whose_carry_fio_lost_is_told_by_what_stands_beside_it(tmp_path: Path, decimal: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(_LOST_CARRY.format(block="4096B-4096B", decimal=decimal))
    assert values(read_foreign(path)[0])["fio.w.write.bandwidth"] == pytest.approx(919738 * 4096 / 300.002)
    path.write_text(_LOST_CARRY.format(block="4096B-8192B", decimal=decimal))
    assert values(read_foreign(path)[0])["fio.w.write.bandwidth"] == pytest.approx(12.56e6, rel=0.005)


_UNDER_WAY = """\
r: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=1
fio-3.7
Starting 64 processes
r: (groupid=0, jobs=64): err= 0: pid=1: Wed Aug 12 09:01:44 2020
   read: IOPS=404, BW=1601KiB/s (1639kB/s)(47.9MiB/30647msec)
    clat (usec): min=81, max=2177.2k, avg=142959.30, stdev=303322.42
    clat percentiles (usec):
{stray}     | 50.00th=[   7111], 99.00th=[1199571], 99.90th=[1887437]
     issued rwts: total=12384,0,0,0 short=0,0,0,0 dropped=0,0,0,0
"""
"""fio counts I/Os that it sent and bytes that arrived; 122 of 12,384 I/Os did not."""


def test_where_more_was_sent_than_arrived_the_bandwidth_is_what_fio_says(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(_UNDER_WAY.format(stray=""))
    found = values(read_foreign(path)[0])
    assert found["fio.r.read.bandwidth"] == pytest.approx(1_639_000, abs=500)
    assert found["fio.r.read.iops"] == pytest.approx(404.08, abs=0.01)


def test_a_line_of_somebody_else_among_percentiles_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(_UNDER_WAY.format(stray="[global]\n"))
    assert values(read_foreign(path)[0])["fio.r.read.clat_p99"] == 1_199_571_000


@pytest.mark.parametrize(
    "rest",
    [
        "Starting 1 process\nfio: pid=0, err=13/file:filesetup.c:174, func=open, error=Permission denied\n",
        "verify: bad magic header 0\n",
    ],
)
def test_what_fio_printed_without_a_result_is_called_so(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"fio-3.28\n{rest}")
    with pytest.raises(ForeignError, match="is what fio printed, and holds no result") as refused:
        read_foreign(path)
    assert "run the job again" in str(refused.value.hints[0])


def test_of_snapshots_the_last_counts_and_two_runs_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    block = FIO_2[FIO_2.index("w: (groupid") :]
    path.write_text(FIO_2[: FIO_2.index("w: (groupid")] + block.replace("1024000", "10") + block)
    assert values(read_foreign(path)[0])["fio.w.read.iops"] == 102_400
    path.write_text(FIO_2 + FIO_2.replace("pid=120932", "pid=9").replace("1024000", "10240"))
    assert {round(value) for name, value in values(read_foreign(path)[0]).items() if "iops" in name} == {102_400, 1024}


HEADING, REPORT = FIO_2[: FIO_2.index("w: (groupid")], FIO_2[FIO_2.index("w: (groupid") :]
COPY = REPORT[: REPORT.index("Run status")]


def rates(path: Path, text: str) -> list[float]:
    path.write_text(text)
    return [round(value) for name, value in values(read_foreign(path)[0]).items() if name.endswith("iops")]


def test_runs_without_the_line_of_their_version_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    other = REPORT.replace("pid=120932", "pid=9")
    assert rates(path, REPORT + other) == [102_400, 102_400]
    # In a container every fio may be the same process.
    assert rates(path, REPORT + REPORT.replace("1024000", "1000")) == [102_400, 100]


def test_copies_that_are_threads_of_one_process_are_all_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert rates(path, HEADING + COPY * 3 + REPORT) == [4 * 102_400]
    assert rates(
        path, HEADING + (COPY.replace("1024000", "1000") * 3 + REPORT.replace("1024000", "1000")) + COPY * 3 + REPORT
    ) == [4 * 102_400]


def test_a_snapshot_that_is_cut_off_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert rates(path, HEADING + REPORT + REPORT[:60] + "\n") == [102_400]


def test_errors_and_short_ios_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(FIO_2.replace("err= 0:", "err= 5 (file:io_u.c:1803, func=io_u error, error=Input/output error):"))
    assert any("`w` ended with error 5" in caution for caution in read_foreign(path)[0].cautions)
    path.write_text(FIO_2.replace("short=r=0/w=0", "short=r=3/w=4"))
    assert any("7 I/Os of the job `w` moved less" in caution for caution in read_foreign(path)[0].cautions)
    fields = (TEXT / "terse-3.txt").read_text().split(";")
    path.write_text(";".join([*fields[:4], "5", *fields[5:]]))
    assert any("`a b` ended with error 5" in caution for caution in read_foreign(path)[0].cautions)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_terse_line_behind_a_mark_of_byte_order(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text((TEXT / "terse-3.txt").read_text(), encoding=encoding)
    assert len(values(read_foreign(path)[0])) == 14


def test_text_behind_many_lines_of_progress(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    progress = "Jobs: 1 (f=1): [w(1)][10.0%][w=400MiB/s][w=102k IOPS][eta 00m:09s]\n" * 2000
    path.write_text(HEADING + progress + REPORT)
    assert len(values(read_foreign(path)[0])) == 8


def test_text_with_the_marks_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in (FIO_2.replace("\n", "\r\n").encode(), FIO_2.encode("utf-16")):
        path.write_bytes(content)
        assert len(read_foreign(path)[0].numbers) == 8


def test_a_terse_line_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    whole = (TEXT / "terse-3.txt").read_text()
    for end in (40, 200, 600):
        path.write_text(whole[:end])
        with pytest.raises(ForeignError, match="is not as its program writes it"):
            read_foreign(path)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([FIO_2, *(path.read_text() for path in sorted(TEXT.glob("terse*")))]), st.data())
def test_damage_is_refused_and_crashes_nothing(text: str, data: st.DataObject) -> None:
    content = text.encode()
    at = data.draw(st.integers(0, len(content)))
    damaged = content[:at] + data.draw(st.binary(max_size=12)) + content[at + data.draw(st.integers(0, 40)) :]
    for reader in READERS:
        with suppress(ForeignError):
            reader.read("damaged", damaged)


def test_hosts_whose_processes_have_one_number_are_all_kept(tmp_path: Path) -> None:
    host = "hostname={}, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.36, flags=1\n"
    report = (
        "rnd: (groupid=0, jobs=1): err= 0: pid=15: Mon Mar  4 05:06:07 2026\n"
        "  read: IOPS={0}, BW=3906KiB/s (4000kB/s)(38.1MiB/10000msec)\n"
        "     issued rwts: total={0}0000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n\nRun status group 0 (all jobs):\n"
    )
    (path := tmp_path / "clients.txt").write_text(
        host.format("a") + host.format("b") + report.format(1) + report.format(2)
    )
    rates = [value for name, value in values(read_foreign(path)[0]).items() if name.endswith(".iops")]
    assert sorted(rates) == [1000, 2000]
