"""Whatever stands in a file of strangers, nothing of it steers the terminal: of every reader's samples, with marks in all of their texts."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ssdlab import cli

DATA = Path(__file__).parent.parent / "data"
SAMPLES = sorted(
    path
    for folder in (DATA / "foreign", DATA / "fio-3.33" / "audit")
    for path in folder.rglob("*")
    if path.is_file() and path.suffix in {".txt", ".json", ".xml", ".csv", ".log"} and path.stat().st_size < 200_000
)
MARKS = ("\x1b[2J", "\x1b]0;x\x07", "\x9b31m", "\u202e", "\u2066", "\r", "\b", "\u2028")
_STEERS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_WORD = re.compile(r"[A-Za-z][A-Za-z ._-]{2,}[A-Za-z]")


def assert_steers_nothing(text: str) -> None:
    odd = {letter for letter in text if unicodedata.category(letter) in _STEERS} - {"\n", "\t"}
    assert not odd, sorted(odd)


def shown_of(folder: Path, name: str, content: bytes) -> str:
    """All that the command line says when the file is taken in and looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    lab = folder / "lab"
    taken = CliRunner().invoke(cli.app, ["import", str(path), "--lab", str(lab), "--model", "m\x1b[2J\u202e"])
    said = taken.output
    for run in sorted((lab / "runs").glob("*")) if lab.exists() else ():
        said += CliRunner().invoke(cli.app, ["show", str(run)]).output
    return said


def marked(text: str, place: int, mark: str) -> str:
    """The text with a mark inside one of its words: a name, a model, a unit, a key."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = words[place % len(words)]
    return text[: word.end() - 1] + mark + text[word.end() - 1 :]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
@settings(deadline=None, max_examples=3)
@given(data=st.data())
def test_no_text_of_a_foreign_file_steers_the_terminal(
    sample: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = sample.read_bytes().decode("utf-8", "replace")
    for mark in data.draw(st.lists(st.sampled_from(MARKS), min_size=1, max_size=3)):
        text = marked(text, data.draw(st.integers(0, 400)), mark)
        if sample.suffix == ".json":
            text = text.replace(mark, "".join(f"\\u{ord(letter):04x}" for letter in mark))
    shown = shown_of(tmp_path_factory.mktemp("marked"), f"\x1b[31m\u202e{sample.name}", text.encode())
    assert_steers_nothing(shown)
