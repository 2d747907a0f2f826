"""Figures speak the language they are drawn in."""

import pytest

from ssdlab.figure.kit.say import HANGUL_FONT, drawn_in, font, say
from ssdlab.figure.kit.subject import state_message
from ssdlab.job import DriveState
from ssdlab.message import message
from ssdlab.words import Language

TITLE = message("figure-over-bytes-title")


def test_a_figure_is_english_unless_it_is_drawn_in_another_language() -> None:
    assert say(TITLE) == "Bandwidth over bytes written"
    with drawn_in(Language.KOREAN):
        assert say(TITLE) == "쓴 양에 따른 대역폭"
    assert say(TITLE) == "Bandwidth over bytes written"


def test_the_language_ends_with_its_figures_even_if_one_fails() -> None:
    with pytest.raises(ZeroDivisionError), drawn_in(Language.KOREAN):
        raise ZeroDivisionError
    assert say(TITLE) == "Bandwidth over bytes written"


def test_a_korean_figure_names_fonts_with_hangul() -> None:
    assert HANGUL_FONT not in font()
    with drawn_in(Language.KOREAN):
        assert HANGUL_FONT in font()


@pytest.mark.parametrize("state", DriveState, ids=lambda state: state.name)
def test_every_state_of_a_drive_has_its_words(state: DriveState) -> None:
    assert str(state_message(state)) == state.value
    with drawn_in(Language.KOREAN):
        assert say(state_message(state))
