"""The bench: the runs that go on, and this host's drives. Drives are looked at in sysfs alone: a command to one would disturb it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.live import LivePoint, is_being_written, last_point
from ssdlab.bundle.model import Step
from ssdlab.drive.block.node import marks_in
from ssdlab.drive.block.sysfs import SYSFS, device_path, drive_names
from ssdlab.lab.time_left import left_ns
from ssdlab.message import Message, commas, listed, size_decimal
from ssdlab.unknown import Unknown
from ssdlab.web.phases import RunState, RunStates


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningRun:
    """A run that some process writes."""

    name: str
    state: RunState
    point: LivePoint | None

    @property
    def share_done(self) -> float | None:
        """Of the step that goes on."""
        return self.point.share_done if self._is_of_step and self.point is not None else None

    @property
    def bandwidth_bytes_per_s(self) -> float | None:
        """Now."""
        return self.point.bandwidth_bytes_per_s if self._is_of_step and self.point is not None else None

    @property
    def temperature_c(self) -> float | None:
        """What the drive's sensor said last."""
        return None if self.point is None else self.point.temperature_c

    @property
    def step(self) -> Step | None:
        """That goes on."""
        return self.state.current

    @property
    def left_ns(self) -> float | None:
        """Of the step that goes on."""
        step, share = self.step, self.share_done
        if step is None or share is None or self.point is None:
            return None
        elapsed_ns = self.point.clock_ns - (step.started_ns or 0)
        return left_ns(step, share, self.bandwidth_bytes_per_s, elapsed_ns)

    @property
    def _is_of_step(self) -> bool:
        return self.point is not None and self.step is not None and self.point.step == self.step.index


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchDrive:
    """A drive of this host, as sysfs has it.

    Attributes:
        run: Name of the run that measures it; None where none does.
    """

    path: str
    model: str
    serial: str | Unknown
    capacity_bytes: int
    run: str | None

    @property
    def capacity(self) -> Message:
        """As on its label."""
        return listed(commas(size_decimal(self.capacity_bytes)))


def running(lab: Path, states: RunStates) -> list[RunningRun]:
    """All that go on, the newest first."""
    found = []
    for path in sorted((lab / "runs").glob(f"*/{layout.LIVE}"), reverse=True):
        if is_being_written(path.parent):
            try:
                found.append(running_run(path.parent, states))
            except (BundleError, OSError):
                # It has not written its plan yet, or went away meanwhile.
                continue
    return found


def running_run(path: Path, states: RunStates) -> RunningRun:
    """One of them. Raises BundleError or OSError where it cannot be read."""
    return RunningRun(name=path.name, state=states.of(path), point=last_point(path))


def drives(runs: Sequence[RunningRun], sysfs: Path = SYSFS) -> list[BenchDrive]:
    """This host's drives, and which of the runs measures each."""
    found = []
    for name in drive_names():
        directory = (sysfs / "block" / name).resolve()
        try:
            marks = marks_in(directory)
        except (OSError, ValueError):
            continue
        path = str(device_path(name))
        found.append(
            BenchDrive(
                path=path,
                model=_text(directory / "device/model"),
                serial=marks.serial,
                capacity_bytes=marks.size_bytes,
                run=next((one.name for one in runs if _is_on(one, path, marks.serial)), None),
            )
        )
    return found


def _is_on(run: RunningRun, path: str, serial: str | Unknown) -> bool:
    drive = run.state.bundle.run.drive
    if isinstance(drive.block, Unknown):
        return False
    if isinstance(serial, str) and isinstance(drive.serial, str):
        return serial == drive.serial
    return drive.target == path


def _text(path: Path) -> str:
    try:
        return " ".join(path.read_text(errors="replace").split())
    except OSError:
        return ""
