"""Every page of the lab, as those need it who cannot see it, use no mouse or have a telephone: in both languages and both themes.

The pages of a fleet are looked at the same way in `test_web_control.py`, where there is one.
"""

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.kit.axe import TELEPHONE_PX, faults_in_both_themes, faults_with_the_keyboard, needs_axe
from tests.kit.browser import CHROMIUM, Page
from tests.kit.small_bundle import write_small
from tests.kit.web_lab import GoingRun, served

pytestmark = [
    pytest.mark.browser,
    needs_axe,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]

GOING, STOPPED, DONE = "20260103T000000Z-fill-going", "20260102T000000Z-fill-stopped", "20260101T000000Z-fill-done"
PAGES = {
    "bench": "",
    "library": "library",
    "none chosen": "library?few",
    "a run that goes on": f"runs/{GOING}",
    "one that was asked to stop": f"runs/{GOING}?asked",
    "whether to stop it": f"runs/{GOING}/stop",
    "one that does not go on": f"runs/{STOPPED}",
    "nothing there": "runs/nothing",
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    lab = tmp_path_factory.mktemp("web") / "lab"
    write_small(lab / "runs" / DONE)
    with closing(GoingRun(lab / "runs" / STOPPED)) as stopped:
        stopped.point()
    (lab / "runs" / "20260104T000000Z-broken").mkdir()
    with closing(GoingRun(lab / "runs" / GOING)) as going, served(lab, "--control") as address:
        going.point()
        going.pass_over()
        going.point()
        yield address


@pytest.fixture(params=["en", "ko"])
def page(request: pytest.FixtureRequest, chromium: Page, address: str) -> Iterator[Page]:
    chromium.visit(address, TELEPHONE_PX)
    visit(chromium, f"language/{request.param}")
    assert chromium.run("document.documentElement.lang") == request.param
    chromium.problems.clear()
    yield chromium
    chromium.prefer("light")
    # Others see their pages in English.
    chromium.call("Network.clearBrowserCookies")
    chromium.visit("about:blank")


def visit(page: Page, path: str) -> None:
    root = page.run("location.pathname.split('/')[1]")
    page.visit(f"{page.run('location.origin')}/{root}/{path}", TELEPHONE_PX)


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES.keys())
def test_each_page_is_for_all_eyes_and_hands(page: Page, path: str) -> None:
    visit(page, path)
    assert faults_in_both_themes(page, rules_min=10) == []
    assert faults_with_the_keyboard(page) == []


def test_the_judge_would_see_what_no_key_leads_to_and_what_is_too_wide(page: Page) -> None:
    visit(page, "")
    page.run("document.querySelector('nav a').tabIndex = -1; document.querySelector('main').style.width = '700px'; 0")
    assert "px wide" in str(faults_in_both_themes(page, rules_min=10))
    assert "href" in faults_with_the_keyboard(page)[0]
