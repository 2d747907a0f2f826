"""Phoronix Test Suite, HD Tune and SSD-iq: units that are not known stay as they are written."""

import csv
import io
import re
from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError
from ssdlab.units import MIB

PHORONIX = (DATA / "phoronix-composite.xml").read_text()
HD_TUNE = (DATA / "hd-tune.txt").read_text()
SSD_IQ = (DATA / "ssd-iq-log.csv").read_text()


def test_phoronix_mb_are_not_taken_for_a_bandwidth() -> None:
    found = read_sample("phoronix-composite.xml")
    assert [(one.key.name, one.value, one.unit, str(one.note)) for one in found.numbers] == [
        ("phoronix.fio.type_random_read_block_size_4kb.result", 512.5, "MB/s", "mean of 3 runs"),
        ("phoronix.fio.type_random_read_block_size_4kb_iops.iops", 131_200.0, "1/s", "mean of 2 runs"),
        ("phoronix.sqlite.threads_1.duration", 4.25, "s", "mean of 2 runs; less is better"),
        ("phoronix.example.rate.bandwidth", 100 * MIB, "B/s", ""),
    ]
    assert (found.program_version, found.measured_at) == ("10.8.4", "2026-03-04 05:06:07")


def test_hd_tune_mb_are_not_taken_for_a_bandwidth() -> None:
    found = read_sample("hd-tune.txt")
    assert {one.key.name: (one.value, one.unit) for one in found.numbers} == {
        "hd_tune.read.transfer_rate_min": (351.0, "MB/s"),
        "hd_tune.read.transfer_rate_max": (449.1, "MB/s"),
        "hd_tune.read.transfer_rate_mean": (408.1, "MB/s"),
        "hd_tune.read.lat_mean": (400_000.0, "ns"),
        "hd_tune.read.burst_rate": (196.7, "MB/s"),
    }
    assert found.model == "Example SSD 120GB"


def test_hd_tune_in_other_languages_of_windows(tmp_path: Path) -> None:
    comma = HD_TUNE.replace("351.0", "351,0").replace("0.4 ms", "0,0 ms")
    found = values(read_content(tmp_path, comma.encode("utf-16")))
    assert (found["hd_tune.read.transfer_rate_min"], found["hd_tune.read.lat_mean"]) == (351.0, "unknown")


def test_ssd_iq_rates_and_amplification_are_of_the_whole_run() -> None:
    """The drive renews its counter every other second: both counts are taken at such moments."""
    found = values(read_sample("ssd-iq-log.csv"))
    assert found == {
        "ssd_iq.zipf.b4KiB.q32.n4.read.bandwidth": pytest.approx(4000 * 4096, rel=1e-5),
        "ssd_iq.zipf.b4KiB.q32.n4.read.iops": pytest.approx(4000, rel=1e-5),
        "ssd_iq.zipf.b4KiB.q32.n4.write.bandwidth": pytest.approx(10000 * 4096, rel=1e-5),
        "ssd_iq.zipf.b4KiB.q32.n4.write.iops": pytest.approx(10000, rel=1e-5),
        "ssd_iq.zipf.b4KiB.q32.n4.write_amplification": pytest.approx(2.5),
    }


def test_ssd_iq_runs_are_told_apart_and_a_cut_row_is_left_out(tmp_path: Path) -> None:
    titles, _, rows = SSD_IQ.partition("\n")
    twice = f"{titles}\n{rows}{rows.replace(',h1,', ',h2,')}keep,ssd,exam"
    found = values(read_content(tmp_path, twice))
    assert found["ssd_iq.zipf.b4KiB.q32.n4.run1.read.iops"] == found["ssd_iq.zipf.b4KiB.q32.n4.run2.read.iops"]


def test_ssd_iq_runs_that_share_a_hash_are_told_apart(tmp_path: Path) -> None:
    """A second run of the same hash begins its time and its counts again; another load is another run in any case."""
    titles, _, rows = SSD_IQ.partition("\n")
    for again in (rows, rows.replace(",4096,4,32,", ",65536,1,1,")):
        found = values(read_content(tmp_path, f"{titles}\n{rows}{again}"))
        iops = [value for name, value in found.items() if name.endswith(".read.iops")]
        assert iops == [pytest.approx(4000, rel=1e-5)] * 2


@pytest.mark.parametrize("titles", ["prefix threads iodepth", "threads iodepth"])
def test_ssd_iq_logs_of_the_versions_that_the_published_ones_are_of(tmp_path: Path, titles: str) -> None:
    """They have no columns for depth and threads, and only the newer of them one for the prefix."""
    rows = list(csv.reader(SSD_IQ.splitlines(), skipinitialspace=True))
    kept = [place for place, title in enumerate(rows[0]) if title not in titles.split()]
    older = io.StringIO()
    csv.writer(older).writerows([row[place] for place in kept] for row in rows)
    found = values(read_content(tmp_path, older.getvalue()))
    assert found["ssd_iq.zipf.b4KiB.write.iops"] == pytest.approx(10000, rel=1e-5)
    assert found["ssd_iq.zipf.b4KiB.write_amplification"] == pytest.approx(2.5)


def test_ssd_iq_without_a_counter_of_the_drive_has_no_amplification(tmp_path: Path) -> None:
    none = re.sub(r",1\d{12},0,0,0,3,", ",0,0,0,0,3,", SSD_IQ)
    assert none.count(",0,0,0,0,3,") == 11
    assert "ssd_iq.zipf.b4KiB.q32.n4.write_amplification" not in values(read_content(tmp_path, none))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            PHORONIX.replace("<Identifier>Example SSD</Identifier>", "<Identifier>Other</Identifier>", 2),
            "compares 2 systems",
        ),
        (PHORONIX.replace("512.5<", "1e999<"), "no number"),
        (PHORONIX.replace("512.5<", "-5<"), "no number"),
        (PHORONIX.replace("Block Size: 4KB - IOPS", "Block Size: 4KB").replace(">IOPS<", ">MB/s<"), "two values of"),
        (PHORONIX[:500], "is no XML"),
        (
            PHORONIX.replace('"1.0"?>', '"1.0"?><!DOCTYPE a [<!ENTITY b "ha">]>').replace(">user<", ">&b;<"),
            "XML entities",
        ),
        (HD_TUNE.replace(" Benchmark", " Error Scan"), "not the text of its benchmark"),
        (HD_TUNE[: HD_TUNE.index("Transfer")], "has no result above 0"),
        (HD_TUNE + HD_TUNE, "two values of"),
        (SSD_IQ[: SSD_IQ.index("\n") + 1], "no run of two whole rows"),
        (SSD_IQ.replace(",100000,40000,", ",1,40000,"), "writesTotal fell"),
        (SSD_IQ.replace(",10.0,/blk", ",2.5e-05,/blk"), "not as its program writes it"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize("name", ["phoronix-composite.xml", "hd-tune.txt", "ssd-iq-log.csv"])
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=26)
