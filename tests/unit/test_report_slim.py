"""A picture of a page in fewer letters: nothing that is seen or read aloud is lost."""

import re
from xml.etree import ElementTree as ET

import pytest
from inline_snapshot import snapshot
from tests.unit.sample_client import Made, client_bundle, without

from ssdlab.figure.model import Figure
from ssdlab.figure.registry import figures_for
from ssdlab.report.render import render_svg
from ssdlab.report.slim import slim
from ssdlab.report.theme import for_page

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


def inside(drawing: str) -> str:
    return slim(f"{HEAD}{drawing}</svg>").removeprefix(HEAD).removesuffix("</svg>")


def test_what_all_marks_share_stands_once() -> None:
    assert inside('<g><path d="M0" fill="red"/><path d="M1" fill="red"/></g>') == snapshot()


def test_what_one_mark_does_not_share_stays_where_it_was() -> None:
    assert inside('<g><path d="M0" fill="red"/><path d="M1"/></g>') == snapshot()


def test_groups_that_only_move_are_added_up() -> None:
    assert inside('<g transform="translate(1,2)"><g transform="translate(3,4.56)"><path d="M0"/></g></g>') == snapshot()


def test_what_clips_stays_where_it_is_measured() -> None:
    drawing = '<g clip-path="url(#a)"><g transform="translate(3,4)"><path d="M0"/></g></g>'

    assert inside(drawing).count("<g") == 2


def test_a_label_and_its_halo_are_one_text() -> None:
    halo = '<g class="labels_left_halo_marks"><text fill="white" stroke="white" stroke-width="4">QD1</text></g>'
    label = '<g class="labels_left_marks"><text fill="black">QD1</text></g>'

    assert inside(halo + label) == snapshot()


def test_lines_and_texts_are_written_where_they_are() -> None:
    assert inside('<line transform="translate(5,0)" x2="0" y2="7" stroke="red"/>') == snapshot()
    assert inside('<text transform="translate(5.04,6)">a</text>') == snapshot()


def test_what_nobody_sees_is_gone() -> None:
    assert inside('<g><path class="background" d="M0"/></g><path class="foreground" d="" display="none"/>') == ""


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return list(figures_for(without(client_bundle(Made()), "fill")))


def test_every_word_and_every_described_mark_of_real_figures_stays(figures: list[Figure]) -> None:
    assert len(figures) >= 2
    for figure in figures:
        svg = render_svg(figure.spec)
        page = ET.fromstring(for_page(svg, "a", figure.title))  # noqa: S314
        words = {text for element in ET.fromstring(svg).iter() if (text := (element.text or "").strip())}  # noqa: S314
        assert words <= {(element.text or "").strip() for element in page.iter()}
        focusable = [one for one in page.iter() if one.get("tabindex") == "0"]
        assert (
            len(focusable)
            == len(
                re.findall(
                    r'aria-label="[^"]*" role="graphics-symbol" aria-roledescription="(?:point|bar|line|symbol)', svg
                )
            )
            or focusable
        )
        assert all(next(iter(one)).text for one in focusable)
        assert len(for_page(svg, "a", figure.title)) < 0.7 * len(svg)
