"""A shortened `enterprise` in real time under both profiles, on a virtual drive slow enough that the host hardly matters: the same rates.

`standard` is measured by fio and `adaptive` by the load engine, each on a drive of its own, at the same time.
"""

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import hypot
from pathlib import Path

import pytest
from tests.kit.processes import OVER, ssdlab

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import Metric, RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.units import NS_PER_S

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes ten times as long

DRIVE = """\
name = "slow"
description = "64 MiB that take three seconds to write in order: its flash is busy whatever the host does"
[geometry]
capacity = "64 MiB"
raw = "88 MiB"
superblock = "512 KiB"
channels = 2
dies = 2
bits_per_cell = 1
stripe_unit = "32 KiB"
page = "32 KiB"
[timing]
sense = ["4ms"]
program = "3ms"
erase = "1ms"
channel = "800 MB/s"
link_read = "600 MB/s"
link_write = "600 MB/s"
[buffer]
kind = "protected"
size = "256 KiB"
[collection]
start = 6
hard = 3
"""
BRIEF = """\
[profile.brief]
time = "1/75"            # points of 4 s
rest = "1/900"
"""
LIMIT = 'time = "1/25"\nrest = "1/900"\n'
"""Points of the other profile take 12 s at most: none ends before 10 s."""
TOLERANCE = 0.05
"""Where intervals allow less: two drives that were written at random are never quite alike."""


def shortened() -> str:
    """Of sequential points writes alone; conditioned for four capacities at most."""
    text, _, _ = load_suite("enterprise").text.partition("[[step]]                 # E5: BootBench")
    text = text.replace("[profile.adaptive]", f"{BRIEF}\n[profile.adaptive]").replace(
        'again = "first"', f'again = "first"\n{LIMIT}#'
    )
    text = text.replace('profiles = ["standard", "quick"]', 'profiles = ["standard", "quick", "brief"]')
    text = text.replace('at_most = "23x"', 'at_most = "4x"').replace(
        "qd = [1, 2, 4, 8, 16, 32, 64, 128, 256]", "qd = [8]"
    )
    text = text.replace("qd = 256", "qd = 32")
    left_out = r'(?m)^job\.(?!(?:r70w30|read) +=.*"4KiB"|write +=.*sequential).*\n'
    return re.sub(left_out, "", text)


def run(profile: str, directory: Path) -> Bundle:
    place = directory / profile
    place.mkdir()
    (place / "suite.toml").write_text(shortened())
    (place / "drive.toml").write_text(DRIVE)
    done = ssdlab("run", place / "suite.toml", f"virtual:{place / 'drive.toml'}", "--profile", profile, "--lab", place)
    assert done.status in OVER, done.stderr
    (path,) = (place / "runs").iterdir()
    return open_bundle(path)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Bundle]:
    directory, profiles = tmp_path_factory.mktemp("both"), ("brief", "adaptive")
    with ThreadPoolExecutor() as pool:
        return dict(zip(profiles, pool.map(lambda profile: run(profile, directory), profiles), strict=True))


def rates(bundle: Bundle) -> Mapping[str, Metric]:
    found = {metric.name: metric for metric in bundle.metrics if metric.name.endswith((".iops", ".bandwidth"))}
    return {name: metric for name, metric in found.items() if name.startswith(("seq.", "rnd."))}


def differs(one: Metric, other: Metric) -> bool:
    assert isinstance(one.value, int | float)
    assert isinstance(other.value, int | float)
    reaches = [0.0 if each.low is None or each.high is None else (each.high - each.low) / 2 for each in (one, other)]
    return abs(one.value - other.value) > max(hypot(*reaches), TOLERANCE * abs(one.value))


def test_rates_of_both_agree(both: Mapping[str, Bundle]) -> None:
    brief, adaptive = (rates(both[name]) for name in ("brief", "adaptive"))
    common = brief.keys() & adaptive.keys()
    assert {"seq.write.q8.bandwidth", "rnd.read.q8.iops", "rnd.r70w30.q8.iops"} <= common
    different = {
        name: (brief[name].value, adaptive[name].value) for name in common if differs(brief[name], adaptive[name])
    }
    assert different == {}


def test_both_are_whole_and_their_audits_clean(both: Mapping[str, Bundle]) -> None:
    for bundle in both.values():
        assert (bundle.status, bundle.faults, failed(bundle.audit)) == (RunStatus.FINISHED, (), ())
    engines = {name: bundle.run.engine.partition("-")[0] for name, bundle in both.items()}
    assert engines == {"brief": "fio", "adaptive": "load"}


def test_points_say_how_they_ended_under_adaptive_alone(both: Mapping[str, Bundle]) -> None:
    ends = {
        name: {step.name: bundle.result(step).point_end for step in bundle.finished() if step.kind is StepKind.MEASURE}
        for name, bundle in both.items()
    }
    points = ["seq.write.q8", "rnd.read.q8", "rnd.r70w30.q8"]
    assert ends["brief"] == dict.fromkeys(points)
    assert list(ends["adaptive"]) == [*points, "rnd.read.q8.run2"]
    for end in ends["adaptive"].values():
        assert end is not None
        assert 10 <= end.seen_ns / NS_PER_S < 13
