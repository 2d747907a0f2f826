"""Taking the snapshot that `guard` judges: sysfs, /proc and blkid are read, no device is opened for writing."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ssdlab.drive.block.facts import (
    Access,
    Claim,
    DeviceNumber,
    Holder,
    HolderKind,
    Mount,
    Node,
    Relation,
    Relative,
    Signature,
    Snapshot,
    Swap,
)
from ssdlab.drive.block.loops import Backing, backing_of, loop_uses
from ssdlab.drive.block.openers import OpenFile, Watched, open_files, openers
from ssdlab.drive.block.related import Related, command_paths, related
from ssdlab.drive.block.sysfs import (
    PROC,
    SYSFS,
    block,
    device_path,
    is_partition,
    number_in,
    number_of,
    partitions_of,
    said,
    size_bytes,
)
from ssdlab.drive.tool import ToolOutput, ask
from ssdlab.message import Message, message
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

_SYSTEM_PLACES = frozenset({"/", "/boot", "/boot/efi", "/efi", "/usr"})


def take_snapshot(name: str, opened: tuple[OpenFile, ...] | Unknown | None = None) -> Snapshot:
    """All facts about one whole drive, by its name in /sys/block.

    Args:
        name: Of the drive.
        opened: What all processes have open, if that was looked at already.

    Raises:
        OSError: There is no such drive, or it went away meanwhile.
    """
    return _snapshot(name, open_files() if opened is None else opened, _claim, _signature)


def take_snapshot_while_held(name: str) -> Snapshot:
    """What may change about a drive that ssdlab itself holds; nothing is read from it, which would end its rest.

    Raises:
        OSError: It went away.
    """
    ours = Unknown(message("unknown-held-by-ssdlab"))
    own_content = Unknown(message("unknown-content-of-run"))
    return _snapshot(name, open_files(), lambda _: ours, lambda _: own_content)


def _snapshot(
    name: str,
    opened: tuple[OpenFile, ...] | Unknown,
    claim_of: Callable[[Path], Claim | Unknown],
    signature_of: Callable[[Path], Signature | Unknown | None],
) -> Snapshot:
    directory = block(name)
    nodes = [_node(path, signature_of) for path in (directory, *partitions_of(directory))]
    others = related(name)
    chain = (name, *(other.directory.name for other in others))
    files = [backing for one in chain if (backing := backing_of(one)) is not None and backing.device is None]
    watched = _watched(nodes, others, files)
    mounts = _mounts()
    return Snapshot(
        drive=nodes[0],
        partitions=tuple(nodes[1:]),
        mounts=mounts,
        swaps=_swaps(),
        loops=tuple(loop_uses(chain, watched.blocks, files)),
        openers=opened if isinstance(opened, Unknown) else openers(watched, opened),
        relatives=tuple(
            _relative(other, claim_of, signature_of) for other in others if other.relation is not Relation.MAPPED
        ),
        claim=claim_of(device_path(name)),
        system=_system(mounts),
    )


def _watched(nodes: list[Node], others: tuple[Related, ...], files: list[Backing]) -> Watched:
    whole = [block(nodes[0].name).resolve(), *(one.directory for one in others if not is_partition(one.directory))]
    return Watched(
        blocks={
            **{node.number: node.name for node in nodes},
            **{number_in(other.directory): other.directory.name for other in others},
        },
        characters={number_in(path): path.name for directory in whole for path in command_paths(directory)},
        files={file.file: file.path for file in files if file.file is not None},
    )


def _relative(
    other: Related,
    claim_of: Callable[[Path], Claim | Unknown],
    signature_of: Callable[[Path], Signature | Unknown | None],
) -> Relative:
    # By another path the content is the same, and is asked for once.
    content = signature_of if other.relation is Relation.LOOPED else lambda _: None
    return Relative(_node(other.directory, content), other.relation, claim_of(device_path(other.directory.name)))


def _node(directory: Path, signature_of: Callable[[Path], Signature | Unknown | None]) -> Node:
    return Node(
        name=directory.name,
        number=number_in(directory),
        size_bytes=size_bytes(directory),
        access=Access.READ_ONLY if (directory / "ro").read_text().strip() == "1" else Access.READ_WRITE,
        holders=tuple(_holder(path.name) for path in sorted((directory / "holders").iterdir())),
        signature=signature_of(device_path(directory.name)),
    )


def _holder(name: str) -> Holder:
    uuid = said(SYSFS / "class" / "block" / name / "dm" / "uuid")
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


def read_blkid(answer: ToolOutput) -> Signature | Unknown | None:
    """What `blkid -p -o export` says, by its exit status (blkid(8), RETURN CODE)."""
    if answer.status == 8:
        return Unknown(message("unknown-signatures-contradict"))
    if answer.complaint or answer.status not in {0, 2}:
        return Unknown(message("unknown-blkid", fault=answer.fault))
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
                command = (process / "comm").read_text().strip()
                owner = message("guard-process", process=int(process.name), command=command)
                found += _mounts_of(process, owner)
                seen.add(namespace)
    return tuple(found)


def _mounts_of(process: Path, owner: Message | None) -> Iterator[Mount]:
    for line in (process / "mountinfo").read_text(errors="replace").splitlines():
        yield from read_mount(line, owner)


def read_mount(line: str, owner: Message | None) -> Iterator[Mount]:
    """The devices of a line of mountinfo (proc(5)): that of the file system, and that of its source.

    btrfs and ZFS have a number of their own making, so their source is looked up.
    """
    fields, _, rest = line.partition(" - ")
    _, _, number, _, place, *_ = fields.split()
    source = rest.split()[1] if len(rest.split()) > 1 else ""
    numbers = {number: None, number_of(_unescaped(source)): None}
    yield from (Mount(DeviceNumber(one), _unescaped(place), owner) for one in numbers if one is not None)


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _swaps() -> tuple[Swap, ...] | Unknown:
    text = said(PROC / "swaps")
    if text is None:
        return Unknown(message("unknown-swaps-unreadable"))
    paths = [_unescaped(line.split()[0]) for line in text.splitlines()[1:]]
    return tuple(Swap(number, path) for path in paths if (number := number_of(path)) is not None)


def _claim(path: Path) -> Claim | Unknown:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.EBUSY:
            return Claim.TAKEN
        return Unknown(message("unknown-not-opened", path=str(path), error=reason_of(error)))
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
        waiting += [number_in(below) for below in slaves]
    return frozenset(found)
