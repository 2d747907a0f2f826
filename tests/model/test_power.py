"""From the log of a power meter to metrics of a run: a model's run, marks as it would have made them, a log with a clock of its own."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from tests.kit.five_drives import quick_run
from tests.kit.power_logs import NS, marks_at

from ssdlab.analysis.power.samples import PowerLogError
from ssdlab.bundle.examine import examine
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.power import POWER, POWER_SERIES, MarkPlace
from ssdlab.bundle.quantities import (
    ENERGY,
    ENERGY_PER_GIB,
    IOPS_PER_WATT,
    POWER_MAX_1S,
    POWER_MAX_100US,
    POWER_MEAN,
)
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.lab.run import conclude_again
from ssdlab.library.power import add_power
from ssdlab.unknown import Unknown

_IDLE_W, _LOAD_W, _PERIOD_S = 1.5, 4.0, 0.002
_OFFSET_S, _DRIFT_PPM = 3.7, 50.0


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A finished run with marks before and behind it."""
    path = quick_run(tmp_path_factory.mktemp("lab"), "mlc-1tb", "cdm").path
    bundle = open_bundle(path)
    end_s = max(step.ended_ns or 0 for step in bundle.steps) / NS
    rng = np.random.default_rng(1)
    writer = BundleWriter.reopen(path, bundle.run, ())
    for begin_s, place in ((-6.0, MarkPlace.START), (end_s + 2.0, MarkPlace.END)):
        # A writer that opens a run again counts from the last line of the journal on.
        writer.power_marks(0, marks_at(rng, begin_s, place).later(-round(end_s * NS)))
    writer.close()
    return open_bundle(path)


def _log(bundle: Bundle, path: Path, seed: int = 1) -> Path:
    """What a meter would have written: idle power, and as much more as anything goes on."""
    rng = np.random.default_rng(seed)
    bursts = [burst for marks in bundle.power_marks for burst in marks.bursts]
    loads = [(one.begin_ns, one.end_ns) for one in bursts]
    loads += [(step.started_ns or 0, step.ended_ns or 0) for step in bundle.finished() if step.job is not None]
    begin_s, end_s = min(begin for begin, _ in loads) / NS - 2, max(end for _, end in loads) / NS + 2
    time_s = np.arange(begin_s + _OFFSET_S, end_s + _OFFSET_S, _PERIOD_S)
    rate = 1 + _DRIFT_PPM * 1e-6
    edges = (np.append(time_s, time_s[-1] + _PERIOD_S) - _OFFSET_S) / rate
    loaded = sum(np.clip(edges, begin / NS, end / NS) - begin / NS for begin, end in loads)
    watts = _IDLE_W + _LOAD_W * np.diff(loaded) / np.diff(edges)
    watts += rng.normal(0, 0.05 * watts.mean(), len(watts))
    # Time in a log begins at 0, or wherever; only its going on is used.
    lines = (f"{at * 1e6:.0f},{power * 1e6:.0f}\n" for at, power in zip(time_s, watts, strict=True))
    path.write_text("Time us,Tot power uW\n" + "".join(lines))
    return path


def test_a_log_becomes_metrics_of_the_run(marked: Bundle, tmp_path: Path) -> None:
    log = _log(marked, tmp_path / "log.csv")
    bundle = add_power(marked.path, log)
    record = bundle.power
    assert not isinstance(record, Unknown)
    assert record.fit.offset_s == pytest.approx(_OFFSET_S, abs=0.002)
    assert record.log.sha256 == hashlib.sha256(log.read_bytes()).hexdigest()
    metrics = {metric.key: metric for metric in bundle.metrics}
    measured = [step for step in bundle.finished() if step.job is not None and MetricKey(step.point, ENERGY) in metrics]
    assert measured
    for step in measured:
        mean, energy = metrics[MetricKey(step.point, POWER_MEAN)], metrics[MetricKey(step.point, ENERGY)]
        if isinstance(mean.value, Unknown):
            continue
        assert mean.value == pytest.approx(_IDLE_W + _LOAD_W, rel=0.01)
        assert energy.low is not None
        assert energy.high is not None
        assert isinstance(energy.value, float)
        assert energy.low < energy.value < energy.high
        assert isinstance(metrics[MetricKey(step.point, POWER_MAX_100US)].value, Unknown)
    assert any(check.name == "power.samples_complete" for check in bundle.audit)
    # The rest of what is in the bundle is as it was, and everything still has its digest.
    assert {one.name for one in marked.metrics} < {one.name for one in bundle.metrics}
    assert examine(bundle.path).damaged == ()
    assert {POWER, POWER_SERIES} <= set(bundle.files.marks)


def test_metrics_follow_from_the_bundle_alone(marked: Bundle, tmp_path: Path) -> None:
    log = _log(marked, tmp_path / "log.csv")
    bundle = add_power(marked.path, log)
    log.unlink()
    assert [metric.name for metric in conclude_again(marked.path).metrics] == [one.name for one in bundle.metrics]


def test_watts_energy_and_bytes_agree(marked: Bundle, tmp_path: Path) -> None:
    bundle = add_power(marked.path, _log(marked, tmp_path / "log.csv"))
    metrics = {metric.key: metric.value for metric in bundle.metrics}
    for key, per_gib in metrics.items():
        if key.quantity == ENERGY_PER_GIB and not isinstance(per_gib, Unknown):
            moved = float(metrics[MetricKey(key.point, ENERGY)]) / float(per_gib)  # type: ignore[arg-type]
            assert moved > 0
            assert float(metrics[MetricKey(key.point, IOPS_PER_WATT)]) > 0  # type: ignore[arg-type]
            assert MetricKey(key.point, POWER_MAX_1S) in metrics


def test_the_log_of_another_run_changes_nothing(marked: Bundle, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in marked.path.rglob("*") if path.is_file()}
    log = tmp_path / "noise.csv"
    rng = np.random.default_rng(5)
    log.write_text("Time us,Tot power uW\n" + "".join(f"{2000 * at},{5e6 * rng.uniform()}\n" for at in range(100_000)))
    with pytest.raises(PowerLogError) as found:
        add_power(marked.path, log)
    assert found.value.hints
    assert {path: path.read_bytes() for path in marked.path.rglob("*") if path.is_file()} == before


def test_a_run_without_marks_says_how_to_make_them(tmp_path: Path) -> None:
    bundle = quick_run(tmp_path, "mlc-1tb", "cdm")
    (tmp_path / "log.csv").write_text("Time us,Tot power uW\n" + "".join(f"{2000 * at},1\n" for at in range(10)))
    with pytest.raises(PowerLogError) as found:
        add_power(bundle.path, tmp_path / "log.csv")
    assert any("--power-marks" in str(hint) for hint in found.value.hints)
