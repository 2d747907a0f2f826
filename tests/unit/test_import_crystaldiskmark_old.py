"""CrystalDiskMark 3 to 7, and its text in every code page."""

import re
from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.readers import read_foreign
from ssdlab.library.foreign.result import ForeignError

THREE = (DATA / "crystaldiskmark-3.txt").read_text()
EIGHT = (DATA / "crystaldiskmark-8-default.txt").read_text()


def test_version_3_has_two_loads_of_512_kib_and_two_without_a_size() -> None:
    found = read_sample("crystaldiskmark-3.txt")
    assert values(found) == {
        "cdm.seq_q1t1.read.bandwidth": 501.25e6,
        "cdm.seq_q1t1.write.bandwidth": 310.5e6,
        "cdm.rnd512k_q1t1.read.bandwidth": 402.125e6,
        "cdm.rnd512k_q1t1.write.bandwidth": 299.75e6,
        "cdm.rnd4k_q1t1.read.bandwidth": 20.48e6,
        "cdm.rnd4k_q1t1.read.iops": 5000.0,
        "cdm.rnd4k_q1t1.write.bandwidth": 61.44e6,
        "cdm.rnd4k_q1t1.write.iops": 15000.0,
        "cdm.rnd4k_q32t1.read.bandwidth": 245.76e6,
        "cdm.rnd4k_q32t1.read.iops": 60000.0,
        "cdm.rnd4k_q32t1.write.bandwidth": 163.84e6,
        "cdm.rnd4k_q32t1.write.iops": 40000.0,
    }
    assert (found.program_version, found.method, found.fill_percent) == ("3.0.2", "1000 MB x5", 45.5)
    assert found.measured_at == "2013-04-05T06:07:08"


def test_version_6_has_queues_and_threads() -> None:
    found = values(read_sample("crystaldiskmark-6.txt"))
    assert found["cdm.seq_q32t1.read.bandwidth"] == 3400.125e6
    assert found["cdm.rnd4k_q8t8.write.iops"] == 250_000.0
    assert found["cdm.rnd4k_q1t1.read.bandwidth"] == 49.152e6
    assert len(found) == 2 + 6 * 2


def test_version_7_is_like_8() -> None:
    found = values(read_sample("crystaldiskmark-7.txt"))
    assert found["cdm.seq1m_q8t1.read.bandwidth"] == 3145.728e6
    assert found["cdm.rnd4k_q1t1.write.lat_mean"] == 49_250
    assert len(found) == 4 * 3


def test_a_decimal_comma_and_zeros_are_read(tmp_path: Path) -> None:
    comma = THREE.replace("20.480 MB/s [  5000.0", "20,480 MB/s [  5000,0").replace("45.5%", "45,5%")
    found = read_content(tmp_path, comma.replace("(x5)", "(x5) <0Fill>"))
    assert values(found) == values(read_sample("crystaldiskmark-3.txt"))
    assert found.fill_percent == 45.5
    assert "of zeros: a drive that compresses looks faster" in found.cautions


@pytest.mark.parametrize("name", ["crystaldiskmark-3.txt", "crystaldiskmark-7.txt", "crystaldiskmark-8-default.txt"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp932", "cp949"])
def test_the_code_page_of_a_comment_does_not_matter(tmp_path: Path, name: str, encoding: str) -> None:
    comment = {"cp1252": "Prüfstand", "cp932": "測定", "cp949": "측정"}.get(encoding, "측정 · Prüfstand")
    text = (DATA / name).read_text() + f"\nComment: {comment}\n"
    assert values(read_content(tmp_path, text.encode(encoding))) == values(read_sample(name))


def test_a_load_that_was_not_run_gives_no_number(tmp_path: Path) -> None:
    found = values(read_content(tmp_path, THREE.replace("501.250", "  0.000")))
    assert "cdm.seq_q1t1.read.bandwidth" not in found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (THREE[: THREE.index("Sequential")], "has no row of results"),
        (THREE.replace("3.0.2", "2.2.0"), r"is of CrystalDiskMark 2\.2\.0"),
        (THREE + THREE, "two values of `cdm.seq_q1t1.read.bandwidth`"),
        (EIGHT + EIGHT, "two values of `cdm.seq1m_q8t1.read.bandwidth`"),
        (THREE.replace("45.5%", "455.5%"), "of the volume are in use, which cannot be"),
        (THREE.replace("2013/04/05", "2013/04/05\0\0\0"), None),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, text: str, says: str | None) -> None:
    if says is None:
        assert values(read_content(tmp_path, text)) == values(read_sample("crystaldiskmark-3.txt"))
        return
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize(
    "name", ["crystaldiskmark-3.txt", "crystaldiskmark-6.txt", "crystaldiskmark-7.txt", "kdiskmark-3.txt"]
)
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=22)


def test_a_decimal_comma_is_a_decimal_point(tmp_path: Path) -> None:
    path = tmp_path / "comma.txt"
    content = (DATA / "crystaldiskmark-8-default.txt").read_bytes().replace(b"\0", b"")
    path.write_bytes(re.sub(rb"(\d)\.(\d+)(?= MB/s| IOPS| us)", rb"\1,\2", content))
    assert values(read_foreign(path)[0]) == values(read_sample("crystaldiskmark-8-default.txt"))


SIX = (DATA / "crystaldiskmark-6.txt").read_text()


@pytest.mark.parametrize("speed", ["3,400.125", "3.400,125"])
def test_marks_of_thousands_in_old_versions(tmp_path: Path, speed: str) -> None:
    found = values(read_content(tmp_path, SIX.replace("3400.125", speed).replace("300000.0 IOPS", "300,000.0 IOPS")))
    assert found == values(read_sample("crystaldiskmark-6.txt"))


@pytest.mark.parametrize("speed", ["3.400.125", "34o0.125"])
def test_a_row_of_an_old_version_that_cannot_be_read_is_refused(tmp_path: Path, speed: str) -> None:
    with pytest.raises(ForeignError, match="not as its program writes it"):
        read_content(tmp_path, SIX.replace("3400.125", speed))


@pytest.mark.parametrize("marks", [",.", ".,"])
def test_marks_that_part_thousands_are_no_decimal_points(tmp_path: Path, marks: str) -> None:
    path = tmp_path / "grouped.txt"
    content = (DATA / "crystaldiskmark-8-default.txt").read_bytes().replace(b"\0", b"").decode("latin-1")

    def grouped(found: re.Match[str]) -> str:
        return f"{int(found[1]):,}.{found[2]}".translate(str.maketrans(",.", marks))

    path.write_bytes(re.sub(r"(\d+)\.(\d+)(?= MB/s| IOPS| us)", grouped, content).encode("latin-1"))
    assert values(read_foreign(path)[0]) == values(read_sample("crystaldiskmark-8-default.txt"))


def test_marks_of_no_language_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    content = (DATA / "crystaldiskmark-8-default.txt").read_bytes().replace(b"\0", b"")
    path.write_bytes(re.sub(rb"(\d)\.(\d+)(?= MB/s)", rb"\1.2345.\2", content, count=1))
    with pytest.raises(ForeignError, match="is no number"):
        read_foreign(path)
