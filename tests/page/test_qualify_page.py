"""The page of a batch: serials first, the worst drive first, strip plots; names of anybody's are only names."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.kit.library_runs import Made
from tests.kit.qualified_runs import write_drive

from ssdlab.bundle.read import open_bundle
from ssdlab.figure.kit.model import layers_of
from ssdlab.figure.strips import Strip, StripValue, strips_figure
from ssdlab.message import verbatim
from ssdlab.qualify.limits import read_limits
from ssdlab.qualify.page import page
from ssdlab.qualify.qualification import Qualification, qualification
from ssdlab.words import Language

MEAN = "fill.bandwidth_mean"
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
ODD = 7


def qualified(directory: Path, serials: Sequence[str], model: str = "Lab PM1 1TB") -> Qualification:
    random = np.random.default_rng(3)
    runs = []
    for place, serial in enumerate(serials):
        speed = 2e8 * (1 + 0.01 * random.standard_normal()) * (0.7 if place == ODD else 1)
        runs.append(write_drive(directory / "lab", Made(model=model, serial=serial), {MEAN: (speed, "B/s")}))
    limits = directory / "limits.toml"
    limits.write_text(f'[[limit]]\nsuite = "fill"\nmetric = "{MEAN}"\nat_least = "160 MB/s"\n')
    return qualification([open_bundle(run) for run in runs], read_limits(limits))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(qualified(tmp_path_factory.mktemp("batch"), [f"SN{place:02}" for place in range(20)]))


def test_the_worst_drive_stands_first_with_its_serial(shown: str) -> None:
    (first, *others) = re.findall(r'<th scope="row" class="serial"><a href="#drive[0-9]+">([^<]+)</a>', shown)
    assert first == f"SN{ODD:02}"
    assert len(others) == 19


def test_the_picture_names_what_stands_out(shown: str) -> None:
    pictures = re.findall(r"<svg.*?</svg>", shown, re.DOTALL)
    assert len(pictures) == 2
    for picture in pictures:
        assert f">SN{ODD:02}<" in picture
        assert ">SN03<" not in picture
        assert f"{MEAN} " in picture.replace("\u00a0", " ")


def test_the_page_loads_nothing(shown: str) -> None:
    assert not re.search(r'(?:src|href)="(?!#|data:)', shown)


@pytest.mark.parametrize("language", Language)
def test_hostile_names_are_only_names(tmp_path: Path, language: Language) -> None:
    serials = [f"{HOSTILE}{place}" for place in range(12)]
    text = page(qualified(tmp_path, serials, model=HOSTILE), language)
    assert "<img src=x" not in text
    assert "\u202e" not in text
    assert text.count("</script>") == 2


def test_korean_pages_are_korean(tmp_path: Path) -> None:
    assert "\ubd88\ud569\uaca9" in page(qualified(tmp_path, [f"S{place}" for place in range(12)]), Language.KOREAN)


def test_a_strip_has_a_mark_for_each_drive_and_each_limit() -> None:
    values = [StripValue("A", 90.0, None), StripValue("B", 100.0, None), StripValue("C", 300.0, verbatim("odd"))]
    figure = strips_figure([Strip("one", "B/s", 100.0, tuple(values), (80.0,))], ("about",), "")
    marks = {layer["name"]: layer["data"]["values"] for layer in layers_of(figure.spec)}
    assert [one["ratio"] for one in marks["drives"]] == [0.9, 1.0]
    assert [one["ratio"] for one in marks["limits"]] == [0.8]
    assert [(one["ratio"], one["words"]) for one in marks["key-odd"]] == [(3.0, "C, one: 0.0002861 MiB/s, odd")]
    assert len(figure.table.rows) == 3
