"""The page on SNIA PTS has the clauses of every suite after it, and names what is there."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from tests.kit.plans import drive
from tests.kit.pts_reports import FIGURES

from ssdlab.method.builtin import load_suite
from ssdlab.method.departures import departures
from ssdlab.method.plan import expand
from ssdlab.units import GIB

DOCS = Path(__file__).resolve().parents[2] / "docs"
_CLAUSES = (DOCS / "concepts" / "snia-pts.md").read_text(encoding="utf-8").partition("\n## Clause by clause\n")[2]
SECTIONS: Mapping[str, str] = dict(part.split("\n", 1) for part in _CLAUSES.split("\n### ")[1:])
"""Their text by their heading."""
OF_ALL = "Every suite"
TOLD = {
    "published-cache-left": "ssdlab does not switch it",
    "published-purge-unproven": "where nothing proves it",
    "published-small-blocks": "without 0.5 KiB",
    "published-rests-between-jobs": "each burst is a job of its own",
    "published-recovery-share": "95 % of that",
    "published-response-of-mix": "of a mix the writes are those it has",
    "published-not-while-fresh": "before the drive is written once",
}
"""What the page says of a departure that runs tell of themselves. Of the text at second hand and of profiles the whole page speaks."""
_OF_THE_PAGE = {"published-at-second-hand", "published-scaled"}


def rows_of(suite: str) -> list[tuple[str, str, str]]:
    """Clause, place and departure, of the suite alone."""
    (text,) = (text for heading, text in SECTIONS.items() if f"`{suite}`" in heading)
    return rows_in(text)


def rows_in(text: str) -> list[tuple[str, str, str]]:
    """Of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [(clause, place, departure) for clause, place, departure in cells]


@pytest.mark.parametrize("heading", SECTIONS)
def test_every_clause_has_a_place_and_says_whether_it_is_departed_from(heading: str) -> None:
    rows = rows_in(SECTIONS[heading])
    assert rows
    assert [row for row in rows if not row[1] or not row[2]] == []


@pytest.mark.parametrize("suite", FIGURES)
def test_every_figure_of_a_suite_stands_beside_its_clause(suite: str) -> None:
    named = [name for _, place, departure in rows_of(suite) for name in re.findall(r"`([^`]+)`", place + departure)]
    assert [figure for figure in FIGURES[suite] if not any(fnmatchcase(figure, name) for name in named)] == []


@pytest.mark.parametrize("suite", FIGURES)
def test_every_step_of_a_suite_stands_beside_its_clause(suite: str) -> None:
    places = " ".join(place for _, place, _ in [*rows_in(SECTIONS[OF_ALL]), *rows_of(suite)])
    assert [step.name for step in load_suite(suite).steps if f"`{step.name}`" not in places] == []


@pytest.mark.parametrize("suite", FIGURES)
def test_every_departure_that_a_run_tells_is_on_the_page(suite: str) -> None:
    for block_bytes in (512, 4096) if suite != "pts-cbw" else (512,):
        known = drive(GIB, block_bytes)
        plan = expand(load_suite(suite), "quick", known, seed=1)
        told = {one.id for one in departures(plan, known)} - _OF_THE_PAGE
        said = " ".join(departure for _, _, departure in [*rows_in(SECTIONS[OF_ALL]), *rows_of(suite)])
        assert [one for one in told if TOLD[one] not in said] == []
