"""How pages show what they are told: commands as what they are, and nothing of a stranger as more than text."""

from hypothesis import given
from hypothesis import strategies as st

from ssdlab.web.pages import coded


def test_a_command_is_shown_as_code() -> None:
    assert coded("go on: `ssdlab resume <run>`, now") == "go on: <code>ssdlab resume &lt;run&gt;</code>, now"


def test_a_backtick_alone_is_text() -> None:
    assert coded("one ` of <them>") == "one ` of &lt;them&gt;"


@given(st.text(alphabet="`<>&\"'a "))
def test_no_text_is_more_than_code_and_text(told: str) -> None:
    shown = coded(told).replace("<code>", "").replace("</code>", "")
    assert "<" not in shown
    assert ">" not in shown
