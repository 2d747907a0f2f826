"""Marks that a purge must have erased."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.drive.access import DriveError
from ssdlab.drive.samples import SAMPLES, Seen, look, sampled, write_marks

CAPACITY = 8 << 20


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    path = tmp_path / "drive"
    path.write_bytes(bytes(CAPACITY))
    return path


@given(blocks=st.integers(8, 10**12), seed=st.integers(0, 2**64), logical=st.sampled_from([512, 4096, 8192]))
def test_samples_are_spread_over_the_whole_drive(blocks: int, seed: int, logical: int) -> None:
    capacity = blocks * logical
    samples = sampled(capacity, logical, seed, 64)
    gaps = [high - low for low, high in zip(samples.offsets, samples.offsets[1:], strict=False)]
    assert samples.offsets[-1] + samples.size_bytes == capacity
    assert samples.offsets[0] == 0 or len(samples.offsets) == 1
    assert all(offset % logical == 0 for offset in samples.offsets)
    assert all(gap >= samples.size_bytes for gap in gaps)
    assert len(samples.offsets) == min(64, 1 + (capacity - samples.size_bytes) // samples.size_bytes)
    assert all(gap <= 2 * (capacity // 63 + samples.size_bytes) for gap in gaps)


def test_a_large_drive_is_looked_at_in_4096_places() -> None:
    assert len(sampled(1 << 42, 512, seed=1).offsets) == SAMPLES == 4096


def test_two_seeds_look_at_other_places_and_write_other_marks() -> None:
    one, other = sampled(1 << 42, 512, seed=1), sampled(1 << 42, 512, seed=2)
    assert len(set(one.offsets) & set(other.offsets)) < 10
    assert one.mark(0) != other.mark(0) != one.mark(4096)


def test_less_than_a_block_cannot_be_sampled() -> None:
    with pytest.raises(DriveError, match="too small"):
        sampled(2048, 512, seed=1)


def test_each_sampled_block_is_read_as_what_it_is(drive: Path) -> None:
    samples = sampled(CAPACITY, 512, seed=7, count=8)
    with drive.open("r+b", buffering=0) as file:
        write_marks(file.fileno(), samples)
        for offset, content in zip(samples.offsets, (bytes(4096), b"\xff" * 4096, os.urandom(4096)), strict=False):
            os.pwrite(file.fileno(), content, offset)
        file.truncate(samples.offsets[-1])
        seen = look(file.fileno(), samples)
    assert seen == Seen(marks=4, zeros=1, ones=1, other=1, unreadable=1)
    assert str(seen.words) == (
        "4 still hold what was written before, 1 read as zeros, 1 read as ones, 1 read as other data, 1 cannot be read"
    )


def test_a_drive_that_does_not_keep_what_it_was_given_is_found_out(drive: Path) -> None:
    # Whatever is written to a file opened like this lands behind its end.
    elsewhere = os.open(drive, os.O_RDWR | os.O_APPEND)
    with pytest.raises(DriveError) as refused:
        write_marks(elsewhere, sampled(CAPACITY, 512, seed=1, count=8))
    os.close(elsewhere)
    assert str(refused.value) == (
        "the drive does not keep what is written to it: of 8 sampled blocks all read as zeros"
    )
