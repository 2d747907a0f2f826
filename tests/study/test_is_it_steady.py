"""The page about steadiness says what the code finds, as far as can be seen in seconds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.study.passed import Study, runs_whole
from tests.study.steady_study import Verdict

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "concepts" / "is-it-steady.md"


@pytest.mark.timeout(3600)
def test_drives_are_as_the_page_says() -> None:
    count = "64" if runs_whole(Study.STEADINESS) else "1"
    command = [sys.executable, str(ROOT / "docs" / "is_it_steady.py"), "--check", count]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=3590, check=False)
    assert (checked.stdout, checked.stderr) == (f"{count} drives are as the page says\n", "")


@pytest.mark.timeout(3600)
def test_a_page_that_says_otherwise_is_found(tmp_path: Path) -> None:
    script = (ROOT / "docs" / "is_it_steady.py").read_text()
    (tmp_path / "is_it_steady.py").write_text(script)
    (tmp_path / "sources").symlink_to(ROOT / "docs" / "sources")
    (tmp_path / "concepts").mkdir()
    (tmp_path / "concepts" / PAGE.name).write_text("| 0 | something else |\n")
    command = [sys.executable, str(tmp_path / "is_it_steady.py"), "--check", "1"]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=3590, check=False)
    assert checked.returncode == 1
    assert checked.stderr.startswith("error: is-it-steady.md says otherwise of drive 0; now it is | 0 |")


def test_the_promise_is_kept_on_the_page() -> None:
    lines = PAGE.read_text().splitlines()
    summary = next(line for line in lines if line.startswith("| held |"))
    _, _, says_steady, off_3, off_10, *_ = (cell.strip() for cell in summary.split("|"))
    steady, drives = map(int, re.findall(r"\d+", says_steady))
    assert drives >= 60
    assert (steady - int(off_3)) * 60 >= 57 * drives
    assert int(off_10) == 0


def test_at_most_one_hard_drive_of_sixty_is_far_off_and_nothing_says_so() -> None:
    lines = PAGE.read_text().splitlines()
    verdicts = {one.value: next(line for line in lines if line.startswith(f"| {one.value} |")) for one in Verdict}
    counts = {value: int(line.split("|")[2]) for value, line in verdicts.items()}
    assert sum(counts.values()) >= 60
    assert counts[Verdict.UNSAID.value] <= 1
