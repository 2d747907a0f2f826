"""The study of percentiles counts what it says, and its page is of what it found."""

import numpy as np
from tests.kit.slow_spells import SlowPoint
from tests.study.percentile_study import (
    DRIVES,
    FIRST,
    MEAN,
    PAGE,
    PERCENTS,
    POINTS,
    Found,
    Load,
    Outcome,
    of_point,
    page,
    summary,
)

from ssdlab.units import NS_PER_MS, NS_PER_S


def test_a_percentile_that_stays_is_held_and_one_that_moves_is_not() -> None:
    random = np.random.default_rng(3)
    time_ns = np.arange(1, 20_001) * NS_PER_MS
    own, later = (np.exp(random.normal(13, 0.3, count)).astype(np.int64) for count in (20_000, 200_000))
    stays = list(of_point("load", "", SlowPoint(time_ns, own, later), NS_PER_S // 10))
    assert [(one.percent, one.outcome) for one in stays] == [(percent, Outcome.HOLDS) for percent in PERCENTS]
    moves = list(of_point("load", "", SlowPoint(time_ns, own, later * 2), NS_PER_S // 10))
    assert [one.outcome for one in moves] == [Outcome.ABOVE] * 2
    few = list(of_point("load", "", SlowPoint(time_ns[:900], own[:900], later), NS_PER_S // 10))
    assert [one.outcome for one in few] == [Outcome.FEW_ABOVE] * 2


def test_a_line_counts_what_has_no_interval_apart() -> None:
    outcomes = (Outcome.HOLDS, Outcome.HOLDS, Outcome.BELOW, Outcome.ABOVE, Outcome.OPEN, Outcome.FEW_ABOVE)
    given = {Outcome.HOLDS, Outcome.BELOW, Outcome.ABOVE}
    found = [Found("load", "kind", "99", one, 0.1 if one in given else None, 0.01) for one in outcomes]
    line = ("all", "99", "6", "1", "20.0%", "50.0%", "25.0%", "25.0%", "10.0%", "1.0%")
    assert summary(found, "all", "99") == line
    assert "| all | " + " | ".join(line[1:]) + " |" in page(1, found, found)


def test_the_page_is_of_as_many_points_as_were_asked_for() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert f"{DRIVES} drives of `docs/sources/steady_drives.py`, numbers {FIRST} to {FIRST + DRIVES - 1}" in written
    for of in (*PERCENTS, MEAN):
        assert f"| all | {of} | {len(Load) * DRIVES * POINTS} |" in written
