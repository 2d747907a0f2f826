"""IOzone: columns by where they stand, units by what the heading says."""

from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError
from ssdlab.units import KIB

TABLE = (DATA / "iozone-table.txt").read_text()
THROUGHPUT = (DATA / "iozone-throughput.txt").read_text()


def test_empty_columns_shift_nothing() -> None:
    found = values(read_sample("iozone-table.txt"))
    assert found == {
        "iozone.write.16MiB.b4KiB.bandwidth": 44632 * KIB,
        "iozone.rewrite.16MiB.b4KiB.bandwidth": 42865 * KIB,
        "iozone.random_read.16MiB.b4KiB.bandwidth": 24719 * KIB,
        "iozone.random_write.16MiB.b4KiB.bandwidth": 11304 * KIB,
        "iozone.write.16MiB.b64KiB.bandwidth": 344632 * KIB,
        "iozone.rewrite.16MiB.b64KiB.bandwidth": 342865 * KIB,
        "iozone.random_read.16MiB.b64KiB.bandwidth": 224719 * KIB,
        "iozone.random_write.16MiB.b64KiB.bandwidth": 211304 * KIB,
    }


def test_a_full_row_may_be_wider_than_its_titles(tmp_path: Path) -> None:
    row = "           16384       4  172945  581241  1186518  1563640  877647  374157  484928   240642   985893   633901   652867 1017433  1450619\n"
    lines = TABLE.split("\n")
    full = "\n".join(row.rstrip("\n") if line.startswith("           16384       4") else line for line in lines)
    found = values(read_content(tmp_path, full))
    assert found["iozone.read.16MiB.b4KiB.bandwidth"] == 1186518 * KIB
    assert found["iozone.freread.16MiB.b4KiB.bandwidth"] == 1450619 * KIB


def test_operations_and_microseconds_are_no_bandwidth(tmp_path: Path) -> None:
    operations = values(
        read_content(
            tmp_path, TABLE.replace("Output is in kBytes/sec", "OPS Mode. Output is in operations per second.")
        )
    )
    assert operations["iozone.write.16MiB.b4KiB.iops"] == 44632
    each = values(
        read_content(
            tmp_path,
            TABLE.replace("Output is in kBytes/sec", "Microseconds/op Mode. Output is in microseconds per operation."),
        )
    )
    assert each["iozone.write.16MiB.b4KiB.lat_mean"] == 44_632_000


def test_throughput_is_the_sum_over_children() -> None:
    found = read_sample("iozone-throughput.txt")
    assert values(found) == {
        "iozone.write.b128KiB.n4.bandwidth": 409600.5 * KIB,
        "iozone.reread.b128KiB.n4.bandwidth": 5_120_000 * KIB,
        "iozone.random_read.b128KiB.n4.bandwidth": 1_024_000 * KIB,
    }
    assert "through the cache of the operating system, so it is not the drive alone" in found.cautions
    assert read_sample("iozone-table.txt").cautions == ("a file in a file system",)


def test_each_run_of_a_file_has_its_own_record_size_and_cache(tmp_path: Path) -> None:
    other = THROUGHPUT.replace("Record Size 128", "Record Size 1024").replace("in 128 kByte", "in 1024 kByte")
    direct = THROUGHPUT.replace("Record Size 128 kB", "Record Size 128 kB\n\tO_DIRECT feature enabled")
    found = read_content(tmp_path, direct + other)
    assert values(found)["iozone.write.b128KiB.n4.bandwidth"] == values(found)["iozone.write.b1MiB.n4.bandwidth"]
    assert "through the cache of the operating system, so it is not the drive alone" in found.cautions


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TABLE.replace("Output is in kBytes/sec", ""), "does not say in what unit"),
        (TABLE.replace("Output is in kBytes/sec", "Output is in bogomips"), "unit"),
        (TABLE.replace("44632   42865", "44632 4 42865"), "stands in no column"),
        (
            TABLE.replace("Output is", "OPS Mode. Output is in operations per second.\n\tOutput is"),
            "does not say in what unit",
        ),
        (
            TABLE.replace("O_DIRECT feature enabled", "Performance measurements are invalid in this mode."),
            "are invalid then",
        ),
        (TABLE[: TABLE.index("           16384")], "has no row of results"),
        (TABLE + TABLE, "two values of"),
        (THROUGHPUT.replace("409600.50", "4.0.9"), "no number"),
        (THROUGHPUT.replace("409600.50", "9" * 400), "no number"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize("name", ["iozone-table.txt", "iozone-throughput.txt"])
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=24)
