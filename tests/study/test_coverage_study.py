"""Coverage is counted as the page says."""

from tests.study.coverage_study import PACES, PAGE, Found, coverage, page, without_interval

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


def test_the_page_has_every_drive() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| {pace} |" in text for pace in PACES)
    assert "Rates without an interval: none." in text
