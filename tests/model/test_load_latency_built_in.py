"""`load-latency` on five built-in drives, small ones and in the profile for a look; docs/concepts/methods.md has how long whole ones take."""

import io

import pytest
from tests.kit.load_drives import metrics_of, number

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import Metric, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.figure.registry import figures_for
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.unknown import Unknown

DRIVES = ("demo", "plp-enterprise-3t84", "optane-like-960gb", "mlc-1tb", "p4500-4tb")
MIXES = ("read", "r70w30", "write")
LIMITS = ("200us", "1ms", "10ms")


@pytest.fixture(scope="module", params=DRIVES)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    with open_bench(f"model:{request.param}?capacity=512MiB") as bench:
        plan = expand(load_suite("load-latency"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, tmp_path_factory.mktemp("lab"), PlainDisplay(io.StringIO()))


@pytest.fixture(scope="module")
def known(run: Bundle) -> dict[str, Metric]:
    return metrics_of(run)


def test_it_is_done_from_purge_to_search_with_a_clean_audit(run: Bundle) -> None:
    assert (run.status, run.faults) == (RunStatus.FINISHED, ())
    assert failed(run.audit) == ()


@pytest.mark.parametrize("mix", MIXES)
def test_rates_that_leave_the_drive_time_are_reached(known: dict[str, Metric], mix: str) -> None:
    for load in (10, 20, 30):
        offered = number(known, f"load_latency.{mix}.load{load}.offered_iops")
        assert number(known, f"load_latency.{mix}.load{load}.iops") == pytest.approx(offered, rel=0.1), load


@pytest.mark.parametrize("mix", MIXES)
def test_the_longer_the_limit_the_higher_the_rate_within_it_and_what_is_unknown_has_a_reason(
    known: dict[str, Metric], mix: str
) -> None:
    found = [known[f"load_latency.{mix}.limit{limit}.iops_within_p99_9"].value for limit in LIMITS]
    rates = [float(value) for value in found if not isinstance(value, Unknown)]
    assert rates == sorted(rates)
    assert all(str(value.reason) for value in found if isinstance(value, Unknown))
    assert rates or mix != "read"
    assert all(0 < rate <= 2 * number(known, f"load_latency.{mix}.saturation_iops") for rate in rates)


def test_its_figure_is_drawn(run: Bundle) -> None:
    assert "load-latency" in [one.name for one in figures_for(run)]
