"""Runs of the consumer suite on five models, small and quick, as a comparison has them."""

import io
from pathlib import Path

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import display_for
from ssdlab.lab.open import open_bench
from ssdlab.lab.run import execute
from ssdlab.lab.step import RawLogs
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand

FIVE = ("pm9e1-1tb", "qlc-dramless-1tb", "mlc-1tb", "optane-like-960gb", "flat-cfexpress-800gb")
REVIEWED = ("pm9e1-1tb", "qlc-dramless-1tb", "mlc-1tb", "plp-enterprise-3t84", "optane-like-960gb")
"""Those whose enterprise results mean something too."""
CAPACITY = "4GiB"


def five_drives(lab: Path) -> list[Bundle]:
    """The bundles, the drive under test first."""
    return [quick_run(lab, name) for name in FIVE]


def quick_run(lab: Path, name: str, suite: str = "client", capacity: str = CAPACITY) -> Bundle:
    """One run on a model of that drive, in virtual time."""
    with open_bench(f"model:{name}?capacity={capacity}", None) as bench:
        plan = expand(load_suite(suite), "quick", bench.drive.identity, seed=1)
        with display_for(io.StringIO()) as display:
            bundle = execute(plan, bench, lab, display, RawLogs.DROP)
    return open_bundle(bundle.path)
