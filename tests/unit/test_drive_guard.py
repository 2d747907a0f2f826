"""What each fact about a block device means for a test."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.drive.block.facts import (
    Access,
    Claim,
    DeviceNumber,
    Holder,
    HolderKind,
    LoopUse,
    Mount,
    Node,
    Opener,
    Relation,
    Relative,
    Signature,
    Snapshot,
    Swap,
)
from ssdlab.drive.block.guard import GuardVerdict, Weight, findings, verdict
from ssdlab.drive.block.openers import open_files
from ssdlab.drive.block.snapshot import read_blkid, read_mount
from ssdlab.drive.tool import ToolOutput
from ssdlab.message import message, verbatim
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
    openers=(),
    relatives=(),
    claim=Claim.FREE,
    system=frozenset({DeviceNumber("8:1")}),
)
EMPTY_PARTITION = replace(FREE, partitions=(node("nvme0n1p1", PART),))


def with_content(content: str) -> Snapshot:
    return replace(FREE, drive=replace(FREE.drive, signature=Signature(content, None)))


def held_by(name: str, kind: HolderKind) -> Snapshot:
    return replace(EMPTY_PARTITION, partitions=(replace(EMPTY_PARTITION.partitions[0], holders=(Holder(name, kind),)),))


BELOW = Relative(node("sda1", PART), Relation.LOOPED, Claim.FREE)
PATH = Relative(node("sdb", DeviceNumber("8:16")), Relation.PATH, Claim.FREE)


def with_relative(relative: Relative, **facts: Any) -> Snapshot:
    return replace(FREE, relatives=(relative,), **facts)


def refusals(facts: Snapshot) -> list[str]:
    return [str(one.message) for one in findings(facts) if one.weight is Weight.FORBIDS]


def test_nothing_speaks_against_an_empty_unused_drive() -> None:
    assert (findings(FREE), verdict(findings(FREE))) == ((), GuardVerdict.FREE)


def test_partitions_may_be_lost_if_the_user_agrees() -> None:
    found = findings(EMPTY_PARTITION)
    assert [str(one.message) for one in found] == snapshot(["has a partition table with `nvme0n1p1`"])
    assert verdict(found) is GuardVerdict.NEEDS_ERASE


def test_a_mount_of_a_partition_says_where_and_in_whose_namespace() -> None:
    mounts = (Mount(PART, "/data"), Mount(PART, "/srv", message("guard-process", process=7, command="podman")))
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
        (
            replace(FREE, loops=(LoopUse("loop3", message("guard-device", name="/dev/nvme0n1")),)),
            "`loop3` uses `/dev/nvme0n1` too",
        ),
        (
            replace(EMPTY_PARTITION, openers=(Opener("nvme0n1p1", 7, "qemu"),)),
            "`nvme0n1p1` is open for writing in process 7 (`qemu`)",
        ),
        (
            replace(FREE, openers=Unknown(verbatim("why"))),
            "whether a program has it open for writing is not known: why",
        ),
        (
            with_relative(BELOW, mounts=(Mount(PART, "/srv"),)),
            "`sda1`, on which it stands, is mounted at /srv",
        ),
        (
            with_relative(BELOW, swaps=(Swap(PART, "/dev/sda1"),)),
            "`sda1`, on which it stands, is active swap",
        ),
        (with_relative(BELOW, system=frozenset({PART})), "the running system or what boots it is on it"),
        (
            with_relative(replace(BELOW, claim=Claim.TAKEN)),
            "the kernel or a program has `sda1`, on which it stands, open exclusively",
        ),
        (
            with_relative(replace(BELOW, claim=Unknown(verbatim("why")))),
            "whether `sda1`, on which it stands, is in use is not known: why",
        ),
        (
            with_relative(replace(BELOW, node=replace(BELOW.node, signature=Signature("swap", None)))),
            "`sda1`, on which it stands, is a swap area, which the next start may use",
        ),
        (
            with_relative(replace(PATH, node=replace(PATH.node, holders=(Holder("dm-0", HolderKind.LVM),)))),
            "`sdb`, another path to it by its world-wide identifier, is held by `dm-0`, an LVM volume",
        ),
        (replace(FREE, claim=Claim.TAKEN), "the kernel or a program has it open exclusively"),
        (replace(FREE, claim=Unknown(verbatim("why"))), "whether it is in use is not known: why"),
        (replace(FREE, swaps=Unknown(verbatim("why"))), "whether it is swapped to is not known: why"),
        (replace(FREE, drive=replace(FREE.drive, access=Access.READ_ONLY)), "`nvme0n1` is read-only"),
        (
            replace(FREE, drive=replace(FREE.drive, signature=Unknown(verbatim("why")))),
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
    assert verdict(findings(facts)) is GuardVerdict.REFUSED


_HARMS = st.sampled_from(
    [
        {"system": frozenset({DRIVE})},
        {"claim": Claim.TAKEN},
        {"mounts": (Mount(DRIVE, "/data"),)},
        {"swaps": (Swap(DRIVE, "/dev/nvme0n1"),)},
        {"openers": (Opener("nvme0n1", 7, "qemu"),)},
        {"loops": (LoopUse("loop0", message("guard-device", name="/dev/nvme0n1")),)},
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
    assert read_blkid(ToolOutput(0, ext4, "")) == Signature("ext4", None, "a=b")
    assert read_blkid(ToolOutput(0, "PTUUID=1\nPTTYPE=gpt\n", "")) == Signature(None, "gpt")
    assert read_blkid(ToolOutput(0, "PART_ENTRY_SCHEME=gpt\n", "")) is None
    assert read_blkid(ToolOutput(2, "", "")) is None
    assert read_blkid(ToolOutput(8, "", "")) == Unknown(message("unknown-signatures-contradict"))
    assert read_blkid(ToolOutput(2, "", "no permission")) == Unknown(
        message("unknown-blkid", fault=verbatim("no permission"))
    )


def test_a_mount_is_known_by_its_number_and_its_escaped_place() -> None:
    line = r"27 1 259:1 / /a\040place rw,relatime shared:1 - ext4 /dev/none rw"
    assert list(read_mount(line, None)) == [Mount(PART, "/a place")]


def test_where_processes_are_hidden_nobody_knows_what_they_have_open(tmp_path: Path) -> None:
    (tmp_path / "4711").mkdir()
    assert open_files(tmp_path) == Unknown(message("unknown-processes-hidden", path=str(tmp_path)))


def test_a_process_that_ends_while_it_is_looked_at_has_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "4711").mkdir()
    assert open_files(tmp_path) == ()
