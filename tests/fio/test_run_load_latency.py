"""The suite `load-latency` in real time on a virtual drive, in the profile for a look."""

import io

import pytest
from tests.kit.late_generator import late_loads, silent_of_lateness
from tests.kit.load_drives import metrics_of, number
from tests.kit.up_to_the_host import failed_whatever_the_host

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.figure.registry import figures_for
from ssdlab.job import EngineName
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite

MIXES = 'mix = ["read", "r70w30", "write"]'
TIME = 'time = "1/50"'
READS = "load_latency.read"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Of reads alone, in half of the time."""
    text = load_suite("load-latency").text
    assert MIXES in text
    assert TIME in text
    text = text.replace(MIXES, 'mix = ["read"]').replace(TIME, 'time = "1/100"')
    directory = tmp_path_factory.mktemp("load")
    with open_bench("virtual:demo?capacity=64MiB", engine=EngineName.LOAD) as bench:
        plan = expand(parse_suite(text, "mine.toml"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(io.StringIO()))


def test_it_runs_to_its_end_with_a_clean_audit(run: Bundle) -> None:
    assert (run.status, run.faults) == (RunStatus.FINISHED, ())
    assert run.run.engine.startswith("load-")
    assert failed_whatever_the_host(run) == []


def test_every_load_says_how_late_the_host_was(run: Bundle) -> None:
    known = metrics_of(run)
    for load in (5, 50, 95):
        assert number(known, f"{READS}.load{load}.late_p99") >= 0
        assert number(known, f"{READS}.load{load}.unsubmitted") >= 0


def test_where_the_host_was_late_audit_and_numbers_say_so(run: Bundle) -> None:
    assert len(late_loads(run)) >= 13
    assert silent_of_lateness(run) == []


def test_the_rate_is_reached_where_the_drive_has_time(run: Bundle) -> None:
    known = metrics_of(run)
    offered = number(known, f"{READS}.load20.offered_iops")
    assert number(known, f"{READS}.load20.iops") == pytest.approx(offered, rel=0.1)
    assert offered < number(known, f"{READS}.saturation_iops")


def test_its_figure_is_drawn(run: Bundle) -> None:
    assert "load-latency" in [one.name for one in figures_for(run)]
