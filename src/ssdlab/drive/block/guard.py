"""Which facts forbid testing a drive, and what would be lost: pure functions of a `Snapshot`.

What could not be found out forbids testing too: a drive is free because it was seen to be, never because nobody looked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.block.facts import (
    Access,
    Claim,
    DeviceNumber,
    HolderKind,
    Node,
    Relation,
    Relative,
    Signature,
    Snapshot,
)
from ssdlab.message import Message, commas, message
from ssdlab.message_json import MessageField
from ssdlab.unknown import Unknown

_IN_USE_WHEN_IDLE = {
    "LVM2_member": message("guard-is-lvm"),
    "linux_raid_member": message("guard-is-md"),
    "crypto_LUKS": message("guard-is-luks"),
    "BitLocker": message("guard-is-bitlocker"),
    "bcache": message("guard-is-bcache"),
    "zfs_member": message("guard-is-zfs"),
    "btrfs": message("guard-is-btrfs"),
    "swap": message("guard-is-swap"),
    "swsuspend": message("guard-is-suspended"),
    "mpath_member": message("guard-is-multipath"),
    "drbd": message("guard-is-drbd"),
    "ceph_bluestore": message("guard-is-ceph"),
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
    WRITER = "open for writing"
    WRITER_UNKNOWN = "open for writing unknown"
    CLAIMED = "claimed"
    CLAIM_UNKNOWN = "claim unknown"
    READ_ONLY = "read-only"
    MEMBER = "member"
    CONTENT_UNKNOWN = "content unknown"
    FILE_SYSTEM = "file system"
    PARTITIONS = "partitions"


@dataclass(frozen=True, slots=True)
class GuardFinding:
    """A fact and what it means."""

    fact: Fact
    weight: Weight
    message: MessageField


class GuardVerdict(Enum):
    """What may be done with a drive."""

    REFUSED = "refused"
    NEEDS_ERASE = "needs --erase"
    """Nothing uses it, but there is something on it."""
    FREE = "free"


def verdict(findings: tuple[GuardFinding, ...]) -> GuardVerdict:
    """What all findings together mean."""
    weights = {finding.weight for finding in findings}
    if Weight.FORBIDS in weights:
        return GuardVerdict.REFUSED
    return GuardVerdict.NEEDS_ERASE if weights else GuardVerdict.FREE


def telling(found: tuple[GuardFinding, ...]) -> tuple[GuardFinding, ...]:
    """Of the drive of the running system only that it is: what else uses it cannot be ended one by one."""
    return tuple(finding for finding in found if finding.fact is Fact.SYSTEM) or found


def findings(snapshot: Snapshot) -> tuple[GuardFinding, ...]:
    """All that speaks against testing the drive, the gravest first."""
    return tuple(finding for rule in _RULES for finding in rule(snapshot))


def uses(snapshot: Snapshot) -> tuple[GuardFinding, ...]:
    """What somebody does with the drive while ssdlab holds it; its content and its claim are ours."""
    return tuple(finding for rule in _USES for finding in rule(snapshot))


def remedies(found: tuple[GuardFinding, ...]) -> tuple[Message, ...]:
    """What to do about facts that forbid a test, each once."""
    forbidding = [finding.fact for finding in found if finding.weight is Weight.FORBIDS]
    return tuple(dict.fromkeys(_REMEDIES[fact] for fact in forbidding))


def _forbids(fact: Fact, found: Message) -> GuardFinding:
    return GuardFinding(fact, Weight.FORBIDS, found)


def _called(snapshot: Snapshot) -> tuple[tuple[Node, Message], ...]:
    """Every device that has the drive's bytes, with what it is called in a sentence."""
    own = ((node, message("guard-device", name=node.name)) for node in snapshot.nodes)
    return (*own, *((relative.node, _related(relative)) for relative in snapshot.relatives))


def _related(relative: Relative) -> Message:
    name = relative.node.name
    match relative.relation:
        case Relation.PATH:
            return message("guard-other-path", name=name)
        case Relation.LOOPED:
            return message("guard-device-below", name=name)
        case Relation.MAPPED:
            return message("guard-device-mapped", name=name)


def _called_by_number(snapshot: Snapshot) -> dict[DeviceNumber, Message]:
    return {node.number: called for node, called in _called(snapshot)}


def mounted(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """A file system on it is mounted, in any mount namespace that can be seen."""
    by_number = _called_by_number(snapshot)
    for mount in snapshot.mounts:
        if mount.number in by_number:
            found = message("guard-mounted", device=by_number[mount.number], place=mount.place)
            if mount.namespace is not None:
                found = message("guard-in-namespace", mounted=found, process=mount.namespace)
            yield _forbids(Fact.MOUNTED, found)


def system(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """The running system, or what starts it, is on it."""
    if any(node.number in snapshot.system for node, _ in _called(snapshot)):
        yield _forbids(Fact.SYSTEM, message("guard-system"))


def swapped(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """Memory is swapped to it."""
    if isinstance(snapshot.swaps, Unknown):
        yield _forbids(Fact.SWAP_UNKNOWN, message("guard-swap-unknown", why=snapshot.swaps.reason))
        return
    by_number = _called_by_number(snapshot)
    for swap in snapshot.swaps:
        if swap.number in by_number:
            yield _forbids(Fact.SWAP, message("guard-swap", device=by_number[swap.number]))


def held(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """The kernel has built another device on it."""
    for node, called in _called(snapshot):
        for holder in node.holders:
            fact = Fact.MULTIPATH if holder.kind is HolderKind.MULTIPATH else Fact.HOLDER
            yield _forbids(fact, message("guard-held", device=called, holder=holder.name, kind=holder.kind.value))


def looped(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """A loop device reads and writes it behind our back."""
    for use in snapshot.loops:
        yield _forbids(Fact.LOOP, message("guard-loop", loop=use.loop, backing=use.backing))


def written(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """A program may write to it without having asked for it alone: a virtual machine, a database, `dd`."""
    if isinstance(snapshot.openers, Unknown):
        yield _forbids(Fact.WRITER_UNKNOWN, message("guard-writer-unknown", why=snapshot.openers.reason))
        return
    for opener in snapshot.openers:
        process = message("guard-process", process=opener.process, command=opener.command)
        yield _forbids(Fact.WRITER, message("guard-writer", what=opener.what, process=process))


def claimed(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """Somebody has opened it for himself alone."""
    own = (message("guard-it"), snapshot.claim)
    claims = [own, *((_related(relative), relative.claim) for relative in snapshot.relatives)]
    for called, claim in claims:
        if isinstance(claim, Unknown):
            yield _forbids(Fact.CLAIM_UNKNOWN, message("guard-claim-unknown", device=called, why=claim.reason))
        elif claim is Claim.TAKEN:
            yield _forbids(Fact.CLAIMED, message("guard-claimed", device=called))


def read_only(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """The kernel lets nobody write to it, or to a part of it."""
    for node in snapshot.nodes:
        if node.access is Access.READ_ONLY:
            yield _forbids(Fact.READ_ONLY, message("guard-read-only", name=node.name))


def member(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """It bears the mark of something that spans drives, or is not open just now."""
    for node, called in _called(snapshot):
        if isinstance(node.signature, Unknown):
            found = message("guard-content-unknown", device=called, why=node.signature.reason)
            yield _forbids(Fact.CONTENT_UNKNOWN, found)
        elif node.signature is not None and (why := _spoken_for(node.signature.content)) is not None:
            yield _forbids(Fact.MEMBER, message("guard-member", device=called, why=why))


def _spoken_for(content: str | None) -> Message | None:
    if content is None:
        return None
    if content.endswith("_member") and content not in _IN_USE_WHEN_IDLE:
        return message("guard-is-member", content=content)
    return _IN_USE_WHEN_IDLE.get(content)


def file_system(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """There is a file system that nobody uses just now."""
    for node, called in _called(snapshot):
        content = _content(node)
        if content is not None and _spoken_for(content[0]) is None:
            kind, label = content
            found = (
                message("guard-file-system", device=called, kind=kind)
                if label is None
                else message("guard-file-system-called", device=called, kind=kind, label=label)
            )
            yield GuardFinding(Fact.FILE_SYSTEM, Weight.WOULD_BE_LOST, found)


def _content(node: Node) -> tuple[str, str | None] | None:
    if node.signature is None or isinstance(node.signature, Unknown) or node.signature.content is None:
        return None
    return node.signature.content, node.signature.label


def partitioned(snapshot: Snapshot) -> Iterator[GuardFinding]:
    """It has a partition table, or partitions the kernel knows."""
    signature = snapshot.drive.signature
    table = signature.table if isinstance(signature, Signature) else None
    if table is None and not snapshot.partitions:
        return
    named = commas(*(message("guard-device", name=node.name) for node in snapshot.partitions))
    partitions = named if snapshot.partitions else message("guard-no-partition")
    found = (
        message("guard-partitions", partitions=partitions)
        if table is None
        else message("guard-partitions-of-table", table=table, partitions=partitions)
    )
    yield GuardFinding(Fact.PARTITIONS, Weight.WOULD_BE_LOST, found)


_Rules = tuple[Callable[[Snapshot], Iterator[GuardFinding]], ...]
_USES: _Rules = (system, mounted, swapped, held, looped, written, read_only)
_RULES: _Rules = (*_USES[:-1], claimed, read_only, member, file_system, partitioned)
_UNSURE = message("guard-remedy-unknown")
_REMEDIES = {
    Fact.SYSTEM: message("guard-remedy-system"),
    Fact.MOUNTED: message("guard-remedy-mounted"),
    Fact.SWAP: message("guard-remedy-swap"),
    Fact.SWAP_UNKNOWN: _UNSURE,
    Fact.HOLDER: message("guard-remedy-holder"),
    Fact.MULTIPATH: message("guard-remedy-multipath"),
    Fact.LOOP: message("guard-remedy-loop"),
    Fact.WRITER: message("guard-remedy-writer"),
    Fact.WRITER_UNKNOWN: _UNSURE,
    Fact.CLAIMED: message("guard-remedy-claimed"),
    Fact.CLAIM_UNKNOWN: _UNSURE,
    Fact.READ_ONLY: message("guard-remedy-read-only"),
    Fact.MEMBER: message("guard-remedy-member"),
    Fact.CONTENT_UNKNOWN: _UNSURE,
}
