"""The pages on simulators of others say what was found on all settings; what is true of a setting follows from it alone.

The simulators themselves are fetched, built and run by `python -m tests.study.other_simulators`.
"""

import re

import pytest
from tests.study.other_simulators import DOCS, SIMULATORS
from tests.study.others.examined import PROBES
from tests.study.others.mqsim import Settings, reach_bytes
from tests.study.others.simulator import Simulator

from ssdlab.units import KIB

SAID = {key: (DOCS / one.page).read_text(encoding="utf-8") for key, one in SIMULATORS.items()}


def _named(value: object) -> str:
    return value.key if isinstance(value, Simulator) else str(value)


EVERY = pytest.mark.parametrize("simulator", SIMULATORS.values(), ids=_named)


@pytest.mark.parametrize(
    ("simulator", "name"), [(one, name) for one in SIMULATORS.values() for name in one.settings], ids=_named
)
def test_the_page_has_every_setting_and_what_its_random_writes_came_to(simulator: Simulator, name: str) -> None:
    rows = [line for line in SAID[simulator.key].splitlines() if line.startswith(f"| {name} |")]
    assert len([line for line in rows if "MiB |" in line]) >= 1
    assert [line for line in rows if re.search(rf"(x|no) \| [+-]\d+\.\d% \||{simulator.name} ends", line)]


@EVERY
@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_the_page_has_an_answer_of_every_probe(simulator: Simulator, probe: object) -> None:
    name = getattr(probe, "name", "").replace("-", "_").replace("shift_write", "management_block")
    assert f"| `{name}." in SAID[simulator.key]


@EVERY
def test_no_answer_of_grade_a_is_wrong(simulator: Simulator) -> None:
    said = SAID[simulator.key]
    assert [line for line in said.splitlines() if re.search(r"\| A \| .* \| (wrong|invented) \|$", line)] == []
    assert "wrong or invented: 0 of grade A" in said


@EVERY
def test_at_least_nine_of_ten_steady_verdicts_are_near_what_followed(simulator: Simulator) -> None:
    found = re.search(r"Of (\d+) settings .* (\d+) were called steady, (\d+) of them within 3%", SAID[simulator.key])
    assert found is not None
    assert int(found[3]) >= 0.9 * int(found[2])


@pytest.mark.parametrize(("key", "least"), [("mqsim", 12), ("simplessd", 16)])
def test_so_many_settings_are_called_steady(key: str, least: int) -> None:
    found = re.search(r"Of \d+ settings .* (\d+) were called steady", SAID[key])
    assert found is not None
    assert int(found[1]) >= least


@EVERY
def test_amplification_is_near_what_the_simulator_counts(simulator: Simulator) -> None:
    found = re.search(rf"{simulator.name}'s own count on (\d+) of (\d+)\.", SAID[simulator.key])
    assert found is not None
    assert found[1] == found[2]


@pytest.mark.parametrize(
    ("simulator", "name", "percent"), [(one, *hot) for one in SIMULATORS.values() for hot in one.hot], ids=_named
)
def test_hot_and_cold_writes_are_counted_near_what_the_simulator_counts(
    simulator: Simulator, name: str, percent: int
) -> None:
    row = rf"^\| {name} \| {percent} % to \d+ % \| [\d.]+ \(([+-][\d.]+)%\)"
    (counted,) = re.findall(row, SAID[simulator.key], re.MULTILINE)
    assert abs(float(counted)) <= 5


@EVERY
def test_the_page_says_what_was_mended_and_at_which_commit(simulator: Simulator) -> None:
    text = simulator.pinned.repairs.read_text(encoding="utf-8")
    mended = [line for line in text.splitlines() if re.match(r"\d+\. ", line)]
    assert mended
    assert [line for line in mended if line not in SAID[simulator.key]] == []
    assert simulator.pinned.commit[:12] in SAID[simulator.key]


def test_a_whole_table_in_memory_has_no_reach() -> None:
    assert reach_bytes(Settings()) is None


def test_the_reach_of_a_mapping_cache_is_its_entries_times_pages() -> None:
    # 1 GiB in pages of 4 KiB: an entry has twice 18 bits and 8 for the sectors, which is 6 bytes.
    settings = Settings(mapping_cache_bytes=60 * KIB, page_bytes=4 * KIB, blocks=1024)
    assert reach_bytes(settings) == 10 * KIB * 4 * KIB
