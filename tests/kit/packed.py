"""Packed files that need no program to be made."""

SKIPPED_FRAME = b"\x50\x2a\x4d\x18\x04\0\0\0" + b"pzst"
"""A frame of Zstandard that is to be passed over, as programs begin that pack in parallel."""


def zstandard(content: bytes) -> bytes:
    """A frame of Zstandard (RFC 8878) whose blocks are stored as they are."""
    blocks = [content[at : at + 65536] for at in range(0, len(content), 65536)]
    framed = [
        ((at == len(blocks) - 1) | (len(block) << 3)).to_bytes(3, "little") + block for at, block in enumerate(blocks)
    ]
    return b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little") + b"".join(framed)
