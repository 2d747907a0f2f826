"""A share of the flips that `python -m tests.model.bit_flips` does in bundles of all kinds."""

from pathlib import Path

from tests.model.bit_flips import OLD, SMALL, Outcome, run_flips


def test_no_flipped_bit_changes_a_number_without_a_word(tmp_path: Path) -> None:
    result = run_flips(SMALL, 300, 7, tmp_path)
    assert result.bad == ()
    assert sum(result.outcomes.values()) == 300


def test_a_flipped_bit_of_an_old_bundle_is_never_a_traceback(tmp_path: Path) -> None:
    result = run_flips(OLD, 60, 7, tmp_path)
    assert [text for text in result.bad if Outcome.TRACEBACK.value in text] == []
