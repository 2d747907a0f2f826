"""What is the same in Korean, and English that only other pages than the tested ones say."""

KEPT = set(
    """
    IOPS QD FOB SLC MiB GiB KiB TiB GB MB TB ms ns us min RSE SEQ RND DUT WAF LBA
    Purge TRIM Steady State Consistency Preconditioning Active Range Ratio BootBench Fill Drive
    fio snia window clat lat max SHA TOML CPU PCIe TLC QLC MLC HMB PLP UTC uPlot GNU Linux Debian bookworm Intel Xeon Processor
    ssdlab vm quick client enterprise standard fill reclaim rnd seq bootbench VIRTUAL
    NBD ASPM JSON sqthread_poll nvme
    Lab PM Ryzen bench class NVMe drive
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""Terms as reviewers write them, units, and names."""

SAID_ELSEWHERE: tuple[str, ...] = (
    "ssdlab pm9e1-1tb: client and enterprise, beside 4 more drives",
    "No checks: the run was not analysed yet.",
    "No figures: no step that has one was finished.",
    "No metrics: no step that gives any was finished, or the run was not analysed yet.",
    "This bundle is damaged or incomplete",
    "What the engine said",
    "Drive under test",
    ", imported",
    "Whole run",
    "Suite client 2025.12, quick profile, measured by fio-3.41 on 2026-01-20 09:30 UTC; 3 of 5 steps finished, 2 skipped by its rules.",
    "run failed",
    "run interrupted",
    "run stopped at a limit",
    "run unfinished: still running, or killed",
    "audit: 1 failed, 2 warning, 3 unknown",
    "no audit: nothing was concluded yet",
    "none: not concluded",
    "3 finished, 2 skipped, 1 planned, 1 h",
    "interrupted",
    "skipped",
    "planned",
    "unfinished",
    "stopped at a limit",
    "started, never ended",
    "real drive",
    "used",
    "no drop within the drive",
    "1,000 MiB/s (best)",
    "1,000 MiB/s (level with the best)",
    "level with the best",
    "68.7 GB (1.1 TiB, 1,209,462,790,553 bytes)",
    "RND 4 KiB read, QD1: latency",
    "RND 4 KiB write, QD256: consistency",
    "SEQ 128 KiB read, QD256",
    "SEQ 128 KiB write, QD256",
    "Random I/O: consistency of speed",
    "Sequential 1 MiB read: speed against latency",
    "1 MiB read",
    "1 MiB write",
    "512 B write",
    "Sequential, random: reads, writes; read, write, sequential, Random",
    "readers within latency limits (BootBench)",
    "Boot drive: reads a second within all limits",
    "ssdlab mlc-1tb, 64 readers: 60,000 IOPS",
    "reads a second (IOPS, log scale)",
    "random 4 KiB reads beside writes and trims (IOPS)",
    "With the most readers that keep the limits of latency and the floors. 60,000 pass. A drive that keeps them with no number of readers has no value.",
    "limit: 2 ms",
    "steady sequential writes",
    "steady random writes",
    "random writes (IOPS, log scale)",
    (
        "Sequential 128 KiB writes at QD256 over the whole drive; each line ends, with a symbol, where the writing did. "
        "ssdlab mlc-1tb ended by the criterion window after 2.00 x the capacity, 23.4 s; "
        "ssdlab qlc-dramless-1tb not steady after 3.00 x the capacity, where the suite ends."
    ),
    (
        "Random 4 KiB writes at QD256 over the whole drive; each line ends, with a symbol, where the writing did. "
        "ssdlab mlc-1tb ended by the criterion window after 2.00 x the capacity, 23.4 s."
    ),
    "ssdlab mlc-1tb: ended by the criterion window after 2.00 x the capacity, 23.4 s",
    "fio 2.00 x; 2 x",
    "1 point of 1 ms or more left out",
    "All 45 points took less than 1 ms, so none is left out.",
    "A plot a percentile of the completion latency of all I/Os, in fio's bins (0.8 %).",
    "Latency of every single I/O, by nearest rank; a percentile with fewer than 10 I/Os above it is not drawn.",
    "Hollow: the last three runs still had a relative standard error (RSE) of 5 % or more.",
    "drive and workload",
    "all windows, summed up in at most 40 rows a line",
    "slowest and fastest of each of 2,000 slices of a line",
    "slowest and fastest 100 ms window of each of 20,000 slices of a pass",
    "after 5 s (GiB)",
    "written in 60 s (GiB)",
    "reach 3.1 GiB",
    "ssdlab qlc-dramless-1tb: the mapping cache reaches over 3.1 GiB (3.3 GB)",
    "limit 10.00 ms",
    "too slow",
    "the rests do not pin it down",
    "unknown: the rests do not pin it down: too few of them lie between the first and the last cache that came back",
    "the write never left one speed",
    "folds its cache beside writing first, then writes directly: the slower of the two phases after the cache comes first",
    "precondition.seq: 512 I/Os, 1 GiB, blocks of 128 KiB; others likewise",
    "precondition.seq: 512 I/Os: percentiles up to 90 % have 51 samples above them; others likewise",
    "Purge to fresh out of the box.",
    "Rest 5 min: no host I/O at all.",
    (
        "Each point 5 times; the mean of the runs without the largest and the smallest counts. "
        "Weighted curve of 70 % QD1, 20 % QD2, 10 % QD4; its mean over all points ranks the drives."
    ),
    "the best run counts",
    "unknown: 9 samples lie above it, a percentile needs 10",
    "Each point a queue depth (QD); lower and further right is better",
    "no; snia 2.00 x",
    "unknown: no drop within the drive: the speed falls by less than 10%",
    "unknown: the write never left one speed: no cache, or all of it inside the cache",
    "precondition.seq: 1.2 M I/Os, 16 GiB, blocks of 4 KiB; others likewise",
    "precondition.seq: 1.2 M I/Os: percentiles up to 99.99 % have 120 samples above them; others likewise",
    "seq.read.q1.ramp: lasted 500 ms of 500 ms; others likewise",
    "Data-centre TLC drive: power-loss protection, flush for nothing, consistent once steady",
    "PCIe 3.0 MLC drive without an SLC cache: full speed out of the box, then garbage collection",
    "Storage-class memory: ten microseconds for reads and writes alike, whatever came before",
    "unknown: 3 of the 5 runs that a mean without the largest and the smallest needs",
    "Sequential I/O by block size; Random I/O by block size; block size",
    "read at QD1; write at QD256; read at QD1, 4 KiB: 1,000 MiB/s; write at QD1, 4 KiB: 1,000 IOPS",
    "bandwidth (MiB/s, log scale); rate (IOPS, log scale); read bandwidth (MiB/s)",
    "percentile of I/Os (%); written in the pass (MiB); time since the pass began (ms); Bandwidth",
    "Desktop benchmark profiles; best run of each profile; mean of the whole weighted curve; SEQ weighted; RND weighted",
    "Desktop benchmark profiles: RND 4 KiB Q32T1",
    "RND 4 KiB Q1T1 read (MiB/s); RND 4 KiB Q1T1 write (MiB/s); SEQ 1 MiB Q8T1 read (MiB/s); SEQ 1 MiB Q8T1 write (MiB/s)",
    "Write saturation: random 4 KiB writes at QD256",
    "transition; fresh I/Os a second; where the speed of the fresh drive ends; mean over the last capacity written",
    "written when the fresh speed was lost; written when the speed was steady; from here on within 10% of the steady speed",
    "Measured with ssdlab 0.1.0.",
)
"""Of more or other drives, and of runs that were cut off or are damaged."""
