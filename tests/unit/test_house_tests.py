"""Where tests stand: helpers are apart from tests, and `tests/unit` runs nothing."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))
_OTHER_TESTS = re.compile(r"^from tests(?:\.\w+)* import .*\btest_|^from tests\.\w+\.test_", re.MULTILINE)
_OTHER_TESTS_ALLOWED = {"test_vm_lanes.py"}
"""It is about the files of tests themselves."""
_RUNS = re.compile(
    r"\bexecute\(.*model|open_bench\(f?\"model:|_core\.ModelDrive\(|\bwrite_report\(|\bbrowser\(\)|start_vdrive"
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_tests_import_no_other_file_of_tests(file: Path) -> None:
    if file.name not in _OTHER_TESTS_ALLOWED:
        assert _OTHER_TESTS.findall(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("file", [file for file in FILES if file.parent.name == "unit"], ids=lambda file: file.name)
def test_unit_tests_run_no_drive_and_write_no_page(file: Path) -> None:
    if file != Path(__file__):
        assert _RUNS.findall(file.read_text(encoding="utf-8")) == []


def test_every_test_stands_in_a_room() -> None:
    rooms = {file.parent.relative_to(TESTS).as_posix() for file in FILES}
    assert rooms == {"unit", "model", "page", "docs", "study", "fio", "loop", "vm"}
