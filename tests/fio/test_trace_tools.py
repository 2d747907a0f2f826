"""Traces against the programs whose formats they are: fio writes a log that is imported, and replays what is exported; blkparse prints what
blktrace's records say."""

import json
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.kit.traces import SAMPLES, rows

from ssdlab.trace.make import Wanted, export_trace, import_trace

pytestmark = pytest.mark.fio

JOB = [
    "--name=job",
    "--filename=data",
    "--size=16M",
    "--ioengine=psync",
    "--rw=randrw",
    "--rwmixread=60",
    "--bsrange=4k-64k",
    "--blockalign=4k",
    "--number_ios=400",
    "--fsync=50",
    "--randseed=11",
    "--output-format=json",
]


def fio(*arguments: str, cwd: Path) -> dict[str, dict[str, int]]:
    """What fio says of its only job."""
    done = subprocess.run(["fio", *arguments], cwd=cwd, check=True, capture_output=True, text=True)
    job: dict[str, dict[str, int]] = json.loads(done.stdout[done.stdout.index("{") :])["jobs"][0]
    return job


def counted(trace: Path) -> dict[str, tuple[int, int]]:
    """I/Os and bytes by operation."""
    ios: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    for _, op, _, length, *_ in rows(trace):
        ios[op] += 1
        moved[op] += length
    return {op: (count, moved[op]) for op, count in ios.items()}


def test_a_log_that_fio_writes_is_imported_io_by_io(tmp_path: Path) -> None:
    job = fio(*JOB, "--write_iolog=log", cwd=tmp_path)
    trace = tmp_path / "X.ssdtrace"
    import_trace([tmp_path / "log"], Wanted(), trace)
    lines = [line.split() for line in (tmp_path / "log").read_text().splitlines()[1:]]
    told = [
        (op.replace("datasync", "sync"), int(offset), int(length))
        for _, _, op, offset, length in (x for x in lines if len(x) == 5)
    ]
    found = [(op.replace("flush", "sync"), offset, length) for _, op, offset, length, *_ in rows(trace)]
    assert [one for one in found if one[0] != "sync"] == [one for one in told if one[0] != "sync"]
    counts = counted(trace)
    for direction in ("read", "write"):
        assert counts[direction] == (job[direction]["total_ios"], job[direction]["io_bytes"])


def test_fio_replays_what_is_exported(tmp_path: Path) -> None:
    draw = random.Random(3)  # noqa: S311 - the same load each time
    lines, at = ["fio version 3 iolog", "0 f add", "0 f open"], 0
    for _ in range(300):
        at += draw.randrange(200)
        op = draw.choice(["read", "write", "write", "sync"])
        place = "0 0" if op == "sync" else f"{draw.randrange(3000) * 4096} {draw.choice([512, 4096, 65536])}"
        lines.append(f"{at} f {op} {place}")
    (tmp_path / "log").write_text("\n".join(lines) + "\n")
    trace = tmp_path / "X.ssdtrace"
    import_trace([tmp_path / "log"], Wanted(), trace)
    assert export_trace(trace, "data", tmp_path / "exported") == (300, 0)
    (tmp_path / "data").write_bytes(bytes(16 << 20))
    job = fio("--name=replay", "--read_iolog=exported", "--ioengine=psync", "--output-format=json", cwd=tmp_path)
    counts = counted(trace)
    for direction in ("read", "write"):
        assert (job[direction]["total_ios"], job[direction]["io_bytes"]) == counts[direction]


def test_blkparse_prints_what_is_read_of_blktraces_records(tmp_path: Path) -> None:
    for name in ("sdb.blktrace.0", "sdb.blktrace.1"):
        shutil.copy(SAMPLES / name, tmp_path)
    binary, text, merged = (tmp_path / f"{name}.ssdtrace" for name in ("binary", "text", "merged"))
    _, meta = import_trace([tmp_path / "sdb.blktrace.0", tmp_path / "sdb.blktrace.1"], Wanted(), binary)
    printed = subprocess.run(
        ["blkparse", "-i", "sdb", "-d", "merged"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    (tmp_path / "printed").write_text(printed.stdout)
    _, of_text = import_trace([tmp_path / "printed"], Wanted(), text)
    import_trace([tmp_path / "merged"], Wanted(), merged)
    assert (of_text.format, of_text.device) == ("blkparse", meta.device)
    assert rows(text) == rows(merged) == rows(binary) != []
