"""The page of a fleet in a real browser: what waits and why, as it changes, and while its database is away."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest
from tests.kit.axe import faults_on, needs_axe
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import press
from tests.kit.postgres import Cluster, postgres_programs
from tests.kit.processes import wait_until
from tests.kit.shown_fleet import fill, fleet_database
from tests.kit.web_lab import served

from ssdlab.fleet import records
from ssdlab.fleet.database import connected
from ssdlab.fleet.records import FleetRunState
from ssdlab.fleet.seen import look_at
from ssdlab.message import message

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
def address(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("web") / "lab", "--database", cluster.url) as address:
        yield address


@pytest.fixture
def page(chromium: Page, address: str) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.visit(address)
    chromium.prefer("light")
    yield chromium
    assert chromium.problems == []
    chromium.visit("about:blank")


@contextmanager
def gone(cluster: Cluster) -> Iterator[None]:
    cluster.stop("immediate")
    try:
        yield
    finally:
        cluster.start()


def visit_fleet(page: Page, width: int = 1100) -> None:
    page.visit(page.run("document.querySelector('nav a[href$=\"/fleet\"]').href"), width)


def text_of(page: Page, part: str) -> str:
    return str(page.run(f"document.getElementById('{part}').textContent"))


def row_of(page: Page, number: int) -> str:
    found = "[...document.querySelectorAll('.fleet tr')].find((row) => row.querySelector('th').textContent === '{}')"
    return str(page.run(f"{found.format(number)}?.textContent ?? ''"))


def test_the_queue_says_what_waits_and_for_what(page: Page) -> None:
    visit_fleet(page)
    assert "2 of 5" in row_of(page, 3)
    assert "run 3, which is at its drive" in row_of(page, 4)
    assert "takes it up next" in row_of(page, 5)
    assert "silent since" in row_of(page, 6)
    assert "does not allow VD-2" in row_of(page, 2)
    assert "Model <One>" in text_of(page, "part-drives")


def test_a_run_that_goes_on_is_followed(page: Page, cluster: Cluster) -> None:
    visit_fleet(page)
    with connected(cluster.url) as connection:
        records.set_progress(connection, UUID(int=103), 3, 5)
    wait_until(lambda: "3 of 5" in row_of(page, 3), "the progress is shown")
    with connected(cluster.url) as connection:
        records.set_state(connection, UUID(int=106), FleetRunState.FAILED, message("fleet-no-bundle"))
    wait_until(lambda: "has no bundle" in text_of(page, "part-over"), "the failed run is among those that are over")


def test_an_outage_of_the_database_is_told_and_the_rest_stays(page: Page, cluster: Cluster) -> None:
    visit_fleet(page)
    with gone(cluster):
        wait_until(lambda: "cannot be looked at" in text_of(page, "part-trouble"), "the outage is told")
        assert "VD-1" in text_of(page, "part-drives")
        page.visit(page.run("document.querySelector('nav a').href"))
        assert text_of(page, "running") == "Running now"
        visit_fleet(page)
        assert "All below is as it was at" in text_of(page, "part-trouble")
    wait_until(lambda: text_of(page, "part-trouble").strip() == "", "the end of the outage is told")


def test_the_page_speaks_korean_and_is_no_wider_than_a_telephone(page: Page) -> None:
    page.visit(page.run("document.querySelector('a[lang=ko]').href"))
    visit_fleet(page, 390)
    assert text_of(page, "queue") == "대기열"
    assert page.run("document.documentElement.scrollWidth") <= 390
    page.visit(page.run("document.querySelector('a[lang=en]').href"))


def test_all_tables_are_reached_with_the_keyboard_and_keep_the_focus(page: Page, cluster: Cluster) -> None:
    visit_fleet(page, 390)
    reached: list[str] = []
    while len(reached) < 20 and "drives" not in reached:
        press(page, "Tab")
        reached.append(page.run("document.activeElement.getAttribute('aria-labelledby') ?? ''"))
    assert [one for one in reached if one] == ["queue", "over-runs", "hosts", "drives"]
    with connected(cluster.url) as connection:
        connection.execute("UPDATE drive SET temperature_c = 47")
    wait_until(lambda: "47 °C" in text_of(page, "part-drives"), "the drives are looked at again")
    assert page.run("document.activeElement.getAttribute('aria-labelledby')") == "drives"


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(page: Page, scheme: str) -> None:
    visit_fleet(page)
    page.prefer(scheme)
    assert faults_on(page, rules_min=15) == []


def test_a_look_is_of_one_moment_though_runs_end_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    with fleet_database() as cluster:
        fill(cluster.url)
        over_runs = records.over_runs

        def another_ends(connection: records.Database, count_max: int) -> tuple[records.FleetRun, ...]:
            with connected(cluster.url) as other:
                records.set_state(other, records.open_runs(other, 1)[0].id, FleetRunState.DONE, message("fleet-over"))
            return over_runs(connection, count_max)

        monkeypatch.setattr(records, "over_runs", another_ends)
        with connected(cluster.url) as connection:
            seen = look_at(connection)
    assert seen.open_count == len(seen.open) == 4
    assert len(seen.over) == 2
