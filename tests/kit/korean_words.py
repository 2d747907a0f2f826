"""What is the same in Korean, and English that only other pages than the tested ones say."""

KEPT = set(
    """
    IOPS QD FOB SLC MiB GiB KiB TiB GB MB TB ms ns us min RSE SEQ RND DUT WAF LBA
    Purge TRIM Steady State Consistency Pre Conditioning Active Range Ratio BootBench Fill Drive
    fio terse snia window held clat lat max SHA TOML CPU PCIe TLC QLC MLC HMB PLP UTC uPlot Linux Debian
    ssdlab quick client enterprise standard fill reclaim rnd seq bootbench VIRTUAL
    NBD FUA ASPM JSON Parquet sqthread_poll nvme
    Lab PM Ryzen bench class NVMe drive model
    cdm wsat sustain probe SSD Corners lfsr IU NPWG NPWA NOWS AWUPF SMART SATA ATA APST EUI NGUID WWID WWN SPEC SNIA PTS FIOJOB vda slat Windows
    tausworthe Default default Sanitize Format Identify Namespace PCI ASPM SMT BIOS GT HMB off on
    PNG SVG CSV Ctrl Shift Esc MAX MID MIN
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""Terms as reviewers write them, units, and names."""

KEPT_TOGETHER = ("KiB QD", "MiB QD", "Lab PM", "Steady State", "Fill Drive", "Active Range", "SNIA PTS", "quick")
"""Those of them that stand beside another without being English: of two words, and the name of a profile."""

NAMES = (
    "Naraeon Dirty Test",
    "AS SSD Benchmark",
    "CrystalDiskMark",
    "KDiskMark",
    "TKperf",
    "DiskSpd",
    "Windows 8 [6.2 Build 9200] (x64)",
    "Windows 10 [10.0 Build 14393] (x64)",
    "elbencho",
    "IOzone",
    "vdbench",
    "Phoronix Test Suite",
    "HD Tune",
    "SSD-iq",
    "sysbench",
    "rndrw",
    "seqrd",
    "WRITE, RWMIX70",
    "zipf",
    "OS: Debian 12, Kernel: 6.1 (x86_64), File-System: ext4",
    "SPECworkstation",
    "WPCstorage",
    "3DMarkStorageTest",
    "3DMark Storage",
    "3DMark",
    "Call of Duty: Black Ops 4",
    "Battlefield V",
    "Overwatch",
    "The Outer Worlds",
    "Counter-Strike",
    "ADATA LEGEND",
    "Samsung SSD 970 EVO Plus",
    "1B2QEXM7",
    "Example SSD",
    "Enterprise [10.0 Build",
    "Professional [10.0 Build",
    "Debian GNU/Linux 12 (bookworm)",
    "neon 20.04 [linux",
    "linux 6.1.0-18-amd64 [debian",
    "cachyos unknown [linux",
    "7zip",
    "namd",
    "ccx",
)
"""Of programs, of what they replay, and of the drives and systems they ran on."""

SUSTAINED: tuple[str, ...] = (
    "the pass took less than 3 s",
    "3 % of the seconds within 3 % of the median, 3 % needed; best fit moves by 3 %, 3 % allowed",
    "of the time at least 1.00 GiB",
    "3 passes",
    "flat",
    "not flat",
    "worst second",
    "median of the seconds",
    "of the seconds",
    "time under 3 % of the median",
    "of the time under 3 % of the median",
    "time as fast as needed",
    "speed against the day of writing",
    "bytes not as written",
    "of all readings",
    "Found",
    "Reading",
    "slowest",
    "unreadable",
    "reading",
    "found",
)
"""Of sustained writes, whose own page is tested with their figures."""

REAL_FIO: tuple[str, ...] = (
    "the drive is behind NBD, which the host's page cache has no part in",
    "a trim is a call to the kernel that waits; fio 3.38 and later time those wrongly that io_uring did not take, which it does not before Linux 6.12",
    "a polled queue takes no flushes, which durable writes end with",
    "fio 3.33 reports wrong completion latencies with it; needs 3.36",
    "every I/O is kept, and half of the host's memory holds no more than these 1,234,567, so the job ended early",
    "the job may last so long that fio's histograms would fill the host's memory, so there is one every 400 ms; in between I/Os are shared out by fio's bandwidth log",
    "fio opens the files of an I/O log as it comes to them, too late to register",
    "it needs registered files, which those of an I/O log are not",
    "fio's nbd engine: the way to the drive has no word for it, so they are plain writes",
    "virtual drive: 32,768 completions left after their due time by 68 µs (median), 40,632 µs (99 %), 179,090 µs (largest)",
    "virtual drive: 12 completions left after their due time by 68 µs (median), 179,090 µs (largest)",
    "virtual drive: 1 completions left after their due time by 68 µs (largest)",
)
"""Of runs by real fio, which these tests have none of."""

SMALL: tuple[str, ...] = (
    "slowest second",
    "a drive model holds no data to compare",
)
"""Of drives as small as the demo's, and of ones larger than those of the tests."""

SAID_ELSEWHERE: tuple[str, ...] = (
    "fio was stopped for 2.10 s, the host was suspended for 3600 s, ssdlab was not run for 20.0 s",
    "nobody watched whether measuring stood still",
    "none, one thread a core",
    "off until the next boot",
    "on, 4 threads a core",
    "unknown: this kernel cannot switch it",
    "ssdlab pm9e1-1tb: client, beside 4 more drives",
    "and",
    "not checked: written before checksums",
    "an unknown key, 3",
    "003-fill.pass1/series.parquet is missing",
    "003-fill.pass1/series.parquet is not as it was written: its SHA-256 is another",
    "003-fill.pass1/series.parquet is 1,200 bytes long instead of 1,201",
    ", imported",
    "Suite client 2025.12, quick profile, measured by fio-3.41 on 2026-01-20 09:30 UTC; 3 of 5 steps finished, 2 skipped by its rules.",
    "Suite client 2025.12, standard profile, measured by fio-3.41 on 2026-01-20 09:30 UTC; 300 of 300 steps finished, 3,744 more as totals.",
    "3 finished, 2 skipped, 1 planned, 1 h",
    "skipped",
    "used",
    "no drop within the drive",
    "1,000 MiB/s (best)",
    "1,000 MiB/s (tied)",
    "68.7 GB (1.1 TiB, 1,209,462,790,553 bytes)",
    "SEQ 128 KiB read, QD256",
    "SEQ 128 KiB write, QD256",
    "Sequential, random: reads, writes; read, write, sequential, Random",
    "fio 2.00 x; 2 x",
    "slowest and fastest 100 ms window of each of 20,000 slices of a pass",
    "ssdlab qlc-dramless-1tb: the mapping cache reaches over 3.1 GiB (3.3 GB)",
    "limit 10.00 ms",
    "too slow",
    "the rests do not pin it down",
    "unknown: the rests do not pin it down: too few of them lie between the first and the last cache that came back",
    "the write never left one speed",
    "folds its cache beside writing first, then writes directly: the slower of the two phases after the cache comes first",
    "unknown: 9 samples lie above it, a percentile needs 10",
    "unknown: 1 sample lies above it, a percentile needs 10",
    "unknown: no sample lies above it, a percentile needs 10",
    "no; snia 2.00 x",
    "unknown: no drop within the drive: the speed falls by less than 10%",
    "unknown: the write never left one speed: no cache, or all of it inside the cache",
    "Data-centre TLC drive: power-loss protection, flush for nothing, consistent once steady",
    "PCIe 3.0 MLC drive without an SLC cache: full speed out of the box, then garbage collection",
    "Storage-class memory: ten microseconds for reads and writes alike, whatever came before",
    "unknown: 3 of the 5 runs that a mean without the largest and the smallest needs",
    "read at QD1; write at QD256; read at QD1, 4 KiB: 1,000 MiB/s; write at QD1, 4 KiB: 1,000 IOPS",
    "bandwidth (MiB/s, log scale); rate (IOPS, log scale); read bandwidth (MiB/s)",
    "Desktop benchmark profiles: RND 4 KiB Q32T1",
    "RND 4 KiB Q1T1 read (MiB/s); RND 4 KiB Q1T1 write (MiB/s); SEQ 1 MiB Q8T1 read (MiB/s); SEQ 1 MiB Q8T1 write (MiB/s)",
    "written when the fresh speed was lost; written when the speed was steady; from here on within 10% of the steady speed",
    "Completion latency of every single I/O of all runs, nearest rank; a percentile has at least 10 I/Os above it.",
    "Symbol legend for stroke color with 1 value: FOB",
    "Y-axis for a discrete scale with 1 value: FOB",
    "Y-axis for a discrete scale with 2 values: FOB, steady",
    *SUSTAINED,
)
"""Of more or other drives, and of runs that were cut off or are damaged."""

NOT_SAID = frozenset(
    {
        "Run status group",
        ", the last of 3 passes",
        "rwmix read",
        "3 at no more than half of the mean",
        "DirtyTest (macOS",
        "All clients",
    }
)
"""What readers of foreign results have in their source that no page shows: names, what the screen says, and parts that are put
together before they are shown."""

PUT_TOGETHER = (
    "one other file of the folder was not read: `x.bin`",
    "3 other files of the folder were not read, the first `x.bin`",
    "on; none (was mq-deadline)",
    "at most unknown: the drive does not report it",
    "entry unknown: the drive does not report it; exit unknown: the drive does not report it",
    "Identify Namespace; SMART says that the drive is failing; enhanced erase not supported; the kernel does not tell",
    "the bundle holds no SMART of the start; no block device of this host was involved; no sensor of the drive was asked",
    "`nvme` is not installed (package nvme-cli); the kernel does not choose the processors' frequency, as in virtual machines",
    "fio pauses equally long before each command, and these differ; fio does batches of one size only, and these differ",
    "offsets in a file say nothing of places on the drive; `file` does no single commands",
    "the drive is too small to shift writes through it; the drive is too small for reads at fresh places",
    "the drive is too small to read enough in between; the drive is too small for windows to compare",
    "window after 3.00 x the capacity, before it was steady",
    "12 reads lie above it, a percentile needs 10",
    "not identifiable: noisy: the halves of the data say different sizes",
    "rate (IOPS); Bandwidth; Used",
    "12 block sizes from 512 B to 1 MiB on the whole drive.",
    "at most 8.5 W, entry 16 µs, exit 4 µs; 8.0 GT/s PCIe x4, at best 16.0 GT/s PCIe x4; at best unknown",
    "SATA drive; temperature, read-only; Used: 3 % → 4 %",
    "below 5 %; fast",
    "size of a read page; SLC cache, full drive; rest until the cache recovers; SLC cache recovers at; throttles at; parallel units",
    "declared physical block; declared medium; write buffer drains at; read-ahead; kind of allocation; mapping cache covers",
    "read buffer; size of the read buffer; idle until the buffer is drained; reads beside writes",
    "reads delayed by writes; recovers at; size of the write buffer; sequential write 4 KiB",
    "sequential read 4KiB; random write 4KiB",
    "random read 4 KiB; order-like; address-like; ambiguous: only one distance stands out, which may be chance",
    "the paper's estimator; 4KiB by 512B: 4096 B; 16KiB by 4KiB: 16384 B",
    "buffered: after 64 MiB in between it is still there; noisy: the halves of the data say different sizes",
    "`stripe`: the drive is too small for reads far apart",
    "Not done: `stripe`: the drive is too small for reads far apart.",
    "beyond it the speed falls by 3% up to the whole drive; limited by flash inside",
    "limited by link or controller inside",
    "3 rows, the last of 3 passes",
    "of 3 rows",
    "writes at no more than half of the mean",
    "throughput",
    "best of 3 runs",
    "mean of 3 runs",
    "no drop within the drive: the speed falls by less than 10%",
    "no more cache after 9 s than after 3 s: nothing comes back, or all at once",
    "median of the last 3 of 5 runs",
    "mean without the largest and the smallest of 3 runs",
    "relative standard error of the last 3 of 5 runs, not below 3 %",
    "bytes written at the speed of the cache, after 3 GB written slower",
    "Default, 1 GiB x3",
    "1.021 to 1.034",
    "transition from 3 x; steady from 3 x the capacity",
)
"""Sentences of probes, imports, drives and the audit that only other results than the tested ones have."""
