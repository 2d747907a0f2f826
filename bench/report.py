"""The report of five drives with two suites each: how long it takes, how large it is, how fast it opens.

What the machine gives at that moment is measured beside it: starting the same interpreter with the same imports, and opening a
page with one word.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from measure import ROOT, SSDLAB, Aim, Measurement

_CAPACITY = "64GiB"
_ROUNDS = 5
_OPENED = """new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(Math.max(
    performance.getEntriesByType('navigation')[0].loadEventEnd,
    ...performance.getEntriesByType('paint').map((one) => one.startTime))), 100)))"""
"""Milliseconds until all is loaded and something is on the screen."""


def report() -> Iterator[Measurement]:
    """Build and open the page."""
    sys.path.insert(0, str(ROOT))
    from tests.kit.five_drives import REVIEWED, quick_run

    with tempfile.TemporaryDirectory() as directory:
        lab = Path(directory)
        runs = [quick_run(lab, name, suite, _CAPACITY).path for name in REVIEWED for suite in ("client", "enterprise")]
        page, word = lab / "five.html", lab / "word.html"
        word.write_text("<!doctype html><title>word</title><p>word")
        built = _fastest([SSDLAB, "report", *runs, "-o", page])
        start_s = _fastest([sys.executable, "-c", "import duckdb, jinja2, vl_convert, ssdlab.report.page"]).wall_s
        detail = (
            f"{len(runs)} runs; {built.cpu_s:.1f} s of processors; "
            f"interpreter and imports alone {start_s:.2f} s, {built.wall_s / start_s:.0f} x of that"
        )
        yield Measurement("report of five drives, built", built.wall_s, "s", Aim.AT_MOST, 15, detail)
        yield Measurement("report of five drives, size", page.stat().st_size / 1e6, "MB", Aim.AT_MOST, 4, "")
        opened_s, word_s = _opening(page), _opening(word)
        detail = f"loaded and painted; a page of one word {word_s:.3f} s, {opened_s / word_s:.0f} x of that"
        yield Measurement("report of five drives, opened", opened_s, "s", Aim.AT_MOST, 1, detail)


def _opening(page: Path) -> float:
    from tests.kit.browser import browser

    with browser() as tab:
        times = []
        for _ in range(_ROUNDS):
            tab.open(page)
            times.append(float(tab.run(_OPENED)) / 1e3)
    return min(times)


@dataclass(frozen=True, slots=True)
class _Taken:
    wall_s: float
    cpu_s: float
    """Of the command and all its processes: what is left where others use the machine as well."""


def _fastest(command: list[str | Path]) -> _Taken:
    taken = []
    for _ in range(_ROUNDS):
        began, used = perf_counter(), _used_s()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        taken.append(_Taken(perf_counter() - began, _used_s() - used))
    return min(taken, key=lambda one: one.wall_s)


def _used_s() -> float:
    """What processes that ended took of processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
