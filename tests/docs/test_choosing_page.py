"""The guide "Choosing a suite" goes by questions, has a figure for each, and leaves out no suite."""

import re
from pathlib import Path

import pytest

from ssdlab.method.builtin import builtin_names

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "guide" / "choosing-a-suite.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
QUESTIONS = [
    "What of its speed is usable?",
    "Where does it break?",
    "How long does it last?",
    "What will my service see?",
]


def figures_in(text: str) -> list[str]:
    """Names of the suites whose figures are shown."""
    return re.findall(r"\]\(\.\./images/suite-([\w-]+)\.png\)", text)


def test_it_begins_with_the_four_questions() -> None:
    assert list(SECTIONS)[:4] == QUESTIONS


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_a_suite_and_its_figure(question: str) -> None:
    shown = figures_in(SECTIONS[question])
    assert shown
    assert [name for name in shown if f"`{name}`" not in SECTIONS[question]] == []


def test_the_script_draws_every_figure_and_no_other() -> None:
    drawn = re.findall(
        r'^    "([\w-]+)": _Question\(', (DOCS / "suite_figures.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(figures_in(PAGE)) == sorted(drawn)
    assert [name for name in drawn if not (DOCS / "images" / f"suite-{name}.png").is_file()] == []


def test_every_suite_is_named() -> None:
    told = {*re.findall(r"`([\w.-]+)`", PAGE), *(f"{name}-client" for name in ("pts-iops", "pts-tp", "pts-lat"))}
    assert set(builtin_names()) - told == set()
