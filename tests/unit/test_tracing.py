"""An instance of the kernel's tracing: why there is none, in words, and that none is left behind."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ssdlab.host import tracing_guard
from ssdlab.host.kernel import Kernel
from ssdlab.host.tracing import TracingError, tracing


def mounted(sysfs: Path) -> Path:
    """A tracefs that has events of block devices; the directory of its instances."""
    (sysfs / "kernel/tracing/events/block").mkdir(parents=True)
    (sysfs / "kernel/tracing/instances").mkdir()
    return sysfs / "kernel/tracing/instances"


def refused(sysfs: Path) -> TracingError:
    with pytest.raises(TracingError) as error, tracing(Kernel(sysfs)):
        pass
    assert error.value.hints
    return error.value


def test_a_kernel_without_tracing_is_told_from_one_whose_tracefs_is_not_mounted(tmp_path: Path) -> None:
    assert str(refused(tmp_path)) == "this kernel cannot trace"
    (tmp_path / "kernel/tracing").mkdir(parents=True)
    found = refused(tmp_path)
    assert str(found) == f"tracefs is not mounted at `{tmp_path}/kernel/tracing`"
    assert str(found.hints[0]) == f"`mount -t tracefs tracefs {tmp_path}/kernel/tracing`"


def test_a_locked_down_kernel_says_so(tmp_path: Path) -> None:
    (tmp_path / "kernel/security").mkdir(parents=True)
    (tmp_path / "kernel/security/lockdown").write_text("none integrity [confidentiality]\n")
    assert "locked down" in str(refused(tmp_path))


def test_a_kernel_that_traces_no_block_devices_says_so(tmp_path: Path) -> None:
    (tmp_path / "kernel/tracing/instances").mkdir(parents=True)
    assert str(refused(tmp_path)) == "this kernel does not trace what block devices do"


def test_what_a_killed_recording_left_goes_and_what_lives_stays(tmp_path: Path) -> None:
    instances = mounted(tmp_path)
    for name in ("ssdlab-left", "ssdlab-alive", "of-others"):
        (instances / name).mkdir()
    alive = os.open(instances / "ssdlab-alive", os.O_RDONLY)
    try:
        fcntl.flock(alive, fcntl.LOCK_EX)
        # A directory that no kernel fills has no clock to be set.
        with pytest.raises(FileNotFoundError), tracing(Kernel(tmp_path)):
            pass
    finally:
        os.close(alive)
    assert {path.name for path in instances.iterdir()} == {"ssdlab-alive", "of-others"}


def test_an_instance_goes_when_nobody_is_left_who_held_it(tmp_path: Path) -> None:
    instance = tmp_path / "ssdlab-1"
    instance.mkdir()
    command = [sys.executable, "-I", "-S", str(tracing_guard.__file__), str(instance)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as guard:
        assert guard.stdin is not None
        guard.stdin.close()
        assert guard.wait(60) == 0
    assert not instance.exists()
