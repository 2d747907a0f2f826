"""How I/Os follow each other at one rate, on a die that takes 20 us for each: what waits is told by the arrivals alone."""

import json
from pathlib import Path

import pytest
from tests.kit.load_drives import SERVICE_NS, constant_drive, loads, metrics_of, number, run_on

from ssdlab.bundle.model import Outcome
from ssdlab.bundle.read import Bundle
from ssdlab.engine.workload import WORKLOAD_FILE
from ssdlab.units import NS_PER_S

MOST_IOPS = NS_PER_S / SERVICE_NS
ARRIVALS = ("constant", "poisson", "bursts")
OFFERED = ("20%", "50%", "90%")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bundle]:
    return {
        arrivals: run_on(
            constant_drive(),
            # The ramp outlasts what the drive still programs of the fill.
            loads(200_000, ("200us",), offered=OFFERED, ramp="1s", arrivals=arrivals),
            tmp_path_factory.mktemp(arrivals),
        )
        for arrivals in ARRIVALS
    }


def tail_ns(run: Bundle, load: str) -> float:
    return number(metrics_of(run), f"load_latency.read.{load}.response_p99_9")


@pytest.mark.parametrize("load", ["load20", "load50", "load90"])
def test_at_equal_distances_nothing_waits_below_saturation(runs: dict[str, Bundle], load: str) -> None:
    found = metrics_of(runs["constant"])
    assert number(found, f"load_latency.read.{load}.response_mean") == pytest.approx(SERVICE_NS, rel=0.001)
    assert tail_ns(runs["constant"], load) == pytest.approx(SERVICE_NS, rel=0.01)


def test_at_equal_distances_any_limit_is_kept_up_to_saturation(runs: dict[str, Bundle]) -> None:
    found = number(metrics_of(runs["constant"]), "load_latency.read.limit200us.iops_within_p99_9")
    assert found == pytest.approx(MOST_IOPS, rel=0.02)


@pytest.mark.parametrize("load", ["load20", "load50", "load90"])
def test_the_more_they_crowd_the_longer_is_the_tail_at_the_same_rate(runs: dict[str, Bundle], load: str) -> None:
    constant, poisson, bursts = (tail_ns(runs[arrivals], load) for arrivals in ARRIVALS)
    assert 1.5 * constant < poisson
    assert 1.3 * poisson < bursts


def test_bursts_beyond_what_the_drive_takes_wait_for_a_share_of_a_burst(runs: dict[str, Bundle]) -> None:
    # At half load a burst of 2 ms brings a quarter more than the die does in it: half a millisecond in the mean, more in long ones.
    assert 0.5e6 < tail_ns(runs["bursts"], "load50") < 10e6


def test_the_rate_is_the_one_offered_however_they_come(runs: dict[str, Bundle]) -> None:
    for arrivals, run in runs.items():
        found, point = metrics_of(run), "load_latency.read.load50"
        offered = number(found, f"{point}.offered_iops")
        # Bursts vary by 3 % (one standard deviation) in the four seconds a load takes here.
        assert number(found, f"{point}.iops") == pytest.approx(offered, rel=0.12), arrivals


@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_the_audit_passes_each_and_says_which_it_was(runs: dict[str, Bundle], arrivals: str) -> None:
    rates = {check.step: check for check in runs[arrivals].audit if check.name == "load.rate"}
    half = rates["load_latency.read.load50"]
    assert half.outcome is Outcome.PASS
    assert {"constant": "evenly spaced", "poisson": "Poisson process", "bursts": "bursts"}[arrivals] in str(
        half.finding
    )
    assert not [check for check in runs[arrivals].audit if check.outcome in {Outcome.WARN, Outcome.FAIL}]


def test_the_workload_of_a_step_says_what_was_not_poisson(runs: dict[str, Bundle]) -> None:
    said = {arrivals: workload_of(run).get("arrivals") for arrivals, run in runs.items()}
    assert said == {"constant": "constant", "poisson": None, "bursts": "bursts"}


def workload_of(run: Bundle) -> dict[str, object]:
    (step,) = (one for one in run.steps if one.name == "load_latency.read.load50")
    (path,) = Path(run.path).glob(f"*{step.name}/{WORKLOAD_FILE}")
    found: dict[str, object] = json.loads(path.read_text())
    return found
