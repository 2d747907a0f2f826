"""Results of other programs: every number they have, nothing they lack, and no harm from a hostile file."""

import json
import math
import re
import zipfile
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.imported import open_imported
from ssdlab.job import DriveState
from ssdlab.library.catalogue import open_catalogue
from ssdlab.library.foreign.readers import READERS, read_foreign
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError
from ssdlab.library.rank import rankings
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.message import message
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

DATA = Path(__file__).parent.parent / "data" / "foreign"


def read(name: str) -> Foreign:
    return read_foreign(DATA / name)[0]


def lines(foreign: Foreign) -> list[str]:
    return [f"{number.key.name} {number.value:g} {number.unit}".strip() for number in foreign.numbers]


def test_crystaldiskmark() -> None:
    found = read("crystaldiskmark-8-default.txt")
    assert lines(found)[:6] == snapshot(
        [
            "cdm.seq1m_q8t1.read.bandwidth 3.84064e+08 B/s",
            "cdm.seq1m_q8t1.read.iops 366.3 1/s",
            "cdm.seq1m_q8t1.read.lat_mean 2.17654e+07 ns",
            "cdm.seq1m_q1t1.read.bandwidth 3.71158e+08 B/s",
            "cdm.seq1m_q1t1.read.iops 354 1/s",
            "cdm.seq1m_q1t1.read.lat_mean 2.82347e+06 ns",
        ]
    )
    assert len(found.numbers) == 8 * 3
    assert (found.program, found.program_version, found.method) == ("CrystalDiskMark", "8.0.4", "Default, 1 GiB x1")
    assert (found.measured_at, found.fill_percent) == ("2024-05-25T19:26:52", 0.0)
    assert found.model is NOT_SAID
    assert {str(number.note) for number in found.numbers} == {"best of 1 runs"}


def test_crystaldiskmark_with_mixed_rows() -> None:
    found = read("crystaldiskmark-8-nvme-mix.txt")
    assert lines(found)[-3:] == snapshot(
        [
            "cdm.rnd4k_q1t1.r70w30.bandwidth 7.0461e+07 B/s",
            "cdm.rnd4k_q1t1.r70w30.iops 17202.4 1/s",
            "cdm.rnd4k_q1t1.r70w30.lat_mean 58030 ns",
        ]
    )
    assert (found.measured_at, found.fill_percent) == ("2023-11-04T09:08:07", 75.0)


def test_kdiskmark_says_how_full_the_file_system_was_since_3_2() -> None:
    found = read("kdiskmark-3.2.txt")
    assert (found.program_version, found.method, found.fill_percent) == ("3.2.0", "Default, 1 GiB x2", 4.0)
    assert lines(found)[:3] == snapshot(
        [
            "cdm.seq1m_q8t1.read.bandwidth 5.21142e+07 B/s",
            "cdm.seq1m_q8t1.read.iops 49.7 1/s",
            "cdm.seq1m_q8t1.read.lat_mean 1.58255e+08 ns",
        ]
    )
    assert len(found.numbers) == 8 * 3


def test_the_first_kdiskmark_wrote_narrower_columns() -> None:
    found = read("kdiskmark-1.6.txt")
    assert (found.program_version, found.measured_at, found.fill_percent) == ("1.6.0", "2020-09-05T18:31:47", NOT_SAID)
    assert lines(found)[6:9] == snapshot(
        [
            "cdm.rnd4k_q32t16.read.bandwidth 2.78073e+08 B/s",
            "cdm.rnd4k_q32t16.read.iops 67889 1/s",
            "cdm.rnd4k_q32t16.read.lat_mean 1.95557e+06 ns",
        ]
    )
    assert len(found.numbers) == 8 * 3


def test_kdiskmark_speeds_come_from_its_iops() -> None:
    found = read("kdiskmark-3.txt")
    assert lines(found)[:3] == snapshot(
        [
            "cdm.seq1m_q8t1.read.bandwidth 3.2768e+09 B/s",
            "cdm.seq1m_q8t1.read.iops 3125 1/s",
            "cdm.seq1m_q8t1.read.lat_mean 2.55011e+06 ns",
        ]
    )
    assert (found.program_version, str(found.numbers[0].note), found.host) == (
        "3.1.4",
        "mean of 5 runs",
        "linux 6.1.0-18-amd64 [debian 12]",
    )


def test_as_ssd() -> None:
    found = read("as-ssd.txt")
    assert lines(found) == snapshot(
        [
            "as_ssd.seq16m_q1t1.read.bandwidth 3.00275e+09 B/s",
            "as_ssd.seq16m_q1t1.write.bandwidth 2.23104e+09 B/s",
            "as_ssd.rnd4k_q1t1.read.bandwidth 5.19779e+07 B/s",
            "as_ssd.rnd4k_q1t1.write.bandwidth 9.35225e+07 B/s",
            "as_ssd.rnd4k_q1t64.read.bandwidth 8.28595e+08 B/s",
            "as_ssd.rnd4k_q1t64.write.bandwidth 1.11829e+09 B/s",
            "as_ssd.access.read.lat_mean 90000 ns",
            "as_ssd.access.write.lat_mean 46000 ns",
            "as_ssd.score.read 1126",
            "as_ssd.score.write 1368",
            "as_ssd.score.total 3046",
        ]
    )
    assert (found.model, found.firmware) == ("Samsung SSD 970 EVO Plus 250GB", "1B2QEXM7")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "> ", "\ufeff"])
def test_quotes_marks_and_line_ends_do_not_matter(tmp_path: Path, ending: str, before: str) -> None:
    text = (DATA / "crystaldiskmark-8-default.txt").read_text()
    begin = before if before == "\ufeff" else ""
    quote = before if before == "> " else ""
    copy = tmp_path / "copy.txt"
    copy.write_bytes((begin + ending.join(quote + line for line in text.split("\n"))).encode())
    assert read_foreign(copy)[0] == read("crystaldiskmark-8-default.txt")


def test_a_row_that_was_not_run_gives_no_number(tmp_path: Path) -> None:
    text = (DATA / "crystaldiskmark-8-default.txt").read_text()
    row = "  SEQ    1MiB (Q=  8, T= 1):     0.000 MB/s [      0.0 IOPS] <     0.00 us>"
    old = "  SEQ    1MiB (Q=  8, T= 1):   384.064 MB/s [    366.3 IOPS] < 21765.43 us>"
    (tmp_path / "copy.txt").write_text(text.replace(old, row))
    found = read_foreign(tmp_path / "copy.txt")[0]
    assert not [number for number in found.numbers if number.key.name.startswith("cdm.seq1m_q8t1.read")]


HOSTILE = {
    "old.txt": b"CrystalDiskMark 2.2.0 x64 (C) 2007-2008 hiyohiyo\nSequential Read :    13.546 MB/s\n",
    "no-rows.txt": b"CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n[Read]\n",
    "long-line.txt": b"CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n[Read]\n" + b"9" * 5_000_000,
    "binary.txt": b"CrystalDiskMark 8.0.4 x64 (C) hiyohiyo\n\xff\xfe\xfd\n",
    "as-ssd.txt": b"AS SSD Benchmark 2.0\nSequential:\nRead: 0.00 MB/s\n",
    "nothing.txt": b"",
    "letter.txt": b"Dear all, here are my results",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gives_a_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(HOSTILE[name])
    with pytest.raises(ForeignError) as error:
        read_foreign(tmp_path / name)
    assert name in str(error.value)
    assert len(str(error.value)) < 300


CDM = (DATA / "crystaldiskmark-8-default.txt").read_text()
KDM = (DATA / "kdiskmark-3.txt").read_text()
AS_SSD = (DATA / "as-ssd.txt").read_text()
TKPERF = (DATA / "tkperf-2.xml").read_text()
DIRTY = (DATA / "dirty-test.txt").read_text()
SPEC = (DATA / "specworkstation.json").read_text()
FIO = (DATA / "bench-fio" / "4k" / "randread-1-1.json").read_text()

IMPOSSIBLE = {
    "cdm-many-points.txt": CDM.replace("384.064", "3.8.4"),
    "cdm-endless.txt": CDM.replace("366.3", "9" * 400),
    "cdm-overfull.txt": CDM.replace("F: 0%", "F: 101%"),
    "kdm-endless-block.txt": KDM.replace("1 MiB", f"{'9' * 400} MiB"),
    "as-ssd-many-points.txt": AS_SSD.replace("2863.65", "2.8.6"),
    "as-ssd-endless.txt": AS_SSD.replace("2863.65", "9" * 400),
    "tkperf-nan.xml": TKPERF.replace("[[[3273, 19285, 14863", "[[[3273, NaN, 14863").replace("[1, 2, 3, 4, 5]", "[0]"),
    "tkperf-inf.xml": TKPERF.replace("[33028,", "[Infinity,"),
    "tkperf-negative.xml": TKPERF.replace("[33028,", "[-33028,"),
    "tkperf-no-round.xml": TKPERF.replace("[1, 2, 3, 4, 5]", "[77]"),
    "tkperf-other.xml": TKPERF.replace("[33028, 10785, 11180, 15860]", '{"a": 1}'),
    "fio-nan.json": re.sub(r'"iops" : [\d.]+', '"iops" : NaN', FIO),
    "fio-inf.json": re.sub(r'"iops" : [\d.]+', '"iops" : 1e999', FIO),
    "fio-negative.json": re.sub(r'"iops" : [\d.]+', '"iops" : -5.0', FIO),
    "fio-deep.json": '{"fio version": "fio-3.33", "jobs": ' + "[" * 100_000,
    "fio-cut.json": FIO[: len(FIO) // 2],
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_numbers_that_cannot_be_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(IMPOSSIBLE[name])
    with pytest.raises(ForeignError) as error:
        read_foreign(tmp_path / name)
    assert name in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("value", ["NaN", "inf", "-inf", "-3.1", "1e999"])
def test_rows_with_impossible_numbers_are_no_rows(tmp_path: Path, value: str) -> None:
    """Where a program writes lines, one that no program writes is left out, as a line of a mail is."""
    files = {
        "cdm.txt": CDM.replace("[    366.3 IOPS]", f"[ {value} IOPS]"),
        "as-ssd.txt": AS_SSD.replace("2863.65", value),
        "spec.json": SPEC.replace("2.31", json.dumps(value)),
        "spec.csv": (DATA / "specworkstation.csv").read_text().replace("2.31", value),
    }
    whole = {"cdm.txt": CDM, "as-ssd.txt": AS_SSD, "spec.json": SPEC, "spec.csv": SPEC}
    for name, text in files.items():
        (tmp_path / name).write_text(whole[name])
        before = set(named(read_foreign(tmp_path / name)[0]))
        (tmp_path / name).write_text(text)
        after = named(read_foreign(tmp_path / name)[0])
        assert set(after) < before
        assert all(0 < number < 1e15 for number in after.values())


BEGINNINGS = {
    "CrystalDiskMark": CDM[:600],
    "KDiskMark": KDM[:400],
    "AS SSD": AS_SSD[:400],
    "fio": '{"fio version": "fio-3.33", "x": "',
    "TKperf": '<a><ioperfversion>"2.2"</ioperfversion><x>',
    "SPECworkstation as CSV": "SPECworkstation 4.0.0\nWPCstorage,ratio\n7zip,",
    "SPECworkstation as JSON": '{"WPCstorage": {"7zip": "',
    "Naraeon Dirty Test": DIRTY[:700],
}


@pytest.mark.parametrize("program", BEGINNINGS)
def test_a_line_of_megabytes_ends_soon_and_gives_nothing_that_is_not_there(program: str) -> None:
    content = BEGINNINGS[program].encode() + b"9" * 8_000_000
    reader = next(reader for reader in READERS if reader.recognises(content[: 64 << 10]))
    try:
        found = reader.read("long", content)
    except ForeignError as error:
        assert len(str(error)) < 300  # noqa: PT017 - lines before the long one may be whole
    else:
        assert all(0 <= number < 1e15 for number in named(found).values())


@pytest.mark.parametrize("program", BEGINNINGS)
def test_a_line_of_a_gigabyte_is_not_even_read(tmp_path: Path, program: str) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.write(BEGINNINGS[program].encode())
        file.truncate(1 << 30)
    # fio's JSON has no such limit: it is read entry by entry, of which none is as long.
    said = (
        "Invalid JSON within 16 MiB" if program == "fio" else "holds more than 268,435,456 bytes, the most that is read"
    )
    with pytest.raises(ForeignError, match=said):
        read_foreign(path)


HEADS = [
    b"",
    b"CrystalDiskMark 8.0.4 (C)\n",
    b"AS SSD Benchmark 2.0\n",
    b"KDiskMark (3)\n",
    b'{"fio version": "fio-3.33", "jobs": [',
    b"<a><ioperfversion>",
    b"WPCstorage,ratio\n7zip,",
    b"PK\x03\x04",
    b"90% 1MiB/s\n" * 5,
]


@given(
    content=st.binary(max_size=400),
    head=st.sampled_from(HEADS),
)
def test_no_bytes_crash_a_reader(content: bytes, head: bytes) -> None:
    for reader in READERS:
        try:
            reader.read("file", head + content)
        except ForeignError as error:
            assert error.message  # noqa: PT017 - any bytes may be readable too


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="cannot be read: there is no such file or directory"):
        read_foreign(tmp_path / "missing.txt")


# Into the library


def test_an_imported_result_keeps_where_it_came_from(tmp_path: Path) -> None:
    source = DATA / "crystaldiskmark-8-default.txt"
    found = open_imported(take_in(source, tmp_path, GivenFacts(model="GW560")))
    assert found.path.name == "20240525T192652-crystaldiskmark-gw560"
    assert (found.path / "original" / source.name).read_bytes() == source.read_bytes()
    assert (found.info.drive.model, found.info.drive.serial) == ("GW560", Unknown(message("unknown-file-silent")))
    assert {metric.state for metric in found.metrics} == {DriveState.UNKNOWN}


def test_three_quarters_full_is_a_state(tmp_path: Path) -> None:
    found = open_imported(take_in(DATA / "crystaldiskmark-8-nvme-mix.txt", tmp_path, GivenFacts()))
    assert {metric.state for metric in found.metrics} == {DriveState.THREE_QUARTERS_FULL}


def test_the_same_file_is_imported_once(tmp_path: Path) -> None:
    taken = take_in(DATA / "as-ssd.txt", tmp_path, GivenFacts())
    with pytest.raises(
        ForeignError, match="is in the library already, as `20241128T141803-as-ssd-benchmark-samsung"
    ) as again:
        take_in(DATA / "as-ssd.txt", tmp_path, GivenFacts())
    assert f"remove `{taken}` and import it again" in str(again.value.hints[0])


def test_what_a_file_says_is_not_overruled(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="itself says model `Samsung SSD 970 EVO Plus 250GB`, not `990 PRO`"):
        take_in(DATA / "as-ssd.txt", tmp_path, GivenFacts(model="990 PRO"))
    assert not list((tmp_path / "runs").iterdir())


def test_imported_results_are_listed_and_ranked_by_their_program(tmp_path: Path) -> None:
    for name, model in (("crystaldiskmark-8-default.txt", "A"), ("kdiskmark-3.txt", "B")):
        take_in(DATA / name, tmp_path, GivenFacts(model=model))
    catalogue = open_catalogue(tmp_path)
    assert [(entry.method.suite, entry.status) for entry in catalogue.entries] == [
        ("KDiskMark", "imported"),
        ("CrystalDiskMark", "imported"),
    ]
    found = rankings(catalogue, "cdm.rnd4k_q1t1.read.iops")
    assert [(one.method.suite, len(one.groups)) for one in found] == [("CrystalDiskMark", 1), ("KDiskMark", 1)]


def test_the_command_prints_the_bundle(tmp_path: Path) -> None:
    arguments = ["import", str(DATA / "kdiskmark-3.txt"), "--lab", str(tmp_path), "--model", "B", "--fill", "75%"]
    result = CliRunner().invoke(cli.app, arguments)
    info = json.loads((Path(result.stdout.strip()) / "import.json").read_text())
    assert (info["drive"]["model"], info["drive"]["fill_percent"]) == ("B", 75.0)


# fio and what drives it


def named(foreign: Foreign) -> dict[str, float]:
    return {number.key.name: number.value for number in foreign.numbers if isinstance(number.value, int | float)}


def test_fio_json_with_bins() -> None:
    found = read_foreign(DATA.parent / "fio-3.33" / "audit" / "clean.json")[0]
    assert (found.program, found.program_version) == ("fio", "3.33")
    numbers = named(found)
    assert {name.rpartition(".")[2] for name in numbers} >= {"iops", "bandwidth", "clat_mean", "clat_p99", "lat_p50"}


def test_bench_fio_names_loads_by_their_options() -> None:
    found, sources = read_foreign(DATA / "bench-fio")
    assert (found.program, len(sources)) == ("bench-fio", 3)
    assert sorted({name.rpartition(".")[0] for name in named(found)}) == snapshot(
        [
            "bench_fio.4k.randread.q1.j1.read",
            "bench_fio.4k.randread.q4.j2.read",
            "bench_fio.4k.randrw70.q4.j2.read",
            "bench_fio.4k.randrw70.q4.j2.write",
        ]
    )


def test_bench_fio_speeds_are_those_of_its_json() -> None:
    report = json.loads((DATA / "bench-fio" / "4k" / "randread-4-2.json").read_text())
    numbers = named(read("bench-fio"))
    parts = [job["read"] for job in report["jobs"]]
    assert numbers["bench_fio.4k.randread.q4.j2.read.iops"] == sum(part["iops"] for part in parts)
    means = [part["clat_ns"]["mean"] for part in parts]
    assert min(means) < numbers["bench_fio.4k.randread.q4.j2.read.clat_mean"] < max(means)


def test_a_folder_without_results_is_said(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="has no JSON of fio in it"):
        read_foreign(tmp_path)


def test_what_else_is_in_a_folder_is_said_not_to_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "a.json").write_text(FIO)
    plain = read_foreign(folder)[0].cautions
    (folder / "crystal.txt").write_text(CDM)
    assert read_foreign(folder)[0].cautions == (
        *plain,
        "one other file of the folder was not read: `crystal.txt`",
    )


def test_words_about_a_program_are_none_of_its_results(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# Disks\n\nMeasured with KDiskMark (3.1.4): see https://github.com/JonMagon/KDiskMark\n")
    with pytest.raises(ForeignError, match="KDiskMark"):
        read_foreign(readme)


def test_a_folder_becomes_one_bundle(tmp_path: Path) -> None:
    found = open_imported(take_in(DATA / "bench-fio", tmp_path, GivenFacts(model="X")))
    assert [one.name for one in found.info.originals] == [
        "4k-randread-1-1.json",
        "4k-randread-4-2.json",
        "randrw70-4k-randrw-4-2.json",
    ]


def test_naraeon_dirty_test_says_itself_what_all_its_writes_were() -> None:
    found = read("dirty-test.txt")
    assert lines(found) == snapshot(
        [
            "dirty_test.bandwidth_mean 1.07479e+09 B/s",
            "dirty_test.bandwidth_max 1.80565e+09 B/s",
            "dirty_test.bandwidth_min 4.21528e+08 B/s",
            "dirty_test.bandwidth_median 6.5536e+08 B/s",
            "dirty_test.half_speed_share 2.4 %",
        ]
    )
    assert (found.program_version, found.model, found.capacity_bytes) == ("6.0.3", "Example SSD 1TB", 10**12)
    assert (found.measured_at, found.method) == ("2024-03-02T18:05", "10 rows")


def test_a_naraeon_dirty_test_that_was_stopped_is_told_by_its_rows(tmp_path: Path) -> None:
    whole = (DATA / "dirty-test.txt").read_text()
    (tmp_path / "stopped.txt").write_text(whole[: whole.index("39.0%")])
    found = read_foreign(tmp_path / "stopped.txt")[0]
    assert {one.note for one in found.numbers} == {"of 6 rows", "rows at no more than half of the mean"}
    assert named(found)["dirty_test.bandwidth_min"] == 541 * MIB


def test_of_a_naraeon_dirty_test_without_end_the_last_pass_counts(tmp_path: Path) -> None:
    whole = (DATA / "dirty-test.txt").read_text()
    (tmp_path / "endless.txt").write_text(whole + whole.replace("회차 : 1", "회차 : 2").replace("1025", "900"))
    found = read_foreign(tmp_path / "endless.txt")[0]
    assert found.method == "10 rows, the last of 2 passes"
    assert named(found)["dirty_test.bandwidth_mean"] == 900 * MIB


def test_naraeon_dirty_test_for_macos_and_its_details() -> None:
    port = read("dirty-test-macos.log")
    assert (port.model, port.method, named(port)["dirty_test.bandwidth_max"]) == (
        "Example SSD 1TB",
        "6 rows",
        1713 * MIB,
    )
    assert named(read("dirty-test.csv"))["dirty_test.half_speed_share"] == pytest.approx(100 / 6)


def test_specworkstation() -> None:
    assert lines(read("specworkstation.csv")) == snapshot(
        [
            "spec.wpcstorage.7zip.ratio 2.31",
            "spec.wpcstorage.namd.ratio 1.87",
            "spec.wpcstorage.ccx.ratio 2.02",
        ]
    )
    assert named(read("specworkstation.json")) == named(read("specworkstation.csv"))
    assert read("specworkstation.csv").program_version == "4.0.0"


def test_tkperf_means_are_those_tkperf_says() -> None:
    """It prints the mean of its steady window for one load of each test."""
    root = fromstring((DATA / "tkperf-2.xml").read_bytes())
    said = {test: float(root.findtext(f"{test}/stdyavg", "")) for test in ("iops", "lat", "tp")}
    numbers = named(read("tkperf-2.xml"))
    assert numbers["tkperf.iops.4k.write.iops"] == pytest.approx(said["iops"])
    assert numbers["tkperf.lat.4k.write.lat_mean"] == pytest.approx(said["lat"] * 1000)
    assert numbers["tkperf.tp.1m.write.bandwidth"] == pytest.approx(said["tp"] * 1024)


def test_tkperf_has_all_loads() -> None:
    found = read("tkperf-2.xml")
    tests = [number.key.name.split(".")[1] for number in found.numbers]
    assert {test: tests.count(test) for test in tests} == {"iops": 7 * 8, "lat": 3 * 3, "tp": 5 * 2, "writesat": 2}
    assert lines(found)[-4:] == snapshot(
        [
            "tkperf.tp.512b.read.bandwidth 3.20074e+07 B/s",
            "tkperf.tp.512b.write.bandwidth 1.90652e+07 B/s",
            "tkperf.writesat.first_iops 33028 1/s",
            "tkperf.writesat.last_iops 15860 1/s",
        ]
    )
    assert found.numbers[0].note == snapshot("mean of 5 rounds, not steady after all of TKperf's rounds")
    assert (found.program_version, found.measured_at, found.host) == snapshot(
        ("2.2", "2026-11-21", "Debian GNU/Linux 12 (bookworm), 6.18.44")
    )


def test_tkperf_on_4_kib_sectors_has_no_column_of_512_bytes(tmp_path: Path) -> None:
    text = """<a><ioperfversion>"2.2"</ioperfversion><lat><roundmat>[[[[1,2,3],[1,2,4]],[[1,2,5],[1,2,6]],[[1,2,7],[1,2,8]]]]</roundmat>
        <stdyrounds>[0]</stdyrounds><reachstdystate>true</reachstdystate></lat></a>"""
    (tmp_path / "a.xml").write_text(text)
    assert lines(read_foreign(tmp_path / "a.xml")[0])[-2:] == snapshot(
        ["tkperf.lat.8k.write.lat_mean 7000 ns", "tkperf.lat.4k.write.lat_mean 8000 ns"]
    )


def threedmark(path: Path, result: str, about: str = "<root/>") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Arielle.xml", about)
        archive.writestr("Result.xml", result)
    return path


RESULT = (DATA / "3dmark-storage" / "Result.xml").read_text()
ABOUT = (DATA / "3dmark-storage" / "Arielle.xml").read_text()


def test_3dmark(tmp_path: Path) -> None:
    found = read_foreign(threedmark(tmp_path / "run.3dmark-result", RESULT, ABOUT))[0]
    assert sorted(lines(found)) == snapshot(
        [
            "threedmark.storage.bandwidth 3.90637e+08 B/s",
            "threedmark.storage.bf.bandwidth 7.62734e+08 B/s",
            "threedmark.storage.bf.lat_mean 107000 ns",
            "threedmark.storage.cod.bandwidth 6.66454e+08 B/s",
            "threedmark.storage.cod.lat_mean 116000 ns",
            "threedmark.storage.cs.bandwidth 1.5026e+09 B/s",
            "threedmark.storage.cs.lat_mean 188000 ns",
            "threedmark.storage.lat_mean 87000 ns",
            "threedmark.storage.obs.bandwidth 1.60873e+08 B/s",
            "threedmark.storage.obs.lat_mean 60000 ns",
            "threedmark.storage.ow.bandwidth 3.49427e+08 B/s",
            "threedmark.storage.ow.lat_mean 77000 ns",
            "threedmark.storage.score 2118",
            "threedmark.storage.towi.bandwidth 2.09107e+08 B/s",
            "threedmark.storage.towi.lat_mean 71000 ns",
            "threedmark.storage.tows.bandwidth 1.54613e+08 B/s",
            "threedmark.storage.tows.lat_mean 53000 ns",
        ]
    )
    assert (found.program_version, found.method, found.model) == snapshot(
        ("2.29.8294 s64", "3DMarkStorageTest", "ADATA LEGEND 800")
    )
    assert (found.measured_at, found.settings) == snapshot(
        (
            "2024-10-01T04:38:52.569856900-06:00",
            (("test", "3DMarkStorageTest"), ("pass_count", "3"), ("volume_filesystem", "NTFS")),
        )
    )


def test_the_score_of_3dmark_follows_from_the_whole_and_the_whole_from_the_traces(tmp_path: Path) -> None:
    found = read_foreign(threedmark(tmp_path / "run.3dmark-result", RESULT, ABOUT))[0]
    value = {one.key.name.removeprefix("threedmark.storage."): float(str(one.value)) for one in found.numbers}
    traces = [math.log(value[name]) for name in value if name.endswith(".bandwidth")]
    assert math.exp(sum(traces) / len(traces)) == pytest.approx(value["bandwidth"], rel=1e-4)
    assert math.isqrt(int(value["bandwidth"] / (value["lat_mean"] / 1000))) == value["score"]


def test_another_test_of_3dmark_is_not_read(tmp_path: Path) -> None:
    other = "<benchmark><results><result><passIndex>-1</passIndex><TimeSpyScore>9000</TimeSpyScore></result></results></benchmark>"
    with pytest.raises(ForeignError, match="has no score of 3DMark's storage test"):
        read_foreign(threedmark(tmp_path / "run.3dmark-result", other))


LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><benchmark>&c;</benchmark>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><benchmark>&b;</benchmark>'


@pytest.mark.parametrize("text", [LAUGHS, OUTSIDE])
def test_xml_entities_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ForeignError, match="declares XML entities or references"):
        read_foreign(threedmark(tmp_path / "run.3dmark-result", text))


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    path = threedmark(tmp_path / "run.3dmark-result", "<benchmark>" + " " * (33 << 20) + "</benchmark>")
    assert path.stat().st_size < 100_000
    with pytest.raises(ForeignError, match="unpacks to more than 33,554,432 bytes"):
        read_foreign(path)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_packed_by_what_unpacks_all_at_once_is_refused(tmp_path: Path, packing: int) -> None:
    path = tmp_path / "run.3dmark-result"
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("Result.xml", RESULT)
    with pytest.raises(ForeignError, match=r"`Result\.xml` in `run\.3dmark-result` is not read: it is neither stored"):
        read_foreign(path)


def test_a_cut_archive_is_damaged(tmp_path: Path) -> None:
    path = threedmark(tmp_path / "run.3dmark-result", RESULT)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ForeignError, match="is a damaged archive"):
        read_foreign(path)
