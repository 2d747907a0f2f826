"""The model engine: the same Job, RawResult and bundle as with fio, in virtual time, and always the same."""

import hashlib
import io
from pathlib import Path

import pytest
from tests.kit.hints import hints_of

from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand


def run_on(target: str, lab: Path, seed: int = 1) -> Bundle:
    with open_bench(target) as bench:
        plan = expand(load_suite("fill"), "standard", bench.drive.identity, seed)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


def step_files(bundle: Bundle) -> dict[str, str]:
    """Hash of every file of every step."""
    files = sorted(path for path in bundle.path.glob("*/*") if path.is_file())
    return {str(path.relative_to(bundle.path)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("target", ["model:demo", "model:chaos?capacity=1GiB"])
def test_the_same_seed_gives_the_same_bytes(target: str, tmp_path: Path) -> None:
    first, second = (step_files(run_on(target, tmp_path / name)) for name in ("first", "second"))
    assert len(first) == 12
    assert first == second


def test_another_seed_of_a_noisy_drive_gives_other_bytes(tmp_path: Path) -> None:
    runs = [run_on(f"model:chaos?capacity=1GiB&seed={seed}", tmp_path / str(seed)) for seed in (1, 2)]
    series = [step_files(run)["003-fill.pass1/series.parquet"] for run in runs]
    assert series[0] != series[1]


def test_rests_take_virtual_time(tmp_path: Path) -> None:
    bundle = run_on("model:demo", tmp_path)
    rest = bundle.step("fill.rest")
    assert rest.started_ns is not None
    assert rest.ended_ns == rest.started_ns + rest.rest_ns


def test_reads_and_writes_that_take_no_time_cannot_be_measured_in_virtual_time(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match=r"`fill\.pass1` took no time") as failure:
        run_on("model:zero", tmp_path)
    assert hints_of(failure.value)[0] == "use `virtual:` to measure the host with it"
