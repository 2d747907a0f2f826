"""Sensors are read while a job runs: in virtual time at the end of every tenth window, in real time on a thread beside it."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from ssdlab import _core
from ssdlab.drive.kinds.virtual_sensor import read_virtual
from ssdlab.drive.lateness import Late, Lateness
from ssdlab.drive.sense.reading import Cadence, NoSensor, SensorReading, nothing_known
from ssdlab.engine.result import JobSensors
from ssdlab.engine.sensing import Sample, Sampling, series_of
from ssdlab.engine.workload import workload_fields
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import open_bench
from ssdlab.message import message, verbatim
from ssdlab.units import GIB, KIB, NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

NOTHING = nothing_known(Unknown(message("unknown-not-asked")))
FILL = Job(
    name="fill",
    pattern=Pattern.SEQUENTIAL,
    read_percent=0,
    block_bytes=128 * KIB,
    queue_depth=32,
    region=Region(0, 4 * GIB),
    amount_bytes=4 * GIB,
    duration_ns=None,
    seed=1,
)


def warm(celsius: float) -> SensorReading:
    return replace(NOTHING, temperature_c=celsius)


def sensed_of(target: str, directory: Path) -> tuple[JobSensors, list[Sample]]:
    heeded: list[Sample] = []
    with open_bench(target) as bench:
        result = bench.engine.run(FILL, directory, lambda _: None, None, lambda *one: heeded.append(Sample(*one)))
    assert result.sensed is not None
    return result.sensed, heeded


def test_a_virtual_drive_tells_its_own_truth_every_second_of_its_own_time(tmp_path: Path) -> None:
    sensed, heeded = sensed_of("model:chaos", tmp_path)
    series = sensed.series
    assert len(series.time_ns) > 10
    assert set(np.diff(series.time_ns[:-1])) == {NS_PER_S}
    assert (series.host_written_bytes[0], series.host_written_bytes[-1]) == (0, 4 * GIB)
    assert (np.diff(series.media_written_bytes) > 0).all()
    assert series.temperature_c[-1] > series.temperature_c[0] + 5
    assert (sensed.before, sensed.after.host_written_bytes) == (heeded[0].reading, 4 * GIB)
    assert series_of(heeded).time_ns.tolist() == series.time_ns[:-1].tolist()


def test_a_drive_whose_spec_has_no_heat_says_so(tmp_path: Path) -> None:
    sensed, _ = sensed_of("model:demo?capacity=8GiB", tmp_path)
    assert sensed.after.temperature_c == Unknown(message("unknown-virtual-no-thermal"))
    assert np.isnan(sensed.series.temperature_c).all()
    assert sensed.series.says_anything


def test_the_model_does_the_same_whether_its_sensors_are_read_or_not() -> None:
    def latencies(sense: Callable[[int, str], object] | None) -> bytes:
        drive = _core.ModelDrive(_core.spec_text("chaos"))
        return drive.run(json.dumps(workload_fields(FILL)), 0, None, None, sense).write.windows.lat_mean_ns

    said: list[str] = []
    assert latencies(lambda _, words: said.append(words)) == latencies(None)
    assert len(said) > 10


def test_what_heeds_the_sensors_can_end_a_job_in_virtual_time(tmp_path: Path) -> None:
    class TooHot(Exception):  # noqa: N818 - named like what it says
        pass

    def heed(time_ns: int, reading: SensorReading) -> None:
        if isinstance(reading.temperature_c, float) and reading.temperature_c > 60:
            raise TooHot(time_ns)

    with open_bench("model:chaos") as bench:
        with pytest.raises(TooHot) as ended:
            bench.engine.run(FILL, tmp_path, lambda _: None, None, heed)
        assert 0 < ended.value.args[0] < 30 * NS_PER_S


@dataclass
class Counting:
    """Counts how it was asked, and answers at once."""

    cadence: Cadence
    asked: list[str] = field(default_factory=list)

    def read(self) -> SensorReading:
        self.asked.append("read")
        return warm(len(self.asked))

    def glance(self) -> SensorReading:
        self.asked.append("glance")
        return warm(len(self.asked))

    def messages(self) -> tuple[str, ...] | Unknown:
        return ("nvme0: hello",)

    def lateness(self) -> Lateness | Unknown:
        return Lateness(count=10 * len(self.asked), total_ns=1000 * len(self.asked) ** 2, bins={})


def test_beside_a_job_the_cheap_look_is_frequent_and_the_whole_one_rare() -> None:
    sensor = Counting(Cadence(glance_ns=2 * NS_PER_MS, read_ns=8 * NS_PER_MS))
    heeded: list[int] = []
    with Sampling(sensor, lambda time_ns, _: heeded.append(time_ns)) as sampling:
        while not {"read", "glance"} <= set(sensor.asked[1:]):
            time.sleep(0.001)
        sampling.tell()
    sensed = sampling.sensed(runtime_ns=heeded[-1] + NS_PER_S, offset_ns=0)
    assert (sensor.asked[0], sensor.asked[-1]) == ("read", "read")
    assert heeded == sorted(heeded)
    assert sensed.series.time_ns.tolist() == [*heeded, heeded[-1] + NS_PER_S]
    assert (sensed.before, sensed.messages) == (warm(1), ("nvme0: hello",))
    looks = len(sensor.asked)
    few = Unknown(message("unknown-few-replies-above", least=10, replies=0))
    mean_ns = 1000 * (looks**2 - 1) / (10 * (looks - 1))
    assert sensed.late == Late(count=10 * (looks - 1), mean_ns=mean_ns, p50_ns=few, p99_ns=few)


def test_a_sensor_that_would_disturb_is_asked_only_before_and_after() -> None:
    sensor = Counting(Cadence(None, None))
    with Sampling(sensor, None) as sampling:
        time.sleep(0.02)
    sensed = sampling.sensed(runtime_ns=NS_PER_S, offset_ns=NS_PER_MS)
    assert sensor.asked == ["read", "read"]
    assert sensed.series.time_ns.tolist() == [0, NS_PER_S]
    assert sensed.series.temperature_c.tolist() == [1.0, 2.0]


def test_a_target_without_sensors_says_nothing_with_the_reason() -> None:
    sensor = NoSensor(verbatim("a file has none"))
    assert sensor.read() == sensor.glance() == nothing_known(Unknown(verbatim("a file has none")))
    assert not series_of([Sample(0, sensor.read())]).says_anything


def test_the_words_of_a_virtual_drive_are_read() -> None:
    said = b'{"heat":null,"used_percent":3,"host_read_bytes":1,"host_written_bytes":2,"media_written_bytes":5,"flushes":6,"forced_writes":7}'
    reading = read_virtual(said)
    assert (reading.used_percent, reading.host_written_bytes, reading.media_written_bytes) == (3, 2, 5)
    assert (reading.flushes, reading.forced_writes) == (6, 7)
