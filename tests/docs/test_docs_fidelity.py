"""Each requirement of the sources is done and held by a test, done otherwise with a reason, or left to a feature to come."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def rows() -> Iterator[list[Any]]:
    sys.path.insert(0, str(ROOT / "docs"))
    from sources import fidelity

    yield [row for source in fidelity.sources() for row in source.row]
    sys.path.remove(str(ROOT / "docs"))


def test_no_requirement_is_lost(rows: list[Any]) -> None:
    assert [row.number for row in rows] == list(range(1, 183))


def test_every_file_symbol_and_test_that_a_row_names_is_there(rows: list[Any]) -> None:
    assert [fault for row in rows for fault in row.faults()] == []


def test_what_is_done_says_where_and_what_holds_it_and_all_else_says_why(rows: list[Any]) -> None:
    for row in rows:
        assert row.state != "yes" or (row.where and row.tests), row.number
        assert row.state == "yes" or len(row.because.split()) > (4 if row.state == "ours" else 0), row.number


def test_a_row_that_names_what_is_not_there_is_found_out(rows: list[Any]) -> None:
    lost = rows[0].model_copy(
        update={"where": ("src/ssdlab/nowhere.py",), "tests": ("tests/unit/test_words.py:test_of_nothing",)}
    )
    assert lost.faults() == ["row 1: src/ssdlab/nowhere.py", "row 1: tests/unit/test_words.py:test_of_nothing"]


def test_what_comes_later_is_left_to_a_feature_that_is_named(rows: list[Any]) -> None:
    features = (
        "open-loop latency",
        "workload mixes",
        "traces",
        "power",
        "figures' layout",
        "facts stated by the operator",
    )
    assert [row.number for row in rows if row.state == "later" and not row.because.startswith(features)] == []
