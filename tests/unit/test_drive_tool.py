"""Where the programs that know drives are looked for."""

from pathlib import Path

import pytest

from ssdlab.drive import tool
from ssdlab.drive.tool import ToolOutput, ask
from ssdlab.message import message
from ssdlab.unknown import Unknown


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's directory of an `nvme` that answers; PATH is that of a user who has none."""
    system = tmp_path / "sbin"
    system.mkdir()
    program = system / "nvme"
    program.write_text("#!/bin/sh\necho answered\n")
    program.chmod(0o755)
    monkeypatch.setattr(tool, "_SYSTEM_PATH", str(system))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return system


def test_a_program_is_found_where_only_root_looks(elsewhere: Path) -> None:
    assert ask("nvme") == ToolOutput(0, "answered\n", "")


def test_one_that_is_nowhere_is_named_with_its_package(elsewhere: Path) -> None:
    assert ask("smartctl") == Unknown(message("unknown-not-installed", program="smartctl", package="smartmontools"))
