"""The probes find at least what a research prototype of the model found, on drives of the same description."""

import pytest
from tests.probe_drives import Noise
from tests.probe_prototype import (
    FITS,
    PROTOTYPE_BLOCKS,
    PROTOTYPE_FITS,
    PROTOTYPE_SAID,
    SIGMAS,
    TRIALS,
    block_rate,
    fit_rate,
)
from tests.probe_prototype_drives import QUESTIONS, Question, right_of, said_of
from tests.probe_study import PAGE

from ssdlab.units import KIB

ASKED = [(question, noise) for question in QUESTIONS for noise in question.levels]


def test_units_and_channels_are_found_as_often_under_the_highest_noise() -> None:
    rate = fit_rate(max(SIGMAS))
    assert rate.wrong == 0
    assert rate.fits >= PROTOTYPE_FITS
    assert rate.right >= PROTOTYPE_SAID


def test_a_management_block_is_found_as_often_where_the_prototype_missed_one() -> None:
    block_bytes = 64 * KIB
    rate = block_rate(block_bytes, Noise.HIGH)
    assert rate.wrong == 0
    assert rate.right >= PROTOTYPE_BLOCKS[block_bytes][list(Noise).index(Noise.HIGH)]


@pytest.mark.parametrize(
    ("question", "noise"), ASKED, ids=[f"{one.probe} {noise.name.lower()}" for one, noise in ASKED]
)
def test_what_it_said_of_single_drives_is_found_too(question: Question, noise: Noise) -> None:
    answers = said_of(question, noise)
    assert right_of(question, answers) == len(question.drives), answers


def test_the_page_holds_no_rate_below_the_prototypes() -> None:
    """All levels of noise and all blocks take minutes: they are asked when the page is written."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines()]
    blocks = [row for row in rows if row[0].startswith("management block of ")]
    fits = [row for row in rows if row[0].startswith("unit and channels")]
    assert (len(blocks), len(fits)) == (len(PROTOTYPE_BLOCKS) * len(Noise), len(SIGMAS))
    for _, _, then, here in blocks:
        right, _, wrong = here.removesuffix(f" of {TRIALS}").split(" / ")
        assert int(right) >= int(then.removesuffix(f" of {TRIALS}"))
        assert wrong == "0"
    for *_, here in fits:
        said, best = here.split(", as best fits ")
        right, _, wrong = said.removesuffix(f" of {FITS}").split(" / ")
        assert int(right) >= PROTOTYPE_SAID
        assert int(best) >= PROTOTYPE_FITS
        assert wrong == "0"
