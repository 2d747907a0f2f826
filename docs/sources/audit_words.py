"""What each check of the audit compares, why it is there, and a recorded result that shows it."""

from dataclasses import dataclass

from ssdlab.analysis.audit.rules import amount, device, host, latency, load, mix, offsets, silence
from ssdlab.analysis.audit.rules import instrument as fio
from ssdlab.engine import standstill
from ssdlab.engine.fio.binary import SQPOLL_SINCE
from ssdlab.units import NS_PER_MS, NS_PER_S, format_bytes


@dataclass(frozen=True, slots=True)
class Words:
    """What a page says that the code does not.

    Attributes:
        compares: What is held against what, with the limits.
        why: What goes wrong without it, and how that is known.
        case: Recorded result in `tests/data/fio-3.33/audit` whose finding is shown; empty where none can be recorded here.
    """

    compares: str
    why: str
    case: str = ""


WORDS = {
    "fio.version": Words(
        f"The version of fio and whether `sqthread_poll` was on. It needs {SQPOLL_SINCE}.",
        "With `sqthread_poll` the completion latency of fio before 3.34 is garbage, and can be wrong before 3.36 (commits "
        "c011bf12 and 10bad6b9, issue axboe/fio #1484, pull request #1594). Debian 12 ships 3.33: reads of some 0.1 ms are "
        "reported to take over a second. fio leaves an option that was given without a value out of its JSON; a missing "
        "submission latency then tells that the kernel may have polled.",
        "sqpoll",
    ),
    "fio.steady_state": Words(
        f"The outcome of fio's own `steadystate`, and its window: since fio {fio._STEADY_BROKEN_SINCE} no more than "
        f"{fio._STEADY_SAMPLES_MAX} samples.",
        "Since fio 3.35 (commit 90e678ba) the sum of squares is kept in 32 bits. It overflows above 1024 samples, the slope "
        "becomes 0, and a drive whose speed jumps sixfold is called steady: fio 3.42 with a window of 1100 s did so, 3.33 did "
        "not. Where fio does not reach a steady state, its `iops_mean` averages zeros that pad the window.",
        "not_steady",
    ),
    "fio.polling": Words(
        "`hipri` against flushes (`sync`, `fsync`, `fdatasync`), and against `queue/io_poll` where the run recorded its host.",
        "Queues that are polled reject flushes, and fio drops them without a word: 893 IOPS became 94,900 (axboe/fio #1577). "
        "Without `poll_queues` of the nvme module there is nothing to poll.",
    ),
    "fio.group_rates": Words(
        "For results of others: whether an entry of the JSON stands for several jobs.",
        "Under `group_reporting` fio adds up the smallest, largest and spread of the rates job by job (`stat.c`), so that "
        "`bw_min` is not the slowest moment of anything. Under `group_reporting` of different jobs the JSON has the name of the "
        "first and the options of the last (axboe/fio #2132); ssdlab cannot see that.",
        "grouped",
    ),
    "options.dropped": Words(
        "Every option of the method that could not be used, with the reason, and whether these numbers depend on it: options "
        f"of the path to the drive do once {fio._PATH_COST_NS // 1000} µs are more than {fio._PATH_SHARE:.0%} of the mean latency.",
        "METHODS 0: what cannot be used is dropped and recorded. io_uring and its options save some ten microseconds an I/O, "
        "which is much on Optane and nothing on a full queue.",
    ),
    "options.as_asked": Words(
        "Block size, queue depth, jobs, order, offset, duration, ramp and durability in the plan against the options in fio's "
        "JSON.",
        "fio reads sizes in its own way (`4KiB` is 4000 bytes), and job files are edited. The bundle keeps both sides.",
    ),
    "host.cpu": Words(
        f"Processor time of fio: {host._CPU_BUSY_PERCENT:.0f} % of one core a job, or of all cores of the host, is too much.",
        "A job is one thread. When its core is busy the drive waits for the host, and the number is the host's.",
    ),
    "host.page_cache": Words(
        "Whether fio was told `direct=1`, for engines that go through the page cache.",
        "`direct` is off by default. Reads then come from memory, writes end there, and fio's manual warns that errors of the "
        "device can go unnoticed.",
        "page_cache",
    ),
    "host.settings": Words(
        "What was read back of each setting that METHODS 0 wants: CPU governor and energy preference, scheduler, `nomerges`, "
        "`rq_affinity`. Polling is not counted here: `options.dropped` says when fio could not poll.",
        "A processor that saves power wakes late, a scheduler sorts and merges, and a completion on another core costs an "
        "interrupt more. All of it is time of the host in latencies of the drive. A run sets these, reads them back, and puts them "
        "back at its end; what the kernel refused is the finding.",
    ),
    "host.link": Words(
        "Speed and lanes of the PCIe link when the run began against the best the drive can, and what its slot can.",
        "A drive in a slot with half the lanes has half the bandwidth. A link below what both ends can was trained badly: "
        "dirt, a riser, a drive not seated.",
    ),
    "host.power_saving": Words(
        "The states that the link may enter to save power (ASPM), or where the kernel does not list them the policy.",
        "From L1 a link needs microseconds to wake, some drives far longer, and at QD1 every I/O can come after a pause.",
    ),
    "host.uninterrupted": Words(
        "Whether fio was stopped (state `T` or `t` of its process, looked at ten times a second), the host was suspended "
        "(`CLOCK_BOOTTIME` against `CLOCK_MONOTONIC`), or a thread that does nothing but wake ten times a second woke over "
        f"{standstill.HELD_UP_NS // NS_PER_S} s late: ssdlab was stopped, its virtual machine was paused, or the host had no time for it.",
        "A second in which nothing is asked of the drive looks like a stall of the drive, and is none. So nothing here looks at the "
        "I/O: a drive that stalls passes. A measurement that this happened to is made again, once; what it happened to again, and a "
        "fill or a conditioning, which done twice would leave another drive, is kept and fails. A machine that was paused so that its own "
        "clock stood still too cannot be told.",
    ),
    "series.regular": Words(
        "Windows over twice as long as they should be (nothing completed for that long), windows whose time fio wrote twice, "
        f"that overlap, or that are missing at the end (over {host._LATE_SHARE:.0%} of the job).",
        "A stall is a fact about the drive or the host, and must not be averaged away. fio's averaged logs repeat times and "
        "leave out windows without a completion.",
    ),
    "clock.agrees": Words(
        f"The engine's duration of the job, ramp included, against a second clock: the run's own, or `elapsed` in the JSON. "
        f"Starting fio may take {host._OVERHEAD_NS // 10**9} s.",
        "A suspended host or virtual machine stops one of them; then all rates are wrong.",
    ),
    "queue.littles_law": Words(
        f"The queue depth asked for, times jobs, against IOPS x mean latency over all directions (Little's law). Up to "
        f"{load._QUEUE_WARN:.0%} off passes, up to {load._QUEUE_FAIL:.0%} warns. Not asked at a given rate, with pauses or with "
        "flushes between writes.",
        "It ties three numbers together that are measured apart. `psync` has a queue of one whatever `iodepth` says; a wrong "
        "clock or a lost job shows here too.",
        "psync_deep",
    ),
    "load.duration": Words(
        f"Time and bytes against `runtime`, `io_size` and `size`; {load._SHORT_SHARE:.0%} may be missing. fio holds `runtime` against a "
        f"clock that starts before the I/O does: up to {load._JOB_START_NS // NS_PER_MS} ms of `job_runtime` in which no I/O was done count too.",
        "Without `time_based` a job ends when its size is moved: a drive of 7 GB/s reads 1 GiB in 0.15 s, all of it inside a "
        "cache, and the number is called that of a minute (KDiskMark, bench-fio #137). A job that was killed leaves a JSON "
        "like any other.",
        "early_end",
    ),
    "load.ramp": Words(
        "Measured time against `runtime` and `ramp_time`.",
        "The ramp is in none of fio's numbers and logs: what a cache did in it is gone. A ramp longer than the job makes fio "
        "read oddly (axboe/fio #2041).",
        "long_ramp",
    ),
    "load.rate": Words(
        f"IOPS done against `rate_iops`, less {load._RATE_SHARE:.0%}, and whether arrivals are independent of completions. "
        f"Of the load engine also how late it was itself, 99th percentile against the mean response latency "
        f"({load._LATE_SHARE:.0%} are allowed), and I/Os that fell due and were never submitted. A step that looks for what the drive "
        "takes offers more by intent: what was not done then is the drive's, if the generator was punctual and `host.cpu_headroom` passes.",
        "By default a late I/O delays those after it, so their waiting is in no latency. `rate_process=poisson` keeps the "
        "arrivals whatever is late. What a drive that is asked for too much never gets is in no latency at all.",
        "even_rate",
    ),
    "mix.shares": Words(
        "Of a mix, what the load engine counted as it issued it, by part, length and tenth of the blocks (of zipf's law by class of the rank), "
        "against the shares of the mix: by chi-square over all kinds together, over parts, over lengths of each direction and over directions, those expected "
        "less than 5 times counted as one. It fails below "
        f"a probability of {mix._BY_CHANCE_MIN:.0e} for all four, and if an I/O is in no count.",
        "A mix is worth its name only as far as it was issued. Lengths by weight, directions by chance and places by a law are three draws "
        "that a generator can get wrong without any sign in speed or latency. Places of sequential parts are not drawn, and not part of it.",
    ),
    "load.jobs_alike": Words(
        f"How long jobs ran on the mean against the longest; {load._JOB_SHARE:.0%} and {load._JOB_START_NS // 10**6} ms are allowed.",
        "When some jobs end early, the rest of the time has another load, and the mean of both is neither.",
        "skewed",
    ),
    "point.known": Words(
        "Of a point with `until`, half of the 95 % interval of its mean rate against what was asked for, whether it drifts, and what counts "
        "against two periods of the longest rhythm seen.",
        "A point shorter than a rhythm of its drive measures a part of it, and may look as settled as can be: "
        "[How long is long enough?](../../time-to-truth.md) has how often.",
    ),
    "coverage.fill": Words(
        "For fills: bytes written against bytes of the region, and whether the order of offsets visits every block. A pass that the "
        "operator stopped is warned of.",
        "Offsets drawn independently (`norandommap`) reach 63.2 % of the blocks in one pass and 86.4 % in two, as counted with "
        "fio; four jobs with a random map each reach 68.5 % together.",
    ),
    "offsets.generator": Words(
        f"Blocks of the region against the 2^32 draws of fio's default generator; one block may come {offsets._UNEVEN_MAX:.2f} "
        "times as often as another.",
        "The default generator has 32 bits (`io_u.c`). Asked for by name, it leaves blocks beyond 2^32 out; below, 4 KiB on "
        "7.68 TB has blocks 1.5 times as likely as others.",
        "beyond_32_bits",
    ),
    "offsets.seed": Words(
        "`randrepeat` and `randseed`.",
        "`randrepeat` is on by default: two runs of a job gave the same offsets to the last byte. Repeated rounds then rewrite "
        "the same few blocks, and reads find what the write before left in a cache.",
        "straddling",
    ),
    "offsets.aligned": Words(
        "Block size and offset against the logical block, and against pages of 4 KiB.",
        "In fio `4k` is 4096 bytes, and `4KiB` is 4000 (`kb_base=1024`, checked with 3.33). A block that straddles pages "
        "costs two reads, and a write a read besides.",
        "four_kib",
    ),
    "offsets.shared": Words(
        "For sequential jobs on one file: whether `offset_increment` gives each its part.",
        "All jobs begin at the same offset otherwise, and all but the first read what is in a cache.",
        "same_start",
    ),
    "offsets.working_set": Words(
        f"Bytes moved against bytes of the region: over {offsets._PASSES_MAX:g} times through less than "
        f"{format_bytes(offsets._SMALL_BYTES)}. Not asked of scaled profiles and of models.",
        "A drive has memory of its own, about 1 GB for each TB. A small region that is visited again and again need not reach "
        "the flash at all.",
        "hole",
    ),
    "bytes.logs_agree": Words(
        f"The bytes in fio's logs against the total in fio's JSON. What was done after the last line of a log may be missing: "
        "what was in flight and as many of the briefest I/Os as one more window had time for, at the queue depth. More may be only "
        f"if it is under {amount._LOG_SHARE:.0%}.",
        "fio samples its bandwidth log from a thread of its own; under load the sum exceeds what the drive can do (axboe/fio "
        "#1144) or loses rows (#1032, #1113).",
        "with_logs",
    ),
    "bytes.series_agrees": Words(
        f"The bytes of all windows of `series.parquet` against the total; allowed is {amount._LOG_SHARE:.0%}.",
        "The series is made of several logs. It must add up to what fio counted.",
    ),
    "bytes.totals_agree": Words(
        "I/Os x block size against bytes; bytes and I/Os over time against the rates fio printed "
        f"({amount._RATE_SHARE:.1%} and a millisecond).",
        "A JSON that was edited, cut together or summed up from the wrong entries does not fit.",
    ),
    "io.errors": Words(
        "The number of I/Os that failed.",
        "With `continue_on_error` a job goes on, and errors are often faster than I/Os.",
        "io_errors",
    ),
    "io.short": Words(
        "The number of I/Os that moved fewer bytes than asked.",
        "They count as whole ones in IOPS and latency.",
    ),
    "data.contents": Words(
        "For writes: `refill_buffers`, `scramble_buffers`, `zero_buffers`, `buffer_pattern` and shares to compress or repeat.",
        "By default fio fills a buffer once and scrambles it lightly: of 8 MiB written so, LZMA makes 1.1 %. Without "
        "scrambling 2048 pages hold 16 different ones. Drives and enclosures that compress or deduplicate shine then.",
        "scrambled",
    ),
    "points.gap": Words(
        "The gap between points: from the last completion of one to the first submission of the next, by the clock of the load engine; of "
        f"fio from its start and end. Below {silence.GAP_NS_MAX // 1_000_000} ms it passes, a longer one is told.",
        "A drive that is left alone empties its buffer and collects garbage, and the next point is measured on another drive than the "
        "one before. fio is started anew for each point, which takes half a second or more. The load engine goes from one "
        "point to the next at once, which the journal announces before; sensors are read beside the next point, and what they say is told "
        "of the point in which they were asked. Limits are kept all the same: the engine itself ends a point beyond `--max-write`, and the "
        "temperature is asked as each point begins. Where a drive may not be asked beside its I/O the next point waits for that, and after a "
        "point that is done again. Whether the gap is a share that matters is judged by `load.unbroken`.",
    ),
    "load.unbroken": Words(
        "The time of a step without I/O, of the load engine the time since the last I/O before it, against the time measured, where "
        f"writes are measured straight after other I/O: at most {silence.SHARE_MAX:.0%}.",
        "Each job of fio's is a process of its own, and between two of them nothing is written for half a second or more. Meanwhile a drive empties "
        "its buffer, and some collect garbage. On the virtual drive `demo` at 256 MiB, full and in no steady state, a pause of 0.3 s "
        "before a measurement of 1.2 s raised random writes by 8 to 54 %, before one of 12 s by 0 to 2 %; a pause of 1.5 s, after "
        "which this drive collects garbage, by 30 to 55 % and 2 to 4 %. In virtual time (`model:`) there is no such pause.",
    ),
    "writes.forced": Words(
        "Writes that had to be durable before they counted (`sync`), against the forced writes and flushes that were really "
        "sent: by the count of a virtual drive, by fio's own count of flushes where its nbd engine is used, else by the kernel's.",
        "fio's nbd engine takes `sync=1` and ignores it: a drive that needs 5 ms for a durable write was shown with 9,800 IOPS "
        "in place of 198, and every other check passed. Virtual drives therefore have an export of their own that forces every "
        "write; through any other NBD server each write is followed by a flush.",
        "nbd_sync",
    ),
    "device.bytes": Words(
        f"Bytes of fio against those the kernel counted for the device (`/sys/dev/block/*/stat`), less {device._SHARE:.0%}. Of "
        f"others' results fio's `disk_util`, which in older versions has I/Os only: {device._COUNT_SHARE:.0%} must be there, and the "
        "job must last a second, because fio looks four times a second.",
        "`direct=1` can be ignored by a file system (KDiskMark #148: ZFS, #122: NTFS-3G), and a hole in a sparse file is read "
        "without the drive.",
        "hole",
    ),
    "device.other_io": Words(
        f"Bytes the kernel counted beyond fio's: over {device._SHARE:.0%} and {format_bytes(device._METADATA_BYTES)}. A ramp, "
        "which fio does not count, hides them in the direction of the job.",
        "Whatever else reads or writes the drive takes its share of the speed, and its garbage collection goes on afterwards.",
    ),
    "device.temperature": Words(
        f"Lowest and highest temperature during the step: {device._WARM_SPAN_CELSIUS:.0f} degrees apart is too much.",
        "A cold drive is another drive than a hot one. It is read once a second while load runs, if the drive can be asked then.",
    ),
    "device.throttled": Words(
        "The time the drive says it slowed itself down: NVMe drives with host-controlled thermal management, and virtual ones.",
        "Then the numbers are those of the cooling. A drive can throttle without counting it.",
    ),
    "device.link": Words(
        "Speed and width of the link before and after the step.",
        "Errors make a link fall back to a lower speed without a word.",
    ),
    "device.error_log": Words(
        "How many entries the drive's error log has more than before the step.",
        "An error that was mended by a second try is nowhere else to be seen. Programs that ask a drive for pages it lacks add entries too.",
    ),
    "device.kernel_log": Words(
        "Lines of the kernel's log during the step that name the drive or what it hangs on.",
        "A controller that was reset in mid-step left an outlier of seconds, and a line here.",
    ),
    "latency.measured": Words(
        "Whether there is any latency.",
        "`gtod_reduce` and `disable_lat` save time by not looking at the clock. A public library of fio results has no latency "
        "at all for that reason.",
        "untimed",
    ),
    "latency.clat_within_lat": Words(
        "Mean completion latency against mean total latency, of which it is a part.",
        "It catches the garbage of `fio.version` whatever the version, and found 1.7 s in a lat of 49 µs.",
        "sqpoll_bare",
    ),
    "latency.sum": Words(
        f"Mean submission plus completion latency against mean total latency: {latency._SUM_SHARE:.0%} and {latency._SUM_NS:.0f} ns.",
        "fio takes the parts and the whole from the same readings of the clock, so they add up unless one is wrong.",
    ),
    "latency.clat_low_end": Words(
        f"Median completion latency against {latency._LOW_END_SHARE:.0%} of the median of the total latency.",
        "METHODS 0: with `sqthread_poll`, or where I/Os complete while they are submitted, completion latency undershoots at "
        "its low end.",
    ),
    "latency.ordered": Words(
        "Smallest, mean, percentiles and largest of each latency.",
        "Percentiles that were averaged over jobs, or copied from another run, need not stand in order.",
    ),
    "latency.histogram_whole": Words(
        "I/Os in the latency bins against I/Os done (a ramp makes them differ by the queue); whether the largest latency lies "
        "in the last bin used.",
        "fio's last bin begins at 17.18 s: all percentiles above are the same value (axboe/fio #1668: 17.1 s, largest 94 s).",
    ),
    "latency.percentile_samples": Words(
        "The number of I/Os, and with it the highest percentile that has 10 samples above it.",
        "The 99.99th percentile of 10,000 I/Os is the second largest of them: luck.",
    ),
    "latency.host_on_time": Words(
        "How long after the moment that its model decided a virtual drive's replies left: on the mean against "
        f"{latency._LATE_MEAN_SHARE:.0%} of the mean latency, at the 99th percentile against {latency._LATE_TAIL_SHARE:.0%} of that of the latency.",
        "A host with other work lets the server wait, and fio measures that wait as the drive's. What the host holds up before a "
        "request arrives the server cannot see, so the true share is larger. Real drives and virtual time are never asked.",
    ),
}
