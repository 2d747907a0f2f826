# ruff: noqa: PYI021 - the module is compiled, so this is where its documentation is read
"""What Rust counts for Python."""

from collections.abc import Sequence
from os import PathLike
from typing import Final, final

__all__ = [
    "BIN_COUNT",
    "BUILD_PROFILE",
    "FioLog",
    "FioLogError",
    "TomlError",
    "bin_high",
    "bin_index",
    "bin_low",
    "bin_mid",
    "histogram_percentiles",
    "parse_fio_log",
    "toml_key_lines",
]

BUILD_PROFILE: Final[str]
"""`dev` or `release`."""

BIN_COUNT: Final[int]
"""Number of bins of fio's latency histogram."""

class TomlError(ValueError):
    """A text is not TOML."""

    line: int
    """1-based."""
    column: int
    """1-based, in characters."""
    message: str

class FioLogError(ValueError):
    """A fio log is damaged."""

    line: int
    """1-based line in the file."""
    problem: str
    found: str
    """The line, shortened."""

def toml_key_lines(text: str) -> list[tuple[tuple[str | int, ...], int]]:
    """Find the 1-based line of every key and array element, by its path of keys and positions.

    Raises:
        TomlError: The text is not TOML.
    """

def bin_index(value_ns: int) -> int:
    """Find the bin of fio's latency histogram that counts a value."""

def bin_low(index: int) -> int:
    """Give the smallest value in nanoseconds that a bin counts.

    Raises:
        IndexError: There is no such bin.
    """

def bin_high(index: int) -> int:
    """Give the largest value in nanoseconds that a bin counts; 2^64 - 1 for the last one.

    Raises:
        IndexError: There is no such bin.
    """

def bin_mid(index: int) -> int:
    """Give the value in nanoseconds that fio prints for a bin.

    Raises:
        IndexError: There is no such bin.
    """

def histogram_percentiles(
    indices: Sequence[int], counts: Sequence[int], percentiles: Sequence[float]
) -> list[int | None]:
    """Read percentiles (0 to 100) in nanoseconds by nearest rank, as fio prints them.

    Returns:
        For each percentile its value; None where fewer than ten samples lie above it, or where it falls into the last bin,
        which has no upper end.

    Raises:
        IndexError: There is no such bin.
        ValueError: Not one count for each bin, or no percentage.
    """

@final
class FioLog:
    """The columns of one of fio's logs, as bytes for `numpy.frombuffer`: dtype `<u8`, the direction `u1`."""

    def __len__(self) -> int: ...
    @property
    def time_ms(self) -> bytes:
        """Milliseconds since the job began (since the ramp ended, if there was one)."""
    @property
    def value(self) -> bytes:
        """Nanoseconds, KiB/s or 1/s, by the kind of log."""
    @property
    def value_max(self) -> bytes | None:
        """Largest value of each window, if the log has it (`log_window_value=both`)."""
    @property
    def direction(self) -> bytes:
        """0 read, 1 write, 2 trim."""
    @property
    def block_bytes(self) -> bytes:
        """Length of each I/O; 0 where fio averaged."""
    @property
    def offset_bytes(self) -> bytes | None:
        """Where each I/O was, if the log has it (`log_offset=1`)."""
    @property
    def issue_ns(self) -> bytes | None:
        """When each I/O was issued, if the log has it (`log_issue_time=1`)."""

def parse_fio_log(data: bytes | str | PathLike[str]) -> FioLog:
    """Read a whole log from its content (bytes) or its file (path).

    Raises:
        FioLogError: A line is not what the layout of the log says, or the last one is cut off.
        OSError: The file cannot be read.
    """
