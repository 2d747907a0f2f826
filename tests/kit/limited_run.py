"""A run on a target that is held to limits."""

from pathlib import Path

from tests.kit.fake_lab import FakeDisplay
from tests.kit.plans import HEADER

from ssdlab.bundle.model import Limits
from ssdlab.bundle.read import Bundle
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite

SUITE = f"""{HEADER}
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 32 }}
passes = 2
rest = "60s"
"""


def run(target: str, lab: Path, limits: Limits, suite: str = SUITE) -> Bundle:
    with open_bench(target) as bench:
        plan = expand(parse_suite(suite, "mine.toml"), "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, lab, FakeDisplay(), limits=limits)
