"""What a first screen says of data that was read back, on served drives that spoil a known part of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.kit.drawn_screens import by_name
from tests.kit.first_screen_claims import wrong_on
from tests.kit.sustain_claims import SUSTAINED
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import open_bundle
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.units import KIB, MIB

pytestmark = pytest.mark.fio

SIZE_BYTES = 16 * MIB
SECTOR_BYTES = 512
BLOCK_BYTES = 4 * KIB
INSTANT = """name = "spoiled"
description = "Takes no time"
[geometry]
capacity = "16 MiB"
raw = "48 MiB"
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


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A fault of a drive, and how many bytes of it are not what was written."""

    fault: str
    bad_bytes: int


def fake(random: np.random.Generator) -> Spoiled:
    """Less than it says: what was written past the end stands where the beginning was."""
    real_mib = int(random.integers(9, 16))
    return Spoiled(f'[[fault]]\nkind = "wrap"\nreal = "{real_mib} MiB"\n', SIZE_BYTES - real_mib * MIB)


def flipping(random: np.random.Generator) -> Spoiled:
    """A sector in each so many blocks."""
    every = 2 ** int(random.integers(4, 10))
    return Spoiled(f'[[fault]]\nkind = "flip"\nevery = {every}\n', SIZE_BYTES // BLOCK_BYTES // every * SECTOR_BYTES)


def healthy(_random: np.random.Generator) -> Spoiled:
    return Spoiled("", 0)


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("kind", [healthy, fake, flipping])
def test_the_bytes_that_are_not_what_was_written_are_counted_to_the_last(
    kind: Callable[[np.random.Generator], Spoiled], number: int, tmp_path: Path
) -> None:
    drive = kind(np.random.default_rng([2042, number]))
    specification = tmp_path / "drive.toml"
    specification.write_text(f"seed = {number}\n{INSTANT}{drive.fault}")
    asked = ("--chunk", "1MiB", "--record", "4MiB", "--verify", "after", "--lab", str(tmp_path))
    result = CliRunner().invoke(cli.app, ["sustain", f"virtual:{specification}", *asked])
    run = open_bundle(Path(result.stdout.strip().splitlines()[-1]))

    screen, known = first_screen([run]), by_name(run.metrics)
    assert wrong_on(screen, SUSTAINED, (), known) == []
    assert known["sustain.verify.bad_bytes"].value == drive.bad_bytes
    said = " ".join(map(str, screen.verdict))
    assert ("every byte is what was written" in said) is (drive.bad_bytes == 0)
    assert ("are not what was written" in said) is (drive.bad_bytes > 0)
