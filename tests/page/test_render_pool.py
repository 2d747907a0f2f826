"""Many pictures are drawn by several processes, and are the same as if they were drawn here."""

import os
import signal
from pathlib import Path

import pytest
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.kit.model import VegaLite
from ssdlab.figure.registry import figures_for
from ssdlab.report.render import render_svg
from ssdlab.report.render_pool import FEW, RenderPool
from ssdlab.report.theme import for_page
from ssdlab.report.vega_worker import BrokenPictureError

MANY = FEW + 2


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> VegaLite:
    return figures_for(open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run")))[0].narrow_spec


def test_many_pictures_are_those_that_would_be_drawn_here(spec: VegaLite) -> None:
    expected = for_page(render_svg(spec), "a", "label")

    with RenderPool(processes=2) as pool:
        pictures = [pool.picture(spec) for _ in range(MANY)]

        assert pool.process_ids
        assert {for_page(one.svg(), "a", "label") for one in pictures} == {expected}


@pytest.mark.parametrize("letter", ["W", "Ğ", "µ", "“", "Ձ", "한"])
def test_a_letter_takes_the_same_room_whichever_font_it_comes_from(spec: VegaLite, letter: str) -> None:
    titled = {**spec, "title": {**spec["title"], "text": [50 * letter]}}
    expected = for_page(render_svg(titled), "a", "label")

    with RenderPool(processes=2) as pool:
        pictures = [pool.picture(titled) for _ in range(MANY)]

        assert for_page(pictures[-1].svg(), "a", "label") == expected


def test_few_pictures_start_no_process(spec: VegaLite) -> None:
    with RenderPool(processes=2) as pool:
        picture = pool.picture(spec)

        assert picture.svg().startswith("<svg")
        assert pool.process_ids == ()


def test_no_process_is_left(spec: VegaLite) -> None:
    with RenderPool(processes=2) as pool:
        for _ in range(MANY):
            pool.picture(spec)
        ids = pool.process_ids

    assert len(ids) == 2
    assert not any(Path(f"/proc/{number}").exists() for number in ids)


def test_a_figure_that_cannot_be_drawn_is_refused(spec: VegaLite) -> None:
    with RenderPool(processes=2) as pool:
        pictures = [pool.picture({**spec, "layer": "none"}) for _ in range(MANY)]

        with pytest.raises(BrokenPictureError, match="the renderer refused the figure: "):
            pictures[0].svg()


def test_a_process_that_is_killed_is_said_with_its_status(spec: VegaLite) -> None:
    with RenderPool(processes=2) as pool:
        pictures = [pool.picture(spec) for _ in range(MANY)]
        for number in pool.process_ids:
            os.kill(number, signal.SIGKILL)

        with pytest.raises(BrokenPictureError, match="a process that draws figures ended with status -9"):
            pictures[-1].svg()
