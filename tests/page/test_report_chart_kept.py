"""Zoomed charts keep what was measured: gaps, names, values in either unit, and views that exist."""

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
    ends,
    give_lines,
    mouse,
    press,
    saved,
    settle,
    tip,
    view,
    zoom_with_button,
)
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.report.page import write_report

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


def test_gaps_of_lines_whose_windows_lie_between_each_other_stay_empty(both: Page) -> None:
    give_lines(both, OVER_TIME, 10.0, 10.0, 10.0, 10.0)
    # Two lines that take turns; the first has no values from 4 to 6, of which one row tells, as of a thinned line.
    both.run(f"""(() => {{
        const lines = document.querySelector('{OVER_TIME}').unpacked;
        const places = Array.from({{length: 20000}}, (_, row) => row / 2000).filter((x) => x <= 4.5 || x >= 6);
        lines[0].x = Float32Array.from(places);
        lines[0].y = Float32Array.from(places, (x) => (x > 4 && x < 6 ? NaN : x < 5 ? 100 : 900));
        lines[1].x = Float32Array.from({{length: 20000}}, (_, row) => (row + 0.5) / 2000);
        lines[1].y = new Float32Array(20000).fill(200);
        lines.slice(2).forEach((line) => line.y.fill(NaN));
    }})()""")
    zoom_with_button(both, OVER_TIME)
    for zoom in ("all", "3.9_6.1"):
        both.run(f"location.hash = '{OVER_TIME}&zoom={zoom}&scale=linear'")
        settle(both)
        drawn = saved_picture(both, OVER_TIME).findall(".//{*}svg/{*}path[@stroke='#0072b2']")
        parts = [part for path in drawn for part in stretches(path)]
        assert len(parts) >= 2, zoom
        assert not any(rises(part) for part in parts), zoom
        assert slope_pixels(both, OVER_TIME) == 0, zoom


def stretches(path: ET.Element) -> list[list[tuple[float, float]]]:
    """The corners of each part of a path that is drawn without lifting the pen."""
    parts = re.findall(r"M([^M]*)", path.attrib["d"])
    return [[(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", part)] for part in parts]


def rises(corners: list[tuple[float, float]]) -> bool:
    return max(y for _, y in corners) - min(y for _, y in corners) > 5


def slope_pixels(page: Page, figure: str) -> int:
    """Pixels of the first colour in the middle half of the height of a zoomed chart, where lines at 100 and 900 have none."""
    return int(
        page.run(f"""(() => {{
        const canvas = document.querySelector('{figure} canvas');
        const plot = document.querySelector('{figure} .u-over').getBoundingClientRect();
        const at = canvas.getBoundingClientRect();
        const factor = canvas.width / at.width;
        const {{ data }} = canvas.getContext('2d').getImageData(
            (plot.left - at.left) * factor, (plot.top - at.top + plot.height * 0.25) * factor, plot.width * factor, plot.height * 0.45 * factor);
        let count = 0;
        for (let from = 0; from < data.length; from += 4) {{
            if (data[from] < 60 && data[from + 1] > 80 && data[from + 2] > 140 && data[from + 3] > 60) count += 1;
        }}
        return count;
    }})()""")
    )


def saved_picture(page: Page, figure: str) -> ET.Element:
    """The SVG that a button saves of a figure as it is shown."""
    return ET.fromstring(saved(page, "svg", figure))  # noqa: S314 - our own page wrote it


def test_saved_pictures_of_a_zoomed_chart_say_whose_it_is_and_show_what_is_zoomed_into(both: Page) -> None:
    whole = texts(saved_picture(both, OVER_TIME))
    zoom_with_button(both, OVER_TIME)
    ends_s = both.run(f"document.querySelector('{OVER_TIME}').whole")
    both.run(f"location.hash = '{OVER_TIME}&zoom={ends_s[1] * 0.2}_{ends_s[1] * 0.4}&scale=linear'")
    settle(both)
    picture = saved_picture(both, OVER_TIME)
    shown = texts(picture)

    assert shown[0] in whole
    assert any("not comparable" in text for text in shown)
    assert "virtual drives" in " ".join(shown)
    labels = both.run(
        f"[...document.querySelectorAll('{OVER_TIME} .u-series .u-label')].slice(1).map((one) => one.textContent)"
    )
    assert set(labels) <= set(shown)
    axis = [float(text.replace(",", "")) for text in shown if re.fullmatch(r"[\d,.]+", text)]
    assert axis
    assert "var(" not in ET.tostring(picture, encoding="unicode")

    both.run("document.querySelectorAll('.shown-drives button')[1].click()")
    settle(both)
    kept = texts(saved_picture(both, OVER_TIME))
    assert not any("qlc" in text for text in kept)

    image = saved(both, "png", OVER_TIME)
    size = [float(end) for end in picture.attrib["viewBox"].split()[2:]]
    assert [int.from_bytes(image[at : at + 4], "big") for at in (16, 20)] == pytest.approx(
        [2 * end for end in size], abs=80
    )


def texts(picture: ET.Element) -> list[str]:
    return ["".join(text.itertext()).strip() for text in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_the_keyboard_reads_every_plot_of_a_picture_that_has_lines(both: Page) -> None:
    both.run(f"document.querySelector('{OVER_TIME} .wide .picture').focus()")
    press(both, "ArrowRight")
    assert {line.rpartition(": ")[0][-6:] for line in tip(both)[1:-1]} == {"pass 1"}

    # 50 steps more to the end of the first plot, and one to the beginning of the second.
    both.run(f"document.querySelector('{OVER_TIME}').readStop += 50")
    press(both, "ArrowRight")
    assert {line.rpartition(": ")[0][-6:] for line in tip(both)[1:-1]} == {"pass 2"}
    press(both, "ArrowLeft")
    assert {line.rpartition(": ")[0][-6:] for line in tip(both)[1:-1]} == {"pass 1"}

    both.run("document.activeElement.blur()")
    assert tip(both) == []


def test_a_plot_of_something_else_below_a_speed_does_not_give_the_speed(page: Page) -> None:
    # The last plot of the picture, which has no lines of the chart.
    figure = "#run1-bandwidth-over-time"
    frame = page.run(f"""(() => {{
        const figure = document.querySelector('{figure}');
        figure.scrollIntoView({{behavior: 'instant'}});
        const picture = figure.querySelector('.wide .picture');
        const plots = JSON.parse(picture.dataset.plots);
        if (plots.length === 1) {{
            // As of a picture with a temperature below its speed: the lines are those of another plot.
            picture.dataset.plots = JSON.stringify([{{...plots[0], top: -1000, height: 1}}, plots[0]]);
        }}
        const {{left, top, width, height}} = plots.at(-1);
        const box = picture.getBoundingClientRect();
        const factor = box.width / picture.viewBox.baseVal.width;
        return [box.left + (left + 0.45 * width) * factor, box.top + (top + 0.9 * height) * factor];
    }})()""")
    mouse(page, "mouseMoved", (frame[0], frame[1]))
    settle(page)

    lines = tip(page)
    assert len(lines) == 1
    assert lines[0].startswith("time")


@pytest.mark.parametrize("zoom", ["-50_1e9", "1e9_2e9", "-2e9_-1e9", "all"])
def test_a_link_shows_no_more_than_there_is(page: Page, zoom: str) -> None:
    page.run(f"location.hash = '{SPEED}&zoom={zoom}&y=-7_1e12&scale=linear'")
    settle(page)
    assert view(page) == {"zoom": "all", "scale": "linear"}

    page.run(f"location.hash = '{SPEED}&zoom=100_1e9&y=-7_10000&scale=linear'")
    settle(page)
    whole = page.run(f"document.querySelector('{SPEED}').whole")
    assert ends(view(page)["zoom"]) == pytest.approx((100, whole[1]), rel=1e-6)
    assert ends(view(page)["y"]) == (0, 10000)


def test_a_logarithmic_axis_from_nothing_begins_at_the_lowest_value(page: Page) -> None:
    page.run(f"location.hash = '{SPEED}&zoom=all&y=0_10000&scale=log'")
    settle(page)

    low, high = ends(view(page)["y"])
    assert 0 < low < high == 10000
    shown = page.run(f"[...document.querySelector('{SPEED}').placed].length")
    assert shown > 0


def test_a_link_that_names_no_drives_shows_all(both: Page) -> None:
    off = "[...document.querySelectorAll('.shown-drives [aria-pressed=false]')].length"
    both.run(f"location.hash = '{OVER_TIME}&without=2_7_x'")
    both.run(FRAMES)
    assert both.run(off) == 1
    assert both.run("[...document.documentElement.classList]") == ["off2"]
    both.run("location.hash = '#comparison1'")
    both.run(FRAMES)
    assert both.run(off) == 1

    both.run(f"location.hash = '{OVER_TIME}&zoom=all&scale=log'")
    settle(both)
    assert both.run(off) == 0


def test_drives_that_are_not_shown_are_printed(both: Page) -> None:
    before = both.run(FADED.format(slot=2))
    both.run("document.querySelectorAll('.shown-drives button')[1].click()")
    both.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert both.run(FADED.format(slot=2)) == before
        assert both.run("getComputedStyle(document.querySelector('.shown-drives')).display") == "none"
    finally:
        both.call("Emulation.setEmulatedMedia", media="")
    both.run("document.activeElement.blur()")
    assert all(both.run(FADED.format(slot=2)))


def test_the_switch_of_units_shows_values_and_not_rounded_texts_converted(both: Page) -> None:
    tiles = "[...document.querySelectorAll('.tiles data')].map((one) => [one.innerText, Number(one.value)])"
    binary = both.run(tiles)
    both.run("document.querySelector('.units').click()")
    decimal = both.run(tiles)

    switched = [
        (before, after, value) for (before, value), (after, _) in zip(binary, decimal, strict=True) if "MiB/s" in before
    ]
    assert switched
    for _, after, value in switched:
        text = after.removesuffix(" MB/s").replace(",", "")
        digits = len(text.replace(".", "").rstrip("0")) or 1
        assert float(text) == pytest.approx(value / 1e6, rel=0.5 / 10 ** (digits - 1))
    # Nothing of the tables keeps the unit that was switched away, whether a number, an interval or a sentence.
    left = "[...document.querySelectorAll('.summary td')].filter((one) => one.innerText.includes('MiB/s')).length"
    assert both.run(left) == 0

    both.run("document.querySelector('.units').click()")
    assert both.run(tiles) == binary


def test_the_switch_of_units_leaves_no_speed_in_words_or_tables_behind(both: Page) -> None:
    places = (".answer p, .tiles dd", ".summary td", ".metrics :is(td, th)", ".points :is(td, th, caption)")
    said = f"""[...document.querySelectorAll('{", ".join(places)}')]
        .map((one) => [one.textContent, one.dataset.tip ?? ''].join(' '))"""
    binary = both.run(said)
    for place in places:
        assert "MiB/s" in both.run(f"[...document.querySelectorAll('{place}')].map((one) => one.textContent).join()"), (
            place
        )

    both.run("document.querySelector('.units').click()")
    assert not [text for text in both.run(said) if "MiB/s" in text]

    both.run("document.querySelector('.units').click()")
    assert both.run(said) == binary
