"""From what the user typed to ground that can be written over: a directory, or a drive as for any other run."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from ssdlab import _core
from ssdlab.drive.access import Drive, DriveError, IoPath
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.own_files import PART_BYTES, Keep, OwnFiles
from ssdlab.drive.tool import ask
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import RawResult
from ssdlab.engine.sustain import ModelPasses, Passes, RealPasses, Told, Verified, real_name
from ssdlab.job import DriveState, Job
from ssdlab.lab.open import open_bench
from ssdlab.lab.run import new_seed
from ssdlab.lab.sustain import Ground
from ssdlab.method.sustain import Wish, Work, length_of
from ssdlab.units import NS_PER_S, format_bytes
from ssdlab.unknown import Unknown

_FSTRIM_LIMIT_S = 3600


class Before(Enum):
    """What becomes of the blocks before the first pass."""

    AS_IT_IS = "as it is"
    TRIM = "trim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which ground, and how it is prepared and left."""

    target: str
    erase: str | None
    before: Before
    keep: Keep


@contextmanager
def open_ground(choice: Choice, wish: Wish) -> Iterator[Ground]:
    """Open it; what was made in a directory is removed at the end.

    Raises:
        SsdlabError: The target is unknown, refuses or may not be touched, or has no room.
    """
    directory = _directory(choice.target)
    if directory is None:
        with _drive_ground(choice, wish) as ground:
            yield ground
        return
    passes: list[RealPasses] = []
    with closing(_files(directory, choice, wish)) as files:
        try:
            yield _file_ground(choice, wish, files, passes)
        finally:
            # File systems in user space keep a file, and with it its directory, as long as it is open.
            passes.clear()


def _directory(target: str) -> Path | None:
    path = Path(target.removeprefix("file:").partition("?")[0])
    if path.is_dir():
        return path
    if target.startswith("file:"):
        raise DriveError(f"`{path}` is no directory", "a sustained write makes files of its own in a directory")
    return None


def _files(directory: Path, choice: Choice, wish: Wish) -> OwnFiles:
    if wish.work is Work.READ_AGAIN and wish.tag is not None:
        return OwnFiles.left(directory, wish.tag)
    keep = Keep.KEEP if wish.work is Work.WRITE_AND_LEAVE else choice.keep
    return OwnFiles(directory, keep, wish.tag)


def _file_ground(choice: Choice, wish: Wish, files: OwnFiles, passes: list[RealPasses]) -> Ground:
    again = wish.work is Work.READ_AGAIN
    length_bytes = length_of(wish, files.length_bytes if again else files.free_bytes())

    def anew() -> None:
        # Files that are still open would keep their room.
        passes.clear()
        files.grow_to(length_bytes)
        passes[:] = [RealPasses(_opened(files), wish.record_bytes)]

    if again:
        passes[:] = [RealPasses(_opened(files), wish.record_bytes)]
    return Ground(
        identity=_identity(choice.target, files, length_bytes),
        spec_text=None,
        passes=_Newest(passes),
        length_bytes=length_bytes,
        seed=_seed(wish, None),
        state=DriveState.UNKNOWN,
        now_ns=_clock(),
        anew=anew,
        trim=(lambda: _fstrim(files.place)) if choice.before is Before.TRIM else None,
        rest=_sleep,
        check=lambda: _check_place(files),
        found=files.found,
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

    def write(self, job: Job, generation: int, directory: Path, told: Told) -> RawResult:
        """See `Passes.write`."""
        return self._passes[-1].write(job, generation, directory, told)

    def read(self, job: Job, generation: int, directory: Path, told: Told) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        return self._passes[-1].read(job, generation, directory, told)


def _opened(files: OwnFiles) -> _core.SustainMedium:
    try:
        return _core.SustainMedium.files(files.parts, PART_BYTES)
    except OSError as error:
        raise DriveError(
            f"`{files.path}` cannot be written past the host's cache: {error.strerror or error}",
            "the file system must offer direct I/O (O_DIRECT); name another, or the drive itself",
        ) from error


def _identity(target: str, files: OwnFiles, length_bytes: int) -> DriveIdentity:
    unknown = Unknown("a directory does not tell which drive is below it")
    return DriveIdentity(
        target=target,
        model=unknown,
        serial=unknown,
        firmware=unknown,
        capacity_bytes=length_bytes,
        logical_block_bytes=os.statvfs(files.place).f_frsize,
        indirection_unit_bytes=unknown,
        description=f"files of {format_bytes(length_bytes)} in a directory of a mounted file system",
        purge_leaves=Freshness.UNPROVEN,
        memory=Memory.FORGETS,
        cannot_trim="a file system decides what of it is trimmed",
    )


def _fstrim(place: Path) -> str:
    said = ask("fstrim", "-v", str(_mount_point(place)), limit_s=_FSTRIM_LIMIT_S)
    if isinstance(said, Unknown):
        raise DriveError(f"the file system cannot be trimmed: {said.unknown}", "leave `--trim` out")
    if said.status:
        raise DriveError(f"the file system cannot be trimmed: {said.complaint}", "leave `--trim` out")
    return said.text.strip()


def _mount_point(path: Path) -> Path:
    while not path.is_mount():
        path = path.parent
    return path


def _check_place(files: OwnFiles) -> None:
    if not files.path.is_dir():
        raise DriveError(f"`{files.path}` is gone", "was the file system unmounted or the drive taken out?")


@contextmanager
def _drive_ground(choice: Choice, wish: Wish) -> Iterator[Ground]:
    with open_bench(choice.target, choice.erase) as bench:
        drive, engine = bench.drive, bench.engine
        length_bytes = length_of(wish, drive.identity.capacity_bytes)
        passes: Passes = (
            ModelPasses(engine) if isinstance(engine, ModelEngine) else RealPasses(_medium(drive), wish.record_bytes)
        )
        fresh = drive.identity.memory is Memory.FORGETS or choice.before is Before.TRIM
        yield Ground(
            identity=drive.identity,
            spec_text=drive.spec_text,
            passes=passes,
            length_bytes=length_bytes,
            seed=_seed(wish, bench.default_seed),
            state=DriveState.FOB if fresh and drive.identity.purge_leaves is Freshness.FRESH else DriveState.UNKNOWN,
            now_ns=engine.now_ns,
            anew=lambda: None,
            trim=(lambda: drive.purge().method) if choice.before is Before.TRIM else None,
            rest=lambda duration_ns: engine.rest(duration_ns, lambda _: None),
            check=drive.check,
            found=None,
        )


def _medium(drive: Drive) -> _core.SustainMedium:
    address = drive.address
    try:
        if address.io_path is IoPath.NBD:
            parts = urlsplit(address.location)
            socket = Path(dict(parse_qsl(parts.query))["socket"])
            return _core.SustainMedium.nbd(socket, parts.path.removeprefix("/"))
        return _core.SustainMedium.device(Path(address.location))
    except OSError as error:
        raise DriveError(f"`{address.location}` cannot be opened: {error.strerror or error}") from error


def _seed(wish: Wish, default: int | None) -> int:
    return next(one for one in (wish.seed, default, new_seed()) if one is not None)


def _clock() -> Callable[[], int]:
    began_ns = time.monotonic_ns()
    return lambda: time.monotonic_ns() - began_ns


def _sleep(duration_ns: int) -> None:
    time.sleep(duration_ns / NS_PER_S)
