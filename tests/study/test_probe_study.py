"""The probes on drives whose inside is known: nothing of grade A is wrong, and most of what can be known is found."""

import pytest
from tests.kit.probe_drives import Noise
from tests.study.passed import Study, runs_whole
from tests.study.probe_study import ADVERSE_NUMBERS, JUDGED, NUMBERS, PAGE, Judged, Verdict, examine, examine_adverse

from ssdlab.probe.answer import Grade

WRONG = {Verdict.WRONG, Verdict.INVENTED}
DRIVES = [(3, Noise.LOW), (4, Noise.MIDDLE), (5, Noise.HIGH)]
OTHERS = [(number, noise) for number in NUMBERS for noise in Noise if (number, noise) not in DRIVES]


@pytest.fixture(scope="module")
def found() -> list[Judged]:
    return [one for number, noise in DRIVES for one in examine(number, noise)]


def test_no_answer_of_grade_a_is_wrong(found: list[Judged]) -> None:
    wrong = [one for one in found if one.verdict in WRONG and one.answer.grade is Grade.A]
    assert wrong == []


@pytest.mark.parametrize(
    ("number", "noise"),
    OTHERS if runs_whole(Study.PROBES) else OTHERS[:1],
    ids=lambda value: value.name.lower() if isinstance(value, Noise) else str(value),
)
def test_no_answer_of_grade_a_is_wrong_of_any_other_drive(number: int, noise: Noise) -> None:
    assert [one for one in examine(number, noise) if one.verdict in WRONG and one.answer.grade is Grade.A] == []


# The page examines all of them when it is drawn; a fifth takes four minutes.
@pytest.mark.parametrize("number", ADVERSE_NUMBERS[::5] if runs_whole(Study.PROBES) else ADVERSE_NUMBERS[:1])
def test_no_answer_of_grade_a_or_b_is_wrong_of_a_drive_that_is_hard_to_probe(number: int) -> None:
    found = examine_adverse(JUDGED, number).found
    wrong = [one for one in found if one.verdict in WRONG and one.answer.grade in {Grade.A, Grade.B}]
    assert (bool(found), wrong) == (True, [])


def test_intervals_hold_the_truth(found: list[Judged]) -> None:
    covered = [one.covered for one in found if one.covered is not None]
    assert len(covered) >= 8
    assert sum(covered) / len(covered) >= 0.9


def test_with_little_noise_a_drive_of_the_papers_kind_is_an_open_book(found: list[Judged]) -> None:
    verdicts = {one.name: one.verdict for one in found if one.drive == 3}
    asked = ("management_block.size", "placement.unit", "placement.channels", "placement.kind", "allocation.kind")
    assert [verdicts[name] for name in asked] == [Verdict.RIGHT] * len(asked)


def test_the_page_says_that_none_of_grade_a_is_wrong() -> None:
    assert "Answers of grade A that are wrong or invented: 0." in PAGE.read_text()


def test_the_page_says_how_many_drives_are_hard_to_probe_and_that_none_of_grade_a_or_b_is_wrong_there() -> None:
    text = PAGE.read_text()
    assert f"{len(ADVERSE_NUMBERS)} more drives" in text
    assert "wrong or invented: 0 of grade A, 0 of\nB" in text
