"""What stands beside a number of a tile or table is there for keys and fingers as well as for the mouse."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import mouse, press, tip, touch
from tests.kit.five_drives import FIVE, shared_run

from ssdlab.message import message
from ssdlab.report.page import write_report

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]
NOTE = message("metric-may-change", drift="7 %")
CELLS = ".summary td[data-tip]"
"""Cells of the comparison that have more to say than their number."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    first, other = (shared_run(name) for name in FIVE[:2])
    # Each with a check of its own that failed, so that each says something else.
    metrics = tuple(replace(one, note=NOTE, failed_checks=(one.name,)) for one in first.metrics)
    path = tmp_path_factory.mktemp("tips") / "report.html"
    write_report([replace(first, metrics=metrics), other], path)
    return path


@pytest.fixture
def page(chromium: Page, report: Path) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.open(report)
    yield chromium
    assert chromium.problems == []


def test_no_words_are_left_to_the_mouse_alone(page: Page) -> None:
    assert page.run("document.querySelectorAll('main [title]').length") == 0
    assert page.run(f"document.querySelectorAll('{CELLS}').length") > 2


def test_the_note_of_a_tile_is_shown_in_focus_and_put_away_by_escape(page: Page) -> None:
    page.run("document.querySelector('.tiles [data-tip]').focus()")
    assert tip(page) == [str(NOTE)]
    assert page.run("document.querySelector('.spoken').textContent") == str(NOTE)
    press(page, "Escape")
    assert tip(page) == []


def test_a_table_is_one_stop_and_arrow_keys_lead_from_number_to_number(page: Page) -> None:
    assert page.run(f"[...document.querySelectorAll('{CELLS}')].filter((one) => one.tabIndex === 0).length") == 1
    page.run(f"document.querySelector('{CELLS}').focus()")
    first = tip(page)
    press(page, "ArrowRight")
    assert tip(page) != first
    assert all("failed " in line for line in (*first, *tip(page)))
    assert page.run(f"[...document.querySelectorAll('{CELLS}')].findIndex((one) => one.tabIndex === 0)") == 1
    press(page, "ArrowLeft")
    assert tip(page) == first


def place_of_first(page: Page) -> tuple[float, float]:
    left, top = page.run(f"""(() => {{
        const cell = document.querySelector('{CELLS}');
        cell.scrollIntoView({{behavior: 'instant', block: 'center'}});
        const box = cell.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    }})()""")
    return left, top


def test_a_finger_and_the_mouse_show_the_same(page: Page) -> None:
    wanted = [page.run(f"document.querySelector('{CELLS}').dataset.tip")]
    place = place_of_first(page)
    touch(page, "touchStart", place)
    assert tip(page) == wanted
    touch(page, "touchEnd")
    mouse(page, "mouseMoved", place)
    assert tip(page) == wanted
    mouse(page, "mouseMoved", (1, 1))
    assert tip(page) == []
