"""The words of comparisons are true: faster, slower, level and what cannot be told follow from both numbers and their intervals alone."""

from collections import Counter

import pytest
from tests.kit.drawn_screens import CAPACITY_BYTES, beside, by_name, drawn_run, is_known
from tests.kit.planned_bundle import planned_bundle, with_first_round
from tests.kit.sample_bundle import run_info
from tests.study.passed import Study, runs_whole

from ssdlab.bundle.model import Metric
from ssdlab.library.compare import Word, compare

WHOLE, FEW = range(800, 850), range(800, 810)
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW
LEVEL_PERCENT = 3.0
"""METHODS M: what differs by no more does not matter."""
SHORTER_IS_BETTER = {"ns", "s"}


def ends_of(metric: Metric) -> tuple[float, float]:
    """Its interval; of one without any, half of what does not matter to either side."""
    value = float(str(metric.value))
    if metric.low is None or metric.high is None:
        return value * (1 - LEVEL_PERCENT / 200), value * (1 + LEVEL_PERCENT / 200)
    return metric.low, metric.high


def word_of(first: Metric, other: Metric) -> Word:
    mine, theirs = float(str(first.value)), float(str(other.value))
    (low, high), (other_low, other_high) = ends_of(first), ends_of(other)
    overlap = low <= other_high and other_low <= high
    if abs(mine - theirs) <= LEVEL_PERCENT / 100 * (mine + theirs) / 2:
        return Word.LEVEL if overlap else Word.ALIKE
    if overlap:
        return Word.UNTOLD
    if first.unit == "B":
        return Word.LARGER if theirs > mine else Word.SMALLER
    is_better = (theirs < mine) is (first.unit in SHORTER_IS_BETTER)
    if first.unit in {"B/s", "1/s", *SHORTER_IS_BETTER}:
        return Word.FASTER if is_better else Word.SLOWER
    return Word.BETTER if is_better else Word.WORSE


@pytest.mark.parametrize("suite", ["fill", "client", "enterprise", "mixes", "load-latency", "pts-tp"])
def test_every_word_of_a_comparison_follows_from_the_intervals(suite: str) -> None:
    base = with_first_round(planned_bundle(run_info(CAPACITY_BYTES), suite, "standard"))
    said: Counter[Word] = Counter()
    for number in NUMBERS:
        first = drawn_run(suite, number, base)
        # Of every second drive most numbers are about the same.
        other = beside(first, number, (1.5, 40)[number % 2])
        known, theirs = by_name(first.metrics), by_name(other.metrics)
        found = {
            row.metric: cell.word
            for row in compare([first, other], "*").rows
            for cell in row.others
            if cell is not None
        }
        both = [name for name, one in known.items() if is_known(one) and is_known(theirs[name])]
        assert found == {name: word_of(known[name], theirs[name]) for name in both}, number
        said.update(found.values())
    assert {Word.FASTER, Word.SLOWER, Word.LEVEL, Word.UNTOLD} <= said.keys()
