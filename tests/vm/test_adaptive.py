"""Points that end once they are known, beside those of the profile `standard`, on an NVMe drive so slow that a guest keeps up with it.

By the same engine: to fio's status lines a translated processor gives a seventh of its time, which is a seventh of the drive's.
"""

from collections.abc import Iterator, Mapping
from math import hypot

import pytest
from tests.kit.load_drives import constant_drive
from tests.kit.up_to_the_host import failed_whatever_the_host
from tests.vm.conftest import short_directory
from tests.vm.disks import NvmeDisk, served
from tests.vm.guest import SSDLAB, Guest, booted

from ssdlab.bundle.model import Metric, RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import PointEnding
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_S

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

SERIAL = "SLOW"
SPEC = (
    constant_drive(4)
    .replace('sense = ["20us"]', 'sense = ["100ms"]')
    .replace('program = "200us"', 'program = "5ms"')
    .replace('raw = "96 MiB"', 'raw = "512 MiB"')
)
"""Reads that take as long that what the guest's processor adds to them is little; writes are in the buffer at once."""
LIMIT_S = 20
SUITE = f"""\
[suite]
name = "points"
version = "1"
engine = "load"
[profile.adaptive]
until = "6%"
order = "reads_first"
again = "first"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 8 }}
[[step]]
kind = "measure"
name = "rnd"
job.read = {{ pattern = "random", bs = "4KiB", read = "100%", ramp = "2s", limit = "{LIMIT_S}s" }}
job.r70w30 = {{ pattern = "random", bs = "4KiB", read = "70%", ramp = "2s", limit = "{LIMIT_S}s" }}
sweep = {{ qd = [1] }}
"""
PROFILES = ("standard", "adaptive")
TOLERANCE = 0.05
"""Where intervals allow less: what a translated processor adds to an I/O is not quite the same from one minute to the next."""


@pytest.fixture(scope="module")
def both() -> Iterator[Mapping[str, Bundle]]:
    with short_directory() as place:
        spec = place / "slow.toml"
        spec.write_text(SPEC)
        with served(str(spec), place) as drive, booted(place, [NvmeDisk(SERIAL, drive.uri)]) as guest:
            (guest.share / "points.toml").write_text(SUITE)
            yield {profile: _ran(guest, profile) for profile in PROFILES}


def _ran(guest: Guest, profile: str) -> Bundle:
    # In the guest's memory, where each file takes no questions on the shared directory.
    place = f"/run/{profile}"
    ended = guest.run(
        f"{SSDLAB} run /mnt/points.toml /dev/nvme0n1 --erase {SERIAL} --profile {profile} --seed 1 --lab {place}"
    )
    guest.must(f"cp -r {place}/runs/* /mnt/{profile}")
    bundle = open_bundle(guest.share / profile)
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ()), ended.stderr
    return bundle


@pytest.mark.parametrize("profile", PROFILES)
def test_a_run_is_whole_and_its_audit_clean(both: Mapping[str, Bundle], profile: str) -> None:
    assert failed_whatever_the_host(both[profile]) == []


@pytest.mark.parametrize("point", ["rnd.read.q1", "rnd.r70w30.q1"])
def test_both_say_the_same_rate(both: Mapping[str, Bundle], point: str) -> None:
    standard, adaptive = (rate(both[profile], point) for profile in PROFILES)
    allowed = max(hypot(standard[1], adaptive[1]), TOLERANCE * standard[0])
    assert abs(adaptive[0] - standard[0]) <= allowed


def test_a_point_that_reads_ends_once_it_is_known(both: Mapping[str, Bundle]) -> None:
    bundle = both["adaptive"]
    ends = {step.name: bundle.result(step).point_end for step in bundle.finished() if step.kind is StepKind.MEASURE}
    read = ends["rnd.read.q1"]
    assert read is not None
    assert read.because is PointEnding.ENOUGH
    assert read.seen_ns < LIMIT_S * NS_PER_S
    assert list(ends) == ["rnd.read.q1", "rnd.r70w30.q1", "rnd.read.q1.run2"]


def rate(bundle: Bundle, point: str) -> tuple[float, float]:
    """I/Os a second, and half of their interval."""
    metric: Metric = next(one for one in bundle.metrics if one.name == f"{point}.iops")
    assert isinstance(metric.value, int | float)
    reach = 0.0 if metric.low is None or metric.high is None else (metric.high - metric.low) / 2
    return float(metric.value), reach
