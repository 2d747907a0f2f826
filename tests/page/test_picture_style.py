"""Figures as files: as large as asked for, on white or black, with a watermark that covers nothing."""

import re
from pathlib import Path

import pytest
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import UsageError
from ssdlab.figure.client.bandwidth_over_bytes import bandwidth_over_bytes
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.style import Ink
from ssdlab.report.looks import Theme
from ssdlab.report.picture_style import PictureSize, PictureStyle, coverage, picture_size, standalone, watermark
from ssdlab.report.pictures import PlacedFigures, write_pictures
from ssdlab.report.render import render_png, render_svg
from ssdlab.report.theme import inks_of


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return open_bundle(write_whole(tmp_path_factory.mktemp("run") / "run"))


@pytest.fixture(scope="module")
def figure(bundle: Bundle) -> Figure:
    found = bandwidth_over_bytes(bundle)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def svg(figure: Figure) -> str:
    return render_svg(figure.spec)


def place_of(text: str) -> tuple[float, float, float, float]:
    """Where the figure stands on its sheet: left, top, width, height."""
    found = re.search(r'<svg x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"', text)
    assert found is not None
    left, top, width, height = map(float, found.groups())
    return left, top, width, height


@pytest.mark.parametrize(("width", "height"), [(1200, 675), (675, 1200), (300, 300), (4000, 500)])
def test_a_png_has_the_size_that_was_asked_for_and_the_figure_is_whole_in_it(svg: str, width: int, height: int) -> None:
    style = PictureStyle(size=PictureSize(width, height))
    text = standalone(svg, style)
    png = render_png(text, style.png_scale)
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (width, height)
    left, top, wide, high = place_of(text)
    assert min(left, top) >= 0
    assert left + wide <= width + 0.01
    assert top + high <= height + 0.01
    assert wide == pytest.approx(width, rel=1e-3) or high == pytest.approx(height, rel=1e-3)
    own = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert own is not None
    assert wide / high == pytest.approx(float(own[1]) / float(own[2]), rel=1e-3)


@pytest.mark.parametrize(("size", "is_wide"), [(PictureSize(1200, 675), True), (PictureSize(600, 700), False)])
def test_a_tall_picture_is_drawn_as_for_a_telephone(
    figure: Figure, tmp_path: Path, size: PictureSize, is_wide: object
) -> None:
    style = PictureStyle(size=size)
    write_pictures([PlacedFigures(tmp_path, (figure,))], style=style)
    wide, narrow = (coverage(render_svg(spec), style) for spec in (figure.spec, figure.narrow_spec))
    assert (wide > narrow) is is_wide
    own = render_svg(figure.spec if is_wide else figure.narrow_spec)
    inner = re.search(r'viewBox="0 0 [\d.]+ [\d.]+"', own)
    assert inner is not None
    assert inner[0] in (tmp_path / "bandwidth-over-bytes.svg").read_text()


def test_on_black_no_colour_of_the_white_page_is_left(svg: str) -> None:
    text = standalone(svg, PictureStyle(theme=Theme.DARK))
    dark = inks_of(Theme.DARK)
    assert f'fill="{dark[Ink.PAPER]}"/>' in text
    changed = {ink.value for ink in Ink} - set(dark.values())
    assert {colour for colour in changed if f'"{colour}"' in text.lower()} == set()
    assert f'"{dark[Ink.SERIES_1]}"' in text


def test_a_watermark_has_a_line_below_the_figure_and_is_text(svg: str) -> None:
    words = '<b>A & B</b> "site"'
    text = standalone(svg, PictureStyle(watermark=words))
    assert "&lt;b&gt;A &amp; B&lt;/b&gt;" in text
    found = re.search(r'<text x="[\d.]+" y="([\d.]+)" text-anchor="end"', text)
    assert found is not None
    _, top, _, height = place_of(text)
    assert float(found[1]) - 12 > top + height - 1
    assert render_png(text) != render_png(text.replace("&lt;b&gt;A", "&lt;b&gt;B"))


def test_a_long_watermark_fits(svg: str) -> None:
    text = standalone(svg, PictureStyle(size=PictureSize(200, 200), watermark="W" * 80))
    found = re.search(r'font-size="([\d.]+)px" fill="[^"]+">W{80}<', text)
    assert found is not None
    assert float(found[1]) * 80 < 200


@pytest.mark.parametrize(
    "text", ["", "1200", "1200x", "x675", "1200x675x2", "1200X675", "-1x5", "100x675", "99999x9", "1e3x500"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        picture_size(text)


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "\u202ereversed", "x" * 81])
def test_what_is_no_watermark_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        watermark(text)


def test_the_command_takes_a_style_for_pictures_only(bundle: Bundle, tmp_path: Path) -> None:
    asked = ["report", str(bundle.path), "-o", str(tmp_path / "a.html"), "--theme", "dark"]
    refused = CliRunner().invoke(cli.app, asked)
    assert isinstance(refused.exception, UsageError)
    done = CliRunner().invoke(
        cli.app, [*asked, "--png", str(tmp_path / "png"), "--size", "640x360", "--watermark", "W"]
    )
    assert done.exit_code == 0, done.output
    pictures = sorted((tmp_path / "png").glob("*.png"))
    assert pictures
    for picture in pictures:
        head = picture.read_bytes()
        assert (int.from_bytes(head[16:20]), int.from_bytes(head[20:24])) == (640, 360)
