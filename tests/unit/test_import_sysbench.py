"""sysbench fileio: rates of all threads, latencies of all operations together."""

from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError
from ssdlab.units import KIB, MIB

RNDRW = (DATA / "sysbench-1.0.20-rndrw.txt").read_text()
SEQRD = (DATA / "sysbench-1.0.20-seqrd.txt").read_text()

OLD = """sysbench 0.4.12:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 8

Extra file open flags: 0
128 files, 16Mb each
2Gb total file size
Block size 16Kb
Number of random requests for random IO: 10000
Read/Write ratio for combined random IO test: 1.50
Periodic FSYNC enabled, calling fsync() each 100 requests.
Calling fsync() at the end of test, Enabled.
Using synchronous I/O mode
Doing random r/w test
Threads started!
Done.

Operations performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total
Read 93.75Mb  Written 62.5Mb  Total transferred 156.25Mb  (31.25Mb/sec)
 2000.00 Requests/sec executed

Test execution summary:
    total time:                          5.0000s
    total number of events:              10000
    total time taken by event execution: 21.5000
    per-request statistics:
         min:                                  0.01ms
         avg:                                  2.15ms
         max:                                 91.27ms
         approx.  95 percentile:               9.34ms
"""


def test_reads_and_writes_have_rates_of_their_own_and_latencies_in_common() -> None:
    assert values(read_sample("sysbench-1.0.20-rndrw.txt")) == {
        "sysbench.rndrw.b16KiB.n4.read.bandwidth": 8504.92 * 16 * KIB,
        "sysbench.rndrw.b16KiB.n4.read.iops": 8504.92,
        "sysbench.rndrw.b16KiB.n4.write.bandwidth": 5669.95 * 16 * KIB,
        "sysbench.rndrw.b16KiB.n4.write.iops": 5669.95,
        "sysbench.rndrw.b16KiB.n4.lat_mean": 270_000.0,
        "sysbench.rndrw.b16KiB.n4.lat_max": 98_080_000.0,
        "sysbench.rndrw.b16KiB.n4.lat_p95": 20_000.0,
    }
    found = read_sample("sysbench-1.0.20-rndrw.txt")
    assert (found.program, found.program_version, found.method) == ("sysbench", "1.0.20", "rndrw")


def test_reports_in_between_are_not_the_result() -> None:
    found = values(read_sample("sysbench-1.0.20-seqrd.txt"))
    assert found["sysbench.seqrd.b64KiB.n4.read.bandwidth"] == 46599.33 * 64 * KIB
    assert found["sysbench.seqrd.b64KiB.n4.lat_p99"] == 20_000.0
    assert not [name for name in found if ".write." in name]


def test_rates_of_0_4_come_from_its_counts(tmp_path: Path) -> None:
    assert values(read_content(tmp_path, OLD)) == {
        "sysbench.rndrw.b16KiB.n8.read.bandwidth": 1200 * 16 * KIB,
        "sysbench.rndrw.b16KiB.n8.read.iops": 1200,
        "sysbench.rndrw.b16KiB.n8.write.bandwidth": 800 * 16 * KIB,
        "sysbench.rndrw.b16KiB.n8.write.iops": 800,
        "sysbench.rndrw.b16KiB.n8.lat_mean": pytest.approx(2_150_000),
        "sysbench.rndrw.b16KiB.n8.lat_max": pytest.approx(91_270_000),
        "sysbench.rndrw.b16KiB.n8.lat_p95": pytest.approx(9_340_000),
    }


def test_rates_of_1_1_stand_on_a_line_each(tmp_path: Path) -> None:
    begin, end = RNDRW.index("File operations:"), RNDRW.index("General statistics:")
    new = (
        "Throughput:\n"
        "         read:  IOPS=8504.92 132.89 MiB/s (139.34 MB/s)\n"
        "         write: IOPS=5669.95 88.59 MiB/s (92.90 MB/s)\n"
        "         fsync: IOPS=574.98\n\n"
    )
    text = (RNDRW[:begin] + new + RNDRW[end:]).replace("sysbench 1.0.20", "sysbench 1.1.0-de18a03")
    found = read_content(tmp_path, text)
    assert values(found) == values(read_sample("sysbench-1.0.20-rndrw.txt"))
    assert found.program_version == "1.1.0-de18a03"


def test_runs_after_each_other_in_one_file_are_told_apart(tmp_path: Path) -> None:
    found = values(read_content(tmp_path, RNDRW + SEQRD + SEQRD))
    assert found["sysbench.rndrw.b16KiB.n4.run1.read.iops"] == 8504.92
    assert found["sysbench.seqrd.b64KiB.n4.run2.read.iops"] == found["sysbench.seqrd.b64KiB.n4.run3.read.iops"]


def test_open_flags_and_a_limited_rate_are_other_loads(tmp_path: Path) -> None:
    direct = RNDRW.replace("flags: (none)", "flags: directio").replace(
        "Number of threads: 4", "Target transaction rate: 100/sec\nNumber of threads: 4"
    )
    found = read_content(tmp_path, direct)
    assert values(found)["sysbench.rndrw.flags_directio.rate_100_sec.b16KiB.n4.read.iops"] == 8504.92
    assert "its rate was limited" in found.cautions
    assert "its rate was limited" not in read_sample("sysbench-1.0.20-rndrw.txt").cautions


def test_a_slow_rate_is_not_rounded_to_no_bandwidth(tmp_path: Path) -> None:
    slow = RNDRW.replace("8504.92", "0.25").replace("132.89", "0.00")
    assert values(read_content(tmp_path, slow))["sysbench.rndrw.b16KiB.n4.read.bandwidth"] == 0.25 * 16 * KIB
    other = RNDRW.replace("132.89", "99.99")
    assert values(read_content(tmp_path, other))["sysbench.rndrw.b16KiB.n4.read.bandwidth"] == 99.99 * MIB


def test_a_latency_of_0_is_unknown(tmp_path: Path) -> None:
    text = RNDRW.replace("0.27\n", "0.00\n")
    assert values(read_content(tmp_path, text))["sysbench.rndrw.b16KiB.n4.lat_mean"] == "unknown"


def test_a_percentile_of_too_few_events_is_left_out(tmp_path: Path) -> None:
    found = values(read_content(tmp_path, RNDRW.replace("29536", "199")))
    assert "sysbench.rndrw.b16KiB.n4.lat_p95" not in found
    assert "sysbench.rndrw.b16KiB.n4.lat_mean" in found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RNDRW[: RNDRW.index("File operations")], "has no whole result of its test `fileio`"),
        ("sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nPrime numbers limit: 10000\n", "no whole result"),
        (RNDRW.replace("8504.92", "9" * 400), "no number"),
        (RNDRW.replace("8504.92", "8.504.92"), "no number"),
        (RNDRW.replace("Block size 16KiB", "Block size 16 pages"), "no block size"),
        (RNDRW.replace("random r/w", "diagonal"), "no test mode"),
        (RNDRW.replace("Number of threads: 4", ""), "no number of threads"),
        (OLD.replace("5.0000s", "0.0000s"), "not as its program writes it"),
    ],
)
def test_what_is_not_whole_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize("name", ["sysbench-1.0.20-rndrw.txt", "sysbench-1.0.20-seqrd.txt"])
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=20)
