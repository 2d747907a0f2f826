"""What the server of virtual drives records is what a client did, and stays good when the server does not end by itself."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import Server
from tests.kit.traces import rows

from ssdlab.trace.look import TraceMeta
from ssdlab.trace.make import Wanted, import_trace

pytestmark = pytest.mark.fio

CAPACITY_BYTES = 64 << 20
DRIVE = "demo?capacity=64MiB"
HEADER_BYTES, RECORD_BYTES = 64, 40
PATIENCE_S = 60

Serve = Callable[..., Server]


def fio(server: Server, directory: Path, *options: str) -> dict[str, dict[str, int]]:
    """What fio says of one job, one I/O at a time, whose log is kept."""
    done = subprocess.run(
        [
            *("fio", "--name=job", "--ioengine=nbd", f"--uri={server.uri}", "--size=64M", "--randseed=11"),
            *("--write_iolog=log", "--output-format=json", *options),
        ],
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
    )
    job: dict[str, dict[str, int]] = json.loads(done.stdout[done.stdout.index("{") :])["jobs"][0]
    return job


def recorded(recording: Path) -> tuple[list[tuple[object, ...]], TraceMeta]:
    trace = recording.with_suffix(".ssdtrace")
    _, meta = import_trace([recording], Wanted(), trace)
    return rows(trace), meta


def logged(directory: Path) -> list[tuple[str, int, int]]:
    """Reads, writes and trims of fio's log, in its order."""
    lines = [line.split() for line in (directory / "log").read_text(encoding="utf-8").splitlines()[1:]]
    names = {"read": "read", "write": "write", "trim": "discard"}
    return [(names[one[2]], int(one[3]), int(one[4])) for one in lines if len(one) == 5 and one[2] in names]


def whole(recording: Path, ios: int) -> None:
    """Waits until so many records lie in the file."""
    ends_s = time.monotonic() + PATIENCE_S
    while recording.stat().st_size < HEADER_BYTES + ios * RECORD_BYTES:
        assert time.monotonic() < ends_s
        time.sleep(0.05)


@pytest.mark.parametrize("kind", ["randrw", "randtrim"])
def test_order_places_and_lengths_are_those_of_fios_own_log(nbd_server: Serve, tmp_path: Path, kind: str) -> None:
    recording = tmp_path / "drive.ioreq"
    server = nbd_server(DRIVE, "--record", recording)
    fio(server, tmp_path, f"--rw={kind}", "--bsrange=4k-64k", "--blockalign=4k", "--number_ios=300")
    server.process.terminate()
    assert server.process.wait(PATIENCE_S) == 0
    found, meta = recorded(recording)
    assert [(op, offset, length) for _, op, offset, length, *_ in found if op != "flush"] == logged(tmp_path)
    assert (meta.format, meta.captured_at, meta.device, meta.device_bytes) == (
        *("ssdlab-recording", "device", "demo"),
        CAPACITY_BYTES,
    )
    assert (meta.lost, meta.left_out) == (None, {})


def test_times_go_up_and_no_i_o_takes_longer_than_fio_saw_any_take(nbd_server: Serve, tmp_path: Path) -> None:
    recording = tmp_path / "drive.ioreq"
    server = nbd_server(DRIVE, "--record", recording)
    job = fio(server, tmp_path, "--rw=randread", "--bs=4k", "--number_ios=200")
    server.process.terminate()
    assert server.process.wait(PATIENCE_S) == 0
    found, _ = recorded(recording)
    times = [int(str(one[0])) for one in found]
    latencies = [int(str(one[5])) for one in found]
    assert times == sorted(times)
    assert 0 < max(latencies) <= job["read"]["lat_ns"]["max"]  # type: ignore[index]


def test_a_flush_and_a_durable_write_are_recorded_as_such(nbd_server: Serve, tmp_path: Path) -> None:
    recording = tmp_path / "drive.ioreq"
    server = nbd_server(DRIVE, "--record", recording)
    fio(server, tmp_path, "--rw=write", "--bs=4k", "--number_ios=20", "--fsync=5")
    server.process.terminate()
    assert server.process.wait(PATIENCE_S) == 0
    found, _ = recorded(recording)
    assert [one[1] for one in found].count("flush") >= 20 // 5 - 1
    assert all(one[3] == 0 for one in found if one[1] == "flush")


def test_a_server_that_is_killed_leaves_all_but_what_had_just_come(nbd_server: Serve, tmp_path: Path) -> None:
    recording = tmp_path / "drive.ioreq"
    server = nbd_server(DRIVE, "--record", recording)
    fio(server, tmp_path, "--rw=randwrite", "--bs=4k", "--number_ios=500")
    whole(recording, 500)
    server.process.kill()
    server.process.wait(PATIENCE_S)
    with recording.open("ab") as cut:
        cut.write(recording.read_bytes()[HEADER_BYTES : HEADER_BYTES + 7])
    found, meta = recorded(recording)
    assert len([one for one in found if one[1] == "write"]) == 500
    assert meta.left_out == {"cut-off-record": 1}


def test_a_recording_that_is_there_is_never_replaced(
    start_vdrive: Callable[..., "subprocess.Popen[str]"], tmp_path: Path
) -> None:
    recording = tmp_path / "drive.ioreq"
    recording.write_bytes(b"somebody's")
    process = start_vdrive("--socket", tmp_path / "nbd", "--record", recording, DRIVE)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, recording.read_bytes()) == (1, b"somebody's")
    assert errors.splitlines()[0].startswith(f"error: cannot record in {recording}: ")
    assert "does not exist yet" in errors.splitlines()[1]
