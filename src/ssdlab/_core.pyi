# ruff: noqa: PYI021 - the module is compiled, so this is where its documentation is read
"""What Rust counts for Python."""

import builtins
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Final, Literal, Self, final

from typing_extensions import Buffer

__all__ = [
    "BINS_MERGED_OVER_TIME",
    "BIN_COUNT",
    "BUILD_PROFILE",
    "PATTERN_SECTOR_BYTES",
    "SAMPLES_ABOVE_MIN",
    "BadRange",
    "Catalogue",
    "FioFile",
    "FioHistLog",
    "FioHistReader",
    "FioHistRows",
    "FioLog",
    "FioLogError",
    "FioScan",
    "FioScanDirection",
    "FioScanLog",
    "FioTimeline",
    "FioTimelineDirection",
    "FollowedError",
    "LatencyOverTime",
    "LoadChain",
    "LoadFailure",
    "LoadGoneError",
    "LoadResult",
    "LoadSilentError",
    "LoadStamp",
    "ModelDrive",
    "NbdExport",
    "PackedError",
    "PatternFinding",
    "ReplayResult",
    "SpecError",
    "SustainMedium",
    "TomlError",
    "TraceDamageError",
    "TraceRecorder",
    "WorkloadDirection",
    "WorkloadError",
    "WorkloadIos",
    "WorkloadLatency",
    "WorkloadResult",
    "WorkloadWindows",
    "bin_high",
    "bin_index",
    "bin_low",
    "bin_mid",
    "fio_latency_over_time",
    "fio_timeline",
    "histogram_percentiles",
    "is_compressed",
    "nearest_ranks",
    "parse_fio_hist_log",
    "parse_fio_log",
    "pattern_check",
    "pattern_fill",
    "read_fio_file",
    "read_fio_rows",
    "scan_fio_logs",
    "serve_main",
    "spec_check",
    "spec_facts",
    "spec_names",
    "spec_text",
    "student_t_beyond",
    "table_rows",
    "toml_key_lines",
    "trace_anonymise",
    "trace_cut",
    "trace_export",
    "trace_format_of",
    "trace_formats",
    "trace_import",
    "trace_merge",
    "trace_meta",
    "trace_picture",
    "trace_profile",
    "trace_scale",
]

BUILD_PROFILE: Final[str]
"""`dev` or `release`."""

BIN_COUNT: Final[int]
"""Number of bins of fio's latency histogram."""

SAMPLES_ABOVE_MIN: Final[int]
"""So many samples must lie above a percentile for it to be known."""

PATTERN_SECTOR_BYTES: Final[int]
"""Unit of what `pattern_fill` makes: offsets and lengths are multiples of it."""

BINS_MERGED_OVER_TIME: Final[int]
"""Neighbouring bins of fio's that are counted as one in a distribution over time."""

class TomlError(ValueError):
    """A text is not TOML."""

    line: int
    """1-based."""
    column: int
    """1-based, in characters."""
    message: str

class PackedError(ValueError):
    """A file is not what its first bytes say, gzip or Zstandard."""

    filename: str

class FollowedError(PackedError):
    """What was packed with gzip is whole, but bytes that are no gzip stand after it."""

class FioLogError(ValueError):
    """A fio log is damaged."""

    file: str | None
    """Which, where several were read; `-` for standard input."""
    line: int
    """1-based line in the file."""
    problem: str
    found: str
    """The line, shortened; empty for histogram logs, whose lines are too long to quote."""

class SpecError(ValueError):
    """A specification of a virtual drive has faults."""

    faults: list[tuple[int, str, str]]
    """Line (1-based), key and message of each, in the order of the lines."""

class WorkloadError(ValueError):
    """A workload cannot be run."""

    field: str
    """The field at fault, or `json`."""
    message: str

@final
class Catalogue:
    """All messages of one language, in the syntax of Fluent."""

    def __new__(cls, language: str, texts: Sequence[str]) -> Catalogue:
        """Read them.

        Raises:
            ValueError: A text has a fault, or an id stands twice.
        """

    def ids(self) -> list[str]:
        """Give the ids of all messages."""

    def sentence(self, id: str, values: Mapping[str, str | int]) -> str | None:  # noqa: A002 - Fluent's word
        """Write a message; None of an id that the language does not have.

        Raises:
            ValueError: A value is missing.
        """

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

def table_rows(path: Path) -> int | None:
    """Rows that a file of Parquet claims to hold; None where it is none, or what it claims cannot be.

    Raises:
        OSError: It cannot be read.
    """

def student_t_beyond(probability: float, degrees: int) -> float:
    """Find the value that Student's t exceeds with that probability.

    Args:
        probability: Of the upper tail alone, more than 0 and less than 0.5.
        degrees: Of freedom, at least 1.

    Raises:
        ValueError: No such probability, or no degrees.
    """

def nearest_ranks(percentiles: Sequence[float], count: int) -> list[int]:
    """Find the 1-based nearest rank of each percentage (0 to 100, up to six decimals) among so many samples: `ceil(p n)`, at least 1.

    Raises:
        ValueError: No percentage.
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
    def priority(self) -> bytes | None:
        """0 or 1 (of the high class); with `log_prio=1` what the kernel was given."""
    @property
    def issue_ns(self) -> bytes | None:
        """When each I/O was issued, if the log has it (`log_issue_time=1`)."""

@final
class FioHistLog:
    """The windows of a histogram log, as bytes for `numpy.frombuffer`: dtype `<u8`, the direction `u1`."""

    def __len__(self) -> int: ...
    @property
    def time_ms(self) -> bytes:
        """Milliseconds since the job began at which each window ended."""
    @property
    def direction(self) -> bytes:
        """0 read, 1 write, 2 trim."""
    @property
    def ios(self) -> bytes:
        """I/Os that completed in each window."""
    @property
    def longest_ns(self) -> bytes:
        """Upper edge of the highest bin that is not empty: no I/O of the window took longer."""
    @property
    def bins_merged(self) -> int:
        """Bins that `log_hist_coarseness` merged into one column, 1 without it; 0 in an empty log."""
    def bins(self, direction: int) -> tuple[list[int], list[int]]:
        """Give the bins of one direction (0 read, 1 write, 2 trim) that are not empty, over all windows, and their counts.

        I/Os in merged bins are all counted in the middle one.

        Raises:
            IndexError: There is no such direction.
        """

def parse_fio_hist_log(data: bytes) -> FioHistLog:
    """Read a whole histogram log (`write_hist_log`) from its content.

    Raises:
        FioLogError: A line is not what fio writes, or the last one is cut off.
    """

@final
class LatencyOverTime:
    """The latency distribution of each window, in coarse bins; columns as bytes for `numpy.frombuffer`, dtype `<u8`.

    At most 4096 windows: as often as there would be more, each two are made one. Ordered by window and bin.
    """

    @property
    def windows_joined(self) -> int:
        """Windows as they came in that are one window here, a power of two."""
    @property
    def window(self) -> bytes:
        """Number of the window, from 0."""
    @property
    def first_bin(self) -> bytes:
        """First of the `BINS_MERGED_OVER_TIME` bins of fio's that are counted as one."""
    @property
    def count(self) -> bytes:
        """I/Os, at least one."""
    def merged(self, other: LatencyOverTime) -> LatencyOverTime:
        """Give both together; their windows must have begun as long."""

def fio_latency_over_time(
    data: bytes, window_ms: int, began_ms: int | None = None
) -> tuple[LatencyOverTime, LatencyOverTime, LatencyOverTime]:
    """Read the distributions over time of a histogram log from its content: of reads, writes, trims.

    Of a window that ended late, because the drive stood still, all I/Os but the one that ended it, its slowest, are counted
    where the window should have ended.

    Args:
        data: The content of the log.
        window_ms: Length of the windows that the log was to have (`log_hist_msec`).
        began_ms: When the first log of the run began, by the clock, from which times of a clock count.

    Raises:
        FioLogError: A line is not what fio writes, or the last one is cut off.
        ValueError: The window has no length.
    """

def parse_fio_log(data: bytes | str | PathLike[str]) -> FioLog:
    """Read a whole log from its content (bytes) or its file (path).

    Raises:
        FioLogError: A line is not what the layout of the log says, or the last one is cut off.
        OSError: The file cannot be read.
    """

@final
class FioScan:
    """What several logs say together."""

    @property
    def window_ms(self) -> int:
        """Length of every window: 100 ms, doubled as often as a log of more than 3.6 h needs."""
    @property
    def directions(self) -> list[FioScanDirection]:
        """Those that have any line: read, write, trim."""
    @property
    def logs(self) -> list[FioScanLog]:
        """One for each path."""

@final
class FioScanDirection:
    """What one direction did."""

    @property
    def direction(self) -> int:
        """0 read, 1 write, 2 trim."""
    @property
    def lines(self) -> int:
        """Lines: I/Os, if fio did not average."""
    @property
    def bytes(self) -> int:
        """Block sizes of all lines together."""
    @property
    def sum(self) -> int:
        """Sum of all values, exact."""
    @property
    def max(self) -> int:
        """Largest value."""
    @property
    def percentiles(self) -> list[int | tuple[int, int] | None]:
        """Exact, by nearest rank; None where fewer than ten lines lie above.

        Of a pipe with more than a quarter of a million different values above 2.1 ms, those percentiles that are above 2.1 ms
        are known only to lie between two values.
        """
    @property
    def window_ios(self) -> builtins.bytes:
        """Lines in each window from time 0 on; `<u8`."""
    @property
    def window_bytes(self) -> builtins.bytes:
        """Their block sizes together; `<u8`."""

@final
class FioFile:
    """A file that is read part by part, decompressed if it is compressed with gzip or zstd.

    Raises:
        OSError: It cannot be read.
        PackedError: It is not what its first bytes say.
    """

    def __new__(cls, path: str | PathLike[str]) -> FioFile: ...
    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end, or before what cannot be read.

        Raises:
            OSError: It cannot be read, or what is packed is cut off.
            PackedError: It is not what its first bytes say.
        """

@final
class FioScanLog:
    """What one log was."""

    @property
    def name(self) -> PathLike[str]:
        """As it was given."""
    @property
    def lines(self) -> int:
        """Whole lines."""
    @property
    def averaged(self) -> bool:
        """Whether fio averaged it over windows: no line has a block size."""
    @property
    def has_largest(self) -> bool:
        """Whether the largest value of every window stands beside the mean (`log_window_value=both`)."""
    @property
    def cut(self) -> tuple[int, str] | None:
        """Number and text of the last line if the log ends inside it; it is not counted."""

def scan_fio_logs(paths: Sequence[str | PathLike[str]], percentiles: Sequence[float]) -> FioScan:
    """Scan logs of one kind as if they were one, with two threads and at most 96 MiB; `-` is standard input.

    Compressed logs (gzip, zstd) are known by their first bytes. Ctrl-C stops it, even while it waits for a pipe.

    Raises:
        FioLogError: A line is not what the layout of its log says.
        OSError: A log cannot be read.
        ValueError: No percentage, or a log changed while it was read.
    """

def is_compressed(begin: bytes) -> bool:
    """Whether a file that begins so is compressed with gzip or zstd; four bytes are enough."""

def read_fio_file(path: str | PathLike[str], bytes_max: int | None = None) -> bytes:
    """Read a small file, decompressed if it is compressed with gzip or zstd, up to `bytes_max` bytes.

    Raises:
        OSError: It cannot be read, or what is packed is cut off.
        PackedError: It is not what its first bytes say.
    """

@final
class PatternFinding:
    """A run of sectors that is not what `pattern_fill` made."""

    offset_bytes: int
    """Where on the drive it begins."""
    length_bytes: int
    kind: Literal["zero", "stale", "elsewhere", "corrupted", "foreign"]
    """`zero`: nothing but zeros; `stale`: whole data of another generation in its right place; `elsewhere`: whole data of another
    place; `corrupted`: data of this seed that is not whole; `foreign`: nothing of this seed."""
    generation: int | None
    """Of `stale` and `elsewhere`: which was found."""
    origin_offset_bytes: int | None
    """Of `elsewhere`: where the first sector belongs; the others follow it."""
    wrong_bits: int | None
    """Of `corrupted`: bits that differ from what is expected."""

def pattern_fill(buffer: Buffer, seed: int, generation: int, offset_bytes: int) -> None:
    """Fill a writable buffer with the data of a seed and a generation that belongs at an offset.

    It is incompressible, and no two sectors of any two places or generations are alike.

    Raises:
        ValueError: Offset or length are no multiples of `PATTERN_SECTOR_BYTES`.
        BufferError: The buffer cannot be written to.
    """

def pattern_check(buffer: Buffer, seed: int, generation: int, offset_bytes: int) -> list[PatternFinding]:
    """What in a buffer read at an offset is not what `pattern_fill` made, in order; empty if all is well.

    Raises:
        ValueError: Offset or length are no multiples of `PATTERN_SECTOR_BYTES`.
    """

def spec_names() -> list[str]:
    """List the built-in specifications of virtual drives."""

def spec_text(name: str) -> str:
    """Give the TOML text of a built-in specification.

    Raises:
        LookupError: There is none of that name.
    """

def spec_check(text: str) -> list[tuple[int, str, str]]:
    """Find all faults of a specification: line (1-based), key, message; empty if there is none."""

def spec_facts(text: str, capacity_bytes: int | None = None, seed: int | None = None) -> str:
    """Say as JSON what a specification promises, rescaled and re-seeded if asked.

    Returns:
        An object with name, description, capacity_bytes, seed, slc_cache_bytes_max and slc_cache_bytes_min.

    Raises:
        SpecError: The specification has faults.
    """

def serve_main(argv: Sequence[str]) -> int:
    """Serve a virtual drive over NBD, as the command `ssdlab-vdrive` with these arguments, and give its exit status.

    Returns when SIGTERM, SIGINT or the end of the lifeline has ended the server; prints `ready URI` once it accepts.
    """

class LoadSilentError(Exception):
    """A device says nothing."""

    waited_ns: int
    in_flight: int

class LoadGoneError(Exception):
    """The way to a device is over."""

    reason: str

@final
class LoadFailure:
    """An I/O that failed."""

    @property
    def direction(self) -> int:
        """0 reads, 1 writes, 2 trims, 3 flushes, which have no place."""
    @property
    def offset_bytes(self) -> int:
        """Where it began."""
    @property
    def length_bytes(self) -> int:
        """How long it was."""
    @property
    def errno(self) -> int:
        """The system's number of the error."""

@final
class LoadStamp:
    """A moment."""

    @property
    def at_ns(self) -> int:
        """On the monotonic clock."""
    @property
    def suspended_ns_least(self) -> int:
        """How long the host had been suspended by then since it was started, at least."""
    @property
    def suspended_ns_most(self) -> int:
        """Likewise at most."""

@final
class LoadResult:
    """What a job of the load engine gave."""

    @property
    def result(self) -> WorkloadResult:
        """As of a workload on a model."""
    @property
    def lateness(self) -> WorkloadLatency:
        """From when each I/O could have been submitted to its submission: what the host lost."""
    @property
    def failed(self) -> LoadFailure | None:
        """The first I/O that failed, after which none was submitted."""
    @property
    def began_ns(self) -> int:
        """When its windows began, on the monotonic clock."""
    @property
    def before(self) -> LoadStamp:
        """Just before anything of it was done, by the thread that did it."""
    @property
    def after(self) -> LoadStamp:
        """Just after."""
    @property
    def gap_ns(self) -> int | None:
        """From the last completion of the workload before to its first submission; None of the first of a chain."""
    @property
    def user_ns(self) -> int:
        """Processor time of the thread that did it, in the engine."""
    @property
    def system_ns(self) -> int:
        """Likewise, in the kernel."""
    @property
    def counted_before(self) -> str | None:
        """What the file of counters said before; None where there is none, or it could not be read."""
    @property
    def counted_after(self) -> str | None:
        """What it said after."""

@final
class LoadChain:
    """Workloads that follow each other on a thread of their own and on what is opened once.

    Each begins as soon as those before it are over and it was let, whether anybody waits for it or not.
    """

    @staticmethod
    def export(
        socket: Path, export: str, workloads_json: Sequence[str], silence_ns_max: int, written_bytes_max: int | None
    ) -> LoadChain:
        """On an NBD export.

        Args:
            socket: Where the server listens.
            export: Name of the export.
            workloads_json: Each as of `ModelDrive.run`; windows are 100 ms, nothing goes beside it, and arrivals at a rate are Poisson.
            silence_ns_max: A server that says nothing for so long although something is in flight is given up.
            written_bytes_max: The workload that writes more, together with those before it, ends with the window in which it did, and none
                begins after it.

        Raises:
            WorkloadError: One is none.
            OSError: There is no such export.
        """

    @staticmethod
    def descriptor(
        descriptor: int,
        capacity_bytes: int,
        forced: bool,
        workloads_json: Sequence[str],
        silence_ns_max: int,
        written_bytes_max: int | None,
        counters: Path | None,
    ) -> LoadChain:
        """By io_uring on the file or device that a descriptor holds open.

        Args:
            descriptor: It may be open for reading only; what it leads to is opened again through it, for direct I/O.
            capacity_bytes: Length of the file or device.
            forced: Whether every write is durable before it completes.
            workloads_json: See `export`.
            silence_ns_max: See `export`.
            written_bytes_max: See `export`.
            counters: File of the kernel's that is read before and after each workload.

        Raises:
            WorkloadError: See `export`.
            OSError: It takes no direct I/O or may not be written.
        """

    def permit(self) -> None:
        """Let one more workload begin."""

    def written(self) -> list[int]:
        """Bytes written so far by each workload that has begun, in order."""

    def next(self, told: Callable[[int, int, int], bool]) -> LoadResult:
        """Wait for the next workload, which was let, releasing the GIL; Ctrl-C and what `told` raises end it and all after it.

        Args:
            told: Called after every window with its end since the start in nanoseconds, the bytes done and the bytes written in it; when
                it says True nothing more is issued.

        Raises:
            WorkloadError: The workload does not fit the export or this engine.
            LoadSilentError: Nothing comes back.
            LoadGoneError: The connection is over.
            OSError: The kernel has no io_uring.
            ValueError: No workload is left.
        """

    def close(self) -> None:
        """End what has begun, and wait until nothing of it is in flight."""

@final
class ModelDrive:
    """A virtual drive in virtual time. The caller keeps the clock: every call says when it happens.

    One thread at a time: a call while another runs raises RuntimeError.
    """

    def __new__(cls, spec_text: str, capacity_bytes: int | None = None, seed: int | None = None) -> ModelDrive:
        """Make a drive that is fresh out of the box.

        Raises:
            SpecError: The specification has faults.
        """
    @property
    def capacity_bytes(self) -> int:
        """Bytes that can be addressed."""
    def run(
        self,
        workload_json: str,
        start_ns: int,
        progress: Callable[[float], object] | None = None,
        judge: Callable[[bytes], bool] | None = None,
        sense: Callable[[int, str], object] | None = None,
    ) -> WorkloadResult:
        """Run a workload from `start_ns` on, releasing the GIL.

        About ten times a second Python's signals are handled (so Ctrl-C stops the run, with the drive left where it is) and
        `progress` is called with the share done, 0 to 1; an exception it raises stops the run too.

        Args:
            workload_json: An object with pattern ("sequential", "random"), draw ("independent", "permutation"), action
                ("read_write", "trim"), read_percent, block_bytes, queue_depth, jobs, region_offset_bytes,
                region_length_bytes, amount_bytes or null, duration_ns or null, rate_iops or null (open loop), arrivals (optional: "poisson", "constant", "bursts"), sync
                ("none", "sync"), seed, window_ns (optional, 100 ms), log_every_io ("no", "yes"), latency_over_time (optional: "no", "yes"). With several jobs, amount
                and rate are those of all together.
            start_ns: Virtual time of the first submission; at least the end of what the drive did before.
            progress: Called with the share done.
            judge: Called after at least ten more windows are finished, with the I/Os of all directions in each of them (`<u8`);
                when it says True nothing more is issued. When it is called depends on the workload and the drive alone.
            sense: Called likewise with the number of windows that are finished and what the sensors say, as JSON; an exception it
                raises stops the run.

        Raises:
            WorkloadError: The workload does not fit the drive, or is none.
        """
    def replay(
        self,
        verb: bytes,
        offset_bytes: bytes,
        length_bytes: bytes,
        pause_ns: bytes,
        alone: bytes,
        queue_depth: int,
        start_ns: int,
        progress: Callable[[float], object] | None = None,
    ) -> ReplayResult:
        """Give the drive commands one by one, each said in advance, releasing the GIL.

        Args:
            verb: What is asked, a byte a command: 0 read, 1 write, 2 write with force unit access, 3 flush, 4 trim.
            offset_bytes: Where (`<u8`); 0 for a flush.
            length_bytes: How much (`<u8`); 0 for a flush.
            pause_ns: Silence before each (`<u8`), counted from when it could have been asked.
            alone: A byte a command: 1 waits until all before it has completed, 0 until there is room in the queue.
            queue_depth: Most commands in flight.
            start_ns: Virtual time of the start; at least the end of what the drive did before.
            progress: Called with the share done.

        Raises:
            WorkloadError: The drive refuses a command; those before it are done.
            ValueError: A column is of another length, or holds no command.
        """
    def purge(self, now_ns: int) -> int:
        """Purge the drive to fresh out of the box; gives the virtual time at which that is done."""
    def truth(self, now_ns: int) -> str:
        """Say as JSON what the drive knows about itself: state, write amplification, cache, free superblocks."""
    def sensors(self, now_ns: int) -> str:
        """Say as JSON what its sensors say; a workload from `now_ns` on is served as if nobody had read them."""
    def smart(self, now_ns: int) -> str:
        """Say as JSON what the drive would tell in its SMART page."""

@final
class ReplayResult:
    """When each command of a replay was submitted and completed."""

    def __len__(self) -> int: ...
    @property
    def submitted_ns(self) -> bytes:
        """Virtual time of each submission, in the order planned (`<u8`)."""
    @property
    def completed_ns(self) -> bytes:
        """Virtual time of each completion, likewise (`<u8`)."""
    @property
    def end_ns(self) -> int:
        """Virtual time of the last completion."""

@final
class WorkloadResult:
    """What a workload gave."""

    @property
    def start_ns(self) -> int:
        """Virtual time of the first submission."""
    @property
    def end_ns(self) -> int:
        """Virtual time of the last completion."""
    @property
    def read(self) -> WorkloadDirection:
        """Reads."""
    @property
    def write(self) -> WorkloadDirection:
        """Writes."""
    @property
    def trim(self) -> WorkloadDirection:
        """Trims."""
    @property
    def every_io(self) -> WorkloadIos | None:
        """Every I/O, if the workload asked for it."""
    @property
    def first_error(self) -> str | None:
        """Why the drive refused the first command that it refused."""
    @property
    def unsubmitted(self) -> int:
        """I/Os of an open loop that were due before its end, found no room and were never submitted."""
    @property
    def issued(self) -> list[tuple[int, int, int, int]] | None:
        """Of a mix, what was done: part, length in bytes, class of places, how many."""
    @property
    def replayed(self) -> tuple[int, float] | None:
        """Of a replay: flushes that were done, and the share of the bytes that lay beyond the end of the drive."""
    @property
    def failed(self) -> LoadFailure | None:
        """Of a replay in virtual time: the command that failed, after which none was submitted."""

@final
class WorkloadDirection:
    """All that one direction did after the ramp."""

    @property
    def ios(self) -> int:
        """I/Os completed."""
    @property
    def bytes(self) -> int:
        """Bytes moved."""
    @property
    def errors(self) -> int:
        """Commands that the drive refused."""
    @property
    def runtime_ns(self) -> int:
        """From the end of the ramp to the last completion of the run; 0 if this direction did nothing."""
    @property
    def clat(self) -> WorkloadLatency:
        """From submission to completion."""
    @property
    def lat(self) -> WorkloadLatency:
        """From the time the I/O was due to completion; the same as `clat` in a closed loop."""
    @property
    def windows(self) -> WorkloadWindows:
        """The series; empty if this direction did nothing."""
    @property
    def clat_over_time(self) -> LatencyOverTime | None:
        """Distribution of `clat` in each of the windows, if the workload asked for it."""

@final
class WorkloadLatency:
    """A latency distribution in fio's bins; mean, spread and extremes exactly, None where there were too few I/Os."""

    @property
    def bin_index(self) -> bytes:
        """Bins that are not empty, ascending; `<u8`."""
    @property
    def count(self) -> bytes:
        """I/Os in each of them; `<u8`."""
    @property
    def mean_ns(self) -> float | None: ...
    @property
    def min_ns(self) -> int | None: ...
    @property
    def max_ns(self) -> int | None: ...
    @property
    def stddev_ns(self) -> float | None:
        """Of the sample, as fio prints it."""

@final
class WorkloadWindows:
    """What one direction did over time, one row a window without gaps; an I/O counts where it completes."""

    def __len__(self) -> int: ...
    @property
    def end_ns(self) -> builtins.bytes:
        """End of each window after the ramp, the last one the end of the run; `<u8`."""
    @property
    def ios(self) -> builtins.bytes:
        """I/Os completed; `<u8`."""
    @property
    def bytes(self) -> builtins.bytes:
        """Bytes moved; `<u8`."""
    @property
    def lat_mean_ns(self) -> builtins.bytes:
        """Mean `lat`, NaN where there were no I/Os; `<f8`."""
    @property
    def lat_max_ns(self) -> builtins.bytes:
        """Largest `lat`, NaN where there were no I/Os; `<f8`."""

@final
class WorkloadIos:
    """Every I/O counted, in order of completion."""

    def __len__(self) -> int: ...
    @property
    def time_ns(self) -> bytes:
        """Completion after the ramp; `<u8`."""
    @property
    def latency_ns(self) -> bytes:
        """`lat`; `<u8`."""
    @property
    def direction(self) -> bytes:
        """0 read, 1 write, 2 trim; `u1`."""
    @property
    def offset_bytes(self) -> bytes:
        """Where it was; `<u8`."""

@final
class FioTimeline:
    """Logs of every I/O over time, as if they were one."""

    @property
    def window_ms(self) -> int:
        """Length of every window: what was asked for, doubled as often as the most windows allowed need."""
    @property
    def directions(self) -> list[FioTimelineDirection]:
        """Those that have any line."""
    @property
    def logs(self) -> list[FioScanLog]:
        """The inputs, in their order."""

@final
class FioTimelineDirection:
    """One direction over time: windows from time 0 on, each column as `<u8`."""

    @property
    def direction(self) -> int:
        """0 read, 1 write, 2 trim."""
    @property
    def ios(self) -> builtins.bytes:
        """I/Os that completed."""
    @property
    def bytes(self) -> builtins.bytes:
        """Bytes they moved."""
    @property
    def sum(self) -> builtins.bytes:
        """Sum of their values."""
    @property
    def max(self) -> builtins.bytes:
        """Largest of their values."""
    @property
    def windows_joined(self) -> int:
        """Windows as asked for that are one window of `cells`."""
    def cells(self) -> tuple[list[int], list[int], list[int]]:
        """Window, first of the four bins of fio's that are counted as one, and count of every cell that is not empty."""

def fio_timeline(
    paths: Sequence[str | PathLike[str]], window_ms: int, windows_max: int, began_ms: int | None = None
) -> FioTimeline:
    """Count logs of every I/O in windows, two neighbours made one whenever there are more than `windows_max`.

    Times of a clock count from when the first of the logs began, or from `began_ms` if that was before.

    Raises:
        FioLogError: A line is not what the layout of its file says.
        OSError: A file cannot be read.
        ValueError: A length of 0.
    """

def read_fio_rows(path: str | PathLike[str], take: Callable[[FioLog], object]) -> FioScanLog:
    """Hand the lines of a log to `take`, some 100,000 at a time and in order; what it raises ends the reading.

    Raises:
        FioLogError: A line is not what the layout of the file says.
        OSError: The file cannot be read.
    """

@final
class FioHistRows:
    """Rows of a histogram log, one for each bin of each window that is not empty; columns as `<u8`, the direction `u1`."""

    def __len__(self) -> int: ...
    @property
    def time_ms(self) -> bytes:
        """When the window ended."""
    @property
    def direction(self) -> bytes:
        """0 read, 1 write, 2 trim."""
    @property
    def bin_index(self) -> bytes:
        """fio's bin; of merged bins the middle one."""
    @property
    def bins_merged(self) -> bytes:
        """Bins that `log_hist_coarseness` merged into this one."""
    @property
    def count(self) -> bytes:
        """I/Os."""

@final
class FioHistReader:
    """Reads a histogram log part by part.

    Raises:
        FioLogError: A line is not what fio writes.
        OSError: The file cannot be read.
    """

    def __new__(cls, path: str | PathLike[str]) -> FioHistReader: ...
    def __iter__(self) -> FioHistReader: ...
    def __next__(self) -> FioHistRows: ...
    @property
    def cut(self) -> int | None:
        """The line inside which the log was cut off, once it is read."""

@final
class BadRange:
    """Bytes that are not what was written."""

    @property
    def offset_bytes(self) -> int:
        """Where they begin."""
    @property
    def length_bytes(self) -> int: ...
    @property
    def kind(self) -> str:
        """`zero`, `stale`, `elsewhere`, `corrupted`, `foreign` or `unreadable`."""
    @property
    def found_offset_bytes(self) -> int | None:
        """Where the data that was found belongs, if it belongs elsewhere."""
    @property
    def found_generation(self) -> int | None:
        """Of which generation it is, where it is of another, or from elsewhere."""
    @property
    def wrong_bits(self) -> int | None:
        """How many, where it is the right data with wrong ones."""
    @property
    def error(self) -> str | None:
        """What the drive or the kernel said of what cannot be read."""

@final
class NbdExport:
    """A connection to an NBD export on a unix socket, which ends with the object."""

    def __new__(cls, socket: PathLike[str], export: str, silence_s_max: int) -> NbdExport:
        """Connect, and give the server up when it says nothing for so long, now or later.

        Raises:
            OSError: Nobody listens, or what answers is no server that can be used, or has no such export.
        """
    @property
    def size_bytes(self) -> int:
        """Its length."""
    @property
    def is_writable(self) -> bool:
        """Whether it takes writes."""
    @property
    def trims(self) -> bool:
        """Whether it takes trims."""
    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        """Trim a part, less than 4 GiB.

        Raises:
            OSError: The server refused, or is gone.
        """
    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """Read a part.

        Raises:
            OSError: The server refused, or is gone.
        """

@final
class SustainMedium:
    """A linear range of bytes that is written and read past all caches; one pass at a time."""

    @staticmethod
    def files(paths: Sequence[PathLike[str]], part_bytes: int) -> SustainMedium:
        """Open files that exist, in a row, all but the last `part_bytes` long.

        Raises:
            OSError: One cannot be opened, such as on a file system without direct I/O.
        """
    @staticmethod
    def device(path: PathLike[str]) -> SustainMedium:
        """Open a block device.

        Raises:
            OSError: It cannot be opened.
        """
    @staticmethod
    def nbd(socket: PathLike[str], export: str) -> SustainMedium:
        """Connect to an NBD export on a unix socket.

        Raises:
            OSError: Nobody listens, or the export is not there.
        """
    @property
    def size_bytes(self) -> int | None:
        """Length of an NBD export; None of files and devices."""
    def write(
        self,
        offset_bytes: int,
        length_bytes: int,
        chunk_bytes: int,
        flush_bytes: int,
        seed: int,
        generation: int,
        told: Callable[[int, int, int, int], bool],
    ) -> None:
        """Write a range; `told(offset, length, begun_ns, ended_ns)` hears of every chunk, and ends the pass by returning False.

        After every `flush_bytes` all is durable before the next chunk, and that is part of the time of the last one.

        Raises:
            OSError: The drive refused a write.
            ValueError: Not whole sectors of 512 bytes.
        """
    def check(
        self,
        offset_bytes: int,
        length_bytes: int,
        chunk_bytes: int,
        seed: int,
        generation: int,
        bad_max: int,
        told: Callable[[int, int, int, int], bool],
    ) -> tuple[list[BadRange], int]:
        """Read a range back.

        Returns:
            What is not as it was written, in its order, no more than `bad_max` ranges; and how many bytes that are in all.

        Raises:
            OSError: The drive is gone.
            ValueError: Not whole sectors of 512 bytes.
        """

@final
class TraceRecorder:
    """A recording of a drive from an instance of the kernel's tracing, whose events are to be switched on once it has begun."""

    def __new__(cls, instance: Path, number: tuple[int, int], capacity_bytes: int, name: str, journal: Path) -> Self:
        """Begin it in a file that must not exist yet. Raises `OSError`; `TraceDamageError` of what the kernel tells and nobody reads."""

    def round(self) -> tuple[int, int, int]:
        """Empty the kernel's buffers: I/Os and lost events so far, and bytes of the fullest buffer. Raises as the beginning does."""

    def end(self) -> tuple[int, int, int]:
        """Take what is left and close the file. Raises as the beginning does."""

class TraceDamageError(ValueError):
    """A trace, or what one is made of, is damaged."""

    file: Path | None
    at: int
    """The how-manieth line or record, from 1; 0 of a trace."""
    problem: str
    """`unknown-format`, `columns`, `number`, `operation`, `impossible`, `too-long`, `magic`, `byte-order`, `cut-off`, `second-device`,
    `undecodable`, `metadata`, `version`, `other-columns`, `content`, `no-times` or `too-much` of a trace."""
    found: str
    """The line, shortened; of a second device its name; empty of a trace."""
    first_device: str | None
    """The device before a second one."""

def trace_formats() -> list[str]:
    """Names of the formats that are read."""

def trace_format_of(beginning: bytes) -> str | None:
    """The format of a file that begins so; `None` of what is like none."""

def trace_import(
    files: Sequence[tuple[Path, int, str]],
    format: str,  # noqa: A002 - its name in Rust
    device: str | None,
    device_bytes: int | None,
    licence: str | None,
    out: Path,
) -> tuple[int, str]:
    """Read files of one format, each with its size and SHA-256, and write a trace; how many I/Os it has, and its metadata as JSON.

    Raises:
        TraceDamageError: A file is damaged.
        OSError: A file cannot be read, the trace not be written, or it is there already.
        PackedError: A file is not what its first bytes say.
    """

def trace_meta(path: Path) -> tuple[int, str]:
    """How many I/Os a trace has, and its metadata as JSON.

    Raises:
        TraceDamageError: It is none.
        OSError: It cannot be read.
    """

def trace_picture(path: Path) -> str:
    """What a trace looks like, as JSON; raises as `trace_meta`."""

def trace_profile(path: Path) -> str:
    """What a trace is like, as JSON; raises as `trace_meta`."""

def trace_export(path: Path, iolog_file: str | None, out: Path) -> tuple[int, int]:
    """Write a trace as fio's log for a file of that name, or as `blkparse` prints; the I/Os written, and those that the format lacks.

    Raises as `trace_meta`, and `OSError` if it cannot be written.
    """

def trace_cut(path: Path, from_ns: int, to_ns: int, out: Path) -> int:
    """Write the I/Os that arrived within a span of time as a trace; how many those are. Raises as `trace_export`."""

def trace_merge(paths: Sequence[Path], out: Path) -> int:
    """Write the I/Os of all traces as one, as if all had begun at once; how many those are. Raises as `trace_export`."""

def trace_scale(path: Path, speed: float, out: Path) -> int:
    """Write a trace whose I/Os arrive so many times as fast; how many those are. Raises as `trace_export`."""

def trace_anonymise(path: Path, out: Path) -> str:
    """Write a trace without what tells whose it is; its metadata as JSON. Raises as `trace_export`."""
