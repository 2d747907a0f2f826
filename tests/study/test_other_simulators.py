"""The page on simulators of others says what was found on all settings; what is true of a setting follows from it alone.

The simulator itself is fetched, built and run by `python -m tests.study.other_simulators`.
"""

import re

import pytest
from tests.study.other_simulators import PAGE, REPAIRS
from tests.study.others.examined import HOT, PROBES, SETTINGS, reach_bytes
from tests.study.others.mqsim_drive import Settings
from tests.study.others.mqsim_source import COMMIT

from ssdlab.units import KIB

SAID = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SETTINGS)
def test_the_page_has_every_setting_and_what_its_random_writes_came_to(name: str) -> None:
    rows = [line for line in SAID.splitlines() if line.startswith(f"| {name} |")]
    assert len([line for line in rows if "MiB |" in line]) >= 1
    assert [line for line in rows if re.search(r"(x|no) \| [+-]\d+\.\d% \||MQSim ends", line)]


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_the_page_has_an_answer_of_every_probe(probe: object) -> None:
    name = getattr(probe, "name", "").replace("-", "_").replace("shift_write", "management_block")
    assert f"| `{name}." in SAID


def test_no_answer_of_grade_a_is_wrong() -> None:
    assert [line for line in SAID.splitlines() if re.search(r"\| A \| .* \| (wrong|invented) \|$", line)] == []
    assert "wrong or invented: 0 of grade A" in SAID


def test_at_least_nine_of_ten_steady_verdicts_are_near_what_followed() -> None:
    found = re.search(r"Of (\d+) settings .* (\d+) were called steady, (\d+) of them within 3%", SAID)
    assert found is not None
    assert int(found[2]) >= 10
    assert int(found[3]) >= 0.9 * int(found[2])


def test_amplification_is_near_what_the_simulator_counts() -> None:
    found = re.search(r"MQSim's own count on (\d+) of (\d+)\.", SAID)
    assert found is not None
    assert found[1] == found[2]


@pytest.mark.parametrize(("name", "percent"), HOT)
def test_hot_and_cold_writes_are_counted_near_what_the_simulator_counts(name: str, percent: int) -> None:
    (counted,) = re.findall(rf"^\| {name} \| {percent} % to \d+ % \| [\d.]+ \(([+-][\d.]+)%\)", SAID, re.MULTILINE)
    assert abs(float(counted)) <= 5


def test_the_page_says_what_was_mended_and_at_which_commit() -> None:
    mended = [line for line in REPAIRS.read_text(encoding="utf-8").splitlines() if re.match(r"\d+\. ", line)]
    assert mended
    assert [line for line in mended if line not in SAID] == []
    assert COMMIT[:12] in SAID


def test_a_whole_table_in_memory_has_no_reach() -> None:
    assert reach_bytes(Settings()) is None


def test_the_reach_of_a_mapping_cache_is_its_entries_times_pages() -> None:
    # 1 GiB in pages of 4 KiB: an entry has twice 18 bits and 8 for the sectors, which is 6 bytes.
    settings = Settings(mapping_cache_bytes=60 * KIB, page_bytes=4 * KIB, blocks=1024)
    assert reach_bytes(settings) == 10 * KIB * 4 * KIB
