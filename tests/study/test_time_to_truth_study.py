"""A sample of "How long is long enough?": the page says of these drives what comes of them now."""

import pytest
from tests.study.time_to_truth_study import PAGE, Population, Rule, points_of, rhythmic_series, row, studied

from sources.markdown import table


@pytest.mark.parametrize(
    ("population", "number"),
    [(Population.RHYTHMIC, 0), (Population.RHYTHMIC, 17), (Population.RHYTHMIC, 3), (Population.MODEL, 2)],
)
def test_the_page_is_true_of_a_drive(population: Population, number: int) -> None:
    line = table(("",), [row(studied(population, number))]).splitlines()[-1]
    assert line in PAGE.read_text()


def test_where_a_rhythm_is_known_its_intervals_hold_and_those_of_the_naive_rule_do_not() -> None:
    found = points_of(rhythmic_series(10))
    holds = {rule: sum(one.holds for one in points) for rule, points in found.items()}
    assert holds[Rule.ADAPTIVE] == len(found[Rule.ADAPTIVE])
    assert holds[Rule.NAIVE] < len(found[Rule.NAIVE]) / 2
