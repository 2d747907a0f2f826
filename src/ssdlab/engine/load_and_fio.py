"""The load engine, and fio for the jobs that it cannot do, such as those of a search: one run on one clock."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ssdlab.drive.access import Drive
from ssdlab.drive.sense.reading import Sensor
from ssdlab.engine.base import Judge, Watch
from ssdlab.engine.fio.binary import FioBinary
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.real_time import StallLimit
from ssdlab.engine.result import RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.job import Job
from ssdlab.unknown import Unknown


class LoadAndFio(LoadEngine):
    """Each result names the engine that it is of."""

    def __init__(
        self, fio: FioBinary, drive: Drive, stall_limit: StallLimit | None = None, sensor: Sensor | None = None
    ) -> None:
        """See `FioEngine`."""
        super().__init__(drive, stall_limit, sensor)
        self._fio = FioEngine(fio, drive, stall_limit, sensor)
        self._before_fio_ns = self.now_ns() - self._fio.now_ns()
        """Since this clock began and before that of fio did."""

    @property
    def name(self) -> str:
        """Such as `load-0.1.0, fio-3.33`."""
        return f"{self.own_name}, {self._fio.name}"

    def require(self, jobs: Iterable[Job]) -> None:
        """See `Selective.require`: what one cannot the other can."""

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """See `Engine.run`; raises what either raises."""
        if not any(self._hindrances(job)):
            return super().run(job, directory, watch, judge, heed)
        self._end_chain()
        result = self._fio.run(job, directory, watch, judge, heed)
        if isinstance(result.began_ns, Unknown):
            return result
        return replace(result, began_ns=result.began_ns + self._before_fio_ns)
