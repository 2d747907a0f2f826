"""Clients that others wrote agree with the server."""

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import WRITE, Server

pytestmark = pytest.mark.fio

MIB = 1 << 20


def run(*command: str | Path) -> str:
    finished = subprocess.run(command, check=False, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def sparse_image(path: Path, size_bytes: int) -> bytes:
    """Incompressible data with a hole in its middle, so that copying has both to carry."""
    part = hashlib.shake_128(b"image").digest(size_bytes // 4)
    content = part + bytes(size_bytes // 2) + part
    path.write_bytes(content)
    return content


def test_nbdinfo_sees_size_block_sizes_and_abilities(nbd_server: Callable[[str], Server]) -> None:
    (export,) = json.loads(run("nbdinfo", "--no-content", "--json", nbd_server("zero?capacity=64MiB").uri))["exports"]
    assert export["export-size"] == 64 * MIB
    assert [export[f"block_size_{name}"] for name in ("minimum", "preferred", "maximum")] == [512, 4096, 32 * MIB]
    able = {name for name in export if name.startswith(("can_", "is_")) and export[name]}
    assert able >= {"can_df", "can_flush", "can_fua", "can_multi_conn", "can_trim", "can_zero"}
    assert not able & {"is_read_only", "can_cache", "can_fast_zero"}
    assert "base:allocation" in export["contexts"]


def test_nbdinfo_lists_the_drive_and_the_export_that_forces_its_writes(nbd_server: Callable[[str], Server]) -> None:
    exports = json.loads(run("nbdinfo", "--list", "--json", nbd_server("zero?capacity=64MiB").uri))["exports"]
    assert [export["export-name"] for export in exports] == ["", "forced"]


def test_the_map_shows_holes_and_data(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("zero?capacity=64MiB")
    with server.connect() as client:
        assert client.call(WRITE, MIB, MIB, b"\x01" * MIB) == 0
    extents = json.loads(run("nbdinfo", "--map", "--json", server.uri))
    found = [(extent["offset"], extent["length"], extent["description"]) for extent in extents]
    assert found == [(0, MIB, "hole,zero"), (MIB, MIB, "data"), (2 * MIB, 62 * MIB, "hole,zero")]


def test_nbdcopy_round_trip_is_identical_and_keeps_the_hole(
    nbd_server: Callable[[str], Server], tmp_path: Path
) -> None:
    server = nbd_server("zero?capacity=64MiB")
    content = sparse_image(tmp_path / "image", 64 * MIB)
    run("nbdcopy", tmp_path / "image", server.uri)
    assert server.ask('{"do":"info"}')["stored_bytes"] == 32 * MIB
    run("nbdcopy", server.uri, tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == content


def test_qemu_img_converts_and_compares(nbd_server: Callable[[str], Server], tmp_path: Path) -> None:
    server = nbd_server("zero?capacity=64MiB")
    content = sparse_image(tmp_path / "image", 64 * MIB)
    run("qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", tmp_path / "image", server.uri)
    assert "identical" in run("qemu-img", "compare", "-f", "raw", "-F", "raw", tmp_path / "image", server.uri)
    run("qemu-img", "convert", "-f", "raw", "-O", "raw", server.uri, tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == content
