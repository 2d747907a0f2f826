"""`load-latency` under its profile `adaptive`: the same loads on a drive that is steady by the short way, and the same rates."""

import io
from pathlib import Path

import pytest
from tests.kit.load_drives import metrics_of, number

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import Suite, parse_suite

PROFILES = ("standard", "adaptive")
ALIKE = 0.03


def of_writes() -> Suite:
    """The built-in suite with writes alone, and fewer loads."""
    text = load_suite("load-latency").text
    for whole, part in (
        ('["read", "r70w30", "write"]', '["write"]'),
        (
            '["5%", "10%", "20%", "30%", "40%", "50%", "60%", "70%", "75%", "80%", "85%", "90%", "95%"]',
            '["50%", "90%"]',
        ),
        ('p99_9 = ["200us", "1ms", "10ms"]', 'p99_9 = ["1ms"]'),
    ):
        assert text.count(whole) == 1
        text = text.replace(whole, part)
    return parse_suite(text, "writes.toml")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bundle]:
    directory = tmp_path_factory.mktemp("both")
    return {profile: run(profile, directory / profile) for profile in PROFILES}


def run(profile: str, directory: Path) -> Bundle:
    with open_bench("model:demo?capacity=512MiB") as bench:
        plan = expand(of_writes(), profile, bench.drive.identity, seed=1)
        return execute(plan, bench, directory, PlainDisplay(io.StringIO()))


@pytest.mark.parametrize("profile", PROFILES)
def test_it_is_whole_and_its_audit_clean(both: dict[str, Bundle], profile: str) -> None:
    bundle = both[profile]
    assert (bundle.status, bundle.faults, failed(bundle.audit)) == (RunStatus.FINISHED, (), ())


@pytest.mark.parametrize("asked", ["saturation_iops", "limit1ms.iops_within_p99_9"])
def test_rates_are_those_of_standard(both: dict[str, Bundle], asked: str) -> None:
    standard, adaptive = (number(metrics_of(both[one]), f"load_latency.write.{asked}") for one in PROFILES)
    assert adaptive == pytest.approx(standard, rel=ALIKE)


def test_the_drive_is_steady_by_the_short_way_and_less_was_written(both: dict[str, Bundle]) -> None:
    assert metrics_of(both["adaptive"])["precondition.rnd.route"].value == "short"
    standard, adaptive = (conditioned_bytes(both[one]) for one in PROFILES)
    assert adaptive < 2 / 3 * standard


def conditioned_bytes(bundle: Bundle) -> int:
    """What was written before the first load."""
    before = [step for step in bundle.finished() if step.job is not None and step.group != "load_latency"]
    return sum(one.io_bytes for step in before for one in bundle.result(step).directions.values())
