"""The page in a real browser: nothing on the console, nothing from the network, drawn in light and dark."""

from pathlib import Path

import numpy as np
import pytest
from tests.kit.browser import CHROMIUM, ZOOMED, Page
from tests.kit.sample_bundle import run_info, series_of, write_one_pass, write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.report.page import write_report

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]

PAPER = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(254, 254, 254)", "rgb(22, 24, 28)"
INKED_PIXELS = """
(() => {
  const canvas = document.querySelector('.uplot canvas');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0 && data[i + 2] > data[i] + 60) count += 1;
  return count;
})()
"""
"""Bluish pixels, as only the line of the first pass has them."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report")
    write_report([open_bundle(write_whole(directory / "run"))], directory / "report.html")
    return directory / "report.html"


@pytest.fixture
def page(chromium: Page, report: Path) -> Page:
    chromium.problems.clear()
    chromium.requests.clear()
    chromium.open(report)
    chromium.prefer("light")
    return chromium


def test_the_page_asks_for_nothing_but_itself(page: Page, report: Path) -> None:
    page.run("document.querySelectorAll('.zoom-button').forEach((one) => one.click())")
    page.run(ZOOMED)

    assert page.requests == [report.as_uri()]
    assert page.problems == []


def test_the_long_series_is_drawn_when_asked_for(page: Page) -> None:
    assert page.run("document.querySelectorAll('.uplot').length") == 0

    page.run("document.querySelector('.zoom-button').click()")
    page.run(ZOOMED)

    assert page.run("document.querySelectorAll('.uplot canvas').length") == 1
    assert page.run(INKED_PIXELS) > 500
    assert page.problems == []


def test_the_long_series_can_be_zoomed_with_the_keyboard(page: Page) -> None:
    page.run("document.querySelector('.zoom-button').click()")
    page.run(ZOOMED)
    before = page.run(INKED_PIXELS)
    press = "document.querySelector('.zoom').dispatchEvent(new KeyboardEvent('keydown', {{key: '{}', bubbles: true}}))"
    settled = "new Promise((done) => setTimeout(done, 100))"

    page.run(press.format("+"))
    page.run(settled)
    zoomed = page.run(INKED_PIXELS)
    page.run(press.format("0"))
    page.run(settled)

    assert zoomed != before
    assert page.run(INKED_PIXELS) == before


def test_the_page_follows_the_preference_for_dark(page: Page) -> None:
    assert page.run(PAPER) == LIGHT

    page.prefer("dark")

    assert page.run(PAPER) == DARK
    text = "getComputedStyle(document.querySelector('.picture text')).fill"
    assert page.run(text) == "rgb(232, 232, 232)"


def test_the_button_overrules_the_preference(page: Page) -> None:
    page.run("document.getElementById('theme').click()")
    assert page.run(PAPER) == DARK

    page.run("document.getElementById('theme').click()")
    assert page.run(PAPER) == LIGHT


def test_focus_on_a_key_value_shows_its_words(page: Page) -> None:
    page.run("document.querySelector('.wide .picture path[tabindex]').focus()")

    assert page.run("document.querySelector('.tip').textContent") == "pass 1: the cache ends after 233 GiB"
    assert page.run("document.querySelector('.tip').hidden") is False


@pytest.mark.parametrize(("width", "shown"), [(1100, "wide"), (375, "narrow")])
def test_one_picture_fits_the_screen_and_nothing_overflows(
    chromium: Page, report: Path, width: int, shown: str
) -> None:
    chromium.open(report, width)

    visible = (
        "[...document.querySelectorAll('.still')].filter((one) => one.offsetWidth > 0).map((one) => one.className)"
    )
    assert chromium.run(visible) == [f"still {shown}"] * 3
    assert chromium.run("document.documentElement.scrollWidth") <= width


def test_without_script_pictures_and_tables_are_there(page: Page, report: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(report)
        shown = page.call("Page.captureSnapshot")["data"].replace("=\r\n", "")
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)

    assert 'class=3D"picture"' in shown
    assert 'uplot">' not in shown.partition("</style>")[2]


def test_printed_pictures_are_vectors_in_light_colours(page: Page) -> None:
    page.prefer("dark")
    page.run("document.querySelector('.zoom-button').click()")
    page.run(ZOOMED)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert page.run(PAPER) == LIGHT
        assert page.run("document.querySelector('.zoom').offsetHeight") == 0
        assert page.run("document.querySelector('.still.wide').offsetHeight") > 300
    finally:
        page.call("Emulation.setEmulatedMedia", media="")
    pdf = page.pdf()
    assert pdf.startswith(b"%PDF")
    assert b"/Subtype /Image" not in pdf


KEEP_PLOTS = """
(() => {
  const make = uPlot;
  window.plots = [];
  uPlot = Object.assign(function (...all) { const plot = new make(...all); plots.push(plot); return plot; }, make);
})()
"""
WINDOWS = 30_000
STANDSTILL = 20_000


@pytest.fixture(scope="module")
def long_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 50 minutes, of which one window stood still."""
    directory = tmp_path_factory.mktemp("long")
    bandwidth = np.random.default_rng(1).uniform(4e8, 5e8, WINDOWS)
    bandwidth[STANDSTILL] = 1e6
    latency = np.full(WINDOWS, 4e6)
    bundle = write_one_pass(directory / "run", series_of(bandwidth, latency, latency), run_info(1_400_000_000_000))
    write_report([open_bundle(bundle)], directory / "report.html")
    return directory / "report.html"


@pytest.fixture
def zoomed(chromium: Page, long_report: Path) -> Page:
    chromium.open(long_report)
    chromium.run(KEEP_PLOTS)
    chromium.run("document.querySelector('#run1-bandwidth-over-time + .more .zoom-button').click()")
    chromium.run(ZOOMED)
    return chromium


def view(page: Page, begin_s: float, end_s: float) -> list[float | None]:
    """What is drawn between two moments, in MiB/s."""
    page.run(f"plots[0].setScale('x', {{min: {begin_s}, max: {end_s}}})")
    page.run("new Promise((done) => setTimeout(done, 50))")
    drawn = page.run("[Array.from(plots[0].data[0]), Array.from(plots[0].data[1])]")
    return [y for x, y in zip(*drawn, strict=True) if begin_s <= x <= end_s]


def test_a_view_of_all_has_two_points_a_pixel_and_the_shortest_dip(zoomed: Page) -> None:
    scale = zoomed.run("plots[0].scales.x.max")
    drawn = view(zoomed, 0, scale)

    assert 1_000 < len(drawn) <= 2 * 1_100 + 2
    assert min(one for one in drawn if one is not None) == pytest.approx(1e6 / 2**20, rel=1e-3)


def test_a_closer_view_has_every_window(zoomed: Page) -> None:
    minutes = zoomed.run("plots[0].axes[0].label").endswith("(min)")
    begin = STANDSTILL / 10 / (60 if minutes else 1)
    width = 10 / (60 if minutes else 1)

    drawn = view(zoomed, begin - width, begin + width)

    assert 198 <= len(drawn) <= 202
    assert min(one for one in drawn if one is not None) == pytest.approx(1e6 / 2**20, rel=1e-3)


def test_all_is_there_again_after_a_closer_view(zoomed: Page) -> None:
    whole = zoomed.run("[plots[0].scales.x.min, plots[0].scales.x.max]")
    press = "document.querySelector('.zoom').dispatchEvent(new KeyboardEvent('keydown', {{key: '{}', bubbles: true}}))"

    view(zoomed, whole[1] / 3, whole[1] / 2)
    zoomed.run(press.format("0").replace("'.zoom'", "'#run1-bandwidth-over-time .zoom'"))
    zoomed.run("new Promise((done) => setTimeout(done, 50))")

    assert zoomed.run("[plots[0].scales.x.min, plots[0].scales.x.max]") == whole
    assert zoomed.problems == []
