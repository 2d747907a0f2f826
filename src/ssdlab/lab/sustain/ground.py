"""From what the user typed to ground that can be written over: a directory, or a drive as for any other run."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ssdlab import _core
from ssdlab.drive.access import Drive, DriveError, IoPath
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.kinds.mounted import identity_of_files, mount_point
from ssdlab.drive.kinds.own_files import PART_BYTES, Keep, OwnFiles
from ssdlab.drive.nbd_uri import read_nbd_uri
from ssdlab.drive.sense.reading import NoSensor
from ssdlab.drive.target import require_plain
from ssdlab.drive.tool import ask
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import RawResult
from ssdlab.engine.sustain.bad_data import Verified
from ssdlab.engine.sustain.writer import Content, ModelPasses, Passes, PassListener, RealPasses, real_name
from ssdlab.job import DriveState, Job
from ssdlab.lab.awake import awake
from ssdlab.lab.bench import Bench, at_stake, identify, open_bench
from ssdlab.lab.run import new_seed
from ssdlab.lab.sustain.retention import another_tag
from ssdlab.message import Message, message, size, verbatim
from ssdlab.method.sustain import SustainSettings, Work, length_of
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_FSTRIM_LIMIT_S = 3600

NO_SENSOR = NoSensor(message("unknown-below-directory"))
"""Of a directory, which does not tell what is below it."""


class Before(Enum):
    """What becomes of the blocks before the first pass."""

    AS_IT_IS = "as it is"
    TRIM = "trim"


@dataclass(frozen=True, slots=True)
class SustainTarget:
    """What is written to, and what can be asked of it.

    Attributes:
        length_bytes: Of a pass.
        seed: Of the run; data without a tag follows from it.
        anew: Makes room for the next pass; called before each.
        trim: Gives all blocks back before the first pass, and says how; None if nobody asked.
        rest: Lets the drive idle for so many nanoseconds.
        check: Makes sure that it is still the same drive.
        found: What was done away with when it was opened; None where there was nothing.
        bench: The drive, with its host and sensors; None of a directory, which does not tell what is below it.
        place: The directory; None of a drive.
    """

    identity: DriveIdentity
    spec_text: str | None
    passes: Passes
    length_bytes: int
    seed: int
    state: DriveState
    now_ns: Callable[[], int]
    anew: Callable[[], None]
    trim: Callable[[], Message] | None
    rest: Callable[[int], None]
    check: Callable[[], None]
    found: Message | None
    bench: Bench | None
    place: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which ground, and how it is prepared and left."""

    target: str
    erase: str | None
    before: Before
    keep: Keep


@contextmanager
def open_ground(choice: Choice, settings: SustainSettings) -> Iterator[SustainTarget]:
    """Open it; what was made in a directory is removed at the end.

    Raises:
        SsdlabError: The target is unknown, refuses or may not be touched, or has no room.
    """
    directory = directory_of(choice.target)
    if directory is None:
        with _drive_ground(choice, settings) as ground:
            yield ground
        return
    files, passes = _files(directory, choice, settings), list[RealPasses]()
    try:
        with awake():
            yield _file_ground(choice, settings, files, passes)
    except BaseException:
        # What went wrong first is what matters.
        with suppress(DriveError):
            _close(files, passes)
        raise
    _close(files, passes)


def _close(files: OwnFiles, passes: list[RealPasses]) -> None:
    # File systems in user space keep a file, and with it its directory, as long as it is open.
    passes.clear()
    files.close()


def room_of(target: str, settings: SustainSettings) -> int:
    """Bytes there are to be gone over, found without touching anything.

    Raises:
        SsdlabError: The target is unknown, or there is nothing to read again.
    """
    directory = directory_of(target)
    if directory is None:
        return identify(target).capacity_bytes
    if settings.work is Work.READ_AGAIN and settings.tag is not None:
        with closing(OwnFiles.left(directory, settings.tag)) as files:
            return files.length_bytes
    return shutil.disk_usage(directory).free


def directory_of(target: str) -> Path | None:
    """The directory that a target names; None of a drive.

    Raises:
        DriveError: It names a file, or has characters that no target may have.
    """
    require_plain(target)
    path = Path(target.removeprefix("file:").partition("?")[0])
    if path.is_dir():
        return path
    if target.startswith("file:"):
        raise DriveError(message("drive-no-directory", path=str(path)), message("lab-sustain-directory"))
    return None


def _files(directory: Path, choice: Choice, settings: SustainSettings) -> OwnFiles:
    if settings.work is Work.READ_AGAIN and settings.tag is not None:
        return OwnFiles.left(directory, settings.tag)
    keep = Keep.KEEP if settings.work is Work.WRITE_AND_LEAVE else choice.keep
    return OwnFiles(directory, keep, settings.tag)


def _file_ground(choice: Choice, settings: SustainSettings, files: OwnFiles, passes: list[RealPasses]) -> SustainTarget:
    again = settings.work is Work.READ_AGAIN
    length_bytes = length_of(settings, files.length_bytes if again else files.free_bytes())
    seed = _seed(settings, None)

    def opened() -> RealPasses:
        return RealPasses(_opened(files), _content(settings, seed), settings.record_bytes, NO_SENSOR)

    def anew() -> None:
        _check_place(files)
        # Files that are still open would keep their room.
        passes.clear()
        files.grow_to(length_bytes)
        passes[:] = [opened()]

    if again:
        passes[:] = [opened()]
    return SustainTarget(
        identity=identity_of_files(
            choice.target,
            files.place,
            length_bytes,
            message("drive-described-files", size=size(length_bytes)),
            message("drive-file-system-trims"),
        ),
        spec_text=None,
        passes=_Newest(passes),
        length_bytes=length_bytes,
        seed=seed,
        state=DriveState.UNKNOWN,
        now_ns=_clock(),
        anew=anew,
        trim=(lambda: _fstrim(files.place)) if choice.before is Before.TRIM else None,
        rest=_sleep,
        check=lambda: _check_place(files),
        found=files.found,
        bench=None,
        place=files.place,
    )


class _Newest:
    """The files of a directory are others in each pass."""

    def __init__(self, passes: list[RealPasses]) -> None:
        self._passes = passes

    @property
    def name(self) -> str:
        """Engine and version."""
        return real_name()

    def shape(self, job: Job) -> Job:
        """See `Passes.shape`."""
        return job

    def write(self, job: Job, number: int, directory: Path, listener: PassListener) -> RawResult:
        """See `Passes.write`."""
        return self._passes[-1].write(job, number, directory, listener)

    def read(
        self, job: Job, number: int, directory: Path, listener: PassListener
    ) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        return self._passes[-1].read(job, number, directory, listener)


def _opened(files: OwnFiles) -> _core.SustainMedium:
    try:
        return _core.SustainMedium.files(files.parts, PART_BYTES)
    except OSError as error:
        raise DriveError(
            message("lab-not-direct", path=str(files.path), error=error.strerror or str(error)),
            message("lab-hint-direct"),
        ) from error


def _fstrim(place: Path) -> Message:
    said = ask("fstrim", "-v", str(mount_point(place)), limit_s=_FSTRIM_LIMIT_S)
    if isinstance(said, Unknown):
        raise DriveError(message("lab-no-fstrim", why=said.reason), message("lab-hint-no-trim"))
    if said.status:
        raise DriveError(message("lab-no-fstrim", why=said.complaint), message("lab-hint-no-trim"))
    return verbatim(said.text.strip())


def _check_place(files: OwnFiles) -> None:
    if not files.path.is_dir():
        raise DriveError(message("lab-place-gone", path=str(files.path)), message("lab-hint-place-gone"))


@contextmanager
def _drive_ground(choice: Choice, settings: SustainSettings) -> Iterator[SustainTarget]:
    with open_bench(choice.target, _named(choice, settings)) as bench:
        drive, engine = bench.drive, bench.engine
        length_bytes = length_of(settings, drive.identity.capacity_bytes)
        seed = _seed(settings, bench.default_seed)
        passes: Passes = (
            ModelPasses(engine)
            if isinstance(engine, ModelEngine)
            else RealPasses(_medium(drive), _content(settings, seed), settings.record_bytes, bench.sensor)
        )
        if settings.work is Work.WRITE_AND_LEAVE and isinstance(passes, RealPasses) and passes.holds_data(length_bytes):
            raise DriveError(
                message("lab-holds-tag", target=choice.target, tag=str(settings.tag)),
                another_tag(settings),
            )
        fresh = drive.identity.memory is Memory.FORGETS or choice.before is Before.TRIM
        yield SustainTarget(
            identity=drive.identity,
            spec_text=drive.spec_text,
            passes=passes,
            length_bytes=length_bytes,
            seed=seed,
            state=DriveState.FOB if fresh and drive.identity.purge_leaves is Freshness.FRESH else DriveState.UNKNOWN,
            now_ns=engine.now_ns,
            anew=lambda: None,
            trim=(lambda: drive.purge().method) if choice.before is Before.TRIM else None,
            rest=lambda duration_ns: engine.rest(duration_ns, lambda _: None),
            check=drive.check,
            found=None,
            bench=bench,
            place=None,
        )


def _named(choice: Choice, settings: SustainSettings) -> str | None:
    """What the user agrees to lose; where nothing is written nothing is lost, and the drive need not be named twice."""
    if settings.work is not Work.READ_AGAIN or choice.erase is not None:
        return choice.erase
    at_risk = at_stake(choice.target)
    if at_risk is not None:
        return at_risk.name.text
    serial = identify(choice.target).serial
    return serial if isinstance(serial, str) else None


def _medium(drive: Drive) -> _core.SustainMedium:
    address = drive.address
    try:
        if address.io_path is IoPath.NBD:
            return _core.SustainMedium.nbd(*read_nbd_uri(address.location))
        return _core.SustainMedium.device(Path(address.location))
    except OSError as error:
        shut = message("lab-not-opened", path=address.location, error=error.strerror or str(error))
        raise DriveError(shut) from error


def _seed(settings: SustainSettings, default: int | None) -> int:
    return next(one for one in (settings.seed, default, new_seed()) if one is not None)


_UNTAGGED_SEED = 0x5D1A_B5EE
"""Of all data without a tag: what a run finds of another one is known to be ssdlab's, and so to be stale."""


def _content(settings: SustainSettings, seed: int) -> Content:
    """Data with a tag follows from the tag alone; other data is that of generations that no other run has."""
    return Content(_UNTAGGED_SEED, seed) if settings.tag is None else Content(seed, 0)


def _clock() -> Callable[[], int]:
    began_ns = time.monotonic_ns()
    return lambda: time.monotonic_ns() - began_ns


def _sleep(duration_ns: int) -> None:
    time.sleep(duration_ns / NS_PER_S)
