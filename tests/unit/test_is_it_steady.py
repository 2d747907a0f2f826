"""The page about steadiness says what the code finds, as far as can be seen in seconds."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "concepts" / "is-it-steady.md"


def test_the_first_drive_is_as_the_page_says() -> None:
    command = [sys.executable, str(ROOT / "docs" / "is_it_steady.py"), "--check", "1"]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert (checked.stdout, checked.stderr) == ("1 drives are as the page says\n", "")


def test_a_page_that_says_otherwise_is_found(tmp_path: Path) -> None:
    script = (ROOT / "docs" / "is_it_steady.py").read_text()
    (tmp_path / "is_it_steady.py").write_text(script)
    (tmp_path / "sources").symlink_to(ROOT / "docs" / "sources")
    (tmp_path / "concepts").mkdir()
    (tmp_path / "concepts" / PAGE.name).write_text("| 0 | something else |\n")
    command = [sys.executable, str(tmp_path / "is_it_steady.py"), "--check", "1"]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert checked.returncode == 1
    assert checked.stderr.startswith("error: is-it-steady.md says otherwise of drive 0; now it is | 0 |")


def test_the_promise_is_kept_on_the_page() -> None:
    lines = PAGE.read_text().splitlines()
    summary = next(line for line in lines if line.startswith("| window |"))
    _, _, says_steady, off_3, off_10, *_ = (cell.strip() for cell in summary.split("|"))
    steady, drives = map(int, re.findall(r"\d+", says_steady))
    assert drives >= 60
    assert (steady - int(off_3)) * 60 >= 57 * drives
    assert int(off_10) == 0
