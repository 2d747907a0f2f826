"""Figures of a page used with mouse, keyboard and touch: values read, drives set apart, views zoomed, shared and saved."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.chart_page import (
    FADED,
    FRAMES,
    OVER_TIME,
    SPEED,
    drag,
    ends,
    give_lines,
    mouse,
    plot_place,
    press,
    saved,
    settle,
    tip,
    touch,
    view,
    zoom_with_button,
)
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.registry import figures_for
from ssdlab.report.figure_csv import sheets
from ssdlab.report.page import write_report
from ssdlab.report.png import SIGNATURE
from ssdlab.units import format_quantity_short

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("chart") / "run")


@pytest.fixture(scope="module")
def alone(run: Path) -> Path:
    write_report([open_bundle(run)], run.parent / "alone.html")
    return run.parent / "alone.html"


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chart") / "compared.html"
    write_report([shared_run(name) for name in FIVE[:2]], path)
    return path


@pytest.fixture
def page(chromium: Page, alone: Path) -> Iterator[Page]:
    yield from _opened(chromium, alone)


@pytest.fixture
def both(chromium: Page, compared: Path) -> Iterator[Page]:
    yield from _opened(chromium, compared)


def _opened(chromium: Page, path: Path) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.open(path)
    chromium.prefer("light")
    yield chromium
    assert chromium.problems == []


@pytest.fixture(scope="module")
def series(run: Path) -> list[tuple[str, float, float]]:
    """Line, place and value of every row of the file with the series of the figure."""
    figure = next(one for one in figures_for(open_bundle(run)) if one.name == "bandwidth-over-bytes")
    text = dict(sheets(figure))["bandwidth-over-bytes-series"]
    return [(line, float(x), float(y)) for line, x, y in list(csv.reader(io.StringIO(text)))[1:]]


def assert_read(lines: list[str], series: list[tuple[str, float, float]]) -> None:
    """The values beside the pointer are those of the file, of the window that is nearest."""
    place = float(lines[0].rpartition(": ")[2].replace(",", ""))
    values = dict(line.rsplit(": ", 1) for line in lines[1:-1])
    assert set(values) == {line for line, _, _ in series}
    for name, shown in values.items():
        # The place is shown with four digits, so it may be told from two windows only.
        near = sorted((abs(x - place), y) for line, x, y in series if line == name)[:2]
        assert any(abs(float(shown.replace(",", "")) - y) <= 0.0007 * y for _, y in near), (name, shown, near)


def test_the_pointer_reads_the_values_of_the_file(page: Page, series: list[tuple[str, float, float]]) -> None:
    mouse(page, "mouseMoved", plot_place(page, SPEED, 0.7, 0.9))
    settle(page)

    assert_read(tip(page), series)


def test_arrow_keys_read_along_the_axis_and_say_it(page: Page, series: list[tuple[str, float, float]]) -> None:
    page.run(f"document.querySelector('{SPEED} .wide .picture').focus()")
    for _ in range(3):
        press(page, "ArrowRight")

    assert_read(tip(page), series)
    assert page.run("document.querySelector('.spoken').textContent") == "; ".join(tip(page))


def test_a_finger_reads_the_values_of_the_file(
    chromium: Page, alone: Path, series: list[tuple[str, float, float]]
) -> None:
    chromium.open(alone, 390)
    place = plot_place(chromium, SPEED, 0.6, 0.9)
    touch(chromium, "touchStart", place)
    settle(chromium)
    lines = tip(chromium)
    touch(chromium, "touchEnd")

    assert_read(lines, series)


def test_the_same_place_is_shown_in_all_figures_with_that_axis(page: Page) -> None:
    mouse(page, "mouseMoved", plot_place(page, "#run1-bandwidth-over-time", 0.4, 0.9))
    settle(page)

    crossed = "[...new Set([...document.querySelectorAll('.wide .cross')].map((one) => one.closest('figure').id))]"
    assert page.run(crossed) == ["run1-bandwidth-over-time", "run1-latency-over-time"]

    zoom_with_button(page, "#run1-latency-over-time")
    mouse(page, "mouseMoved", plot_place(page, "#run1-bandwidth-over-time", 0.5, 0.9))
    settle(page)
    at = page.run("document.querySelector('#run1-latency-over-time .u-cursor-x').style.transform")
    assert float(re.findall(r"[\d.]+", at)[0]) > 100


def test_a_figure_is_one_stop_and_arrows_lead_from_mark_to_mark(page: Page) -> None:
    stops = f"[...document.querySelectorAll('{SPEED} [tabindex=\"0\"]')].filter((one) => one.checkVisibility())"
    assert page.run(f"{stops}.length") == 1

    page.run(f"document.querySelector('{SPEED} .wide .picture').focus()")
    press(page, "ArrowDown")
    first = tip(page)
    press(page, "ArrowDown")
    assert first[0].startswith("pass 1: ")
    assert tip(page) != first

    press(page, "Escape")
    assert page.run("document.activeElement.classList.contains('picture')") is True


def test_the_buttons_of_a_figure_are_one_stop(page: Page) -> None:
    buttons = f"[...document.querySelectorAll('{SPEED} + .more .tools button')]"
    assert page.run(f"{buttons}.filter((one) => one.tabIndex === 0).length") == 1

    page.run(f"{buttons}[0].focus()")
    press(page, "ArrowRight")

    assert page.run("document.activeElement.textContent") == "Over time"
    assert page.run(f"{buttons}.filter((one) => one.tabIndex === 0).length") == 1


def test_the_mouse_draws_over_what_to_zoom_into(page: Page) -> None:
    whole = page.run(f"JSON.parse(document.querySelector('{SPEED} .wide .picture').dataset.plots)[0].x.high")
    drag(page, plot_place(page, SPEED, 0.2), plot_place(page, SPEED, 0.5))

    low, high = ends(view(page)["zoom"])
    assert (low / whole, high / whole) == pytest.approx((0.2, 0.5), abs=0.01)

    # Again in the zoomed chart: half of it across, and half of it up.
    drag(page, plot_place(page, SPEED, 0.25, 0.25), plot_place(page, SPEED, 0.75, 0.75))
    closer = ends(view(page)["zoom"])
    assert closer[1] - closer[0] == pytest.approx((high - low) / 2, rel=0.05)
    assert "y" in view(page)

    place = plot_place(page, SPEED, 0.5)
    for count in (1, 2):
        mouse(page, "mousePressed", place, button="left", clickCount=count)
        mouse(page, "mouseReleased", place, button="left", clickCount=count)
    settle(page)
    assert view(page)["zoom"] == "all"


def test_the_wheel_zooms_with_ctrl_and_else_scrolls(page: Page) -> None:
    place = plot_place(page, SPEED, 0.5)
    mouse(page, "mouseWheel", place, deltaX=0, deltaY=-120)
    settle(page)
    assert page.run("document.querySelectorAll('.zoomed').length") == 0

    place = plot_place(page, SPEED, 0.5)
    mouse(page, "mouseWheel", place, deltaX=0, deltaY=-120, modifiers=2)
    settle(page)
    low, high = ends(view(page)["zoom"])

    mouse(page, "mouseWheel", plot_place(page, SPEED, 0.5), deltaX=0, deltaY=-120, modifiers=2)
    settle(page)
    closer = ends(view(page)["zoom"])
    assert low < closer[0] < closer[1] < high


def test_keys_zoom_move_and_stretch_and_lead_back(page: Page) -> None:
    page.run(f"document.querySelector('{SPEED} .wide .picture').focus()")
    press(page, "+")
    first = ends(view(page)["zoom"])
    press(page, "+")
    closer = ends(view(page)["zoom"])
    press(page, "ArrowRight")
    moved = ends(view(page)["zoom"])
    press(page, "ArrowUp")

    assert closer[1] - closer[0] == pytest.approx((first[1] - first[0]) / 2, rel=1e-3)
    assert moved[0] - closer[0] == pytest.approx((closer[1] - closer[0]) / 4, rel=1e-3)
    assert ends(view(page)["y"])[0] == pytest.approx(0, abs=1e-6)

    press(page, "l")
    assert view(page)["scale"] == "log"
    press(page, "0")
    assert view(page)["zoom"] == "all"
    press(page, "Escape")
    assert page.run("document.querySelectorAll('.zoomed').length") == 0
    assert page.run("document.activeElement.classList.contains('picture')") is True


def test_two_fingers_zoom_and_one_moves(chromium: Page, alone: Path) -> None:
    chromium.open(alone, 390)
    zoom_with_button(chromium)
    places = [plot_place(chromium, SPEED, share) for share in (0.1, 0.4, 0.6, 0.9)]
    whole = chromium.run(f"document.querySelector('{SPEED}').whole")
    touch(chromium, "touchStart", places[1], places[2])
    touch(chromium, "touchMove", places[0], places[3])
    touch(chromium, "touchEnd")
    settle(chromium)

    low, high = ends(view(chromium)["zoom"])
    assert high - low < 0.5 * (whole[1] - whole[0])

    places = [plot_place(chromium, SPEED, share) for share in (0.2, 0.7)]
    touch(chromium, "touchStart", places[0])
    touch(chromium, "touchMove", places[1])
    touch(chromium, "touchEnd")
    settle(chromium)
    moved = ends(view(chromium)["zoom"])
    assert moved[0] < low
    assert moved[1] - moved[0] == pytest.approx(high - low, rel=1e-3)


def test_marks_stay_where_they_are_in_view(page: Page) -> None:
    zoom_with_button(page)
    marks = page.run(f"document.querySelector('{SPEED}').marks")
    described = page.run(
        f"[...document.querySelectorAll('{SPEED} .wide [role=img]')].map((one) => one.getAttribute('aria-label'))"
    )
    assert marks
    assert set(marks) == set(described)

    # The end of the cache of pass 1 is left of the right half.
    whole = page.run(f"document.querySelector('{SPEED}').whole")
    page.run(f"location.hash = '{SPEED}&zoom={whole[1] * 0.6}_{whole[1] * 0.9}&scale=linear'")
    settle(page)
    assert set(page.run(f"document.querySelector('{SPEED}').marks")) < set(marks)


def test_a_link_leads_to_the_figure_as_it_was_shown(page: Page, alone: Path) -> None:
    page.call("Page.navigate", url=f"{alone.as_uri()}?again{SPEED}&zoom=100_200&scale=log")
    page.run("new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', done)))")
    settle(page)

    assert page.run("document.querySelector('.zoomed').id") == SPEED.removeprefix("#")
    assert ends(view(page)["zoom"]) == (100, 200)
    assert view(page)["scale"] == "log"
    assert page.run(f"document.querySelector('{SPEED} + .more .log-button').getAttribute('aria-pressed')") == "true"


@pytest.mark.parametrize("address", ["#%", "#run1&zoom=all", "#theme&zoom=1_2"])
def test_an_address_of_no_figure_leaves_the_page_working(page: Page, alone: Path, address: str) -> None:
    page.call("Page.navigate", url=f"{alone.as_uri()}?other{address}")
    page.run("new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', done)))")
    page.run("document.getElementById('theme').click()")

    assert page.run("document.documentElement.dataset.theme") == "dark"
    assert page.run("document.querySelectorAll('.zoomed').length") == 0


def test_the_saved_table_has_the_rows_of_the_file(page: Page, series: list[tuple[str, float, float]]) -> None:
    rows = list(csv.reader(io.StringIO(saved(page, "csv").decode())))[1:]

    assert [row[0] for row in rows] == [line for line, _, _ in series]
    assert [float(row[1]) for row in rows] == pytest.approx([x for _, x, _ in series], rel=1e-6)
    assert [float(row[2]) for row in rows] == [float(f"{y:.5g}") for _, _, y in series]


def test_the_saved_picture_stands_alone(page: Page) -> None:
    page.prefer("dark")
    picture = saved(page, "svg").decode()

    ET.fromstring(picture)  # noqa: S314 - our own page wrote it
    assert "var(" not in picture
    assert "#0072b2" in picture

    assert saved(page, "png").startswith(SIGNATURE)
    zoom_with_button(page)
    assert saved(page, "png").startswith(SIGNATURE)


def test_a_drive_is_taken_out_of_all_figures_and_put_back(both: Page) -> None:
    buttons = "document.querySelectorAll('.shown-drives button')"
    assert both.run(f"[...{buttons}].map((one) => one.textContent)") == [f"ssdlab {name}" for name in FIVE[:2]]
    both.run(f"{buttons}[1].click()")
    both.run("document.activeElement.blur()")

    assert len(both.run(FADED.format(slot=2))) > 5
    assert all(both.run(FADED.format(slot=2)))
    assert not any(both.run(FADED.format(slot=1)))
    assert both.run(f"{buttons}[1].getAttribute('aria-pressed')") == "false"
    assert both.run("location.hash") == "#&without=2"

    zoom_with_button(both, "#comparison1-fill-over-bytes")
    rows = "[...document.querySelectorAll('#comparison1-fill-over-bytes .u-series')].filter((one) => !one.classList.contains('u-off')).map((one) => one.innerText)"
    assert not any("qlc" in row for row in both.run(rows))
    both.run(f"{buttons}[1].click()")
    settle(both)
    assert any("qlc" in row for row in both.run(rows))


def test_a_drive_under_the_pointer_or_in_focus_is_set_off(both: Page) -> None:
    before = [both.run(FADED.format(slot=slot)) for slot in (1, 2)]
    both.run("document.querySelectorAll('.shown-drives button')[0].focus()")
    assert both.run(FADED.format(slot=1)) == before[0]
    assert all(both.run(FADED.format(slot=2)))

    both.run("document.activeElement.blur()")
    assert [both.run(FADED.format(slot=slot)) for slot in (1, 2)] == before
    assert not all(before[1])


def test_a_chart_begins_with_the_scale_of_its_picture(both: Page) -> None:
    zoom_with_button(both, "#comparison1-fill-over-bytes")

    assert view(both)["scale"] == "log"


def test_the_figure_over_time_takes_the_place_of_that_over_bytes_and_back(page: Page) -> None:
    figures = "[...document.querySelectorAll('figure')].map((one) => one.id)"
    before = page.run(figures)
    swapped = [{"bytes": "time", "time": "bytes"}.get(one.rpartition("-")[2], "") for one in before[:2]]

    page.run(f"document.querySelector('{SPEED} + .more [value=axis]').click()")
    assert page.run(figures)[:2] == [f"run1-bandwidth-over-{end}" for end in swapped]
    assert page.run("document.activeElement.textContent") == "Over bytes"
    assert page.run("document.activeElement.closest('.more').previousElementSibling.id") == "run1-bandwidth-over-time"

    page.run("document.activeElement.click()")
    assert page.run(figures) == before


def test_speeds_of_the_table_are_shown_in_decimal_units_and_back(both: Page) -> None:
    cells = "[...document.querySelectorAll('.summary td.number')].map((one) => one.innerText)"
    exact = "[...document.querySelectorAll('.summary data')].map((one) => [one.innerText, Number(one.value)])"
    before = both.run(cells)
    assert any("MiB/s" in cell for cell in before)

    both.run("document.querySelector('.units').click()")
    assert not any("MiB/s" in cell for cell in both.run(cells))
    speeds = [(text, value) for text, value in both.run(exact) if text.endswith(" MB/s")]
    assert speeds
    for text, value in speeds:
        assert text in decimal_texts(value)

    both.run("document.querySelector('.units').click()")
    assert both.run(cells) == before


def decimal_texts(bytes_per_s: float) -> list[str]:
    """A speed in decimal units with the digits that its own interval allows, of each run that has that value."""
    metrics = [metric for name in FIVE[:2] for metric in shared_run(name).metrics if metric.value == bytes_per_s]
    ends_mb = [[None if end is None else end / 1e6 for end in (metric.low, metric.high)] for metric in metrics]
    return [format_quantity_short(bytes_per_s / 1e6, "MB/s", low, high) for low, high in ends_mb]


def test_contents_stay_in_sight_beside_a_wide_page(chromium: Page, compared: Path) -> None:
    chromium.open(compared, 1920)
    chromium.run("scrollTo({top: 5000, behavior: 'instant'})")
    box = chromium.run(
        "(() => { const {top, right} = document.querySelector('main>nav').getBoundingClientRect(); return [top, right]; })()"
    )

    assert 0 <= box[0] < 100
    assert box[1] <= chromium.run("document.querySelector('main').getBoundingClientRect().left")
    assert chromium.run("document.querySelectorAll('main>nav a').length") == 3


def test_ticks_of_a_logarithmic_axis_are_round(page: Page) -> None:
    zoom_with_button(page)
    press_log = f"document.querySelector('{SPEED} + .more .log-button').click()"
    page.run(press_log)
    settle(page)
    drag(page, plot_place(page, SPEED, 0.2, 0.13), plot_place(page, SPEED, 0.7, 0.77))

    low = ends(view(page)["y"])[0]
    assert low == pytest.approx(float(f"{low:.0e}"), rel=1e-6)


NO_VALUE = "\N{EN DASH}"


def legend(page: Page, figure: str) -> list[str]:
    """The values of a zoomed chart, after that of the axis."""
    page.run(FRAMES)
    rows = page.run(f"[...document.querySelectorAll('{figure} .u-value')].map((one) => one.innerText)")
    return [str(row) for row in rows][1:]


def test_a_line_is_read_to_its_end_and_not_beyond_on_a_logarithmic_axis(both: Page) -> None:
    axis = both.run(f"JSON.parse(document.querySelector('{OVER_TIME} .wide .picture').dataset.plots)[0].x")
    assert axis["scale"] == "log"
    end = axis["low"] * (axis["high"] / axis["low"]) ** 0.25
    give_lines(both, OVER_TIME, end, end, axis["high"], axis["high"])
    for share, shown in ((0.249, "100"), (0.252, "100"), (0.27, NO_VALUE)):
        mouse(both, "mouseMoved", plot_place(both, OVER_TIME, share, 0.96))
        settle(both)
        assert [line.rpartition(": ")[2] for line in tip(both)[1:-1]] == [shown, "300"]


def test_a_zoomed_chart_reads_each_line_where_it_has_points_and_nowhere_else(both: Page) -> None:
    give_lines(both, OVER_TIME, 10.0, 20.0, 30.0, 40.0)
    zoom_with_button(both, OVER_TIME)
    whole = both.run(f"document.querySelector('{OVER_TIME}').whole")
    for place, shown in (
        (5, ["100", "200", "300", "400"]),
        (15, [NO_VALUE, "200", "300", "400"]),
        (35, [NO_VALUE, NO_VALUE, NO_VALUE, "400"]),
    ):
        share = (place - whole[0]) / (whole[1] - whole[0])
        mouse(both, "mouseMoved", plot_place(both, OVER_TIME, share))
        assert legend(both, OVER_TIME) == shown


def test_a_zoomed_chart_reads_the_nearest_window_and_not_the_extreme_of_its_column(both: Page) -> None:
    give_lines(both, OVER_TIME, 10.0, 10.0, 10.0, 10.0)
    # Of 30,000 windows each pixel has tens: the extremes are 1 and 9, all else is 5.
    both.run(f"""(() => {{
        const line = document.querySelector('{OVER_TIME}').unpacked[0];
        line.x = Float32Array.from({{length: 30000}}, (_, row) => row / 3000);
        line.y = Float32Array.from(line.x, (_, row) => ({{0: 1, 7: 9}})[row % 15] ?? 5);
    }})()""")
    zoom_with_button(both, OVER_TIME)
    read = []
    for share in (0.11, 0.23, 0.37, 0.48, 0.59, 0.67, 0.71, 0.83):
        mouse(both, "mouseMoved", plot_place(both, OVER_TIME, share))
        read.append(legend(both, OVER_TIME)[0])
    assert read.count("5") >= 5
