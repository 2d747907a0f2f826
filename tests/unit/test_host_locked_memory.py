"""What of its memory a process may lock: the limit of its user, and none for whoever has the capability."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from ssdlab.host.locked_memory import locked_bytes_max


@pytest.fixture
def limited_to_64_kib() -> Iterator[int]:
    before = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (64 << 10, before[1]))
    yield 64 << 10
    resource.setrlimit(resource.RLIMIT_MEMLOCK, before)


def status(directory: Path, capabilities: str) -> Path:
    path = directory / "status"
    path.write_text(f"Name:\tpython3\nCapPrm:\t000001ffffffffff\nCapEff:\t{capabilities}\n")
    return path


def test_an_ordinary_user_has_the_limit(limited_to_64_kib: int, tmp_path: Path) -> None:
    assert locked_bytes_max(status(tmp_path, "0000000000000000")) == limited_to_64_kib
    # All but CAP_IPC_LOCK.
    assert locked_bytes_max(status(tmp_path, "000001ffffffbfff")) == limited_to_64_kib


@pytest.mark.usefixtures("limited_to_64_kib")
def test_whoever_may_lock_memory_has_none(tmp_path: Path) -> None:
    assert locked_bytes_max(status(tmp_path, "0000000000004000")) is None


def test_a_kernel_that_does_not_tell_capabilities_has_the_limit(limited_to_64_kib: int, tmp_path: Path) -> None:
    (tmp_path / "status").write_text("Name:\tpython3\n")
    assert locked_bytes_max(tmp_path / "status") == limited_to_64_kib


@pytest.mark.usefixtures("limited_to_64_kib")
def test_this_process_is_told_one_of_both() -> None:
    assert locked_bytes_max() in {None, 64 << 10}
