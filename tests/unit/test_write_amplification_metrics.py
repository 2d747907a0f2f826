"""Write amplification by speed: what scatters too much is not told, nor what rests on it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.kit.fill_evidence import evidence_of_fill, run_info
from tests.kit.synthetic_fill import WINDOW_NS, series_of

from ssdlab.analysis.metrics.write_amplification import write_amplification_metrics
from ssdlab.bundle.model import Metric
from ssdlab.message import message
from ssdlab.method.builtin import load_suite
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep
from ssdlab.method.suite import parse_suite
from ssdlab.units import MIB, NS_PER_S
from ssdlab.unknown import Unknown

SEQUENTIAL = 400.0 * MIB
WINDOWS = 400
CAPACITY_BYTES = int(SEQUENTIAL * WINDOWS * WINDOW_NS / NS_PER_S)


def metrics_of(speeds: Sequence[float]) -> dict[str, Metric]:
    """Of a drive that is written once in sequence, then at random at these shares of that speed, one after the other."""
    step = parse_suite(load_suite("write-amplification").text, "a test").step("write_amplification")
    assert isinstance(step, WriteAmplificationStep)
    windows = int(1.5 * WINDOWS / np.mean(speeds))
    series = {
        "sequential": series_of(np.full(WINDOWS, SEQUENTIAL)),
        "uniform": series_of(SEQUENTIAL * np.resize(speeds, windows)),
    }
    evidence = [evidence_of_fill(one, f"write_amplification.{name}") for name, one in series.items()]
    known = write_amplification_metrics(step, [replace(one, run=run_info(CAPACITY_BYTES)) for one in evidence])
    return {one.name.removeprefix("write_amplification."): one for one in known}


def test_a_drive_at_a_third_of_its_sequential_speed_amplifies_three_times() -> None:
    known = metrics_of([0.31, 0.36])
    assert known["uniform.waf_implied"].value == pytest.approx(3, rel=0.02)
    assert known["effective_spare"].value == pytest.approx(21.6, abs=0.7)


def test_neither_amplification_nor_spare_space_is_told_of_a_drive_that_stands_still_for_long() -> None:
    known = metrics_of([0.9] * 100 + [0.01] * 400)
    unknown = known["uniform.waf_implied"].value
    assert isinstance(unknown, Unknown)
    assert unknown.reason.id == "unknown-amplification-scatters"
    assert isinstance(known["effective_spare"].value, Unknown)


def test_no_spare_space_is_told_of_writes_that_may_not_have_been_amplified() -> None:
    known = metrics_of([0.8] * 60 + [1.1] * 60)
    assert isinstance(known["uniform.waf_implied"].value, float)
    assert known["effective_spare"].value == Unknown(message("unknown-perhaps-not-amplified"))
