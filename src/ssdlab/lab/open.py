"""From what the user typed to an open drive and the engine that measures it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import Drive
from ssdlab.drive.block import BlockDevice, Stakes, stakes
from ssdlab.drive.file import FileDrive
from ssdlab.drive.identity import DriveIdentity
from ssdlab.drive.model import ModelDrive
from ssdlab.drive.nbd import NbdDrive
from ssdlab.drive.sense import NoSensor, Sensor
from ssdlab.drive.sense_block import BlockSensor
from ssdlab.drive.sense_virtual import ModelSensor, VirtualSensor
from ssdlab.drive.target import BlockTarget, FileTarget, ModelTarget, NbdTarget, VirtualTarget, parse_target
from ssdlab.drive.tune import TunedHost, left_alone, tuned
from ssdlab.drive.virtual import VirtualDrive, spec_identity, spec_seed
from ssdlab.engine.base import Engine
from ssdlab.engine.fio import FioEngine, StallLimit
from ssdlab.engine.fio_binary import find_fio
from ssdlab.engine.model import ModelEngine
from ssdlab.lab.awake import awake
from ssdlab.unknown import Unknown

NO_BLOCK_DEVICE = Unknown("the target is no block device of this host")

_NO_SENSOR = NoSensor("no sensor of the drive was asked")


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
def open_bench(text: str, erase: str | None = None, stall_limit: StallLimit | None = None) -> Iterator[Bench]:
    """Open the target and its engine; the drive is let go of at the end.

    Raises:
        SsdlabError: The target is unknown, refuses or may not be touched, or fio cannot be used.
    """
    target = parse_target(text)
    if isinstance(target, ModelTarget):
        with closing(ModelDrive(text, target.spec)) as model:
            yield Bench(model, ModelEngine(model), spec_seed(target.spec), ModelSensor(model))
        return
    fio = find_fio()
    default_seed = spec_seed(target.spec) if isinstance(target, VirtualTarget) else None
    with (
        closing(_real_time_drive(text, target, erase)) as drive,
        _host(drive) as host,
        awake(),
        _sensor_of(drive) as sensor,
    ):
        yield Bench(drive, FioEngine(fio, drive, stall_limit, sensor), default_seed, sensor, host)


def _host(drive: Drive) -> AbstractContextManager[TunedHost]:
    """Only a drive of one's own is worth changing the host for; it is held by now, so its name stays."""
    if isinstance(drive, BlockDevice):
        return tuned(drive.name)
    return nullcontext(left_alone(NO_BLOCK_DEVICE))


def _real_time_drive(
    text: str, target: VirtualTarget | FileTarget | NbdTarget | BlockTarget, erase: str | None
) -> Drive:
    match target:
        case VirtualTarget():
            return VirtualDrive(text, target.spec)
        case FileTarget():
            return FileDrive(text, target)
        case NbdTarget():
            return NbdDrive(text, target, erase)
        case BlockTarget():
            return BlockDevice(text, target, erase)


def _sensor_of(drive: Drive) -> AbstractContextManager[Sensor]:
    match drive:
        case VirtualDrive():
            return nullcontext(VirtualSensor(drive))
        case BlockDevice():
            return closing(BlockSensor(Path(drive.address.location).name))
        case FileDrive():
            return nullcontext(NoSensor("a file does not tell which drive is below it"))
        case _:
            return nullcontext(NoSensor("an NBD export has no sensor"))


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
