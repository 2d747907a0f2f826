"""An endless sustained write: constant memory, a bundle that stays small, and an end in good order."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from inline_snapshot import snapshot
from tests.kit.endless_sustain import ALL, LENGTH, Seen
from tests.kit.sustain_thinning import smaller
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.analysis.metrics.sustain_words import pass_rows, sentences
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import StepKind
from ssdlab.method.sustain import Keeping, keeping

ROOT = Path(__file__).parents[2]
IN_MEMORY = "/dev/shm"


@pytest.fixture(scope="module")
def ended() -> Iterator[tuple[Bundle, Seen]]:
    # Every line of every pass is synced, which a real disk takes its time for.
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as lab:
        command = [sys.executable, "-m", "tests.kit.endless_sustain", lab]
        said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
        seen = Seen(**json.loads(said))
        yield open_bundle(Path(seen.bundle)), seen


def test_memory_does_not_grow_with_the_passes(ended: tuple[Bundle, Seen]) -> None:
    assert ended[1].own_growth_bytes() < 100
    # Caches of the libraries fill up, each to its own bound.
    assert ended[1].others_growth_bytes() < 512


def test_the_bundle_does_not_grow_with_the_passes(ended: tuple[Bundle, Seen]) -> None:
    early, late = ended[1].sizes_bytes
    assert late < 1.1 * early


def whole_ones() -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        smaller(patch)
        return [number for number in range(1, ALL + 1) if keeping(number, ALL) is Keeping.WHOLE]


def test_each_pass_is_a_step_or_counted_in_the_totals(ended: tuple[Bundle, Seen]) -> None:
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


def test_sums_over_all_passes_are_exact(ended: tuple[Bundle, Seen]) -> None:
    bundle, _ = ended
    assert bundle.written_bytes == ALL * LENGTH
    known = {metric.name: metric for metric in bundle.metrics}
    assert str(known["sustain.bandwidth_mean"].note).startswith(
        f"all bytes over all time, rests left out; {ALL} passes"
    )
    assert isinstance(known["sustain.bandwidth_mean"].value, float)


def test_what_was_thinned_out_leaves_no_directory(ended: tuple[Bundle, Seen]) -> None:
    bundle, _ = ended
    found = {path.name for path in bundle.path.iterdir() if path.is_dir()}
    assert found <= {bundle.directory(step).name for step in bundle.steps}


def test_ctrl_c_ends_it_in_good_order_with_all_metrics(ended: tuple[Bundle, Seen]) -> None:
    bundle, _ = ended
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert [row.number for row in pass_rows(bundle.metrics)] == whole_ones()


def test_it_is_said_how_many_passes_are_kept_as_totals(ended: tuple[Bundle, Seen]) -> None:
    bundle, _ = ended
    said = [re.sub(r"[\d.]+ [GM]B/s", "SPEED", str(line)) for line in sentences(bundle.metrics, bundle.not_whole)]
    assert said[:2] == snapshot(
        [
            "376 passes: SPEED to SPEED mean, too short to say whether flat",
            "of 370 of them no more is kept than what they come to: slowest SPEED (pass 16), fastest SPEED (pass 10)",
        ]
    )
    shown = json.loads(CliRunner().invoke(cli.app, ["show", str(bundle.path), "--json"]).stdout)
    assert [one["count"] for one in shown["thinned"]] == [one.count for one in bundle.thinned]
