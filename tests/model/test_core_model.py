"""The drive model through the Rust module: what crosses the border, and how a run is stopped."""

import json
import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

from ssdlab import _core

MIB = 1 << 20

WORKLOAD: dict[str, Any] = {
    "pattern": "random",
    "draw": "independent",
    "action": "read_write",
    "read_percent": 70,
    "block_bytes": 4096,
    "queue_depth": 4,
    "jobs": 1,
    "region_offset_bytes": 0,
    "region_length_bytes": 64 * MIB,
    "amount_bytes": 8 * MIB,
    "duration_ns": None,
    "rate_iops": None,
    "sync": "none",
    "seed": 1,
    "window_ns": 1_000_000,
    "log_every_io": "yes",
}


def drive(name: str = "demo", **changes: int) -> _core.ModelDrive:
    return _core.ModelDrive(_core.spec_text(name), **changes)


def run(on: _core.ModelDrive, start_ns: int = 0, **changes: object) -> _core.WorkloadResult:
    return on.run(json.dumps(WORKLOAD | changes), start_ns)


def test_columns_add_up_to_the_totals() -> None:
    result = run(drive())
    assert result.read.ios + result.write.ios == 8 * MIB // 4096
    assert result.trim.ios == 0
    for side in (result.read, result.write):
        assert side.bytes == side.ios * 4096
        assert np.frombuffer(side.lat.count, "<u8").sum() == side.ios
        assert np.frombuffer(side.windows.ios, "<u8").sum() == side.ios
        assert np.frombuffer(side.windows.bytes, "<u8").sum() == side.bytes
        assert np.frombuffer(side.windows.end_ns, "<u8")[-1] == side.runtime_ns == result.end_ns
        assert np.nanmax(np.frombuffer(side.windows.lat_max_ns, "<f8")) == side.lat.max_ns
        assert len(side.windows) == len(np.frombuffer(side.windows.lat_mean_ns, "<f8"))


def test_every_io_agrees_with_the_exact_mean() -> None:
    result = run(drive())
    assert result.every_io is not None
    direction = np.frombuffer(result.every_io.direction, "u1")
    latency = np.frombuffer(result.every_io.latency_ns, "<u8")
    offsets = np.frombuffer(result.every_io.offset_bytes, "<u8")
    assert len(result.every_io) == len(latency) == len(offsets)
    assert result.read.lat.mean_ns == pytest.approx(latency[direction == 0].mean(), rel=1e-12)
    assert result.write.lat.stddev_ns == pytest.approx(latency[direction == 1].std(ddof=1), rel=1e-9)
    assert offsets.max() < 64 * MIB
    assert (np.diff(np.frombuffer(result.every_io.time_ns, "<u8").astype(np.int64)) >= 0).all()


def test_a_direction_that_did_nothing_has_no_latency() -> None:
    trim = run(drive()).trim
    assert (trim.lat.mean_ns, trim.lat.min_ns, trim.lat.max_ns, trim.lat.stddev_ns) == (None, None, None, None)
    assert (trim.runtime_ns, len(trim.windows)) == (0, 0)


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (run(drive(seed=3)) for _ in range(2))
    assert first.end_ns == second.end_ns
    assert first.every_io is not None
    assert second.every_io is not None
    assert first.every_io.latency_ns == second.every_io.latency_ns


def test_a_run_begins_where_it_is_told_to() -> None:
    on = drive()
    first = run(on)
    second = run(on, first.end_ns + 1_000_000_000)
    assert second.start_ns == first.end_ns + 1_000_000_000
    assert second.end_ns > second.start_ns


def test_capacity_and_seed_are_those_asked_for() -> None:
    small = drive("pm9e1-1tb", capacity_bytes=8 << 30)
    assert small.capacity_bytes == 8 << 30
    facts = json.loads(_core.spec_facts(_core.spec_text("demo"), seed=77))
    assert (facts["name"], facts["seed"]) == ("demo", 77)
    assert facts["slc_cache_bytes_max"] > facts["slc_cache_bytes_min"] > 0


def test_truth_and_smart_count_what_was_written_and_a_purge_forgets_it() -> None:
    on = drive()
    result = run(on, read_percent=0)
    assert json.loads(on.truth(result.end_ns))["host_written_bytes"] == 8 * MIB
    assert json.loads(on.smart(result.end_ns))["host_write_commands"] == 8 * MIB // 4096
    purged_ns = on.purge(result.end_ns)
    assert purged_ns > result.end_ns
    assert json.loads(on.truth(purged_ns))["mapped_bytes"] == 0


def test_every_built_in_specification_is_without_fault() -> None:
    assert {"demo", "zero"} <= set(_core.spec_names())
    for name in _core.spec_names():
        assert _core.spec_check(_core.spec_text(name)) == []


def test_an_unknown_specification_names_those_there_are() -> None:
    with pytest.raises(LookupError, match="demo"):
        _core.spec_text("none")


def test_faults_of_a_specification_are_listed_with_line_key_and_message() -> None:
    text = _core.spec_text("demo") + "\n[nonsense]\nx = 1\n"
    faults = _core.spec_check(text)
    assert [key for _, key, _ in faults] == ["nonsense"]
    assert faults[0][0] == text.count("\n") - 1
    with pytest.raises(_core.SpecError) as error:
        _core.ModelDrive(text)
    assert error.value.faults == faults


def test_a_workload_that_fits_no_drive_names_its_field() -> None:
    with pytest.raises(_core.WorkloadError) as error:
        run(drive(), queue_depth=0)
    assert error.value.field == "queue_depth"
    with pytest.raises(_core.WorkloadError, match="unknown field `depth`"):
        run(drive(), depth=1)


def test_progress_rises_to_the_end_and_an_exception_in_it_stops_the_run() -> None:
    shares: list[float] = []
    drive().run(json.dumps(WORKLOAD), 0, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def stop(_share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        drive().run(json.dumps(ENDLESS), 0, stop)


ENDLESS = WORKLOAD | {"amount_bytes": None, "duration_ns": 10**18, "log_every_io": "no", "window_ns": 10**15}


def test_ctrl_c_stops_a_run() -> None:
    on = drive()
    started = threading.Event()

    def interrupt() -> None:
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        on.run(json.dumps(ENDLESS), 0, lambda _share: started.set())
    thread.join()


def test_other_threads_run_meanwhile_and_the_drive_refuses_a_second_caller() -> None:
    on = drive()
    refusals: list[str] = []

    def second_caller() -> None:
        try:
            on.truth(0)
        except RuntimeError as error:
            refusals.append(str(error))

    def from_another_thread(_share: float) -> None:
        thread = threading.Thread(target=second_caller)
        thread.start()
        thread.join()
        raise InterruptedError

    with pytest.raises(InterruptedError):
        on.run(json.dumps(ENDLESS), 0, from_another_thread)
    assert refusals in (["Already mutably borrowed"], ["Already borrowed"])
