"""DiskSpd: the same run as text and as XML gives the same numbers, from its counts and not from its rounded rates."""

import re
import time
from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError

XML = (DATA / "diskspd-2.2.xml").read_text()
TEXT = (DATA / "diskspd-2.2.txt").read_text()
SAME_BUFFER = "every write repeats one buffer: a drive that compresses or deduplicates looks faster"


def test_rates_are_of_all_threads_together() -> None:
    found = values(read_sample("diskspd-2.2.xml"))
    assert found["diskspd.rnd4k_q8t2.read.iops"] == 1410.0
    assert found["diskspd.rnd4k_q8t2.read.bandwidth"] == 1410.0 * 4096
    assert found["diskspd.rnd4k_q8t2.write.iops"] == 590.0
    assert found["diskspd.rnd4k_q8t2.iops"] == 2000.0
    assert found["diskspd.rnd4k_q8t2.read.lat_mean"] == pytest.approx(123_000)
    assert found["diskspd.rnd4k_q8t2.read.lat_max"] == pytest.approx(2_500_000)
    assert found["diskspd.rnd4k_q8t2.read.lat_p99"] == pytest.approx(149_000)


def test_text_and_xml_say_the_same() -> None:
    text, xml = read_sample("diskspd-2.2.txt"), read_sample("diskspd-2.2.xml")
    assert values(text) == values(xml)
    assert (
        (text.measured_at, text.cautions)
        == (xml.measured_at, xml.cautions)
        == (
            "2026-03-04T05:06:07+00:00",
            (SAME_BUFFER,),
        )
    )


def test_the_rate_that_diskspd_prints_counts_where_its_time_is_cut_short(tmp_path: Path) -> None:
    """DiskSpd 2.2 prints 9.99 s, and divides by 10.00 s."""
    found = read_content(tmp_path, TEXT.replace("actual test time:\t10.00s", "actual test time:\t9.99s"))
    assert values(found)["diskspd.rnd4k_q8t2.iops"] == 2000.0


def test_percentiles_with_fewer_than_ten_ios_above_are_left_out() -> None:
    """14,100 reads have a 99.9th percentile, and 5,900 writes do not."""
    found = values(read_sample("diskspd-2.2.txt"))
    assert "diskspd.rnd4k_q8t2.read.lat_p99_9" in found
    assert "diskspd.rnd4k_q8t2.write.lat_p99_9" not in found


def test_old_versions_say_mb_and_mean_mib(tmp_path: Path) -> None:
    assert values(read_content(tmp_path, TEXT.replace("MiB/s", " MB/s"))) == values(read_sample("diskspd-2.2.txt"))


def test_a_block_size_in_bytes_is_read_too(tmp_path: Path) -> None:
    old = TEXT.replace("block size: 4KiB", "block size: 4096").replace("operations per thread:", "operations:")
    assert values(read_content(tmp_path, old)) == values(read_sample("diskspd-2.2.txt"))


def test_without_its_input_parameters_a_result_has_no_load(tmp_path: Path) -> None:
    bare = TEXT[: TEXT.index("Input parameters:")] + TEXT[TEXT.index("System information:") :]
    found = read_content(tmp_path, bare)
    assert values(found)["diskspd.read.iops"] == 1410.0
    assert found.cautions == ("the file does not tell its load",)


def test_the_time_has_the_digits_of_the_printed_rate(tmp_path: Path) -> None:
    """Of 10.004 s the text says 10.00 s, and 1999.20 I/O per s of 20,000."""
    found = values(read_content(tmp_path, TEXT.replace("    2000.00 |", "    1999.20 |")))
    assert found["diskspd.rnd4k_q8t2.iops"] == pytest.approx(1999.2)
    assert found["diskspd.rnd4k_q8t2.read.iops"] == pytest.approx(1410 / 1.0004, rel=1e-6)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_what_powershell_redirected_is_read(tmp_path: Path, encoding: str) -> None:
    assert values(read_content(tmp_path, TEXT.encode(encoding))) == values(read_sample("diskspd-2.2.txt"))
    assert values(read_content(tmp_path, XML.encode(encoding))) == values(read_sample("diskspd-2.2.xml"))


def test_time_spans_are_told_apart(tmp_path: Path) -> None:
    asked = re.search(r" {6}<TimeSpan>.*? {6}</TimeSpan>\n", XML, re.DOTALL)
    ran = re.search(r"^ {2}<TimeSpan>.*?^ {2}</TimeSpan>\n", XML, re.DOTALL | re.MULTILINE)
    assert asked is not None
    assert ran is not None
    twice = XML.replace(asked[0], asked[0] * 2).replace(ran[0], ran[0] * 2)
    found = values(read_content(tmp_path, twice))
    assert found["diskspd.rnd4k_q8t2.span1.read.iops"] == found["diskspd.rnd4k_q8t2.span2.read.iops"] == 1410.0


def test_targets_of_different_loads_have_no_load_in_the_name(tmp_path: Path) -> None:
    target = re.search(r" {10}<Target>.*? {10}</Target>\n", XML, re.DOTALL)
    assert target is not None
    found = values(read_content(tmp_path, XML.replace(target[0], target[0] + target[0].replace("4096", "65536"))))
    assert found["diskspd.read.iops"] == 1410.0


def test_what_was_not_the_drive_alone_is_said(tmp_path: Path) -> None:
    cached = TEXT.replace("software cache disabled", "using software cache").replace("duration: 10s", "duration: 60s")
    assert read_content(tmp_path, cached).cautions == (
        "through the cache of the operating system, so it is not the drive alone",
        SAME_BUFFER,
        "time span 1 ended after 10 s of 60 s",
    )
    limited = XML.replace("<Throughput>0<", "<Throughput>100<").replace("<Pattern>sequential<", "<Pattern>random<")
    assert read_content(tmp_path, limited).cautions == ("its rate was limited",)


def test_many_targets_take_time_in_proportion(tmp_path: Path) -> None:
    """Targets without a depth of their own have that of the time span, which is searched for once."""
    text = (DATA / "diskspd-2.2.txt").read_text()
    begin, end = text.index("\tpath: "), text.index("System information:")
    target = text[begin:end].replace("\t\tnumber of outstanding I/O operations per thread: 8\n", "") + "\n"
    begun = time.process_time()
    read_content(tmp_path, text[:begin] + target * 4000 + text[end:])
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT[: TEXT.index("Results for")], "lacks the results of its time spans"),
        (TEXT[: TEXT.index("actual test")], "no time span in it did any I/O"),
        (XML[: len(XML) // 2], "is no XML"),
        (XML.replace("<TestTimeSeconds>10.00", "<TestTimeSeconds>0.00"), "no time span in it did any I/O"),
        (XML.replace("<TestTimeSeconds>10.00", "<TestTimeSeconds>NaN"), "no number"),
        (XML.replace("<ReadCount>7000<", f"<ReadCount>{'9' * 5000}<"), "not as its program writes it"),
        (XML.replace("<ReadBytes>28672000<", "<ReadBytes>-28672000000<"), "which cannot be"),
        (f'<!DOCTYPE a [<!ENTITY b "ha">]>{XML}'.replace("D:\\example.dat", "&b;"), "declares XML entities"),
    ],
)
def test_what_is_not_whole_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize("name", ["diskspd-2.2.xml", "diskspd-2.2.txt"])
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=21)
