"""`ssdlab sustain` on virtual drives: a healthy one is never accused, an ill one is caught with the very bytes."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.kit.hints import hints_of
from tests.kit.processes import in_one_of, ssdlab_started, wait_until
from tests.kit.up_to_the_host import failed_whatever_the_host, status_of
from typer.testing import CliRunner, Result

from ssdlab import _core, cli
from ssdlab.bundle.model import Outcome, RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.kinds.virtual import VirtualDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.errors import ExitStatus
from ssdlab.figure.registry import figures_for
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio

SIZE_BYTES = 32 * MIB
BLOCK_BYTES = 4 * KIB
HEALTHY = """name = "small"
description = "Takes no time"
[geometry]
capacity = "32 MiB"
raw = "64 MiB"
superblock = "4 MiB"
channels = 2
dies = 2
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
[buffer]
kind = "protected"
size = "1 MiB"
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, ["sustain", *map(str, arguments)])


def bundle_of(result: Result) -> Bundle:
    return open_bundle(Path(result.stdout.strip().splitlines()[-1]))


@contextmanager
def medium_on(fault: str) -> Iterator[_core.SustainMedium]:
    """A served drive with a fault, and a connection to it."""
    with closing(VirtualDrive("virtual:small", SpecChoice("small", HEALTHY + fault, None, None))) as drive:
        socket = Path(drive.address.location.partition("socket=")[2])
        yield _core.SustainMedium.nbd(socket, "")


def told(*_chunk: int) -> bool:
    return True


def write(medium: _core.SustainMedium, generation: int = 1, seed: int = 7, length_bytes: int = SIZE_BYTES) -> None:
    medium.write(0, length_bytes, MIB, 8 * MIB, seed, generation, told)


Range = tuple[int, int, str, int | None]


def found(medium: _core.SustainMedium, generation: int = 1, length_bytes: int = SIZE_BYTES) -> list[Range]:
    bad, _ = medium.check(0, length_bytes, MIB, 7, generation, 1_000_000, told)
    return [(one.offset_bytes, one.length_bytes, one.kind, one.found_offset_bytes) for one in bad]


def test_a_healthy_drive_is_never_accused_in_a_thousand_passes() -> None:
    with medium_on("") as medium:
        for generation in range(1, 1001):
            seed, length_bytes = generation * 7919, 64 * KIB + generation % 61 * 512
            write(medium, generation, seed, length_bytes)
            assert medium.check(0, length_bytes, MIB, seed, generation, 10, told) == ([], 0)


def test_a_fake_capacity_is_found_where_it_wraps_around() -> None:
    with medium_on('[[fault]]\nkind = "wrap"\nreal = "20 MiB"\n') as medium:
        write(medium)
        # What was written last, behind the real bytes, stands where the first bytes were.
        assert found(medium) == [(0, 12 * MIB, "elsewhere", 20 * MIB)]


def test_swapped_blocks_are_found_in_pairs() -> None:
    with medium_on('[[fault]]\nkind = "swap"\nevery = 256\n') as medium:
        write(medium)
        bad = found(medium)
        assert {kind for _, _, kind, _ in bad} == {"elsewhere"}
        places = {offset: other for offset, _, _, other in bad}
        assert len(places) == 2 * SIZE_BYTES // (256 * BLOCK_BYTES)
        assert all(other is not None and places[other] == offset for offset, other in places.items())


def test_flipped_bits_are_found_to_the_sector() -> None:
    with medium_on('[[fault]]\nkind = "flip"\nevery = 512\n') as medium:
        write(medium)
        bad, bad_bytes = medium.check(0, SIZE_BYTES, MIB, 7, 1, 100, told)
        assert [(one.kind, one.length_bytes, one.wrong_bits) for one in bad] == [("corrupted", 512, 1)] * 16
        assert bad_bytes == 16 * 512
        groups = [one.offset_bytes // (512 * BLOCK_BYTES) for one in bad]
        assert groups == list(range(16))


def test_bytes_that_cannot_be_read_are_named() -> None:
    fault = '[[fault]]\nkind = "error"\non = "read"\noffset = "5 MiB"\nlength = "12 KiB"\n'
    with medium_on(fault) as medium:
        write(medium)
        assert found(medium) == [(5 * MIB, 12 * KIB, "unreadable", None)]


def test_a_write_that_is_refused_says_where() -> None:
    with (
        medium_on('[[fault]]\nkind = "read_only"\nafter = 10\n') as medium,
        pytest.raises(OSError, match="could not be written"),
    ):
        write(medium)


def test_data_of_an_earlier_pass_is_stale() -> None:
    with medium_on("") as medium:
        write(medium, 1)
        medium.write(0, 8 * MIB, MIB, MIB, 7, 2, told)
        bad, bad_bytes = medium.check(0, SIZE_BYTES, MIB, 7, 2, 10, told)
        assert [(one.offset_bytes, one.length_bytes, one.kind, one.found_generation) for one in bad] == [
            (8 * MIB, 24 * MIB, "stale", 1)
        ]
        assert bad_bytes == 24 * MIB


def test_more_ranges_than_are_kept_are_still_counted() -> None:
    with medium_on('[[fault]]\nkind = "flip"\nevery = 16\n') as medium:
        write(medium)
        bad, bad_bytes = medium.check(0, SIZE_BYTES, MIB, 7, 1, 3, told)
        assert (len(bad), bad_bytes) == (3, 512 * 512)


# The command


@pytest.fixture
def ill(tmp_path: Path) -> Path:
    spec = tmp_path / "ill.toml"
    spec.write_text(HEALTHY + '[[fault]]\nkind = "wrap"\nreal = "20 MiB"\n')
    return spec


OPTIONS = ("--chunk", "1MiB", "--record", "8MiB")


def test_a_healthy_drive_is_written_read_back_and_reported(tmp_path: Path) -> None:
    spec = tmp_path / "healthy.toml"
    spec.write_text(HEALTHY)
    csv = tmp_path / "records.csv"
    result = run(f"virtual:{spec}", *OPTIONS, "--passes", "2", "--verify", "each-pass", "--csv", csv, "--lab", tmp_path)
    bundle = bundle_of(result)
    metrics = {metric.name: metric.value for metric in bundle.metrics}
    assert "verified: every byte is what was written" in result.stderr
    assert (metrics["sustain.verify1.bad_bytes"], metrics["sustain.verify.bad_bytes"]) == (0, 0)
    lines = csv.read_text().splitlines()
    assert lines[0] == "interval,phase,total_bytes,interval_ms,MB_per_s"
    assert [line.split(",")[:3] for line in lines[1:]] == [
        [str(interval), phase, str(interval * 8 * MIB)]
        for phase in ("write1", "read1", "write2", "read2")
        for interval in range(1, 5)
    ]
    step = bundle.step("sustain.pass1")
    own = (bundle.directory(step) / "records.csv").read_text().splitlines()
    assert own[1:] == lines[1:5]


def test_a_fake_drive_ends_with_the_status_of_a_failed_audit(tmp_path: Path, ill: Path) -> None:
    result = run(f"virtual:{ill}", *OPTIONS, "--verify", "after", "--lab", tmp_path)
    assert result.exit_code == ExitStatus.AUDIT_FAILED
    assert "verified: 12,582,912 bytes are not what was written" in result.stderr
    bundle = bundle_of(result)
    bad = json.loads((bundle.directory(bundle.step("sustain.verify1")) / "bad.json").read_text())
    assert bad == [
        {
            "offset_bytes": 0,
            "length_bytes": 12 * MIB,
            "kind": "elsewhere",
            "found_offset_bytes": 20 * MIB,
            "found_generation": 1,
            "detail": "",
        }
    ]


def test_a_drive_that_turns_read_only_stops_the_run_and_keeps_what_was_done(tmp_path: Path) -> None:
    spec = tmp_path / "worn.toml"
    spec.write_text(HEALTHY + '[[fault]]\nkind = "read_only"\nafter = 20\n')
    result = run(f"virtual:{spec}", *OPTIONS, "--lab", tmp_path)
    assert "could not be written" in str(result.exception)
    assert isinstance(result.exception, RunFailed)
    assert not any("resume" in hint for hint in hints_of(result.exception))
    (path,) = (tmp_path / "runs").iterdir()
    bundle = open_bundle(path)
    assert bundle.status.value == "failed"
    (directory,) = path.glob("*-sustain.pass1")
    assert len((directory / "records.csv").read_text().splitlines()) == 1 + 16 * MIB // (8 * MIB)


THERMAL = """
[thermal]
ambient = 25
idle = 17
write_per_gb_s = 100
read_per_gb_s = 80
time_constant = "60s"
warning = 83
mild_on = 83
mild_off = 78
mild_speed = 0.5
severe_on = 85
severe_off = 80
severe_speed = 0.15
"""


def test_a_drive_with_a_sensor_has_its_temperature_on_the_line_and_beside_the_speed(tmp_path: Path) -> None:
    spec = tmp_path / "warm.toml"
    spec.write_text(HEALTHY.replace('link_write = "unlimited"', 'link_write = "100 MB/s"') + THERMAL)
    result = run(f"virtual:{spec}", *OPTIONS, "--verify", "after", "--lab", tmp_path)
    assert re.search(r"^write 1 .* MB/s, worst .*  4\d °C", result.stderr, re.MULTILINE)
    bundle = bundle_of(result)
    for name in ("sustain.pass1", "sustain.verify1"):
        series = bundle.sensors(bundle.step(name))
        assert not isinstance(series, Unknown)
        assert series.time_ns[0] == 0
        (part,) = bundle.result(bundle.step(name)).directions.values()
        assert series.time_ns[-1] == part.runtime_ns
        assert ((series.temperature_c > 40) & (series.temperature_c < 60)).all()
    figure = next(one for one in figures_for(bundle) if one.name == "bandwidth-over-time")
    assert "Below: the drive's temperature." in figure.caption


@contextmanager
def in_its_second_pass(lab: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own."""
    words = ("sustain", *arguments, "--chunk", "1MiB", "--record", "1MiB", "--lab", str(lab))
    with ssdlab_started(*words) as process:
        wait_until(lambda: any(lab.glob("runs/*/*-sustain.pass2/records.csv")), "the second pass has begun")
        yield process


def test_ctrl_c_ends_an_endless_run_with_the_status_of_its_audit(tmp_path: Path, steady: Path) -> None:
    with in_its_second_pass(tmp_path, f"virtual:{steady}", "--passes", "forever") as process:
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=240)
    bundle = open_bundle(Path(stdout.strip()))
    assert process.returncode == status_of(bundle), stderr
    assert failed_whatever_the_host(bundle) == []
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert "sustain.pass1.bandwidth_mean" in {metric.name for metric in bundle.metrics}
    result = bundle.result(bundle.step("sustain.pass2"))
    assert result.stopped is not None


def test_ctrl_c_in_a_rest_ends_an_endless_run_with_the_status_of_its_audit_too(tmp_path: Path, steady: Path) -> None:
    def rests() -> bool:
        return any('"sustain.rest"' in one.read_text() for one in tmp_path.glob("runs/*/journal.jsonl"))

    words = ("sustain", f"virtual:{steady}", "--passes", "forever", "--rest", "1h", "--lab", str(tmp_path))
    with ssdlab_started(*words) as process:
        wait_until(rests, "the drive rests")
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=240)
    (path,) = (tmp_path / "runs").iterdir()
    bundle = open_bundle(path)
    assert (process.returncode, bundle.status) == (status_of(bundle), RunStatus.FINISHED), stderr
    assert failed_whatever_the_host(bundle) == []


def test_ctrl_c_ends_a_run_of_so_many_passes_with_status_130_and_no_word_of_resuming(
    tmp_path: Path, steady: Path
) -> None:
    with in_its_second_pass(tmp_path, f"virtual:{steady}", "--passes", "50") as process:
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=240)
    assert process.returncode == ExitStatus.INTERRUPTED
    assert "begin again with the same command" in stderr
    assert "ssdlab resume" not in stderr
    (path,) = (tmp_path / "runs").iterdir()
    assert open_bundle(path).status is RunStatus.INTERRUPTED


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """A drive slower than data is made, however busy the host is: 100 MB/s."""
    spec = tmp_path / "steady.toml"
    spec.write_text(HEALTHY.replace('link_write = "unlimited"', 'link_write = "100 MB/s"'))
    return spec


def test_a_drive_is_kept_busy_while_records_are_made_durable(tmp_path: Path, steady: Path) -> None:
    """Time in which a record is made durable would empty the queue in each run; that the host stands still, in one or another."""
    options = ("--chunk", "1MiB", "--record", "1MiB", "--verify", "after")

    def outcomes() -> dict[str, Outcome]:
        audit = bundle_of(run(f"virtual:{steady}", *options, "--lab", tmp_path)).audit
        return {one.step: one.outcome for one in audit if one.name == "queue.littles_law"}

    busy = {"sustain.pass1": Outcome.PASS, "sustain.verify1": Outcome.PASS}
    assert in_one_of(10, lambda: outcomes() == busy)
