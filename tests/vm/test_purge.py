"""Purging NVMe drives: by a format that the kernel and the drive really do, and seeing through one that did nothing."""

from collections.abc import Iterator

import pytest
from inline_snapshot import snapshot
from tests.vm.disks import SIZE_BYTES
from tests.vm.guest import SSDLAB, Guest

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

LIAR = """\
#!/bin/sh
case $1 in
    format) echo 'Success formatting namespace:1' ;;
    *) exec /usr/sbin/nvme "$@" ;;
esac
"""
PURGE = f"{SSDLAB} purge /dev/nvme0n1 --erase NVME-ONE"
BLOCK_BYTES = "cat /sys/block/nvme0n1/queue/logical_block_size"


@pytest.fixture
def written(machine: Guest) -> Iterator[Guest]:
    """A machine whose first drive has something on it everywhere, and is empty again at the end."""
    (machine.share / "full").write_bytes(b"x" * SIZE_BYTES)
    machine.must("dd if=/mnt/full of=/dev/nvme0n1 bs=1M oflag=direct status=none")
    yield machine
    machine.must("blkdiscard --zeroout /dev/nvme0n1")


def test_a_format_empties_the_drive_and_is_proven(written: Guest) -> None:
    assert written.must(PURGE) == snapshot(
        "NVMe format with user-data erase; of 4,096 sampled blocks that were written before, all read as zeros"
    )
    assert written.must(f"cmp -n {SIZE_BYTES} /dev/nvme0n1 /dev/zero && echo all zeros") == "all zeros"


def test_a_format_that_erased_nothing_is_found_out(written: Guest) -> None:
    (written.share / "liar").mkdir(exist_ok=True)
    (written.share / "liar/nvme").write_text(LIAR)
    (written.share / "liar/nvme").chmod(0o755)
    ended = written.run(f"PATH=/mnt/liar:$PATH {PURGE}")
    assert (ended.status, ended.stdout, ended.stderr) == snapshot(
        (
            1,
            "",
            """\
error: the purge erased nothing: `/dev/nvme0n1` reported success of its NVMe format with user-data erase, and of 4,096 sampled blocks that were written before, all still hold what was written before

hint: what it offers: `/dev/nvme0n1?purge=discard`
""",
        )
    )


def test_a_format_gives_blocks_another_size_and_back(written: Guest) -> None:
    written.must(f"{PURGE} --block-size 4KiB")
    assert written.must(BLOCK_BYTES) == "4096"
    written.must(f"{PURGE} --block-size 512B")
    assert written.must(BLOCK_BYTES) == "512"


def test_discard_is_taken_if_it_is_asked_for(written: Guest) -> None:
    assert written.must(PURGE.replace("nvme0n1", "nvme0n1?purge=discard")) == snapshot(
        "discard of the whole drive (as it was asked for); of 4,096 sampled blocks that were written before, all read as zeros"
    )
