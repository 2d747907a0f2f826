"""The NBD server with a drive that takes no time, against nbdkit's memory plugin, in interleaved rounds."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measure import Aim, Measurement, fio_iops, release_binary, served

ROUNDS = 7
SECONDS = 2
SIZE = "256m"


def nbd_against_nbdkit() -> Iterator[Measurement]:
    """4 KiB at QD1 and QD32, reads and writes."""
    server = release_binary("ssdlab-nbd", "--bin", "ssdlab-vdrive")
    with tempfile.TemporaryDirectory() as directory:
        ours, theirs = Path(directory, "ours"), Path(directory, "nbdkit")
        nbdkit: list[str | Path] = ["nbdkit", "--foreground", "-U", theirs, "memory", SIZE]
        with served([server, "--socket", ours, "zero"], ours), served(nbdkit, theirs):
            for path in (ours, theirs):
                fio_iops(
                    "--ioengine=nbd", f"--uri=nbd+unix:///?socket={path}", "--rw=write", "--bs=128k", f"--size={SIZE}"
                )
            for workload in ("randread", "randwrite"):
                for depth in (1, 32):
                    yield _compare(ours, theirs, workload, depth)


def _compare(ours: Path, theirs: Path, workload: str, depth: int) -> Measurement:
    pairs = [tuple(_iops(path, workload, depth) for path in (ours, theirs)) for _ in range(ROUNDS)]
    ratio = median(one / other for one, other in pairs)
    detail = " / ".join(f"{median(column):,.0f}" for column in zip(*pairs, strict=True))
    return Measurement(
        f"NBD 4 KiB {workload} QD{depth}, IOPS / nbdkit memory", ratio, "x", Aim.AT_LEAST, 1.0, f"{detail} IOPS"
    )


def _iops(path: Path, workload: str, depth: int) -> float:
    return fio_iops(
        "--ioengine=nbd",
        f"--uri=nbd+unix:///?socket={path}",
        f"--rw={workload}",
        "--bs=4k",
        f"--iodepth={depth}",
        f"--size={SIZE}",
        f"--runtime={SECONDS}",
        "--time_based",
        "--norandommap",
    )
