"""Controls in a real browser, with the keyboard alone: what is asked names its run and drive, and what is answered is done."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.axe import faults_in_both_themes, faults_with_the_keyboard, needs_axe
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import press
from tests.kit.postgres import Cluster, postgres_programs
from tests.kit.processes import is_gone, ssdlab_started, wait_until
from tests.kit.shown_fleet import fill, fleet_database, states
from tests.kit.web_lab import served

from ssdlab.bundle.live import last_point
from ssdlab.bundle.read import open_bundle
from ssdlab.fleet import records
from ssdlab.fleet.database import connected
from ssdlab.fleet.records import FleetRunState

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
    pytest.mark.skipif(postgres_programs() is None, reason="PostgreSQL is missing"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with fleet_database() as cluster:
        fill(cluster.url)
        yield cluster


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web") / "lab"


@pytest.fixture(scope="module")
def address(cluster: Cluster, lab: Path) -> Iterator[str]:
    with served(lab, "--control", "--database", cluster.url) as address:
        yield address


@pytest.fixture
def page(chromium: Page, address: str) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.visit(address, 390)
    chromium.prefer("light")
    yield chromium
    assert chromium.problems == []
    chromium.visit("about:blank")


@pytest.fixture
def going(lab: Path) -> Iterator[Path]:
    """A run in virtual time that goes on for minutes."""
    with ssdlab_started("run", "enterprise", "model:pm9e1-1tb", "--lab", lab):
        wait_until(lambda: any(last_point(path) for path in lab.glob("runs/*")), "the run has begun")
        yield next(lab.glob("runs/*"))


def visit(page: Page, path: str) -> None:
    root = page.run("location.pathname.split('/')[1]")
    page.visit(f"{page.run('location.origin')}/{root}/{path}", 390)


def go_to(page: Page, words: str) -> None:
    """Press Tab until what has the focus says that, or is called so."""
    for _ in range(60):
        press(page, "Tab")
        said = page.run("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
        if str(said).strip() == words:
            return
    raise AssertionError(f"not reached: {words}")


def answer(page: Page, words: str) -> None:
    """Go there and press Enter, and wait until another page is there."""
    go_to(page, words)
    page.run("window.before = true")
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13, text="\r")
    wait_until(lambda: page.run("document.readyState === 'complete' && !window.before"), f"after {words}")
    assert page.run("document.documentElement.scrollWidth") <= 390


def text_of(page: Page) -> str:
    return str(page.run("document.querySelector('main').innerText"))


def title_of(page: Page) -> str:
    return str(page.run("document.querySelector('h1').textContent"))


def test_a_run_is_stopped_and_its_page_says_so(page: Page, going: Path) -> None:
    point = last_point(going)
    assert point is not None
    visit(page, f"runs/{going.name}")
    answer(page, "Stop this run…")
    assert going.name in text_of(page)
    assert "VIRTUAL-pm9e1-1tb-1" in text_of(page)
    answer(page, "Change nothing")
    assert not is_gone(point.process_id)
    answer(page, "Stop this run…")
    answer(page, "Stop the run")
    wait_until(lambda: is_gone(point.process_id), "the run is over")
    found = open_bundle(going)
    assert found.reason is not None
    assert found.reason.id == "lab-by-operator-in-browser"
    visit(page, f"runs/{going.name}/report")
    assert "stopped by the operator, in the browser" in page.run("document.body.textContent")


def test_a_run_of_a_fleet_is_cancelled_and_asked_for_again(page: Page, cluster: Cluster) -> None:
    visit(page, "fleet")
    answer(page, "Cancel run 5…")
    assert title_of(page) == "Cancel run 5 on VD-2?"
    answer(page, "Cancel run 5")
    assert states(cluster.url)[5] is FleetRunState.CANCELLED
    answer(page, "Ask for run 5 again…")
    assert title_of(page) == "Ask for run 5 on VD-2 again?"
    answer(page, "Ask for run 5 again")
    assert states(cluster.url)[5] is FleetRunState.QUEUED
    assert {"fleet-cancel-in-browser", "fleet-retry-in-browser"} <= told_of(cluster, 5)


def told_of(cluster: Cluster, number: int) -> set[str]:
    """What happened to a run, as `ssdlab fleet logs` tells it."""
    with connected(cluster.url) as connection:
        run = records.run_of_number(connection, number)
        assert run is not None
        return {one.told.id for one in records.happenings(connection, run.id)}


def test_a_run_that_began_after_it_was_asked_about_is_not_stopped(page: Page, cluster: Cluster) -> None:
    visit(page, "fleet/runs/6/cancel")
    with connected(cluster.url) as connection:
        run = records.run_of_number(connection, 6)
        assert run is not None
        records.take_up(connection, run.id)
    answer(page, "Cancel run 6")
    assert "run 6 is not as it was" in text_of(page)
    assert states(cluster.url)[6] is FleetRunState.RUNNING
    assert "fleet-cancel-in-browser" not in told_of(cluster, 6)
    # That it was answered with an error is in the browser's console.
    page.problems.clear()


def choose(page: Page, serial: str) -> None:
    """Reach the box of a drive, and check it."""
    for _ in range(60):
        press(page, "Tab")
        if page.run("document.activeElement.value") == serial:
            page.run("document.activeElement.click()")
            return
    raise AssertionError(f"not reached: {serial}")


def test_a_suite_is_submitted_to_the_chosen_drives_alone(page: Page, cluster: Cluster) -> None:
    before = states(cluster.url)
    visit(page, "fleet")
    answer(page, "Submit runs…")
    answer(page, "Go on")
    assert "Choose a suite and one drive or more" in text_of(page)
    assert "VD-4" not in text_of(page), "a drive that may not be tested is not offered"
    page.run("document.getElementById('suite').value = 'fill'")
    choose(page, "VD-3")
    answer(page, "Go on")
    assert title_of(page) == "Submit fill to this drive?"
    assert "VD-3" in text_of(page)
    page.run("document.getElementById('profile').value = 'quick'")
    page.run("document.getElementById('repeat').value = 2")
    answer(page, "Submit")
    (first, second) = sorted(set(states(cluster.url)) - set(before))
    with connected(cluster.url) as connection:
        runs = [records.run_of_number(connection, number) for number in (first, second)]
    assert [(run.serial, run.suite_name, run.profile) for run in runs if run] == [("VD-3", "fill", "quick")] * 2
    assert "fleet-submit-in-browser" in told_of(cluster, first)


def test_a_drive_that_is_no_longer_free_is_not_submitted_to(page: Page, cluster: Cluster) -> None:
    before = states(cluster.url)
    visit(page, "fleet/submit?suite=fill&drive=VD-1&drive=VD-3")
    with connected(cluster.url) as connection:
        connection.execute("UPDATE drive SET standing = 'refused' WHERE serial = 'VD-3'")
    answer(page, "Submit")
    assert "may not be tested any more: VD-3" in text_of(page)
    with connected(cluster.url) as connection:
        connection.execute("UPDATE drive SET standing = 'free' WHERE serial = 'VD-3'")
    assert states(cluster.url) == before
    page.problems.clear()


@pytest.mark.parametrize("query", ["suite=/etc/passwd", "suite=../x.toml", "suite=fill", "suite=nothing"])
def test_only_suites_that_come_with_ssdlab_are_submitted(page: Page, query: str) -> None:
    drive = "" if query == "suite=fill" else "&drive=VD-1"
    visit(page, f"fleet/submit?{query}{drive}")
    assert title_of(page) == "Submit which suite to which drives?"


@needs_axe
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(
    "path", ["fleet", "fleet/runs/4/cancel", "fleet/runs/2/retry", "fleet/submit", "fleet/submit?suite=fill&drive=VD-1"]
)
def test_each_page_of_the_fleet_is_for_all_eyes_and_hands(page: Page, path: str, language: str) -> None:
    visit(page, f"language/{language}")
    visit(page, path)
    assert page.run("document.documentElement.lang") == language
    assert faults_in_both_themes(page, rules_min=10) == []
    assert faults_with_the_keyboard(page) == []
