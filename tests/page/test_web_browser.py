"""The lab in a real browser: a point appears, a lost connection leaves no gap and nothing double, the keyboard and 390 px suffice."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import press
from tests.kit.processes import wait_until
from tests.kit.small_bundle import write_small
from tests.kit.web_lab import GoingRun, Relay, served

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]

SPEEDS = "document.getElementById('chart').points()[1]"
LOST = "document.getElementById('connection').hidden"
STEP = "document.getElementById('step')?.textContent ?? ''"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lab = tmp_path_factory.mktemp("web") / "lab"
    write_small(lab / "runs/20260101T000000Z-fill-first")
    write_small(lab / "runs/20260102T000000Z-fill-second")
    return lab


@pytest.fixture(scope="module")
def address(lab: Path) -> Iterator[str]:
    with served(lab) as address:
        yield address


@pytest.fixture
def going(lab: Path) -> Iterator[GoingRun]:
    run = GoingRun(lab / f"runs/20260103T000000Z-fill-{len(list(lab.glob('runs/*')))}")
    for _ in range(3):
        run.point()
    yield run
    run.close()


@pytest.fixture
def page(chromium: Page, address: str) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.visit(address)
    chromium.prefer("light")
    yield chromium
    assert chromium.problems == []
    chromium.visit("about:blank")


def at(page: Page, address: str, path: str) -> str:
    """A page of the server whose page is seen."""
    root = page.run("location.pathname.split('/')[1]")
    return urlsplit(address)._replace(path=f"/{root}{path}", query="").geturl()


def watch(page: Page, address: str, going: GoingRun, width: int = 1100) -> None:
    page.visit(at(page, address, f"/runs/{going.path.name}"), width)
    wait_until(lambda: page.run(SPEEDS) == [1, 2, 3], "the points so far are drawn")


def test_points_steps_and_the_end_appear_as_they_happen(page: Page, address: str, going: GoingRun) -> None:
    watch(page, address, going)
    assert page.run("document.querySelector('.now').textContent.includes('3.00 MiB/s')")
    assert page.run("document.querySelector('.now').textContent.includes('41 °C')")

    going.point()
    wait_until(lambda: page.run(SPEEDS) == [1, 2, 3, 4], "the new point is drawn")
    assert page.run("document.querySelector('#chart canvas') !== null")

    before = page.run(STEP)
    going.pass_over()
    wait_until(lambda: page.run(STEP) not in {"", before}, "the next step is shown")
    assert page.run("document.getElementById('told').textContent") == page.run(STEP)
    audit = "document.getElementById('part-audit').textContent"
    wait_until(lambda: "passed" in page.run(audit), "the audit so far is shown")

    going.over()
    wait_until(lambda: page.run("!document.getElementById('over').hidden"), "the end is told")


def test_a_lost_connection_leaves_no_gap_and_nothing_double(page: Page, address: str, going: GoingRun) -> None:
    relay = Relay(urlsplit(address).port or 0)
    through = urlsplit(address)._replace(netloc=f"127.0.0.1:{relay.port}").geturl()
    try:
        watch(page, through, going)
        relay.cut()
        wait_until(lambda: not page.run(LOST), "the loss is told")
        going.point()
        going.point()
        relay.mend()
        wait_until(lambda: page.run(SPEEDS)[3:] != [], "the points come")
        going.point()
        wait_until(lambda: page.run(SPEEDS)[-1] == 6, "the last point comes")
        assert page.run(SPEEDS) == [1, 2, 3, 4, 5, 6]
        assert page.run(LOST)
    finally:
        page.visit("about:blank")
        relay.close()
        # What the browser says of the loss.
        page.problems.clear()


HIDDEN = """
Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}});
document.dispatchEvent(new Event('visibilitychange'));
"""


def test_a_page_that_is_seen_again_goes_on_where_it_was(page: Page, address: str, going: GoingRun) -> None:
    watch(page, address, going)
    page.run(HIDDEN.format("true"))
    going.point()
    going.point()
    page.run(HIDDEN.format("false"))
    wait_until(lambda: page.run(SPEEDS)[-1] == 5, "the points come")
    assert page.run(SPEEDS) == [1, 2, 3, 4, 5]


def test_a_run_is_read_with_the_keyboard_alone(page: Page, address: str, going: GoingRun) -> None:
    watch(page, address, going)
    reached = []
    for _ in range(12):
        press(page, "Tab")
        reached.append(page.run("document.activeElement.id || document.activeElement.getAttribute('href')"))
        if reached[-1] == "chart":
            break
    root = page.run("location.pathname").partition("/runs")[0]
    assert reached[:3] == ["#content", f"{root}/", f"{root}/library"]
    assert reached[-1] == "chart"

    press(page, "Home")
    assert "1 MiB/s" in page.run("document.getElementById('told').textContent")
    press(page, "ArrowRight")
    going.point()
    wait_until(lambda: page.run(SPEEDS)[-1] == 4, "a point comes meanwhile")
    assert "2 MiB/s" in page.run("document.getElementById('readout').textContent")


@pytest.mark.parametrize("path", ["/", "/library", "run"])
def test_nothing_is_wider_than_a_telephone(page: Page, address: str, going: GoingRun, path: str) -> None:
    page.visit(at(page, address, f"/runs/{going.path.name}" if path == "run" else path), 390)
    assert page.run("document.documentElement.scrollWidth") <= 390


def test_chosen_runs_are_compared_in_a_page_that_is_none_of_the_lab(page: Page, address: str, lab: Path) -> None:
    page.visit(at(page, address, "/library"))
    page.run(
        "document.querySelectorAll('input[type=checkbox]').forEach((one) => { one.checked = one.value.includes('2026010') && !one.value.includes('0103'); })"
    )
    chosen = page.run("new URLSearchParams(new FormData(document.querySelector('form'))).toString()")
    page.visit(at(page, address, "/compare") + f"?{chosen}")
    assert page.run("document.querySelectorAll('figure').length") > 0
    assert page.run("self.origin") == "null"


@contextmanager
def stranger(heard: list[str]) -> Iterator[str]:
    """The address of another server of this host, which notes the cookies that it is sent, and sets one itself."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.headers.get("cookie", ""))
            self.send_response(200)
            self.send_header("set-cookie", "ssdlab=of-the-stranger; path=/")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_servers_of_one_host_neither_see_each_others_cookies_nor_put_each_other_out(
    page: Page, address: str, lab: Path
) -> None:
    first, heard = page.run("location.href"), list[str]()
    with served(lab) as other, stranger(heard) as foreign:
        page.visit(other)
        second = page.run("location.href")
        for path in ("/", "/library", "/static/lab.css"):
            page.visit(foreign + path)
        for seen in (first, second, first):
            page.visit(seen)
            assert page.run("document.querySelector('nav.lab') !== null")
        # The page of the second server is left before it ends.
        page.visit("about:blank")
    assert len(heard) >= 3
    assert set(heard) <= {"", "ssdlab=of-the-stranger"}
