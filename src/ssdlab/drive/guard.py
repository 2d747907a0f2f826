"""Which facts forbid testing a drive, and what would be lost: pure functions of a `Snapshot`.

What could not be found out forbids testing too: a drive is free because it was seen to be, never because nobody looked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.block_facts import Access, Claim, HolderKind, Node, Signature, Snapshot
from ssdlab.unknown import Unknown

_IN_USE_WHEN_IDLE = {
    "LVM2_member": "is a physical volume of LVM",
    "linux_raid_member": "is a member of an md array",
    "crypto_LUKS": "is a LUKS container",
    "BitLocker": "is a BitLocker container",
    "bcache": "belongs to bcache",
    "zfs_member": "belongs to a ZFS pool",
    "btrfs": "belongs to a btrfs file system, which may reach over several drives",
    "swap": "is a swap area, which the next start may use",
    "swsuspend": "holds the memory of a suspended system",
    "mpath_member": "is a path of a multipath device",
    "drbd": "belongs to DRBD",
    "ceph_bluestore": "belongs to Ceph",
}
"""blkid's types (libblkid, `superblocks/*.c`) that others may be using, or will, without any trace in the kernel."""


class Weight(Enum):
    """What a fact means for a test."""

    FORBIDS = "forbids"
    """The drive may not be tested, whatever the user agrees to."""
    WOULD_BE_LOST = "would be lost"
    """A test destroys it, which the user must agree to by `--erase SERIAL`."""


class Fact(Enum):
    """The kinds of facts, as `--json` names them."""

    MOUNTED = "mounted"
    SYSTEM = "system"
    SWAP = "swap"
    SWAP_UNKNOWN = "swap unknown"
    HOLDER = "holder"
    MULTIPATH = "multipath"
    LOOP = "loop"
    CLAIMED = "claimed"
    CLAIM_UNKNOWN = "claim unknown"
    READ_ONLY = "read-only"
    MEMBER = "member"
    CONTENT_UNKNOWN = "content unknown"
    FILE_SYSTEM = "file system"
    PARTITIONS = "partitions"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact and what it means.

    Attributes:
        text: The fact in words, without a full stop.
    """

    fact: Fact
    weight: Weight
    text: str


class Verdict(Enum):
    """What may be done with a drive."""

    REFUSED = "refused"
    NEEDS_ERASE = "needs --erase"
    """Nothing uses it, but there is something on it."""
    FREE = "free"


def verdict(findings: tuple[Finding, ...]) -> Verdict:
    """What all findings together mean."""
    weights = {one.weight for one in findings}
    if Weight.FORBIDS in weights:
        return Verdict.REFUSED
    return Verdict.NEEDS_ERASE if weights else Verdict.FREE


def findings(snapshot: Snapshot) -> tuple[Finding, ...]:
    """All that speaks against testing the drive, the gravest first."""
    return tuple(finding for rule in _RULES for finding in rule(snapshot))


def uses(snapshot: Snapshot) -> tuple[Finding, ...]:
    """What somebody does with the drive while ssdlab holds it; its content and its claim are ours."""
    return tuple(finding for rule in _USES for finding in rule(snapshot))


def mends(found: tuple[Finding, ...]) -> tuple[str, ...]:
    """What to do about facts that forbid a test, each once."""
    forbidding = [one.fact for one in found if one.weight is Weight.FORBIDS]
    return tuple(dict.fromkeys(_MENDS[fact] for fact in forbidding))


def _forbids(fact: Fact, text: str) -> Finding:
    return Finding(fact, Weight.FORBIDS, text)


def mounted(snapshot: Snapshot) -> Iterator[Finding]:
    """A file system on it is mounted, in any mount namespace that can be seen."""
    by_number = {node.number: node.name for node in snapshot.nodes}
    for mount in snapshot.mounts:
        if mount.number in by_number:
            where = "" if mount.namespace is None else f" in the mount namespace of {mount.namespace}"
            yield _forbids(Fact.MOUNTED, f"`{by_number[mount.number]}` is mounted at {mount.place}{where}")


def system(snapshot: Snapshot) -> Iterator[Finding]:
    """The running system, or what starts it, is on it."""
    if any(node.number in snapshot.system for node in snapshot.nodes):
        yield _forbids(Fact.SYSTEM, "the running system or what boots it is on it")


def swapped(snapshot: Snapshot) -> Iterator[Finding]:
    """Memory is swapped to it."""
    if isinstance(snapshot.swaps, Unknown):
        yield _forbids(Fact.SWAP_UNKNOWN, f"whether it is swapped to is not known: {snapshot.swaps.unknown}")
        return
    by_number = {node.number: node.name for node in snapshot.nodes}
    for swap in snapshot.swaps:
        if swap.number in by_number:
            yield _forbids(Fact.SWAP, f"`{by_number[swap.number]}` is active swap")


def held(snapshot: Snapshot) -> Iterator[Finding]:
    """The kernel has built another device on it."""
    for node in snapshot.nodes:
        for holder in node.holders:
            fact = Fact.MULTIPATH if holder.kind is HolderKind.MULTIPATH else Fact.HOLDER
            yield _forbids(fact, f"`{node.name}` is held by `{holder.name}`, {holder.kind.value}")


def looped(snapshot: Snapshot) -> Iterator[Finding]:
    """A loop device reads and writes it behind our back."""
    for use in snapshot.loops:
        yield _forbids(Fact.LOOP, f"`{use.loop}` uses {use.backing} too")


def claimed(snapshot: Snapshot) -> Iterator[Finding]:
    """Somebody has opened it for himself alone."""
    if isinstance(snapshot.claim, Unknown):
        yield _forbids(Fact.CLAIM_UNKNOWN, f"whether it is in use is not known: {snapshot.claim.unknown}")
    elif snapshot.claim is Claim.TAKEN:
        yield _forbids(Fact.CLAIMED, "the kernel or a program has it open exclusively")


def read_only(snapshot: Snapshot) -> Iterator[Finding]:
    """The kernel lets nobody write to it, or to a part of it."""
    for node in snapshot.nodes:
        if node.access is Access.READ_ONLY:
            yield _forbids(Fact.READ_ONLY, f"`{node.name}` is read-only")


def member(snapshot: Snapshot) -> Iterator[Finding]:
    """It bears the mark of something that spans drives, or is not open just now."""
    for node in snapshot.nodes:
        if isinstance(node.signature, Unknown):
            text = f"what is on `{node.name}` is not known: {node.signature.unknown}"
            yield _forbids(Fact.CONTENT_UNKNOWN, text)
        elif node.signature is not None and (why := _spoken_for(node.signature.content)) is not None:
            yield _forbids(Fact.MEMBER, f"`{node.name}` {why}")


def _spoken_for(content: str | None) -> str | None:
    if content is None:
        return None
    if content.endswith("_member") and content not in _IN_USE_WHEN_IDLE:
        return f"is a member of something larger (`{content}`)"
    return _IN_USE_WHEN_IDLE.get(content)


def file_system(snapshot: Snapshot) -> Iterator[Finding]:
    """There is a file system that nobody uses just now."""
    for node in snapshot.nodes:
        content = _content(node)
        if content is not None and _spoken_for(content[0]) is None:
            kind, label = content
            named = "" if label is None else f" called `{label}`"
            yield Finding(Fact.FILE_SYSTEM, Weight.WOULD_BE_LOST, f"`{node.name}` holds {kind}{named}")


def _content(node: Node) -> tuple[str, str | None] | None:
    if node.signature is None or isinstance(node.signature, Unknown) or node.signature.content is None:
        return None
    return node.signature.content, node.signature.label


def partitioned(snapshot: Snapshot) -> Iterator[Finding]:
    """It has a partition table, or partitions the kernel knows."""
    signature = snapshot.drive.signature
    table = signature.table if isinstance(signature, Signature) else None
    if table is None and not snapshot.partitions:
        return
    kind = "" if table is None else f" ({table})"
    names = ", ".join(f"`{node.name}`" for node in snapshot.partitions) or "no partition"
    yield Finding(Fact.PARTITIONS, Weight.WOULD_BE_LOST, f"has a partition table{kind} with {names}")


_Rules = tuple[Callable[[Snapshot], Iterator[Finding]], ...]
_USES: _Rules = (system, mounted, swapped, held, looped, read_only)
_RULES: _Rules = (*_USES[:-1], claimed, read_only, member, file_system, partitioned)
_UNSURE = "as root more can be seen; what cannot be found out forbids a test"
_MENDS = {
    Fact.SYSTEM: "test it from another system, such as one started from a USB stick",
    Fact.MOUNTED: "`umount` what is mounted, in the mount namespace it is mounted in",
    Fact.SWAP: "`swapoff` the area, and take it out of /etc/fstab",
    Fact.SWAP_UNKNOWN: _UNSURE,
    Fact.HOLDER: "take down what is built on it: `vgchange -an`, `cryptsetup close`, `mdadm --stop`, `dmsetup remove`",
    Fact.MULTIPATH: "a drive with several paths is not tested; `multipath -f` takes the paths apart",
    Fact.LOOP: "detach the other loop device: `losetup --detach`",
    Fact.CLAIMED: "see who has it open: `lsof`, `fuser -v`; another run of ssdlab, a virtual machine, a mount that is not seen from here",
    Fact.CLAIM_UNKNOWN: _UNSURE,
    Fact.READ_ONLY: "make it writable: `blockdev --setrw`; a drive that does it to itself is at its end",
    Fact.MEMBER: "if nothing needs it any more, wipe the mark: `wipefs --all`",
    Fact.CONTENT_UNKNOWN: _UNSURE,
}
