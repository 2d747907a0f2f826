"""An endless sustained write: constant memory, a bundle that stays small, and an end in good order."""

import gc
import os
import re
import signal
import tracemalloc
from pathlib import Path

import pytest

from ssdlab.analysis.sustain_words import pass_rows
from ssdlab.bundle.model import RunStatus, Step
from ssdlab.bundle.read import Bundle
from ssdlab.drive.own_files import Keep
from ssdlab.lab.sustain import sustain
from ssdlab.lab.sustain_ground import Before, Choice, open_ground
from ssdlab.lab.sustain_live import Live
from ssdlab.method import sustain as method
from ssdlab.method.sustain import Keeping, Verify, Wish, keeping
from ssdlab.units import KIB, MIB

HALF, ALL = 64, 128
"""Passes; the later half of them leaves but a few whole."""


class Watcher:
    """Looks at the run after half its passes, and presses Ctrl-C in the last."""

    def __init__(self) -> None:
        self.bundle = Path()
        self.memory_bytes: list[int] = []
        self.sizes_bytes: list[int] = []
        self.directories: list[int] = []

    def begins(self, bundle: Path, length_bytes: int) -> None:
        assert length_bytes == 32 * MIB
        self.bundle = bundle

    def record(self, live: Live) -> None:
        if live.record.number in {HALF, ALL} and live.record.interval == 1 and live.record.phase.value == "write":
            gc.collect()
            self.memory_bytes.append(tracemalloc.get_traced_memory()[0])
            self.directories.append(sum(path.is_dir() for path in self.bundle.iterdir()))
            self.sizes_bytes.append(sum(path.stat().st_size for path in self.bundle.rglob("*") if path.is_file()))
        if live.record.number == ALL:
            os.kill(os.getpid(), signal.SIGINT)

    def rests(self, duration_ns: int) -> None:
        raise AssertionError(duration_ns)

    def note(self, text: str) -> None:
        raise AssertionError(text)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, Watcher]:
    watcher = Watcher()
    wish = Wish(chunk_bytes=256 * KIB, record_bytes=32 * MIB, passes=None, verify=Verify.EACH_PASS)
    choice = Choice(target="model:demo?capacity=32MiB", erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(method, "WHOLE_FIRST", 8)
        patch.setattr(method, "_WHOLE_BITS", 2)
        tracemalloc.start()
        try:
            with open_ground(choice, wish) as ground:
                bundle = sustain(wish, ground, tmp_path_factory.mktemp("lab"), watcher, None)
        finally:
            tracemalloc.stop()
    return bundle, watcher


def test_memory_does_not_grow_with_the_passes(ended: tuple[Bundle, Watcher]) -> None:
    _, watcher = ended
    half, whole = watcher.memory_bytes
    assert whole - half < 100 * KIB


def test_later_passes_leave_a_few_lines_and_no_directory(ended: tuple[Bundle, Watcher]) -> None:
    bundle, watcher = ended
    whole = sum(keeping_of(number) is Keeping.WHOLE for number in range(HALF, ALL))
    half, late = watcher.directories
    # A pass and its reading each; one is being written while it is looked at.
    assert late - half <= 2 * whole
    kept = sum(
        path.stat().st_size
        for step in bundle.steps
        if HALF <= number_of(step) < ALL and bundle.directory(step).exists()
        for path in bundle.directory(step).iterdir()
    )
    grown = watcher.sizes_bytes[1] - watcher.sizes_bytes[0] - kept
    assert grown / (ALL - HALF) < 2.5 * KIB


def number_of(step: Step) -> int:
    return int(re.sub(r"\D", "", step.name))


def keeping_of(number: int) -> Keeping:
    """As the run had it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(method, "WHOLE_FIRST", 8)
        patch.setattr(method, "_WHOLE_BITS", 2)
        return keeping(number)


def test_every_pass_is_a_step_and_the_others_say_how_fast_they_were(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    writes = [step for step in bundle.steps if step.name.startswith("sustain.pass")]
    assert [step.name for step in writes] == [f"sustain.pass{number}" for number in range(1, ALL + 1)]
    lines = [step.note for step in writes if step.job is None]
    assert len(lines) > 100
    assert all(line.startswith("33554432 bytes at ") and line.endswith(" MB/s") for line in lines)


def test_ctrl_c_ends_it_in_good_order_with_all_metrics(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert [row.number for row in pass_rows(bundle.metrics)] == [
        number for number in range(1, ALL + 1) if keeping_of(number) is Keeping.WHOLE
    ]
