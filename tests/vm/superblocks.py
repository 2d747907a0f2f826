"""Writes the marks of bcache and ZFS, whose own programs would bring half a distribution: `superblocks.py bcache|zfs DEVICE`."""

import struct
import sys
from pathlib import Path

_BCACHE_MAGIC = bytes.fromhex("c68573f64e1a45ca8265f57f48ba6d81")
_CRC64_POLYNOMIAL = 0x42F0E1EBA9EA3693
_ALL = (1 << 64) - 1


def bcache() -> tuple[int, bytes]:
    """Offset and superblock of a backing device (include/uapi/linux/bcache.h)."""
    head = struct.pack("<QQ16s16s16s32sQQ64s", 8, 1, _BCACHE_MAGIC, b"d" * 16, b"s" * 16, b"", 0, 0, b"")
    body = head + struct.pack("<QHHHHIHH", 0, 1, 1024, 1, 0, 0, 0, 0)
    return 4096, struct.pack("<Q", _crc64(body)) + body


def _crc64(data: bytes) -> int:
    value = _ALL
    for byte in data:
        value ^= byte << 56
        for _ in range(8):
            value = (value << 1) ^ (_CRC64_POLYNOMIAL if value >> 63 else 0)
            value &= _ALL
    return value ^ _ALL


def zfs() -> tuple[int, bytes]:
    """Offset and uberblocks of a vdev label (module/zfs/vdev_label.c)."""
    return 128 << 10, b"".join(struct.pack("<QQ", 0x00BAB10C, 5000).ljust(1024, b"\0") for _ in range(128))


def main() -> None:
    """Write one."""
    offset, content = {"bcache": bcache, "zfs": zfs}[sys.argv[1]]()
    with Path(sys.argv[2]).open("r+b") as device:
        device.seek(offset)
        device.write(content)


if __name__ == "__main__":
    main()
