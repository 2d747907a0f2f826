"""From what the user typed to an open drive and the engine that measures it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import Drive
from ssdlab.drive.identity import DriveIdentity
from ssdlab.drive.kinds.block import BlockDevice, Stakes, stakes
from ssdlab.drive.kinds.file import FileDrive
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.kinds.virtual import VirtualDrive, spec_identity, spec_seed
from ssdlab.drive.kinds.virtual_sensor import ModelSensor, VirtualSensor
from ssdlab.drive.sense.block import BlockSensor
from ssdlab.drive.sense.reading import NoSensor, Sensor
from ssdlab.drive.target import BlockTarget, FileTarget, ModelTarget, NbdTarget, VirtualTarget, parse_target
from ssdlab.engine.base import Engine, EngineError
from ssdlab.engine.fio.binary import FioBinary, find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.load_and_fio import LoadAndFio
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.real_time import StallLimit
from ssdlab.host.tune import TunedHost, left_alone, tuned
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.job import EngineName
from ssdlab.lab.awake import awake
from ssdlab.message import message
from ssdlab.unknown import Unknown

NO_BLOCK_DEVICE = Unknown(message("unknown-target-no-block-device"))

_RealTimeDrive = VirtualDrive | FileDrive | NbdDrive | BlockDevice
"""What is measured in real time."""

_NO_SENSOR = NoSensor(message("unknown-sensor-not-asked"))


@dataclass(frozen=True, slots=True)
class Bench:
    """A drive on the bench, and what measures it."""

    drive: Drive
    engine: Engine
    default_seed: int | None
    """Seed of runs that name none: a virtual drive brings its own, so that a run on it can be repeated exactly."""
    sensor: Sensor = _NO_SENSOR
    """What tells of the drive's health; the engine asks it too."""
    host: TunedHost | None = None
    """What of the host was set for the drive; None where the engine needs none."""


@contextmanager
def open_bench(
    text: str,
    erase: str | None = None,
    stall_limit: StallLimit | None = None,
    engine: EngineName = EngineName.FIO,
    beside: EngineName | None = None,
) -> Iterator[Bench]:
    """Open the target and its engine, for a drive model its own; the drive is let go of at the end.

    Args:
        text: The target, as the user typed it.
        erase: What the user named to be erased.
        stall_limit: How long the drive may stand still.
        engine: What does the I/O.
        beside: What does the jobs that it cannot.

    Raises:
        SsdlabError: The target is unknown, refuses or may not be touched, or the engine cannot be used.
    """
    target = parse_target(text)
    if isinstance(target, ModelTarget):
        with closing(ModelDrive(text, target.spec)) as model:
            yield Bench(model, ModelEngine(model), spec_seed(target.spec), ModelSensor(model))
        return
    fio = find_fio() if EngineName.FIO in (engine, beside) else None
    default_seed = spec_seed(target.spec) if isinstance(target, VirtualTarget) else None
    with (
        _held(text, target, erase) as drive,
        _host(drive) as host,
        awake(),
        _sensor_of(drive) as sensor,
    ):
        yield Bench(drive, _engine(engine, fio, drive, stall_limit, sensor), default_seed, sensor, host)


def _engine(
    engine: EngineName, fio: FioBinary | None, drive: _RealTimeDrive, stall_limit: StallLimit | None, sensor: Sensor
) -> Engine:
    """Given a fio it is one that does jobs of fio, alone or beside the load engine."""
    if fio is None:
        return LoadEngine(drive, stall_limit, sensor)
    kind = FioEngine if engine is EngineName.FIO else LoadAndFio
    return kind(fio, drive, stall_limit, sensor)


def require_real_time(text: str, engine: EngineName) -> None:
    """Make sure that an engine that was asked for can be used on the target.

    Raises:
        EngineError: It is a drive model.
        SsdlabError: There is no such target.
    """
    if isinstance(parse_target(text), ModelTarget):
        raise EngineError(message("lab-engine-virtual-time", engine=engine.value))


def _host(drive: Drive) -> AbstractContextManager[TunedHost]:
    """Only a drive of one's own is worth changing the host for; it is held by now, so its name stays."""
    if isinstance(drive, BlockDevice):
        return tuned(drive.name)
    return nullcontext(left_alone(NO_BLOCK_DEVICE))


@contextmanager
def _held(
    text: str, target: VirtualTarget | FileTarget | NbdTarget | BlockTarget, erase: str | None
) -> Iterator[_RealTimeDrive]:
    """The drive, let go of at the end, whenever a signal comes: no server and no directory of it stays behind."""
    drive: _RealTimeDrive | None = None
    try:
        # Opening what was there before may take longer, and leaves nothing.
        with uninterrupted() if isinstance(target, VirtualTarget) else nullcontext():
            drive = _real_time_drive(text, target, erase)
        yield drive
    finally:
        if drive is not None:
            with uninterrupted():
                drive.close()


def _real_time_drive(
    text: str, target: VirtualTarget | FileTarget | NbdTarget | BlockTarget, erase: str | None
) -> _RealTimeDrive:
    match target:
        case VirtualTarget():
            return VirtualDrive(text, target.spec)
        case FileTarget():
            return FileDrive(text, target)
        case NbdTarget():
            return NbdDrive(text, target, erase)
        case BlockTarget():
            return BlockDevice(text, target, erase)


def _sensor_of(drive: _RealTimeDrive) -> AbstractContextManager[Sensor]:
    match drive:
        case VirtualDrive():
            return nullcontext(VirtualSensor(drive))
        case BlockDevice():
            return closing(BlockSensor(Path(drive.address.location).name))
        case FileDrive():
            return nullcontext(NoSensor(message("unknown-below-file")))
        case NbdDrive():
            return nullcontext(NoSensor(message("unknown-nbd-no-sensor")))


def at_stake(text: str) -> Stakes | None:
    """What a run would destroy on a block device; None for every other kind of target.

    Raises:
        SsdlabError: The target is unknown, or something forbids testing it.
    """
    target = parse_target(text)
    return stakes(target) if isinstance(target, BlockTarget) else None


def identify(text: str) -> DriveIdentity:
    """What the target says it is, without touching it: for plans.

    Raises:
        SsdlabError: The target is unknown or does not answer.
    """
    target = parse_target(text)
    match target:
        case VirtualTarget() | ModelTarget():
            return spec_identity(text, target.spec)
        case FileTarget():
            return FileDrive.foreseen(text, target)
        case NbdTarget():
            return NbdDrive.foreseen(text, target)
        case BlockTarget():
            return BlockDevice.foreseen(text, target)
