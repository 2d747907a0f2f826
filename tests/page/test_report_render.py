"""A picture is only used when it is whole."""

import copy
import re
import struct
import zlib
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np
import pytest
import vl_convert
from tests.kit.sample_bundle import run_info, series_of, write_one_pass, write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_for
from ssdlab.report.picture_style import standalone
from ssdlab.report.png import smaller
from ssdlab.report.render import check_picture, render_png, render_svg
from ssdlab.report.theme import for_page
from ssdlab.report.vega_worker import BrokenPictureError


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Figure, ...]:
    return figures_for(open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run")))


@pytest.fixture(scope="module")
def svg(figures: tuple[Figure, ...]) -> str:
    return render_svg(figures[0].spec)


def test_every_figure_renders_whole_at_both_widths(figures: tuple[Figure, ...]) -> None:
    for figure in figures:
        for spec in (figure.spec, figure.narrow_spec):
            assert render_svg(spec).startswith("<svg")


@pytest.mark.parametrize("windows", [1, 2, 20])
@pytest.mark.parametrize("speed", [0.0, 5e6])
def test_the_shortest_runs_render_whole_too(tmp_path: Path, windows: int, speed: float) -> None:
    latency = np.full(windows, 4e6 if speed else np.nan)
    series = series_of(np.full(windows, speed), latency, latency)

    for figure in figures_for(open_bundle(write_one_pass(tmp_path / "run", series, run_info(10**9)))):
        assert render_svg(figure.spec).startswith("<svg")
        assert render_svg(figure.narrow_spec).startswith("<svg")


def test_axis_titles_and_tick_labels_are_in_the_picture(svg: str) -> None:
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)

    assert {"written in the pass (GiB)", "write bandwidth (MiB/s)", "900", "14,000", "pass 1, FOB"} <= set(texts)


def cut(svg: str, pattern: str) -> str:
    damaged, count = re.subn(pattern, "", svg, flags=re.DOTALL)
    assert count
    return damaged


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        (r"<text[^>]*>written in the pass \(GiB\)</text>", r"no axis title `written in the pass \(GiB\)`"),
        (r"<text[^>]*>Bandwidth over bytes written</text>", "no title line `Bandwidth over bytes written`"),
        (r"<text[^>]*>\d+</text>", "tick labels"),
        (r'<path aria-label="pass 2: the cache ends[^>]*>', "`key-points` has 1 of 2 point marks"),
        (r'<path [^>]*stroke="#0072b2" stroke-width="1.7"[^>]*/>', "`windows-mean` has 1 of 2 line marks"),
        (r"<text[^>]*>pass 1: folding[^<]*</text>", r"layer `labels-\w+` has \d of \d text marks"),
    ],
)
def test_a_picture_with_something_missing_is_refused(
    figures: tuple[Figure, ...], svg: str, pattern: str, complaint: str
) -> None:
    with pytest.raises(BrokenPictureError, match=complaint):
        check_picture(figures[0].spec, cut(svg, pattern))


def test_marks_at_no_number_are_refused(figures: tuple[Figure, ...], svg: str) -> None:
    damaged = re.sub(r'(<line aria-label="pass 1: cache[^>]*y2=")0"', r'\1NaN"', svg)
    assert damaged != svg

    with pytest.raises(BrokenPictureError, match="`key-levels` has 5 of 6 rule marks"):
        check_picture(figures[0].spec, damaged)


def test_what_is_no_svg_is_refused(figures: tuple[Figure, ...]) -> None:
    with pytest.raises(BrokenPictureError, match="no well-formed SVG"):
        check_picture(figures[0].spec, "<svg>")


def test_the_picture_of_a_renderer_that_failed_half_way_is_refused(figures: tuple[Figure, ...]) -> None:
    # The layer is asked for, but its data never arrives: the renderer itself raises nothing.
    wanted = copy.deepcopy(dict(figures[0].spec))
    drawn: dict[str, Any] = copy.deepcopy(wanted)
    drawn["layer"][0]["transform"] = [{"filter": "datum.nothing == 1"}]

    with pytest.raises(BrokenPictureError, match="`windows-band` has 0 of 2 area marks"):
        check_picture(wanted, _rendered(drawn))


def _rendered(spec: dict[str, Any]) -> str:
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(spec, vl_version="6.4")
    return text


def test_a_specification_the_renderer_refuses_is_an_error_of_ours(figures: tuple[Figure, ...]) -> None:
    broken = {**figures[0].spec, "layer": [{**figures[0].spec["layer"][0], "mark": {"type": "no such mark"}}]}

    with pytest.raises(BrokenPictureError):
        render_svg(broken)


def test_a_png_has_twice_the_size_of_the_svg(svg: str) -> None:
    png = render_png(standalone(svg))

    width = int.from_bytes(png[16:20], "big")
    found = re.search(r'width="(\d+)"', svg)
    assert found is not None
    assert width == 2 * int(found[1])


def test_a_picture_of_its_own_stands_on_white(svg: str) -> None:
    assert 'fill="#ffffff"/>' in standalone(svg)
    assert "var(" not in standalone(svg)


def test_in_a_page_no_colour_is_fixed(figures: tuple[Figure, ...]) -> None:
    for figure in figures:
        themed = for_page(render_svg(figure.spec), "a", "label")
        assert re.findall(r'(?:fill|stroke)="(?!none|transparent|var\()[^"]+"', themed) == []


def test_ids_of_two_pictures_in_a_page_do_not_collide(svg: str) -> None:
    one, other = (for_page(svg, prefix, "label") for prefix in ("one", "other"))

    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in (one, other)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids[0]


def test_key_values_can_be_reached_with_the_keyboard(svg: str) -> None:
    themed = for_page(svg, "a", "label")

    assert themed.count('tabindex="0"') == 8
    assert "<title>pass 1: the cache ends after 233 GiB</title></path>" in themed
    expat.ParserCreate().Parse(themed, True)  # noqa: FBT003 - the interface of expat


def test_the_words_for_screen_readers_are_escaped(svg: str, tmp_path: Path) -> None:
    assert 'aria-label="&lt;b&gt; &quot;x&quot;"' in for_page(svg, "a", '<b> "x"')


def chunks(png: bytes) -> dict[bytes, bytes]:
    """What a PNG holds by name, those of one name joined; checksums are held."""
    found: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, held = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + held),)
        found[name] = found.get(name, b"") + held
        at += 12 + length
    return found


def test_a_png_is_packed_well_and_every_pixel_stays(svg: str) -> None:
    drawn = vl_convert.svg_to_png(standalone(svg), scale=2)
    packed = smaller(drawn)

    was, made = chunks(drawn), chunks(packed)
    assert len(packed) < len(drawn) / 2
    assert zlib.decompress(made.pop(b"IDAT")) == zlib.decompress(was.pop(b"IDAT"))
    assert made == was
    assert packed[:8] == drawn[:8]
