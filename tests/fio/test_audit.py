"""The audit of real runs: the kernel's count where there is a device, and options as fio says it had them."""

from pathlib import Path

import pytest
from tests.kit.processes import ssdlab
from tests.kit.suites import write_short

from ssdlab.bundle.model import Check, Outcome
from ssdlab.bundle.read import open_bundle
from ssdlab.engine.result import DeviceTraffic, Direction
from ssdlab.message import message
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio


def audited(tmp_path: Path, target: str) -> tuple[DeviceTraffic | Unknown, dict[str, Check]]:
    """The kernel's count of the first pass of a short fill, and its checks."""
    ended = ssdlab("run", write_short(tmp_path), target, "--lab", tmp_path / "lab")
    assert ended.status in {0, 3}, ended.stderr
    bundle = open_bundle(Path(ended.stdout.strip()))
    step = bundle.step("fill.pass1")
    checks = {check.name: check for check in bundle.audit if check.step == step.name}
    return bundle.result(step).device, checks


def test_the_kernel_saw_at_least_what_fio_wrote_to_a_file(tmp_path: Path) -> None:
    device, checks = audited(tmp_path, f"file:{tmp_path / 'disk'}?size=64MiB")
    if isinstance(device, Unknown):
        assert checks["device.bytes"].outcome is Outcome.UNKNOWN
        assert "file system" in str(device.reason)
        return
    assert isinstance(device.moved_bytes, dict)
    assert device.moved_bytes[Direction.WRITE] >= 64 * MIB
    assert checks["device.bytes"].outcome is Outcome.PASS
    assert checks["host.page_cache"].outcome is Outcome.PASS
    assert checks["latency.host_on_time"].outcome is Outcome.NOT_APPLICABLE


def test_behind_nbd_there_is_no_device_to_ask(tmp_path: Path) -> None:
    device, checks = audited(tmp_path, "virtual:demo?capacity=64MiB")
    assert device == Unknown(message("unknown-nbd-no-block-device"))
    for name in ("device.bytes", "device.other_io", "device.link", "host.page_cache"):
        assert checks[name].outcome is Outcome.NOT_APPLICABLE
    on_time = checks["latency.host_on_time"]
    assert on_time.outcome in {Outcome.PASS, Outcome.WARN}
    numbers = {one.name: one.value for one in on_time.numbers}
    late_ns = numbers["late_mean"]
    assert isinstance(late_ns, float)
    assert late_ns > 0


def test_fio_says_it_did_what_the_plan_asked(tmp_path: Path) -> None:
    _, checks = audited(tmp_path, "virtual:demo?capacity=64MiB")
    assert checks["options.as_asked"].outcome is Outcome.PASS
    assert checks["latency.sum"].outcome is Outcome.PASS
    assert checks["fio.version"].outcome is Outcome.PASS
