"""The host does not fall asleep during a run; a script stands in for systemd, which no test machine need have."""

from pathlib import Path

import pytest
from tests.kit.processes import wait_until

from ssdlab.lab.awake import awake

INHIBIT = """\
#!/bin/sh
printf '%s\\n' "$@" >'{0}/asked.new'
mv '{0}/asked.new' '{0}/asked'
cat
: >'{0}/ended'
"""


@pytest.fixture
def inhibit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `systemd-inhibit` that writes down what it is asked and when its input ends."""
    program = tmp_path / "systemd-inhibit"
    program.write_text(INHIBIT.format(tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def test_a_lock_is_held_until_the_run_ends(inhibit: Path) -> None:
    with awake(systemd=inhibit):
        wait_until((inhibit / "asked").exists, "the lock is asked for")
        assert not (inhibit / "ended").exists()
    wait_until((inhibit / "ended").exists, "the lock is given back")
    assert "--what=sleep:idle:handle-lid-switch\n--who=ssdlab\n" in (inhibit / "asked").read_text()


def test_without_systemd_nothing_is_asked(inhibit: Path) -> None:
    with awake(systemd=inhibit / "absent"):
        assert not (inhibit / "asked").exists()
