"""Figures drawn a second time without a drive that squeezes the others."""

from itertools import pairwise
from pathlib import Path

import pytest
from tests.kit.figure_content import assert_inside_axes, assert_whole, rows
from tests.kit.sample_enterprise import Made, enterprise_bundle
from typer.testing import CliRunner

from ssdlab.bundle.read import Bundle
from ssdlab.cli import app
from ssdlab.errors import SsdlabError
from ssdlab.figure.enterprise.over_depth import over_depth
from ssdlab.figure.kit.called import key_of
from ssdlab.figure.kit.drives import drawn_among
from ssdlab.figure.kit.left_out import drives_left_out, gives_room
from ssdlab.figure.kit.model import Figure, VegaLite, layers_of
from ssdlab.figure.registry import figures_comparing
from ssdlab.report.page import page

OPTANE, LIKE_OTHERS = 3, 2


def drawn_without(bundles: list[Bundle], *numbers: int) -> list[Figure]:
    with drives_left_out({key_of(bundles[number].run.drive) for number in numbers}):
        return list(figures_comparing(bundles))


@pytest.fixture(scope="module")
def figures(five: list[Bundle]) -> list[Figure]:
    return drawn_without(five, OPTANE)


def bar_inks(figure: Figure) -> dict[str, str]:
    return {row["name"]: row["ink"] for row in rows(figure, "key-bars")}


def line_inks(figure: Figure) -> dict[str, list[str]]:
    """Colour and symbol of each drive."""
    found: dict[str, list[str]] = {}
    for layer in layers_of(figure.spec):
        for channel in ("color", "shape"):
            scale = layer["encoding"].get(channel, {}).get("scale", {})
            for name, ink in zip(scale.get("domain", ()), scale.get("range", ()), strict=True):
                found.setdefault(name, []).append(ink)
    return found


def test_it_stands_after_the_one_with_all_drives(figures: list[Figure]) -> None:
    pairs = [(before, one) for before, one in pairwise(figures) if one.left_out]
    assert pairs
    assert all((one.name, before.left_out) == (f"{before.name}-without", ()) for before, one in pairs)


def test_it_says_who_is_left_out_and_why(figures: list[Figure]) -> None:
    for one in (one for one in figures if one.left_out):
        assert one.left_out == ("ssdlab optane-like-960gb",)
        assert one.title.endswith(", without ssdlab optane-like-960gb")
        assert " · without ssdlab optane-like-960gb" in one.subtitle[0]
        assert "without ssdlab optane-like-960gb, beside which the others are squeezed" in one.caption


def test_bars_of_those_left_keep_their_colours(figures: list[Figure]) -> None:
    for before, one in pairwise(figures):
        if one.left_out:
            whole, rest = bar_inks(before), bar_inks(one)
            assert whole.keys() - rest.keys() == {"ssdlab optane-like-960gb"}
            assert {name: whole[name] for name in rest} == rest
            assert "ssdlab optane-like-960gb" not in str(one.table)


def test_lines_of_those_left_keep_their_colours_and_symbols() -> None:
    bundles = [enterprise_bundle(Made(model=name)) for name in "ABCD"]
    whole = line_inks(next(iter(over_depth(bundles))))
    with drawn_among(bundles, bundles[1:2]) as names:
        rest = line_inks(next(iter(over_depth([bundles[0], *bundles[2:]]))))
    assert (names, list(whole), list(rest)) == (("B",), ["A", "B", "C", "D"], ["A", "C", "D"])
    assert {name: whole[name] for name in rest} == rest


def test_it_can_be_drawn(figures: list[Figure]) -> None:
    one = next(one for one in figures if one.left_out)
    assert_whole(one)
    assert_inside_axes(one)


def test_a_drive_like_the_others_is_left_out_of_nothing(five: list[Bundle]) -> None:
    assert not any(one.left_out for one in drawn_without(five, LIKE_OTHERS))


def test_nobody_is_left_out_unasked(five: list[Bundle], figures: list[Figure]) -> None:
    kept = [one.name for one in figures if not one.left_out]
    assert [one.name for one in figures_comparing(five)] == kept


def test_one_drive_is_no_comparison(five: list[Bundle]) -> None:
    assert not any(one.left_out for one in drawn_without(five, 1, 2, 3, 4))


@pytest.mark.parametrize(
    ("low", "high", "kind", "is_room"),
    [(0, 75, "linear", True), (0, 76, "linear", False), (1, 750, "log", False), (10, 1000, "log", True)],
)
def test_room_is_a_quarter_of_an_axis_in_the_units_of_its_scale(low: int, high: int, kind: str, is_room: bool) -> None:  # noqa: FBT001 - the answer
    def spec(*domain: float) -> VegaLite:
        x = {"type": "quantitative", "scale": {"domain": list(domain), "type": kind}}
        return {"layer": [{"encoding": {"x": x}}]}

    whole = spec(0, 100) if kind == "linear" else spec(1, 1000)
    assert gives_room(spec(low, high), whole) is is_room


def test_the_page_says_who_is_left_out_of_how_many_figures(five: list[Bundle]) -> None:
    with drives_left_out({key_of(five[OPTANE].run.drive)}):
        assert "2 figures are drawn a second time without ssdlab optane-like-960gb, beside which" in page(five)
    with drives_left_out({key_of(five[LIKE_OTHERS].run.drive)}):
        assert "ssdlab mlc-1tb was to be left out, and no figure is drawn a second time" in page(five)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [((0, 1, 2, 3), "no figure would be left with two drives to compare"), ((4,), "is not among the runs")],
)
def test_what_cannot_be_left_out_is_refused_before_anything_is_drawn(
    tmp_path: Path, five: list[Bundle], numbers: tuple[int, ...], said: str
) -> None:
    left = [part for number in numbers for part in ("--without", five[number].path)]
    words = ["report", *(one.path for one in five[:4]), *left, "-o", tmp_path / "page.html"]
    refused = CliRunner().invoke(app, [str(word) for word in words])
    assert isinstance(refused.exception, SsdlabError)
    assert said in str(refused.exception)
    assert not (tmp_path / "page.html").exists()
