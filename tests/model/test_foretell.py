"""What a run is foretold to take: what it takes where the twin is the drive itself."""

import json
from pathlib import Path

import pytest
from tests.kit.load_drives import run_on
from tests.kit.twin_drives import DRIVE, PREPARED
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.lab.bench import open_bench
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.twin.foretell import Foretold, foretold
from ssdlab.twin.shortened import shortened
from ssdlab.unknown import Unknown

OVERWRITTEN = (
    PREPARED
    + """
[[step]]
kind = "fill"
name = "overwrite"
job = { pattern = "random", bs = "16KiB", qd = 8 }
amount = "50%"
"""
)
HEAT = """
[thermal]
ambient = 25
idle = 17
write_per_gb_s = 2.6
read_per_gb_s = 2.2
time_constant = "60s"
warning = 83
mild_on = 83
mild_off = 78
mild_speed = 0.5
severe_on = 85
severe_off = 80
severe_speed = 0.15
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(DRIVE, OVERWRITTEN, tmp_path_factory.mktemp("measured"))


def told_of(spec: str, directory: Path, capacity_bytes: int = 256 << 20) -> Foretold:
    path = directory / "twin.toml"
    path.write_text(spec)
    with open_bench(f"model:{path}") as bench:
        plan = expand(parse_suite(OVERWRITTEN, "mine.toml"), "standard", bench.drive.identity, seed=1)
    return foretold(plan, capacity_bytes, str(path))


def test_a_run_is_foretold_to_take_what_it_takes(measured: Bundle, tmp_path: Path) -> None:
    told = told_of(DRIVE, tmp_path)
    spans = {step.name: (step.started_ns or 0, step.ended_ns or 0) for step in measured.steps}
    assert told.took_ns == max(end for _, end in spans.values()) - min(begin for begin, _ in spans.values())
    assert sum(told.group_ns.values()) == sum(end - begin for begin, end in spans.values())
    assert {"purge", "fill", "overwrite"} == set(told.group_ns)


def test_what_is_written_is_told_of_the_host_and_of_the_flash(measured: Bundle, tmp_path: Path) -> None:
    told = told_of(DRIVE, tmp_path)
    assert told.host_written_bytes == measured.written_bytes == 640 << 20
    # Random writes over half of a drive that was written in order have blocks collected.
    assert 1.0 < told.media_written_bytes / told.host_written_bytes < 2.5


def test_the_temperature_is_told_only_of_a_twin_that_has_heat(tmp_path: Path) -> None:
    assert isinstance(told_of(DRIVE, tmp_path).temperature_c_max, Unknown)
    warm = told_of(DRIVE + HEAT, tmp_path).temperature_c_max
    assert isinstance(warm, float)
    assert 42 <= warm < 50


def test_a_twin_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SsdlabError, match="the twin has 256 MiB, and the drive 512 MiB"):
        told_of(DRIVE, tmp_path, 512 << 20)


def test_the_plan_of_a_target_tells_what_its_twin_takes(tmp_path: Path) -> None:
    suite, twin = tmp_path / "mine.toml", tmp_path / "twin.toml"
    suite.write_text(OVERWRITTEN)
    twin.write_text(DRIVE)
    words = ["plan", str(suite), f"model:{twin}", "--twin", str(twin)]
    told = json.loads(CliRunner().invoke(cli.app, [*words, "--json"]).stdout)["twin"]
    assert told["host_written_bytes"] == 640 << 20
    assert told["temperature_c_max"] is None
    assert told["description"] == "A drive that a twin is made of"
    shown = CliRunner().invoke(cli.app, [*words, "--endurance", "1TBW"]).stdout
    assert "on the twin it takes" in shown
    assert "on the twin it uses 0.07% of the 1.00 TB" in shown
    assert "the twin: A drive that a twin is made of" in shown


STEADY = """
[suite]
name = "mine"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 8 }
[[step]]
kind = "measure"
name = "fresh"
job = { pattern = "random", bs = "4KiB", qd = 4, read = "50%", limit = "5s" }
[[step]]
kind = "steady"
name = "conditioning"
job = { pattern = "random", bs = "16KiB", qd = 16 }
at_least = "2x"
at_most = "3x"
measured = "1s"
[[step]]
kind = "measure"
name = "rnd"
job.read = { pattern = "random", bs = "16KiB", qd = 1, read = "100%", limit = "30s" }
job.write = { pattern = "random", bs = "16KiB", qd = 4, read = "0%", limit = "30s" }
"""


def test_of_steps_that_end_by_the_clock_a_look_is_enough_where_they_leave_the_drive_as_it_is(tmp_path: Path) -> None:
    twin = tmp_path / "twin.toml"
    twin.write_text(DRIVE)
    with open_bench(f"model:{twin}") as bench:
        plan = expand(parse_suite(STEADY, "mine.toml"), "standard", bench.drive.identity, seed=1)
    assert set(shortened(plan).planned_ns) == {"rnd.read", "rnd.write"}
    truth = run_on(DRIVE, STEADY, tmp_path)
    told = foretold(plan, 256 << 20, str(twin))
    spans = [(step.started_ns or 0, step.ended_ns or 0) for step in truth.steps]
    assert told.took_ns == pytest.approx(max(end for _, end in spans) - min(begin for begin, _ in spans), rel=1e-3)
    assert isinstance(truth.written_bytes, int)
    assert told.host_written_bytes == pytest.approx(truth.written_bytes, rel=0.05)
