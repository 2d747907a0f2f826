"""A run on the model `demo`: pages about bundles, metrics and checks show what it leaves behind."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.open import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand


@dataclass(frozen=True, slots=True)
class Example:
    """Bundles of built-in suites."""

    bundles: tuple[Bundle, ...]

    @classmethod
    def made_in(cls, directory: Path) -> Self:
        """Run a suite on the model, in a second of real time."""
        return cls((run_suite("fill", "model:demo", directory / "fill"),))


def run_suite(suite: str, target: str, lab: Path) -> Bundle:
    """Run a built-in suite as it is published."""
    with open_bench(target) as bench:
        plan = expand(load_suite(suite), "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))
