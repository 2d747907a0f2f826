"""What the web view costs: a tab its own host, and those who look the run that they look at.

`python -m tests.study.web_under_load [--seconds 30] [--cycles 8]`; under `chrt -r 20` where the host has other work.

A tab is one of headless Chromium, which draws without a graphics processor. Memory is told as Chromium's task manager counts it (memory
footprint: what is in memory or swapped out for this process alone), beside what is resident, in which the program counts that all tabs share.

The last part is a run by fio at queue depth 1 on a virtual drive that serves NBD, on the same host as the server. Blocks without (A) and with (B)
five viewers follow each other as A B B A, so that a slow drift falls on both alike; rates are those of the run's own live points. The viewers
take the events and draw nothing, for browsers run elsewhere. Under real-time priority the server and the viewers are given a lower one than the
run, as the server gives itself a lower one otherwise.
"""

import argparse
import math
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from tempfile import TemporaryDirectory
from threading import Event, Thread

from tests.kit.browser import Page, browser
from tests.kit.processes import descendants, ssdlab_started, wait_until
from tests.kit.tab import cpu_s, tab_of
from tests.kit.viewers import viewers
from tests.kit.web_lab import GoingRun, served

from ssdlab.bundle.live import LivePoint, last_point, read_live

VIEWERS = 5
SETTLE_S = 3.0
"""After a change nothing is counted for so long."""
BLOCK_S = 12.0
DRIVE = "virtual:demo?capacity=256MiB&seed=1"
SUITE = """
[suite]
name = "one-at-a-time"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "1MiB", qd = 4 }}
[[step]]
kind = "measure"
name = "read"
job = {{ pattern = "random", bs = "4KiB", amount = "900GiB", limit = "{limit_s}s" }}
sweep = {{ read = ["100%"], qd = [1] }}
"""
BLOCK_BYTES = 4096
NOTE_DRAWINGS = """(() => {
    const clear = CanvasRenderingContext2D.prototype.clearRect;
    window.drawn = [];
    CanvasRenderingContext2D.prototype.clearRect = function (...all) {
        window.drawn.push([performance.timeOrigin + performance.now(), document.getElementById('chart').points()[1].at(-1)]);
        return clear.apply(this, all);
    };
})();0"""
TWO_SIDED_95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 11: 2.20, 15: 2.13}
"""Student's t by degrees of freedom; of those between, the larger is taken."""


def main() -> None:
    """A line for each number."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=30, help="of each measurement of a tab")
    options.add_argument("--cycles", type=int, default=8, help="of four blocks")
    options.add_argument("--only", choices=("tab", "run"))
    asked = options.parse_args()
    if asked.only != "run":
        for per_s in (80.0, 2.0):
            with TemporaryDirectory() as directory:
                tell_of_tab(Path(directory) / "lab", per_s, asked.seconds)
    if asked.only != "tab":
        with TemporaryDirectory() as directory:
            tell_of_run(Path(directory) / "lab", asked.cycles)


@contextmanager
def written(run: GoingRun, per_s: float) -> Iterator[list[float]]:
    """Points come at a rate; when each was written, in seconds since 1970."""
    is_over, at_s = Event(), list[float]()

    def write() -> None:
        begin_s = time.monotonic()
        while not is_over.wait(max(0.0, begin_s + len(at_s) / per_s - time.monotonic())):
            at_s.append(time.time())
            run.point()

    writes = Thread(target=write)
    writes.start()
    try:
        yield at_s
    finally:
        is_over.set()
        writes.join()


def tell_of_tab(lab: Path, per_s: float, seconds: float) -> None:
    """One page of a run whose points come at that rate."""
    with (
        closing(GoingRun(lab / "runs/20260103T000000Z-fill-watched")) as run,
        served(lab) as address,
        browser() as page,
        viewers(address, run.path.name, VIEWERS - 1) as others,
    ):
        page.visit(address)
        root = page.run("location.pathname.split('/')[1]")
        page.visit(f"{page.run('location.origin')}/{root}/runs/{run.path.name}")
        page.run(NOTE_DRAWINGS)
        with written(run, per_s) as at_s:
            time.sleep(2 * SETTLE_S)
            alone = cost_of(page, seconds)
            others.come()
            time.sleep(SETTLE_S)
            among_five = cost_of(page, seconds)
        delays_s = delays(at_s, page.run("window.drawn"))
        print(f"{per_s:g} points a second, {seconds:g} s each")
        print(f"  tab: footprint {alone.footprint_bytes / 1e6:.0f} MB, resident {alone.resident_bytes / 1e6:.0f} MB")
        print(f"  tab: {alone.tab:.2f} % of a core; the rest of Chromium {alone.rest_of_browser:.2f} %")
        print(
            f"  server, one viewer: {alone.server:.2f} %; a viewer with their share of it: {alone.tab + alone.server:.2f} %"
        )
        each = among_five.tab + among_five.server / VIEWERS
        print(f"  server, five viewers: {among_five.server:.2f} %; a viewer with their share of it: {each:.2f} %")
        print(
            f"  from written to drawn: median {median(delays_s):.2f} s, longest of {len(delays_s)} {max(delays_s):.2f} s",
            flush=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Of a page: its memory, and percent of a processor core."""

    footprint_bytes: int
    resident_bytes: int
    tab: float
    rest_of_browser: float
    server: float


def cost_of(page: Page, seconds: float) -> Cost:
    """In so many seconds from now."""
    tab = tab_of(page)
    groups = (
        [tab.process_id],
        [one for one in commanded("chromium") if one != tab.process_id],
        commanded("ssdlab.cli"),
    )
    before = [sum(map(cpu_s, group)) for group in groups]
    begin_s = time.monotonic()
    time.sleep(seconds)
    took_s = time.monotonic() - begin_s
    percent = [100 * (sum(map(cpu_s, group)) - so_far) / took_s for group, so_far in zip(groups, before, strict=True)]
    return Cost(
        footprint_bytes=tab.footprint_bytes,
        resident_bytes=tab.resident_bytes,
        tab=percent[0],
        rest_of_browser=percent[1],
        server=percent[2],
    )


def commanded(word: str) -> list[int]:
    """Processes that this one started whose command has that in it."""
    return [one for one in descendants(os.getpid()) if word in Path(f"/proc/{one}/cmdline").read_text(errors="replace")]


def delays(at_s: Sequence[float], drawn: Sequence[tuple[float, float]]) -> list[float]:
    """Seconds from the writing of each point to the first drawing that has it; those never drawn are left out."""
    found, place = [], 0
    for number, written_s in enumerate(at_s, start=1):
        while place < len(drawn) and (drawn[place][1] or 0) < number:
            place += 1
        if place == len(drawn):
            break
        found.append(drawn[place][0] / 1000 - written_s)
    return found


def tell_of_run(lab: Path, cycles: int) -> None:
    """A run at queue depth 1, without and with viewers."""
    suite = lab.parent / "suite.toml"
    suite.write_text(SUITE.format(limit_s=round(cycles * 4 * (BLOCK_S + SETTLE_S) + 30)), encoding="utf-8")
    with running(suite, lab), served(lab) as address:
        wait_until(lambda: any(is_at_step(path, 3) for path in lab.glob("runs/*")), "the run reads")
        (path,) = lab.glob("runs/*")
        with viewers(address, path.name, VIEWERS) as those:
            give_way([those.process_id, *serving()])
            time.sleep(SETTLE_S)
            pairs = [cycle(path, those.come, those.go) for _ in range(cycles)]
    alone, watched = (fmean(column) for column in zip(*pairs, strict=True))
    changes = [100 * (after / before - 1) for before, after in pairs]
    print(f"a run at queue depth 1, {cycles} times A B B A of {BLOCK_S:g} s a block")
    print(f"  without viewers {alone:.0f} IOPS, with {VIEWERS} {watched:.0f} IOPS")
    print(f"  change by {VIEWERS} viewers: {fmean(changes):+.2f} % ± {half_width(changes):.2f} % (95 %)", flush=True)


@contextmanager
def running(suite: Path, lab: Path) -> Iterator[None]:
    """A run that is stopped as by Ctrl-C, so that nothing of its drive is left."""
    with ssdlab_started("run", suite, DRIVE, "--lab", lab) as run:
        try:
            yield
        finally:
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)


def is_at_step(path: Path, step: int) -> bool:
    """Whether it goes on with that step."""
    point = last_point(path)
    return point is not None and point.step == step


def serving() -> list[int]:
    """Processes of the server."""
    return [one for one in commanded("ssdlab.cli") if "\0web\0" in Path(f"/proc/{one}/cmdline").read_text()]


def give_way(process_ids: Sequence[int]) -> None:
    """Put them behind the run, where all were started with real-time priority; without it the server sees to that itself."""
    for one in process_ids:
        if os.sched_getscheduler(one) == os.SCHED_RR:
            for thread in Path(f"/proc/{one}/task").iterdir():
                os.sched_setscheduler(int(thread.name), os.SCHED_RR, os.sched_param(1))


def cycle(path: Path, come: Callable[[], None], go: Callable[[], None]) -> tuple[float, float]:
    """IOPS without viewers, and with: the means of A B B A."""
    go()
    first = block_iops(path)
    come()
    watched = block_iops(path), block_iops(path)
    go()
    last = block_iops(path)
    return fmean((first, last)), fmean(watched)


def block_iops(path: Path) -> float:
    """Of a block that begins now, by the run's own points."""
    time.sleep(SETTLE_S)
    begin_ms = time.time_ns() // 1_000_000
    time.sleep(BLOCK_S)
    points = [one for one in points_of(path) if one.at_ms > begin_ms + 500]
    return fmean(one.bandwidth_bytes_per_s for one in points if one.bandwidth_bytes_per_s is not None) / BLOCK_BYTES


def points_of(path: Path) -> Sequence[LivePoint]:
    """All points that the run has written; minutes of it are far less than one look holds."""
    part = read_live(path)
    assert part is not None
    assert part.is_all
    return part.points


def half_width(changes: Sequence[float]) -> float:
    """Of the 95 % interval of their mean."""
    freedom = len(changes) - 1
    factor = TWO_SIDED_95[max(one for one in TWO_SIDED_95 if one <= freedom)]
    return factor * stdev(changes) / math.sqrt(len(changes))


if __name__ == "__main__":
    main()
