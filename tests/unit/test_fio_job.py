"""The job file says everything the Job says, and what it had to leave out is recorded."""

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.sample_fio import BLOCK, FILE, FIO_3_33, FIO_3_41, NBD, sequential_fill

from ssdlab import version
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.fio.binary import FioBinary, FioTooOld
from ssdlab.engine.fio.job_file import (
    TooManyIos,
    ended_for_memory,
    histogram_ns_for,
    kept_ios_max_for,
    require_access,
    write_job_file,
)
from ssdlab.engine.real_time import IoUringForbidden, require_io_uring
from ssdlab.engine.result import Dropped
from ssdlab.host.kernel import Kernel
from ssdlab.job import (
    HISTOGRAM_WINDOWS_MAX,
    Action,
    Caching,
    Draw,
    Interface,
    IoLog,
    Job,
    Pattern,
    Region,
    Stream,
    StreamKind,
    Sync,
)
from ssdlab.message import message, number, verbatim
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S, TIB

MIXED = sequential_fill(
    name="rw_ratio.3",
    pattern=Pattern.RANDOM,
    read_percent=70,
    block_bytes=4 * KIB,
    queue_depth=4,
    jobs=2,
    region=Region(GIB, 2 * GIB),
    amount_bytes=None,
    duration_ns=30 * NS_PER_S,
    seed=11,
)


def text_of(job: Job, address: FioAddress = NBD, fio: FioBinary = FIO_3_33) -> str:
    """The job file, with the version in its heading left open."""
    return write_job_file(job, address, fio).text.replace(version(), "VERSION")


def options_of(job: Job, address: FioAddress = NBD, fio: FioBinary = FIO_3_33) -> dict[str, str]:
    lines = text_of(job, address, fio).splitlines()[2:]
    return dict(line.split("=", 1) for line in lines)


def dropped_of(job: Job, address: FioAddress, fio: FioBinary) -> dict[str, str]:
    return {one.option: str(one.reason) for one in write_job_file(job, address, fio).dropped}


def test_a_sequential_fill_over_nbd() -> None:
    assert text_of(sequential_fill()) == snapshot("""\
; written by ssdlab VERSION; repeat it with `fio --output-format=json+ job.fio`
[fill.pass1]
ioengine=nbd
uri=nbd+unix:///?socket=/run/drive
rw=write
bs=131072
iodepth=256
numjobs=1
offset=0
size=67108864
randrepeat=0
randseed=7
io_size=67108864
refill_buffers=1
group_reporting=1
thread=1
clat_percentiles=1
lat_percentiles=1
write_lat_log=log
log_avg_msec=100
write_hist_log=log
log_hist_msec=100
log_hist_coarseness=2
""")


def test_a_mixed_random_job_for_a_time() -> None:
    assert text_of(MIXED) == snapshot("""\
; written by ssdlab VERSION; repeat it with `fio --output-format=json+ job.fio`
[rw_ratio.3]
ioengine=nbd
uri=nbd+unix:///?socket=/run/drive
rw=randrw
bs=4096
iodepth=4
numjobs=2
offset=1073741824
size=2147483648
randrepeat=0
randseed=11
rwmixread=70
norandommap=1
random_generator=tausworthe64
runtime=30000ms
time_based=1
refill_buffers=1
group_reporting=1
thread=1
clat_percentiles=1
lat_percentiles=1
write_lat_log=log
log_avg_msec=100
write_hist_log=log
log_hist_msec=100
log_hist_coarseness=2
""")


def test_a_job_that_logs_every_io() -> None:
    assert text_of(replace(MIXED, io_log=IoLog.EVERY_IO, jobs=1, read_percent=100)) == snapshot("""\
; written by ssdlab VERSION; repeat it with `fio --output-format=json+ job.fio`
[rw_ratio.3]
ioengine=nbd
uri=nbd+unix:///?socket=/run/drive
rw=randread
bs=4096
iodepth=4
numjobs=1
offset=1073741824
size=2147483648
randrepeat=0
randseed=11
norandommap=1
random_generator=tausworthe64
runtime=30000ms
time_based=1
group_reporting=1
thread=1
clat_percentiles=1
lat_percentiles=1
write_lat_log=log
log_offset=1
disable_slat=1
log_avg_msec=0
log_entries=1048576
""")


def test_a_trim() -> None:
    assert text_of(sequential_fill(name="trim", action=Action.TRIM, queue_depth=1)) == snapshot("""\
; written by ssdlab VERSION; repeat it with `fio --output-format=json+ job.fio`
[trim]
ioengine=nbd
uri=nbd+unix:///?socket=/run/drive
rw=trim
bs=131072
iodepth=1
numjobs=1
offset=0
size=67108864
randrepeat=0
randseed=7
io_size=67108864
refill_buffers=1
group_reporting=1
thread=1
clat_percentiles=1
lat_percentiles=1
write_lat_log=log
log_avg_msec=100
write_hist_log=log
log_hist_msec=100
log_hist_coarseness=2
""")


def test_a_file_as_target_with_an_old_fio() -> None:
    assert text_of(sequential_fill(), FILE, FIO_3_33) == snapshot("""\
; written by ssdlab VERSION; repeat it with `fio --output-format=json+ job.fio`
[fill.pass1]
ioengine=io_uring
filename=/mnt/test.bin
allow_file_create=0
direct=1
registerfiles=1
fixedbufs=1
rw=write
bs=131072
iodepth=256
numjobs=1
offset=0
size=67108864
randrepeat=0
randseed=7
io_size=67108864
refill_buffers=1
group_reporting=1
thread=1
clat_percentiles=1
lat_percentiles=1
write_lat_log=log
log_avg_msec=100
write_hist_log=log
log_hist_msec=100
log_hist_coarseness=2
""")


def test_a_new_fio_polls_and_logs_mean_and_maximum() -> None:
    added = set(text_of(sequential_fill(), FILE, FIO_3_41).splitlines()) - set(
        text_of(sequential_fill(), FILE, FIO_3_33).splitlines()
    )
    assert sorted(added) == snapshot(["log_window_value=both", "sqthread_poll=1"])


def test_what_is_dropped_over_nbd_is_recorded_with_the_reason() -> None:
    assert dropped_of(sequential_fill(), NBD, FIO_3_33) == snapshot(
        {
            "ioengine=io_uring": "the drive is behind NBD, io_uring is not involved",
            "hipri": "the drive is behind NBD, io_uring is not involved",
            "sqthread_poll": "the drive is behind NBD, io_uring is not involved",
            "registerfiles": "the drive is behind NBD, io_uring is not involved",
            "fixedbufs": "the drive is behind NBD, io_uring is not involved",
            "log_window_value=both": "fio 3.33 logs either the mean or the largest latency of a window, not both; the largest is read from its histogram, up to 6 % above the true one",
        }
    )


def test_what_is_dropped_on_a_file_is_recorded_with_the_reason() -> None:
    assert dropped_of(sequential_fill(), FILE, FIO_3_33) == snapshot(
        {
            "hipri": "a file on a file system cannot be polled",
            "sqthread_poll": "fio 3.33 reports wrong completion latencies with it; needs 3.36",
            "log_window_value=both": "fio 3.33 logs either the mean or the largest latency of a window, not both; the largest is read from its histogram, up to 6 % above the true one",
        }
    )
    assert dropped_of(sequential_fill(), FILE, FIO_3_41) == snapshot(
        {"hipri": "a file on a file system cannot be polled"}
    )


def test_buffers_that_the_user_may_not_lock_are_not_registered() -> None:
    needed_bytes = 256 * 128 * KIB
    registered = write_job_file(sequential_fill(), FILE, FIO_3_41, locked_bytes_max=needed_bytes)
    assert "fixedbufs=1\n" in registered.text
    plain = write_job_file(sequential_fill(), FILE, FIO_3_41, locked_bytes_max=8 * MIB)
    assert ("fixedbufs" in plain.text, "registerfiles=1\n" in plain.text) == (False, True)
    assert set(plain.dropped) - set(registered.dropped) == {one for one in plain.dropped if one.option == "fixedbufs"}
    assert [str(one.reason) for one in plain.dropped if one.option == "fixedbufs"] == snapshot(
        [
            "the I/Os in flight take 32.0 MiB, and this user may lock 8.00 MiB of memory (`ulimit -l`), so their buffers are not registered with the kernel"
        ]
    )


def test_a_buffer_smaller_than_a_page_takes_a_page_of_what_may_be_locked() -> None:
    small = sequential_fill(block_bytes=512, queue_depth=256, jobs=2)
    texts = [write_job_file(small, FILE, FIO_3_41, locked_bytes_max=most).text for most in (2 * MIB, 2 * MIB - 1)]
    assert ["fixedbufs=1\n" in text for text in texts] == [True, False]


def test_a_drive_behind_nbd_needs_no_locked_memory() -> None:
    without = write_job_file(sequential_fill(), NBD, FIO_3_33)
    assert write_job_file(sequential_fill(), NBD, FIO_3_33, locked_bytes_max=0) == without


EVERY_IO = replace(MIXED, io_log=IoLog.EVERY_IO)


def test_a_log_of_every_io_drops_no_window_value_but_its_room_where_fio_gives_none() -> None:
    small = replace(FIO_3_33, options=FIO_3_33.options - {"log_entries"})
    found = [{one for one in dropped_of(EVERY_IO, NBD, fio) if "log" in one} for fio in (FIO_3_33, small)]
    assert found == [set(), {"log_entries=1048576"}]


def test_a_job_that_keeps_every_io_ends_before_it_fills_the_memory() -> None:
    assert kept_ios_max_for(16 * GIB) == 53_687_091
    text = write_job_file(EVERY_IO, NBD, FIO_3_33, kept_ios_max=50_000_001).text
    assert f"io_size={50_000_000 // EVERY_IO.jobs * 4096}\nruntime=30000ms\n" in text
    assert "time_based" not in text
    assert "time_based=1\n" in write_job_file(MIXED, NBD, FIO_3_33, kept_ios_max=50_000_001).text


def test_what_a_job_was_ended_by_for_its_memory_is_recorded() -> None:
    assert ended_for_memory(EVERY_IO, 20 * NS_PER_S, 50_000_000) == snapshot(
        (
            Dropped(
                option="runtime=30000ms",
                reason=message("engine-drop-capped", ios=number(50_000_000)),
            ),
        )
    )
    assert ended_for_memory(EVERY_IO, 30 * NS_PER_S, 50_000_000) == ()
    assert ended_for_memory(MIXED, 20 * NS_PER_S, 50_000_000) == ()


def test_a_job_with_more_ios_to_keep_than_memory_holds_is_refused() -> None:
    every_io = sequential_fill(io_log=IoLog.EVERY_IO)
    assert (
        write_job_file(every_io, NBD, FIO_3_33, kept_ios_max=512).text == write_job_file(every_io, NBD, FIO_3_33).text
    )
    with pytest.raises(TooManyIos) as error:
        write_job_file(every_io, NBD, FIO_3_33, kept_ios_max=511)
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            "job `fill.pass1` is to keep each of its 512 I/Os, half of the host's memory holds 511",
            ("give it a smaller amount, or let it keep windows and histograms, which hold every percentile to 0.8 %",),
        )
    )


@pytest.mark.parametrize(
    ("pattern", "read_percent", "action", "rw"),
    [
        (Pattern.SEQUENTIAL, 0, Action.READ_WRITE, "write"),
        (Pattern.SEQUENTIAL, 100, Action.READ_WRITE, "read"),
        (Pattern.SEQUENTIAL, 1, Action.READ_WRITE, "rw"),
        (Pattern.RANDOM, 0, Action.READ_WRITE, "randwrite"),
        (Pattern.RANDOM, 100, Action.READ_WRITE, "randread"),
        (Pattern.RANDOM, 99, Action.READ_WRITE, "randrw"),
        (Pattern.RANDOM, 99, Action.TRIM, "randtrim"),
    ],
)
def test_pattern_read_share_and_action_are_one_word_of_fio(
    pattern: Pattern, read_percent: int, action: Action, rw: str
) -> None:
    options = options_of(sequential_fill(pattern=pattern, read_percent=read_percent, action=action))
    assert options["rw"] == rw
    assert options.get("rwmixread") == (str(read_percent) if rw in {"rw", "randrw"} else None)


def test_measuring_draws_each_offset_anew_from_all_of_them() -> None:
    options = options_of(sequential_fill(pattern=Pattern.RANDOM, draw=Draw.INDEPENDENT))
    assert (options["norandommap"], options["random_generator"]) == ("1", "tausworthe64")


def test_a_permutation_writes_every_block_once() -> None:
    options = options_of(sequential_fill(pattern=Pattern.RANDOM, draw=Draw.PERMUTATION))
    assert options["random_generator"] == "lfsr"
    assert "norandommap" not in options


def test_offsets_are_never_those_of_the_run_before() -> None:
    assert options_of(sequential_fill(seed=12))["randrepeat"] == "0"
    assert options_of(sequential_fill(seed=12))["randseed"] == "12"


def test_the_shorter_of_amount_and_duration_ends_a_job() -> None:
    both = options_of(sequential_fill(amount_bytes=MIB, duration_ns=NS_PER_S))
    assert (both["io_size"], both["runtime"]) == (str(MIB), "1000ms")
    # With `time_based` fio would go on after the amount.
    assert "time_based" not in both


def test_a_rate_is_an_open_loop_with_random_arrivals() -> None:
    options = options_of(sequential_fill(rate_iops=5000))
    assert (options["rate_iops"], options["rate_process"]) == ("5000", "poisson")


def test_written_data_is_never_the_same_twice() -> None:
    assert options_of(sequential_fill())["refill_buffers"] == "1"
    assert "refill_buffers" not in options_of(sequential_fill(read_percent=100))


def test_a_durable_write_is_asked_for() -> None:
    options = options_of(sequential_fill(sync=Sync.SYNC), BLOCK)
    assert (options["sync"], "fsync" in options) == ("1", False)
    assert not {"sync", "fsync"} & options_of(sequential_fill(), BLOCK).keys()


def test_a_durable_write_goes_through_the_export_that_forces_it() -> None:
    forcing = replace(NBD, forced_location="nbd+unix:///forced?socket=/run/drive")
    durable = sequential_fill(sync=Sync.SYNC)
    options = options_of(durable, forcing)
    assert (options["uri"], options["sync"], "fsync" in options) == (forcing.forced_location, "1", False)
    assert "sync=1" not in dropped_of(durable, forcing, FIO_3_33)
    assert options_of(sequential_fill(), forcing)["uri"] == NBD.location


def test_where_no_write_can_be_forced_each_is_flushed() -> None:
    durable = sequential_fill(sync=Sync.SYNC)
    options = options_of(durable, NBD)
    assert (options["fsync"], "sync" in options) == ("1", False)
    assert dropped_of(durable, NBD, FIO_3_33)["sync=1"].startswith("fio's nbd engine cannot force a write")


def test_a_file_is_read_and_written_past_the_page_cache() -> None:
    assert options_of(sequential_fill(), FILE)["direct"] == "1"


@pytest.mark.parametrize("interface", list(Interface))
def test_what_is_not_there_any_more_is_not_made_anew(interface: Interface) -> None:
    assert options_of(sequential_fill(interface=interface), BLOCK)["allow_file_create"] == "0"


def test_a_device_with_queues_to_poll_is_polled() -> None:
    assert options_of(sequential_fill(), BLOCK, FIO_3_41) | {
        "ioengine": "io_uring",
        "filename": "/dev/nvme0n1",
        "hipri": "1",
        "sqthread_poll": "1",
        "registerfiles": "1",
        "fixedbufs": "1",
    } == options_of(sequential_fill(), BLOCK, FIO_3_41)
    assert dropped_of(sequential_fill(), BLOCK, FIO_3_41) == {}


def test_a_device_without_them_is_not_and_says_so() -> None:
    address = replace(BLOCK, cannot_poll=verbatim("no queues"))
    assert "hipri" not in options_of(sequential_fill(), address)
    assert dropped_of(sequential_fill(), address, FIO_3_41) == {"hipri": "no queues"}


@pytest.mark.parametrize("fio", [FIO_3_33, FIO_3_41])
def test_trims_wait_one_after_the_other(fio: FioBinary) -> None:
    trim = sequential_fill(action=Action.TRIM, queue_depth=1)
    options = options_of(trim, BLOCK, fio)
    assert options | {"ioengine": "psync", "direct": "1", "rw": "trim", "iodepth": "1"} == options
    assert not {"hipri", "fixedbufs", "sqthread_poll", "registerfiles"} & options.keys()
    dropped = dropped_of(trim, BLOCK, fio)
    assert dropped.keys() >= {"ioengine=io_uring", "hipri", "fixedbufs", "sqthread_poll", "registerfiles"}
    assert dropped["ioengine=io_uring"].startswith("a trim is a call to the kernel that waits")


def test_a_durable_write_is_not_polled_for() -> None:
    durable = sequential_fill(sync=Sync.SYNC)
    assert "hipri" not in options_of(durable, BLOCK, FIO_3_41)
    assert dropped_of(durable, BLOCK, FIO_3_41) == {
        "hipri": "a polled queue takes no flushes, which durable writes end with"
    }


def test_a_fio_without_the_engine_a_device_needs_says_how_to_get_it() -> None:
    bare = replace(FIO_3_41, engines=frozenset({"psync"}))
    with pytest.raises(FioTooOld, match="built without its io_uring engine"):
        require_access(BLOCK, bare)
    with pytest.raises(FioTooOld, match="built without its libaio engine"):
        text_of(sequential_fill(interface=Interface.LIBAIO), BLOCK, replace(bare, engines=frozenset({"io_uring"})))


@pytest.mark.parametrize(("said", "user_id", "forbidden"), [("0", 1000, 0), ("1", 0, 0), ("1", 1000, 1), ("2", 0, 1)])
def test_a_kernel_that_forbids_io_uring_is_noticed_before_anything_is_erased(
    tmp_path: Path, said: str, user_id: int, forbidden: int
) -> None:
    kernel = Kernel(proc=tmp_path)
    require_io_uring(BLOCK, kernel, user_id)
    (tmp_path / "sys/kernel").mkdir(parents=True)
    (tmp_path / "sys/kernel/io_uring_disabled").write_text(f"{said}\n")
    require_io_uring(NBD, kernel, user_id)
    with pytest.raises(IoUringForbidden, match=f"`kernel.io_uring_disabled` is {said}") if forbidden else nullcontext():
        require_io_uring(BLOCK, kernel, user_id)


def test_fio_is_given_a_file_and_not_its_path_and_the_heading_says_how() -> None:
    address = FioAddress(IoPath.FILE, "/mnt/a:b;c.bin", descriptor=7)
    assert options_of(sequential_fill(), address)["filename"] == "/proc/self/fd/0"
    assert text_of(sequential_fill(), address).splitlines()[0].endswith("`fio --output-format=json+ job.fio < FILE`")


def test_a_fio_without_the_nbd_engine_says_how_to_get_it() -> None:
    with pytest.raises(FioTooOld) as error:
        write_job_file(sequential_fill(), NBD, replace(FIO_3_33, engines=frozenset({"io_uring"})))
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            "fio 3.33 at /usr/bin/fio was built without its nbd engine",
            ("on Fedora and Rocky install `fio-engine-nbd`; a fio built by hand needs `./configure --enable-libnbd`",),
        )
    )


def test_an_option_this_fio_does_not_know_is_named() -> None:
    poor = replace(FIO_3_33, options=FIO_3_33.options - {"refill_buffers", "lat_percentiles"})
    with pytest.raises(FioTooOld) as error:
        write_job_file(sequential_fill(), NBD, poor)
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            "fio 3.33 at /usr/bin/fio does not know `lat_percentiles`, `refill_buffers`",
            ("install a newer fio; Debian 12's 3.33 is enough for every built-in suite",),
        )
    )


def test_histograms_are_of_100_ms_as_long_as_fio_can_hold_them() -> None:
    assert histogram_ns_for(sequential_fill(), 4 * GIB) == 100 * NS_PER_MS
    whole_drive = sequential_fill(region=Region(0, 16 * TIB), amount_bytes=16 * TIB)
    histogram_ns = histogram_ns_for(whole_drive, 4 * GIB)
    assert histogram_ns > 100 * NS_PER_MS
    assert histogram_ns % (100 * NS_PER_MS) == 0


def test_their_number_is_bounded_however_large_the_host() -> None:
    year = sequential_fill(amount_bytes=None, duration_ns=365 * 24 * 3600 * NS_PER_S)
    assert year.duration_ns is not None
    assert year.duration_ns / histogram_ns_for(year, 1024 * TIB) <= HISTOGRAM_WINDOWS_MAX


def test_longer_histograms_are_said_to_fio_and_recorded_and_the_series_keeps_its_windows() -> None:
    file = write_job_file(sequential_fill(), NBD, FIO_3_41, 300 * NS_PER_MS)
    assert {"log_avg_msec=100", "log_hist_msec=300", "write_bw_log=log"} <= set(file.text.splitlines())
    assert {one.option: str(one.reason) for one in file.dropped if "msec" in one.option} == snapshot(
        {
            "log_hist_msec=100": "the job may last so long that fio's histograms would fill the host's memory, so there is one every 300 ms; in between I/Os are shared out by fio's bandwidth log"
        }
    )


def test_the_heading_tells_how_to_repeat_the_job_by_hand() -> None:
    assert re.match(r"; written by ssdlab \S+; repeat it with `fio [^`]+ job\.fio`\n", text_of(sequential_fill()))


def test_several_sequential_jobs_each_have_their_part_of_the_region_and_of_the_amount() -> None:
    options = options_of(sequential_fill(jobs=4, region=Region(GIB, 4 * GIB), amount_bytes=2 * GIB))
    named = ("numjobs", "offset", "size", "offset_increment", "io_size")
    assert {name: int(options[name]) for name in named} == {
        "numjobs": 4,
        "offset": GIB,
        "size": GIB,
        "offset_increment": GIB,
        "io_size": GIB // 2,
    }


def test_several_jobs_of_independent_draws_share_the_region_and_the_rate() -> None:
    options = options_of(replace(MIXED, rate_iops=1000))
    assert "offset_increment" not in options
    assert (options["size"], options["rate_iops"]) == (str(2 * GIB), "500")


READS_BESIDE = sequential_fill(
    name="bootbench.n8",
    pattern=Pattern.RANDOM,
    draw=Draw.INDEPENDENT,
    read_percent=100,
    block_bytes=32 * KIB,
    queue_depth=1,
    jobs=8,
    amount_bytes=None,
    duration_ns=30 * NS_PER_S,
    interface=Interface.LIBAIO,
    seed=11,
    beside=(
        Stream(
            kind=StreamKind.WRITE,
            block_bytes=128 * KIB,
            rate_bytes_per_s=15 * MIB,
            flush_every=2048,
            caching=Caching.BUFFERED,
        ),
        Stream(kind=StreamKind.TRIM, block_bytes=128 * KIB, rate_bytes_per_s=5 * MIB),
    ),
)


def sections_of(job: Job, address: FioAddress) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in text_of(job, address).splitlines()[1:]:
        if line.startswith("["):
            found[line.strip("[]")] = {}
        else:
            name, _, value = line.partition("=")
            found[list(found)[-1]][name] = value
    return found


def test_streams_beside_the_reads_are_jobs_of_their_own_in_the_same_group() -> None:
    writes, trims, reads = sections_of(READS_BESIDE, FILE).values()
    assert (reads["rw"], reads["bs"], reads["numjobs"], reads["iodepth"]) == ("randread", "32768", "8", "1")
    assert (writes["rw"], writes["bs"], writes["rate"], writes["fsync"]) == ("randwrite", "131072", "15728640", "2048")
    assert (trims["rw"], trims["bs"], trims["rate"]) == ("randtrim", "131072", "5242880")
    assert {one["group_reporting"] for one in (writes, trims, reads)} == {"1"}
    assert {one["runtime"] for one in (writes, trims, reads)} == {"30000ms"}
    assert len({one["randseed"] for one in (writes, trims, reads)}) == 3


def test_libaio_takes_the_reads_and_system_calls_the_streams_which_may_use_the_page_cache() -> None:
    writes, trims, reads = sections_of(READS_BESIDE, FILE).values()
    assert [(one["ioengine"], one["direct"]) for one in (reads, writes, trims)] == [
        ("libaio", "1"),
        ("sync", "0"),
        ("sync", "1"),
    ]
    assert write_job_file(READS_BESIDE, FILE, FIO_3_41).dropped == ()


def test_what_of_it_cannot_be_had_over_nbd_is_recorded() -> None:
    assert {one["ioengine"] for one in sections_of(READS_BESIDE, NBD).values()} == {"nbd"}
    assert set(dropped_of(READS_BESIDE, NBD, FIO_3_41)) == {"ioengine=libaio", "direct=0"}
