"""Taking the snapshot that `guard` judges: sysfs, /proc and blkid are read, no device is opened for writing."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ssdlab.drive.block_facts import (
    Access,
    Claim,
    DeviceNumber,
    Holder,
    HolderKind,
    LoopUse,
    Mount,
    Node,
    Signature,
    Snapshot,
    Swap,
)
from ssdlab.drive.tool import Answer, ask
from ssdlab.unknown import Unknown

SYSFS = Path("/sys")
PROC = Path("/proc")
SECTOR_BYTES = 512
"""Unit of `size` in sysfs, whatever the logical block is."""
_SYSTEM_PLACES = frozenset({"/", "/boot", "/boot/efi", "/efi", "/usr"})


def drive_names() -> tuple[str, ...]:
    """Every whole block device that has a size and is shown to users."""
    names = sorted(path.name for path in (SYSFS / "block").iterdir())
    return tuple(name for name in names if _read(_block(name) / "hidden") != "1" and _size_bytes(_block(name)) > 0)


def take_snapshot(name: str) -> Snapshot:
    """All facts about one whole drive, by its name in /sys/block.

    Raises:
        OSError: There is no such drive, or it went away meanwhile.
    """
    return _snapshot(name, _claim, _signature)


def take_snapshot_while_held(name: str) -> Snapshot:
    """What may change about a drive that ssdlab itself holds; nothing is read from it, which would end its rest.

    Raises:
        OSError: It went away.
    """
    ours = Unknown("ssdlab itself holds it")
    own_content = Unknown("what is on it is the run's own by now")
    return _snapshot(name, lambda _: ours, lambda _: own_content)


def _snapshot(
    name: str,
    claim_of: Callable[[Path], Claim | Unknown],
    signature_of: Callable[[Path], Signature | Unknown | None],
) -> Snapshot:
    directory = _block(name)
    parts = sorted(path.parent for path in directory.glob("*/partition"))
    nodes = [_node(path, signature_of) for path in (directory, *parts)]
    mounts = _mounts()
    return Snapshot(
        drive=nodes[0],
        partitions=tuple(nodes[1:]),
        mounts=mounts,
        swaps=_swaps(),
        loops=tuple(_loop_uses(name, frozenset(node.number for node in nodes))),
        claim=claim_of(device_path(name)),
        system=_system(mounts),
    )


def device_path(name: str) -> Path:
    """Device file of a name in sysfs, which writes `!` for `/`."""
    return Path("/dev") / name.replace("!", "/")


def _block(name: str) -> Path:
    return SYSFS / "block" / name


def _read(path: Path) -> str | None:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


def _size_bytes(directory: Path) -> int:
    return int(_read(directory / "size") or "0") * SECTOR_BYTES


def _node(directory: Path, signature_of: Callable[[Path], Signature | Unknown | None]) -> Node:
    return Node(
        name=directory.name,
        number=DeviceNumber((directory / "dev").read_text().strip()),
        size_bytes=_size_bytes(directory),
        access=Access.READ_ONLY if (directory / "ro").read_text().strip() == "1" else Access.READ_WRITE,
        holders=tuple(_holder(path.name) for path in sorted((directory / "holders").iterdir())),
        signature=signature_of(device_path(directory.name)),
    )


def _holder(name: str) -> Holder:
    uuid = _read(SYSFS / "class" / "block" / name / "dm" / "uuid")
    if uuid is not None:
        kinds = {"LVM": HolderKind.LVM, "CRYPT": HolderKind.LUKS, "mpath": HolderKind.MULTIPATH}
        return Holder(name, kinds.get(uuid.partition("-")[0], HolderKind.DEVICE_MAPPER))
    for prefix, kind in (("dm-", HolderKind.DEVICE_MAPPER), ("md", HolderKind.MD), ("bcache", HolderKind.BCACHE)):
        if name.startswith(prefix):
            return Holder(name, kind)
    return Holder(name, HolderKind.OTHER)


def _signature(path: Path) -> Signature | Unknown | None:
    answer = ask("blkid", "-p", "-o", "export", str(path))
    return answer if isinstance(answer, Unknown) else read_blkid(answer)


def read_blkid(answer: Answer) -> Signature | Unknown | None:
    """What `blkid -p -o export` says, by its exit status (blkid(8), RETURN CODE)."""
    if answer.status == 8:
        return Unknown("`blkid` finds signatures that contradict each other")
    if answer.complaint or answer.status not in {0, 2}:
        return Unknown(f"`blkid` cannot read it: {answer.complaint or f'status {answer.status}'}")
    if answer.status == 2:
        return None
    values = dict(line.split("=", 1) for line in answer.text.splitlines() if "=" in line)
    content, table = values.get("TYPE"), values.get("PTTYPE")
    # A partition without content is described too, by its entry in the table.
    return None if content is None and table is None else Signature(content, table, values.get("LABEL"))


def _mounts() -> tuple[Mount, ...]:
    """Mounts of our mount namespace and of those of every process that we may look into."""
    seen = {(PROC / "self/ns/mnt").stat().st_ino}
    found = list(_mounts_of(PROC / "self", None))
    for process in sorted(path for path in PROC.iterdir() if path.name.isdecimal()):
        # Processes end while we look, and some show their mounts to nobody.
        with suppress(OSError):
            namespace = (process / "ns/mnt").stat().st_ino
            if namespace not in seen:
                owner = f"process {process.name} (`{(process / 'comm').read_text().strip()}`)"
                found += _mounts_of(process, owner)
                seen.add(namespace)
    return tuple(found)


def _mounts_of(process: Path, owner: str | None) -> Iterator[Mount]:
    for line in (process / "mountinfo").read_text(errors="replace").splitlines():
        yield from read_mount(line, owner)


def read_mount(line: str, owner: str | None) -> Iterator[Mount]:
    """The devices of a line of mountinfo (proc(5)): that of the file system, and that of its source.

    btrfs and ZFS have a number of their own making, so their source is looked up.
    """
    fields, _, rest = line.partition(" - ")
    _, _, number, _, place, *_ = fields.split()
    source = rest.split()[1] if len(rest.split()) > 1 else ""
    numbers = {number: None, _number_of(_unescaped(source)): None}
    yield from (Mount(DeviceNumber(one), _unescaped(place), owner) for one in numbers if one is not None)


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _number_of(path: str) -> DeviceNumber | None:
    """Number of a block device by the path of its file."""
    if not path.startswith("/"):
        return None
    try:
        status = Path(path).stat()
    except OSError:
        return None
    if not stat.S_ISBLK(status.st_mode):
        return None
    return DeviceNumber(f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}")


def _swaps() -> tuple[Swap, ...] | Unknown:
    text = _read(PROC / "swaps")
    if text is None:
        return Unknown("`/proc/swaps` cannot be read")
    paths = [_unescaped(line.split()[0]) for line in text.splitlines()[1:]]
    return tuple(Swap(number, path) for path in paths if (number := _number_of(path)) is not None)


def _loop_uses(name: str, numbers: frozenset[DeviceNumber]) -> Iterator[LoopUse]:
    own = _backing(name)
    for path in sorted((SYSFS / "block").glob("loop*")):
        backing = _backing(path.name)
        if backing is None or path.name == name:
            continue
        if _number_of(backing) in numbers:
            yield LoopUse(path.name, f"`{backing}`")
        elif own is not None and _same_file(own, backing):
            yield LoopUse(path.name, f"its file `{own}`")


def _backing(name: str) -> str | None:
    return _read(_block(name) / "loop/backing_file")


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except OSError:
        return one == other


def _claim(path: Path) -> Claim | Unknown:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.EBUSY:
            return Claim.TAKEN
        return Unknown(f"`{path}` cannot be opened: {error.strerror}")
    os.close(descriptor)
    return Claim.FREE


def _system(mounts: tuple[Mount, ...]) -> frozenset[DeviceNumber]:
    waiting = [one.number for one in mounts if one.namespace is None and one.place in _SYSTEM_PLACES]
    found: set[DeviceNumber] = set()
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found.add(number)
        slaves = (SYSFS / "dev/block" / number / "slaves").glob("*")
        waiting += [DeviceNumber((below / "dev").read_text().strip()) for below in slaves]
    return frozenset(found)
