"""The verdict on hot and cold data against random drives that keep them apart or do not."""

from functools import cache

import pytest
from tests.study.passed import Study, runs_whole
from tests.study.separation_study import DRIVES, PAGE, Finding, Outcome, examine, row
from tests.study.stream_drives import stream_drive

FEW = range(DRIVES) if runs_whole(Study.SEPARATION) else range(4)
RIGHT_MIN = 38


@cache
def finding(number: int) -> Finding:
    return examine(number)


def rows_of_the_page() -> list[list[str]]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [cells for cells in rows if cells[0].isdigit()]


@pytest.mark.parametrize("number", FEW)
def test_no_verdict_of_the_best_grade_is_wrong(number: int) -> None:
    found = finding(number)
    assert found.outcome is not Outcome.WRONG or found.grade != "A"


@pytest.mark.parametrize("number", FEW)
def test_speed_implies_what_the_counters_count_within_10_percent(number: int) -> None:
    found = finding(number)
    assert found.counted is not None
    assert found.implied == pytest.approx(found.counted, rel=0.10)


@pytest.mark.parametrize("number", FEW)
def test_the_page_says_what_is_found(number: int) -> None:
    assert row(finding(number)) in PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_drive_and_at_least_38_of_40_are_right() -> None:
    rows = rows_of_the_page()
    assert [int(cells[0]) for cells in rows] == list(range(DRIVES))
    assert sum(cells[-1] == Outcome.RIGHT.value for cells in rows) >= RIGHT_MIN
    assert [cells for cells in rows if cells[-1] == Outcome.WRONG.value and cells[-2] == "A"] == []


def test_half_of_the_drives_keep_hot_and_cold_data_apart_and_each_is_always_the_same() -> None:
    streams = [stream_drive(number).streams for number in range(DRIVES)]
    assert (streams.count(1), streams.count(2)) == (DRIVES // 2, DRIVES // 2)
    assert stream_drive(7) == stream_drive(7)
