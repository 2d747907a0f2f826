"""The server keeps the model's time: never early, and it says how late."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import FLUSH, FUA, READ, TRIM, WRITE, WRITE_ZEROES, Server, run_fio
from tests.kit.processes import in_one_of

pytestmark = pytest.mark.fio

READ_NS = FLUSH_NS = 5_000_000
SLOW_SPEC = """
name = "slow"
description = "Every read and every flush takes 5 ms"

[geometry]
capacity = "64 MiB"
raw = "96 MiB"
superblock = "1 MiB"
channels = 1
dies = 4
bits_per_cell = 1
stripe_unit = "64 KiB"
page = "64 KiB"

[timing]
sense = ["0us"]
program = "0us"
erase = "0us"
channel = "unlimited"
link_read = "unlimited"
link_write = "unlimited"
read_overhead = "5ms"
unmapped_read = "5ms"

[buffer]
kind = "volatile"
size = "4 MiB"
flush = "5ms"
"""


@pytest.fixture
def slow(nbd_server: Callable[[str], Server], tmp_path: Path) -> Server:
    spec = tmp_path / "slow.toml"
    spec.write_text(SLOW_SPEC)
    return nbd_server(str(spec))


def test_no_reply_leaves_before_its_time(slow: Server) -> None:
    with slow.connect() as client:
        assert client.call(WRITE, 0, 4096, b"\x01" * 4096) == 0
        for _ in range(50):
            start_ns = time.monotonic_ns()
            client.read(0, 4096)
            assert time.monotonic_ns() - start_ns >= READ_NS


def test_requests_in_flight_together_each_wait_their_own_time(slow: Server) -> None:
    assert in_one_of(5, lambda: time_of_requests_in_flight_together_ns(slow, 64) < 64 * READ_NS)


def time_of_requests_in_flight_together_ns(slow: Server, count: int) -> int:
    sent_ns: list[int] = []
    with slow.connect() as client:
        for _ in range(count):
            sent_ns.append(time.monotonic_ns())
            client.send(READ, 0, 512)
            time.sleep(0.0001)
        for start_ns in sent_ns:
            assert client.error() == 0
            assert time.monotonic_ns() - start_ns >= READ_NS
            client.receive(512)
        return time.monotonic_ns() - sent_ns[0]


@pytest.mark.parametrize(("command", "length", "flags"), [(FLUSH, 0, 0), (TRIM, 4096, FUA), (WRITE_ZEROES, 4096, FUA)])
def test_what_must_be_durable_takes_as_long_as_a_flush(slow: Server, command: int, length: int, flags: int) -> None:
    with slow.connect() as client:
        assert client.call(WRITE, 0, 4096, b"\x01" * 4096) == 0
        start_ns = time.monotonic_ns()
        assert client.call(command, 0, length, flags=flags) == 0
        assert time.monotonic_ns() - start_ns >= FLUSH_NS


@pytest.mark.parametrize("queue_depth", [1, 16])
def test_fio_measures_no_latency_below_the_models(slow: Server, queue_depth: int) -> None:
    (job,) = run_fio(
        slow.uri,
        *("--name=read", "--rw=randread", "--bs=4k", f"--iodepth={queue_depth}", "--size=64m", "--number_ios=200"),
    )
    assert job["read"]["total_ios"] >= 200
    # fio starts its clock after it has handed the request to libnbd, which may have sent it by then.
    assert job["read"]["lat_ns"]["min"] >= READ_NS


def test_lateness_counts_every_reply_the_drive_had_a_say_in(slow: Server) -> None:
    assert slow.ask('{"do":"lateness"}') == {
        "count": 0,
        "total_ns": 0,
        "p50_ns": None,
        "p99_ns": None,
        "max_ns": 0,
        "bins": [],
    }
    with slow.connect() as client:
        for _ in range(30):
            client.read(0, 512)
        assert client.call(READ, 1, 512) != 0
    lateness = slow.ask('{"do":"lateness"}')
    assert lateness["count"] == 30 == sum(count for _, count in lateness["bins"])
    assert 0 < lateness["p50_ns"] <= lateness["max_ns"] <= lateness["total_ns"] <= 30 * lateness["max_ns"]
    assert lateness["p99_ns"] is None


def test_truth_and_smart_follow_the_writes(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("demo?capacity=256MiB")
    with server.connect() as client:
        truth, smart = server.ask('{"do":"truth"}'), server.ask('{"do":"smart"}')
        assert client.call(WRITE, 0, 1 << 20, b"\x01" * (1 << 20)) == 0
    assert server.ask('{"do":"truth"}') != truth
    assert server.ask('{"do":"smart"}') != smart


def test_a_purge_is_answered_when_the_drive_is_done(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("demo?capacity=256MiB")
    start_ns = time.monotonic_ns()
    answer = server.ask('{"do":"purge"}')
    assert answer["purged"] is True
    assert time.monotonic_ns() - start_ns >= answer["duration_ns"]


def test_info_says_what_is_served(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("zero?capacity=64MiB&seed=9")
    with server.connect(), server.connect():
        info = server.ask('{"do":"info"}')
    assert (info["spec"], info["capacity_bytes"], info["seed"], info["connections"]) == ("zero", 64 << 20, 9, 2)
