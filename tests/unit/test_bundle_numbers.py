"""Numbers in a bundle that came from elsewhere: none of them is a length without end."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.kit.reseal import Fields, reseal
from tests.kit.small_bundle import write_small

from ssdlab.bundle import layout, tables
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.read import open_bundle
from ssdlab.engine.result import SENSOR_COLUMNS, Direction, SensorSeries


@pytest.mark.parametrize("digits", [300_000_000, 10, 0, -1])
def test_a_bundle_does_not_open_whose_steps_have_numbers_of_no_such_length(tmp_path: Path, digits: int) -> None:
    path = write_small(tmp_path / "run")
    run = json.loads((path / layout.RUN).read_bytes()) | {"index_digits": digits}

    def with_run(line: Fields) -> Fields:
        return {**line, "run": run} if "run" in line else line

    (path / layout.RUN).write_text(json.dumps(run))
    reseal(path, with_run)
    with pytest.raises(BundleError, match=r"is no bundle: run\.json is damaged; journal\.jsonl is damaged"):
        open_bundle(path)


@pytest.mark.parametrize("celsius", [1e12, -1e12, float("inf")])
def test_a_temperature_that_no_sensor_can_tell_is_damage(tmp_path: Path, celsius: float) -> None:
    columns = {name: np.full(2, np.nan) for name in SENSOR_COLUMNS} | {"temperature_c": np.array([40.0, celsius])}
    tables.write_sensors(SensorSeries(np.array([0, 1]), **columns), tmp_path / layout.SENSORS)
    with pytest.raises(DamagedFile, match="temperature_c"):
        tables.read_sensors(BundleFiles(tmp_path, {}, Unlisted.READ), layout.SENSORS)


@pytest.mark.parametrize(
    ("time_ns", "window_ns", "column"), [(10**18, 10**8, "time_ns"), (10**9, 1, "window_ns"), (1, 0, "window_ns")]
)
def test_a_job_has_no_more_windows_than_it_could_take(
    tmp_path: Path, time_ns: int, window_ns: int, column: str
) -> None:
    rows = {name: np.array([1.0]) for name in tables.KNOWN_COLUMNS[layout.SERIES]}
    rows |= {"direction": np.array(["write"]), "time_ns": np.array([time_ns]), "window_ns": np.array([window_ns])}
    tables.write_columns(rows, tmp_path / layout.SERIES)
    with pytest.raises(DamagedFile, match=f"`{column}`"):
        tables.read_series(BundleFiles(tmp_path, {}, Unlisted.READ), layout.SERIES, Direction.WRITE)
