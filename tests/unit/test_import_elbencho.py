"""elbencho: CSV and JSON of the same run say the same, of the whole phase and all threads."""

from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError
from ssdlab.units import MIB

CSV = (DATA / "elbencho-3.csv").read_text()
JSON = (DATA / "elbencho-3.json").read_text()
SAID = {
    "elbencho.rnd4k_q8t4.write.bandwidth": 250_003 * 4096,
    "elbencho.rnd4k_q8t4.write.iops": 250_003,
    "elbencho.rnd4k_q8t4.write.lat_mean": 128_000,
    "elbencho.rnd4k_q8t4.write.lat_max": 9_000_000,
    "elbencho.rnd4k_q8t4.r70w30.write.bandwidth": 30_000 * 4096,
    "elbencho.rnd4k_q8t4.r70w30.write.iops": 30_000,
    "elbencho.rnd4k_q8t4.r70w30.write.lat_mean": 128_000,
    "elbencho.rnd4k_q8t4.r70w30.write.lat_max": 9_000_000,
    "elbencho.rnd4k_q8t4.r70w30.read.bandwidth": 70_000 * 4096,
    "elbencho.rnd4k_q8t4.r70w30.read.iops": 70_000,
    "elbencho.rnd4k_q8t4.r70w30.read.lat_mean": 300_000,
    "elbencho.rnd4k_q8t4.r70w30.read.lat_max": 7_000_000,
}


@pytest.mark.parametrize("name", ["elbencho-3.csv", "elbencho-3.json"])
def test_rates_are_those_of_the_last_thread(name: str) -> None:
    found = read_sample(name)
    assert values(found) == SAID
    assert (found.program_version, found.method, found.measured_at) == (
        "3.0-25",
        "WRITE, RWMIX70",
        "2026-03-04T05:06:07+01:00",
    )


def test_the_same_load_again_is_a_run_of_its_own(tmp_path: Path) -> None:
    """elbencho appends to its files, titles too where the file was empty when it looked."""
    found = values(read_content(tmp_path, CSV + CSV))
    assert found["elbencho.rnd4k_q8t4.run2.write.iops"] == found["elbencho.rnd4k_q8t4.write.iops"]
    assert len(found) == 2 * len(SAID)
    assert values(read_content(tmp_path, JSON + JSON)).keys() == found.keys()


def test_whole_mib_are_kept_where_blocks_do_not_explain_them(tmp_path: Path) -> None:
    """The last block of each small file is shorter."""
    found = values(read_content(tmp_path, CSV.replace(",1015,976,", ",1015,500,")))
    assert found["elbencho.rnd4k_q8t4.write.bandwidth"] == 500 * MIB


def test_a_mixture_by_threads_is_another_load_than_writes(tmp_path: Path) -> None:
    found = values(read_content(tmp_path, CSV.replace(",RWMIX70,", ",MIX-T2,")))
    assert found["elbencho.rnd4k_q8t4.mix_t2.read.iops"] == 70_000
    assert found["elbencho.rnd4k_q8t4.write.iops"] == 250_003


def test_flags_may_be_booleans_of_json(tmp_path: Path) -> None:
    true = JSON.replace('"direct_io": "1"', '"direct_io": true').replace(
        '"random_offsets": "1"', '"random_offsets": true'
    )
    assert true.count("true") == 2 * JSON.count('"direct_io"')
    found = read_content(tmp_path, true)
    assert values(found) == SAID
    assert not [caution for caution in found.cautions if "cache" in caution]
    with pytest.raises(ForeignError, match="no flag"):
        read_content(tmp_path, JSON.replace('"direct_io": "1"', '"direct_io": "perhaps"'))


def test_hosts_multiply_threads_and_a_cache_is_said(tmp_path: Path) -> None:
    found = read_content(
        tmp_path, JSON.replace('"hosts": "1"', '"hosts": "2"').replace('direct_io": "1"', 'direct_io": "0"')
    )
    assert "elbencho.rnd4k_q8t8.write.iops" in values(found)
    assert "through the cache of the operating system, so it is not the drive alone" in found.cautions


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CSV[: CSV.index("\n") + 1], "no phase in it read or wrote"),
        (CSV[:-40], "another length than its titles"),
        (CSV.replace("250003", "25 0003"), "no number"),
        (CSV.replace("250003", "9" * 400), "no number"),
        (CSV.replace(",4096,", ",-4096,"), "no load"),
        (JSON[: len(JSON) - 30], "is no JSON"),
        (JSON.replace('"250003"', '{"a": 1}'), "no number"),
        (JSON.replace('"250003"', "NaN"), "no number"),
        (JSON.replace('"latency": {', '"latency": "none", "x": {'), "no object: latency"),
        (f"{JSON}[1]", "no object"),
        ('{"phase_type": 1, "block_size": 4, "config": ' + "[" * 100_000, "JSON|not as its program"),
    ],
)
def test_what_is_not_whole_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


@pytest.mark.parametrize("name", ["elbencho-3.csv", "elbencho-3.json"])
def test_damage_is_survived(name: str) -> None:
    survives_damage(name, seed=23)
