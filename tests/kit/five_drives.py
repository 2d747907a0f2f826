"""Runs of the consumer suite on five models, small and quick, as a comparison has them."""

import io
from pathlib import Path

from tests.kit.built import built

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import display_for
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.lab.step import RawLogs
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand

FIVE = ("pm9e1-1tb", "qlc-dramless-1tb", "mlc-1tb", "optane-like-960gb", "flat-cfexpress-800gb")
REVIEWED = ("pm9e1-1tb", "qlc-dramless-1tb", "mlc-1tb", "plp-enterprise-3t84", "optane-like-960gb")
"""Those whose enterprise results mean something too."""
CAPACITY = "4GiB"


def five_drives() -> list[Bundle]:
    """The bundles, the drive under test first."""
    return [shared_run(name) for name in FIVE]


def shared_run(name: str, suite: str = "client", capacity: str | None = CAPACITY) -> Bundle:
    """The same for all tests of this state of the code: nobody writes into it."""

    def make(lab: Path) -> Path:
        return quick_run(lab, name, suite, capacity).path

    return open_bundle(built(f"{name}-{suite}-{capacity or 'whole'}", make))


def quick_run(lab: Path, name: str, suite: str = "client", capacity: str | None = CAPACITY) -> Bundle:
    """One run on a model of that drive, in virtual time."""
    target = f"model:{name}" if capacity is None else f"model:{name}?capacity={capacity}"
    with open_bench(target, None) as bench:
        plan = expand(load_suite(suite), "quick", bench.drive.identity, seed=1)
        with display_for(io.StringIO()) as display:
            bundle = execute(plan, bench, lab, display, RawLogs.DROP)
    return open_bundle(bundle.path)
