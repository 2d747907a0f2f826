"""A run whose engine was stopped in the middle of a step."""

from pathlib import Path

import pytest
from tests.kit.fake_lab import FakeDisplay, FakeDrive, FakeEngine, raising

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.base import EngineError
from ssdlab.lab.bench import Bench
from ssdlab.lab.run import execute
from ssdlab.message import verbatim
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite

SUITE = """\
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
[[step]]
kind = "rest"
duration = "1s"
[[step]]
kind = "measure"
name = "look"
job = { pattern = "random", bs = "4KiB", amount = "4MiB", limit = "1s" }
sweep = { read = ["0%", "100%"], qd = [1, 2] }
repeat = { times = 2 }
[[step]]
kind = "purge"
name = "purge2"
[[step]]
kind = "fill"
name = "again"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
"""


def stopped(lab: Path, drive: FakeDrive, job_name: str) -> Bundle:
    """A run that ended with an error in that job."""
    engine = FakeEngine(before_result=raising(EngineError(verbatim("fio fell over")), job_name))
    plan = expand(parse_suite(SUITE, "short.toml"), "standard", drive.identity, seed=1)
    with pytest.raises(Exception, match="fell over"):
        execute(plan, Bench(drive, engine, None), lab, FakeDisplay())
    (path,) = (lab / "runs").iterdir()
    return open_bundle(path)
