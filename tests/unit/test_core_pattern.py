"""Data that says where and when it was written, through the binding; its properties are tested in `crates/pattern`."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab import _core

SECTOR = _core.PATTERN_SECTOR_BYTES
SEEDS = st.integers(0, 2**64 - 1)
GENERATIONS = st.integers(0, 2**32 - 1)
SECTORS = st.integers(0, 2**50)


def made(sectors: int, seed: int, generation: int, offset_bytes: int) -> bytearray:
    buffer = bytearray(sectors * SECTOR)
    _core.pattern_fill(buffer, seed, generation, offset_bytes)
    return buffer


def said(buffer: bytes | bytearray | memoryview, seed: int, generation: int, offset_bytes: int) -> list[object]:
    """Every finding with what its kind tells of it."""
    return [
        (one.offset_bytes, one.length_bytes, one.kind, one.generation, one.origin_offset_bytes, one.wrong_bits)
        for one in _core.pattern_check(buffer, seed, generation, offset_bytes)
    ]


@given(SEEDS, GENERATIONS, SECTORS, st.integers(0, 20))
def test_what_was_made_is_in_order(seed: int, generation: int, first: int, sectors: int) -> None:
    buffer = made(sectors, seed, generation, first * SECTOR)
    assert said(buffer, seed, generation, first * SECTOR) == []
    assert said(bytes(buffer), seed, generation, first * SECTOR) == []


@given(SEEDS, GENERATIONS, SECTORS, SECTORS)
def test_data_of_another_place_names_its_place(seed: int, generation: int, here: int, there: int) -> None:
    buffer = made(2, seed, generation, there * SECTOR)
    elsewhere = (here * SECTOR, 2 * SECTOR, "elsewhere", generation, there * SECTOR, None)
    assert said(buffer, seed, generation, here * SECTOR) == ([] if here == there else [elsewhere])


@given(SEEDS, GENERATIONS, GENERATIONS, SECTORS)
def test_data_of_another_pass_names_its_pass(seed: int, written: int, expected: int, first: int) -> None:
    buffer = made(3, seed, written, first * SECTOR)
    stale = (first * SECTOR, 3 * SECTOR, "stale", written, None, None)
    assert said(buffer, seed, expected, first * SECTOR) == ([] if written == expected else [stale])


@given(SEEDS, SECTORS, st.integers(0, 4 * SECTOR * 8 - 1))
def test_a_flipped_bit_is_found_in_its_sector(seed: int, first: int, bit: int) -> None:
    buffer = made(4, seed, 1, first * SECTOR)
    buffer[bit // 8] ^= 1 << bit % 8
    sector = first + bit // 8 // SECTOR
    assert said(buffer, seed, 1, first * SECTOR) == [(sector * SECTOR, SECTOR, "corrupted", None, None, 1)]


def test_zeros_and_the_data_of_others_are_told_apart() -> None:
    assert said(bytes(2 * SECTOR) + b"other" * 512, 1, 1, 0) == [
        (0, 2 * SECTOR, "zero", None, None, None),
        (2 * SECTOR, 5 * SECTOR, "foreign", None, None, None),
    ]


def test_a_part_of_a_buffer_is_filled_in_place() -> None:
    buffer = bytearray(4 * SECTOR)
    _core.pattern_fill(memoryview(buffer)[SECTOR : 3 * SECTOR], 1, 1, SECTOR)
    assert buffer == bytes(SECTOR) + made(2, 1, 1, SECTOR) + bytes(SECTOR)


def test_deflate_gains_nothing() -> None:
    assert len(zlib.compress(made(2048, 0, 0, 0), 9)) > 2048 * SECTOR


def test_what_cannot_be_filled_is_refused() -> None:
    with pytest.raises(ValueError, match="multiples of 512 bytes"):
        _core.pattern_fill(bytearray(100), 1, 1, 0)
    with pytest.raises(ValueError, match="multiples of 512 bytes"):
        _core.pattern_check(bytes(512), 1, 1, 256)
    with pytest.raises(BufferError):
        _core.pattern_fill(bytes(512), 1, 1, 0)
