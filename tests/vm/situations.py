"""Every situation in which a drive may or may not be tested, as shell that makes it and the answer that is right.

`$A` and `$B` are NVMe drives with logical blocks of 512 and 4096 bytes, `$S` is a SATA drive, `$T` an empty directory. Each begins
with three empty drives.
"""

from dataclasses import dataclass
from enum import Enum

NOTHING = ""
"""Shell for what needs none."""


class Answer(Enum):
    """What must become of an attempt to open the drive for a run."""

    OPENED = "opened"
    REFUSED = "refused"


class Named(Enum):
    """What the user gave as `--erase`."""

    RIGHT = "its serial number"
    WRONG = "another drive's serial number"
    NOT = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One of them.

    Attributes:
        before: Makes it.
        after: Takes it down; the drives are emptied besides.
        target: What the user types.
        says: What a refusal must say.
        serial: What the target is called, if it is not one of the three drives.
    """

    name: str
    answer: Answer
    before: str = NOTHING
    after: str = NOTHING
    target: str = "$A"
    named: Named = Named.RIGHT
    says: str = ""
    serial: str = ""


def _free(name: str, before: str = NOTHING, *, after: str = NOTHING, target: str = "$A", serial: str = "") -> Situation:
    return Situation(name=name, answer=Answer.OPENED, before=before, after=after, target=target, serial=serial)


def _taken(name: str, says: str, before: str, after: str = NOTHING, *, target: str = "$A") -> Situation:
    return Situation(name=name, answer=Answer.REFUSED, before=before, after=after, target=target, says=says)


def _unnamed(name: str, says: str, before: str = NOTHING, named: Named = Named.NOT) -> Situation:
    return Situation(name=name, answer=Answer.REFUSED, before=before, named=named, says=says)


_TABLE = "printf ',40M\\n,\\n' | sfdisk -q -X {kind} $A; P=${{A}}p1; until [ -b $P ]; do sleep 0.1; done; "
_GPT, _MBR = _TABLE.format(kind="gpt"), _TABLE.format(kind="dos")
_EXT4 = "mkfs.ext4 -q -L precious "
_CLAIM = "python3 -S -c 'import os, sys, time; os.open(sys.argv[1], {1}); print(flush=True); time.sleep(600)' {0} "
_HOLD = "mkfifo $T/said; " + _CLAIM + ">$T/said & echo $! >$T/pid; read -r _ <$T/said"
_LET_GO = "kill $(cat $T/pid)"
_KEY = "printf key >$T/key; cryptsetup -q luksFormat --pbkdf pbkdf2 --pbkdf-force-iterations 1000 {0} $T/key; "
_OPEN = "cryptsetup open --key-file $T/key {0} secret"
_VOLUME = "pvcreate -q -y {0}; vgcreate -q group {0}; lvcreate -q -y -Zn -Wn -l 100%FREE -n volume group; "
_ARRAY = "mdadm -q --create /dev/md7 --run --level=1 --metadata=1.2 --raid-devices=2 --force {0} missing; "
_STOP = "mdadm -q --stop /dev/md7"
_BCACHE = "python3 -S -m tests.vm.superblocks bcache $A; "

FREE = (
    _free("an empty NVMe drive"),
    _free("an empty NVMe drive with long blocks", target="$B"),
    _free("an empty SATA drive", target="$S"),
    _free("a link to an empty drive", "ln -s $A $T/link", target="$T/link"),
    _free("a file system that is not mounted", _EXT4 + "$A"),
    _free("a file system that is no longer mounted", _EXT4 + "$A; mount $A $T; umount $T"),
    _free("partitions nobody uses", _GPT),
    _free("partitions with file systems nobody uses", _MBR + "mkfs.vfat $P; " + _EXT4 + "${A}p2"),
    _free("a program that reads it", _HOLD.format("$A", "os.O_RDONLY"), after=_LET_GO),
    _free("a neighbour that is mounted", _EXT4 + "$B; mount $B $T", after="umount $T"),
    _free("a physical volume that was given up", "pvcreate -q -y $A; pvremove -q $A"),
    _free("an array that was given up", _ARRAY.format("$A") + _STOP + "; mdadm -q --zero-superblock $A"),
    _free("random bytes", "dd if=/dev/urandom of=$A bs=1M count=4 status=none"),
)
"""None of them may be refused."""

NAMING = (
    _unnamed("an empty drive that was not named", "was not named to be erased"),
    _unnamed("an empty drive named by a neighbour's serial number", "is not the `NVME-4K`", named=Named.WRONG),
    _unnamed("a file system, and the drive was not named", "holds ext4 called `precious`", _EXT4 + "$A"),
    _unnamed("partitions, and the drive was not named", "has a partition table (gpt)", _GPT),
    _unnamed("partitions, and the drive was named wrongly", "is not the `NVME-4K`", _GPT, Named.WRONG),
)

PATHS = (
    _taken("a partition", "is a partition of `/dev/nvme0n1`", _GPT, target="${A}p1"),
    _taken("a link to a partition", "is a partition of `/dev/nvme0n1`", _GPT + "ln -s $P $T/link", target="$T/link"),
    _taken("an NVMe controller", "is an NVMe controller", NOTHING, target="/dev/nvme0"),
    _taken("the generic device of a namespace", "is no block device", NOTHING, target="/dev/ng0n1"),
    _taken("a link to nowhere", "there is no", "ln -s /dev/nvme9n1 $T/link", target="$T/link"),
    _taken("a file", "is no block device", "truncate -s 64M $T/file", target="$T/file"),
)

MOUNTED = (
    _taken("a mounted drive", "is mounted at", _EXT4 + "$A; mount $A $T", "umount $T"),
    _taken("a mounted SATA drive", "is mounted at", _EXT4 + "$S; mount $S $T", "umount $T", target="$S"),
    _taken("a mounted drive with long blocks", "is mounted at", _EXT4 + "$B; mount $B $T", "umount $T", target="$B"),
    _taken("a mounted partition", "`nvme0n1p1` is mounted at", _GPT + _EXT4 + "$P; mount $P $T", "umount $T"),
    _taken("a drive mounted for reading only", "is mounted at", _EXT4 + "$A; mount -o ro $A $T", "umount $T"),
    _taken(
        "a drive mounted in another mount namespace",
        "in the mount namespace of process",
        _EXT4 + "$A; mkfifo $T/said; mkdir $T/place; "
        "unshare --mount sh -c 'mount $1 $2/place; echo >$2/said; exec sleep 600' - $A $T & echo $! >$T/pid; read -r _ <$T/said",
        _LET_GO + "; while kill -0 $(cat $T/pid); do sleep 0.1; done; sync",
    ),
    _taken(
        "a mount that was detached while a file in it is open",
        "has it open exclusively",
        _EXT4 + "$A; mkdir $T/place; mount $A $T/place; touch $T/place/file; exec 7<$T/place/file; "
        "sleep 600 & echo $! >$T/pid; umount --lazy $T/place",
        _LET_GO + "; while kill -0 $(cat $T/pid); do sleep 0.1; done; sleep 1",
    ),
    _taken(
        "what the system boots from",
        "the running system or what boots it",
        _EXT4 + "$A; mount $A /boot",
        "umount /boot",
    ),
    _taken("a mounted btrfs drive", "is mounted at", "mkfs.btrfs -q -f -M $A; mount $A $T", "umount $T"),
    _taken(
        "the second drive of a mounted btrfs",
        "belongs to a btrfs file system",
        "modprobe btrfs; mkfs.btrfs -q -f -M -d raid1 -m raid1 $B $A; mount $B $T",
        "umount $T",
    ),
)

SWAP = (
    _taken("active swap", "is active swap", "mkswap -q $A; swapon $A", "swapoff $A"),
    _taken(
        "active swap on a partition", "`nvme0n1p1` is active swap", _GPT + "mkswap -q $P; swapon $P", "swapoff ${A}p1"
    ),
    _taken("a swap area at rest", "is a swap area", "mkswap -q $A"),
    _taken(
        "a swap file on it",
        "is mounted at",
        _EXT4 + "$A; mount $A $T; dd if=/dev/zero of=$T/swap bs=1M count=16 status=none; chmod 600 $T/swap; "
        "mkswap -q $T/swap; swapon $T/swap",
        "swapoff $T/swap; umount $T",
    ),
)

HOLDERS = (
    _taken("a physical volume of LVM without a group", "is a physical volume of LVM", "pvcreate -q -y $A"),
    _taken(
        "an active volume of LVM",
        "an LVM volume",
        _VOLUME.format("$A"),
        "vgremove -q -f -y group; pvremove -q -ff -y $A",
    ),
    _taken(
        "an inactive volume of LVM",
        "is a physical volume of LVM",
        _VOLUME.format("$A") + "vgchange -q -an group",
        "vgremove -q -f -y group; pvremove -q -ff -y $A",
    ),
    _taken(
        "an active volume of LVM on a partition",
        "`nvme0n1p1` is held by",
        _GPT + _VOLUME.format("$P"),
        "vgremove -q -f -y group; pvremove -q -ff -y ${A}p1",
    ),
    _taken("a running array", "an md array", _ARRAY.format("$A"), _STOP),
    _taken("a stopped array", "is a member of an md array", _ARRAY.format("$A") + _STOP),
    _taken("a running array on a partition", "`nvme0n1p1` is held by `md7`", _GPT + _ARRAY.format("$P"), _STOP),
    _taken("a closed LUKS container", "is a LUKS container", _KEY.format("$A")),
    _taken(
        "an open LUKS container",
        "an encrypted volume",
        _KEY.format("$A") + _OPEN.format("$A"),
        "cryptsetup close secret",
    ),
    _taken(
        "an open LUKS container on a partition",
        "`nvme0n1p1` is held by",
        _GPT + _KEY.format("$P") + _OPEN.format("$P"),
        "cryptsetup close secret",
    ),
    _taken(
        "a multipath device",
        "a multipath device",
        'dmsetup create --noudevsync -u mpath-one many --table "0 $(blockdev --getsz $A) linear $A 0"',
        "dmsetup remove --noudevsync many",
    ),
    _taken(
        "a mapping of a part of it",
        "a device-mapper volume",
        'dmsetup create --noudevsync part --table "0 2048 linear $A 4096"',
        "dmsetup remove --noudevsync part",
    ),
    _taken("a bcache drive nobody has registered", "belongs to bcache", _BCACHE),
    _taken(
        "a bcache drive in use",
        "a bcache device",
        _BCACHE
        + "modprobe bcache; echo $A >/sys/fs/bcache/register; until [ -e /sys/block/bcache0 ]; do sleep 0.1; done",
        "echo 1 >/sys/block/bcache0/bcache/stop; while [ -e /sys/block/bcache0 ]; do sleep 0.1; done",
    ),
    _taken("a member of a ZFS pool", "belongs to a ZFS pool", "python3 -S -m tests.vm.superblocks zfs $A"),
    _taken("one of the drives of a btrfs at rest", "belongs to a btrfs", "mkfs.btrfs -q -f -M -d raid1 -m raid1 $B $A"),
    _taken("a loop device over it", "uses `/dev/nvme0n1` too", "losetup /dev/loop3 $A", "losetup -d /dev/loop3"),
    _taken(
        "a program that has it to itself",
        "has it open exclusively",
        _HOLD.format("$A", "os.O_RDONLY | os.O_EXCL"),
        _LET_GO,
    ),
    _taken(
        "a program that has a partition to itself",
        "has it open",
        _GPT + _HOLD.format("$P", "os.O_RDONLY | os.O_EXCL"),
        _LET_GO,
    ),
    _taken("a drive set to read-only", "is read-only", "blockdev --setro $A", "blockdev --setrw $A"),
    _taken(
        "a partition set to read-only",
        "`nvme0n1p1` is read-only",
        _GPT + "blockdev --setro $P",
        "blockdev --setrw ${A}p1",
    ),
)

_MAP = (
    "python3 -S -c 'import mmap, os, sys, time; descriptor = os.open(sys.argv[1], os.O_RDWR); "
    "mapped = mmap.mmap(descriptor, 4096); os.close(descriptor); print(flush=True); time.sleep(600)' $A "
)
_MACHINE = (
    "qemu-system-x86_64 -accel tcg -m 16 -nodefaults -display none -S -daemonize -pidfile $T/pid "
    "-drive if=virtio,format=raw,file={0}"
)

WRITERS = (
    _taken("a program that may write to it", "`nvme0n1` is open for writing", _HOLD.format("$A", "os.O_RDWR"), _LET_GO),
    _taken(
        "a program that may only write to it",
        "`sda` is open for writing",
        _HOLD.format("$S", "os.O_WRONLY"),
        _LET_GO,
        target="$S",
    ),
    _taken(
        "a program that may write to a partition",
        "`nvme0n1p1` is open for writing",
        _GPT + _HOLD.format("$P", "os.O_RDWR"),
        _LET_GO,
    ),
    _taken(
        "a program that may write to a mapping of it",
        "a device-mapper volume",
        'dmsetup create --noudevsync part --table "0 2048 linear $A 4096"; dmsetup mknodes part; '
        + _HOLD.format("/dev/mapper/part", "os.O_RDWR"),
        _LET_GO + "; while kill -0 $(cat $T/pid); do sleep 0.1; done; dmsetup remove --noudevsync part",
    ),
    _taken(
        "a program that has closed it and has it mapped",
        "`nvme0n1` is open for writing",
        "mkfifo $T/said; " + _MAP + ">$T/said & echo $! >$T/pid; read -r _ <$T/said",
        _LET_GO,
    ),
    _taken("a virtual machine on it", "(`qemu-system-x86`)", _MACHINE.format("$A"), _LET_GO),
    _taken("a virtual machine on a partition", "(`qemu-system-x86`)", _GPT + _MACHINE.format("$P"), _LET_GO),
    _taken(
        "a program that may write by the generic device of the namespace",
        "`ng0n1` is open for writing",
        _HOLD.format("/dev/ng0n1", "os.O_RDWR"),
        _LET_GO,
    ),
    _taken(
        "a program that may write by the generic device of SCSI",
        "`sg0` is open for writing",
        _HOLD.format("/dev/sg0", "os.O_RDWR"),
        _LET_GO,
        target="$S",
    ),
)

_LOOP, _UPON = "/dev/loop3", "losetup /dev/loop3 {0}; "
_OFF = "; losetup -d /dev/loop3"
_STACK = "losetup /dev/loop2 $A; losetup /dev/loop3 /dev/loop2; "
_STACK_OFF = _OFF + "; losetup -d /dev/loop2"

LOOPS = (
    _free("a loop device upon a drive nobody uses", _UPON.format("$A"), after=_OFF[2:], target=_LOOP, serial="$A"),
    _free(
        "a loop device upon a partition beside a mounted one",
        _GPT + _EXT4 + "${A}p2; mount ${A}p2 $T; " + _UPON.format("$P"),
        after="umount $T" + _OFF,
        target=_LOOP,
        serial="${A}p1",
    ),
    _free(
        "a stack of loop devices upon a drive nobody uses",
        _STACK,
        after=_STACK_OFF[2:],
        target=_LOOP,
        serial="/dev/loop2",
    ),
    _taken(
        "a loop device upon a mounted drive",
        "`nvme0n1`, on which it stands, is mounted at",
        _EXT4 + "$A; " + _UPON.format("$A") + "mount $A $T",
        "umount $T" + _OFF,
        target=_LOOP,
    ),
    _taken(
        "a loop device upon a mounted partition",
        "`nvme0n1p1`, on which it stands, is mounted at",
        _GPT + _EXT4 + "$P; " + _UPON.format("$P") + "mount $P $T",
        "umount $T" + _OFF,
        target=_LOOP,
    ),
    _taken(
        "a loop device upon a drive with a mounted partition",
        "`nvme0n1p1`, on which it stands, is mounted at",
        _GPT + _EXT4 + "$P; " + _UPON.format("$A") + "mount $P $T",
        "umount $T" + _OFF,
        target=_LOOP,
    ),
    _taken(
        "a stack of loop devices upon a mounted drive",
        "`nvme0n1`, on which it stands, is mounted at",
        _EXT4 + "$A; " + _STACK + "mount $A $T",
        "umount $T" + _STACK_OFF,
        target=_LOOP,
    ),
    _taken(
        "a loop device upon a drive that a virtual machine has",
        "(`qemu-system-x86`)",
        _UPON.format("$A") + _MACHINE.format("$A"),
        _LET_GO + "; while kill -0 $(cat $T/pid); do sleep 0.1; done" + _OFF,
        target=_LOOP,
    ),
    _taken(
        "a loop device upon a volume of LVM that is mounted",
        "on which it stands, is mounted at",
        _VOLUME.format("$A")
        + _EXT4
        + "/dev/mapper/group-volume; "
        + _UPON.format("/dev/mapper/group-volume")
        + "mount /dev/mapper/group-volume $T",
        "umount $T" + _OFF + "; vgremove -q -f -y group; pvremove -q -ff -y $A",
        target=_LOOP,
    ),
)

_PATHS = (
    "modprobe scsi_debug dev_size_mb=64 add_host=2 vpd_use_hostno=0; "
    "until [ -b /dev/sdb ] && [ -b /dev/sdc ]; do sleep 0.1; done; "
)
"""Two hosts that present the same unit under the same identifiers, and keep its bytes in one place."""
_PATHS_OFF = "modprobe -r scsi_debug"

TWINS = (
    Situation(
        name="a second path to a drive nobody uses",
        answer=Answer.REFUSED,
        before=_PATHS,
        after=_PATHS_OFF,
        target="/dev/sdc",
        named=Named.NOT,
        says="was not named to be erased",
    ),
    _taken(
        "a second path to a mounted drive",
        "`sdb`, another path to it by its world-wide identifier, is mounted at",
        _PATHS + _EXT4 + "/dev/sdb; mount /dev/sdb $T",
        "umount $T; " + _PATHS_OFF,
        target="/dev/sdc",
    ),
    _taken(
        "a second path to a drive with a mapping",
        "`sdb`, another path to it by its world-wide identifier, is held by",
        _PATHS + 'dmsetup create --noudevsync part --table "0 2048 linear /dev/sdb 4096"',
        "dmsetup remove --noudevsync part; " + _PATHS_OFF,
        target="/dev/sdc",
    ),
    _taken(
        "a second path to a drive that a program may write to",
        "`sdb` is open for writing",
        _PATHS + _HOLD.format("/dev/sdb", "os.O_RDWR"),
        _LET_GO + "; while kill -0 $(cat $T/pid); do sleep 0.1; done; " + _PATHS_OFF,
        target="/dev/sdc",
    ),
)

SITUATIONS = (*FREE, *NAMING, *PATHS, *MOUNTED, *SWAP, *HOLDERS, *WRITERS, *LOOPS, *TWINS)
