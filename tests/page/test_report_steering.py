"""Letters that turn the direction of a text are seen in pages, pictures and posts, and turn nothing around."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.sample_bundle import run_info, write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.kit.direction import apart, seen
from ssdlab.message import verbatim
from ssdlab.report.markdown_post import write_post
from ssdlab.report.page import page
from ssdlab.report.render import render_svg

STEERING = [chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]


@pytest.mark.parametrize("letter", STEERING)
def test_each_is_written_as_an_escape(letter: str) -> None:
    assert seen(f"fio{letter}gol.log") == f"fio\\u{ord(letter):04x}gol.log"


def test_a_name_that_was_set_apart_stays_so_and_other_letters_as_they_are() -> None:
    for text in (f"drive {apart('كبير')}: fill", "드라이브 1,200 MiB/s", "a\\u202eb"):
        assert seen(text) == text
    assert seen("\u2068open") == "\\u2068open"
    assert seen("\u2068a\u202eb\u2069") == "\\u2068a\\u202eb\\u2069"


def test_a_page_and_a_post_show_them_wherever_somebody_wrote_them(tmp_path: Path) -> None:
    bundle = open_bundle(write_whole(tmp_path / "run"))
    info = run_info(10**12, model="Evil \u202egnp")
    drive = replace(info.drive, serial="S\u2067N", firmware="F\u200fW", description=verbatim("a\u202ab"))
    evil = replace(bundle, run=replace(bundle.run, drive=drive))
    html = page([evil])
    write_post([evil], tmp_path / "post.md", [], {})

    for text in (html, (tmp_path / "post.md").read_text()):
        assert not set(STEERING) & set(text)
    for shown in (r"Evil \u202egnp", r"S\u2067N", r"F\u200fW"):
        assert shown in html


def test_a_picture_shows_them_in_the_name_of_a_file() -> None:
    rows = [{"x": 0, "y": 1, "label": "a\u202eb.log"}, {"x": 1, "y": 2, "label": "a\u202eb.log"}]
    axis = {"title": "x", "values": [0, 1]}
    layer = {
        "name": "line",
        "mark": {"type": "line"},
        "data": {"values": rows},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "axis": axis},
            "y": {"field": "y", "type": "quantitative", "axis": {**axis, "title": "y"}},
        },
    }
    svg = render_svg({"title": {"text": ["a\u202eb.log"], "subtitle": []}, "layer": [layer]})

    assert r"a\u202eb.log" in svg
    assert "\u202e" not in svg
