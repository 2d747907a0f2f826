"""Black-box probes with real fio on virtual drives slow enough to be honest in real time: the answers of the models."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ssdlab.cli import app

pytestmark = pytest.mark.fio

PAPER = """
name = "slow-paper"
description = "A drive of the source paper's kind: 16 KiB management blocks on one channel each, by address"

[geometry]
capacity = "64 MiB"
raw = "128 MiB"
superblock = "4 MiB"
channels = 4
dies = 4
bits_per_cell = 1
stripe_unit = "16 KiB"
page = "4 KiB"
allocation = "address"

[timing]
sense = ["100us"]
program = "200us"
erase = "1ms"
channel = "100 MB/s"
link_read = "400 MB/s"
link_write = "400 MB/s"

[buffer]
kind = "write_through"
size = "16 MiB"

[map]
unit = "16 KiB"

[legacy]
read_base = "200us"
page_read = "150us"
sync = "90us"
pages_per_channel = 4
write_base = "100us"
write_rate = "400 MB/s"
copy = "300us"
"""

BUFFERED = """
name = "slow-buffer"
description = "4 MiB of volatile buffer in front of slow flash"

[geometry]
capacity = "48 MiB"
raw = "256 MiB"
superblock = "4 MiB"
channels = 2
dies = 4
bits_per_cell = 1
stripe_unit = "32 KiB"
page = "32 KiB"

[timing]
sense = ["400us"]
program = "8ms"
erase = "1ms"
channel = "400 MB/s"
link_read = "600 MB/s"
link_write = "600 MB/s"
read_overhead = "60us"
write_overhead = "60us"

[buffer]
kind = "volatile"
size = "4 MiB"
flush = "50us"
flush_metadata = "1ms"
"""


def answers_of(probe: str, spec: str, directory: Path) -> dict[str, tuple[object, str]]:
    file = directory / "spec.toml"
    file.write_text(spec)
    done = CliRunner().invoke(app, ["probe", probe, f"virtual:{file}", "--json", "--lab", str(directory)])
    assert done.exit_code == 0, done.output
    probes = json.loads(done.stdout)["probes"]
    return {one["name"]: (one["value"], one["grade"]) for probe in probes for one in probe["answers"]}


@pytest.mark.timeout(600)
def test_the_papers_three_questions_are_answered_as_by_the_model(tmp_path: Path) -> None:
    """`allocation` builds on the two others, so all three are done one after the other on one drive."""
    found = answers_of("allocation", PAPER, tmp_path)
    values = {name: value for name, (value, _) in found.items() if name != "allocation.time_ratio"}
    assert values == {
        "management_block.size": 16384,
        "management_block.offset": 0,
        "placement.unit": 16384,
        "placement.page": 4096,
        "placement.channels": 4,
        "placement.kind": "1-channel",
        "allocation.kind": "address-like",
    }
    assert {grade for _, grade in found.values()} <= {"A", "B"}


def test_the_write_buffer_is_as_large_as_it_is(tmp_path: Path) -> None:
    size, grade = answers_of("write-buffer", BUFFERED, tmp_path)["write_buffer.size"]
    assert isinstance(size, int)
    assert abs(size / (4 << 20) - 1) < 0.15
    assert grade in {"A", "B"}


def test_a_flush_writes_what_is_buffered(tmp_path: Path) -> None:
    value, grade = answers_of("flush", BUFFERED, tmp_path)["flush.behaviour"]
    assert value == "a flush writes what is buffered: no sign of protection"
    # Without forced writes, which fio's nbd engine has no word for, it is not more than B.
    assert grade == "B"


def test_single_commands_go_to_a_file_by_way_of_the_kernel(tmp_path: Path) -> None:
    """Over NBD fio does the I/O by itself; drives of this host are reached like this file."""
    done = CliRunner().invoke(
        app, ["probe", "corners", f"file:{tmp_path / 'drive.img'}?size=64MiB", "--json", "--lab", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    answers = json.loads(done.stdout)["probes"][0]["answers"]
    assert len(answers) == 28
    assert all(one["value"] > 0 for one in answers)
