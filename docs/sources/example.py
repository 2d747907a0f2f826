"""A run on the model `demo`: pages about bundles, metrics and checks show what it leaves behind."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.drive.kinds.own_files import Keep
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.lab.sustain.ground import Before, Choice, open_ground
from ssdlab.lab.sustain.live import Live
from ssdlab.lab.sustain.run import sustain
from ssdlab.message import Message
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.sustain import SustainSettings, Verify, Work
from ssdlab.method.tables import STANDARD


@dataclass(frozen=True, slots=True)
class Example:
    """Bundles of built-in suites."""

    bundles: tuple[Bundle, ...]

    @classmethod
    def made_in(cls, directory: Path) -> Self:
        """Run suites on the model, in a few seconds of real time."""
        quick = [
            run_suite(suite, "model:demo", directory / suite, "quick")
            for suite in ("client", "client-2025.07", "bootbench")
        ]
        small = [
            run_suite(suite, "model:demo?capacity=128MiB", directory / suite, "quick")
            for suite in (
                "enterprise",
                "wsat",
                "load-latency",
                "pts-lat",
                "pts-hir",
                "pts-xsr",
                "pts-dirth",
                "write-amplification",
            )
        ]
        short = directory / "short-way.toml"
        short.write_text(_SHORT_WAY, encoding="utf-8")
        small.append(run_suite(str(short), "model:demo?capacity=128MiB", directory / "short-way", "quick"))
        sustained = [run_sustained(settings, "model:demo", directory / "sustain") for settings in (_WRITE, _READ_AGAIN)]
        return cls((run_suite("fill", "model:demo", directory / "fill"), *quick, *small, *sustained))


_WRITE = SustainSettings(verify=Verify.AFTER, need_bytes_per_s=10**8)
_READ_AGAIN = SustainSettings(work=Work.READ_AGAIN, verify=Verify.AFTER, tag="shelf")


_SHORT_WAY = """\
[suite]
name = "short-way"
version = "1"

[profile.quick]
time = "1/300"

[[step]]
kind = "purge"

[[step]]
kind = "steady"
name = "conditioning"
job = { pattern = "random", bs = "4KiB", qd = 256 }
at_least = "2x"
at_most = "23x"
measured = "5min"
route = "short"
"""


class _Nobody:
    """Nobody watches."""

    def begins(self, bundle: Path, length_bytes: int) -> None:
        """Not heard."""

    def record(self, live: Live) -> None:
        """Not heard."""

    def rests(self, duration_ns: int) -> None:
        """Not heard."""

    def note(self, text: Message | str) -> None:
        """Not heard."""


def run_sustained(settings: SustainSettings, target: str, lab: Path) -> Bundle:
    """Write a drive and read it back, or only read it."""
    choice = Choice(target=target, erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    with open_ground(choice, settings) as ground:
        return sustain(settings, ground, lab, _Nobody(), csv=None)


def run_suite(suite: str, target: str, lab: Path, profile: str = STANDARD) -> Bundle:
    """Run a built-in suite, as it is published unless a profile says otherwise."""
    with open_bench(target) as bench:
        plan = expand(load_suite(suite), profile, bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))
