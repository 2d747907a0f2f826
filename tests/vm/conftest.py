"""Machines for the tests that need a booted kernel, and what is on the bench in them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.vm.disks import NvmeDisk, SataDisk, empty_file
from tests.vm.guest import Guest, booted


@contextmanager
def short_directory() -> Iterator[Path]:
    """A directory whose name is short enough for sockets."""
    path = Path(tempfile.mkdtemp(prefix="ssdlab-vm-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


@pytest.fixture
def place() -> Iterator[Path]:
    """For the files of one machine."""
    with short_directory() as path:
        yield path


@pytest.fixture(scope="session")
def machine() -> Iterator[Guest]:
    """The machine of all tests that leave it as they found it."""
    with short_directory() as path:
        disks = (
            NvmeDisk("NVME-ONE", empty_file(path / "nvme-one")),
            NvmeDisk("NVME-4K", empty_file(path / "nvme-4k"), block_bytes=4096),
            SataDisk("SATA-ONE", empty_file(path / "sata-one"), port=0),
        )
        with booted(path, disks) as guest:
            yield guest
