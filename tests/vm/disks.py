"""Drives of a guest as QEMU's arguments, and what stores their bytes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.kit.nbd_peer import Server

SIZE_BYTES = 256 << 20
"""A btrfs over two drives needs that much."""


def empty_file(path: Path, size_bytes: int = SIZE_BYTES) -> str:
    """Storage of a small drive that nothing was ever written to."""
    with path.open("wb") as new:
        new.truncate(size_bytes)
    return str(path)


@contextmanager
def served(spec: str, directory: Path) -> Iterator[Server]:
    """A virtual drive with `SPEC?capacity=...` that outlives the machines it is plugged into."""
    path, control = directory / "nbd", directory / "control"
    command: list[str | Path] = [
        *("setpriv", "--pdeathsig", "KILL", Path(sys.executable).with_name("ssdlab"), "vdrive", "serve", spec),
        *("--socket", path, "--control", control),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            word, _, uri = process.stdout.readline().strip().partition(" ")
            assert word == "ready", process.communicate()[1]
            yield Server(uri, path, control, process)
        finally:
            process.kill()


class Disk(Protocol):
    """A drive that a guest is started with."""

    @property
    def name(self) -> str:
        """By which QEMU knows it."""

    def arguments(self) -> list[str]:
        """What QEMU must be told."""


def _stored(name: str, storage: str) -> list[str]:
    return ["-drive", f"file={storage},format=raw,if=none,discard=unmap,id={name}-store"]


@dataclass(frozen=True, slots=True)
class NvmeDisk:
    """An NVMe drive with one namespace.

    Attributes:
        storage: A file, or the NBD URI of a virtual drive.
    """

    serial: str
    storage: str
    block_bytes: int = 512

    @property
    def name(self) -> str:
        return f"nvme-{self.serial}"

    @property
    def properties(self) -> dict[str, str | int]:
        """As QEMU calls them."""
        block = {"logical_block_size": self.block_bytes, "physical_block_size": self.block_bytes}
        return {"driver": "nvme", "id": self.name, "serial": self.serial, "drive": f"{self.name}-store", **block}

    def arguments(self) -> list[str]:
        return [*_stored(self.name, self.storage), "-device", json.dumps(self.properties)]


@dataclass(frozen=True, slots=True)
class SataDisk:
    """A SATA drive on the guest's AHCI controller."""

    serial: str
    storage: str
    port: int

    @property
    def name(self) -> str:
        return f"sata-{self.serial}"

    def arguments(self) -> list[str]:
        device = f"ide-hd,id={self.name},bus=ahci.{self.port},serial={self.serial},drive={self.name}-store"
        return [*_stored(self.name, self.storage), "-device", device]


@dataclass(frozen=True, slots=True)
class HostDisk:
    """The guest's own disk, which outlives the machine.

    Attributes:
        storage: A file, or the NBD URI of a virtual drive.
    """

    storage: str

    @property
    def name(self) -> str:
        return "own"

    def arguments(self) -> list[str]:
        device = f"virtio-blk-pci,id={self.name},serial={self.name},drive={self.name}-store"
        return [*_stored(self.name, self.storage), "-device", device]
