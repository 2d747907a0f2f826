"""An endless sustained write: constant memory, a bundle that stays small, and an end in good order."""

import gc
import json
import os
import re
import signal
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.analysis.sustain_words import pass_rows, sentences
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.drive.own_files import Keep
from ssdlab.job import StepKind
from ssdlab.lab import sustain_thinning
from ssdlab.lab.sustain import sustain
from ssdlab.lab.sustain_ground import Before, Choice, open_ground
from ssdlab.lab.sustain_live import Live
from ssdlab.method import sustain as method
from ssdlab.method.sustain import Keeping, Verify, Wish, keeping
from ssdlab.units import KIB, MIB

FIRST, LATER_BITS, THIN_EVERY = 4, 2, 16
"""Smaller than those of a real run, so that fewer passes come as far."""
EARLY, ALL = 88, 376
LENGTH = 16 * MIB
LARGE_BYTES = 64 * KIB
"""Such blocks are tables that Python makes larger now and then."""
OWN = "/ssdlab/"
IN_MEMORY = "/dev/shm"


class Watcher:
    """Looks at the run at an early pass and at the last, as long after a thinning, and presses Ctrl-C then."""

    def __init__(self) -> None:
        self.bundle = Path()
        self.own_bytes: list[int] = []
        self.others_bytes: list[int] = []
        self.sizes_bytes: list[int] = []

    def begins(self, bundle: Path, length_bytes: int) -> None:
        assert length_bytes == LENGTH
        self.bundle = bundle

    def record(self, live: Live) -> None:
        if live.record.number in {EARLY, ALL} and live.record.phase.value == "write":
            gc.collect()
            traces = tracemalloc.take_snapshot().traces
            own = [one.size for one in traces if OWN in one.traceback[0].filename]
            others = [one.size for one in traces if OWN not in one.traceback[0].filename]
            self.own_bytes.append(sum(own))
            self.others_bytes.append(sum(size for size in others if size < LARGE_BYTES))
            self.sizes_bytes.append(sum(path.stat().st_size for path in self.bundle.rglob("*") if path.is_file()))
        if live.record.number == ALL:
            os.kill(os.getpid(), signal.SIGINT)

    def rests(self, duration_ns: int) -> None:
        assert duration_ns == 1_000_000_000

    def note(self, text: str) -> None:
        raise AssertionError(text)


def smaller(patch: pytest.MonkeyPatch) -> None:
    for module in (method, sustain_thinning):
        patch.setattr(module, "WHOLE_FIRST", FIRST)
        patch.setattr(module, "THIN_EVERY", THIN_EVERY)
    patch.setattr(method, "_WHOLE_LATER_BITS", LATER_BITS)


@pytest.fixture(scope="module")
def ended() -> Iterator[tuple[Bundle, Watcher]]:
    watcher = Watcher()
    wish = Wish(chunk_bytes=256 * KIB, record_bytes=LENGTH, passes=None, verify=Verify.EACH_PASS, rest_ns=1_000_000_000)
    choice = Choice(target="model:demo?capacity=16MiB", erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    # Every line of every pass is synced, which a real disk takes its time for.
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as lab:
        with pytest.MonkeyPatch.context() as patch:
            smaller(patch)
            tracemalloc.start()
            try:
                with open_ground(choice, wish) as ground:
                    bundle = sustain(wish, ground, Path(lab), watcher, None)
            finally:
                tracemalloc.stop()
        yield bundle, watcher


def test_memory_does_not_grow_with_the_passes(ended: tuple[Bundle, Watcher]) -> None:
    early, late = ended[1].own_bytes
    assert (late - early) / (ALL - EARLY) < 100
    # Caches of the libraries fill up, each to its own bound.
    early, late = ended[1].others_bytes
    assert (late - early) / (ALL - EARLY) < 512


def test_the_bundle_does_not_grow_with_the_passes(ended: tuple[Bundle, Watcher]) -> None:
    early, late = ended[1].sizes_bytes
    assert late < 1.1 * early


def whole_ones() -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        smaller(patch)
        return [number for number in range(1, ALL + 1) if keeping(number, ALL) is Keeping.WHOLE]


def test_each_pass_is_a_step_or_counted_in_the_totals(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    kept = [int(re.sub(r"\D", "", step.name)) for step in bundle.steps if step.kind is StepKind.FILL]
    assert kept == whole_ones()
    thinned = {one.name: one for one in bundle.thinned}
    written = thinned["sustain.pass"]
    assert written.count + len(kept) == ALL
    # Ctrl-C came while the last pass was written, so there was no reading of it and no rest after it.
    readings = [step for step in bundle.steps if step.name.startswith("sustain.verify")]
    assert thinned["sustain.verify"].count + len(readings) == ALL - 1
    rests = [step for step in bundle.steps if re.fullmatch(r"sustain\.rest\d+", step.name)]
    assert thinned["sustain.rest"].count + len(rests) == ALL - 1
    assert thinned["sustain.rest"].duration_ns == thinned["sustain.rest"].count * 1_000_000_000


def test_sums_over_all_passes_are_exact(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    assert bundle.written_bytes == ALL * LENGTH
    known = {metric.name: metric for metric in bundle.metrics}
    assert known["sustain.bandwidth_mean"].note.startswith(f"all bytes over all time, rests left out; {ALL} passes")
    assert isinstance(known["sustain.bandwidth_mean"].value, float)


def test_what_was_thinned_out_leaves_no_directory(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    found = {path.name for path in bundle.path.iterdir() if path.is_dir()}
    assert found <= {bundle.directory(step).name for step in bundle.steps}


def test_ctrl_c_ends_it_in_good_order_with_all_metrics(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert [row.number for row in pass_rows(bundle.metrics)] == whole_ones()


def test_it_is_said_how_many_passes_are_kept_as_totals(ended: tuple[Bundle, Watcher]) -> None:
    bundle, _ = ended
    said = [re.sub(r"[\d.]+ [GM]B/s", "SPEED", line) for line in sentences(bundle.metrics, bundle.not_whole)]
    assert said[:2] == snapshot(
        [
            "376 passes: SPEED to SPEED mean, too short to say whether flat",
            "of 370 of them no more is kept than what they come to: slowest SPEED (pass 16), fastest SPEED (pass 10)",
        ]
    )
    shown = json.loads(CliRunner().invoke(cli.app, ["show", str(bundle.path), "--json"]).stdout)
    assert [one["count"] for one in shown["thinned"]] == [one.count for one in bundle.thinned]
