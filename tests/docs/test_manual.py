"""Manual pages say what the help says, in what `man` reads without a warning."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs"))
from sources import man  # noqa: E402 - from the directory of the documentation

MANUAL = ROOT / "packages" / "wheel" / "data" / "share" / "man" / "man1"


def test_there_is_a_page_for_ssdlab_and_one_for_each_command() -> None:
    assert {path.name for path in MANUAL.iterdir()} == man.pages().keys()
    assert man.pages().keys() > {"ssdlab.1", "ssdlab-run.1", "ssdlab-library-add.1"}


@pytest.mark.parametrize("page", sorted(MANUAL.iterdir()), ids=lambda page: page.name)
def test_man_shows_it_without_a_warning(page: Path) -> None:
    shown = subprocess.run(
        ["man", "--warnings", "--local-file", page],
        env=os.environ | {"LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "100"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert shown.stderr == ""
    assert "NAME" in shown.stdout
    assert page.stem in shown.stdout
