"""A picture of a page in fewer letters: nothing that is seen or read aloud is lost."""

from xml.etree import ElementTree as ET

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_for
from ssdlab.report.render import render_svg
from ssdlab.report.svg_minify import minified
from ssdlab.report.theme import for_page

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


def inside(drawing: str) -> str:
    return minified(f"{HEAD}{drawing}</svg>").removeprefix(HEAD).removesuffix("</svg>")


def test_what_all_marks_share_stands_once() -> None:
    assert inside('<g><path d="M0" fill="red"/><path d="M1" fill="red"/></g>') == snapshot(
        '<g fill="red"><path d="M0"/><path d="M1"/></g>'
    )


def test_what_one_mark_does_not_share_stays_where_it_was() -> None:
    assert inside('<g><path d="M0" fill="red"/><path d="M1"/></g>') == snapshot(
        '<path d="M0" fill="red"/><path d="M1"/>'
    )


def test_groups_that_only_move_are_added_up() -> None:
    assert inside('<g transform="translate(1,2)"><g transform="translate(3,4.56)"><path d="M0"/></g></g>') == snapshot(
        '<g transform="translate(4,6.6)"><path d="M0"/></g>'
    )


def test_what_clips_stays_where_it_is_measured() -> None:
    drawing = '<g clip-path="url(#a)"><g transform="translate(3,4)"><path d="M0"/></g></g>'

    assert inside(drawing).count("<g") == 2


def test_a_label_and_its_halo_are_one_text() -> None:
    halo = '<g class="labels_left_halo_marks"><text fill="white" stroke="white" stroke-width="4">QD1</text></g>'
    label = '<g class="labels_left_marks"><text fill="black">QD1</text></g>'

    assert inside(halo + label) == snapshot(
        '<text fill="black" stroke="white" stroke-width="4" paint-order="stroke">QD1</text>'
    )


def test_lines_and_texts_are_written_where_they_are() -> None:
    assert inside('<line transform="translate(5,0)" x2="0" y2="7" stroke="red"/>') == snapshot(
        '<line x2="5" y2="7" stroke="red" x1="5" y1="0"/>'
    )
    assert inside('<text transform="translate(5.04,6)">a</text>') == snapshot('<text x="5" y="6">a</text>')


def test_marks_are_drawn_where_they_are() -> None:
    assert inside('<path transform="translate(10,20.5)" d="M-4.1,-4.1h8.3v8.3h-8.3Z" fill="red"/>') == snapshot(
        '<path d="M5.9,16.4h8.3v8.3h-8.3Z" fill="red"/>'
    )
    circle = "M4.1,0A4.1,4.1,0,1,1,-4.1,0A4.1,4.1,0,1,1,4.1,0"
    assert inside(f'<path transform="translate(10,20.5)" d="{circle}" fill="red"/>') == snapshot(
        '<path d="M14.1,20.5a4.1,4.1,0,1,1,-8.2,0a4.1,4.1,0,1,1,8.2,0" fill="red"/>'
    )


def test_a_shape_with_places_of_its_own_keeps_its_move() -> None:
    drawing = '<path transform="translate(10,20)" d="M0,0L4,4" fill="red"/>'

    assert inside(drawing) == drawing


def test_lines_of_a_grid_are_one_path() -> None:
    lines = '<line x2="0" y2="7" stroke="red"/><line transform="translate(5,0)" x2="3" y2="7" stroke="red"/>'

    assert inside(f"<g>{lines}</g>") == snapshot('<g stroke="red"><path d="M0,0v7M5,0l3,7"/></g>')


def test_a_line_that_says_something_stays_a_line() -> None:
    lines = '<line x2="1"/><line x2="2" tabindex="0"><title>a</title></line>'

    assert inside(f"<g>{lines}</g>").count("<line") == 1


def test_what_nobody_sees_is_gone() -> None:
    unseen = '<g><path class="background" d="M0"/></g><path class="foreground" d="" display="none"/>'

    assert inside(f'{unseen}<path d="M1"/>') == '<path d="M1"/>'


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[Figure]:
    return list(figures_for(open_bundle(write_whole(tmp_path_factory.mktemp("lab") / "run"))))


def test_every_word_and_every_described_mark_of_real_figures_stays(figures: list[Figure]) -> None:
    assert len(figures) >= 2
    for figure in figures:
        svg = render_svg(figure.spec)
        page = ET.fromstring(for_page(svg, "a", figure.title))  # noqa: S314
        words = {text for element in ET.fromstring(svg).iter() if (text := (element.text or "").strip())}  # noqa: S314
        assert words <= {(element.text or "").strip() for element in page.iter()}
        described = [
            mark.get("aria-label")
            for group in ET.fromstring(svg).iter()  # noqa: S314
            if " key_" in group.get("class", "")
            for mark in group
        ]
        focusable = [one for one in page.iter() if one.get("tabindex") == "0"]
        assert [next(iter(one)).text for one in focusable] == described
        assert len(for_page(svg, "a", figure.title)) < 0.7 * len(svg)
