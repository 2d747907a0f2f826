"""A page that is left open for a day: what it keeps, what it takes of its host, and how often it draws.

24 hours of 10 points a second of 8 series are 6,912,000 points. They are fed to the page of a run by what stands in for the stream of its
server, as fast as it takes them, through all that a point passes on its way to the picture. No file of points is that long, as one is
thinned at two megabytes; so no run asks more of a page.
"""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from threading import Event, Thread

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.processes import in_one_of, wait_until
from tests.kit.tab import tab_of
from tests.kit.web_lab import GoingRun, served

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]

HOURS, PER_S = 24, 80
FOOTPRINT_MAX_BYTES = 150_000_000
KEPT_MAX = 8000
NEWEST = 2000
ATTEMPTS = 3
POINTS = "document.getElementById('chart').points()"
STAND_IN = """
window.EventSource = class extends EventTarget {
    constructor() { super(); this.readyState = 1; window.stream = this; }
    close() { this.readyState = 2; }
};
window.told = (kind, content) => window.stream.dispatchEvent(new MessageEvent(kind, {data: JSON.stringify(content)}));
window.feed = async (begin, seconds, perSecond) => {
    for (let second = begin; second < begin + seconds; second++) {
        const points = [];
        for (let one = 0; one < perSecond; one++) {
            const at = Math.round((second + one / perSecond) * 1e4) / 1e4;
            const value = at === 40000 ? 9000 : at === 50000 ? 1 : at === 60000 ? null : 500 + 100 * Math.random();
            points.push([at, value]);
        }
        window.told('points', points);
        // Once a second of the run's clock would be too seldom for the page's, which has to draw meanwhile.
        if (second % 300 === 0) { await new Promise((done) => setTimeout(done, 0)); }
    }
    return true;
};
"""
COUNT_DRAWINGS = """(() => {
    const clear = CanvasRenderingContext2D.prototype.clearRect;
    window.drawings = 0;
    CanvasRenderingContext2D.prototype.clearRect = function (...all) { window.drawings++; return clear.apply(this, all); };
})();0"""
HIDDEN = """
Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}});
document.dispatchEvent(new Event('visibilitychange'));
"""


@pytest.fixture
def going(tmp_path: Path) -> Iterator[GoingRun]:
    run = GoingRun(tmp_path / "lab/runs/20260103T000000Z-fill-long")
    run.point()
    yield run
    run.close()


@pytest.fixture
def page(chromium: Page, tmp_path: Path, going: GoingRun) -> Iterator[Page]:
    """The page of a run that goes on."""
    with served(tmp_path / "lab") as address:
        chromium.problems.clear()
        chromium.visit(address)
        root = chromium.run("location.pathname.split('/')[1]")
        chromium.visit(f"{chromium.run('location.origin')}/{root}/runs/{going.path.name}")
        wait_until(lambda: chromium.run(f"{POINTS}[1]") == [1], "the first point is drawn")
        yield chromium
        assert chromium.problems == []
        chromium.visit("about:blank")


@pytest.fixture
def alone(page: Page) -> Iterator[Page]:
    """It without its server's stream: the test tells what comes."""
    script = page.call("Page.addScriptToEvaluateOnNewDocument", source=STAND_IN)["identifier"]
    page.visit(page.run("location.href"))
    yield page
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def test_a_day_of_eighty_points_a_second_takes_little_and_keeps_what_a_picture_needs(alone: Page) -> None:
    for hour in range(HOURS):
        alone.run(f"window.feed({hour * 3600}, 3600, {PER_S})")
        assert alone.run(f"{POINTS}[0].length") <= KEPT_MAX
    time_s, speed = alone.run(POINTS)
    assert time_s[0] < 60
    assert time_s[-NEWEST:] == pytest.approx([HOURS * 3600 - place / PER_S for place in range(NEWEST, 0, -1)])
    assert all(one < other for one, other in pairwise(time_s))
    assert dict(zip(time_s, speed, strict=True))[40000] == max(one for one in speed if one is not None) == 9000
    assert dict(zip(time_s, speed, strict=True))[50000] == min(one for one in speed if one is not None) == 1
    assert dict(zip(time_s, speed, strict=True))[60000] is None
    # As fine at the beginning as later: of each hour about as much is there.
    of_hours = [sum(hour * 3600 <= one < (hour + 1) * 3600 for one in time_s) for hour in range(HOURS - 1)]
    assert min(of_hours) > max(of_hours) / 3

    # What was thrown away in a day is there at once, as the day took seconds: a real one leaves the browser time to clear it away.
    alone.call("HeapProfiler.collectGarbage")
    tab = tab_of(alone)
    wait_until(lambda: tab.footprint_bytes < FOOTPRINT_MAX_BYTES, "the tab keeps little", 30)
    assert alone.run("performance.memory.usedJSHeapSize") < 20_000_000


def test_what_is_read_with_the_keyboard_is_the_same_point_after_others_were_thinned(alone: Page) -> None:
    alone.run(f"window.feed(0, 60, {PER_S})")
    wait_until(lambda: alone.run("document.querySelector('#chart canvas') !== null"), "the chart is there")
    for key in ("Home", "ArrowRight"):
        alone.run(f"document.getElementById('chart').dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
    read = alone.run("document.getElementById('told').textContent")
    alone.run(f"window.feed(60, 600, {PER_S})")
    alone.run("document.getElementById('chart').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
    alone.run("document.getElementById('chart').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
    assert read.startswith("0:00")
    assert alone.run("document.getElementById('told').textContent").startswith("0:0")


def drawn_in(page: Page, seconds: float) -> int:
    """How often the chart is drawn while points come, eighty a second."""
    before = page.run("window.drawings")
    page.run(f"""(async () => {{
        const begin = performance.now();
        for (let number = 0; performance.now() < begin + {seconds * 1000}; number++) {{
            window.told('points', [[1e6 + begin + number, 500]]);
            await new Promise((done) => setTimeout(done, 12));
        }}
    }})()""")
    return int(page.run("window.drawings")) - int(before)


def test_the_chart_is_drawn_at_a_bounded_rate_and_not_where_nobody_sees_it(alone: Page) -> None:
    alone.run(COUNT_DRAWINGS)
    assert 2 <= drawn_in(alone, 2.0) <= 7
    alone.run("document.body.style.paddingTop = '5000px'; 0")
    alone.run("new Promise((done) => setTimeout(done, 600))")
    assert drawn_in(alone, 1.0) == 0
    alone.run("document.body.style.paddingTop = ''; 0")
    wait_until(lambda: alone.run("window.drawings") > 0, "it is drawn again")
    alone.run(HIDDEN.format("true"))
    alone.run("new Promise((done) => setTimeout(done, 600))")
    assert drawn_in(alone, 1.0) == 0
    before = alone.run("window.drawings")
    alone.run(HIDDEN.format("false"))
    wait_until(lambda: alone.run("window.drawings") > before, "what came meanwhile is drawn")


def test_a_point_is_seen_within_a_second(page: Page, going: GoingRun) -> None:
    page.run(COUNT_DRAWINGS)

    def delay_s() -> float:
        begin_s, drawings = time.monotonic(), page.run("window.drawings")
        going.point()
        wait_until(lambda: page.run(f"{POINTS}[1].at(-1)") == going.count, "it came")
        wait_until(lambda: page.run("window.drawings") > drawings, "it is drawn")
        return time.monotonic() - begin_s

    assert in_one_of(ATTEMPTS, lambda: median(delay_s() for _ in range(5)) < 1)


def test_at_eighty_points_a_second_all_come_once(page: Page, going: GoingRun) -> None:
    is_over = Event()

    def write() -> None:
        while not is_over.wait(1 / PER_S):
            going.point()

    writes = Thread(target=write)
    writes.start()
    wait_until(lambda: page.run(f"{POINTS}[1].length") > 3 * PER_S, "points of three seconds are there")
    is_over.set()
    writes.join()
    wait_until(lambda: page.run(f"{POINTS}[1].at(-1)") == going.count, "the last one is there")
    assert page.run(f"{POINTS}[1]") == list(range(1, going.count + 1))
