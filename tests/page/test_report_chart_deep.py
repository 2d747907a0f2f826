"""Charts zoomed as far as it goes: lines and marks stay in view, and no step leads back to the whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import SPEED, drag, ends, give_lines, plot_place, press, settle, view
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.report.page import write_report

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]
SCALE = "(() => { const {min, max} = window.plots.at(-1).scales.y; return [min, max]; })()"
KEEP_PLOTS = """(() => {
    const make = uPlot;
    window.plots = [];
    uPlot = Object.assign(function (...all) { const plot = new make(...all); plots.push(plot); return plot; }, make);
})()"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("deep")
    write_report([open_bundle(write_whole(directory / "run"))], directory / "alone.html")
    return directory / "alone.html"


@pytest.fixture
def page(chromium: Page, alone: Path) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.open(alone)
    chromium.run(KEEP_PLOTS)
    yield chromium
    assert chromium.problems == []


def zoom_to(page: Page, zoom: str, scale: str) -> None:
    page.run(f"location.hash = '{SPEED}&zoom={zoom}&scale={scale}'")
    settle(page)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_between_two_points_the_lines_are_in_view(page: Page, scale: str) -> None:
    lines = page.run(f"JSON.parse(document.querySelector('{SPEED} .chart-data').textContent).series.length")
    give_lines(page, SPEED, *[1000.0] * lines)
    zoom_to(page, "500.2_500.8", scale)

    assert ends(view(page)["zoom"]) == pytest.approx((500.2, 500.8))
    low, high = page.run(SCALE)
    assert low <= 100
    assert 100 * lines < high < 200 * lines


def test_the_axis_reaches_to_where_a_line_leaves_the_view(page: Page) -> None:
    """One point of 100 in view, its neighbours of 1,100 just beyond: the line leaves the view at 600."""
    page.run(f"""(() => {{
        const figure = document.querySelector('{SPEED}');
        const count = JSON.parse(figure.querySelector('.chart-data').textContent).series.length;
        figure.unpacked = Array.from({{length: count}}, () => ({{
            x: Float32Array.from({{length: 101}}, (_, at) => at), y: Float64Array.from({{length: 101}}, (_, at) => (at % 2 ? 1100 : 100)),
        }}));
        figure.lines = Promise.resolve(figure.unpacked);
    }})()""")
    zoom_to(page, "49.5_50.5", "linear")

    low, high = page.run(SCALE)
    assert (low, high) == pytest.approx((0, 600 * 1.05))


def test_a_stretch_too_short_to_be_told_apart_shows_the_least_that_can(page: Page) -> None:
    zoom_to(page, "100_100.0000001", "linear")

    whole = page.run(f"document.querySelector('{SPEED}').whole")
    low, high = page.run(f"document.querySelector('{SPEED}').view.x")
    assert high - low == pytest.approx(1e-6 * (whole[1] - whole[0]), rel=1e-3)
    assert low <= 100 <= high


def test_a_hairs_breadth_drawn_over_again_and_again_never_shows_the_whole(page: Page) -> None:
    zoom_to(page, "all", "linear")
    for _ in range(6):
        drag(page, plot_place(page, SPEED, 0.5), plot_place(page, SPEED, 0.51))
        assert view(page)["zoom"] != "all"


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_stretching_the_values_without_end_never_shows_them_all(page: Page, scale: str) -> None:
    zoom_to(page, "all", scale)
    page.run(f"document.querySelector('{SPEED} .zoom').focus()")
    press(page, "ArrowUp")
    before = ends(view(page)["y"])
    for _ in range(30):
        press(page, "ArrowUp")
    after = ends(view(page)["y"])
    assert before[0] <= after[0] < after[1] <= before[1]


def test_a_level_is_drawn_no_longer_than_the_plot(page: Page) -> None:
    """A canvas draws no dashes on a line that is a million of them long."""
    levels = f"""[...document.querySelector('{SPEED}').placed].filter(({{kind}}) => kind === 'level')
        .map(({{left, right}}) => right - left)"""
    zoom_to(page, "all", "linear")
    assert page.run(levels)
    begin = page.run(
        f"JSON.parse(document.querySelector('{SPEED} .chart-data').textContent).marks.find((one) => one.x2 > one.x).x"
    )
    zoom_to(page, f"{begin + 1}_{begin + 1.001}", "linear")

    width = page.run(f"document.querySelector('{SPEED} .u-over').clientWidth * devicePixelRatio")
    lengths = page.run(levels)
    assert lengths
    assert max(lengths) <= width + 40
