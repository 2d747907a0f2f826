"""Marks for a power meter are bursts of reads with rests of their own; what draws no power is given none."""

import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ssdlab.bundle.power import MarkPlace
from ssdlab.bundle.warning import WarningKind
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.lab.power_marks import CannotMark, Marking, marked, power_marks, require_markable
from ssdlab.units import MIB, NS_PER_MS


def _drive(path: Path, io_path: IoPath = IoPath.FILE) -> Any:
    return SimpleNamespace(address=FioAddress(io_path, str(path)), spec_text=None)


def test_marks_are_five_bursts_whose_pauses_differ_from_set_to_set(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(4 * MIB))
    sets = [power_marks(_drive(tmp_path / "file"), MarkPlace.START, time.monotonic_ns) for _ in range(2)]
    pauses = []
    for marks in sets:
        assert len(marks.bursts) == 5
        assert all(one.end_ns - one.begin_ns >= 200 * NS_PER_MS for one in marks.bursts)
        pauses.append([round((later.begin_ns - one.end_ns) / NS_PER_MS, -1) for one, later in pairwise(marks.bursts)])
        assert min(pauses[-1]) >= 240
    assert pauses[0] != pauses[1]


def test_a_file_with_nothing_to_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CannotMark, match="less than a mebibyte"):
        power_marks(_drive(tmp_path / "file"), MarkPlace.START, time.monotonic_ns)


def test_a_drive_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotMark, match="cannot be read"):
        power_marks(_drive(tmp_path / "gone"), MarkPlace.START, time.monotonic_ns)


def test_the_drive_is_read_by_what_holds_it_open_whatever_its_path_leads_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(4 * MIB))
    with (tmp_path / "file").open("rb") as held:
        (tmp_path / "file").unlink()
        address = FioAddress(IoPath.FILE, str(tmp_path / "file"), descriptor=held.fileno())
        drive: Any = SimpleNamespace(address=address, spec_text=None)
        assert len(power_marks(drive, MarkPlace.START, time.monotonic_ns).bursts) == 5


def test_a_drive_that_draws_no_power_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotMark, match="virtual or on the network"):
        require_markable(_drive(tmp_path, IoPath.NBD))


def test_a_run_whose_drive_cannot_be_read_at_its_end_is_warned_of_and_ends_as_it_would(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(4 * MIB))
    places: list[MarkPlace] = []
    warned: list[tuple[WarningKind, str]] = []
    run: Any = SimpleNamespace(
        now_ns=time.monotonic_ns,
        writer=SimpleNamespace(power_marks=lambda _, marks: places.append(marks.place)),
        warn=lambda kind, text: warned.append((kind, str(text))),
    )
    with marked(run, _drive(tmp_path / "file"), Marking.MARKED):
        (tmp_path / "file").unlink()
    assert places == [MarkPlace.START]
    ((kind, text),) = warned
    assert kind is WarningKind.DRIVE
    assert "cannot be read" in text
