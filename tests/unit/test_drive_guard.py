"""What each fact about a block device means for a test."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

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
from ssdlab.drive.block_snapshot import read_blkid, read_mount
from ssdlab.drive.guard import Verdict, Weight, findings, verdict
from ssdlab.drive.tool import Answer
from ssdlab.unknown import Unknown

DRIVE, PART = DeviceNumber("259:0"), DeviceNumber("259:1")


def node(name: str, number: DeviceNumber) -> Node:
    return Node(name=name, number=number, size_bytes=1 << 30, access=Access.READ_WRITE, holders=(), signature=None)


FREE = Snapshot(
    drive=node("nvme0n1", DRIVE),
    partitions=(),
    mounts=(Mount(DeviceNumber("8:1"), "/"),),
    swaps=(),
    loops=(),
    claim=Claim.FREE,
    system=frozenset({DeviceNumber("8:1")}),
)
EMPTY_PARTITION = replace(FREE, partitions=(node("nvme0n1p1", PART),))


def with_content(content: str) -> Snapshot:
    return replace(FREE, drive=replace(FREE.drive, signature=Signature(content, None)))


def held_by(name: str, kind: HolderKind) -> Snapshot:
    return replace(EMPTY_PARTITION, partitions=(replace(EMPTY_PARTITION.partitions[0], holders=(Holder(name, kind),)),))


def refusals(facts: Snapshot) -> list[str]:
    return [one.text for one in findings(facts) if one.weight is Weight.FORBIDS]


def test_nothing_speaks_against_an_empty_unused_drive() -> None:
    assert (findings(FREE), verdict(findings(FREE))) == ((), Verdict.FREE)


def test_partitions_may_be_lost_if_the_user_agrees() -> None:
    found = findings(EMPTY_PARTITION)
    assert [one.text for one in found] == snapshot(["has a partition table with `nvme0n1p1`"])
    assert verdict(found) is Verdict.NEEDS_ERASE


def test_a_mount_of_a_partition_says_where_and_in_whose_namespace() -> None:
    mounts = (Mount(PART, "/data"), Mount(PART, "/srv", "process 7 (`podman`)"))
    assert refusals(replace(EMPTY_PARTITION, mounts=mounts)) == snapshot(
        [
            "`nvme0n1p1` is mounted at /data",
            "`nvme0n1p1` is mounted at /srv in the mount namespace of process 7 (`podman`)",
        ]
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (replace(FREE, system=frozenset({DRIVE})), "the running system or what boots it is on it"),
        (replace(EMPTY_PARTITION, swaps=(Swap(PART, "/dev/nvme0n1p1"),)), "`nvme0n1p1` is active swap"),
        (held_by("dm-0", HolderKind.LVM), "`nvme0n1p1` is held by `dm-0`, an LVM volume"),
        (held_by("dm-1", HolderKind.LUKS), "`nvme0n1p1` is held by `dm-1`, an encrypted volume"),
        (held_by("dm-2", HolderKind.MULTIPATH), "`nvme0n1p1` is held by `dm-2`, a multipath device"),
        (held_by("md0", HolderKind.MD), "`nvme0n1p1` is held by `md0`, an md array"),
        (held_by("bcache0", HolderKind.BCACHE), "`nvme0n1p1` is held by `bcache0`, a bcache device"),
        (replace(FREE, loops=(LoopUse("loop3", "`/dev/nvme0n1`"),)), "`loop3` uses `/dev/nvme0n1` too"),
        (replace(FREE, claim=Claim.TAKEN), "the kernel or a program has it open exclusively"),
        (replace(FREE, claim=Unknown("why")), "whether it is in use is not known: why"),
        (replace(FREE, swaps=Unknown("why")), "whether it is swapped to is not known: why"),
        (replace(FREE, drive=replace(FREE.drive, access=Access.READ_ONLY)), "`nvme0n1` is read-only"),
        (
            replace(FREE, drive=replace(FREE.drive, signature=Unknown("why"))),
            "what is on `nvme0n1` is not known: why",
        ),
        (with_content("LVM2_member"), "`nvme0n1` is a physical volume of LVM"),
        (with_content("linux_raid_member"), "`nvme0n1` is a member of an md array"),
        (with_content("crypto_LUKS"), "`nvme0n1` is a LUKS container"),
        (with_content("bcache"), "`nvme0n1` belongs to bcache"),
        (with_content("zfs_member"), "`nvme0n1` belongs to a ZFS pool"),
        (with_content("btrfs"), "`nvme0n1` belongs to a btrfs file system, which may reach over several drives"),
        (with_content("isw_raid_member"), "`nvme0n1` is a member of something larger (`isw_raid_member`)"),
    ],
)
def test_each_of_these_facts_forbids_a_test_and_is_named(facts: Snapshot, said: str) -> None:
    assert refusals(facts) == [said]
    assert verdict(findings(facts)) is Verdict.REFUSED


_HARMS = st.sampled_from(
    [
        {"system": frozenset({DRIVE})},
        {"claim": Claim.TAKEN},
        {"mounts": (Mount(DRIVE, "/data"),)},
        {"swaps": (Swap(DRIVE, "/dev/nvme0n1"),)},
        {"loops": (LoopUse("loop0", "`/dev/nvme0n1`"),)},
    ]
)


@given(harms=st.lists(_HARMS, min_size=1, max_size=5))
def test_no_fact_hides_another(harms: list[dict[str, object]]) -> None:
    facts = FREE
    for harm in harms:
        facts = replace(facts, **harm)  # type: ignore[arg-type]
    assert len(refusals(facts)) == len({next(iter(harm)) for harm in harms})


def test_what_blkid_says_is_read_by_its_status() -> None:
    ext4 = "DEVNAME=/dev/loop0\nLABEL=a=b\nUUID=1\nTYPE=ext4\nUSAGE=filesystem\n"
    assert read_blkid(Answer(0, ext4, "")) == Signature("ext4", None, "a=b")
    assert read_blkid(Answer(0, "PTUUID=1\nPTTYPE=gpt\n", "")) == Signature(None, "gpt")
    assert read_blkid(Answer(0, "PART_ENTRY_SCHEME=gpt\n", "")) is None
    assert read_blkid(Answer(2, "", "")) is None
    assert read_blkid(Answer(8, "", "")) == Unknown("`blkid` finds signatures that contradict each other")
    assert read_blkid(Answer(2, "", "no permission")) == Unknown("`blkid` cannot read it: no permission")


def test_a_mount_is_known_by_its_number_and_its_escaped_place() -> None:
    line = r"27 1 259:1 / /a\040place rw,relatime shared:1 - ext4 /dev/none rw"
    assert list(read_mount(line, None)) == [Mount(PART, "/a place")]
