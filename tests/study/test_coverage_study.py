"""Intervals hold as often as they claim, at a useful width, and the page says how often."""

from collections.abc import Mapping, Sequence
from statistics import median

import pytest
from tests.study.coverage_study import (
    PACES,
    PAGE,
    SEEDS,
    Found,
    coverage,
    coverages,
    page,
    runs_of,
    share_held,
    without_interval,
)
from tests.study.passed import Study, runs_whole

pytestmark = pytest.mark.timeout(1800)

WHOLE = runs_whole(Study.INTERVALS)
FEW = 6
HELD_MIN, HELD_MAX = 0.93, 0.98
WIDTH_MAX = 6
RUNS: list[Found] = [
    {"a.iops": (value, value - 1, value + 1), "b.iops": (value, None, None), "c": (1.0, None, None)}
    for value in (9.0, 10.0, 11.5, 9.5)
]


def test_an_interval_holds_where_the_mean_of_all_runs_is_inside() -> None:
    (found,) = coverage("white", RUNS)
    assert (found.metric, found.runs, found.seeds, found.held) == ("a.iops", 4, 4, 3)
    assert found.width is not None
    assert 1.8 < found.width < 1.9


def test_rates_without_an_interval_are_named() -> None:
    assert without_interval(RUNS) == ["b.iops"]
    assert "Rates without an interval: `b.iops`." in page(4, coverage("white", RUNS), ["b.iops"])


def on_page() -> list[tuple[str, str, int, float, float | None]]:
    """Metric, noise, intervals, share of them that holds, and width, of each row."""
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in PAGE.read_text().splitlines()]
    return [
        (row[0], row[1], int(row[3]), int(row[4].rstrip("%")) / 100, None if row[5] == "all alike" else float(row[5]))
        for row in rows
        if len(row) == 6 and row[3].isdecimal()
    ]


@pytest.fixture(scope="module")
def noisy_runs() -> Mapping[str, Sequence[Found]]:
    return runs_of(SEEDS if WHOLE else FEW)


def test_on_the_page_intervals_hold_as_often_as_they_claim_at_a_useful_width() -> None:
    rows = on_page()
    assert {pace for _, pace, *_ in rows} == set(PACES)
    intervals = sum(claimed for _, _, claimed, _, _ in rows)
    assert HELD_MIN <= sum(claimed * share for _, _, claimed, share, _ in rows) / intervals <= HELD_MAX
    assert median(width for *_, width in rows if width is not None) <= WIDTH_MAX


def test_intervals_of_runs_made_anew_hold_no_more_seldom_than_they_claim(
    noisy_runs: Mapping[str, Sequence[Found]],
) -> None:
    assert share_held(coverages(noisy_runs)) >= HELD_MIN


def test_no_rate_is_without_an_interval(noisy_runs: Mapping[str, Sequence[Found]]) -> None:
    assert without_interval(noisy_runs["white"]) == []


def test_the_page_is_of_the_code_as_it_is(noisy_runs: Mapping[str, Sequence[Found]]) -> None:
    found = coverages(noisy_runs)
    if WHOLE:
        assert page(SEEDS, found, without_interval(noisy_runs["white"])) == PAGE.read_text(encoding="utf-8")
    assert {(one.metric, one.pace) for one in found} <= {(metric, pace) for metric, pace, *_ in on_page()}
