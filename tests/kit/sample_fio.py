"""Installed fios that tests can choose, and jobs for them to run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.fio.binary import FioBinary, FioVersion
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import message
from ssdlab.units import KIB, MIB, NS_PER_S

_LISTED = """
allow_file_create
bs clat_percentiles direct disable_slat filename group_reporting io_size iodepth ioengine lat_percentiles log_avg_msec log_entries
log_hist_coarseness log_hist_msec log_offset norandommap numjobs offset offset_increment random_generator randrepeat randseed rate_iops rate_process rate fsync refill_buffers
runtime rw rwmixread size sync thread time_based write_bw_log write_hist_log write_lat_log
"""
_OPTIONS = frozenset(_LISTED.split())

FIO_3_33 = FioBinary(Path("/usr/bin/fio"), FioVersion(3, 33), _OPTIONS, frozenset({"nbd", "io_uring", "libaio"}))
"""Debian 12's: no `sqthread_poll` that can be trusted, and one value a window."""

FIO_3_41 = replace(FIO_3_33, version=FioVersion(3, 41), options=_OPTIONS | {"log_window_value"})

NBD = FioAddress(IoPath.NBD, "nbd+unix:///?socket=/run/drive")
BLOCK = FioAddress(IoPath.BLOCK, "/dev/nvme0n1")
FILE = FioAddress(IoPath.FILE, "/mnt/test.bin", message("drive-file-not-polled"))


def sequential_fill(**changes: Any) -> Job:
    """One pass of METHODS C2 over 64 MiB."""
    fill = Job(
        name="fill.pass1",
        pattern=Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=128 * KIB,
        queue_depth=256,
        region=Region(0, 64 * MIB),
        amount_bytes=64 * MIB,
        duration_ns=None,
        seed=7,
    )
    return replace(fill, **changes)


RANDOM = sequential_fill(
    name="random", pattern=Pattern.RANDOM, block_bytes=4 * KIB, queue_depth=4, amount_bytes=4 * MIB
)
LONG = sequential_fill(name="long", amount_bytes=None, duration_ns=120 * NS_PER_S, rate_iops=200, queue_depth=4)
