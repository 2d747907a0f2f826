"""Damaged copies of JLS files whose checksums are right, so that what reads them gets to see the damage.

A chunk is a header of 32 bytes, which ends with its CRC-32C, and a payload that is filled up to a multiple of 8 bytes, the last four of
them its CRC-32C (`include/jls/format.h` of jls 0.17).
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tests.kit.mutations import mutated

_FILE_BYTES = 32
_HEADER_BYTES = 32
_CRC = struct.Struct("<I")
_PAYLOAD_BYTES_AT = 20
_WIDTHS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class JlsChunk:
    """Where a chunk begins, how long its payload is, and where it ends."""

    begin: int
    payload_bytes: int

    @property
    def end(self) -> int:
        """Behind its checksum."""
        filled = (self.payload_bytes + _CRC.size + 7) // 8 * 8 if self.payload_bytes else 0
        return self.begin + _HEADER_BYTES + filled


def mutated_jls(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """A copy with something wrong with it: what its checksums tell, or what they do not."""
    if random.random() < 0.2:
        return mutated(content, others, random)
    made = bytearray(content)
    for chunk in random.choices(list(chunks(content))[:-1], k=random.randint(1, 3)):
        _damage(made, chunk, random)
    return sealed(made)


def sealed(content: bytes | bytearray) -> bytes:
    """The content with right checksums, as far as its chunks can be followed."""
    made = bytearray(content)
    _CRC.pack_into(made, _FILE_BYTES - 4, _crc32c(made[: _FILE_BYTES - 4]))
    for chunk in chunks(made):
        payload = chunk.begin + _HEADER_BYTES
        _CRC.pack_into(made, payload - 4, _crc32c(made[chunk.begin : payload - 4]))
        if chunk.payload_bytes:
            _CRC.pack_into(made, chunk.end - 4, _crc32c(made[payload : payload + chunk.payload_bytes]))
    return bytes(made)


def chunks(content: bytes | bytearray) -> Iterator[JlsChunk]:
    """As far as they can be followed."""
    at = _FILE_BYTES
    while at + _HEADER_BYTES <= len(content):
        chunk = JlsChunk(at, *_CRC.unpack_from(content, at + _PAYLOAD_BYTES_AT))
        at = chunk.end
        if at <= len(content):
            yield chunk


def _damage(made: bytearray, chunk: JlsChunk, random: Random) -> None:
    """Another number in a header, or anywhere in a chunk."""
    width = random.choice(_WIDTHS)
    end = chunk.begin + _HEADER_BYTES - 4 if random.random() < 0.5 else chunk.end
    at = random.randrange(chunk.begin, end - width + 1) // width * width
    was = int.from_bytes(made[at : at + width], "little")
    most = 1 << 8 * width
    number = random.choice((0, 1, most - 1, most // 2, random.randrange(most), was + 1, was - 1, was + 8, was - 8))
    made[at : at + width] = (number % most).to_bytes(width, "little")


def _table() -> Iterator[int]:
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        yield crc


_TABLE = tuple(_table())


def _crc32c(content: bytes | bytearray) -> int:
    crc = 0xFFFF_FFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFF_FFFF
