"""The page of five drives in a real browser: complete, light enough to mail, readable on a phone, dark, printed."""

import re
from pathlib import Path

import pytest
from tests.kit.browser import CHROMIUM, ZOOMED, Page
from tests.kit.five_drives import FIVE

from ssdlab.bundle.read import Bundle
from ssdlab.figure.registry import figures_comparing, figures_only_alone
from ssdlab.report.page import write_report

SIZE_MAX_BYTES = 4_000_000


@pytest.fixture(scope="module")
def bundles(five: list[Bundle]) -> list[Bundle]:
    return five


@pytest.fixture(scope="module")
def report(bundles: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "five.html"
    write_report(bundles, path)
    return path


@pytest.fixture(scope="module")
def html(report: Path) -> str:
    return report.read_text(encoding="utf-8")


def test_the_comparison_comes_first_in_the_order_of_a_review(html: str) -> None:
    ids = re.findall(r'<(?:section|figure|article) id="([^"]+)"', html)

    first_run = ids.index("run1")
    # The main figure is on the first screen, and only there.
    assert ids[:2] == ["comparison1-fill-over-bytes", "comparison1"]
    assert [one.removeprefix("comparison1-") for one in ids[2:first_run]] == [
        "fill-over-time",
        "ranking-fill-mean",
        "ranking-fill-slowest",
        "ranking-sync-write-rnd",
        "weighted-rw-ratio-rnd",
        "ranking-rw-ratio-rnd",
        "active-range",
        "reclaim",
    ]
    assert [one for one in ids if re.fullmatch(r"run\d", one)] == [f"run{number}" for number in range(1, 6)]


def test_every_figure_of_the_comparison_and_of_the_drive_under_test_is_there(bundles: list[Bundle], html: str) -> None:
    expected = len(figures_comparing(bundles)) + len(figures_only_alone(bundles[0]))

    assert html.count("<figure ") == expected
    assert html.count('class="picture"') == 2 * expected


def test_all_figures_say_that_models_were_measured_and_quick_is_not_comparable(bundles: list[Bundle]) -> None:
    for figure in figures_comparing(bundles):
        assert "virtual drives" in figure.subtitle[0]
        assert "quick profile: not comparable" in figure.subtitle


def test_every_drive_is_named_in_the_summary(html: str) -> None:
    table = html.partition('<table class="summary"')[2].partition("</table>")[0]

    assert re.findall(r"ssdlab [\w-]+", table)[0] == f"ssdlab {FIVE[0]}"
    assert all(f"ssdlab {name}" in table for name in FIVE)
    assert "under test" in table


def test_every_metric_of_every_run_is_on_the_page(bundles: list[Bundle], html: str) -> None:
    exact = set(re.findall(r'<data value="([^"]+)"', html))
    for bundle in bundles:
        for metric in bundle.metrics:
            if isinstance(metric.value, int | float):
                assert repr(metric.value) in exact, metric.name


def test_the_page_can_be_mailed(report: Path) -> None:
    assert report.stat().st_size < SIZE_MAX_BYTES


def test_nothing_is_fetched(html: str) -> None:
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html) == []


@pytest.fixture
def page(chromium: Page, report: Path) -> Page:
    chromium.problems.clear()
    chromium.requests.clear()
    chromium.open(report)
    chromium.prefer("light")
    return chromium


needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH")


@pytest.mark.browser
@needs_browser
def test_a_browser_has_nothing_to_complain_of(page: Page, report: Path) -> None:
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.run("document.querySelectorAll('.zoom-button').forEach((one) => one.click())")
    page.run(ZOOMED)

    assert page.problems == []
    assert page.requests == [report.as_uri()]
    assert page.run("document.querySelectorAll('.uplot canvas').length") == 5


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize(("width", "shown"), [(1100, "wide"), (375, "narrow")])
def test_nothing_overflows_wide_or_narrow(chromium: Page, report: Path, width: int, shown: str) -> None:
    chromium.open(report, width)
    chromium.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")

    assert chromium.run("document.documentElement.scrollWidth") <= width
    visible = (
        "[...new Set([...document.querySelectorAll('.still')].filter((one) => one.offsetWidth > 0)"
        ".map((one) => one.className))]"
    )
    assert chromium.run(visible) == [f"still {shown}"]


@pytest.mark.browser
@needs_browser
def test_colours_of_drives_are_those_of_a_dark_page(page: Page) -> None:
    bar = "getComputedStyle(document.querySelector('#comparison1-ranking-fill-mean path[role=img]')).fill"
    light = page.run(bar)

    page.prefer("dark")

    assert page.run(bar) != light


@pytest.mark.browser
@needs_browser
def test_bars_can_be_reached_with_the_keyboard(page: Page) -> None:
    page.run("document.querySelector('#comparison1-ranking-fill-mean .wide path[tabindex]').focus()")

    assert re.fullmatch(r"ssdlab [\w-]+: [\d,.]+ MiB/s", page.run("document.querySelector('.tip').textContent"))


@pytest.mark.browser
@needs_browser
def test_printed_are_numbers_and_figures_and_not_what_is_behind_them(page: Page) -> None:
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert page.run("document.querySelector('details.fold table').getBoundingClientRect().height") > 50
        assert page.run("document.querySelector('details.data').getBoundingClientRect().height") == 0
    finally:
        page.call("Emulation.setEmulatedMedia", media="")
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.browser
@needs_browser
def test_one_drive_takes_twelve_pages_and_one_of_audit(chromium: Page, bundles: list[Bundle], tmp_path: Path) -> None:
    write_report(bundles[:1], tmp_path / "one.html")
    chromium.open(tmp_path / "one.html")

    assert len(re.findall(rb"/Type\s*/Page\b", chromium.pdf())) <= 13
