"""The report of five drives with two suites each: how long it takes, how large it is, how fast it opens.

What the machine gives at that moment is measured beside it: starting the same interpreter with the same imports, and opening a
page with one word.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
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
        seconds = _fastest([SSDLAB, "report", *runs, "-o", page])
        start_s = _fastest([sys.executable, "-c", "import duckdb, jinja2, vl_convert, ssdlab.report.page"])
        detail = f"{len(runs)} runs; interpreter and imports alone {start_s:.2f} s, {seconds / start_s:.0f} x of that"
        yield Measurement("report of five drives, built", seconds, "s", Aim.AT_MOST, 15, detail)
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


def _fastest(command: list[str | Path]) -> float:
    times = []
    for _ in range(_ROUNDS):
        began = perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(perf_counter() - began)
    return min(times)
